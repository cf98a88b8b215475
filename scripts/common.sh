# What the scripts share. It is read by them, not run: . "$(dirname "$0")/common.sh"
# shellcheck shell=sh

# The script's own name, for messages.
me=${0##*/}

# Prints the comment at the top of the script, which tells what there is to know.
usage() {
    sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"
}

# Ends the script for arguments or an environment that it cannot use.
complain() {
    echo "$me: $*" >&2
    exit 2
}

# Answers --help, if that is what the script was called with.
answer_help() {
    case "${1:-}" in
    -h | --help)
        usage
        exit 0
        ;;
    esac
}

# Ends a script that was called with more arguments than it takes: at_most NUMBER "$@"
at_most() {
    [ $(($# - 1)) -le "$1" ] || complain "unexpected argument; see --help"
}

# The version of the workspace.
version() {
    sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml
}

# Runs a command as root, without asking for a password.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

is_installed() {
    dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q ' installed$'
}

# Installs Debian packages that are missing. Where it cannot, it says why and which command would, and fails.
install_packages() {
    wanted=
    for package; do
        is_installed "$package" || wanted="$wanted $package"
    done
    [ -n "$wanted" ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "$me: there is no apt-get here; please install what Debian calls$wanted" >&2
        return 1
    fi
    by_hand="apt-get install --no-install-recommends$wanted"
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        echo "$me: only root can install$wanted; as root, type: $by_hand" >&2
        return 1
    fi
    if ! as_root true 2>/dev/null; then
        echo "$me: sudo asks for a password; type: sudo $by_hand" >&2
        return 1
    fi
    # The package lists may be old: they are fetched only when the first attempt fails.
    # shellcheck disable=SC2086
    try_install() {
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted
    }
    if ! said=$( (try_install || { as_root apt-get update -qq && try_install; }) 2>&1); then
        echo "$said" | tail -n 5 >&2
        echo "$me: apt-get cannot install$wanted, for the reason above" >&2
        return 1
    fi
}

# The openings of matches, as `chuhe match --openings` takes them: the suite of this name if there is one, else the words
# given. docs/testing.md tells how suites are made.
suite=$(cd "$(dirname "$0")/.." && pwd)/tests/data/openings
openings_of() {
    if [ -f "$suite/$1.txt" ]; then echo "source='$suite/$1.txt'"; else echo "$2"; fi
}
