#!/usr/bin/env python3
"""Games from positions in which a chase or a perpetual check is at hand: who loses by the rules of repetition?

    scripts/chase_games.py --engine NAME=PROGRAM --engine NAME=PROGRAM [--games 1000] [--nodes 3000] [--rules computer]

The start positions are those of tests/data/repetition.jsonl and what stands there after each of the first moves of the
cycle, without positions that are over, mirror images of each other or have fewer than five pieces. Each is played with
colours reversed. The referee is the `chuhe` of --referee (default: the release build of this tree). It goes by the rule
set of --rules, and the engines are told so; one that does not know it keeps its own. Prints for each engine how many games it lost because it had to deviate and did not, and in how many positions
the game ended by repetition at all.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FEWEST_PIECES = 5


def move(fen: str, mv: str) -> str:
    """The position after a move that is known to be legal and no capture."""
    rows = [list("".join("." * int(c) if c.isdigit() else c for c in row)) for row in fen.split()[0].split("/")]
    (from_file, from_rank), (to_file, to_rank) = ((ord(mv[i]) - ord("a"), 9 - int(mv[i + 1])) for i in (0, 2))
    rows[to_rank][to_file], rows[from_rank][from_file] = rows[from_rank][from_file], "."
    board = "/".join(re.sub(r"\.+", lambda empty: str(len(empty[0])), "".join(row)) for row in rows)
    return f"{board} {'b' if fen.split()[1] == 'w' else 'w'} - - 0 1"


def mirrored(fen: str) -> str:
    board, side = fen.split()[:2]
    return " ".join(["/".join(row[::-1] for row in board.split("/")), side, "- - 0 1"])


def is_of_a_game(fen: str) -> bool:
    """Whether no pawn stands behind where it begins, as in one diagram of a manual."""
    rows = fen.split()[0].split("/")
    return "p" not in "".join(rows[:3]) and "P" not in "".join(rows[7:])


def positions() -> list[str]:
    """Start positions, in a fixed order that mixes the cases."""
    found: dict[str, None] = {}
    for line in (ROOT / "tests/data/repetition.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        fen = " ".join([*case["fen"].split()[:2], "- - 0 1"])
        start = case["cycle_start_ply"]
        for number, mv in enumerate(case["moves"][: start + case["cycle_len"]]):
            pieces = sum(c.isalpha() for c in fen.split()[0])
            if number >= start and pieces >= FEWEST_PIECES and is_of_a_game(fen) and mirrored(fen) not in found:
                found[fen] = None
            fen = move(fen, mv)
    order = list(found)
    random.Random(1).shuffle(order)
    return order


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = arguments.add_argument
    add("--engine", action="append", required=True, metavar="NAME=PROGRAM", help="two of them; UCI")
    add("--referee", default=os.path.join(os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target")), "release/chuhe"))
    add("--games", type=int, default=1000)
    add("--nodes", type=int, default=3000)
    add("--rules", default="computer")
    add("--concurrency", default="1")
    add("--out", default="chase-games", help="beginning of the names of the files: .fen, .pgn, .jsonl")
    options = arguments.parse_args()
    if len(options.engine) != 2 or not all("=" in engine for engine in options.engine):
        arguments.error("expected --engine NAME=PROGRAM twice")
    starts = positions()
    if options.games > 2 * len(starts):
        arguments.error(f"{len(starts)} positions make {2 * len(starts)} games, not {options.games}")
    openings, pgn = f"{options.out}.fen", Path(f"{options.out}.pgn")
    Path(openings).write_text("\n".join(starts) + "\n", encoding="utf-8")
    command = [options.referee, "match", "--rules", options.rules, "--tc", f"nodes={options.nodes}"]
    for engine in options.engine:
        name, program = engine.split("=", 1)
        words = f"name={name} cmd='{program}' proto=uci option.Hash=8 'option.Repetition Rule={options.rules}'"
        command += ["--engine", words]
    command += ["--games", str(options.games), "--openings", f"source={openings} order=sequential"]
    command += ["--concurrency", options.concurrency, "--pgn", str(pgn), "--journal", f"{options.out}.jsonl"]
    if code := subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode:
        return code

    losses, repetitions, games = Counter(), 0, 0
    for game in re.split(r"\n(?=\[Event )", pgn.read_text(encoding="utf-8")):
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', game))
        if "Result" not in tags:
            continue
        games += 1
        if tags.get("Termination") != "repetition":
            continue
        repetitions += 1
        if tags["Result"] != "1/2-1/2":
            losses[tags["Black" if tags["Result"] == "1-0" else "Red"]] += 1
    for engine in options.engine:
        name = engine.split("=", 1)[0]
        print(f"{name}: {losses[name]} of {games} games lost by repetition under {options.rules}")
    print(f"{repetitions} games ended by repetition")
    return 0


if __name__ == "__main__":
    sys.exit(main())
