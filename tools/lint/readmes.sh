#!/bin/sh
# The README of a folder names each of its files ("name.h, name.cpp", "name.{h,cpp}" or the stem in backticks will do).
status=0
for folder in runtime/base runtime/heap runtime/core runtime/loop runtime/builtins grammar interp/bytecode \
    interp/compiler interp/vm interp/host stdlib examples perf tests tools tools/lint; do
    [ -d $folder ] || continue
    if [ ! -f $folder/README.md ]; then
        echo "$folder: no README.md"
        status=1
        continue
    fi
    for file in "$folder"/*; do
        name=${file##*/}
        case $name in
        README.md | *.expected | *.lua) continue ;;
        esac
        [ -f "$file" ] || continue
        stem=${name%.*}
        grep -qE "(^|[^A-Za-z0-9_])$stem(\.|\`)" $folder/README.md || { echo "$folder/README.md does not name $name"; status=1; }
    done
done
exit $status
