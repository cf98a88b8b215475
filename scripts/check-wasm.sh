#!/bin/sh
# Checks that the rooms of a page in the browser compile for WebAssembly, and search the same nodes there.
# usage: scripts/check-wasm.sh
#
# Skips with a message where the target is not installed: rustup target add wasm32-unknown-unknown
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
at_most 0 "$@"
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
libraries=$(rustc --print target-libdir --target "$target" 2>/dev/null || true)
if [ ! -d "$libraries" ] && command -v rustup >/dev/null; then
    rustup --quiet target add "$target" >/dev/null 2>&1 || true
fi
if [ ! -d "$libraries" ]; then
    echo "$me: skipped: the target $target is not installed and cannot be had here" >&2
    exit 0
fi
for room in movegen rules records eval endgame engine analysis report book; do
    cargo check --quiet --target "$target" --package "chuhe-$room" --no-default-features
done
echo "$me: movegen, rules, records, eval, endgame, engine, analysis, report and book compile for $target"

if ! command -v node >/dev/null; then
    echo "$me: the engine was not run in WebAssembly: there is no node" >&2
    exit 0
fi
depth=6
cargo build --quiet --target "$target" --package chuhe-engine --example wasm
nodes=$(cargo run --quiet --package chuhe --bin chuhe -- bench --depth "$depth" | sed -n '$s/ nodes .*//p')
node scripts/wasm_bench.mjs "${CARGO_TARGET_DIR:-target}/$target/debug/examples/wasm.wasm" "$depth" "$nodes"
