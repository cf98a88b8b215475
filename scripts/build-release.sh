#!/bin/sh
# Builds the archive that players download, for the system this runs on: dist/chuhe-VERSION-SYSTEM-PROCESSOR.
# usage: scripts/build-release.sh [--v3] [--native]
#
#   --v3       put in chuhe-v3 too, a build for processors with AVX2 and BMI2 (2013 and later)
#   --native   on Linux: link with this system's own C library, so that the program needs one as new
#
# On Linux the program runs with glibc 2.17 (2012) and later: it is linked by cargo-zigbuild, which is installed from PyPI
# into the target folder. Linux and macOS get a .tar.gz, Windows (a shell such as Git's) a .zip, with the documents.
# scripts/test-archive.sh tries the archive. Prints its name.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
cd "$(dirname "$0")/.."

v3=
native=
for argument; do
    case $argument in
    --v3) v3=yes ;;
    --native) native=yes ;;
    *) complain "unexpected argument $argument; see --help" ;;
    esac
done

target=${CARGO_TARGET_DIR:-target}
processor=$(uname -m)
suffix=
zip=
case $(uname -s) in
Linux) system=linux ;;
Darwin) system=macos native=yes ;;
MINGW* | MSYS* | CYGWIN*) system=windows native=yes suffix=.exe zip=--zip ;;
*) complain "unknown system $(uname -s)" ;;
esac

# Builds the program; says in $built where it is.
build() {
    if [ -n "$native" ]; then
        cargo build --release --package chuhe --target-dir "$1"
        built=$1/release/chuhe$suffix
    else
        cargo zigbuild --release --package chuhe --target-dir "$1" --target "$processor-unknown-linux-gnu.2.17"
        built=$1/$processor-unknown-linux-gnu/release/chuhe
    fi
}

if [ -z "$native" ]; then
    tools=$PWD/target/zigbuild
    [ -x "$tools/bin/cargo-zigbuild" ] ||
        python3 -m pip install --quiet --target "$tools" cargo-zigbuild==0.24.1 ziglang==0.17.1
    # The linker is run as `python3 -m ziglang`.
    PATH=$tools/bin:$PATH PYTHONPATH=$tools
    export PATH PYTHONPATH
fi
build "$target"
set -- "$built"
if [ -n "$v3" ]; then
    # Takes the place of the flags in .cargo/config.toml.
    RUSTFLAGS="-C target-cpu=x86-64-v3"
    export RUSTFLAGS
    build "$target/v3"
    cp "$built" "$target/chuhe-v3$suffix"
    set -- "$@" "$target/chuhe-v3$suffix"
fi
python3 scripts/pack.py ${zip:+"$zip"} "chuhe-$(version)-$system-$processor" "$@"
