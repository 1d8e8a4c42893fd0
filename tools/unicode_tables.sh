#!/bin/sh
# Writes the tables of characters that the engine needs, from the files of Debian's package unicode-data:
#   tools/unicode_tables.sh width > runtime/base/text_width_table.h
#   tools/unicode_tables.sh case > runtime/builtins/unicode_case_table.h
#   tools/unicode_tables.sh normalization > runtime/builtins/unicode_normalization_table.h
#   tools/unicode_tables.sh collation > runtime/builtins/unicode_collation_table.h
# UNICODE names another folder with the files of the Unicode Character Database.
set -e
data=${UNICODE:-/usr/share/unicode}
cd "$(dirname "$0")/.."

# What the programs share: numbers in hexadecimal, runs of code points, arrays wrapped into lines.
common='
function hex(text,  i, n) {
    n = 0
    for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789ABCDEF", toupper(substr(text, i, 1))) - 1
    return n
}
function bounds(field,  ends) {
    gsub(/ /, "", field)
    split(field, ends, "[.][.]")
    first = hex(ends[1]); last = ends[2] == "" ? first : hex(ends[2])
}
function item(text) {
    if (length(line) + length(text) + 2 > 118) { print line; line = "   " }
    line = line " " text ","
}
function begin(declaration) { print declaration " = {"; line = "   " }
function end() { print line; print "};" }
'

width() {
    awk -F'[;#]' "$common"'
    BEGIN { before = -1 }
    FNR == 1 { file++ }
    /^[0-9A-F]/ {
        bounds($1); value = $2; gsub(/ /, "", value)
        for (c = first; c <= last; c++) {
            if (file == 1) { if (value ~ /^(Cc|Cf|Me|Mn)$/ && c != 173) zero[c] = 1 }
            else if (file == 2) { if (value ~ /^[WF]$/) wide[c] = 1 }
        }
    }
    END {
        print "// Code points by the columns they take. Written by tools/unicode_tables.sh, not by hand."
        print "// clang-format off\n#pragma once\n#include \"runtime/base/platform.h\"\n\nnamespace scr {\n"
        print "struct WidthRange {\n    u32 first : 24, width : 8, last;\n};"
        begin("constexpr WidthRange widthRanges[]")
        for (c = 127; c <= 1114112; c++) {
            now = (c in wide) ? 2 : (c in zero) ? 0 : 1
            if (now == before) continue
            if (before >= 0 && before != 1) item(sprintf("{0x%X, %d, 0x%X}", start, before, c - 1))
            start = c; before = now
        }
        end()
        print "\n}"
    }' "$data/extracted/DerivedGeneralCategory.txt" "$data/EastAsianWidth.txt"
}

case_tables() {
    awk -F";" "$common"'
    /^#/ || NF < 2 { if (FNR == 1) file++; next }
    FNR == 1 { file++ }
    file == 1 {
        c = hex($1)
        if ($13 != "") upper[c] = hex($13) - c
        if ($14 != "") lower[c] = hex($14) - c
    }
    file == 2 && $5 ~ /^ *#/ {
        c = hex($1)
        if ($4 ~ /[0-9A-F] [0-9A-F]/) special[c] = $4
    }
    file == 3 {
        split($2, property, "#"); name = property[1]; gsub(/ /, "", name)
        if (name != "Cased" && name != "Case_Ignorable") next
        bounds($1)
        for (c = first; c <= last; c++) if (name == "Cased") cased[c] = 1; else ignorable[c] = 1
    }
    # Runs of every or every other code point that move by the same amount.
    function deltas(name, map,  c, step) {
        begin("constexpr CaseRange " name "[]")
        for (c = 0; c < 131072; c++) {
            if (!(c in map) || c in done) continue
            step = (c + 1) in map && map[c + 1] == map[c] ? 1 : 2
            for (last = c; (last + step) in map && map[last + step] == map[c] && (step == 1 || !((last + 1) in map)); last += step) done[last] = 1
            done[last] = 1
            item(sprintf("{0x%X, %d, 0x%X, %d}", c, step, last, map[c]))
        }
        end(); split("", done)
    }
    function ranges(name, set,  c) {
        begin("constexpr CodeRange " name "[]")
        for (c = 0; c < 1114112; c++) {
            if (!(c in set)) continue
            for (first = c; (c + 1) in set; c++) {}
            item(sprintf("{0x%X, 0x%X}", first, c))
        }
        end()
    }
    END {
        print "// The case of letters (UnicodeData, SpecialCasing, DerivedCoreProperties). Written by"
        print "// tools/unicode_tables.sh, not by hand."
        print "// clang-format off\n#pragma once\n#include \"runtime/base/platform.h\"\n\nnamespace scr {\n"
        print "/// Code points first, first + step, ... last become others, `delta` away.\nstruct CaseRange {\n    u32 first : 24, step : 8, last;\n    i32 delta;\n};"
        print "/// A code point that becomes several when it is made upper case.\nstruct CaseExpansion {\n    char16_t from, to[3];\n};"
        print "struct CodeRange {\n    u32 first, last;\n};\n"
        deltas("upperRanges", upper); print ""
        deltas("lowerRanges", lower); print ""
        begin("constexpr CaseExpansion upperExpansions[]")
        for (c = 0; c < 65536; c++) {
            if (!(c in special)) continue
            n = split(special[c], to, " ")
            item(sprintf("{0x%X, {0x%s, 0x%s, %s}}", c, to[1], to[2], n > 2 ? "0x" to[3] : "0"))
        }
        end(); print ""
        ranges("casedRanges", cased); print ""
        ranges("caseIgnorableRanges", ignorable)
        print "\n}"
    }' "$data/UnicodeData.txt" "$data/SpecialCasing.txt" "$data/DerivedCoreProperties.txt"
}

