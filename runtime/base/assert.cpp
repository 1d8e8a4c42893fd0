// The one way an impossible state ends the process.
#include "runtime/base/assert.h"
#include <cstdio>
#include <cstdlib>

namespace scr {

void assertionFailed(const char* condition, const char* file, int line) {
    fprintf(stderr, "scr: internal error: %s (%s:%d)\n", condition, file, line);
    abort();
}

}
