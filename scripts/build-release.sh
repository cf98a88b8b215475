#!/bin/sh
# Builds the archive that players download, for the system this runs on: dist/chuhe-VERSION-SYSTEM-PROCESSOR.tar.gz.
# With --v3 it also holds chuhe-v3, a build for processors with AVX2 and BMI2 (2013 and later).
set -eu
case "${1:-}" in
-h | --help)
    # The comment at the top tells what there is to know.
    sed -n '2,/^set /{/^#/s/^# *//p}' "$0"
    exit 0
    ;;
esac
cd "$(dirname "$0")/.."

v3=
case "${1:-}" in
'') ;;
--v3) v3=yes ;;
*)
    echo "usage: scripts/build-release.sh [--v3]" >&2
    exit 2
    ;;
esac

target=${CARGO_TARGET_DIR:-target}
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
system=$(uname -s | tr '[:upper:]' '[:lower:]')
processor=$(uname -m)
name=chuhe-$version-$system-$processor

rm -rf "dist/$name"
mkdir -p "dist/$name"
cargo build --release --package chuhe
cp "$target/release/chuhe" "dist/$name/"
if [ -n "$v3" ]; then
    # Takes the place of the flags in .cargo/config.toml.
    RUSTFLAGS="-C target-cpu=x86-64-v3" cargo build --release --package chuhe --target-dir "$target/v3"
    cp "$target/v3/release/chuhe" "dist/$name/chuhe-v3"
fi
# With the pages that the README links to.
cp -r ./*.md docs LICENSE-MIT LICENSE-APACHE "dist/$name/"
tar -C dist --owner=0 --group=0 -czf "dist/$name.tar.gz" "$name"
rm -r "dist/$name"
echo "dist/$name.tar.gz"
