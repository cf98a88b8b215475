#!/bin/sh
# Plays one whole game under XBoard: chuhe through the adapter uci2wb in UCCI mode against hoixiangqi.
# usage: scripts/xboard-game.sh [ENGINE]
#
#   ENGINE   the UCCI engine; $CHUHE, else target/release/chuhe
#
# In the environment:
#   BASE=0:05     XBoard's -tc, minutes:seconds for each side
#   INC=0.05      increment in seconds
#   LIMIT=90      seconds until the game counts as stuck
#   KEEP=FOLDER   keep the game and XBoard's log there
#
# This is the way from UCCI to XBoard's users, so it is tried with the real programs, on a virtual screen. Passes (exit
# code 0) when a complete game was saved with a real result, and neither program moved illegally, died, or lost on time;
# prints the result and the number of moves. Exit code 1 when not, 2 for bad arguments and missing programs.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
at_most 1 "$@"
root=$(cd "$(dirname "$0")/.." && pwd)
engine=${1:-${CHUHE:-$root/target/release/chuhe}}

# On PATH first, then where Debian keeps games.
find_program() {
    command -v "$1" 2>/dev/null && return
    if [ -x "/usr/games/$1" ]; then echo "/usr/games/$1"; return; fi
    complain "$1 is missing (scripts/peers.sh installs it)"
}
engine=$(find_program "$engine")
xboard=$(find_program xboard)
adapter=$(find_program uci2wb)
opponent=$(find_program hoixiangqi)
display=$(find_program xvfb-run)

work=$(mktemp -d)
if [ -n "${KEEP:-}" ]; then mkdir -p "$KEEP" && keep=$(cd "$KEEP" && pwd); else keep=; fi
finish() {
    if [ -n "$keep" ]; then cp "$work/game.pgn" "$work/debug.log" "$work/output" "$keep" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap finish EXIT

# The adapter must be told the variant: it announces only chess for an engine without UCI_Variant.
# A home of its own: XBoard writes its settings there, and the user's own must not change the test.
status=0
HOME=$work timeout -k 5 "${LIMIT:-90}" "$display" -a "$xboard" \
    -variant xiangqi -mode TwoMachines -matchGames 1 \
    -fcp "$adapter -var xiangqi -x $engine" -scp "$opponent --xboard" \
    -fd "$work" -sd "$work" -tc "${BASE:-0:05}" -inc "${INC:-0.05}" -ponderNextMove false \
    -saveGameFile "$work/game.pgn" -debug -nameOfDebugFile "$work/debug.log" \
    -soundProgram true -autoCallFlag true -popupExitMessage false -popupMoveErrors false \
    </dev/null >"$work/output" 2>&1 || status=$?

fail() {
    echo "$me: $1" >&2
    tail -n 15 "$work/debug.log" "$work/output" >&2 2>/dev/null || true
    exit 1
}

case $status in
124 | 137) fail "no end of the game within ${LIMIT:-90} s" ;;
esac
[ -s "$work/game.pgn" ] || fail "no game was saved (xboard left with status $status)"
if trouble=$(grep -ihE 'illegal move|invalid move|exited unexpectedly|died on me' "$work/game.pgn" "$work/output"); then
    fail "$(echo "$trouble" | head -n 1)"
fi
result=$(sed -n 's/^\[Result "\(.*\)"\]$/\1/p' "$work/game.pgn" | tail -n 1)
case $result in
1-0 | 0-1 | 1/2-1/2) ;;
*) fail "the game has no result: '$result'" ;;
esac
# Movetext on one line; the reason stands in the comment before the result.
text=$(grep -v '^\[' "$work/game.pgn" | tr '\n' ' ')
reason=$(echo "$text" | sed -n 's/.*{\([^{}]*\)} *[01/2-]* *$/\1/p')
# The engine under test is White in XBoard's words.
[ "$reason" != 'Black wins on time' ] || fail "the engine lost on time"
moves=$(echo "$text" | sed 's/{[^{}]*}//g' | tr ' ' '\n' | sed -n 's/^\([0-9][0-9]*\)\.*$/\1/p' | tail -n 1)
[ -n "$moves" ] || fail "the game has no moves"
echo "$result after $moves moves${reason:+ ($reason)}"
