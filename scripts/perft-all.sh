#!/bin/sh
# Checks every count of tests/data/perft.jsonl, the largest of 5.4 billion nodes included; takes well under a minute.
# Another file of the same form may be given.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd -- "$root"
exec cargo run --quiet --release -p chuhe-movegen --example perft_file -- "${1:-tests/data/perft.jsonl}"
