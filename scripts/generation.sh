#!/usr/bin/env bash
# Makes a network of the next generation.
# usage: scripts/generation.sh NAME [OPTIONS] [-- OPTIONS OF chuhe-train train]
#
#   NAME             of the network and of the folder with everything that belongs to it
#   --old EVALUATION plays the games to learn from and the match: a network's file, or `hce`, the hand-written
#                    evaluation; the program's own if not given
#   --positions N    positions to generate, as far as training keeps them; 3000000
#   --nodes N        nodes a move in those games; 1000
#   --seed N         of the games; taken from NAME if not given
#   --with FILE      learn from this game file, too; may be given again
#   --games N        the test against the old evaluation (SPRT of 10 against 0 Elo) ends after so many games; 400
#   --tc TIME        its time control; 2+0.02. nodes=5000 needs no quiet machine, and says nothing about speed
#   --threads N      processors to use; 2
#   --out FOLDER     where NAME is made; $CHUHE_DATA/networks (a folder of the user's cache)
#
# Steps: build; play games; train and write the network in integers; check it on games held out; test it against the old
# evaluation. A run that was interrupted goes on where it was when it is called again with the same arguments. The last
# line is for docs/networks.md, which tells more.
set -euo pipefail
shopt -s inherit_errexit

# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
case "${1:-}" in
'' | -*) complain "expected NAME; see --help" ;;
*[!A-Za-z0-9._-]*) complain "NAME may hold letters, digits, dot, hyphen and underscore: $1" ;;
esac
name=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
data=${CHUHE_DATA:-${XDG_CACHE_HOME:-$HOME/.cache}/chuhe}
old='<embedded>' positions=3000000 nodes=1000 seed='' games=400 tc=2+0.02 threads=2 out=$data/networks
with=()
while [ $# -gt 0 ]; do
    case "$1" in
    --)
        shift
        break
        ;;
    --with)
        [ $# -ge 2 ] || complain "$1 needs a value"
        with+=("$2")
        shift 2
        ;;
    --old | --positions | --nodes | --seed | --games | --tc | --threads | --out)
        [ $# -ge 2 ] || complain "$1 needs a value"
        printf -v "${1#--}" %s "$2"
        shift 2
        ;;
    *) complain "unknown argument $1; see --help" ;;
    esac
done
seed=${seed:-$(printf '%s' "$name" | cksum | cut -d' ' -f1)}
case "$old" in
hce | '<none>' | '<embedded>' | /*) ;;
*) old=$PWD/$old ;;
esac

# Generating and training pause while something else measures time.
lock_file=${CHUHE_LOCK:-/tmp/chuhe-timed.lock}
folder=$out/$name
network=$folder/$name.nnue
mkdir -p "$folder"
# Programs of their own, so that the work tree may change meanwhile.
build() {
    (cd "$root" && cargo build --quiet --release --package chuhe --package chuhe-trainer)
    cp "${CARGO_TARGET_DIR:-$root/target}/release/chuhe" "${CARGO_TARGET_DIR:-$root/target}/release/chuhe-train" "$folder/"
    git -C "$root" describe --always --dirty --abbrev=10 >"$folder/revision" 2>/dev/null || echo unknown >"$folder/revision"
}
step() {
    echo "== $1 ($(date +%H:%M))"
}

step "build"
if [ ! -x "$folder/chuhe-train" ] || [ ! -x "$folder/chuhe" ]; then build; fi
step "play $positions positions at $nodes nodes a move by $old"
"$folder/chuhe-train" datagen --output "$folder/$name.games" --positions "$positions" --nodes "$nodes" --seed "$seed" \
    --threads "$threads" --evalfile "$old" --yield-to "$lock_file"
step "train"
"$folder/chuhe-train" train --resume --output "$network" --threads "$threads" --revision "$(cat "$folder/revision")" \
    --yield-to "$lock_file" "$@" \
    "$folder/$name.games" "${with[@]}"
step "check"
"$folder/chuhe-train" check "$network" "$folder/$name.games"
"$root/scripts/with-lock.sh" "$folder/chuhe" bench --evalfile "$network" | tail -1
step "match against $old"
lock=
case "$tc" in
nodes=* | depth=*) ;;
*) lock=$root/scripts/with-lock.sh ;;
esac
engine="cmd='$folder/chuhe' proto=uci option.Hash=16 option.Threads=1"
# shellcheck disable=SC2086
$lock "$folder/chuhe" match --event "$name against $old" \
    --engine "name=$name $engine option.EvalFile='$network'" --engine "name=old $engine option.EvalFile='$old'" \
    --sprt "elo0=0 elo1=10 alpha=0.05 beta=0.05 model=logistic" --games "$games" --tc "$tc" \
    --openings "source=book seed=$seed" --concurrency "$threads" \
    --pgn "$folder/match.pgn" --journal "$folder/match.jsonl" --html "$folder/match.html" --resume |
    # The games are in the files. Without any output what counts is how the match ended.
    { grep -v -E '^[0-9]+: ' || true; }

step "done: everything is in $folder"
"$folder/chuhe" match standings --journal "$folder/match.jsonl" --format json |
    python3 "$root/scripts/table_row.py" strength "$name against $old" "$tc, hash 16"
