#!/bin/sh
# Each C++ file begins with a comment that says what it holds; each header says #pragma once next.
find runtime grammar interp stdlib tests perf examples -type f \
    \( -name '*.h' -o -name '*.cpp' -o -name '*.def' \) | sort | xargs awk '
    function finish() { if (name ~ /\.h$/ && !once) { print name ": no #pragma once"; bad = 1 } }
    FNR == 1 { finish(); name = FILENAME; once = 0
        if ($0 !~ /^\/\/ /) { print FILENAME ":1: the first line must be a comment that says what the file holds"; bad = 1 } }
    /^#pragma once/ { once = 1 }
    END { finish(); exit bad }'
