// Unicode normalization forms (UAX #15) of strings, and the steps that comparing strings needs too.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

enum class NormalizationForm { NFC, NFD, NFKC, NFKD };

/// The flat string in this form; itself where it has the form already.
Completion<String*> normalizeString(Vm& vm, String* flat, NormalizationForm form);

/// What a code point decomposes into in one step, as UTF-16. No units: nothing. Hangul syllables are not in the table.
struct DecompositionStep {
    const char16_t* units = nullptr;
    u32 length = 0;
    char16_t single = 0; ///< where `units` points when the unit stands in no list
};
DecompositionStep decomposeOnce(u32 codePoint, bool compatible);

}
