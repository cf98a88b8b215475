"""Clients for engines that speak UCCI, UCI or xboard (CECP).

A client owns one engine process. It is used by one thread, reads with blocking polls, and writes each
request in one piece. Moves cross this border in ICCS (`h2e2`), whatever the engine counts its ranks from.

What an engine does wrong is an `EngineFault` when the game cannot go on, and an entry in `soft_faults`
when it can (a second terminal line after the first, say).
"""

from __future__ import annotations

import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, Sequence

from .referee import RED, START_FEN, Game, opponent, shift_ranks

MATE_SCORE = 30_000
PROTOCOLS = ("auto", "ucci", "uci", "xboard")
# Where Debian puts games, which is not on everybody's PATH.
DEBIAN_GAMES = Path("/usr/games")


class SpecError(ValueError):
    """An engine description or a limit that cannot work."""


class EngineFault(Exception):
    """The engine broke its protocol or its clock; it loses the game."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


@dataclass(frozen=True)
class Limits:
    """What one engine may spend on a move. Times are in milliseconds."""

    base: float | None = None
    increment: float = 0.0
    movetime: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __bool__(self) -> bool:
        return any(value is not None for value in (self.base, self.movetime, self.depth, self.nodes))

    def __str__(self) -> str:
        parts = []
        if self.base is not None:
            parts.append(f"tc {self.base / 1000:g}+{self.increment / 1000:g}")
        if self.movetime is not None:
            parts.append(f"movetime {self.movetime:g} ms")
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        if self.nodes is not None:
            parts.append(f"nodes {self.nodes}")
        return ", ".join(parts) or "none"

    @staticmethod
    def parse_tc(text: str) -> tuple[float, float]:
        """`2+0.02` or `2`, in seconds, to milliseconds."""
        base, _, increment = text.partition("+")
        try:
            result = float(base) * 1000, float(increment or 0) * 1000
        except ValueError:
            raise SpecError(f"time control '{text}' is not BASE+INCREMENT in seconds") from None
        if result[0] <= 0 or result[1] < 0:
            raise SpecError(f"time control '{text}' must be positive")
        return result


@dataclass(frozen=True)
class Spec:
    """An engine as the user described it."""

    name: str
    command: tuple[str, ...]
    protocol: str = "auto"
    directory: str | None = None
    ranks: str = "auto"  # what squares of a UCI engine count from: "0", "1" or "auto"
    letters: str = "auto"  # FEN letters for horse and elephant: "NB", "HE" or "auto"
    history: str = "auto"  # `position` from the "start" or from the last "capture"
    unit: str = "auto"  # of UCCI times: "ms", "s", or "auto" (see UcciEngine)
    movetime_form: str = "movetime"  # UCCI: "movetime" (go movetime t) or "movestogo" (go time t movestogo 1)
    margin: float | None = None  # forgiven overrun in seconds, None for the match's
    limits: Limits = Limits()
    options: tuple[tuple[str, str], ...] = ()

    KEYS = (
        "name cmd proto dir ranks letters history unit ucci-movetime margin tc movetime depth nodes option.NAME"
    )

    @staticmethod
    def parse(text: str) -> "Spec":
        """Reads `name=A cmd="engine --flag" proto=uci nodes=2000 option.Hash=16`."""
        values: dict[str, str] = {}
        options: list[tuple[str, str]] = []
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise SpecError(f"engine '{text}': {error}") from None
        for word in words:
            key, equals, value = word.partition("=")
            if not equals:
                raise SpecError(f"engine '{text}': '{word}' is not KEY=VALUE")
            if key.startswith("option."):
                options.append((key.removeprefix("option."), value))
            elif key in Spec.KEYS.split():
                values[key] = value
            else:
                raise SpecError(f"engine '{text}': unknown key '{key}' (known: {Spec.KEYS})")
        if not values.get("cmd"):
            raise SpecError(f"engine '{text}': cmd= is missing")
        command = resolve(shlex.split(values["cmd"]))
        spec = Spec(
            name=values.get("name") or Path(command[0]).name,
            command=command,
            protocol=_one_of(values, "proto", PROTOCOLS),
            directory=values.get("dir"),
            ranks=_one_of(values, "ranks", ("auto", "0", "1")),
            letters=_one_of(values, "letters", ("auto", "NB", "HE")),
            history=_one_of(values, "history", ("auto", "start", "capture")),
            unit=_one_of(values, "unit", ("auto", "ms", "s")),
            movetime_form=_one_of(values, "ucci-movetime", ("movetime", "movestogo")),
            options=tuple(options),
        )
        if "margin" in values:
            try:
                spec = replace(spec, margin=float(values["margin"]) / 1000)
            except ValueError:
                raise SpecError(f"engine {spec.name}: margin={values['margin']} is not a number") from None
        return spec.with_limits(**{key: values.get(key) for key in ("tc", "movetime", "depth", "nodes")})

    def margin_of(self, patience: "Patience") -> float:
        return patience.margin if self.margin is None else self.margin

    def with_limits(
        self, tc: str | None = None, movetime: str | None = None, depth: str | None = None, nodes: str | None = None
    ) -> "Spec":
        limits = self.limits
        try:
            if tc is not None:
                base, increment = Limits.parse_tc(tc)
                limits = replace(limits, base=base, increment=increment)
            if movetime is not None:
                limits = replace(limits, movetime=_positive(float, movetime))
            if depth is not None:
                limits = replace(limits, depth=_positive(int, depth))
            if nodes is not None:
                limits = replace(limits, nodes=_positive(int, nodes))
        except ValueError as error:
            raise SpecError(f"engine {self.name}: {error}") from None
        return replace(self, limits=limits)


def _positive(kind: type, text: str) -> float | int:
    value = kind(text)
    if value <= 0:
        raise ValueError(f"{text} is not positive")
    return value


def _one_of(values: dict[str, str], key: str, allowed: Sequence[str]) -> str:
    value = values.get(key, allowed[0])
    if value not in allowed:
        raise SpecError(f"{key}={value}: expected one of {', '.join(allowed)}")
    return value


def resolve(command: Sequence[str]) -> tuple[str, ...]:
    """Finds the program on PATH, then among Debian's games."""
    program = os.path.expanduser(command[0])
    found = shutil.which(program)
    if found is None and "/" not in program:
        found = shutil.which(str(DEBIAN_GAMES / program))
    if found is None:
        raise SpecError(f"no such program: {command[0]}")
    return (os.path.abspath(found), *command[1:])


