#!/bin/sh
# The words that the lexer knows and the word tokens of the grammar are the same, name for name.
[ -f grammar/lexer.re ] && [ -f grammar/parser.y ] || exit 0
awk '
    # lexer.re:   "break"  { kind = T_BREAK; goto keyword; }
    FILENAME ~ /lexer\.re$/ && /^ *"[a-z]+"( *\| *"[a-z]+")* *\{ *kind = T_[A-Z_]+; goto (keyword|name);/ {
        token = $0; sub(/.*kind = T_/, "", token); sub(/;.*/, "", token); sub(/_$/, "", token)
        rule = $0; sub(/\{.*/, "", rule)
        count = split(rule, quoted, "\"")
        if (count > 3) next # several words of one token: none of them has a name in the grammar
        lexed[quoted[2]] = token
    }
    # parser.y:   BREAK "break"
    BEGIN { kinds["identifier"]; kinds["string"]; kinds["number"]; kinds["template"]; kinds["bigint"] }
    FILENAME ~ /parser\.y$/ {
        rest = $0
        while (match(rest, /[A-Z_]+ +"[a-z]+"/)) {
            pair = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
            token = pair; sub(/ .*/, "", token); sub(/_$/, "", token)
            word = pair; sub(/^[^"]*"/, "", word); sub(/".*/, "", word)
            if (toupper(word) == token && !(word in kinds)) parsed[word] = token
        }
    }
    END {
        for (word in lexed) {
            if (!(word in parsed)) { print "grammar/parser.y: no token for \"" word "\" (" lexed[word] ") of lexer.re"; bad = 1 }
            else if (parsed[word] != lexed[word]) { print "\"" word "\" is " lexed[word] " in lexer.re, " parsed[word] " in parser.y"; bad = 1 }
            n++
        }
        for (word in parsed) if (!(word in lexed)) { print "grammar/lexer.re: no rule for \"" word "\" (" parsed[word] ") of parser.y"; bad = 1 }
        if (n < 30) { print "grammar/lexer.re: only " n " words found: has the form of its rules changed?"; bad = 1 }
        exit bad
    }' grammar/lexer.re grammar/parser.y
