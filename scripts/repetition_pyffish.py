#!/usr/bin/env python3
"""Compares the rulings of `chuhe judge` with pyffish's over random games that end by repetition.

Perpetual check: the rule set `checkonly` against pyffish's xiangqi without its rule of chases. Every game must agree,
and a game that is lost by perpetual check must be so under `axf`, `computer` and pyffish's full rules too.

Perpetual chase: `axf` and `computer` against pyffish's full rules. Here pyffish departs from the articles; see
"Compared with Fairy-Stockfish" in docs/rules.md. Each departure is a switch in oracle/chase.py, which judges by the
articles, slowly and on its own, with all switches off, and as Fairy-Stockfish is seen to judge with all of them on.
The games that are ruled differently are sorted by the fewest switches that lead from one ruling to the other. A game
that no switch explains is an error.

  scripts/repetition_pyffish.py                          target/release/chuhe, 10,000 games made by
                                                         cargo run --release -p chuhe-rules --example random_cycles
  scripts/repetition_pyffish.py --file games.jsonl       games {"id", "fen", "moves"} of one's own

Exit code: 0 when perpetual check agrees in all games and every other difference is explained, 1 when not, 2 for bad
arguments, games that cannot be read or a judge that does not start.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import pyffish

sys.path.insert(0, str(Path(__file__).resolve().parent))

from oracle.chase import Switch, has_check, judge, window_length  # noqa: E402
from oracle.referee import VARIANT, ruling  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
CHECKS_ONLY = f"{VARIANT}checksonly"
DRAW = "draw"


class Trouble(Exception):
    """What keeps the comparison from being made."""


def random_games(number: int, seed: int, path: Path) -> None:
    command = "cargo run --quiet --release --package chuhe-rules --example random_cycles --".split()
    with path.open("w", encoding="utf-8") as out:
        made = subprocess.run([*command, str(number), str(seed)], cwd=ROOT, stdout=out, check=False)
    if made.returncode:
        raise Trouble("the games cannot be made")


def read_games(path: Path) -> list[dict]:
    try:
        games = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        if not games or not all(isinstance(game["fen"], str) and isinstance(game["moves"], list) for game in games):
            raise Trouble(f"{path}: expected lines with fen and moves")
        return games
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Trouble(f"{path}: {error!r}") from error


def our_rulings(program: str, path: Path, rules: str) -> list[str]:
    command = [program, "judge", str(path), "--rules", rules, "--format", "json"]
    try:
        out = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Trouble(f"{program}: {error}") from error
    if out.returncode:
        raise Trouble(f"{' '.join(command)}: {out.stderr.strip()}")
    return [json.loads(line)["verdict"] for line in out.stdout.splitlines()]


def their_ruling(variant: str, game: dict) -> str:
    return ruling(game["fen"], game["moves"], variant) or "none"


def show(game: dict, *rulings: str) -> str:
    return f"{game['fen']} moves {' '.join(game['moves'])}: {', '.join(rulings)}"


def size(game: dict) -> tuple[int, int]:
    return len(game["moves"]), sum(char.isalpha() for char in game["fen"].split()[0])


def compare(games: list[dict], program: str, path: Path, most: int, sample: int) -> int:
    """Prints the comparison; returns the number of games that are errors."""
    pyffish.load_variant_config(f"[{CHECKS_ONLY}:{VARIANT}]\nchasingRule = none\n")
    begin = time.monotonic()
    ours = {rules: our_rulings(program, path, rules) for rules in ("checkonly", "axf", "computer")}
    checks = [their_ruling(CHECKS_ONLY, game) for game in games]
    full = [their_ruling(VARIANT, game) for game in games]

    errors = 0

    def report(problem: str, game: dict, *rulings: str) -> None:
        nonlocal errors
        errors += 1
        if errors <= most:
            print(f"{problem}: {show(game, *rulings)}")

    lost = 0
    for game, check, theirs, *our in zip(games, checks, full, *ours.values()):
        if our[0] != check:
            report("perpetual check", game, f"checkonly {our[0]}", f"pyffish {check}")
        elif check != DRAW:
            lost += 1
            if {theirs, *our} != {check}:
                report("perpetual check", game, f"axf {our[1]}", f"computer {our[2]}", f"pyffish {theirs}")
    lengths = defaultdict(int)
    for game in games:
        lengths[window_length(game)] += 1
    rounds = ", ".join(f"{number} of {plies} plies" for plies, number in sorted(lengths.items()))
    print(f"{len(games)} games ({rounds}): {lost} lost by perpetual check, {errors} differ")

    # The slow judge must agree with both, so that what it says of the differences counts.
    articles, fairy = frozenset(), frozenset(Switch)
    for index in range(0, len(games), max(1, len(games) // sample) if sample else len(games) + 1):
        if (slow := judge(games[index], articles)) != ours["axf"][index]:
            report("the articles", games[index], f"axf {ours['axf'][index]}", f"oracle/chase.py {slow}")
        if (slow := judge(games[index], fairy)) != full[index]:
            report("Fairy-Stockfish", games[index], f"pyffish {full[index]}", f"oracle/chase.py {slow}")

    for rules in ("axf", "computer"):
        classes: dict[str, list[tuple[dict, str, str]]] = defaultdict(list)
        for game, our, axf, theirs in zip(games, ours[rules], ours["axf"], full):
            if our == theirs:
                continue
            reason = explain(game, theirs)
            if reason is None:
                report("not explained", game, f"{rules} {our}", f"pyffish {theirs}")
                continue
            if our != axf:
                own = "a check anywhere excuses all chases" if has_check(game) else "attacks are compared by victim only"
                reason = f"{rules}: {own}" + (f"; and {reason}" if reason else "")
            stricter = "one loses, the other" if DRAW not in (our, theirs) else "pyffish" if our == DRAW else rules
            classes[f"{stricter} punishes: {reason}"].append((game, our, theirs))
        chases = sum(theirs != DRAW for theirs in full) - lost
        differing = sum(map(len, classes.values()))
        print(f"{rules}: {differing} games ruled differently; pyffish has {chases} lost by perpetual chase, {rules} "
              f"{sum(our != DRAW for our in ours[rules]) - lost}")
        for reason, members in sorted(classes.items(), key=lambda item: -len(item[1])):
            game, our, theirs = min(members, key=lambda member: size(member[0]))
            print(f"{len(members):6} {reason}\n       {show(game, f'{rules} {our}', f'pyffish {theirs}')}")
    print(f"{errors} errors ({time.monotonic() - begin:.0f} s)")
    return errors


def explain(game: dict, theirs: str) -> str | None:
    """The fewest switches that lead from the ruling by the articles to this one; empty when none is needed."""
    return next((" + ".join(switch.value for switch in chosen) for chosen in Switch.sets()
                 if judge(game, frozenset(chosen)) == theirs), None)


def main(argv: list[str]) -> int:
    head, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="repetition_pyffish.py", description=head, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--judge", default=str(ROOT / "target/release/chuhe"), metavar="PROGRAM", help="the chuhe to use")
    parser.add_argument("--file", type=Path, help="games to compare; otherwise random ones")
    parser.add_argument("--games", type=int, default=10_000, metavar="N", help="how many random games (default 10000)")
    parser.add_argument("--seed", type=int, default=1, help="of the random games (default 1)")
    parser.add_argument("--sample", type=int, default=1000, metavar="N", help="games for the slow judge (default 1000)")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="errors to print (default 20)")
    options = parser.parse_args(argv)
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = options.file or Path(folder) / "games.jsonl"
            if options.file is None:
                random_games(options.games, options.seed, path)
            return 1 if compare(read_games(path), options.judge, path, options.show, options.sample) else 0
    except Trouble as trouble:
        print(f"repetition_pyffish.py: {trouble}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
