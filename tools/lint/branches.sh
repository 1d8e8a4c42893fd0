#!/bin/sh
# A conditional jump of the interpreter must stay a real branch with a dispatch in each arm: as a conditional move it
# costs a quarter of the time of a loop. Each handler marks its place in the assembly ("# handler Name"), and between that
# mark of a conditional jump and the next there may be no cmov.
[ -f interp/vm/interpreter.cpp ] || exit 0
${MAKE:-make} -s --no-print-directory build/release/flags || exit 1
compile=$(sed 's/ -MMD -MP//' build/release/flags)
case $compile in
*clang*) exit 0 ;;
esac
assembly=$(mktemp) || exit 1
trap 'rm -f "$assembly"' EXIT
$compile -S -o "$assembly" interp/vm/interpreter.cpp || exit 1
awk '
    /# handler [A-Z]/ { name = $0; sub(/.*# handler /, "", name); sub(/[^A-Za-z0-9].*/, "", name); marks++; next }
    /^[ \t]*\.section|\.cfi_endproc/ { name = "" }
    name ~ /JumpIf|LoopIf|ForOfNext|ForInNext/ && /^[ \t]+cmov/ { print "interp/vm: " name " has a conditional move: " $1 " " $2; bad = 1 }
    END {
        if (marks < 50) { print "interp/vm: " marks + 0 " handlers carry the mark asm volatile(\"# handler \" \"Name\")"; bad = 1 }
        exit bad
    }' "$assembly"