@dataclass(frozen=True)
class Clock:
    """What the engine is told about time before a move. Times are in milliseconds."""

    red: float
    black: float
    red_increment: float
    black_increment: float

    def of(self, side: str) -> tuple[float, float]:
        return (self.red, self.red_increment) if side == RED else (self.black, self.black_increment)


@dataclass
class Reply:
    """An engine's answer to `go`. `score` is in the engine's unit from its own side, mates near 30000."""

    move: str | None
    elapsed: float
    resigns: bool = False
    score: int | None = None
    depth: int | None = None
    nodes: int | None = None


@dataclass(frozen=True)
class Patience:
    """How long to wait before an answer counts as missing, in seconds."""

    start: float = 10.0  # handshake and `isready`
    move: float = 60.0  # a search by depth or nodes
    grace: float = 5.0  # after the clock ran out and `stop` was sent
    margin: float = 0.05  # overrun that is forgiven, needed here to know when to send `stop`


class Process:
    """An engine's process with line-wise input and output and a short memory of both."""

    def __init__(self, command: Sequence[str], directory: str | None) -> None:
        self._errors = tempfile.TemporaryFile()
        try:
            # A session of its own, so that children of a wrapper script go with it.
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                cwd=directory,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise SpecError(f"cannot start {command[0]}: {error}") from None
        assert self._child.stdin and self._child.stdout
        self._input = self._child.stdin.fileno()
        self._output = self._child.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN | select.POLLHUP)
        self._partial = b""
        self._lines: deque[str] = deque()
        self._born = time.perf_counter()
        self.log: deque[str] = deque(maxlen=40)

    def _note(self, mark: str, line: str) -> None:
        shown = line if len(line) <= 300 else f"{line[:140]} … {line[-140:]}"
        self.log.append(f"{time.perf_counter() - self._born:.3f} {mark} {shown}")

    def send(self, *lines: str) -> None:
        for line in lines:
            self._note(">", line)
        data = "".join(line + "\n" for line in lines).encode()
        try:
            while data:
                data = data[os.write(self._input, data) :]
        except OSError:
            raise self.crash() from None

    def read(self, deadline: float) -> str | None:
        """The next line; None when the deadline (of `perf_counter`) passes first."""
        while not self._lines:
            # Rounded up: poll takes whole milliseconds, and zero would make this loop spin.
            wait = max(0, int((deadline - time.perf_counter()) * 1000) + 1)
            if not self._poll.poll(wait):
                return None
            data = os.read(self._output, 65536)
            if not data:
                raise self.crash()
            *complete, self._partial = (self._partial + data).split(b"\n")
            for raw in complete:
                line = raw.decode("utf-8", "replace").rstrip("\r")
                self._note("<", line)
                self._lines.append(line)
            if not self._lines and time.perf_counter() >= deadline:
                return None
        return self._lines.popleft()

    def waiting(self) -> list[str]:
        """Lines that came unasked."""
        found = []
        while (line := self.read(time.perf_counter() - 1)) is not None:
            found.append(line)
        return found

    def crash(self) -> EngineFault:
        try:
            code = self._child.wait(1.0)
        except subprocess.TimeoutExpired:
            return EngineFault("crash", "closed its output but keeps running")
        how = f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
        errors = self.errors()
        return EngineFault("crash", how + (f"; stderr: {errors}" if errors else ""))

    def errors(self) -> str:
        """The end of what the engine wrote to stderr."""
        size = self._errors.seek(0, os.SEEK_END)
        tail = os.pread(self._errors.fileno(), 2000, max(0, size - 2000))
        return tail.decode("utf-8", "replace").strip()

    def slay(self) -> None:
        """Kills the process and nothing else, so that another thread may be using this object."""
        try:
            os.killpg(self._child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def close(self, farewell: str | None = "quit") -> None:
        """Says goodbye, waits a little, then kills."""
        if self._child.poll() is None and farewell:
            try:
                self.send(farewell)
                # An engine that chatters must not block on a full pipe while it is to leave.
                end = time.perf_counter() + 1.0
                while self._child.poll() is None and self.read(end) is not None:
                    pass
            except EngineFault:
                pass
        try:
            self._child.wait(0.5 if farewell else 0)
        except subprocess.TimeoutExpired:
            pass
        self.slay()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout, self._errors):
            if stream:
                stream.close()


