#!/bin/sh
# Measures how far apart the skill levels are: each level plays the next one, GAMES games (100 by default) with
# colours reversed from varied openings. Prints one line a pair; docs/levels.md holds the figures.
# usage: scripts/levels.sh [ENGINE] [GAMES] [FIRST] [LAST]
set -eu
case "${1:-}" in
-h | --help)
    # The comment at the top tells what there is to know.
    sed -n '2,/^set /{/^#/s/^# *//p}' "$0"
    exit 0
    ;;
esac
cd "$(dirname "$0")/.."

engine=${1:-target/release/chuhe}
games=${2:-100}
level=${3:-0}
last=${4:-19}
while [ "$level" -le "$last" ]; do
    next=$((level + 1))
    side() { echo "name=level-$1 cmd=$engine proto=ucci option.usebook=false option.hashsize=16 option.skilllevel=$1"; }
    summary=$(scripts/match.py --engine "$(side $next)" --engine "$(side $level)" --openings book/data/openings.txt \
        --plies 8 --games "$games" --tc 2+0.02 --concurrency 2)
    echo "$summary" | grep -E '^(level-.* games,|Elo)' | tr '\n' ' '
    echo
    level=$next
done
