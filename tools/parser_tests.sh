#!/bin/sh
# parser_tests.sh SCR: judges every program of the npm package test262-parser-tests with `SCR --check`, as strict code
# must have it: pass/ and pass-explicit/ are accepted, fail/ and early/ are not. The exceptions stand in
# tests/conformance/parser-tests.txt with their reasons; one that is none any more fails the run too.
set -eu
scr=$(readlink -f "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
place=$root/build/parser-tests
version=0.0.5
if [ ! -d "$place/package/pass" ]; then
    mkdir -p "$place"
    (cd "$place" && npm pack --silent "test262-parser-tests@$version" && tar xzf "test262-parser-tests-$version.tgz") >&2
fi
cd "$place/package"
# One line for each file whose verdict is not the folder's.
judge() {
    for file; do
        option=
        case $file in *.module.js) option=--module ;; esac
        status=0
        "$scr" --check $option "$file" > /dev/null 2>&1 || status=$?
        case $file:$status in
        pass*:0 | fail/*:1 | early/*:1) ;;
        *:0 | *:1) echo "$file" ;;
        *) echo "$file exit status $status" ;;
        esac
    done
}
if [ "${2-}" = judge ]; then
    shift 2
    judge "$@"
    exit
fi
find pass pass-explicit fail early -name '*.js' | sort > ../files
xargs -P "$(nproc)" -n 100 sh "$root/tools/parser_tests.sh" "$scr" judge < ../files | sort > ../odd
sed -e 's/ *#.*//' -e '/^\[/d' -e '/^$/d' "$root/tests/conformance/parser-tests.txt" | sort > ../listed
new=$(comm -23 ../odd ../listed)
gone=$(comm -13 ../odd ../listed)
count=$(wc -l < ../files)
[ -z "$new" ] || { echo "judged wrongly:"; echo "$new"; }
[ -z "$gone" ] || { echo "listed, but judged as the suite has it:"; echo "$gone"; }
echo "$count programs, $(wc -l < ../listed) listed as exceptions, $(echo "$new" | grep -c .) judged wrongly," \
    "$(echo "$gone" | grep -c .) listed in vain"
[ -z "$new$gone" ]
