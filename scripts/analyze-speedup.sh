#!/bin/sh
# Measures what a second job is worth to `chuhe analyze`: games one at a time and two at a time.
# usage: scripts/analyze-speedup.sh [GAMES.pgn]
#
#   GAMES.pgn   games to analyze; without them chuhe plays 50 against itself first
#
# The program is $CHUHE, else target/release/chuhe; NODES in the environment says how many nodes a move gets (100000). Both
# runs must give the same results. Prints the seconds of each and the ratio; takes some ten minutes on an idle machine.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
at_most 1 "$@"
games=${1:-}
[ -z "$games" ] || games=$(realpath "$games")
cd "$(dirname "$0")/.."
# Waiting for others is not to be measured.
[ -n "${CHUHE_LOCK_HELD:-}" ] || exec scripts/with-lock.sh scripts/analyze-speedup.sh ${games:+"$games"}

chuhe=$(realpath "${CHUHE:-target/release/chuhe}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ -z "$games" ]; then
    games=$folder/games.pgn
    # Randomness, so that no two games are the same.
    side() { echo "name=$1 cmd=$chuhe proto=ucci option.usebook=false option.hashsize=4 option.randomness=small"; }
    "$chuhe" match --engine "$(side A)" --engine "$(side B)" --games 50 --concurrency 2 --tc nodes=2000 \
        --openings "source=book/data/openings.txt plies=8 order=random seed=1" --pgn "$games" >/dev/null
fi

analyze() {
    begin=$(date +%s.%N)
    "$chuhe" analyze "$games" --nodes "${NODES:-100000}" --jobs "$1" --format json >"$folder/$1.json"
    end=$(date +%s.%N)
    awk "BEGIN { printf \"%.1f\", $end - $begin }"
}
one=$(analyze 1)
two=$(analyze 2)
cmp "$folder/1.json" "$folder/2.json"
count=$(wc -l <"$folder/1.json")
echo "$count games: $one s one at a time, $two s two at a time, $(awk "BEGIN { printf \"%.2f\", $one / $two }") times as fast"
