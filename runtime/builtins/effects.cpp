// effects.def as a table by the address of the function, made when it is first asked.
#include "runtime/builtins/effects.h"
#include "runtime/builtins/native.h"
#include <algorithm>

namespace scr {

#define EFFECT(effect, function) Result function(Vm&, Args);
#include "runtime/builtins/effects.def"
#undef EFFECT

namespace {

struct Entry {
    NativeCode code;
    NativeEffect effect;
};

bool isBefore(const Entry& a, const Entry& b) { return u64(a.code) < u64(b.code); }

const std::vector<Entry>& sortedEntries() {
    static const std::vector<Entry> entries = [] {
        std::vector<Entry> made{
#define EFFECT(effect, function) {function, NativeEffect::effect},
#include "runtime/builtins/effects.def"
#undef EFFECT
        };
        std::sort(made.begin(), made.end(), isBefore);
        return made;
    }();
    return entries;
}

}

NativeEffect effectOfNative(NativeCode code) {
    const std::vector<Entry>& entries = sortedEntries();
    Entry wanted{code, NativeEffect::Refused};
    auto found = std::lower_bound(entries.begin(), entries.end(), wanted, isBefore);
    return found != entries.end() && found->code == code ? found->effect : NativeEffect::Refused;
}

}
