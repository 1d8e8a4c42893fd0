// Which version of scr this is.
#pragma once
#include <string_view>

namespace scr {

inline constexpr std::string_view Version = "0.1.0";

}