normalization() {
    awk -F";" "$common"'
    FNR == 1 { file++ }
    file == 1 {
        c = hex($1)
        if ($4 != "0") class[c] = $4 + 0
        if ($6 != "") {
            text = $6
            if (sub(/^<[^>]*> /, "", text)) compatible[c] = 1
            decomposition[c] = text
        }
    }
    file == 2 && $2 ~ /Full_Composition_Exclusion/ {
        bounds($1)
        for (c = first; c <= last; c++) excluded[c] = 1
    }
    # The UTF-16 of what c decomposes into, in list[1..length].
    function listUnits(c,  i, n, part, point) {
        n = split(decomposition[c], part, " "); listed = 0
        for (i = 1; i <= n; i++) {
            point = hex(part[i])
            if (point < 65536) { list[++listed] = point; continue }
            point -= 65536
            list[++listed] = 55296 + int(point / 1024); list[++listed] = 56320 + point % 1024
        }
    }
    # How many code points from c on become one unit each, always the next one.
    function sequence(c,  i, base) {
        listUnits(c); base = list[1]
        for (i = 0; listed == 1 && list[1] == base + i; listUnits(c + i)) {
            i++
            if (!((c + i) in decomposition) || ((c + i) in compatible) != (c in compatible)) return i
        }
        return i
    }
    END {
        print "// Decomposition and composition of characters, and their combining classes (UnicodeData,"
        print "// DerivedNormalizationProps). Written by tools/unicode_tables.sh, not by hand."
        print "// clang-format off\n#pragma once\n#include \"runtime/base/platform.h\"\n\nnamespace scr {\n"
        print "/// Code points first, first + 1, ... are made of (in one step) `length` units each, which stand one behind the"
        print "/// other from `place` of decompositionUnits on; length 0: of the one unit place, place + 1, ..."
        print "struct DecompositionRun {\n    u32 first : 21, count : 10, compatible : 1;\n    u16 length, place;\n};"
        print "/// Code points first to last have this combining class.\nstruct ClassRange {\n    u32 first : 24, value : 8, last;\n};"
        print "struct Composition {\n    u32 first, second, composite;\n};\n"
        begin("constexpr DecompositionRun decompositionRuns[]")
        for (c = 0; c < 200000; c++) {
            if (!(c in decomposition)) continue
            first = c; n = sequence(c)
            if (n > 3) {
                item(sprintf("{0x%X, %d, %d, 0, 0x%X}", c, n, c in compatible, hex(decomposition[c]))); c += n - 1
                continue
            }
            listUnits(c); runLength = listed; place = pooled + 0
            for (;;) {
                for (i = 1; i <= listed; i++) pool[++pooled] = list[i]
                if (!((c + 1) in decomposition) || ((c + 1) in compatible) != (first in compatible)) break
                if (runLength == 1 && sequence(c + 1) > 3) break
                listUnits(c + 1)
                if (listed != runLength || c - first > 1000) break
                c++
            }
            item(sprintf("{0x%X, %d, %d, %d, %d}", first, c - first + 1, first in compatible, runLength, place))
        }
        end(); print ""
        begin("constexpr char16_t decompositionUnits[]")
        for (i = 1; i <= pooled; i++) item(sprintf("0x%X", pool[i]))
        end(); print ""
        begin("constexpr ClassRange classRanges[]")
        for (c = 0; c < 131072; c++) {
            if (!(c in class)) continue
            for (first = c; (c + 1) in class && class[c + 1] == class[first]; c++) {}
            item(sprintf("{0x%X, %d, 0x%X}", first, class[first], c))
        }
        end(); print ""
        print "/// Sorted by first and second."
        begin("constexpr Composition compositions[]")
        for (c = 0; c < 131072; c++) {
            if (!(c in decomposition) || c in compatible || c in excluded) continue
            split(decomposition[c], part, " ")
            pair = sprintf("0x%05X, 0x%05X, 0x%X", hex(part[1]), hex(part[2]), c)
            for (i = ++pairs; i > 1 && sorted[i - 1] > pair; i--) sorted[i] = sorted[i - 1]
            sorted[i] = pair
        }
        for (i = 1; i <= pairs; i++) item("{" sorted[i] "}")
        end()
        print "\n}"
    }' "$data/UnicodeData.txt" "$data/DerivedNormalizationProps.txt"
}

