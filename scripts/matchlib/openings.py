"""Opening lines for matches, read from a file and handed out in a seeded random order."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

from .referee import START_FEN, Game


@dataclass(frozen=True)
class Opening:
    name: str
    moves: tuple[str, ...]
    fen: str = START_FEN


def load(path: Path, plies: int | None) -> list[Opening]:
    """Reads tab-separated lines whose last column holds ICCS moves, or a FEN to start from.

    Lines are cut to `plies` half-moves; lines that become equal by that are kept once.
    Every line is replayed, so a bad one is reported here and not in the middle of a match.
    """
    found: dict[tuple[str, tuple[str, ...]], Opening] = {}
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        name = " ".join(column for column in columns[:-1] if column and not column.isdigit()) or f"line {number}"
        fen, moves = START_FEN, tuple(columns[-1].lower().replace("-", "").replace("|", " ").split())
        if "/" in columns[-1]:
            fen, moves = columns[-1], ()
        moves = moves[:plies]
        try:
            game = Game(fen)
            for move in moves:
                game.push(move)
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
        if game.legal:
            found.setdefault((fen, moves), Opening(name, moves, fen))
    if not found:
        raise ValueError(f"{path}: no opening lines")
    return list(found.values())


def shuffled(openings: list[Opening], seed: int) -> Iterator[Opening]:
    """All openings in random order, again and again, each round in an order of its own."""
    dice = random.Random(seed)
    while True:
        order = openings[:]
        dice.shuffle(order)
        yield from order
