#!/bin/sh
# What must hold for timers in great numbers; each script checks its own limit and says what it saw.
cd "$(dirname "$0")/.." || exit 1
. perf/common.sh

status=0
for program in random unref live; do
    begin=$(date +%s%N)
    "$SCR" perf/timers/$program.scr >"$work/out" 2>&1 || status=1
    end=$(date +%s%N)
    echo "timers/$program: $(cat "$work/out"); the process took $(((end - begin) / 1000000)) ms"
done
exit $status
