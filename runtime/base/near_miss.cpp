// The distance of Damerau and Levenshtein, with swaps of neighbours only.
#include "runtime/base/near_miss.h"
#include <algorithm>

namespace scr {

static constexpr size_t LongestWord = 64;

unsigned editDistance(std::string_view a, std::string_view b, unsigned limit) {
    size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference > limit || a.size() > LongestWord || b.size() > LongestWord)
        return limit + 1;
    // Three rows of the table of distances between beginnings: a swap looks back two.
    unsigned rows[3][LongestWord + 1];
    unsigned *older = rows[0], *old = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b.size(); j++)
        row[j] = unsigned(j);
    for (size_t i = 1; i <= a.size(); i++) {
        unsigned* free = older;
        older = old;
        old = row;
        row = free;
        row[0] = unsigned(i);
        for (size_t j = 1; j <= b.size(); j++) {
            unsigned changed = old[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = std::min({old[j] + 1, row[j - 1] + 1, changed});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], older[j - 2] + 1);
        }
    }
    return std::min(row[b.size()], limit + 1);
}

bool isNearMiss(std::string_view word, std::string_view meant) {
    size_t shorter = std::min(word.size(), meant.size());
    if (word == meant || shorter < 2)
        return false;
    if (shorter == 2) // swapped letters only
        return word.size() == 2 && meant.size() == 2 && word[0] == meant[1] && word[1] == meant[0];
    if (word.size() == 3 && meant.size() == 3) { // foo is not for
        bool isSwapped = (word[0] == meant[1] && word[1] == meant[0] && word[2] == meant[2])
            || (word[0] == meant[0] && word[1] == meant[2] && word[2] == meant[1]);
        return isSwapped;
    }
    unsigned limit = shorter < 6 ? 1 : 2;
    return editDistance(word, meant, limit) <= limit;
}

}
