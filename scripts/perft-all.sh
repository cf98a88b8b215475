#!/bin/sh
# Checks every count of tests/data/perft.jsonl, the largest of 5.4 billion nodes included.
# usage: scripts/perft-all.sh [FILE]
#
#   FILE   another file of the same form
#
# Takes well under a minute.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
at_most 1 "$@"
[ $# = 0 ] || set -- "$(realpath "$1")"
cd "$(dirname "$0")/.."
exec cargo run --quiet --release -p chuhe-movegen --example perft_file -- "${1:-tests/data/perft.jsonl}"
