// The Date object's cell.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

struct DateObject : Object {
    double time; ///< milliseconds since 1970, or NaN
};

}
