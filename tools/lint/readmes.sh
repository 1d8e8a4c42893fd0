#!/bin/sh
# The README of a folder names each of its files ("name.h, name.cpp", "name.{h,cpp}" or the stem in backticks will do).
# "sh tools/lint/readmes.sh --write" adds a row for each file that is not named, with the first sentence of its comment.
write=${1:-}
status=0

# The first sentence of a file's first comment, without its full stop.
sentence() {
    awk '!/^(\/\/|#|--) / { exit } { sub(/^(\/\/|#|--) /, ""); text = text (text == "" ? "" : " ") $0 }
        END { sub(/\. .*/, "", text); sub(/\.$/, "", text); gsub(/\|/, "\\|", text); print text }' "$1"
}

for folder in runtime/base runtime/heap runtime/core runtime/loop runtime/builtins grammar interp/bytecode \
    interp/compiler interp/vm interp/host stdlib examples perf tests tools tools/lint; do
    [ -d $folder ] || continue
    readme=$folder/README.md
    if [ ! -f $readme ]; then
        echo "$folder: no README.md"
        status=1
        continue
    fi
    # A header and its source share a row.
    for file in "$folder"/*; do
        name=${file##*/}
        case $name in
        README.md | *.expected | *.lua) continue ;;
        esac
        [ -f "$file" ] || continue
        stem=${name%.*}
        grep -qE "(^|[^A-Za-z0-9_])$stem(\.|\`)" $readme && continue
        if [ "$write" = --write ]; then
            grep -q '^| ---' $readme || printf '\n| file | holds |\n| --- | --- |\n' >>$readme
            describing=$file
            [ -f "$folder/$stem.h" ] && describing=$folder/$stem.h
            names="\`$name\`"
            [ -f "$folder/$stem.h" ] && [ -f "$folder/$stem.cpp" ] && names="\`$stem.h\`, \`$stem.cpp\`"
            echo "| $names | $(sentence "$describing") |" >>$readme
        else
            echo "$readme does not name $name"
            status=1
        fi
    done
done
exit $status
