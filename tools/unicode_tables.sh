#!/bin/sh
# Writes the tables of characters that the engine needs, from the files of Debian's package unicode-data:
#   tools/unicode_tables.sh width > runtime/builtins/text_width_table.h
#   tools/unicode_tables.sh case > runtime/builtins/unicode_case_table.h
# UNICODE names another folder with the files of the Unicode Character Database.
set -e
data=${UNICODE:-/usr/share/unicode}
cd "$(dirname "$0")/.."

# What both programs share: numbers in hexadecimal, runs of code points, arrays wrapped into lines.
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

case ${1:-} in
width) width ;;
case) case_tables ;;
*) echo "usage: tools/unicode_tables.sh width|case" >&2; exit 2 ;;
esac
