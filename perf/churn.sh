#!/bin/sh
# The timer churn, ours beside node, node --jitless and the programs given as NAME=PATH. Called by make churn.
# Ratios are ours / theirs: less than one means that ours takes less time.
cd "$(dirname "$0")/.." || exit 1
. perf/common.sh
few=200000 many=1000000

echo "Timer churn: const h = setTimeout(() => {}, 60000); h.unref(); clearTimeout(h)"
echo "Processor time of a round (user + system) as the slope between N = $few and $many; median of $ROUNDS interleaved runs."
echo "Machine: $(machine)"
echo "scr:     $(version "$SCR")"
have node && echo "node:    $(version node)"
for peer in "$@"; do
    echo "${peer%%=*}: $(version "${peer#*=}")"
done
echo

for variant in churn live50 live5000; do
    command="perf/churn.scr $variant {N}"
    # The warm-up of N / 5 rounds is churn too, so a unit of N is 1.2 rounds.
    peers=
    for peer in "$@"; do
        peers="$peers --with $peer"
    done
    if have node; then
        # shellcheck disable=SC2086
        $COMPARE -n "$ROUNDS" --slope $few $many --per 1.2 --inverse --same-output --tsv "$work/$variant" \
            "scr=$SCR $command" "node=node $command" $peers >"$work/table" || exit 1
        # Many times slower, hence fewer runs of fewer rounds; its ratio is that of the two medians.
        $COMPARE -n 3 --slope 20000 100000 --per 1.2 --inverse --same-output --tsv "$work/jitless" \
            "scr=$SCR $command" "node --jitless=node --jitless $command" >"$work/table" || exit 1
        awk -F"\t" -v OFS="\t" 'NR > 1 { $5 = ""; print }' "$work/jitless" >>"$work/$variant"
    else
        # shellcheck disable=SC2086
        $COMPARE -n "$ROUNDS" --slope $few $many --per 1.2 --inverse --same-output --tsv "$work/$variant" \
            "scr=$SCR $command" $peers >"$work/table" || exit 1
    fi
done

awk -F'\t' '
    FNR == 1 { variant = FILENAME; sub(/.*\//, "", variant) }
    FNR == 1 && NR == 1 { printf "%-10s %-16s %12s   %s\n", "variant", "program", "ns a round", "scr / this [95 % interval]" }
    FNR == 1 { printf "%-10s %-16s %12.1f\n", variant, $1, $2; ours[variant] = $2; next }
    { printf "%-10s %-16s %12.1f   %.3f", "", $1, $2, $5 == "" ? ours[variant] / $2 : $5
      if ($5 != "" && $6 !~ /nan/) printf " [%.3f, %.3f]", $6, $7
      printf "\n" }
    END { printf "\nlive5000 / live50 of scr: %.2f; checksums agree\n", ours["live5000"] / ours["live50"] }
' "$work/churn" "$work/live50" "$work/live5000"

if ! have node; then
    echo
    echo "There is no node here to compare with. README.md's figures were made by this same command on a machine with"
    echo "node v20.20.2; README.md and perf/README.md name the machine. With a node of your own: PATH=/its/bin:\$PATH make churn"
fi
