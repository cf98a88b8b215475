#!/usr/bin/env bash
# Tests whether a revision plays better than another.
# usage: scripts/sprt.sh OLD NEW [OPTIONS]
#
#   OLD NEW            revisions, as git names them; `.` for NEW: the working tree as it is
#   --simplify         H0 -10, H1 0: is NEW, which is simpler, no worse? Otherwise H0 0, H1 10: is it better?
#   --elo0 N --elo1 N  other hypotheses
#   --model NAME       logistic (default) or normalized
#   --games N          stop undecided after so many games; 8000
#   --tc TIME          time control; 2+0.02
#   --nodes N          so many positions a move instead of a clock: no timed test, takes no lock. Each opening is played
#                      by both sides once at most, since such a game is the same every time
#   --openings WORDS   as for `chuhe match --openings`; the unbalanced suite (tests/data/openings) if there is one, else
#                      the embedded book, or without a clock six random moves
#   --concurrency N    games at once; one for each processor
#   --hash N           hash table in MiB; 16
#   --rules NAME       rule set for repetitions; the engines are told (`Repetition Rule`) and play by it
#   --untold           the engines are not told, and play by their default
#   --out FOLDER       for the games, the journal and the report; $CHUHE_DATA/sprt
#   --resume           go on with a test that was interrupted
#
# Each revision is built once, in a work tree of its own, and kept in $CHUHE_DATA (a folder of the user's cache). The
# referee is the working tree. The order of the openings depends on the two revisions. Both sides of the test accept a
# wrong answer in 5 % of cases. Timed tests wait for each other (scripts/with-lock.sh). The last line is for
# docs/strength-log.md.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
answer_help "$@"
[ $# -ge 2 ] || complain "expected OLD and NEW; see --help"
old=$1 new=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
data=${CHUHE_DATA:-${XDG_CACHE_HOME:-$HOME/.cache}/chuhe}
elo0=0 elo1=10 model=logistic games='' tc=2+0.02 nodes='' openings='' concurrency='' hash=16 rules=''
told=yes out=$data/sprt resume=''
kind=gain
while [ $# -gt 0 ]; do
    case "$1" in
    --simplify)
        elo0=-10 elo1=0 kind=simplify
        shift
        continue
        ;;
    --untold)
        told=
        shift
        continue
        ;;
    --resume)
        resume=--resume
        shift
        continue
        ;;
    --elo0 | --elo1 | --model | --games | --tc | --nodes | --openings | --concurrency | --hash | --rules | --out)
        [ $# -ge 2 ] || complain "$1 needs a value"
        printf -v "${1#--}" %s "$2"
        shift 2
        ;;
    *) complain "unknown argument $1; see --help" ;;
    esac
done

# The short name of a revision.
name_of() {
    git -C "$root" rev-parse --verify --quiet --short=10 "$1^{commit}" || complain "git knows no revision $1"
}

# Builds the working tree; prints where its program is, under a name that changes with it.
working_tree() {
    (cd "$root" && cargo build --quiet --release --package chuhe >&2)
    local built=${CARGO_TARGET_DIR:-$root/target}/release/chuhe
    local program
    program=$data/bin/chuhe-tree-$(cksum <"$built" | cut -d' ' -f1)
    # A copy: the working tree may be built anew during the test.
    if [ ! -x "$program" ]; then
        cp "$built" "$program.part"
        mv "$program.part" "$program"
    fi
    echo "$program"
}

# Builds a revision unless that was done before; prints where its program is.
program_of() {
    local revision=$1 name=$2
    local program=$data/bin/chuhe-$name
    if [ ! -x "$program" ]; then
        local tree=$data/trees/$name
        mkdir -p "$data/trees"
        git -C "$root" worktree remove --force "$tree" 2>/dev/null || rm -rf "$tree"
        git -C "$root" worktree prune
        git -C "$root" worktree add --quiet --detach "$tree" "$name" >&2
        # One target folder for all revisions: most of what they depend on is the same.
        if ! (cd "$tree" && CARGO_TARGET_DIR="$data/target" cargo build --quiet --release --package chuhe >&2); then
            git -C "$root" worktree remove --force "$tree"
            complain "$revision does not build"
        fi
        cp "$data/target/release/chuhe" "$program.part"
        mv "$program.part" "$program"
        git -C "$root" worktree remove --force "$tree"
    fi
    echo "$program"
}

mkdir -p "$data/bin"
old_name=$(name_of "$old")
old_program=$(program_of "$old" "$old_name")
referee=$(working_tree)
if [ "$new" = . ]; then
    new_program=$referee
    new_name=${referee##*/chuhe-}
else
    new_name=$(name_of "$new")
    new_program=$(program_of "$new" "$new_name")
fi
[ "$old_name" != "$new_name" ] || complain "$old and $new are the same revision"

# Without a clock a game is the same whenever its opening is, and the book is soon used up.
if [ -z "$openings" ]; then
    drawn=source=book
    [ -z "$nodes" ] || drawn='source=random plies=6'
    openings=$(openings_of unbalanced "$drawn")
    if [ -n "$nodes" ] && [ "$openings" != "$drawn" ]; then
        lines=$(grep -vc '^#' "$suite/unbalanced.txt")
        [ -n "$games" ] || [ $((2 * lines)) -ge 8000 ] || games=$((2 * lines))
    fi
    seeded=yes
fi
games=${games:-8000}
# The same openings when a test is taken up again, others for other revisions.
seed=$(printf '%s' "$old_name $new_name" | cksum | cut -d' ' -f1)
lock="$root/scripts/with-lock.sh"
if [ -n "$nodes" ]; then
    tc=nodes=$nodes
    lock=
fi
options="proto=uci option.Hash=$hash option.Threads=1"
if [ -n "$rules" ] && [ -n "$told" ]; then
    options="$options 'option.Repetition Rule=$rules'"
fi
mkdir -p "$out"
base=$out/$new_name-against-$old_name-$kind-${tc//[^A-Za-z0-9.+]/-}${rules:+-$rules${told:+-told}}
# shellcheck disable=SC2086
$lock "$referee" match \
    --event "$new_name against $old_name" \
    --engine "name=$new_name cmd='$new_program' $options" \
    --engine "name=$old_name cmd='$old_program' $options" \
    --sprt "elo0=$elo0 elo1=$elo1 alpha=0.05 beta=0.05 model=$model" \
    --games "$games" --tc "$tc" --openings "$openings${seeded:+ seed=$seed}" \
    ${concurrency:+--concurrency $concurrency} ${rules:+--rules $rules} \
    --pgn "$base.pgn" --journal "$base.jsonl" --html "$base.html" $resume |
    # The games are in the files. Without any output what counts is how the match ended.
    { grep -v -E '^[0-9]+: ' || true; }

"$referee" match standings --journal "$base.jsonl" --format json |
    python3 "$root/scripts/table_row.py" strength "$new_name against $old_name" "$tc, hash $hash"
