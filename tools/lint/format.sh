#!/bin/sh
# Everything is as clang-format with .clang-format would write it ("make format" does).
command -v "${CLANG_FORMAT:-clang-format}" >/dev/null 2>&1 || { echo "clang-format is not installed"; exit 1; }
sh tools/format.sh --list | xargs "${CLANG_FORMAT:-clang-format}" --dry-run -Werror 2>&1 |
    awk -F: '/error: code should be clang-formatted/ { if (!seen[$1]++) print $1 ":" $2 ": not formatted"; bad = 1 } END { exit bad }'
