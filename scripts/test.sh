#!/bin/sh
# Runs all tests, after installing what they need besides Rust: other engines and the legality oracle
# (scripts/peers.sh), a C compiler for SQLite. Arguments go to `cargo test`, e.g. scripts/test.sh latency.
set -eu
case "${1:-}" in
-h | --help)
    # The comment at the top tells what there is to know.
    sed -n '2,/^set /{/^#/s/^# *//p}' "$0"
    exit 0
    ;;
esac
cd "$(dirname "$0")/.."

if ! command -v cargo >/dev/null; then
    echo "test.sh: cargo is missing: install Rust first" >&2
    exit 2
fi

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Installs packages where that can be done; what is still missing shows later.
install() {
    if command -v apt-get >/dev/null; then
        as_root apt-get update -qq >/dev/null 2>&1 &&
            as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" \
                >/dev/null 2>&1 || echo "test.sh: cannot install $*" >&2
    fi
}

command -v cc >/dev/null || install gcc libc6-dev
python3 -m pip --version >/dev/null 2>&1 || install python3 python3-pip
if ! scripts/peers.sh; then
    [ -z "${CI:-}" ] || exit 1
    echo "test.sh: the tests that need these programs are skipped" >&2
fi

exec cargo test --workspace "$@"
