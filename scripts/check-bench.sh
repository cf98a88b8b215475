#!/bin/sh
# Compares the node count of `chuhe bench` with the line "Bench: N" of the newest commit that has one.
# usage: scripts/check-bench.sh [PROGRAM]
#
#   PROGRAM   target/release/chuhe
#
# Every commit that changes how the engine searches or evaluates states its count.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
at_most 1 "$@"
cd "$(dirname "$0")/.."

engine=${1:-${CARGO_TARGET_DIR:-target}/release/chuhe}
[ -x "$engine" ] || complain "there is no program $engine (cargo build --release makes it)"

commit=$(git log -1 --extended-regexp --grep='^Bench: [0-9]+$' --format=%h)
if [ -z "$commit" ]; then
    if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
        echo "$me: skipped, no line 'Bench: N' in this shallow clone"
    else
        echo "$me: skipped, no commit has a line 'Bench: N' yet"
    fi
    exit 0
fi
stated=$(git log -1 --format=%B "$commit" | sed -n 's/^Bench: \([0-9][0-9]*\)$/\1/p' | tail -n 1)
counted=$("$engine" bench | tail -n 1)
case $counted in
"$stated nodes "*) echo "bench: $counted, as stated by $commit" ;;
*)
    echo "$me: $commit states $stated nodes, bench says: $counted" >&2
    exit 1
    ;;
esac