class Engine:
    """What the three protocols have in common."""

    def __init__(self, spec: Spec, patience: Patience = Patience()) -> None:
        self.spec = spec
        self.patience = patience
        self.identity = spec.name
        self.soft_faults: list[EngineFault] = []
        self.process = Process(spec.command, spec.directory)
        try:
            self.handshake()
        except EngineFault:
            self.process.close(None)
            raise

    # What a protocol defines.

    def handshake(self) -> None:
        raise NotImplementedError

    def new_game(self, limits: Limits) -> None:
        raise NotImplementedError

    def go(self, game: Game, limits: Limits, clock: Clock | None) -> Reply:
        raise NotImplementedError

    def sync(self, seconds: float | None = None) -> None:
        """Waits until the engine has handled everything sent so far."""
        raise NotImplementedError

    def is_terminal(self, line: str) -> bool:
        raise NotImplementedError

    # What they share.

    def quit(self) -> None:
        self.process.close()

    def kill(self) -> None:
        self.process.close(None)

    def await_line(self, wanted: Callable[[str], bool], what: str, seconds: float) -> str:
        """Reads up to the wanted line; searches' ends seen on the way are surplus."""
        deadline = time.perf_counter() + seconds
        while (line := self.process.read(deadline)) is not None:
            if wanted(line):
                return line
            self.surplus(line)
        raise EngineFault("hang", f"no {what} within {seconds:g} s")

    def surplus(self, line: str) -> None:
        if self.is_terminal(line):
            self.soft_faults.append(EngineFault("double terminal line", line.strip()))

    def search(
        self, request: Sequence[str], stop: str, side: str, limits: Limits, clock: Clock | None, reply: Reply
    ) -> str:
        """Sends a request and reads up to its terminal line, noting time, score and depth in `reply`."""
        for line in self.process.waiting():
            self.surplus(line)
        budgets = []
        if clock is not None:
            budgets.append(clock.of(side)[0] / 1000 + self.spec.margin_of(self.patience))
        if limits.movetime is not None:
            budgets.append(limits.movetime / 1000 + self.spec.margin_of(self.patience))
        begin = time.perf_counter()
        self.process.send(*request)
        deadline = begin + min(budgets, default=self.patience.move)
        stopped = False
        while True:
            line = self.process.read(deadline)
            if line is None and not stopped:
                self.process.send(stop)
                deadline, stopped = time.perf_counter() + self.patience.grace, True
            elif line is None:
                raise self.no_answer()
            elif self.is_terminal(line):
                reply.elapsed = (time.perf_counter() - begin) * 1000
                break
            else:
                self.note_info(line, reply)
        if stopped and not budgets:
            raise EngineFault("hang", f"no move within {self.patience.move:g} s, only after {stop}")
        return line

    def no_answer(self) -> EngineFault:
        """An engine that still answers the ping has lost its terminal line; otherwise it hangs."""
        try:
            self.sync(self.patience.grace)
        except EngineFault as fault:
            return fault if fault.kind == "crash" else EngineFault("hang", "neither move nor sign of life")
        return EngineFault("missing terminal line", f"no move in {self.patience.grace:g} s after the stop, but alive")

    def note_info(self, line: str, reply: Reply) -> None:
        raise NotImplementedError


