#!/bin/sh
# Runs one fuzzer: tests/fuzz/run.sh NAME SECONDS [libFuzzer's options]. What it learns is kept under build/fuzz/corpus/NAME;
# an input that fails is written to build/fuzz/found/. The seeds of those that read scripts are our own tests,
# but those that are long on purpose.
cd "$(dirname "$0")/../.." || exit 1
name=$1 seconds=$2
shift 2
program=build/fuzz/$name
[ -x "$program" ] || { echo "fuzz: there is no fuzzer '$name': parse, run, json, number or property" >&2; exit 2; }
mkdir -p "build/fuzz/corpus/$name" build/fuzz/found
set -- "$@" -max_total_time="$seconds" -artifact_prefix="build/fuzz/found/$name-" -print_final_stats=1 -timeout=60 \
    -rss_limit_mb=3000
case $name in
parse | run)
    seeds=build/fuzz/seeds
    if [ ! -d $seeds ]; then
        mkdir -p $seeds
        find tests examples -name '*.scr' -size -20k ! -path 'tests/limits/*' ! -path 'tests/gc/*' | while read -r script; do
            cp "$script" "$seeds/$(echo "$script" | tr / -)"
        done
    fi
    # The standard output belongs to the scripts: thrown away.
    exec "$program" "$@" -dict=build/fuzz/scr.dict -max_len=8000 -close_fd_mask=1 "build/fuzz/corpus/$name" $seeds
    ;;
json) exec "$program" "$@" -max_len=1000 "build/fuzz/corpus/$name" ;;
*) exec "$program" "$@" -max_len=300 -len_control=0 "build/fuzz/corpus/$name" ;;
esac
