#!/bin/sh
# The house rules: runs every script of tools/lint/ and counts. A rule prints one line for each place that breaks it and
# fails; lines that begin with "note:" do not make it fail. "sh tools/lint.sh layers sizes" runs those two.
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
[ $# -gt 0 ] || set -- $(cd tools/lint && ls -- *.sh)

passed=0 failed=0
for rule in "$@"; do
    rule=${rule%.sh}
    if output=$(sh "tools/lint/$rule.sh" 2>&1); then
        passed=$((passed + 1))
        echo "ok    $rule"
    else
        failed=$((failed + 1))
        echo "FAIL  $rule"
    fi
    [ -z "$output" ] || printf '%s\n' "$output" | sed 's/^/      /'
done
echo "lint: $passed passed, $failed failed"
[ $failed = 0 ]