class UniversalEngine(Engine):
    """UCI and UCCI: the engine is told the whole position before each search."""

    dialect = ""

    def __init__(self, spec: Spec, patience: Patience = Patience()) -> None:
        self.offered: dict[str, str] = {}  # option lines by name in lower case
        self.rank_shift = 0
        super().__init__(spec, patience)

    def handshake(self) -> None:
        self.process.send(self.dialect)

        def done(line: str) -> bool:
            words = line.split(maxsplit=2)
            if words[:2] == ["id", "name"] and len(words) == 3:
                self.identity = words[2].strip()
            elif words[:1] == ["option"]:
                self.note_option(line)
            return words[:1] == [f"{self.dialect}ok"]

        self.await_line(done, f"{self.dialect}ok", self.patience.start)
        self.choose_variant()
        for name, value in self.spec.options:
            self.set_option(name, value)
        self.sync()
        self.find_ranks()

    def note_option(self, line: str) -> None:
        raise NotImplementedError

    def set_option(self, name: str, value: str) -> None:
        raise NotImplementedError

    def choose_variant(self) -> None:
        pass

    def find_ranks(self) -> None:
        pass

    def sync(self, seconds: float | None = None) -> None:
        self.process.send("isready")
        self.await_line(lambda line: line.strip() == "readyok", "readyok", seconds or self.patience.start)

    def is_terminal(self, line: str) -> bool:
        words = line.split(maxsplit=1)
        return bool(words) and words[0] in ("bestmove", "nobestmove")

    def position(self, game: Game) -> str:
        history = self.spec.history
        from_capture = history == "capture" or (history == "auto" and self.dialect == "ucci")
        fen, first = (game.capture_fen, game.capture_ply) if from_capture else (game.start_fen, 0)
        root = "startpos" if fen == START_FEN and not from_capture else f"fen {self.with_letters(fen)}"
        moves = [shift_ranks(move, self.rank_shift) if self.rank_shift else move for move in game.moves[first:]]
        return " ".join(["position", root, *(["moves", *map(str, moves)] if moves else [])])

    def with_letters(self, fen: str) -> str:
        return with_letters(fen) if self.spec.letters == "HE" else fen

    def go_line(self, side: str, limits: Limits, clock: Clock | None) -> str:
        raise NotImplementedError

    def go(self, game: Game, limits: Limits, clock: Clock | None) -> Reply:
        reply = Reply(None, 0.0)
        request = (self.position(game), self.go_line(game.side, limits, clock))
        line = self.search(request, "stop", game.side, limits, clock, reply)
        words = line.split()
        if words[0] == "nobestmove" or (len(words) > 1 and words[1] in ("(none)", "none", "null", "0000")):
            return reply
        reply.resigns = "resign" in words[1:]
        if len(words) < 2:
            raise EngineFault("malformed terminal line", line)
        reply.move = shift_ranks(words[1], -self.rank_shift) if self.rank_shift else words[1]
        # What is not a square of this board at all goes to the referee as it came.
        reply.move = reply.move or words[1]
        return reply

    def note_info(self, line: str, reply: Reply) -> None:
        words = line.split()
        if words[:1] != ["info"] or "string" in words or "message" in words:
            return
        for key in ("depth", "nodes"):
            if (value := _number_after(words, key)) is not None:
                setattr(reply, key, value)
        if "score" in words:
            at = words.index("score") + 1
            kind = words[at] if at < len(words) else ""
            if kind in ("cp", "mate"):
                value = _number_after(words, kind)
            else:
                value = _number_after(words, "score")
            if value is not None:
                reply.score = value if kind != "mate" else (MATE_SCORE - abs(value)) * (1 if value > 0 else -1)


