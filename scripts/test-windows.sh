#!/bin/sh
# Runs the tests of sessions, games and the command line against a chuhe.exe under Wine.
# usage: scripts/test-windows.sh [PROGRAM]
#
#   PROGRAM   dist/chuhe.exe, which scripts/build-windows.sh makes
#
# The program stands in a folder with a Chinese name, as players have them. Times are not tested: they would be Wine's.
# Installs Wine and mingw (Debian) where they are missing.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
at_most 1 "$@"
cd "$(dirname "$0")/.."

program=${1:-dist/chuhe.exe}
[ -f "$program" ] || complain "there is no program $program (scripts/build-windows.sh makes it)"
install_packages wine64 wine gcc-mingw-w64-x86-64 || exit 2

work=$(mktemp -d)
export WINEPREFIX="$work/wine" WINEDEBUG=-all
finish() {
    wineserver -k 2>/dev/null || true
    wineserver -w 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

folder=$work/象棋
mkdir "$folder"
cp "$program" "$folder/chuhe.exe"

# Wine 8 lacks bcryptprimitives.dll, from which Rust's standard library takes ProcessPrng; every Windows since 8 has
# it. This stand-in forwards to the generator Wine does have, and is never shipped.
cat >"$work/prng.c" <<'C'
unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, unsigned long long length) {
    return SystemFunction036(buffer, (unsigned long)length);
}
C
x86_64-w64-mingw32-gcc -shared -o "$folder/bcryptprimitives.dll" "$work/prng.c" -ladvapi32

# Wine makes its prefix at the first start; that must not fall into a test.
wineboot --init >/dev/null 2>&1
wineserver -w

cat >"$work/chuhe" <<SH
#!/bin/sh
exec wine '$folder/chuhe.exe' "\$@"
SH
chmod +x "$work/chuhe"

CHUHE_PROGRAM="$work/chuhe" cargo test --package chuhe --test product -- session:: play:: cli::
