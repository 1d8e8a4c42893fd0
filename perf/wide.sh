#!/bin/sh
# The programs of perf/wide/, ours beside node --jitless and the programs given as NAME=PATH (Lua's are left out): one
# part of the language or of the library each. Called by make bench; WIDE="sort json" selects.
cd "$(dirname "$0")/.." || exit 1
. perf/common.sh
programs=${WIDE:-$(cd perf/wide && ls | sed 's/\.scr$//')}

# measure PROGRAM PEERS...
measure() {
    name=$1
    file=perf/wide/$1.scr
    shift
    for peer in "$@"; do
        shift
        case $(basename "${peer#*=}") in
        lua*) ;;
        *) set -- "$@" "${peer%%=*}=${peer#*=} $file {N}" ;;
        esac
    done
    have node && set -- "node --jitless=node --jitless $file {N}" "$@"
    $COMPARE -n "$ROUNDS" --slope 1 4 --tsv "$work/$name" "scr=$SCR $file {N}" "$@" >"$work/table"
}

echo "The wider set: processor time of a repetition as the slope between 1 and 4; median of $ROUNDS interleaved runs."
for program in $programs; do
    measure "$program" "$@" || exit 1
done

# shellcheck disable=SC2086
(cd "$work" && awk -F'\t' -f "$table" $programs)
