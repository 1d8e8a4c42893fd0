#!/bin/sh
# What it costs to run nothing: instructions (loader included), memory, size of the program.
cd "$(dirname "$0")/.." || exit 1
. perf/common.sh
empty=perf/startup/empty.scr

echo "Start: $empty"
$COMPARE -n "$ROUNDS" --tsv "$work/start" "scr=$SCR $empty" >"$work/table" || exit 1
awk -F'\t' '{ printf "%-24s %10.2f ms\n%-24s %10.2f MB\n", "processor time", $2 * 1000, "resident", $8 / 1024 }' "$work/start"
if have valgrind; then
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$SCR" $empty 2>"$work/err" >/dev/null || exit 1
    awk '/Collected/ { printf "%-24s %10.3f million\n", "instructions", $NF / 1e6 }' "$work/err"
else
    echo "instructions: no valgrind here to count them"
fi
wc -c <"$SCR" | awk '{ printf "%-24s %10.3f MB\n", "size of the program", $1 / 1e6 }'
