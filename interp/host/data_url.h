// data: URLs (RFC 2397) as modules have them.
#pragma once
#include <string>
#include <string_view>

namespace scr {

struct DataUrl {
    std::string type; ///< "text/javascript"; without parameters, lower case
    std::string body; ///< decoded bytes
};
/// What stands behind "data:"; false if that is none.
bool parseDataUrl(std::string_view text, DataUrl& result);

}
