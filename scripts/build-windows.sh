#!/bin/sh
# Builds chuhe.exe on Debian, with Debian's newer Rust (rustc-web) and mingw: no Windows needed.
# usage: scripts/build-windows.sh
#
# The standard library is built along. Makes dist/chuhe.exe and the archive dist/chuhe-VERSION-windows-x86_64.zip with the
# documents; scripts/test-windows.sh tries the program under Wine. Installs the Debian packages that are missing.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
at_most 0 "$@"
cd "$(dirname "$0")/.."

triple=x86_64-pc-windows-gnu
target=${WINDOWS_TARGET_DIR:-target/windows}

install_packages rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64 || exit 2

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

mkdir -p dist
cp "$target/$triple/release/chuhe.exe" dist/
echo "dist/chuhe.exe"
python3 scripts/pack.py --zip "chuhe-$(version)-windows-x86_64" dist/chuhe.exe
