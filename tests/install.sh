#!/bin/sh
# What `make install` puts in place: the files, the manual, and what bash, zsh and fish complete (the latter two where they are installed).
#
#   tests/install.sh                  from the root of the project, after a build
passed=0 failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# check WHAT EXPECTED ACTUAL
check() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s:\n  expected: %s\n  actual:   %s\n' "$1" "$2" "$3"
    fi
}

make -s install DESTDIR="$folder" PREFIX=/usr >/dev/null || exit 1
root=$folder/usr
check "installed files" "bin/scr share/bash-completion/completions/scr share/fish/vendor_completions.d/scr.fish share/man/man1/scr.1 share/zsh/site-functions/_scr" \
    "$(cd "$root" && find . -type f | sed 's,^\./,,' | sort | tr '\n' ' ' | sed 's/ $//')"
check "the installed program" 2 "$("$root/bin/scr" -p 1+1)"

# Every option of the help is in the manual and in each shell's file.
for option in $("$root/bin/scr" --help | sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z0-9-]*\).*/\2/p' | grep -v '^--$'); do
    escaped=$(printf %s "$option" | sed 's/-/\\\\-/g')
    for file in bash-completion/completions/scr zsh/site-functions/_scr; do
        check "$option in $file" yes "$(grep -qe "$option" "$root/share/$file" && echo yes)"
    done
    check "$option in scr.fish" yes "$(grep -qe "-l ${option#--} " "$root/share/fish/vendor_completions.d/scr.fish" && echo yes)"
    check "$option in scr.1" yes "$(grep -q "$escaped" "$root/share/man/man1/scr.1" && echo yes)"
done
command -v groff >/dev/null &&
    check "warnings of groff" "" "$(groff -man -Tascii -wall "$root/share/man/man1/scr.1" 2>&1 >/dev/null)"

# complete WORD...: what bash offers behind `scr WORD...`, as one line.
complete() {
    bash -c '
        . "$1"
        shift
        COMP_WORDS=(scr "$@")
        COMP_CWORD=$#
        compopt() { :; }
        _scr
        printf "%s\n" "${COMPREPLY[@]}"' bash "$root/share/bash-completion/completions/scr" "$@" | sort | tr '\n' ' '
}
cd "$folder" || exit 1
: >bench.scr
: >other.scr
check "an option of scr" "--memory-limit= " "$(complete --mem)"
check "the words that an option takes" "throw " "$(complete --unhandled-rejections = th)"
check "an option for tests, behind test" "--test-only " "$(complete test --test-o)"
check "a command or a file" "bench bench.scr " "$(complete be)"
check "a file behind an option" "other.scr " "$(complete --no-warnings o)"
check "options end with the script" " " "$(complete other.scr --me)"
check "nothing is known of a size" " " "$(complete --memory-limit = o)"
check "readline quotes files alone" "complete -F _scr scr" "$(tail -n 1 "$root/share/bash-completion/completions/scr")"

if command -v zsh >/dev/null; then
    check "zsh reads its file" "" "$(zsh -n "$root/share/zsh/site-functions/_scr" 2>&1)"
fi
if command -v fish >/dev/null; then
    fishes() { HOME=$folder fish -c "source $root/share/fish/vendor_completions.d/scr.fish; complete -C 'scr $1'" | cut -f1 | sort | tr '\n' ' '; }
    check "fish: an option" "--memory-limit " "$(fishes --mem)"
    check "fish: an option for tests, behind test" "--test-only " "$(fishes "test --test-o")"
    check "fish: the words that an option takes" "--unhandled-rejections=throw " "$(fishes --unhandled-rejections=th)"
fi

cd / || exit 1
echo "install: $passed passed, $failed failed"
[ $failed = 0 ]
