#!/bin/sh
# Formats all C++ in place; --list only names the files. Tables (.def), grammar and lexer keep their columns.
cd "$(dirname "$0")/.." || exit 1
list() { find runtime grammar interp stdlib tests perf examples -type f \( -name '*.h' -o -name '*.cpp' \) | sort; }
if [ "${1:-}" = --list ]; then
    list
else
    list | xargs "${CLANG_FORMAT:-clang-format}" -i
fi
