#!/usr/bin/env python3
"""Compares an engine's legal moves, and whether it sees a check, with pyffish's over random positions.

One engine process is driven in UCI: `position fen F`, `go perft 1` (lines `h2e2: 1`, then `Nodes searched: N`,
as the Stockfish family prints them), and `d` for its line `Checkers: ...`. An engine whose `d` prints no such
line is compared by its moves only, and the last line says so.

Positions come from seeded random games that are played to their end: half of them from the start position,
half from random placements of few pieces. The games prefer captures and moves that aim at the general.

  scripts/movelists.py                                   target/release/chuhe, 20,000 positions
  scripts/movelists.py --engine fairy-stockfish --positions 2000

Exit code: 0 when everything agrees, 1 when not, 2 for bad arguments or an engine that does not start.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Iterator

import pyffish

sys.path.insert(0, str(Path(__file__).resolve().parent))

from oracle.referee import BLACK, RED, START_FEN, VARIANT, Board, from_pyffish, opponent, shift_ranks  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
# Where Debian puts games, which is not on everybody's PATH.
DEBIAN_GAMES = "/usr/games"
PATIENCE = 10.0  # seconds for an answer
MAX_PLIES = 160  # of a game from the start position
MAX_PLIES_PLACED = 60  # of a game from a placement: more placements instead of long shuffling
CAPTURE_SHARE = 0.2  # how often a capture is chosen when there is one
AIM_SHARE = 0.3  # how often a move at the other general is

_ADVISOR = ["d0", "f0", "e1", "d2", "f2"]
_ELEPHANT = ["c0", "g0", "a2", "e2", "i2", "c4", "g4"]
_PALACE = [f + r for f in "def" for r in "012"]
_PAWN = [f + r for f in "acegi" for r in "34"] + [f + r for f in "abcdefghi" for r in "56789"]
_ALL = [f + r for f in "abcdefghi" for r in "0123456789"]
_PLACES = {"K": _PALACE, "A": _ADVISOR, "B": _ELEPHANT, "P": _PAWN, "N": _ALL, "C": _ALL, "R": _ALL}
_NUMBER = {"A": 2, "B": 2, "P": 5, "N": 2, "C": 2, "R": 2}


def legal_moves(board: Board) -> list[str]:
    return [from_pyffish(move) for move in pyffish.legal_moves(VARIANT, board.fen(), [])]


def in_check(board: Board) -> bool:
    return bool(pyffish.gives_check(VARIANT, board.fen(), []))


def generals_face(board: Board) -> bool:
    red, black = board.cells.index("K"), board.cells.index("k")
    return red % 9 == black % 9 and all(board.cells[square] == "." for square in range(red + 9, black, 9))


def placement(dice: random.Random) -> Board:
    """A random legal position: pieces where they may stand, and the side that just moved not in check."""
    while True:
        board = Board(START_FEN)
        board.cells = ["."] * 90
        board.side = dice.choice((RED, BLACK))
        pieces = [piece for piece, number in _NUMBER.items() for _ in range(number)]
        for side in (RED, BLACK):
            army = ["K", *dice.sample(pieces, dice.randint(1, dice.choice((3, 7, 15))))]
            for piece in army:
                free = []
                for name in _PLACES[piece]:
                    square = Board.square(name)
                    square = square if side == RED else 89 - square
                    if board.cells[square] == ".":
                        free.append(square)
                if free:
                    board.cells[dice.choice(free)] = piece if side == RED else piece.lower()
        if generals_face(board):
            continue
        board.side = opponent(board.side)
        exposed = in_check(board)
        board.side = opponent(board.side)
        if not exposed and pyffish.validate_fen(board.fen(), VARIANT) == pyffish.FEN_OK:
            return board


def aims(board: Board, move: str) -> bool:
    """Whether the move puts an attacker in line with, or a step from, the other general: often a check."""
    piece = board.cells[Board.square(move[:2])].upper()
    target = Board.square(move[2:])
    general = board.cells.index("k" if board.side == RED else "K")
    files, ranks = abs(target % 9 - general % 9), abs(target // 9 - general // 9)
    if piece in "RC":
        return files == 0 or ranks == 0
    return piece == "N" and files * ranks == 2 or piece == "P" and files + ranks == 1


def choose(dice: random.Random, board: Board, moves: list[str]) -> str:
    """A random move, with a liking for attacks on the general and for captures."""
    liking = dice.random()
    if liking < AIM_SHARE:
        liked = [move for move in moves if aims(board, move)]
    elif liking < AIM_SHARE + CAPTURE_SHARE:
        liked = [move for move in moves if board.cells[Board.square(move[2:])] != "."]
    else:
        liked = []
    return dice.choice(liked or moves)


def positions(seed: int) -> Iterator[tuple[Board, list[str]]]:
    """Positions with their legal moves, without end."""
    dice = random.Random(seed)
    turned_out = [0, 0]
    while True:
        kind = 0 if turned_out[0] <= turned_out[1] else 1
        board = Board(START_FEN) if kind == 0 else placement(dice)
        for _ in range(MAX_PLIES if kind == 0 else MAX_PLIES_PLACED):
            moves = legal_moves(board)
            turned_out[kind] += 1
            yield board, moves
            # Without attacking pieces only the palaces move: the first such position says it all.
            if not moves or not any(cell in "RNCPrncp" for cell in board.cells):
                break
            board.make(choose(dice, board, moves))


class Trouble(Exception):
    """An engine that does not start, or does not answer as it should."""


class Subject:
    """The engine under test."""

    def __init__(self, command: str) -> None:
        words = shlex.split(command)
        program = words and shutil.which(words[0], path=os.pathsep.join([os.environ.get("PATH", ""), DEBIAN_GAMES]))
        if not program:
            raise Trouble(f"no program {command}")
        self.tells_checks = True
        self.rank_shift = 0
        self.identity = words[0]
        self.process = subprocess.Popen(
            [program, *words[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        for line in self.ask("uci", until="uciok"):
            if line.startswith("id name "):
                self.identity = line.removeprefix("id name ")
            if re.match(r"option name UCI_Variant .*var xiangqi\b", line):
                self.ask("setoption name UCI_Variant value xiangqi", "isready", until="readyok")
        # Its first pawn tells what it counts ranks from.
        self.rank_shift = 1 if "a4a5" in self.moves(START_FEN)[0] else 0

    def ask(self, *lines: str, until: str) -> list[str]:
        """Sends lines, and gives the answer up to the line that begins like that."""
        assert self.process.stdin and self.process.stdout
        answer = []
        # An engine that is killed ends its output.
        watch = threading.Timer(PATIENCE, self.process.kill)
        watch.start()
        try:
            self.process.stdin.write("".join(f"{line}\n" for line in lines))
            self.process.stdin.flush()
            for line in self.process.stdout:
                answer.append(line.strip())
                if line.startswith(until):
                    return answer
        except BrokenPipeError:
            pass
        finally:
            watch.cancel()
        raise Trouble(f"{self.identity}: no `{until}` for `{lines[-1]}`, only {answer[-6:]}")

    def moves(self, fen: str) -> tuple[list[str], bool | None]:
        """The legal moves, and whether the position is check; None when the engine does not tell."""
        found = []
        is_check = None
        *answer, last = self.ask(f"position fen {fen}", "d", "go perft 1", until="Nodes searched")
        for line in answer:
            if line.startswith("Checkers:"):
                is_check = bool(line.partition(":")[2].strip())
            if counted := re.match(r"([a-i]\d+[a-i]\d+): 1$", line):
                found.append(shift_ranks(counted[1], -self.rank_shift) or counted[1])
        if last.partition(":")[2].strip() != str(len(found)):
            raise Trouble(f"{self.identity}: {len(found)} moves listed, `{last}`; fen {fen}")
        return found, is_check

    def quit(self) -> None:
        self.process.kill()
        self.process.communicate()


def compare(subject: Subject, wanted: int, seed: int, most: int) -> int:
    """Compares that many positions and prints what differs; returns the number of positions that do."""
    begin = time.monotonic()
    seen: Counter[str] = Counter()
    bad = 0
    for board, expected in positions(seed):
        if seen["positions"] == wanted:
            break
        seen["positions"] += 1
        fen = board.fen()
        found, told = subject.moves(fen)
        problems = []
        if missing := sorted(set(expected) - set(found)):
            problems.append(f"missing {' '.join(missing)}")
        if extra := sorted(set(found) - set(expected)):
            problems.append(f"too many {' '.join(extra)}")
        if twice := sorted(move for move, count in Counter(found).items() if count > 1):
            problems.append(f"repeated {' '.join(twice)}")
        if subject.tells_checks:
            check = in_check(board)
            if told is None:
                subject.tells_checks = False
            elif told != check:
                problems.append(f"{'no ' if check else ''}check seen, pyffish says {'check' if check else 'none'}")
            seen["checks"] += check
        seen["moves"] += len(expected)
        seen["ends"] += not expected
        seen["endings"] += sum(cell != "." for cell in board.cells) <= 12
        if problems:
            bad += 1
            if bad <= most:
                print(f"{fen}: {'; '.join(problems)}")
    checks = f"{seen['checks']} checks" if subject.tells_checks else "checks not compared (no `Checkers:` in `d`)"
    print(
        f"{subject.identity}: {seen['positions']} positions, {seen['moves']} moves, {checks}, {seen['ends']} without a "
        f"move, {seen['endings']} with 12 pieces or fewer: {bad} differ ({time.monotonic() - begin:.0f} s)"
    )
    return bad


def main(argv: list[str]) -> int:
    head, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="movelists.py", description=head, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = shlex.quote(str(ROOT / "target/release/chuhe"))
    parser.add_argument("--engine", default=default, metavar="COMMAND", help="a UCI engine that knows `go perft 1`")
    parser.add_argument("--positions", type=int, default=20_000, metavar="N", help="how many (default 20000)")
    parser.add_argument("--seed", type=int, default=1, help="of the random games (default 1)")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="differences to print (default 20)")
    arguments = parser.parse_args(argv)
    try:
        subject = Subject(arguments.engine)
    except (Trouble, OSError, ValueError) as trouble:
        print(f"movelists.py: {trouble}", file=sys.stderr)
        return 2
    try:
        bad = compare(subject, arguments.positions, arguments.seed, arguments.show)
    except Trouble as trouble:
        print(trouble)
        return 1
    finally:
        subject.quit()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
