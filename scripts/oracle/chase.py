"""A second, slow judge of perpetual check and chase, to tell why two other judges differ.

With no switch set it goes by the Asian articles as docs/rules.md puts them: rule set `axf`. Each switch is a way in
which Fairy-Stockfish departs from them, seen from its source (`Position::chased` and the repetition rule of
`Position::is_optional_game_end`) and its rulings; all switches together are its rule.

Boards are strings of 90 characters as in `Board.cells`, rank 0 first.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import combinations
from typing import Callable, Iterator

from .referee import Board

_ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


class Switch(Enum):
    """A departure from the articles."""

    CHECKS = "a check counts among the chases"
    PINNED_ATTACKER = "a capture that exposes the own king is an attack"
    ROOTS = "protection is read off the lines, not tried out"
    SAME_KIND = "pieces of one kind attack each other only when the victim is pinned or a lame horse"
    NEW_LINES = "an attack is new only if its line is"
    DRAWING_BACK = "drawing back along the line of an attack makes it new"
    PINNED_ROOT = "all that a newly pinned piece protects is chased"
    BATTERY = "all that the front piece of a new battery attacks is chased"
    MOVE_BEFORE = "the move into the first occurrence counts"
    NO_LEG_PIN = "no higher offence against a rook pinned by a horse's leg"

    @staticmethod
    def sets() -> Iterator[tuple[Switch, ...]]:
        """All sets of switches, the smallest first."""
        for number in range(len(Switch) + 1):
            yield from combinations(Switch, number)


Switches = frozenset[Switch]


@dataclass(frozen=True)
class Attack:
    """A piece that might take another, and what can be said of that capture."""

    attacker: int
    victim: int
    is_legal: bool
    # Legal, or illegal only because it does not answer a check that the side is in.
    stands: bool
    wins_more_valuable: bool
    can_be_retaken: bool
    is_exchange_offer: bool
    # The last two as Fairy-Stockfish reads them.
    has_root_by_lines: bool
    is_harmless_among_equals: bool

    def is_chase(self, switches: Switches) -> bool:
        return (self.is_legal or Switch.PINNED_ATTACKER in switches) and self._wins(switches)

    def was_chase(self, switches: Switches) -> bool:
        """Whether it is none that a move after it could make: a check only interrupts an attack."""
        return (self.stands or Switch.PINNED_ATTACKER in switches) and self._wins(switches)

    def _wins(self, switches: Switches) -> bool:
        if self.wins_more_valuable:
            return True
        if self.is_harmless_among_equals if Switch.SAME_KIND in switches else self.is_exchange_offer:
            return False
        return not (self.has_root_by_lines if Switch.ROOTS in switches else self.can_be_retaken)


def _is_red(piece: str) -> bool:
    return piece.isupper()


def _army(cells: str, red: bool) -> list[int]:
    return [square for square, piece in enumerate(cells) if piece != "." and _is_red(piece) == red]


def _king(cells: str, red: bool) -> int:
    return cells.index("K" if red else "k")


def _step(square: int, by: tuple[int, int]) -> int | None:
    rank, file = square // 9 + by[0], square % 9 + by[1]
    return rank * 9 + file if 0 <= rank < 10 and 0 <= file < 9 else None


def _ray(cells: str, square: int, by: tuple[int, int]) -> Iterator[int]:
    """The occupied squares in a direction, the nearest first."""
    at = _step(square, by)
    while at is not None:
        if cells[at] != ".":
            yield at
        at = _step(at, by)


def _own_half(square: int, red: bool) -> bool:
    return (square < 45) == red


def _in_palace(square: int) -> bool:
    return 3 <= square % 9 <= 5 and not 3 <= square // 9 <= 6


@lru_cache(maxsize=1 << 16)
def _reach(cells: str, square: int) -> frozenset[int]:
    """The occupied squares, of either side, that the piece here attacks or protects."""
    kind, red = cells[square].upper(), _is_red(cells[square])
    found: list[int | None] = []
    if kind in "RC":
        for by in _ORTHOGONAL:
            ray = list(_ray(cells, square, by))
            found += ray[kind == "C":][:1]
    elif kind == "N":
        for by in _ORTHOGONAL:
            leg = _step(square, by)
            if leg is not None and cells[leg] == ".":
                found += [_step(leg, to) for to in _DIAGONAL if to[0] == by[0] or to[1] == by[1]]
    elif kind == "B":
        for by in _DIAGONAL:
            eye = _step(square, by)
            if eye is not None and cells[eye] == ".":
                target = _step(eye, by)
                found += [target] if target is not None and _own_half(target, red) else []
    elif kind == "P":
        ways = [(1 if red else -1, 0)] + ([] if _own_half(square, red) else [(0, 1), (0, -1)])
        found += [_step(square, by) for by in ways]
    else:
        targets = [_step(square, by) for by in (_DIAGONAL if kind == "A" else _ORTHOGONAL)]
        found += [target for target in targets if target is not None and _in_palace(target)]
        if kind == "K":
            for by in _ORTHOGONAL[:2]:
                found += [at for at in list(_ray(cells, square, by))[:1] if cells[at].upper() == "K"]
    return frozenset(at for at in found if at is not None and cells[at] != ".")


def _attackers(cells: str, square: int, red: bool) -> list[int]:
    return [at for at in _army(cells, red) if square in _reach(cells, at)]


def _is_exposed(cells: str, red: bool) -> bool:
    return bool(_attackers(cells, _king(cells, red), not red))


def _moved(cells: str, source: int, target: int) -> str:
    board = list(cells)
    board[target], board[source] = board[source], "."
    return "".join(board)


def _without(cells: str, *squares: int) -> str:
    return "".join("." if square in squares else piece for square, piece in enumerate(cells))


def _can_take(cells: str, source: int, target: int) -> bool:
    red = _is_red(cells[source])
    if target not in _reach(cells, source) or cells[target].upper() == "K":
        return False
    return not _is_exposed(_moved(cells, source, target), red)


def _counts(cells: str, square: int) -> bool:
    """Whether a piece can be a victim: neither the king nor a pawn on its own side."""
    piece = cells[square]
    return piece.upper() != "K" and not (piece.upper() == "P" and _own_half(square, _is_red(piece)))


def _screens(cells: str, red: bool) -> frozenset[int]:
    """Pieces of either side whose removal lets a piece, not the other king, attack this side's king."""
    king = _king(cells, red)
    known = set(_attackers(cells, king, not red))

    def opens(square: int) -> bool:
        new = set(_attackers(_without(cells, square), king, not red)) - known
        return any(cells[at].upper() != "K" for at in new)

    return frozenset(square for square, piece in enumerate(cells) if piece not in ".Kk" and opens(square))


