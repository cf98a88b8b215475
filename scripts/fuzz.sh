#!/bin/sh
# Fuzzes what reads the words of others, with coverage as the guide.
# usage: scripts/fuzz.sh [TARGET] [LIMIT]
#
#   TARGET   fen, protocol, session, book, pgn, lines, formats, games or network; all of them, one after the other
#   LIMIT    a number of executions (10000000) or a time (600s); 60s
#
# What is found on the way is kept in fuzz/target/corpus; at the end the inputs that matter go to fuzz/corpus, which the
# ordinary tests replay. An input that breaks a check is left in fuzz/artifacts and ends the run with an error.
#
# Needs a nightly toolchain (for the instrumentation) and cargo-fuzz; both are installed when missing. Further
# arguments for libFuzzer can be given in FUZZ_FLAGS.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
cd "$(dirname "$0")/.."

targets='fen protocol session book pgn lines formats games network'
case "${1:-}" in
fen | protocol | session | book | pgn | lines | formats | games | network)
    targets=$1
    shift
    ;;
esac
at_most 1 "$@"
wrong_limit() {
    complain "expected a TARGET, or a LIMIT such as 10000000 or 600s, found $1; see --help"
}
case "${1:-60s}" in
*[!0-9]*[!0-9]* | [!0-9]*) wrong_limit "$1" ;;
*s) limit="-max_total_time=${1:-60s}" && limit=${limit%s} ;;
*[!0-9]) wrong_limit "$1" ;;
*) limit="-runs=$1" ;;
esac

rustup run nightly rustc --version >/dev/null 2>&1 || rustup toolchain install nightly --profile minimal
cargo fuzz --version >/dev/null 2>&1 || cargo install cargo-fuzz --locked

# Where all code is safe Rust, the address sanitizer finds nothing and takes half of the speed.
sanitizer() {
    case $1 in
    fen | protocol | pgn | lines | formats | games) echo none ;;
    *) echo address ;;
    esac
}

flags() {
    case $1 in
    fen) echo -max_len=160 -dict=fuzz/dict/fen.dict ;;
    protocol) echo -max_len=400 -dict=fuzz/dict/protocol.dict ;;
    network) echo -max_len=512 -dict=fuzz/dict/network.dict -malloc_limit_mb=64 ;;
    pgn) echo -max_len=1600 -dict=fuzz/dict/pgn.dict -malloc_limit_mb=64 ;;
    lines) echo -max_len=700 -dict=fuzz/dict/lines.dict -malloc_limit_mb=64 ;;
    formats) echo -max_len=3000 -dict=fuzz/dict/formats.dict -malloc_limit_mb=128 ;;
    games) echo -max_len=1600 -malloc_limit_mb=64 ;;
    session) echo -max_len=600 -dict=fuzz/dict/protocol.dict -timeout=60 ;;
    book) echo -max_len=2048 -dict=fuzz/dict/book.dict -malloc_limit_mb=64 -rss_limit_mb=1024 ;;
    esac
}

work=fuzz/target/corpus
build=${CARGO_TARGET_DIR:-fuzz/target}
cargo run --quiet --manifest-path fuzz/Cargo.toml --target-dir "$build/seeds" --example seeds -- "$work"

for target in $targets; do
    corpus=fuzz/corpus/$target
    sanitizer=$(sanitizer "$target")
    options="--sanitizer $sanitizer --target-dir $build/$sanitizer $target $work/$target"
    mkdir -p "$corpus"
    find "$corpus" -type f -exec cp {} "$work/$target/" \;
    # shellcheck disable=SC2046,SC2086 # options and flags are words
    cargo +nightly fuzz run $options -- $(flags "$target") "$limit" ${FUZZ_FLAGS:-}
    # The fewest inputs that reach all code reached so far.
    # shellcheck disable=SC2046,SC2086
    cargo +nightly fuzz cmin $options -- $(flags "$target") -set_cover_merge=1 -use_counters=0
    find "$corpus" -type f -delete
    find "$work/$target" -type f -exec cp {} "$corpus/" \;
    echo "$me: $target: $(find "$corpus" -type f | wc -l) inputs kept"
done
