// Look-up by binary search; ASCII is answered without the tables.
#include "grammar/identifier.h"

#include "grammar/identifier_ranges.h"

#include <algorithm>
#include <iterator>

namespace scr {

namespace {

bool isLetter(u32 codePoint) { return (codePoint | 0x20) >= 'a' && (codePoint | 0x20) <= 'z'; }

template <size_t size> bool isInside(const u32 (&bounds)[size], u32 codePoint) {
    return (std::upper_bound(std::begin(bounds), std::end(bounds), codePoint) - bounds) & 1;
}

} // namespace

bool isIdentifierStart(u32 codePoint) {
    if (codePoint < 0x80)
        return isLetter(codePoint) || codePoint == '$' || codePoint == '_';
    return isInside(idStartBounds, codePoint);
}

bool isIdentifierPart(u32 codePoint) {
    if (codePoint < 0x80)
        return isLetter(codePoint) || (codePoint >= '0' && codePoint <= '9') || codePoint == '$' || codePoint == '_';
    return isInside(idContinueBounds, codePoint) || codePoint == 0x200c || codePoint == 0x200d;
}

}
