// IEEE 754 binary16 ("half") as bits: what Float16Array, DataView and Math.f16round store. Rounds to nearest, ties to
// even, straight from the double, so that nothing is rounded twice.
#pragma once
#include "runtime/base/assert.h"

namespace scr {

u16 halfFromDouble(double number);
double doubleFromHalf(u16 half);

}