def _pinned_by_lines(cells: str, red: bool) -> frozenset[int]:
    """The pieces of a side that Fairy-Stockfish takes for pinned: screens, and the side's only piece on the file of
    both kings."""
    own = frozenset(square for square in _screens(cells, red) if _is_red(cells[square]) == red)
    file = _king(cells, not red) % 9
    on_file = [square for square in _army(cells, red) if square % 9 == file]
    if _king(cells, red) in on_file and len(on_file) <= 2:
        own |= {square for square in on_file if cells[square].upper() != "K"}
    return own


@lru_cache(maxsize=1 << 14)
def _attacks(cells: str, red: bool) -> tuple[Attack, ...]:
    """The attacks of a side's pieces, kings and pawns left out, whether they win anything or not."""
    pinned = _pinned_by_lines(cells, not red)
    checkers = set(_attackers(cells, _king(cells, red), not red))
    found = []
    for attacker in _army(cells, red):
        kind = cells[attacker].upper()
        if kind in "KP":
            continue
        for victim in _reach(cells, attacker):
            if _is_red(cells[victim]) == red or not _counts(cells, victim):
                continue
            taken = _moved(cells, attacker, victim)
            prey = cells[victim].upper()
            more = "R" if kind in "NC" else "RNC" if kind in "AB" else ""
            are_equal = kind == prey and kind in "RNC"
            found.append(
                Attack(
                    attacker,
                    victim,
                    is_legal=not _is_exposed(taken, red),
                    stands=checkers.issuperset(_attackers(taken, _king(taken, red), not red)),
                    wins_more_valuable=prey in more,
                    can_be_retaken=any(_can_take(taken, at, victim) for at in _army(taken, not red)),
                    is_exchange_offer=are_equal and _can_take(cells, victim, attacker),
                    has_root_by_lines=_has_root_by_lines(cells, attacker, victim, pinned),
                    is_harmless_among_equals=kind == prey and _is_harmless(cells, attacker, victim, pinned),
                )
            )
    return tuple(found)


