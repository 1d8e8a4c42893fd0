#!/bin/sh
# Somebody makes every instruction of opcodes.def: the compiler emits it, or the interpreter writes it over another form.
# (That each has a handler is seen by the C++ compiler.) Macros paste names, so it is the preprocessed text that is read.
[ -f interp/vm/interpreter.cpp ] && ls interp/compiler/*.cpp >/dev/null 2>&1 || exit 0
${MAKE:-make} -s --no-print-directory build/release/flags || exit 1
compile=$(sed 's/ -MMD -MP//' build/release/flags)
for file in interp/compiler/*.cpp interp/vm/*.cpp interp/bytecode/*.cpp; do
    echo "#include \"$file\""
done | $compile -E -x c++ - | awk '
    FILENAME ~ /opcodes\.def$/ {
        if (/^OP\(/) { name = $0; sub(/^OP\(/, "", name); sub(/,.*/, "", name); ops[++count] = name }
        next
    }
    # The preprocessor says which file the lines after this come from; the table itself is everywhere.
    /^# [0-9]+ "/ { file = $3; own = file ~ /"(\.\/)?interp\/(compiler|vm|bytecode)\/.*\.(cpp|h|inc)"/; emits = file ~ /"(\.\/)?interp\/compiler\//; next }
    !own { next }
    {
        line = $0
        # ops::Name is how the compiler emits; a handler says it of itself, so elsewhere only Op::Name counts.
        while (match(line, /(ops|Op)::[A-Z][A-Za-z0-9]*/)) {
            word = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            if (word ~ /^Op::/ || emits) { sub(/^.*::/, "", word); made[word] = 1 }
        }
    }
    END {
        for (i = 1; i <= count; i++)
            if (!(ops[i] in made)) { print "interp/bytecode/opcodes.def: nobody makes " ops[i]; bad = 1 }
        exit bad
    }' interp/bytecode/opcodes.def -
