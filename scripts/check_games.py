#!/usr/bin/env python3
"""A second referee of finished games: replays PGN, as `chuhe match --pgn` writes it, by an independent library (pyffish).

    scripts/check_games.py games.pgn [MORE.pgn …]

In every game every move must be legal, no move may come after the end, and result and reason must be those of the last
position: checkmate, stalemate, the third occurrence of a position, the natural limit, dead material. Who loses by
perpetual check is judged here; chases by a second judge that follows the Asian articles (oracle/chase.py), which must
agree with the rule set `axf`. Under `computer` either that judge or pyffish must agree, whose rules are not quite the
same (docs/rules.md); a repetition that neither confirms is told and counted apart, as all are under the Chinese rules.
Endings that no board shows (time, resignation, agreement …) must fit to the side to move and to the result.

Exit code: 0 when everything agrees, 1 when not, 2 for bad arguments and files that cannot be read.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

sys.path.insert(0, str(Path(__file__).resolve().parent))

try:
    from oracle import chase
    from oracle.referee import BLACK, RED, START_FEN, Game, Limits, opponent, ruling
except ModuleNotFoundError as error:
    print(f"check_games.py: {error} (scripts/peers.sh installs it)", file=sys.stderr)
    sys.exit(2)

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
WIN = {RED: "1-0", BLACK: "0-1"}
RESULT = {"draw": "1/2-1/2", "red_loses": "0-1", "black_loses": "1-0"}
SIDES = {"Red": RED, "Black": BLACK}
ON_THE_BOARD = ("checkmate", "stalemate", "repetition", "natural limit", "dead material")

_TOKEN = re.compile(r"\{[^}]*\}|[^\s{}]+")
_MOVE = re.compile(r"([A-I]\d)-?([A-I]\d)", re.IGNORECASE)
_ILLEGAL = re.compile(r"(?:^|, )(Red|Black)'s move ([a-i]\d[a-i]\d) is illegal")
_FAILED = re.compile(r"(?:^|, )(Red|Black) failed: ")


class Disagreement(Exception):
    """What is wrong with a game."""


@dataclass
class Record:
    """A game of a file."""

    tags: dict[str, str] = field(default_factory=dict)
    movetext: str = ""

    def name(self) -> str:
        return f"{self.tags.get('Red', '?')} - {self.tags.get('Black', '?')}, round {self.tags.get('Round', '?')}"


def records(text: str) -> Iterator[Record]:
    """The games of a file. A line of tags after moves begins the next one."""
    record = Record()
    for line in text.splitlines():
        tag = re.match(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]\s*$', line)
        if tag and record.movetext.strip():
            yield record
            record = Record()
        if tag:
            record.tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        else:
            record.movetext += line + "\n"
    if record.tags or record.movetext.strip():
        yield record


def check(record: Record, limits: Limits) -> tuple[int, bool]:
    """Replays a game. Returns its half-moves, and whether a repetition was left unconfirmed.

    Raises Disagreement.
    """
    if record.tags.get("Format", "ICCS") != "ICCS":
        raise Disagreement(f"notation {record.tags['Format']}; only ICCS is read")
    tokens = _TOKEN.findall(record.movetext)
    result = record.tags.get("Result", "*")
    if not tokens or tokens[-1] != result or result not in RESULTS:
        raise Disagreement(f"tag Result `{result}`, but the moves end with `{tokens[-1] if tokens else ''}`")
    try:
        game = Game(record.tags.get("FEN", START_FEN), limits)
    except (ValueError, IndexError) as error:
        raise Disagreement(f"start position: {error}") from error
    reason = ""
    for token in tokens[:-1]:
        if token.startswith("{"):
            reason = token[1:-1]
        elif not re.fullmatch(r"\d+\.+|\$\d+", token):
            play(game, token)
            reason = ""
    if record.tags.get("PlyCount", str(len(game.moves))) != str(len(game.moves)):
        raise Disagreement(f"tag PlyCount {record.tags['PlyCount']}, but {len(game.moves)} half-moves")
    return len(game.moves), check_ending(game, record.tags, result, reason)


def play(game: Game, token: str) -> None:
    """Plays the next move of a game that must not be over before it."""
    ply = len(game.moves) + 1
    if verdict := game.verdict():
        raise Disagreement(f"ply {ply}: {token} comes after the end, {verdict}")
    move = _MOVE.fullmatch(token)
    if not move or (move[1] + move[2]).lower() not in game.legal:
        raise Disagreement(f"ply {ply}: {token} is no legal move in {game.fen}")
    game.push((move[1] + move[2]).lower())


def check_ending(game: Game, tags: dict[str, str], result: str, reason: str) -> bool:
    """Compares result and reason with the last position; returns whether a repetition is unconfirmed."""
    termination = tags.get("Termination")
    verdict = game.verdict()
    if verdict is None:
        if termination in ON_THE_BOARD:
            raise Disagreement(f"ended by {termination}, but the game goes on in {game.fen}")
        check_resignation_and_faults(game, termination, result, reason)
        return False
    if termination not in (None, verdict.termination):
        raise Disagreement(f"ended by {termination}, but the board says {verdict}")
    rules = tags.get("Ruleset", "computer")
    if verdict.termination == "repetition" and (verdict.winner is None or rules == "alwaysdraw"):
        return check_repetition(game, rules, result)
    if result != verdict.result:
        raise Disagreement(f"result {result}, but the board says {verdict}")
    return False


def check_repetition(game: Game, rules: str, result: str) -> bool:
    """A repetition that is no perpetual check by one side alone, or need not matter; returns whether it is unconfirmed."""
    line = {"fen": game.start_fen, "moves": game.moves}
    rulings: set[str | None] = set()
    if rules in ("alwaysdraw", "checkonly"):
        rulings = {"draw"}
    elif rules in ("axf", "computer"):
        rulings = {chase.judge(line, frozenset())}
    if rules == "computer":
        rulings |= {ruling(game.start_fen, game.moves)} | ({"draw"} if chase.has_check(line) else set())
    results = {RESULT[one] for one in rulings if one}
    if result in results:
        return False
    if result == "*" or rules in ("alwaysdraw", "checkonly", "axf"):
        raise Disagreement(f"result {result} by repetition, but under {rules} it is {' or '.join(results)}")
    return True


def check_resignation_and_faults(game: Game, termination: str | None, result: str, reason: str) -> None:
    """An ending that the board does not show."""
    if termination in ("agreement", "maximal length"):
        expected = "1/2-1/2"
    elif termination in ("resignation", "time", "no move"):
        expected = WIN[opponent(game.side)]
    elif illegal := _ILLEGAL.search(reason):
        if SIDES[illegal[1]] != game.side or illegal[2] in game.legal:
            raise Disagreement(f"{illegal[1]}'s move {illegal[2]} is called illegal in {game.fen}")
        expected = WIN[opponent(game.side)]
    elif (failed := _FAILED.search(reason)) and result != "*":
        expected = WIN[opponent(SIDES[failed[1]])]
    else:
        return
    if result != expected:
        raise Disagreement(f"ended by {termination} with {result}, expected {expected}")


def main(argv: list[str]) -> int:
    head, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="check_games.py", description=head, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="games in PGN, moves in ICCS")
    parser.add_argument("--natural-limit", type=int, default=120, metavar="N",
                        help="half-moves without a capture that draw; 0: none (default 120)")
    parser.add_argument("--no-dead-material", action="store_true", help="dead material does not end games")
    arguments = parser.parse_args(argv)
    limits = Limits(arguments.natural_limit or None, not arguments.no_dead_material)
    games = plies = wrong = unconfirmed = 0
    for path in arguments.files:
        try:
            found = list(records(path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            print(f"check_games.py: {path}: {error}", file=sys.stderr)
            return 2
        if not found:
            print(f"check_games.py: {path}: no games", file=sys.stderr)
            return 2
        for number, record in enumerate(found, 1):
            games += 1
            try:
                length, is_unconfirmed = check(record, limits)
            except Disagreement as disagreement:
                wrong += 1
                print(f"{path}, game {number} ({record.name()}): {disagreement}")
                continue
            plies += length
            if is_unconfirmed:
                unconfirmed += 1
                print(f"{path}, game {number} ({record.name()}): {record.tags.get('Result')} by repetition is not confirmed")
    print(f"{games} games, {plies} half-moves: {wrong} disagree, {unconfirmed} repetitions not confirmed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