class UciEngine(UniversalEngine):
    dialect = "uci"

    def note_option(self, line: str) -> None:
        if found := re.match(r"option\s+name\s+(.+?)\s+type\b", line):
            self.offered[found[1].lower()] = line

    def set_option(self, name: str, value: str) -> None:
        self.process.send(f"setoption name {name} value {value}")

    def choose_variant(self) -> None:
        offer = self.offered.get("uci_variant", "")
        chosen = any(name.lower() == "uci_variant" for name, _ in self.spec.options)
        if not chosen and "default xiangqi" not in offer and re.search(r"\bvar xiangqi\b", offer):
            self.set_option("UCI_Variant", "xiangqi")

    def find_ranks(self) -> None:
        """Asks for one move from the start position: no move there reads the same both ways."""
        if self.spec.ranks != "auto":
            self.rank_shift = int(self.spec.ranks)
            return
        self.process.send("position startpos", "go depth 1")
        line = self.await_line(self.is_terminal, "bestmove for `go depth 1`", self.patience.start)
        move = (line.split() + [""])[1]
        legal = Game().legal
        if move in legal:
            self.rank_shift = 0
        elif (shift_ranks(move, -1) or "") in legal:
            self.rank_shift = 1
        else:
            raise EngineFault("illegal move", f"`{line}` from the start position in either way to count ranks")

    def new_game(self, limits: Limits) -> None:
        self.process.send("ucinewgame")
        self.sync()

    def go_line(self, side: str, limits: Limits, clock: Clock | None) -> str:
        words = ["go"]
        if clock is not None:
            words += [f"wtime {clock.red:.0f} btime {clock.black:.0f}"]
            words += [f"winc {clock.red_increment:.0f} binc {clock.black_increment:.0f}"]
        if limits.movetime is not None:
            words.append(f"movetime {limits.movetime:.0f}")
        return " ".join(words + _fixed_limits(limits))


