#!/bin/sh
# The six programs of perf/micro/, ours beside node --jitless, luajit -joff, lua5.4 and the programs given as NAME=PATH
# (one whose file name starts with "lua" gets the Lua form). Ratios are theirs / ours: more than one means that ours
# takes less time. Then the wider set, start and timers. Called by make bench; PROGRAMS="fib sieve" selects of the six.
cd "$(dirname "$0")/.." || exit 1
. perf/common.sh
programs=${PROGRAMS:-fib sieve mandelbrot property closure string}

# command PATH PROGRAM: how PATH is told to run the repetitions.
command_of() {
    case $(basename "$1") in
    luau*) echo "$1 -O2 perf/micro/$2.lua -a {N}" ;;
    lua*) echo "$1 perf/micro/$2.lua {N}" ;;
    *) echo "$1 perf/micro/$2.scr {N}" ;;
    esac
}

echo "Six programs: processor time of a repetition as the slope between 1 and 4; median of $ROUNDS interleaved runs."
echo "Machine: $(machine)"
echo "scr:     $(version "$SCR")"
have node && echo "node:    $(version node)"
have luajit && echo "luajit:  $(version luajit)"
have lua5.4 && echo "lua5.4:  $(version lua5.4)"
for peer in "$@"; do
    echo "${peer%%=*}: $(version "${peer#*=}")"
done
echo

for program in $programs; do
    set -- "$@" # keeps the peers
    peers=$#
    set -- "$@" "scr=$SCR perf/micro/$program.scr {N}"
    have node && set -- "$@" "node --jitless=node --jitless perf/micro/$program.scr {N}"
    have luajit && set -- "$@" "luajit -joff=luajit -joff perf/micro/$program.lua {N}"
    have lua5.4 && set -- "$@" "lua5.4=lua5.4 perf/micro/$program.lua {N}"
    # The peers move behind ours, each with its command in place of its path.
    i=0
    while [ $i -lt $peers ]; do
        peer=$1
        shift
        set -- "$@" "${peer%%=*}=$(command_of "${peer#*=}" "$program")"
        i=$((i + 1))
    done
    $COMPARE -n "$ROUNDS" --slope 1 4 --tsv "$work/$program" "$@" >"$work/table" || exit 1
    # Back to NAME=PATH for the next program.
    total=$#
    i=0
    while [ $i -lt "$total" ]; do
        item=$1
        shift
        if [ $i -ge $((total - peers)) ]; then
            words=${item#*=}
            set -- "$@" "${item%%=*}=${words%% *}"
        fi
        i=$((i + 1))
    done
done

# shellcheck disable=SC2086
(cd "$work" && awk -F'\t' -f "$table" $programs)
echo
sh perf/wide.sh "$@"
echo
sh perf/startup.sh
echo
sh perf/timers.sh
