#!/bin/sh
# Is everything here that a target needs? Nothing missing: silent, and no network. Something missing: root installs it
# from Debian; anybody else is shown the exact line to run, and the build stops.
#
#   tools/deps.sh build|test|format|callgrind|fuzz
#
# CXX names the compiler (default g++). Needs only a POSIX shell, because it runs before anything is installed.
set -u
what=${1:-build}
cxx=${CXX:-g++}
missing=

need() {
    case " $missing " in
    *" $1 "*) ;;
    *) missing="$missing $1" ;;
    esac
}

have() { command -v "$1" >/dev/null 2>&1; }

# One run of the preprocessor looks for every header; without a compiler the usual folder has to do.
check_headers() {
    if have "$cxx"; then
        absent=$(
            "$cxx" -std=c++20 -E -P -x c++ - 2>/dev/null <<'HEADERS'
#if !__has_include(<cstdlib>)
g++
#endif
#if !__has_include(<mimalloc.h>)
libmimalloc-dev
#endif
#if !__has_include(<doctest/doctest.h>)
doctest-dev
#endif
#if !__has_include(<double-conversion/double-conversion.h>)
libdouble-conversion-dev
#endif
checked
HEADERS
        )
        case $absent in
        *checked*) ;;
        *) absent=g++ ;;
        esac
        for package in $absent; do
            [ "$package" = checked ] || need "$package"
        done
        # A header does not prove its archive: somebody may have removed one of them.
        archive=$("$cxx" -print-file-name=libdouble-conversion.a 2>/dev/null)
        [ -f "$archive" ] || need libdouble-conversion-dev
    else
        need g++
        [ -f /usr/include/mimalloc.h ] || need libmimalloc-dev
        [ -f /usr/include/doctest/doctest.h ] || need doctest-dev
        [ -f /usr/include/double-conversion/double-conversion.h ] || need libdouble-conversion-dev
    fi
}

case $what in
build)
    if [ "$cxx" != g++ ] && ! have "$cxx"; then
        echo "deps: the compiler named by CXX, '$cxx', is not installed" >&2
        exit 1
    fi
    have make || need make
    have re2c || need re2c
    have bison || need bison
    have strip || need binutils
    check_headers
    ;;
test) have tmux || need tmux ;;
format) have "${CLANG_FORMAT:-clang-format}" || need clang-format ;;
callgrind) have valgrind || need valgrind ;;
fuzz)
    have make || need make
    have re2c || need re2c
    have bison || need bison
    have clang++ || need clang
    check_headers
    ;;
*)
    echo "usage: deps.sh build|test|format|callgrind|fuzz" >&2
    exit 2
    ;;
esac

[ -n "$missing" ] || exit 0
missing=${missing# }

if [ "$(id -u)" != 0 ]; then
    echo "Some packages are missing. Install them, then run make again:" >&2
    echo "sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing" >&2
    exit 1
fi
if ! have apt-get; then
    echo "Some packages are missing, and there is no apt-get here to install them: $missing" >&2
    exit 1
fi

# The lock of the package lists has no time-out of its own, so a busy one is tried again for five minutes.
update() {
    tries=0
    while ! message=$(apt-get update -q 2>&1); do
        tries=$((tries + 1))
        case $message in
        *"Could not get lock"* | *"Unable to lock"*) [ $tries -lt 60 ] && sleep 5 && continue ;;
        esac
        printf '%s\n' "$message" >&2
        return 1
    done
}

export DEBIAN_FRONTEND=noninteractive
echo "Installing what is missing: $missing" >&2
update || exit 1
# shellcheck disable=SC2086
apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 $missing >&2