collation() {
    awk -F";" "$common"'
    FNR == 1 { file++ }
    file == 1 {
        c = hex($1)
        if ($6 != "" && ($6 !~ /^</ || c >= 9472)) decomposed[c] = 1
        next
    }
    !/^[0-9A-F]/ { next }
    # One element: 16 bits primary, 9 secondary, 5 tertiary.
    function element(text,  part) {
        split(substr(text, 2), part, ".")
        return sprintf("%X", (hex(part[1]) * 512 + hex(part[2])) * 32 + hex(part[3]))
    }
    {
        n = split($1, point, " "); value = $2; sub(/#.*/, "", value); gsub(/[ \]]/, "", value)
        elements = split(substr(value, 2), text, "[[]")
        list = ""
        for (i = 1; i <= elements; i++) list = list " " element(text[i])
        c = hex(point[1])
        if (n > 1) {
            # Those of the scripts written in visual order are made by exchanging two letters.
            if (c != 3640 && !(c >= 3648 && c <= 3652) && !(c >= 3776 && c <= 3780) && !(c >= 6581 && c <= 6586) && c < 43600) {
                contraction[++contractions] = sprintf("0x%X, 0x%X, 0x%X", c, hex(point[2]), n > 2 ? hex(point[3]) : 0)
                contractionList[contractions] = list
            }
            next
        }
        # The rest has the implicit weights of unassigned characters, or what its decomposition gives.
        if (c in decomposed || (c >= 65536 && (c < 126976 || c > 131071))) next
        if (elements == 1) single[c] = hex(substr(list, 2)); else multiple[c] = list
        if (c > highest) highest = c
    }
    function addElements(list,  place, n) {
        n = split(list, unused, " ")
        if (list in known) place = known[list]
        else { place = known[list] = total + 0; for (i = 1; i <= n; i++) pool[total++] = unused[i] }
        elementCount = n
        return place
    }
    END {
        print "// The order of characters (Default Unicode Collation Element Table). Written by tools/unicode_tables.sh,"
        print "// not by hand."
        print "// clang-format off\n#pragma once\n#include \"runtime/base/platform.h\"\n\nnamespace scr {\n"
        print "/// Code points first, first + 1, ... have one element each: `element`, and each further one a primary weight"
        print "/// that is larger by one (or none, where the first has none).\nstruct ElementRun {\n    u32 first : 21, count : 11, element;\n};"
        print "/// A code point with several elements, at `offset` of collationElements.\nstruct ElementList {\n    u32 first : 21, count : 5;\n    u16 offset;\n};"
        print "/// Code points that together have elements of their own; third may be 0.\nstruct Contraction {\n    char16_t first, second, third;\n    u8 count;\n    u16 offset;\n};\n"
        begin("constexpr ElementRun elementRuns[]")
        for (c = 0; c <= highest; c++) {
            if (!(c in single)) continue
            first = c; step = single[c] >= 16384 ? 16384 : 0
            while ((c + 1) in single && single[c + 1] == single[c] + step && c - first < 2000) c++
            item(sprintf("{0x%X, %d, 0x%X}", first, c - first + 1, single[first]))
        }
        end(); print ""
        begin("constexpr ElementList elementLists[]")
        for (c = 0; c <= highest; c++) {
            if (!(c in multiple)) continue
            place = addElements(multiple[c])
            item(sprintf("{0x%X, %d, %d}", c, elementCount, place))
        }
        end(); print ""
        begin("constexpr Contraction contractions[]")
        for (k = 1; k <= contractions; k++) {
            place = addElements(contractionList[k])
            item(sprintf("{%s, %d, %d}", contraction[k], elementCount, place))
        }
        end(); print ""
        begin("constexpr u32 collationElements[]")
        for (i = 0; i < total; i++) item("0x" pool[i])
        end()
        print "\n}"
    }' "$data/UnicodeData.txt" "$data/allkeys.txt"
}

case ${1:-} in
width) width ;;
case) case_tables ;;
normalization) normalization ;;
collation) collation ;;
*) echo "usage: tools/unicode_tables.sh width|case|normalization|collation" >&2; exit 2 ;;
esac
