#!/bin/sh
# Writes docs/errors.md: what scr, Node and quickjs-ng say of the programs in tests/errors/people/, side by side.
#   tools/errors_page.sh SCR NODE QJS > docs/errors.md
# In place of NODE or QJS a "-" takes what the page says of them now. Node gets a copy with "use strict" in front of its
# first line, which is a comment; the programs are shown and run without the lines that tell the tests what to expect.
set -e
cd "$(dirname "$0")/.."
[ $# = 3 ] || { echo "usage: $0 SCR NODE QJS" >&2; exit 2; }
scr=$(realpath "$1")
node=$2
qjs=$3
here=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The program of a test, as the page shows it.
program() { awk 'NR == 1 || body || !/^\/\/ (expect|module|skip|exit)/ { if (NR > 1) body = 1; print }' "$1"; }

# Without the frames of the engine's own scripts, the folder, the version and lines that are empty at the end; of long
# stacks the beginning.
tidy() {
    sed -e "s|file://$folder/||g; s|$folder/||g" -e '/^    at .*node:internal/d' -e '/^Node\.js v/d' -e 's/[[:space:]]*$//' \
        | awk '{ line[NR] = $0; if ($0 != "") last = NR }
               END { for (i = 1; i <= last && i <= 14; i++) print line[i]; if (last > 14) print "    ..." }'
}

# What the page says now: block number $2 of the section of program $1.
recorded() {
    awk -v name="<!-- file: $1 -->" -v wanted="$2" '
        $0 == name { inside = 1; block = 0; next }
        inside && /^### / { exit }
        inside && /^```/ { open = !open; if (open) block++; next }
        inside && open && block == wanted { print }' "$here/docs/errors.md"
}

# LINE:COLUMN of a report: from the head and the caret below it, else from the innermost frame in the file.
place() {
    awk -v file="$1" '
        function number(text) { return text + 0 }
        NR == 1 && match($0, /:[0-9]+$/) { line = substr($0, RSTART + 1) }
        NR == 3 && line && match($0, /^[ \t]*\^/) { found = line ":" RLENGTH }
        !frame && index($0, "    at ") == 1 && (at = index($0, file ":")) {
            rest = substr($0, at + length(file) + 1); sub(/[^0-9:].*$/, "", rest); frame = rest
        }
        !frame && match($0, /<(evalScript|input|anonymous)>:[0-9:]+/) { other = substr($0, RSTART, RLENGTH) }
        END { print found ? found : frame ? frame : line ? line : other ? other : "none" }'
}

# The first line that names an error.
message() { awk '/^(Uncaught )?[A-Za-z]*Error/ { sub(/^Uncaught /, ""); print; found = 1; exit } END { if (!found) print "" }'; }

cell() { sed 's/|/\\|/g; s/</\&lt;/g'; }

table=$folder/table
sections=$folder/sections
: > "$table"
: > "$sections"
for test in tests/errors/people/*.scr; do
    base=$(basename "$test" .scr)
    file=${base#*-}.scr
    kind=js
    grep -q '^// module' "$test" && kind=mjs
    program "$test" > "$folder/$file"
    copy=${base#*-}.$kind
    if [ $kind = js ]; then sed '1s|^|"use strict"; |' "$folder/$file" > "$folder/$copy"; else cp "$folder/$file" "$folder/$copy"; fi
    (cd "$folder" && "$scr" "$file" > ours 2>&1) || true
    if [ "$node" = - ]; then recorded "$file" 3 > "$folder/theirs"; else
        (cd "$folder" && "$node" "$folder/$copy" 2>&1 | tidy > theirs) || true
    fi
    if [ "$qjs" = - ]; then recorded "$file" 4 > "$folder/others"; else
        (cd "$folder" && "$qjs" "$copy" 2>&1 | tidy > others) || true
    fi
    title=$(head -1 "$folder/$file" | sed 's|^// ||; s|\.$||')
    printf '| %s | %s | %s %s | %s %s |\n' "$title" "$(place "$file" < "$folder/ours")" \
        "$(place "$copy" < "$folder/theirs")" "$(message < "$folder/theirs" | cell)" \
        "$(place "$copy" < "$folder/others")" "$(message < "$folder/others" | cell)" >> "$table"
    {
        printf '\n### %s\n\n<!-- file: %s -->\n\n```js\n' "$title" "$file"
        cat "$folder/$file"
        printf '```\n\n```\n'
        cat "$folder/ours"
        printf '```\n\nNode:\n\n```text\n'
        cat "$folder/theirs"
        printf '```\n\nquickjs-ng:\n\n```text\n'
        cat "$folder/others"
        printf '```\n'
    } >> "$sections"
done

if [ "$node" = - ] || [ "$qjs" = - ]; then
    versions=$(grep -m 1 '^The others are' docs/errors.md)
else
    versions="The others are Node $("$node" --version | sed 's/^v//') and quickjs-ng $("$qjs" --help | sed -n '1s/.*version //p')."
fi
cat <<END
# Errors

What scr says of sixty faulty programs, beside Node and quickjs-ng. A report names the file and the line, shows the line with a
caret and, below it, what helps to mend the mistake: where a bracket was opened, where a name was first declared, what was
probably meant. The message itself is V8's, so that it can be looked up. [errors-and-cli.md](errors-and-cli.md) tells what a report
consists of.

$versions
They got the programs with \`"use strict"\` in front of the first line, since scr is always strict.
The page is written by \`make errors-page\`; the programs are tests, too (\`tests/errors/people/\`).

## Places

LINE:COLUMN of the caret, or of the innermost frame; what the others say.

| program | scr | Node | quickjs-ng |
| --- | --- | --- | --- |
END
cat "$table"
printf '\n## Reports\n'
cat "$sections"
