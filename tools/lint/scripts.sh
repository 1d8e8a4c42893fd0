#!/bin/sh
# Shell scripts parse; each benchmark says what it measures, each script test begins with the line that tells its story.
status=0
for file in tools/*.sh tools/lint/*.sh perf/*.sh tests/*/*.sh; do
    sh -n "$file" || status=1
done
bash -n .ci/run || status=1
for file in $(find perf -name '*.scr'); do
    head -n 1 "$file" | grep -q '^// bench: ' || { echo "$file:1: begin with '// bench: what it measures'"; status=1; }
done
for file in $(find tests -name '*.scr' ! -path 'tests/golden/*' ! -path '*/support/*'); do
    head -n 2 "$file" | grep -q '// ' || { echo "$file:1: begin with a line that tells what is tested"; status=1; }
done
exit $status
