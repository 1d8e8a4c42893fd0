#!/bin/sh
# Packages of npm, unchanged, under scr and under node: the same script must print the same.
# usage: run.sh SCR [NAME...]. The packages of versions.txt are installed by npm outside of the project, in $PACKAGES.
# known.txt names those that fail and why; one that is listed and works, or fails and is not listed, fails the run.
set -u
here=$(cd "$(dirname "$0")" && pwd)
scr=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
folder=${PACKAGES:-${TMPDIR:-/tmp}/scr-packages}
names=${*:-$(cut -d' ' -f1 "$here/versions.txt")}

mkdir -p "$folder" || exit 1
if ! cmp -s "$here/versions.txt" "$folder/versions.txt"; then
    echo "installing $(wc -l < "$here/versions.txt") packages into $folder"
    (cd "$folder" && npm install --silent --no-audit --no-fund --ignore-scripts $(tr ' ' '@' < "$here/versions.txt")) || exit 1
    cp "$here/versions.txt" "$folder/versions.txt"
fi

passed=0 failed=0
for name in $names; do
    kind=cjs
    grep -q '^import ' "$here/support/$name.scr" && kind=mjs
    cp "$here/support/$name.scr" "$folder/$name.scr"
    cp "$here/support/$name.scr" "$folder/$name.$kind"
    cd "$folder" || exit 1
    timeout 60 node "$name.$kind" > "$name.wanted" 2>&1
    timeout 60 "$scr" "$name.scr" > "$name.got" 2>&1
    status=$?
    known=$(sed -n "s/^$name: //p" "$here/known.txt")
    if [ $status = 0 ] && cmp -s "$name.wanted" "$name.got"; then
        if [ -n "$known" ]; then
            echo "FAIL $name works, though known.txt says: $known"
            failed=$((failed + 1))
        else
            echo "ok   $name"
            passed=$((passed + 1))
        fi
    elif [ -n "$known" ]; then
        echo "known $name: $known ($(grep -m1 '^[A-Za-z]*Error' "$name.got"))"
        passed=$((passed + 1))
    else
        echo "FAIL $name"
        diff "$name.wanted" "$name.got" | head -20
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
