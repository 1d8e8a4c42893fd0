#!/bin/sh
# usage: run.sh "FIRST LAST" COUNT    the kinds of cases of support/main.scr with these seeds, COUNT of inspect for each, fewer of
# the others. Fails if anything differs from node.
here=$(dirname "$0")
seeds=${1:-1 1} count=${2:-20000} status=0
[ "$seeds" = "1 500" ] && seeds="1 1" # the default of other targets
for kind in inspect format table console parseArgs decode strip; do
    n=$count
    [ "$kind" = inspect ] || n=$(((count + 9) / 10))
    # shellcheck disable=SC2086
    sh "$here/compare.sh" "$kind" "$n" $seeds || status=1
done
exit $status
