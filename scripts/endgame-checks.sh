#!/bin/sh
# The checks of the endgame tables that take too long for `cargo test`: builds the standard set with distances anew,
# compares its values with the embedded ones byte by byte, checks every position of it against those one move ahead, and
# the distances of all proved cases. About ten minutes of one core.
#
#   scripts/endgame-checks.sh [PROGRAM [DIR]]
#
# PROGRAM is target/release/chuhe if not given. Tables that are in DIR already are not built again; without DIR they go to
# a folder that is removed afterwards. `CHUHE_ENDGAME_SAMPLE=N` looks at N placements of each class instead of all.
# To renew the embedded tables after a change of the format or the values:
#
#   chuhe endgame build --set standard -o DIR --pack endgame/tables/standard.cets
set -eu
case "${1:-}" in
-h | --help)
    # The comment at the top tells what there is to know.
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"
    exit 0
    ;;
esac
cd "$(dirname "$0")/.."

program=${1:-target/release/chuhe}
if [ ! -x "$program" ]; then
    echo "endgame-checks.sh: no program $program (cargo build --release makes it)" >&2
    exit 2
fi
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
