#!/bin/sh
# Lets one allocation after the other fail in each of a corpus of scripts: every run has to end as it would have ended
# (the collector made room) or with "out of memory" and status 1, never otherwise.
#
#   tools/fail_alloc.sh build/debug/scr [RUNS]      RUNS: about so many for each script, 150 otherwise
#
# Allocations are numbered from the end of the engine's start on; small cells count one by one.
scr=$(readlink -f "$1") runs=${2:-150}
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One script with one allocation failing: silent if it ended well.
cat > "$work/one" <<'END'
#!/bin/sh
cd "$2" || exit 1
output=$(timeout 60 "$1" --fail-alloc="$4" "$3" 2>&1)
status=$?
[ $status = "$5" ] && [ "$output" = "$(cat "$6")" ] && exit 0
[ $status = 1 ] && case $output in *"out of memory"*) exit 0 ;; esac
echo "$2/$3: --fail-alloc=$4: status $status"
printf "%s\n" "$output" | diff - "$6" | head -5
END
chmod +x "$work/one"

total=0
for script in $(cat tests/limits/fail-alloc.txt); do
    folder=$root/$(dirname "$script") name=$(basename "$script")
    cd "$folder" || exit 1
    "$scr" "$name" > "$work/expected" 2>&1
    status=$?
    count=$("$scr" --fail-alloc=1000000000000 --fuel-report "$name" 2>&1 | sed -n 's/^allocations: //p')
    [ "$count" ] || { echo "$script: how many allocations are there? (is $1 a debug build?)"; exit 1; }
    # The first ones singly, then in growing steps.
    awk -v count="$count" -v runs="$runs" 'BEGIN {
        step = count / runs
        for (n = 1; n <= count; n += (n < 40 || step < 1 ? 1 : int(step) + (n % 7 == 0))) print n
    }' > "$work/numbers"
    total=$((total + $(wc -l < "$work/numbers")))
    xargs -P "$(nproc)" -I {} "$work/one" "$scr" "$folder" "$name" {} $status "$work/expected" \
        < "$work/numbers" >> "$work/failures"
    cd "$root" || exit 1
done
if [ -s "$work/failures" ]; then
    cat "$work/failures"
    echo "fail-alloc: $(grep -c -- --fail-alloc "$work/failures") of $total runs did not end cleanly"
    exit 1
fi
echo "fail-alloc: $total runs ended cleanly"
