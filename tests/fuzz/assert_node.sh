#!/bin/sh
# Pairs of values (assert_pairs.scr) under scr and under node: prints each pair of which they say something else.
#   assert_node.sh PROGRAM [FIRST LAST]
set -e
program=$1 first=${2:-1} last=${3:-3000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pairs=$(dirname "$0")/support/assert_pairs.scr
cp "$pairs" "$work/pairs.scr"
{ printf '"use strict";'; cat "$pairs"; } > "$work/pairs.js"
node "$work/pairs.js" "$first" "$last" > "$work/theirs"
"$program" "$work/pairs.scr" "$first" "$last" > "$work/ours"
different=$(diff "$work/theirs" "$work/ours" | sed -n 's/^< \([0-9]*\) .*/\1/p')
for pair in $different; do
    node "$work/pairs.js" "$pair" > "$work/theirs"
    "$program" "$work/pairs.scr" "$pair" > "$work/ours"
    echo "--- pair $pair: node and scr"
    diff --text "$work/theirs" "$work/ours" | head -20
done
echo "pairs $first to $last: $(echo "$different" | grep -c .) differ"
test -z "$different"
