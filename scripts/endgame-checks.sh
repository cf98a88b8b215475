#!/bin/sh
# Checks the endgame tables as `cargo test` cannot for lack of time.
# usage: scripts/endgame-checks.sh [PROGRAM [DIR]]
#
#   PROGRAM   target/release/chuhe if not given
#   DIR       tables that are there already are not built again; without it they go to a folder that is removed afterwards
#
# Builds the standard set with distances anew, compares its values with the embedded ones byte by byte, checks every
# position of it against those one move ahead, and the distances of all proved cases. About ten minutes of one core.
# CHUHE_ENDGAME_SAMPLE=N looks at N placements of each class instead of all.
#
# To renew the embedded tables after a change of the format or the values:
#   chuhe endgame build --set standard -o DIR --pack endgame/tables/standard.cets
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
at_most 2 "$@"
cd "$(dirname "$0")/.."

program=${1:-target/release/chuhe}
[ -x "$program" ] || complain "no program $program (cargo build --release makes it)"
if [ -n "${2:-}" ]; then
    folder=$2
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi

packed=$(mktemp)
"$program" endgame build --set standard -o "$folder" --pack "$packed"
cmp "$packed" endgame/tables/standard.cets
rm "$packed"
echo "the embedded tables are these"
# shellcheck disable=SC2086 # no option or one with its value
"$program" endgame verify --tables "$folder" ${CHUHE_ENDGAME_SAMPLE:+--sample $CHUHE_ENDGAME_SAMPLE}
CHUHE_ENDGAMES=$(cd "$folder" && pwd) cargo test -p chuhe-endgame --test cases -- --include-ignored
