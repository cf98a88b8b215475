#!/bin/sh
# Runs all tests, after installing what they need besides Rust.
# usage: scripts/test.sh [ARGUMENTS OF cargo test]
#
# That is a C compiler for SQLite, other engines, and the second judge of moves (scripts/peers.sh). scripts/test.sh latency runs the tests of that name. What cannot be installed is told, before the tests and after
# them, with the tests that are skipped for it; with CI set in the environment nothing may be missing.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
cd "$(dirname "$0")/.."

command -v cargo >/dev/null || complain "cargo is missing: install Rust first (https://rustup.rs)"
command -v cc >/dev/null || install_packages gcc libc6-dev || complain "there is no C compiler"
python3 -m pip --version >/dev/null 2>&1 || install_packages python3 python3-pip || true
if ! scripts/peers.sh; then
    [ -z "${CI:-}" ] || exit 1
fi

status=0
cargo test --workspace "$@" || status=$?
# Once more, since all the lines of the tests stand between.
scripts/peers.sh --check || true
exit "$status"
