#!/bin/sh
# Installs what tests and matches need besides the Rust toolchain: Debian's xiangqi engines, XBoard with
# its UCCI adapter and a screen without a monitor, a Chromium for the pages, GNU parallel, the legality oracle pyffish, and
# Ray, which only one test needs and is not missed.
# Says nothing when all is there; names on one line what is missing after it has tried. Installing needs root,
# directly or by sudo.
set -eu

packages='fairy-stockfish hoichess sjaakii xboard uci2wb xvfb parallel'

case "${1:-}" in
'') ;;
-h | --help)
    echo "usage: scripts/peers.sh [--check]"
    echo "Installs $packages and, if there is no such browser, chromium (apt), and pyffish and ray (pip); --check only looks."
    exit 0
    ;;
--check) ;;
*)
    echo "peers.sh: unknown argument $1" >&2
    exit 2
    ;;
esac

installed() {
    dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q ' installed$'
}

has_pyffish() {
    python3 -c 'import pyffish' 2>/dev/null
}

has_ray() {
    python3 -c 'import ray' 2>/dev/null
}

has_browser() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        ! command -v "$name" >/dev/null || return 0
    done
    return 1
}

missing() {
    for package in $packages; do
        installed "$package" || printf '%s ' "$package"
    done
    has_browser || printf 'chromium '
    has_pyffish || printf 'pyffish '
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

if [ "${1:-}" != --check ]; then
    wanted=
    for package in $packages; do
        installed "$package" || wanted="$wanted $package"
    done
    has_browser || wanted="$wanted chromium"
    if [ -n "$wanted" ]; then
        # The package lists may be old: fetch them only when the first attempt fails.
        install() {
            # shellcheck disable=SC2086
            as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted
        }
        install >/dev/null 2>&1 ||
            { as_root apt-get update -qq && install; } >/dev/null 2>&1 || true
    fi
    # Debian's Python refuses to be added to unless told; older pip does not know the flag.
    pip_install() {
        python3 -m pip install --quiet --break-system-packages "$1" >/dev/null 2>&1 ||
            python3 -m pip install --quiet "$1" >/dev/null 2>&1 || true
    }
    has_pyffish || pip_install pyffish
    has_ray || pip_install ray
fi

left=$(missing)
if [ -n "$left" ]; then
    echo "peers.sh: missing: ${left% }" >&2
    exit 1
fi
