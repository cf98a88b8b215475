"""A referee of games: legality by pyffish (Fairy-Stockfish's library), endings by rules that are written out here.

Moves are ICCS inside the scripts (files a-i, ranks 0-9, `h2e2`); pyffish counts ranks from 1 to 10.
One pyffish call costs about a millisecond whatever it is asked, because the library sets up its
variant tables every time. So the board is kept here, and pyffish is asked once a move: for the legal moves.
Whether a move gave check is asked only when a position has come back for the third time.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import pyffish

VARIANT = "xiangqi"
START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
RED, BLACK = "w", "b"

_MOVE = re.compile(r"([a-i])(10|[0-9])([a-i])(10|[0-9])$")


def opponent(side: str) -> str:
    return BLACK if side == RED else RED


def shift_ranks(move: str, by: int) -> str | None:
    """The move with both ranks moved by `by`; None when it is not a move or leaves the board."""
    found = _MOVE.match(move)
    if not found:
        return None
    ranks = [int(found[2]) + by, int(found[4]) + by]
    lowest = 1 if by > 0 else 0
    if min(ranks) < lowest or max(ranks) > lowest + 9:
        return None
    return f"{found[1]}{ranks[0]}{found[3]}{ranks[1]}"


def to_pyffish(move: str) -> str | None:
    """`h2e2` to `h3e3`."""
    return shift_ranks(move, 1)


def from_pyffish(move: str) -> str:
    """`h3e3` to `h2e2`."""
    shifted = shift_ranks(move, -1)
    assert shifted is not None, f"pyffish named a move that is none: {move}"
    return shifted


def ruling(fen: str, moves: list[str], variant: str = VARIANT) -> str | None:
    """How pyffish rules a game that ends by repetition: `draw`, `red_loses` or `black_loses`; None when it sees no
    repetition."""
    has_ended, value = pyffish.is_optional_game_end(variant, fen, [to_pyffish(move) for move in moves])
    if not has_ended:
        return None
    if value == 0:
        return "draw"
    # The value is that of the side to move.
    is_red_to_move = (fen.split()[1] == RED) == (len(moves) % 2 == 0)
    return "red_loses" if is_red_to_move == (value < 0) else "black_loses"


class Board:
    """A placement and the side to move: enough to make moves and to write FEN, nothing about legality."""

    __slots__ = ("cells", "side")

    def __init__(self, fen: str) -> None:
        fields = fen.split()
        self.cells: list[str] = []
        for row in reversed(fields[0].split("/")):  # rank 0 first, as squares are counted
            for char in row:
                if char.isdigit():
                    self.cells.extend("." * int(char))
                else:
                    self.cells.append(char)
        self.side = BLACK if len(fields) > 1 and fields[1] == BLACK else RED
        if len(self.cells) != 90:
            raise ValueError(f"not ten rows of nine squares: {fen}")

    @staticmethod
    def square(name: str) -> int:
        return int(name[1:]) * 9 + ord(name[0]) - ord("a")

    def make(self, move: str) -> str:
        """Makes an ICCS move and returns the captured piece, `.` for none."""
        source, target = self.square(move[:2]), self.square(move[2:])
        captured = self.cells[target]
        self.cells[target] = self.cells[source]
        self.cells[source] = "."
        self.side = opponent(self.side)
        return captured

    def placement(self) -> str:
        text = "".join(self.cells)
        rows = [text[start : start + 9] for start in range(81, -1, -9)]
        return re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))

    def fen(self, quiet_plies: int = 0, fullmove: int = 1) -> str:
        return f"{self.placement()} {self.side} - - {quiet_plies} {fullmove}"


@dataclass(frozen=True)
class Verdict:
    """How a game ended: the winner's side, None for a draw, and why, in the words of the PGN tag `Termination`."""

    winner: str | None
    termination: str

    @property
    def result(self) -> str:
        return {RED: "1-0", BLACK: "0-1", None: "1/2-1/2"}[self.winner]

    def __str__(self) -> str:
        return f"{self.result} by {self.termination}"


@dataclass(frozen=True)
class Limits:
    """What ends a game besides mate and repetition."""

    quiet_plies: int | None = 120
    dead_material: bool = True


class Game:
    """A game in progress: knows its legal moves and when it is over by what stands on the board.

    Of repetitions only perpetual check is judged; all others are draws.
    """

    def __init__(self, fen: str = START_FEN, limits: Limits = Limits()) -> None:
        self.limits = limits
        self.start_fen = fen
        self.board = Board(fen)
        fields = fen.split()
        # Counted here, because Fairy-Stockfish's own counter need not agree with "moves without capture".
        self.quiet = int(fields[4]) if len(fields) > 4 and fields[4].isdigit() else 0
        self.moves: list[str] = []
        self._keys: list[str] = [self._key()]
        self._seen: Counter[str] = Counter(self._keys)
        self._checks: dict[str, bool] = {}

    def _key(self) -> str:
        return f"{self.board.placement()} {self.board.side}"

    @property
    def side(self) -> str:
        return self.board.side

    @property
    def fen(self) -> str:
        return self.board.fen(self.quiet, 1 + len(self.moves) // 2)

    @cached_property
    def legal(self) -> frozenset[str]:
        """Legal moves of the side to move, in ICCS."""
        return frozenset(map(from_pyffish, pyffish.legal_moves(VARIANT, self.board.fen(), [])))

    def push(self, move: str) -> None:
        """Makes a legal move."""
        if move not in self.legal:
            raise ValueError(f"illegal move {move} in {self.fen}")
        captured = self.board.make(move)
        self.moves.append(move)
        self.quiet = self.quiet + 1 if captured == "." else 0
        self._keys.append(self._key())
        self._seen[self._keys[-1]] += 1
        del self.legal

    def verdict(self) -> Verdict | None:
        """Whether the position on the board ends the game; mate counts before every draw."""
        if not self.legal:
            kind = "checkmate" if self._in_check(self._keys[-1]) else "stalemate"
            return Verdict(opponent(self.side), kind)
        if self._seen[self._keys[-1]] >= 3:
            return Verdict(self._winner_by_repetition(), "repetition")
        if self.limits.quiet_plies is not None and self.quiet >= self.limits.quiet_plies:
            return Verdict(None, "natural limit")
        if self.limits.dead_material and not any(piece in "RNCPrncp" for piece in self.board.cells):
            return Verdict(None, "dead material")
        return None

    def _in_check(self, key: str) -> bool:
        if key not in self._checks:
            self._checks[key] = bool(pyffish.gives_check(VARIANT, f"{key} - - 0 1", []))
        return self._checks[key]

    def _winner_by_repetition(self) -> str | None:
        """Third occurrence: who alone gave check with every move since the first occurrence loses."""
        first = self._keys.index(self._keys[-1])
        cycle = self._keys[first + 1 :]
        # A key whose side to move is Black stands after a move of Red.
        perpetual = {
            side: all(self._in_check(key) for key in cycle if key.endswith(f" {opponent(side)}"))
            for side in (RED, BLACK)
        }
        return next((opponent(side) for side in (RED, BLACK) if perpetual[side] and not perpetual[opponent(side)]), None)
