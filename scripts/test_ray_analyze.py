#!/usr/bin/env python3
"""Tests of `ray_analyze.py` on two local workers: the answers are those of `chuhe analyze`, and a worker or a `chuhe` that is
killed in the midst of the work costs nothing.

  python3 scripts/test_ray_analyze.py [CHUHE]
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPT = HERE / "ray_analyze.py"
CHUHE = Path("chuhe")
LIMIT = ["--nodes", "30000"]
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
GAMES = ["h2e2 h9g7 h0g2", "b0c2 b9c7", "c3c4", "h2e2 h7e7 h0g2 h9g7 i0h0"]
LINES = [f"position fen {START} moves {moves}" for moves in GAMES] + [START, "no position"]


def processes(words: str) -> list[int]:
    """Those whose command line has these words."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if words in line and int(folder.name) != os.getpid():
                found.append(int(folder.name))
    return found


class Cluster(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.input = Path(self.folder.name) / "lines"
        self.output = Path(self.folder.name) / "answers.jsonl"
        # A name of its own, so that only the processes of this test are found.
        self.program = Path(self.folder.name) / "chuhe"
        self.program.symlink_to(CHUHE)

    def command(self, *options: str) -> list[str]:
        words = [str(self.input), "-o", str(self.output), "--workers", "2", "--program", str(self.program)]
        return [sys.executable, str(SCRIPT), *words, *options, "--", *LIMIT]

    def answers(self) -> list[dict]:
        return [json.loads(line) for line in self.output.read_text().splitlines()]

    def expected(self, lines: list[str]) -> list[dict]:
        command = [str(CHUHE), "analyze", "--lines", "--jobs", "1", "--format", "json", *LIMIT]
        run = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
        return [json.loads(line) for line in run.stdout.splitlines()]

    def check(self, lines: list[str]) -> None:
        answers = self.answers()
        self.assertEqual([answer.pop("line") for answer in answers], list(range(1, len(lines) + 1)))
        # Ids count the lines of each worker.
        self.assertEqual([a | {"id": 0} for a in answers], [e | {"id": 0} for e in self.expected(lines)])

    def test_answers_are_those_of_chuhe_and_a_run_goes_on(self) -> None:
        self.input.write_text("# a remark\n\n" + "\n".join(LINES) + "\n")
        run = subprocess.run(self.command(), capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (1, "ray_analyze.py: 1 lines could not be analyzed\n"))
        self.check(LINES)
        # Cut off in the midst of an answer.
        text = self.output.read_text()
        self.output.write_text(text[: len(text) // 2])
        kept = self.output.read_text().count("\n")
        self.assertLess(kept, len(LINES))
        run = subprocess.run(self.command("--resume"), capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.check(LINES)

    def kill_while_working(self, words: str) -> None:
        lines = LINES[:5] * 8
        self.input.write_text("\n".join(lines) + "\n")
        killed: list[int] = []

        def kill() -> None:
            while len(killed) < 2:
                done = self.output.read_text().count("\n") if self.output.exists() else 0
                if done >= 4 + 12 * len(killed):
                    victims = [pid for pid in processes(words) if pid not in killed]
                    if victims:
                        os.kill(victims[0], signal.SIGKILL)
                        killed.append(victims[0])
                time.sleep(0.01)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        run = subprocess.run(self.command(), capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(len(killed), 2, "nothing was killed in the midst of the work")
        self.check(lines)

    def test_an_engine_that_is_killed_costs_nothing(self) -> None:
        self.kill_while_working(str(self.program) + " analyze")

    def test_a_worker_that_is_killed_costs_nothing(self) -> None:
        # Ray names its processes after what they do.
        self.kill_while_working("ray::Session")

    def test_a_program_that_never_answers_is_given_up(self) -> None:
        self.program.unlink()
        self.program.write_text("#!/bin/sh\nexit 7\n")
        self.program.chmod(0o755)
        self.input.write_text("\n".join(LINES[:2]) + "\n")
        run = subprocess.run(self.command("--tries", "2"), capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        for answer in self.answers():
            self.assertIn("died (exit code 7)", answer["error"])

    def test_bad_arguments(self) -> None:
        for options in (["--resume"], ["--workers", "0"], ["no such file"]):
            command = [sys.executable, str(SCRIPT), *options]
            run = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
            self.assertEqual(run.returncode, 2, run.stderr)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        CHUHE = Path(sys.argv.pop(1)).resolve()
    unittest.main()
