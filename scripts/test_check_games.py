#!/usr/bin/env python3
"""Tests of the second referee: endings on the board, and every fault that scripts/check_games.py must find in a file.

    python3 scripts/test_check_games.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from oracle.referee import BLACK, RED, START_FEN, Board, Game, Limits, from_pyffish, to_pyffish  # noqa: E402

MATE = ("3k5/4R4/9/9/9/9/9/9/9/4K3R w - - 0 1", "i0i9")
PERPETUAL = ("3k5/9/9/9/9/9/p8/9/4R4/5K3 w - - 0 1", "e1d1 d9e9 d1e1 e9d9 " * 2)
# A rook hunts an unprotected cannon: rule 18 of the Asian rules.
CHASE = ("2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w - - 0 1", "h6i6 i0h0 i6h6 h0i0 " * 2)


def play(fen: str, moves: str, limits: Limits = Limits()) -> Game:
    game = Game(fen, limits)
    for move in moves.split():
        assert game.verdict() is None, f"over before {move}: {game.verdict()}"
        game.push(move)
    return game


class Referee(unittest.TestCase):
    def expect(self, winner: str | None, termination: str, game: Game) -> None:
        verdict = game.verdict()
        assert verdict is not None
        self.assertEqual((verdict.winner, verdict.termination), (winner, termination))

    def test_moves_change_ranks_and_back(self) -> None:
        self.assertEqual(to_pyffish("a9a8"), "a10a9")
        self.assertEqual(from_pyffish("a10a9"), "a9a8")
        self.assertIsNone(to_pyffish("a10a9"))
        self.assertIsNone(to_pyffish("(none)"))

    def test_a_board_writes_what_it_read(self) -> None:
        self.assertEqual(Board(START_FEN).fen(), START_FEN)
        game = play(START_FEN, "h2e2 h9g7 e2e6")
        self.assertEqual(game.fen, "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2")

    def test_illegal_moves_are_not_played(self) -> None:
        with self.assertRaises(ValueError):
            Game().push("h2h8")

    def test_mate_and_stalemate_lose(self) -> None:
        self.expect(RED, "checkmate", play(*MATE))
        self.expect(RED, "stalemate", play("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1", "e1e8"))

    def test_perpetual_check_loses_and_quiet_repetition_draws(self) -> None:
        self.expect(BLACK, "repetition", play(*PERPETUAL))
        self.expect(None, "repetition", play(START_FEN, "h0g2 h9g7 g2h0 g7h9 " * 2))

    def test_the_other_draws(self) -> None:
        quiet = ("3k5/9/9/9/9/9/p8/9/R8/4K4 w - - 118 1", "a1b1 a3a2")
        self.expect(None, "natural limit", play(*quiet))
        self.assertIsNone(play(*quiet, Limits(quiet_plies=None)).verdict())
        bare = ("3k5/9/9/9/9/9/9/9/4p4/4K4 w - - 0 1", "e0e1")
        self.expect(None, "dead material", play(*bare))
        self.assertIsNone(play(*bare, Limits(dead_material=False)).verdict())


class Files(unittest.TestCase):
    """Games as `chuhe match --pgn` writes them."""

    def check(self, *games: str, args: tuple[str, ...] = ()) -> tuple[int, str]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.pgn"
            path.write_text("".join(games), encoding="utf-8")
            command = [sys.executable, HERE / "check_games.py", path, *args]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr

    def game(self, start: tuple[str, str], result: str, termination: str, reason: str = "", **tags: str) -> str:
        fen, moves = start
        tags = {"Red": "A", "Black": "B", "Ruleset": "computer", "Termination": termination, "Result": result, "FEN": fen,
                "PlyCount": str(len(moves.split())), "Format": "ICCS", **tags}
        words = [f"{move[:2].upper()}-{move[2:].upper()} {{+0.10/8 0.010s}}" for move in moves.split()]
        lines = [f"{number // 2 + 1}. {' '.join(words[number : number + 2])}" for number in range(0, len(words), 2)]
        head = "\n".join(f'[{name} "{value}"]' for name, value in tags.items())
        return head + "\n\n" + "\n".join(lines) + f" {{{reason}}} {result}\n\n"

    def fault(self, *games: str, told: str) -> None:
        code, output = self.check(*games)
        self.assertEqual(code, 1, output)
        self.assertIn(told, output)
        self.assertIn(f"game {len(games)} (A - B", output)

    def test_sound_games_pass(self) -> None:
        draw = (START_FEN, "h2e2 h9g7")
        games = [
            self.game(MATE, "1-0", "checkmate"),
            self.game(PERPETUAL, "0-1", "repetition"),
            self.game(PERPETUAL, "1/2-1/2", "repetition", Ruleset="alwaysdraw"),
            self.game(CHASE, "0-1", "repetition"),
            self.game(CHASE, "0-1", "repetition", Ruleset="axf"),
            self.game(CHASE, "1/2-1/2", "repetition", Ruleset="checkonly"),
            self.game(draw, "1/2-1/2", "agreement"),
            self.game(draw, "0-1", "resignation", "Red resigned instead of ply 3"),
            self.game(draw, "0-1", "illegal move", "Red's move e2e9 is illegal: it leaves the king in check"),
            self.game(draw, "1-0", "crash", "Black failed: crash"),
            self.game(draw, "1-0", "adjudication"),
        ]
        code, output = self.check(*games)
        self.assertEqual((code, output.splitlines()), (0, [f"{len(games)} games, 51 half-moves: 0 disagree, "
                                                           "0 repetitions not confirmed"]))

    def test_illegal_moves_and_unreadable_ones_are_found(self) -> None:
        sound = self.game((START_FEN, "h2e2"), "1/2-1/2", "agreement")
        self.fault(sound, self.game((START_FEN, "h2h9 i9h9 h2e2"), "1/2-1/2", "agreement"), told="ply 3: H2-E2 is no legal")
        self.fault(self.game((START_FEN, "h2h8"), "1/2-1/2", "agreement"), told="ply 1")
        self.fault(sound.replace("H2-E2", "C2.5"), told="ply 1: C2.5 is no legal move")

    def test_wrong_results_are_found(self) -> None:
        self.fault(self.game(MATE, "0-1", "checkmate"), told="the board says 1-0 by checkmate")
        self.fault(self.game(MATE, "1-0", "checkmate").replace('Result "1-0"', 'Result "0-1"'), told="the moves end with")
        self.fault(self.game(PERPETUAL, "1/2-1/2", "repetition"), told="the board says 0-1 by repetition")
        self.fault(self.game(PERPETUAL, "0-1", "repetition", Ruleset="alwaysdraw"), told="under alwaysdraw")
        self.fault(self.game(CHASE, "1-0", "repetition", Ruleset="axf"), told="under axf it is 0-1")
        draw = (START_FEN, "h2e2 h9g7")
        self.fault(self.game(draw, "1-0", "resignation"), told="expected 0-1")
        self.fault(self.game(draw, "1-0", "agreement"), told="expected 1/2-1/2")

    def test_wrong_reasons_are_found(self) -> None:
        self.fault(self.game(MATE, "1-0", "resignation"), told="the board says 1-0 by checkmate")
        self.fault(self.game((START_FEN, "h2e2"), "1-0", "checkmate"), told="the game goes on")
        reason = "Red's move h0g2 is illegal: it is not"
        self.fault(self.game((START_FEN, "h2e2 h9g7"), "0-1", "illegal move", reason), told="is called illegal")

    def test_moves_after_the_end_are_found(self) -> None:
        fen, moves = PERPETUAL
        self.fault(self.game((fen, moves + "e1d1"), "1/2-1/2", "agreement"), told="comes after the end")

    def test_missing_moves_are_found(self) -> None:
        self.fault(self.game((START_FEN, "h2e2"), "1/2-1/2", "agreement", PlyCount="2"), told="PlyCount 2")

    def test_a_repetition_that_nobody_confirms_is_told(self) -> None:
        code, output = self.check(self.game(CHASE, "1-0", "repetition"))
        self.assertEqual(code, 0, output)
        self.assertIn("1-0 by repetition is not confirmed", output)

    def test_the_natural_limit_is_that_of_the_match(self) -> None:
        quiet = ("3k5/9/9/9/9/9/p8/9/R8/4K4 w - - 118 1", "a1b1 a3a2 b1a1")
        game = self.game(quiet, "1/2-1/2", "agreement")
        self.fault(game, told="comes after the end, 1/2-1/2 by natural limit")
        self.assertEqual(self.check(game, args=("--natural-limit", "0"))[0], 0)

    def test_files_that_cannot_be_read_are_no_fault_of_games(self) -> None:
        self.assertEqual(self.check()[0], 2)
        self.assertEqual(self.check("", args=("no-such-file.pgn",))[0], 2)
        self.assertEqual(self.check("", args=("--no-such-flag",))[0], 2)


if __name__ == "__main__":
    unittest.main()
