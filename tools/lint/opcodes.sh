#!/bin/sh
# Every instruction of opcodes.def has a handler in the interpreter, and somebody makes it: the compiler emits it, or the
# interpreter writes it over another form.
[ -f interp/vm/interpreter.cpp ] || exit 0
find interp/compiler interp/vm interp/bytecode -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.inc' \) | sort |
    xargs awk '
    FILENAME ~ /opcodes\.def$/ {
        if (/^OP\(/) { name = $0; sub(/^OP\(/, "", name); sub(/,.*/, "", name); ops[++count] = name }
        next
    }
    {
        line = $0
        sub(/\/\/.*/, "", line)
        handler = FILENAME ~ /^interp\/vm\// && match(line, /^ *[A-Z_0-9]+\([A-Z][A-Za-z0-9]*[,)]/)
        if (handler) {
            name = line; sub(/^ *[A-Z_0-9]+\(/, "", name); sub(/[,)].*/, "", name)
            handled[name] = 1
        }
        # NEXT(Name) repeats the name in its own handler: neither makes the instruction.
        gsub(/(CASE|NEXT)[A-Z_]*\([A-Za-z0-9]+\)/, "", line)
        while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
            word = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
            made[word] = 1
        }
    }
    END {
        for (i = 1; i <= count; i++) {
            if (!(ops[i] in handled)) { print "interp/vm: no handler of " ops[i]; bad = 1 }
            if (!(ops[i] in made)) { print "interp/compiler: nobody makes " ops[i]; bad = 1 }
        }
        exit bad
    }' interp/bytecode/opcodes.def
