#!/bin/sh
# Instructions of one churn round, by callgrind: exact where time is noisy. The slope between two N is free of start
# and end; flat means that a round costs the same however many ids the process has made.
cd "$(dirname "$0")/.." || exit 1
. perf/common.sh

# instructions VARIANT N
instructions() {
    if ! valgrind --tool=callgrind --callgrind-out-file=/dev/null "$SCR" perf/churn.scr "$1" "$2" \
        >"$work/out" 2>"$work/err"; then
        cat "$work/out" "$work/err" >&2
        return 1
    fi
    awk '/Collected/ { print $NF }' "$work/err"
}

echo "Instructions a round of perf/churn.scr by callgrind: from 12,000 ids made in the process to the number above."
echo "scr: $(version "$SCR")"
echo
printf '%-10s %12s %12s %12s   %s\n' variant 60,000 120,000 1,000,000 '120,000 / 60,000   1,000,000 / 120,000'
status=0
for variant in churn live50 live5000; do
    # With its warm-up, N makes 1.2 N ids.
    base=$(instructions $variant 10000) && few=$(instructions $variant 50000) &&
        more=$(instructions $variant 100000) && most=$(instructions $variant 833330) || exit 1
    awk -v variant="$variant" -v base="$base" -v few="$few" -v more="$more" -v most="$most" 'BEGIN {
        a = (few - base) / 48000; b = (more - base) / 108000; c = (most - base) / (833330 * 1.2 - 12000)
        printf "%-10s %12.1f %12.1f %12.1f   %16.4f   %19.4f\n", variant, a, b, c, b / a, c / b
        exit b / a > 1.02 || c / b > 1.02 }' || status=1
done
[ $status = 0 ] || echo "not flat: a ratio is above 1.02"
exit $status
