#!/bin/sh
# usage: compare.sh KIND COUNT FIRST [LAST]    what main.scr prints with each seed under scr and under node; lists what differs,
# the shortest cases first (SHOW=n of them). NODE and SCR name the programs.
here=$(dirname "$0"); kind=$1 count=$2 first=$3 last=${4:-$3}
scr=${SCR:-$here/../../../build/scr} node=${NODE:-node}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
status=0 seed=$first
while [ "$seed" -le "$last" ]; do
    "$node" --no-warnings "$here/support/main.scr" "$kind" "$seed" "$count" >"$work/node" 2>"$work/node.err" </dev/null &
    "$scr" --no-warnings "$here/support/main.scr" "$kind" "$seed" "$count" >"$work/scr" 2>"$work/scr.err" </dev/null || {
        echo "scr ended with status $?"; tail -n 5 "$work/scr.err"; status=1; }
    wait $! || { echo "node failed"; tail -n 5 "$work/node.err"; status=1; }
    awk -F'\t' -v show="${SHOW:-5}" -v title="$kind, seed $seed" '
        NR == FNR { expected[FNR] = $0; next }
        { lines = FNR }
        $0 != expected[FNR] { different[++n] = FNR; got[FNR] = $0 }
        function sizeOf(i) { return length(got[different[i]]) }
        END {
            for (i = 1; i <= n && i <= show; i++) {
                least = i
                for (k = i + 1; k <= n; k++) if (sizeOf(k) < sizeOf(least)) least = k
                line = different[least]; different[least] = different[i]; different[i] = line
                split(expected[line], e, FS); split(got[line], g, FS)
                # Of long texts only what surrounds the first difference.
                at = 1
                while (at < length(e[2]) && substr(e[2], at, 1) == substr(g[2], at, 1)) at++
                from = at > 60 ? at - 60 : 1
                printf "%s\n   node %s\n   scr  %s\n", e[1], substr(e[2], from, 200), substr(g[2], from, 200)
                if (e[1] != g[1]) printf "   the cases themselves differ: %s\n", g[1]
            }
            printf "%s: %d cases, %d differ\n", title, lines, n
            if (n || lines != length(expected) || !lines) exit 1
        }' "$work/node" "$work/scr" || status=1
    seed=$((seed + 1))
done
exit $status
