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
            else if (file == 2) { east[c] = value; if (value ~ /^[WF]$/) wide[c] = 1 }
            else if (value == "Emoji_Modifier") zero[c] = 1
            else if (value == "Emoji" && (!(c in east) || east[c] ~ /^[AN]$/)) wide[c] = 1
        }
    }
    END {
        print "// Code points by the columns they take. Written by tools/unicode_tables.sh, not by hand."
        print "#pragma once\n#include \"runtime/base/platform.h\"\n\nnamespace scr {\n"
        print "struct WidthRange {\n    u32 first : 24, width : 8, last;\n};"
        begin("constexpr WidthRange widthRanges[]")
        for (c = 127; c <= 1114112; c++) {
            now = (c in zero) ? 0 : (c in wide) ? 2 : 1
            if (now == before) continue
            if (before >= 0 && before != 1) item(sprintf("{0x%X, %d, 0x%X}", start, before, c - 1))
            start = c; before = now
        }
        end()
        print "\n}"
    }' "$data/extracted/DerivedGeneralCategory.txt" "$data/EastAsianWidth.txt" "$data/emoji/emoji-data.txt"
}

case ${1:-} in
width) width ;;
*) echo "usage: tools/unicode_tables.sh width|case" >&2; exit 2 ;;
esac
