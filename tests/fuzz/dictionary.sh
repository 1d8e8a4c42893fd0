#!/bin/sh
# The dictionary of the fuzzers that read scripts, expanded from the lists that the engine is made of: the tokens of the
# grammar, the names known to C++, and everything installed by builtins.def. On standard output, one quoted word a line.
cd "$(dirname "$0")/../.." || exit 1
{
    sed -n '/^%token/,/^%precedence/p' grammar/parser.y | grep -o '"[^" ]*"'
    grep -ho '"[^"\\]*"' grammar/lexer.re
    sed -n 's/^NAME(\([A-Za-z0-9_$]*\))$/"\1"/p; s/^NAMED([^"]*\("[^"]*"\).*/\1/p' runtime/core/names.def
    grep -v '^ *//' runtime/builtins/builtins.def | grep -o '"[A-Za-z0-9_.$@]*"'
} | sort -u | awk 'length($0) > 2 && length($0) < 40 { gsub(/\\[^"\\x]/, ""); print }'