def _has_root_by_lines(cells: str, attacker: int, victim: int, pinned: frozenset[int]) -> bool:
    red = _is_red(cells[victim])
    left = _without(cells, attacker)
    roots = set(_attackers(left, victim, red)) - pinned
    king, enemy_king = _king(cells, red), _king(cells, not red)
    if roots != {king}:
        return bool(roots)
    as_rook = left[:enemy_king] + ("r" if red else "R") + left[enemy_king + 1 :]
    return victim not in _reach(as_rook, enemy_king)


def _is_harmless(cells: str, attacker: int, victim: int, pinned: frozenset[int]) -> bool:
    corners = [_step(attacker, by) for by in _DIAGONAL]
    if cells[attacker].upper() == "N" and any(at is not None and cells[at] != "." for at in corners):
        return attacker in _reach(cells, victim)
    return victim not in pinned


@dataclass(frozen=True)
class Step:
    """A move that takes nothing, or one that leads into the window, with the boards around it."""

    before: str
    source: int
    target: int
    after: str

    @property
    def is_red(self) -> bool:
        return _is_red(self.after[self.target])

    def gives_check(self) -> bool:
        return _is_exposed(self.after, not self.is_red)

    def victims(self, switches: Switches) -> frozenset[int]:
        """The squares, after the move, of the pieces it chases."""
        if self.gives_check() and Switch.CHECKS not in switches:
            return frozenset()
        attacks = all_attacks = [a for a in _attacks(self.after, self.is_red) if a.is_chase(switches)]
        if Switch.NEW_LINES in switches:
            attacks = [attack for attack in attacks if self._opens_line(attack)]
        else:
            old = {(a.attacker, a.victim) for a in _attacks(self.before, self.is_red) if a.was_chase(switches)}
            came_from = {self.target: self.source}
            attacks = [a for a in attacks if (came_from.get(a.attacker, a.attacker), a.victim) not in old]
        found = {attack.victim for attack in attacks}
        if Switch.DRAWING_BACK in switches:
            found |= {attack.victim for attack in all_attacks if self._draws_back(attack)}
        if Switch.PINNED_ROOT in switches:
            found |= self._protected_by_newly_pinned()
        if Switch.BATTERY in switches:
            found |= self._attacked_by_new_batteries()
        return frozenset(found)

    def _opens_line(self, attack: Attack) -> bool:
        if attack.attacker != self.target:
            return attack.victim not in _reach(self.before, attack.attacker)
        files = {self.source % 9, self.target % 9, attack.victim % 9}
        ranks = {self.source // 9, self.target // 9, attack.victim // 9}
        is_slider = self.after[self.target].upper() in "RC"
        return not (is_slider and (len(files) == 1 or len(ranks) == 1))

    def _draws_back(self, attack: Attack) -> bool:
        """Whether the moved rook or cannon, where it stands now, would not attack this piece if it also still stood
        where it came from."""
        piece = self.after[self.target]
        if attack.attacker != self.target or piece.upper() not in "RC":
            return False
        both = self.after[: self.source] + piece + self.after[self.source + 1 :]
        return attack.victim not in _reach(both, self.target)

    def _new_screens(self, of: Callable[[str], bool]) -> list[int]:
        victim_side = not self.is_red
        new = _screens(self.after, victim_side) - _screens(self.before, victim_side)
        return [square for square in new if of(self.after[square])]

    def _protected_by_newly_pinned(self) -> set[int]:
        red = self.is_red
        loose = set(_army(self.after, red)) - _screens(self.after, red)
        attacked = {at for attacker in loose for at in _reach(self.after, attacker)}
        return {
            at
            for pinned in self._new_screens(lambda piece: _is_red(piece) != red)
            for at in _reach(self.after, pinned) & attacked
            if _is_red(self.after[at]) != red and _counts(self.after, at)
        }

    def _attacked_by_new_batteries(self) -> set[int]:
        red = self.is_red
        king = _king(self.after, not red)
        found = set()
        for front in self._new_screens(lambda piece: _is_red(piece) == red):
            for at in _reach(self.after, front):
                if _is_red(self.after[at]) == red:
                    continue
                near_king = _in_palace(at) and abs(at // 9 - king // 9) + abs(at % 9 - king % 9) == 1
                left = _without(self.after, front, king)
                if not near_king or _attackers(left, at, red):
                    found.add(at)
        return found

    def leg_pinned_rooks(self) -> frozenset[int]:
        """The rooks that keep a horse of the mover's from giving check."""
        red = self.is_red
        king = _king(self.after, not red)

        def horses(cells: str) -> set[int]:
            return {at for at in _attackers(cells, king, red) if cells[at].upper() == "N"}

        known = horses(self.after)
        rooks = [at for at in _army(self.after, not red) if self.after[at].upper() == "R"]
        return frozenset(at for at in rooks if horses(_without(self.after, at)) - known)


class _Line:
    """A game as steps, with an identity for each piece: the square it started from."""

    def __init__(self, game: dict) -> None:
        board = Board(game["fen"])
        names = list(range(90))
        self.keys = [board.placement() + board.side]
        self.steps: list[Step] = []
        self.names = [tuple(names)]
        for move in game["moves"]:
            source, target = Board.square(move[:2]), Board.square(move[2:])
            before = "".join(board.cells)
            board.make(move)
            names[target] = names[source]
            self.steps.append(Step(before, source, target, "".join(board.cells)))
            self.names.append(tuple(names))
            self.keys.append(board.placement() + board.side)
        occurrences = [at for at, key in enumerate(self.keys) if key == self.keys[-1]]
        self.first = occurrences[-3] if len(occurrences) >= 3 else len(self.steps)

    def level(self, red: bool, switches: Switches) -> int:
        """How bad what a side does is: 3 perpetual check, 2 chase of a leg-pinned rook, 1 perpetual chase."""
        numbers = [at for at in range(self.first, len(self.steps)) if self.steps[at].is_red == red]
        if all(self.steps[at].gives_check() for at in numbers):
            return 3
        is_last_mover = self.steps[-1].is_red == red
        if Switch.MOVE_BEFORE in switches and is_last_mover and self.first > 0:
            numbers.insert(0, self.first - 1)
        common = leg_pinned = None
        for at in numbers:
            step = self.steps[at]
            victims = step.victims(switches)
            rooks = victims & step.leg_pinned_rooks() if victims else victims
            chased, pinned = ({self.names[at + 1][square] for square in squares} for squares in (victims, rooks))
            common = chased if common is None else common & chased
            leg_pinned = pinned if leg_pinned is None else leg_pinned & pinned
            if not common:
                return 0
        return 2 if leg_pinned and Switch.NO_LEG_PIN not in switches else 1


@lru_cache(maxsize=64)
def _line(fen: str, moves: tuple[str, ...]) -> _Line:
    return _Line({"fen": fen, "moves": moves})


def _line_of(game: dict) -> _Line:
    return _line(game["fen"], tuple(game["moves"]))


def window_length(game: dict) -> int:
    """Plies from the first occurrence of the last position to its third."""
    line = _line_of(game)
    return len(line.steps) - line.first


def has_check(game: dict) -> bool:
    """Whether a move of the window gives check."""
    line = _line_of(game)
    return any(step.gives_check() for step in line.steps[line.first :])


def judge(game: dict, switches: Switches) -> str:
    """`red_loses`, `black_loses` or `draw` for a game that ends with the third occurrence of a position."""
    line = _line_of(game)
    red, black = line.level(True, switches), line.level(False, switches)
    return "draw" if red == black else "red_loses" if red > black else "black_loses"
