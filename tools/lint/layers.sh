#!/bin/sh
# Who may include whom. Arrows point down only; includes are written from the root of the project.
find runtime grammar interp stdlib tests perf examples -type f \
    \( -name '*.h' -o -name '*.cpp' -o -name '*.def' -o -name '*.inc' -o -name '*.re' -o -name '*.y' \) | sort |
    xargs awk '
    BEGIN {
        may["runtime/base"] = ""
        may["runtime/heap"] = "runtime/base"
        may["grammar"] = "runtime/base"
        may["runtime/core"] = "runtime/base runtime/heap"
        may["runtime/loop"] = "runtime/base runtime/heap runtime/core"
        may["interp/bytecode"] = may["runtime/loop"]
        may["interp/compiler"] = may["interp/bytecode"] " grammar interp/bytecode"
        may["interp/vm"] = may["interp/bytecode"] " interp/bytecode"
        may["runtime/builtins"] = may["runtime/loop"] " runtime/loop"
        may["stdlib"] = ""
        may["interp/terminal"] = "runtime/base grammar"
        may["interp/host"] = "*"
        may["interp/repl"] = "*"
        # A unit test may see its subject, whatever that is.
        may["tests/unit"] = "*"
        # So may a fuzzer.
        may["tests/fuzz"] = "*"
        may["tests/api"] = "tests"
        may["tests/conformance"] = ""
        may["tests"] = ""
        may["perf"] = "runtime/base"
        may["examples"] = ""
    }
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    function allowed(from, file, to,    list, n, i) {
        if (from == to || may[from] == "*") return 1
        # The public header of the engine, and that of native functions, are made for those outside.
        if (file == "interp/host/engine.h") return from ~ /^(tests|perf|examples)/
        if (file == "runtime/builtins/native.h" && from == "stdlib") return 1
        n = split(may[from], list, " ")
        for (i = 1; i <= n; i++) if (list[i] == to) return 1
        return 0
    }
    FNR == 1 { from = folder(FILENAME); if (!(from in may)) { print FILENAME ": this folder is in no layer"; bad = 1 } }
    # The pasted part of a string in a grammar is no include.
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        file = $0
        sub(/^[^"]*"/, "", file); sub(/".*/, "", file)
        if (file == "gen/stdlib_sources.inc" && from == "stdlib") next
        if (file ~ /^(gen\/)?(parser|lexer)\.(h|cpp)$/ || file ~ /^gen\//) {
            if (from != "grammar" && may[from] != "*") { print FILENAME ":" FNR ": " from " may not include the generated parser"; bad = 1 }
            next
        }
        if (file !~ /\// || (getline line < file) < 0) {
            print FILENAME ":" FNR ": no file of that name from the root: " file; bad = 1
        } else if (!allowed(from, file, folder(file))) {
            print FILENAME ":" FNR ": " from " may not include " folder(file) " (" file ")"; bad = 1
        }
        close(file)
    }
    END { exit bad }'
