#!/bin/sh
# Every member of a cell that refers to another one (Ref, Ptr, Value) is named in a function that traces that cell: one
# that takes a Marker& and speaks of the struct.
sources=$(find runtime interp stdlib -type f \( -name '*.h' -o -name '*.cpp' \) | sort)
grep -rqE "\(.*Marker& " runtime interp --include='*.cpp' || exit 0
# shellcheck disable=SC2086
awk '
    BEGIN { cell["Cell"] = 1 }
    function reset() { inside = ""; tracing = 0; text = "" }
    FNR == 1 { reset() }
    { line = $0; sub(/\/\/.*/, "", line) }
    # A struct of the outermost level, down to its closing brace in the first column.
    !tracing && line ~ /^(struct|class) [A-Za-z]+( final)? : (public )?[A-Za-z]+ \{/ && line !~ /\};/ {
        split(line, part, " ")
        name = part[2]
        base = line; sub(/.* : (public )?/, "", base); sub(/ .*/, "", base)
        bases[name] = base
        inside = name
        next
    }
    inside != "" && /^\}/ { inside = ""; next }
    inside != "" && line ~ /^    (const )?((Ref|Ptr)<[A-Za-z:<>* ]+>|Value) [a-zA-Z_]/ && line ~ /;/ && line !~ /\(/ {
        if ($0 ~ /weak/) next # swept with the marks, not traced
        members = line
        sub(/^ *(const )?((Ref|Ptr)<[A-Za-z:<>* ]+>|Value) /, "", members); sub(/;.*/, "", members)
        n = split(members, each, ",")
        for (i = 1; i <= n; i++) {
            m = each[i]; gsub(/ /, "", m); sub(/[^A-Za-z0-9_].*/, "", m)
            owner[++count] = inside; member[count] = m; where[count] = FILENAME ":" FNR
        }
        next
    }
    # A function with a Marker&, down to its closing brace in the column where it began.
    !tracing && line ~ /\(.*Marker& [a-z]+/ && line !~ /;[ ]*$/ {
        tracing = 1; text = line
        match(line, /^ */); indent = RLENGTH
        if (line ~ /\}[ ]*$/) { traces[++traced] = text; tracing = 0 }
        next
    }
    tracing {
        text = text "\n" line
        match(line, /^ */)
        if (RLENGTH == indent && line ~ /^ *\}/) { traces[++traced] = text; tracing = 0 }
    }
    # Names the struct, or one that is built upon it.
    function speaksOf(text, name,    other) {
        if (text ~ ("(^|[^A-Za-z0-9_])" name "([^A-Za-z0-9_]|$)")) return 1
        for (other in bases) if (bases[other] == name && speaksOf(text, other)) return 1
        return 0
    }
    function isCell(name,    depth) {
        for (depth = 0; depth < 12 && name != ""; depth++) { if (name in cell) return 1; name = bases[name] }
        return 0
    }
    END {
        for (i = 1; i <= count; i++) {
            if (!isCell(owner[i])) continue
            found = 0
            for (t = 1; t <= traced && !found; t++)
                found = speaksOf(traces[t], owner[i]) \
                     && traces[t] ~ ("(^|[^A-Za-z0-9_])" member[i] "([^A-Za-z0-9_]|$)")
            if (!found) { print where[i] ": no trace function of " owner[i] " names " member[i]; bad = 1 }
        }
        exit bad
    }' $sources
