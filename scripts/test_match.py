#!/usr/bin/env python3
"""Tests of the match runner itself: the referee's verdicts, the statistics, and every fault it must notice.

  python3 scripts/test_match.py

The faults are committed by a small engine that misbehaves on request (`test_match.py --engine MODE`).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parent))

from matchlib import stats  # noqa: E402
from matchlib.engines import Spec, SpecError, XboardEngine  # noqa: E402
from matchlib.referee import BLACK, RED, Board, Game, Rules, START_FEN, from_pyffish, to_pyffish  # noqa: E402


def play(fen: str, moves: str, rules: Rules = Rules()) -> Game:
    game = Game(fen, rules)
    for move in moves.split():
        assert game.verdict() is None, f"over before {move}: {game.verdict()}"
        game.push(move)
    return game


class Referee(unittest.TestCase):
    def test_moves_change_ranks_and_back(self) -> None:
        self.assertEqual(to_pyffish("a9a8"), "a10a9")
        self.assertEqual(from_pyffish("a10a9"), "a9a8")
        self.assertIsNone(to_pyffish("a10a9"))
        self.assertIsNone(to_pyffish("(none)"))

    def test_board_writes_what_it_read(self) -> None:
        self.assertEqual(Board(START_FEN).fen(), START_FEN)
        game = play(START_FEN, "h2e2 h9g7 e2e6")
        self.assertEqual(game.fen, "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2")
        self.assertEqual(game.capture_ply, 3)

    def test_illegal_moves_are_refused(self) -> None:
        with self.assertRaises(ValueError):
            Game().push("h2h8")

    def test_mate_and_stalemate_lose(self) -> None:
        mate = play("3k5/4R4/9/9/9/9/9/9/9/4K3R w - - 0 1", "i0i9")
        self.assertEqual((mate.verdict().winner, mate.verdict().reason[:4]), (RED, "mate"))
        stalemate = play("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1", "e1e8")
        self.assertEqual((stalemate.verdict().winner, stalemate.verdict().reason[:9]), (RED, "stalemate"))

    PERPETUAL = "e1d1 d9e9 d1e1 e9d9 " * 2

    def test_perpetual_check_loses(self) -> None:
        fen = "3k5/9/9/9/9/9/p8/9/4R4/5K3 w - - 0 1"
        game = play(fen, self.PERPETUAL)
        self.assertEqual((game.verdict().winner, game.verdict().reason), (BLACK, "perpetual check by Red"))
        game = play(fen, self.PERPETUAL, Rules(repetition="alwaysdraw"))
        self.assertIsNone(game.verdict().winner)

    def test_quiet_repetition_draws(self) -> None:
        game = play(START_FEN, "h0g2 h9g7 g2h0 g7h9 " * 2)
        self.assertEqual((game.verdict().winner, game.verdict().reason), (None, "threefold repetition"))

    def test_the_other_draws(self) -> None:
        quiet = play("3k5/9/9/9/9/9/p8/9/R8/4K4 w - - 118 1", "a1b1 a3a2")
        self.assertEqual(quiet.verdict().reason, "120 half-moves without capture")
        bare = play("3k5/9/9/9/9/9/9/9/4p4/4K4 w - - 0 1", "e0e1")
        self.assertEqual(bare.verdict().reason, "no attacking pieces")
        long = play(START_FEN, "h0g2 h9g7", Rules(max_plies=2))
        self.assertIn("maximum length", long.verdict().reason)


class Statistics(unittest.TestCase):
    def test_elo(self) -> None:
        self.assertAlmostEqual(stats.elo_of(0.75), 190.85, 2)
        self.assertAlmostEqual(stats.score_of(stats.elo_of(0.6)), 0.6)
        even = stats.estimate([5, 10, 20, 10, 5])
        self.assertEqual(even.elo, 0)
        self.assertAlmostEqual(even.low, -even.high)

    def test_pairs_with_equal_results_bound_nothing(self) -> None:
        self.assertEqual(stats.estimate([0, 0, 3, 0, 0]).error, float("inf"))

    def test_llr_agrees_with_the_normal_approximation(self) -> None:
        pairs = [100, 900, 3000, 1050, 130]
        total = sum(pairs)
        mean = sum(n * s for n, s in zip(pairs, stats.PAIR_SCORES)) / total
        variance = sum(n * (s - mean) ** 2 for n, s in zip(pairs, stats.PAIR_SCORES)) / total
        s0, s1 = stats.score_of(0), stats.score_of(5)
        expected = total * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
        self.assertAlmostEqual(stats.likelihood_ratio(pairs, 0, 5), expected, delta=0.05)

    def test_decisions(self) -> None:
        test = stats.Sprt(0, 50)
        self.assertAlmostEqual(test.upper, 2.944, 3)
        self.assertEqual(test.decision([0, 5, 20, 40, 10]), "H1")
        self.assertEqual(test.decision([10, 40, 20, 5, 0]), "H0")
        self.assertIsNone(test.decision([1, 1, 2, 1, 1]))
        self.assertIsNone(test.decision([0, 0, 0, 0, 0]))


class Specs(unittest.TestCase):
    def test_words(self) -> None:
        spec = Spec.parse("name=A cmd='sh -c true' proto=uci nodes=2000 'option.Skill Level=3'")
        self.assertEqual((spec.name, spec.command[1:], spec.limits.nodes), ("A", ("-c", "true"), 2000))
        self.assertEqual(spec.options, (("Skill Level", "3"),))

    def test_mistakes_are_named(self) -> None:
        for text in ("name=A", "cmd=sh depht=3", "cmd=sh proto=cecp", "cmd=sh nodes=0", "cmd=sh tc=x", "cmd='sh"):
            with self.subTest(text), self.assertRaises(SpecError):
                Spec.parse(text)

    def test_results_end_a_search_only_as_results(self) -> None:
        self.assertTrue(XboardEngine._is_result("1-0 {mate}"))
        self.assertFalse(XboardEngine._is_result("1 0 0 126 1. ..."))


class Faults(unittest.TestCase):
    """One short match for each way to misbehave."""

    def match(self, mode: str, *more: str, proto: str = "uci") -> tuple[int, dict]:
        command = f"{sys.executable} {HERE} --engine"
        with tempfile.TemporaryDirectory() as folder:
            summary = Path(folder) / "summary.json"
            done = subprocess.run(
                [sys.executable, HERE.parent / "match.py", "--json", summary, "--games", "2", "--max-plies", "12"]
                + ["--grace", "0.5", "--hang", "2"]
                + ["--engine", f"name=bad cmd='{command} {mode}' proto={proto}"]
                + ["--engine", f"name=good cmd='{command} good' proto={proto}"]
                + list(more or ("--tc", "1+0.1")),
                capture_output=True,
                text=True,
                timeout=60,
            )
            self.assertTrue(summary.exists(), done.stderr)
            return done.returncode, json.loads(summary.read_text(encoding="utf-8"))

    def expect(self, mode: str, kind: str, *more: str, proto: str = "uci", lost: bool = True) -> None:
        code, summary = self.match(mode, *more, proto=proto)
        found = summary["engines"][0]["faults"]
        self.assertEqual(list(found), [kind], summary["faults"])
        self.assertEqual(summary["engines"][1]["faults"], {})
        self.assertEqual(summary["losses"], 2 if lost else 0)
        self.assertEqual(code, 1)
        self.assertTrue(all(fault["log"] for fault in summary["faults"]))

    def test_good(self) -> None:
        for proto in ("uci", "ucci"):
            code, summary = self.match("good", proto=proto)
            self.assertEqual((code, summary["faults"], summary["draws"]), (0, [], 2))

    def test_illegal_move(self) -> None:
        self.expect("illegal", "illegal move")

    def test_nonsense_move(self) -> None:
        self.expect("nonsense", "illegal move", proto="ucci")

    def test_no_move(self) -> None:
        self.expect("none", "no move")
        self.expect("nobestmove", "no move", proto="ucci")

    def test_malformed(self) -> None:
        self.expect("bare", "malformed terminal line")

    def test_crash(self) -> None:
        self.expect("crash", "crash")

    def test_crash_after_the_move(self) -> None:
        self.expect("crash-late", "crash")

    def test_hang(self) -> None:
        self.expect("hang", "hang")
        self.expect("hang", "hang", "--depth", "1")

    def test_missing_terminal_line(self) -> None:
        self.expect("mute", "missing terminal line")

    def test_double_terminal_line(self) -> None:
        self.expect("double", "double terminal line", lost=False)

    def test_time_forfeit(self) -> None:
        self.expect("slow", "time forfeit", "--movetime", "100")

    def test_overrun_within_the_margin(self) -> None:
        code, summary = self.match("slow", "--movetime", "100", "--margin", "400")
        first = summary["engines"][0]
        self.assertEqual((code, first["overruns"]), (0, first["moves"]))
        self.assertGreater(first["overrun_max_ms"], 40)

    def test_bad_arguments(self) -> None:
        for words in ([], ["--engine", "cmd=no-such-engine", "--engine", "cmd=sh"], ["--nonsense"]):
            done = subprocess.run(
                [sys.executable, HERE.parent / "match.py", *words], capture_output=True, text=True, timeout=60
            )
            self.assertEqual(done.returncode, 2, done.stderr)


def misbehave(mode: str) -> None:
    """An engine that plays the first legal move, and goes wrong in the given way at its third search."""

    def say(text: str) -> None:
        print(text, flush=True)

    game = Game()
    searches = 0
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["uci" | "ucci"]:
                say(f"id name {mode}")
                say(f"{words[0]}ok")
            case ["isready"]:
                say("readyok")
            case ["ucinewgame" | "uccinewgame"]:
                searches = 0
            case ["position"]:
                at = words.index("moves") if "moves" in words else len(words)
                game = Game(START_FEN if words[1] == "startpos" else " ".join(words[2:at]))
                for move in words[at + 1 :]:
                    game.push(move)
            case ["go"]:
                searches += 1
                answer = f"bestmove {sorted(game.legal)[len(game.moves) % 3]}"
                if mode == "slow":
                    time.sleep(0.25)
                if searches < 3 or mode in ("good", "slow"):
                    say(answer)
                    continue
                match mode:
                    case "illegal":
                        say("bestmove a0a9")
                    case "nonsense":
                        say("bestmove A0-A1")
                    case "none":
                        say("bestmove (none)")
                    case "nobestmove":
                        say("nobestmove")
                    case "bare":
                        say("bestmove")
                    case "crash":
                        sys.exit(3)
                    case "crash-late":
                        say(answer)
                        sys.exit(3)
                    case "hang":
                        time.sleep(3600)
                    case "double":
                        say(f"{answer}\n{answer}")
                    case "mute":
                        pass
            case ["quit"]:
                return


if __name__ == "__main__":
    if sys.argv[1:2] == ["--engine"]:
        misbehave(sys.argv[2])
    else:
        unittest.main()