class UcciEngine(UniversalEngine):
    dialect = "ucci"

    def note_option(self, line: str) -> None:
        words = line.split()
        if len(words) > 1:
            self.offered[words[1].lower()] = line

    def set_option(self, name: str, value: str) -> None:
        self.process.send(f"setoption {name} {value}")

    @property
    def milliseconds(self) -> bool:
        """By the specification times are in seconds until the option usemillisec is on.

        Fairy-Stockfish 11 does not know the option and always reads milliseconds.
        """
        if self.spec.unit != "auto":
            return self.spec.unit == "ms"
        return "usemillisec" in self.offered or self.identity.startswith("Fairy-Stockfish")

    def choose_variant(self) -> None:
        if "usemillisec" in self.offered:
            self.set_option("usemillisec", "true" if self.milliseconds else "false")
        # Fairy-Stockfish 11 plays xiangqi with the piece values of chess until it is told the variant it is in.
        if re.search(r"\bvar xiangqi\b", self.offered.get("uci_variant", "")):
            self.set_option("UCI_Variant", "xiangqi")

    def new_game(self, limits: Limits) -> None:
        self.process.send("setoption newgame" if "newgame" in self.offered else "uccinewgame")
        self.sync()

    def go_line(self, side: str, limits: Limits, clock: Clock | None) -> str:
        def time_of(milliseconds: float) -> str:
            return f"{milliseconds:.0f}" if self.milliseconds else f"{milliseconds // 1000:.0f}"

        words = ["go"]
        if clock is not None:
            (own, gain), (other, other_gain) = clock.of(side), clock.of(opponent(side))
            words.append(f"time {time_of(own)} increment {time_of(gain)}")
            words.append(f"opptime {time_of(other)} oppincrement {time_of(other_gain)}")
        elif limits.movetime is not None and self.spec.movetime_form == "movestogo":
            words.append(f"time {time_of(limits.movetime)} movestogo 1")
        elif limits.movetime is not None:
            words.append(f"movetime {limits.movetime:.0f}")
        return " ".join(words + _fixed_limits(limits))


