#!/bin/sh
# Every method, accessor and global function of builtins.def is used by some script of tests/, or of stdlib/ (Internal).
scripts=$(find tests stdlib -name '*.scr')
[ -n "$scripts" ] || exit 0
# shellcheck disable=SC2086
awk '
    FILENAME ~ /(builtins|internal)\.def$/ {
        if (!match($0, /^(METHOD|GETTER|ACCESSOR|GLOBAL_METHOD|GLOBAL_VISIBLE)\(/)) next
        name = $0; sub(/^[A-Z_]+\(/, "", name)
        holder = name
        if ($0 ~ /^GLOBAL/) holder = "global"; else { sub(/,.*/, "", holder); sub(/^[^,]*, */, "", name) }
        sub(/^"/, "", name); sub(/[",)].*/, "", name); sub(/^@@/, "Symbol.", name)
        where[++count] = FILENAME ":" FNR; holders[count] = holder; names[count] = name
        next
    }
    {
        line = $0
        while (match(line, /[A-Za-z_$][A-Za-z0-9_$]*/)) {
            word = substr(line, RSTART, RLENGTH)
            used[word] = 1
            if (last == "Symbol" && substr(line, 1, RSTART - 1) == ".") used["Symbol." word] = 1
            last = word
            line = substr(line, RSTART + RLENGTH)
        }
        last = ""
    }
    END {
        for (i = 1; i <= count; i++)
            if (!(names[i] in used)) { print where[i] ": no test uses " holders[i] " " names[i]; bad = 1 }
        exit bad
    }' runtime/builtins/builtins.def runtime/builtins/internal.def $scripts
