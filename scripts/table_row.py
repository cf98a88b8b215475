#!/usr/bin/env python3
"""Turns results of `chuhe match … --format json` on standard input into rows of the tables of docs/.

    scripts/table_row.py strength CONTEST CONDITIONS    a row of docs/strength-log.md: the last line is a test's result
    scripts/table_row.py levels FIRST                   rows of docs/levels.md: each line is the result of a match of
                                                        a level, the first that number, against the one below

scripts/sprt.sh, scripts/generation.sh and scripts/levels.sh use it. Exit code: 0, or 1 when there is no result.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import date


def difference(pairing: dict) -> str:
    """The games of a pairing, and the Elo that they show."""
    won, drawn, lost = pairing["won_drawn_lost"]
    elo = pairing["estimate"]
    if elo["elo"] is None:
        shown = "all won" if won else "all lost"
    else:
        shown = f"{round(elo['elo'], 1) + 0.0:+.1f} ± {elo['elo_error']:.1f}"
    return f"+{won} ={drawn} -{lost}, {shown}"


def strength(results: dict, contest: str, conditions: str) -> str:
    if not results["finished"]:
        sys.exit("table_row.py: the test is not finished")
    pairing, test = results["pairings"][0], results["sprt"]
    verdict = {"accept-h1": "H1 accepted", "accept-h0": "H0 accepted", "continue": "undecided"}[test["verdict"]]
    hypotheses = f"SPRT of {test['elo1']:g} against {test['elo0']:g} {test['model']} Elo"
    score = f"{difference(pairing)}, LLR {test['llr']:.2f}"
    return f"| {date.today()} | {contest} | {conditions}, {hypotheses}, {results['games']} games | {score}: {verdict} | |"


def levels(matches: list[dict], first: int) -> str:
    rows: list[str] = []
    total: float | None = 0.0
    for level, results in enumerate(matches, first):
        games, elo = difference(results["pairings"][0]).split(", ")
        step = results["pairings"][0]["estimate"]["elo"]
        # Where one side won all there is no such number.
        total = None if total is None or step is None else total + step
        rows.append(f"| {level} | {games} | {elo} | {'?' if total is None else f'{total:+.0f}'} |")
    return "\n".join(rows)


def main() -> None:
    head, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="table_row.py", description=head, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    of_strength = kinds.add_parser("strength", help="a row of docs/strength-log.md")
    of_strength.add_argument("contest", metavar="CONTEST", help="who played whom")
    of_strength.add_argument("conditions", metavar="CONDITIONS", help="time control and hash")
    of_levels = kinds.add_parser("levels", help="rows of docs/levels.md")
    of_levels.add_argument("first", metavar="FIRST", type=int, help="the level that played the first match")
    arguments = parser.parse_args()
    matches = [json.loads(line) for line in sys.stdin if line.strip()]
    if not matches or not all(results.get("pairings") for results in matches):
        sys.exit("table_row.py: no games")
    if arguments.kind == "strength":
        text = strength(matches[-1], arguments.contest, arguments.conditions)
    else:
        text = levels(matches, arguments.first)
    print(text.replace(" -", " −"))


if __name__ == "__main__":
    main()
