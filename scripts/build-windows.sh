#!/bin/sh
# Builds chuhe.exe on Debian, with Debian's newer Rust (rustc-web) and mingw: no Windows needed. The standard library
# is built along. Makes dist/chuhe.exe and the archive dist/chuhe-VERSION-windows-x86_64.zip; scripts/test-windows.sh
# tries the program under Wine.
set -eu
case "${1:-}" in
-h | --help)
    # The comment at the top tells what there is to know.
    sed -n '2,/^set /{/^#/s/^# *//p}' "$0"
    exit 0
    ;;
esac
cd "$(dirname "$0")/.."

triple=x86_64-pc-windows-gnu
target=${WINDOWS_TARGET_DIR:-target/windows}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

missing=
for package in rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing="$missing $package"
done
if [ -n "$missing" ]; then
    as_root apt-get update -qq
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
fi

# Cargo looks for the sources of the standard library below the compiler's own folder.
if [ ! -e /usr/lib/rustlib/src/rust ]; then
    as_root mkdir -p /usr/lib/rustlib/src
    as_root ln -s "$(echo /usr/src/rustc-*)" /usr/lib/rustlib/src/rust
fi

# Debian's cargo, not rustup's.
env -u RUSTUP_TOOLCHAIN -u CARGO -u RUSTC \
    PATH=/usr/bin:/bin \
    RUSTC_BOOTSTRAP=1 \
    CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc \
    CC_x86_64_pc_windows_gnu=x86_64-w64-mingw32-gcc \
    cargo build --release --package chuhe -Zbuild-std=std,panic_abort --target "$triple" --target-dir "$target"

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
mkdir -p dist
cp "$target/$triple/release/chuhe.exe" dist/
# With the pages that the README links to. Zip would pass over a missing file in silence.
for file in README.md README.zh.md LICENSE-MIT LICENSE-APACHE; do
    [ -f "$file" ] || { echo "build-windows.sh: no $file" >&2; exit 1; }
done
python3 -m zipfile -c "dist/chuhe-$version-windows-x86_64.zip" dist/chuhe.exe ./*.md docs LICENSE-MIT LICENSE-APACHE
echo "dist/chuhe.exe"
echo "dist/chuhe-$version-windows-x86_64.zip"
