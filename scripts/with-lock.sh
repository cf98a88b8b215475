#!/bin/sh
# Runs a command that measures time while no other one of them runs on this machine.
# usage: scripts/with-lock.sh COMMAND…
#
# Whoever comes later waits. The lock is the file that CHUHE_LOCK names, /tmp/chuhe-timed.lock if it names none; inside
# a command that has it already it is not taken again.
set -eu
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
[ $# -gt 0 ] || complain "expected a command; see --help"
[ -z "${CHUHE_LOCK_HELD:-}" ] || exec "$@"
lock=${CHUHE_LOCK:-/tmp/chuhe-timed.lock}
# Everybody on the machine shares it.
[ -e "$lock" ] || (umask 0 && : >>"$lock")
exec 9>>"$lock"
if ! flock -n 9; then
    echo "$me: waiting for $lock" >&2
    flock 9
fi
# The command must not hand the lock on to what it leaves behind.
CHUHE_LOCK_HELD=1 "$@" 9>&-
