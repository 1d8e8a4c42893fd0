#!/bin/sh
# Files stay small: above 700 lines is noted, above 1,200 fails. Generated files lie under build/ and do not count.
find Makefile runtime grammar interp stdlib tests perf examples tools .ci -type f \
    \( -name Makefile -o -name '*.h' -o -name '*.cpp' -o -name '*.def' -o -name '*.inc' -o -name '*.re' -o -name '*.y' -o -name '*.sh' -o -name run \) |
    sort | xargs awk '
    FNR == 1 { check() }
    { name = FILENAME; lines = FNR }
    function check() {
        if (lines > 1200) { print name ": " lines " lines, more than 1200"; bad = 1 }
        else if (lines > 700) print "note: " name ": " lines " lines, more than 700"
    }
    END { check(); exit bad }'
