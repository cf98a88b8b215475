#!/bin/sh
# Tries an archive as scripts/build-release.sh and scripts/build-windows.sh make it: unpacks, reads and runs it.
# usage: scripts/test-archive.sh ARCHIVE
#
# It must hold one folder of its own name, with README, both licences and the program; no link of any page in it may lead
# nowhere. An archive of a program that runs here has completions for shells, and on Linux and macOS manual pages. The program must play by UCCI and search the nodes of the newest commit that states them. A program for Linux
# may need no newer C library than glibc 2.17 (of 2012). A program for another system is not run, which is said.
# Exit code 0 when all holds, 1 when not, 2 for bad arguments.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
[ $# = 1 ] || complain "expected ARCHIVE; see --help"
[ -f "$1" ] || complain "there is no file $1"

fail() {
    echo "$me: $*" >&2
    exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=$(basename "$1")
case $name in
*.tar.gz)
    name=${name%.tar.gz}
    tar -C "$work" -xzf "$1"
    ;;
*.zip)
    name=${name%.zip}
    python3 -m zipfile -e "$1" "$work"
    ;;
*) complain "expected a .tar.gz or .zip, found $1" ;;
esac
[ "$(ls "$work")" = "$name" ] || fail "expected one folder $name, found: $(ls "$work")"
folder=$work/$name
for file in README.md LICENSE-MIT LICENSE-APACHE CHANGELOG.md; do
    [ -s "$folder/$file" ] || fail "$file is missing"
done
python3 "$(dirname "$0")/links.py" "$folder" || fail "dead links"

system=$(uname -s)
try() {
    program=$folder/$1
    case $system-$1 in
    *.exe)
        case $system in
        MINGW* | MSYS* | CYGWIN*) ;;
        *)
            echo "$1: not run on $system"
            return
            ;;
        esac
        ;;
    esac
    [ -x "$program" ] || fail "$1 is not executable"
    if command -v objdump >/dev/null && objdump -f "$program" 2>/dev/null | grep -q 'file format elf'; then
        newest=$(objdump -T "$program" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -n 1)
        [ "$(printf '%s\n2.17\n' "$newest" | sort -V | tail -n 1)" = 2.17 ] || fail "$1 needs glibc $newest"
        echo "$1: needs glibc ${newest:-of no version}"
    fi
    # The end of the input would stop the search.
    answers=$( (printf 'ucci\nposition startpos\ngo depth 6\nisready\n' && sleep 5 && echo quit) | "$program" | tr -d '\r')
    echo "$answers" | grep -qx ucciok || fail "$1 does not say ucciok"
    echo "$answers" | grep -q '^bestmove [a-i][0-9][a-i][0-9]' || fail "$1 finds no move"
    [ "$(echo "$answers" | tail -n 1)" = bye ] || fail "$1 does not say bye"
    case $1 in
    *.exe) described="completions/chuhe.ps1" ;;
    *) described="completions/chuhe.bash completions/_chuhe completions/chuhe.fish man/man1/chuhe.1 man/man1/chuhe-analyze.1" ;;
    esac
    for file in $described; do
        grep -q chuhe "$folder/$file" || fail "$file is missing"
    done
    "$(dirname "$0")/check-bench.sh" "$program" || fail "$1 searches other nodes"
}
found=
for program in chuhe chuhe-v3 chuhe.exe; do
    [ ! -f "$folder/$program" ] || { found=yes && try "$program"; }
done
[ -n "$found" ] || fail "there is no program"
echo "$name: as it should be"
