#!/usr/bin/env python3
"""Compares XQF files that chuhe writes with what another program reads in them: every line of moves must be the same.

    scripts/xqf_cchess.py PROGRAM FILE…

Needs the package cchess of PyPI (GPL), which is used as it is: pip install cchess.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def lines(game):
    """All lines of a game in JSON, from the start to their ends."""
    found = [game["moves"]]
    for variation in game.get("variations", []):
        found.append(found[variation["line"]][: variation["ply"] - 1] + variation["moves"])
    return sorted(found)


def main():
    head, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="xqf_cchess.py", description=head, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", metavar="PROGRAM", help="the chuhe that writes them")
    parser.add_argument("files", nargs="+", metavar="FILE", help="game files of any kind")
    arguments = parser.parse_args()
    program, files = arguments.program, arguments.files

    import cchess

    compared = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "convert", "--to", "xqf", "-o", folder, *files], check=False)
        for path in sorted(Path(folder).rglob("*.xqf")):
            output = subprocess.run([program, "convert", "--to", "json", path], check=True, capture_output=True)
            ours = json.loads(output.stdout)
            theirs = cchess.Game.read_from(str(path))
            same_position = theirs.init_board.to_fen().split()[0] == ours["start_fen"].split()[0]
            # A game without moves has no line there.
            same_lines = sorted(theirs.dump_iccs_moves() or [[]]) == lines(ours)
            compared += 1
            if not (same_position and same_lines):
                wrong += 1
                print(f"{path.name}: other moves or another position", file=sys.stderr)
    print(f"{compared} games compared, {wrong} read otherwise")
    sys.exit(wrong > 0 or compared == 0)


if __name__ == "__main__":
    main()
