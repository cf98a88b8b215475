#!/bin/sh
# Checks that every room a page in the browser uses compiles for WebAssembly, without threads, files and C code.
# Skips with a message where the target is not installed: rustup target add wasm32-unknown-unknown
set -eu
case "${1:-}" in
-h | --help)
    # The comment at the top tells what there is to know.
    sed -n '2,/^set /{/^#/s/^# *//p}' "$0"
    exit 0
    ;;
esac
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
libraries=$(rustc --print target-libdir --target "$target" 2>/dev/null || true)
if [ ! -d "$libraries" ] && command -v rustup >/dev/null; then
    rustup --quiet target add "$target" >/dev/null 2>&1 || true
fi
if [ ! -d "$libraries" ]; then
    echo "check-wasm.sh: skipped: the target $target is not installed and cannot be had here" >&2
    exit 0
fi
for room in movegen rules records eval endgame engine analysis report book; do
    cargo check --quiet --target "$target" --package "chuhe-$room" --no-default-features
done
echo "check-wasm.sh: movegen, rules, records, eval, endgame, engine, analysis, report and book compile for $target"
