# Read by the drivers of this folder: which programs are here, and their versions. Runs from the root of the project.
# SCR names ours, ROUNDS the measured rounds.

SCR=${SCR:-build/scr}
ROUNDS=${ROUNDS:-9}
COMPARE=build/compare
table=$PWD/perf/table.awk
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

have() { command -v "$1" >/dev/null 2>&1; }

# version PROGRAM: one line, or nothing. Lua prints it to standard error, and for -v alone.
version() {
    case $(basename "$1") in
    luau*) basename "$1" ;;
    lua*) "$1" -v 2>&1 </dev/null | head -n 1 | cut -d' ' -f1,2 ;;
    qjs*) "$1" --help 2>&1 </dev/null | awk '/version/ { print; exit }' ;;
    *) "$1" --version 2>/dev/null </dev/null | head -n 1 ;;
    esac
}

machine() {
    model=$(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo 2>/dev/null)
    echo "${model:-unknown processor}, $(nproc) processors, Linux $(uname -r)"
}
