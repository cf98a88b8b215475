#!/bin/sh
# Installs what the tests need besides the Rust toolchain: other engines and programs (Debian), pyffish and Ray (PyPI).
# usage: scripts/peers.sh [--check [NAME…]]
#
#   --check   only look: whether everything is there, or what is named
#
#   fairy-stockfish, hoichess, sjaakii   xiangqi engines, opponents in games
#   xboard, uci2wb, xvfb                 a game under XBoard, on a screen without a monitor
#   chromium                             the pages; any browser of that family will do
#   parallel, ray                        the recipes of docs/analysis.md
#   pyffish                              the second judge of moves, games and repetitions
#
# Says nothing when all is there. Otherwise it tells what is missing, which tests are skipped without it, and ends with
# exit code 1. Installing needs root, directly or by sudo.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"

all='fairy-stockfish hoichess sjaakii xboard uci2wb xvfb chromium parallel pyffish ray'
check=
case "${1:-}" in
'') ;;
--check)
    check=yes
    shift
    ;;
*) complain "unexpected argument $1; see --help" ;;
esac
names=${*:-$all}

has() {
    case $1 in
    chromium)
        for name in chromium chromium-browser google-chrome google-chrome-stable; do
            ! command -v "$name" >/dev/null || return 0
        done
        return 1
        ;;
    pyffish | ray) python3 -c "import $1" 2>/dev/null ;;
    *) is_installed "$1" ;;
    esac
}

# What is not tested without it.
tests_with() {
    case $1 in
    fairy-stockfish) echo 'games and analysis with it (peers::, fairy_stockfish_)' ;;
    hoichess) echo 'games and analysis with hoixiangqi (peers::, hoixiangqi_)' ;;
    sjaakii) echo 'games with it (sjaak_)' ;;
    xboard | uci2wb | xvfb) echo 'the game under XBoard (peers::a_game_under_xboard)' ;;
    chromium) echo 'all tests of pages in a browser (chuhe-report, --test browser)' ;;
    parallel | ray) echo 'analysis by it (peers::distribution)' ;;
    pyffish) echo 'moves, games and repetitions by a second judge (peers::)' ;;
    *) complain "unknown name $1; see --help" ;;
    esac
}

# Debian's Python is added to only when told so; older pip does not know the flag.
pip_install() {
    python3 -m pip install --quiet --break-system-packages "$1" >/dev/null 2>&1 ||
        python3 -m pip install --quiet "$1" >/dev/null 2>&1 ||
        echo "$me: pip cannot install $1; type: python3 -m pip install $1" >&2
}

if [ -z "$check" ]; then
    packages=
    for name in $names; do
        case $name in
        pyffish | ray) has "$name" || pip_install "$name" ;;
        *) has "$name" || packages="$packages $name" ;;
        esac
    done
    # shellcheck disable=SC2086
    [ -z "$packages" ] || install_packages $packages || true
fi

missing=
for name in $names; do
    tests=$(tests_with "$name")
    has "$name" && continue
    missing="$missing $name"
    echo "$me: $name is missing; skipped without it: $tests" >&2
done
[ -z "$missing" ]
