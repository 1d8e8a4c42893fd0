// Previews at the prompt.
#include "interp/repl/preview.h"

namespace scr {

std::string preview(Vm&, std::string_view, size_t) { return {}; }

}
