#!/bin/sh
# Measures how far apart the skill levels are: each level plays the one below it at 2 s + 0.02 s.
# usage: scripts/levels.sh [ENGINE] [GAMES] [FIRST] [LAST]
#
#   ENGINE       the program; $CHUHE, else target/release/chuhe
#   GAMES        of each pair, with colours reversed; 100
#   FIRST LAST   the levels that play against the one below; 1 20
#
# The openings are the balanced suite (tests/data/openings) if there is one, else lines of the book. Waits for other timed
# work (scripts/with-lock.sh). Prints rows of the table in docs/levels.md: level, games won, drawn and lost, Elo with its
# error of 95 %, and the sum.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
at_most 4 "$@"
engine=$(realpath "${1:-${CHUHE:-$(dirname "$0")/../target/release/chuhe}}")
games=${2:-100}
first=${3:-1}
last=${4:-20}
[ -x "$engine" ] || complain "there is no program $engine (cargo build --release makes it)"
cd "$(dirname "$0")/.."

openings=$(openings_of balanced 'source=book/data/openings.txt plies=8')
results=$(mktemp)
trap 'rm -f "$results"' EXIT
side() {
    echo "name=level-$1 cmd='$engine' proto=uci option.OwnBook=false option.Hash=16 'option.Skill Level=$1'"
}
level=$first
while [ "$level" -le "$last" ]; do
    played=$(scripts/with-lock.sh "$engine" match --engine "$(side "$level")" --engine "$(side $((level - 1)))" \
        --games "$games" --tc 2+0.02 --openings "$openings order=random seed=$level" --format json)
    echo "$played" | tail -n 1 >>"$results"
    scripts/table_row.py levels "$first" <"$results" | tail -n 1
    level=$((level + 1))
done