class XboardEngine(Engine):
    """CECP: the engine keeps the game itself, and answers each move that it is given."""

    def __init__(self, spec: Spec, patience: Patience = Patience()) -> None:
        self.features: dict[str, str] = {}
        self.played = 0  # half-moves of the game that the engine knows
        self.thinks = False  # whether a move makes the engine answer, or it only records ("force")
        self._ping = 0
        super().__init__(spec, patience)

    def handshake(self) -> None:
        self.process.send("xboard", "protover 2")

        def done(line: str) -> bool:
            if line.startswith("feature "):
                for name, value in re.findall(r'([A-Za-z0-9_]+)=("[^"]*"|\S+)', line):
                    self.features[name] = value.strip('"')
            return self.features.get("done") == "1"

        self.await_line(done, "feature done=1", self.patience.start)
        self.identity = self.features.get("myname", self.spec.name)
        if self.features.get("ping") != "1":
            raise EngineFault("unsuitable", "does not offer ping, without which moves cannot be told from old ones")
        if "xiangqi" not in self.features.get("variants", "").split(","):
            raise EngineFault("unsuitable", "does not offer variant xiangqi")
        for name, value in self.spec.options:
            if name == "memory":
                self.process.send(f"memory {value}")
            else:
                self.process.send(f"option {name}={value}")
        self.sync()

    def sync(self, seconds: float | None = None) -> None:
        self._ping += 1
        self.process.send(f"ping {self._ping}")
        self.await_line(lambda line: line.strip() == f"pong {self._ping}", "pong", seconds or self.patience.start)

    def is_terminal(self, line: str) -> bool:
        return line.startswith("move ") or line.strip() == "resign" or self._is_result(line) or self._is_refusal(line)

    @staticmethod
    def _is_result(line: str) -> bool:
        return line.startswith(("1-0", "0-1", "1/2-1/2"))

    @staticmethod
    def _is_refusal(line: str) -> bool:
        return line.startswith(("Illegal move", "tellusererror", "Error ("))

    def surplus(self, line: str) -> None:
        # Claims of a result after the last move are in order here, as are refusals after a lost game.
        if line.startswith("move "):
            super().surplus(line)
        elif self._is_refusal(line):
            raise EngineFault("refused request", line.strip())

    def new_game(self, limits: Limits) -> None:
        # `force` first: an engine that is still to move would otherwise think on.
        self.process.send("force", "new", "variant xiangqi", "force", "easy", "post")
        if limits.base is not None:
            minutes, seconds = divmod(limits.base / 1000, 60)
            # Whole seconds only, rounded up; `time` before each move tells the exact clock.
            whole = int(-(-seconds // 1))
            self.process.send(f"level 0 {int(minutes)}:{whole:02d} {limits.increment / 1000:g}")
        elif limits.movetime is not None:
            self.process.send(f"st {limits.movetime / 1000:g}")
        if limits.depth is not None:
            self.process.send(f"sd {limits.depth}")
        self.played, self.thinks = 0, False
        self.sync()

    def go(self, game: Game, limits: Limits, clock: Clock | None) -> Reply:
        request = []
        if self.played == 0 and game.start_fen != START_FEN:
            letters = with_letters(game.start_fen) if self.spec.letters != "NB" else game.start_fen
            request.append(f"setboard {letters}")
        fresh = game.moves[self.played :]
        if not self.thinks:
            request += fresh
        if clock is not None:
            own, other = clock.of(game.side)[0], clock.of(opponent(game.side))[0]
            request += [f"time {own / 10:.0f}", f"otim {other / 10:.0f}"]
        request += fresh if self.thinks else ["go"]
        reply = Reply(None, 0.0)
        line = self.search(request, "?", game.side, limits, clock, reply)
        self.played, self.thinks = len(game.moves) + 1, True
        if self._is_refusal(line):
            raise EngineFault("refused request", line.strip())
        if line.startswith("move "):
            reply.move = line.split()[1].replace("-", "") if len(line.split()) > 1 else None
            if reply.move is None:
                raise EngineFault("malformed terminal line", line)
            return reply
        lost = "0-1" if game.side == RED else "1-0"
        if line.strip() != "resign" and not line.startswith(lost):
            raise EngineFault("false claim", line.strip())
        reply.resigns = True
        return reply

    def note_info(self, line: str, reply: Reply) -> None:
        # depth score centiseconds nodes line
        if found := re.match(r"\s*(\d+)\S*\s+(-?\d+)\s+\d+\s+(\d+)\b", line):
            reply.depth, reply.score, reply.nodes = int(found[1]), int(found[2]), int(found[3])


def with_letters(fen: str) -> str:
    """The FEN with H and E for horse and elephant, as xboard engines write them."""
    placement, _, rest = fen.partition(" ")
    return f"{placement.translate(str.maketrans('NBnb', 'HEhe'))} {rest}"


def _number_after(words: Sequence[str], key: str) -> int | None:
    try:
        return int(words[words.index(key) + 1])
    except (ValueError, IndexError):
        return None


def _fixed_limits(limits: Limits) -> list[str]:
    words = []
    if limits.depth is not None:
        words.append(f"depth {limits.depth}")
    if limits.nodes is not None:
        words.append(f"nodes {limits.nodes}")
    return words


_CLIENTS: dict[str, type[Engine]] = {"uci": UciEngine, "ucci": UcciEngine, "xboard": XboardEngine}


def start(spec: Spec, patience: Patience = Patience()) -> Engine:
    """Starts the engine and completes its handshake."""
    return _CLIENTS[spec.protocol](spec, patience)


def detect(spec: Spec, patience: Patience = Patience()) -> Spec:
    """Fills in the protocol: each is tried on a process of its own, as some engines leave on a strange word."""
    if spec.protocol != "auto":
        return spec
    quick = replace(patience, start=min(patience.start, 3.0))
    for protocol in _CLIENTS:
        candidate = replace(spec, protocol=protocol)
        try:
            start(candidate, quick).quit()
        except EngineFault:
            continue
        return candidate
    raise SpecError(f"engine {spec.name}: answers none of uci, ucci, xboard")


def check_limits(spec: Spec, limits: Limits) -> None:
    """Refuses limits that the engine's protocol has no words for."""
    if not limits:
        raise SpecError(f"engine {spec.name}: no limit (give --tc, --movetime, --depth or --nodes)")
    if spec.protocol == "xboard":
        if limits.nodes is not None:
            raise SpecError(f"engine {spec.name}: the xboard protocol has no node limit")
        if limits.movetime is not None and limits.movetime % 1000:
            raise SpecError(f"engine {spec.name}: xboard engines take --movetime in whole seconds")
    if spec.protocol == "ucci" and limits.base is not None and limits.movetime is not None:
        raise SpecError(f"engine {spec.name}: UCCI takes either a clock or a time per move")
