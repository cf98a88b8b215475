#!/usr/bin/env python3
"""Analyzes positions and games on the workers of a Ray cluster, or on this machine alone.

Each worker keeps one `chuhe analyze` and gives it one line after the other: a position (FEN), or a game as
`position startpos moves h2e2 ...` or as JSON. The answers are written in the order of the lines, one JSON object each, with
the number of its line as "line". A line whose worker or whose `chuhe` dies is done again by another; after --tries attempts
it is answered by an "error". What stands in the output file already is kept with --resume, which goes on behind it.

  pip install ray
  scripts/ray_analyze.py positions.fen -o positions.jsonl --workers 2 -- --nodes 100000 --multipv 3
  scripts/ray_analyze.py games.jsonl -o analyzed.jsonl --address auto --program /usr/local/bin/chuhe

What stands behind `--` is passed on to `chuhe analyze`. Exit code: 0 when every line has an answer, 1 when some of them
are errors, 2 for bad arguments, unreadable files or a cluster that does not answer.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Any, Callable, Iterator, NoReturn, TextIO

# Lines that a worker has waiting while it works on another, so that it never waits itself.
LINES_PER_WORKER = 2


class Died(RuntimeError):
    """The engine's process ended in the midst of a line."""


class Session:
    """One `chuhe analyze` that answers line by line. Started for the first line, and again after it has died."""

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self.process: subprocess.Popen[str] | None = None

    def analyze(self, line: str) -> str:
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
            )
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except OSError as error:
            answer = ""
            reason = str(error)
        else:
            reason = "its output ended"
        if not answer.endswith("\n"):
            self.process.kill()
            code = self.process.wait()
            self.process = None
            raise Died(f"{self.command[0]} died (exit code {code}): {reason}")
        return answer.rstrip("\n")


class Work:
    """The lines still to be done, those under way, and the answers that wait for earlier ones."""

    def __init__(self, lines: Iterator[tuple[int, str]], tries: int) -> None:
        self.lines = lines
        self.tries = tries
        self.again: deque[tuple[int, str]] = deque()
        self.attempts: dict[int, int] = {}
        self.order: deque[int] = deque()
        self.answers: dict[int, str] = {}

    def next_line(self) -> tuple[int, str] | None:
        if self.again:
            return self.again.popleft()
        line = next(self.lines, None)
        if line is not None:
            self.order.append(line[0])
        return line

    def answered(self, number: int, answer: str) -> None:
        # The number stands first, whatever the rest is.
        rest = answer[1:] if answer.startswith("{") else f'"error": {json.dumps(answer)}}}'
        self.answers[number] = f'{{"line": {number}, {rest}'

    def failed(self, number: int, line: str, reason: str) -> None:
        self.attempts[number] = self.attempts.get(number, 0) + 1
        if self.attempts[number] < self.tries:
            self.again.append((number, line))
        else:
            self.answers[number] = json.dumps({"line": number, "error": f"{reason} ({self.tries} attempts)"})

    def ready(self) -> Iterator[str]:
        while self.order and self.order[0] in self.answers:
            yield self.answers.pop(self.order.popleft())


def run(work: Work, count: int, start_worker: Callable[[], Any], output: TextIO) -> int:
    """Keeps so many workers busy until all lines are answered; gives the number of errors."""
    import ray

    workers = [start_worker() for _ in range(count)]
    free = deque(place for place in range(count) for _ in range(LINES_PER_WORKER))
    running: dict = {}
    errors = 0
    while True:
        while free and (line := work.next_line()) is not None:
            place = free.popleft()
            worker = workers[place]
            running[worker.analyze.remote(line[1])] = (place, worker, *line)
        if not running:
            return errors
        (done,), _ = ray.wait(list(running))
        place, worker, number, line = running.pop(done)
        free.append(place)
        try:
            work.answered(number, ray.get(done))
        except ray.exceptions.RayActorError as error:
            work.failed(number, line, f"the worker died: {type(error).__name__}")
            # All lines that it had will come back like this one; the first brings another worker.
            if workers[place] is worker:
                workers[place] = start_worker()
        except ray.exceptions.RayTaskError as error:
            work.failed(number, line, str(error.cause))
        for answer in work.ready():
            errors += '"error"' in answer and "error" in json.loads(answer)
            output.write(answer + "\n")
            output.flush()


def numbered_lines(files: list[str], skip: int) -> Iterator[tuple[int, str]]:
    """The lines that are no blanks and no remarks, numbered from 1 through all files, without the first ones."""
    number = 0
    for name in files:
        with sys.stdin if name == "-" else open(name, encoding="utf-8") as file:
            for line in file:
                line = line.strip()
                if line and not line.startswith("#"):
                    number += 1
                    if number > skip:
                        yield number, line


def lines_done(path: Path) -> int:
    """How many answers a file holds; one that was cut off is taken away."""
    if not path.exists():
        return 0
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        path.write_bytes(whole)
    return whole.count(b"\n")


def refuse(message: str) -> NoReturn:
    print(f"ray_analyze.py: {message}", file=sys.stderr)
    raise SystemExit(2)


def arguments(words: list[str]) -> argparse.Namespace:
    split = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0], epilog="Behind `--`: for chuhe analyze.")
    parser.add_argument("files", nargs="*", default=["-"], metavar="FILE", help="lines; standard input when there are none")
    parser.add_argument("-o", "--output", type=Path, help="the file of the answers; standard output unless said otherwise")
    parser.add_argument("--resume", action="store_true", help="go on behind the answers that the file holds")
    parser.add_argument("--workers", type=int, help="one for each processor of the cluster unless said otherwise")
    parser.add_argument("--address", help="of the cluster; `auto` for the one that runs here; none: a new one on this machine")
    parser.add_argument("--program", default="chuhe", help="where chuhe is on every machine")
    parser.add_argument("--tries", type=int, default=3, help="attempts at a line")
    parsed = parser.parse_args(words[:split])
    parsed.passed_on = words[split + 1 :]
    if parsed.resume and not parsed.output:
        parser.error("--resume needs --output")
    if parsed.tries < 1 or (parsed.workers is not None and parsed.workers < 1):
        parser.error("--tries and --workers must be at least 1")
    return parsed


def main(words: list[str]) -> int:
    args = arguments(words)
    try:
        import ray
    except ImportError:
        refuse("Python has no Ray: pip install ray")
    skip = lines_done(args.output) if args.resume else 0
    for name in args.files:
        if name != "-" and not Path(name).is_file():
            refuse(f"cannot read {name}")
    try:
        ray.init(address=args.address, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, OSError, RuntimeError) as error:
        refuse(f"no cluster: {error}")
    try:
        count = args.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        command = [args.program, "analyze", "--lines", "--jobs", "1", "--format", "json", *args.passed_on]
        actor = ray.remote(num_cpus=1)(Session)
        work = Work(numbered_lines(args.files, skip), args.tries)
        if args.output is None:
            errors = run(work, count, lambda: actor.remote(command), sys.stdout)
        else:
            with open(args.output, "a" if args.resume else "w", encoding="utf-8") as output:
                errors = run(work, count, lambda: actor.remote(command), output)
    except OSError as error:
        refuse(str(error))
    finally:
        ray.shutdown()
    if errors:
        print(f"ray_analyze.py: {errors} lines could not be analyzed", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
