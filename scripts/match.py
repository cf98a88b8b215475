#!/usr/bin/env python3
"""Plays a match between two xiangqi engines, refereed by pyffish.

Each opening is played twice with colours reversed. Engines speak UCCI, UCI or xboard.

  scripts/match.py --engine 'cmd=target/release/chuhe' --engine 'cmd=fairy-stockfish proto=uci' \\
      --openings openings.txt --games 40 --tc 2+0.02 --concurrency 2 --pgn games.pgn --json summary.json

An engine is KEY=VALUE words, quoted as in a shell:
  cmd='PROGRAM ARGS'   looked up on PATH, then in /usr/games (Debian)
  name=TEXT            how it is called in the results
  proto=auto|ucci|uci|xboard
  tc=2+0.02 movetime=MS depth=N nodes=N   its own limits instead of the match's
  margin=MS            its own --margin, to be strict with one engine and lenient with the other
  option.NAME=VALUE    sent before the first game ('option.Skill Level=3'); xboard: option.memory=MB
  ranks=auto|0|1       what a UCI engine counts ranks from; auto asks it for one move
  letters=auto|NB|HE   letters of horse and elephant in FEN (auto: HE for xboard, NB otherwise)
  history=auto|start|capture   whether `position` begins at the game's start or after the last capture
                       (auto: capture for UCCI, as its interfaces do; start for UCI)
  unit=auto|ms|s       of UCCI times (auto: ms when the engine offers usemillisec, else s as specified)
  ucci-movetime=movetime|movestogo   `go movetime T` or `go time T movestogo 1`
  dir=FOLDER           working folder

Debian's engines:
  cmd=fairy-stockfish proto=uci    or proto=ucci (the variant is set in both)
  cmd=hoixiangqi proto=xboard      start position only: it refuses every setboard
  cmd=sjaakii proto=xboard margin=200   it lets its clock run out when the increment is small, and more so
                                   with proto=uci, which needs letters=HE for openings given as FEN

Exit code: 0 when the match was played, 1 when engine 1 committed a fault (illegal move, time forfeit, crash,
hang, missing or double terminal line ...), 2 for bad arguments, unreadable files or an engine that does not start.
Results go to standard output, progress to standard error.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import threading
import time
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Iterator, TextIO

sys.path.insert(0, str(Path(__file__).resolve().parent))

from matchlib import engines, openings, stats  # noqa: E402
from matchlib.engines import Clock, Engine, EngineFault, Limits, Patience, Reply, Spec, SpecError  # noqa: E402
from matchlib.referee import BLACK, RED, SIDE_NAME, START_FEN, Game, Rules, Verdict, opponent  # noqa: E402


@dataclass(frozen=True)
class Adjudication:
    """When both engines' scores agree for long enough; None switches a rule off."""

    win_score: int | None = None
    win_moves: int = 5
    draw_score: int | None = None
    draw_moves: int = 10
    draw_after: int = 60


@dataclass(frozen=True)
class Settings:
    specs: tuple[Spec, Spec]
    limits: tuple[Limits, Limits]
    rules: Rules
    patience: Patience
    adjudication: Adjudication
    restart: bool


@dataclass
class Fault:
    """What an engine did wrong, with everything needed to see it again."""

    kind: str
    engine: int
    name: str
    game: int
    ply: int
    detail: str
    decisive: bool
    start_fen: str
    moves: str
    fen: str
    log: list[str]


@dataclass
class Times:
    """How an engine used its time over the whole match. Milliseconds."""

    moves: int = 0
    spent: float = 0.0
    nodes: int = 0
    depth: int = 0
    longest: float = 0.0
    overruns: int = 0
    overrun_sum: float = 0.0
    overrun_max: float = 0.0

    def add(self, reply: Reply, overrun: float) -> None:
        self.moves += 1
        self.spent += reply.elapsed
        self.nodes += reply.nodes or 0
        self.depth += reply.depth or 0
        self.longest = max(self.longest, reply.elapsed)
        if overrun > 0:
            self.overruns += 1
            self.overrun_sum += overrun
            self.overrun_max = max(self.overrun_max, overrun)

    def merge(self, other: "Times") -> None:
        for name in ("moves", "spent", "nodes", "depth", "overruns", "overrun_sum"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.longest = max(self.longest, other.longest)
        self.overrun_max = max(self.overrun_max, other.overrun_max)

    @property
    def overrun_mean(self) -> float:
        return self.overrun_sum / self.overruns if self.overruns else 0.0


@dataclass
class Record:
    """A finished game. Engines are 0 and 1 inside, 1 and 2 for the reader."""

    number: int
    red: int
    opening: openings.Opening
    verdict: Verdict
    moves: list[str]
    comments: list[str]
    seconds: float
    faults: list[Fault] = field(default_factory=list)
    times: tuple[Times, Times] = field(default_factory=lambda: (Times(), Times()))

    @property
    def score(self) -> float:
        """Engine 1's."""
        if self.verdict.winner is None:
            return 0.5
        winner = self.red if self.verdict.winner == RED else 1 - self.red
        return 1.0 if winner == 0 else 0.0


class Table:
    """A place where games are played, one after the other, with a pair of engine processes."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.engines: list[Engine | None] = [None, None]

    def engine(self, index: int) -> Engine:
        current = self.engines[index]
        if current is None:
            current = engines.start(self.settings.specs[index], self.settings.patience)
            self.engines[index] = current
        return current

    def drop(self, index: int, kill: bool = False) -> None:
        engine, self.engines[index] = self.engines[index], None
        if engine is not None:
            engine.kill() if kill else engine.quit()

    def close(self) -> None:
        for index in (0, 1):
            self.drop(index)

    def abandon(self) -> None:
        """Kills the engines under the hands of the thread that plays here."""
        for engine in self.engines:
            if engine is not None:
                engine.process.slay()

    def play(self, number: int, opening: openings.Opening, red: int) -> Record:
        """One game; never raises for what an engine does."""
        begin = time.monotonic()
        game = Game(opening.fen, self.settings.rules)
        for move in opening.moves:
            game.push(move)
        record = Record(number, red, opening, Verdict(None, "unfinished"), game.moves, ["book"] * len(game.moves), 0.0)
        seats = {RED: red, BLACK: 1 - red}
        at_fault = red
        try:
            for at_fault in (red, 1 - red):
                self.engine(at_fault).new_game(self.settings.limits[at_fault])
            for at_fault, verdict in self._moves(game, seats, record):
                if verdict is not None:
                    record.verdict = verdict
        except EngineFault as fault:
            side = RED if at_fault == red else BLACK
            record.verdict = Verdict(opponent(side), f"{fault.kind} by {SIDE_NAME[side]}")
            record.faults.append(self._evidence(fault, at_fault, game, number, decisive=True))
            # A process that broke its word gives no reliable answers in the next game.
            self.drop(at_fault, kill=True)
        self._after(game, record)
        record.seconds = time.monotonic() - begin
        return record

    def _moves(self, game: Game, seats: dict[str, int], record: Record) -> Iterator[tuple[int, Verdict | None]]:
        """Plays to the end, naming before each step the engine that answers for it."""
        settings = self.settings
        remaining = {side: settings.limits[seats[side]].base or 0.0 for side in (RED, BLACK)}
        judge = Judge(settings.adjudication)
        while True:
            side = game.side
            index = seats[side]
            limits = settings.limits[index]
            yield index, None
            if verdict := game.verdict():
                yield index, verdict
                return
            clock = None
            if limits.base is not None:
                gains = {turn: settings.limits[seats[turn]].increment for turn in (RED, BLACK)}
                clock = Clock(remaining[RED], remaining[BLACK], gains[RED], gains[BLACK])
            reply = self.engine(index).go(game, limits, clock)
            budget = [remaining[side]] if limits.base is not None else []
            budget += [limits.movetime] if limits.movetime is not None else []
            overrun = max(0.0, reply.elapsed - min(budget)) if budget else 0.0
            record.times[index].add(reply, overrun)
            if overrun > settings.specs[index].margin_of(settings.patience) * 1000:
                raise EngineFault("time forfeit", f"{overrun:.0f} ms beyond {min(budget):.0f} ms")
            if limits.base is not None:
                remaining[side] = max(0.0, remaining[side] - reply.elapsed) + limits.increment
            if reply.resigns:
                yield index, Verdict(opponent(side), f"{SIDE_NAME[side]} resigns")
                return
            if reply.move is None:
                raise EngineFault("no move", f"there are {len(game.legal)} legal moves")
            if reply.move not in game.legal:
                raise EngineFault("illegal move", reply.move)
            game.push(reply.move)
            record.comments.append(comment(reply))
            if verdict := judge.verdict(reply.score, side, len(game.moves)):
                # The rules come first: the last move may have mated.
                yield index, game.verdict() or verdict
                return

    def _after(self, game: Game, record: Record) -> None:
        """Collects what comes late: second terminal lines, and engines that died after their last move."""
        for index in (0, 1):
            engine = self.engines[index]
            if engine is None:
                continue
            try:
                engine.sync()
            except EngineFault as fault:
                record.faults.append(self._evidence(fault, index, game, record.number, decisive=False))
                self.drop(index, kill=True)
            for fault in engine.soft_faults:
                record.faults.append(self._evidence(fault, index, game, record.number, decisive=False, engine=engine))
            engine.soft_faults.clear()
            if self.settings.restart:
                self.drop(index)

    def _evidence(
        self, fault: EngineFault, index: int, game: Game, number: int, decisive: bool, engine: Engine | None = None
    ) -> Fault:
        engine = engine or self.engines[index]
        return Fault(
            kind=fault.kind,
            engine=index + 1,
            name=self.settings.specs[index].name,
            game=number,
            ply=len(game.moves),
            detail=fault.detail,
            decisive=decisive,
            start_fen=game.start_fen,
            moves=" ".join(game.moves),
            fen=game.fen,
            log=list(engine.process.log) if engine else [],
        )


class Judge:
    """Ends games early when both sides' scores have agreed for some moves."""

    def __init__(self, rules: Adjudication) -> None:
        self.rules = rules
        self.run: dict[str | None, int] = {RED: 0, BLACK: 0, None: 0}  # half-moves in a row, by claimed winner

    def verdict(self, score: int | None, side: str, plies: int) -> Verdict | None:
        rules = self.rules
        red_score = None if score is None else score if side == RED else -score
        claims = {
            RED: rules.win_score is not None and red_score is not None and red_score >= rules.win_score,
            BLACK: rules.win_score is not None and red_score is not None and red_score <= -rules.win_score,
            None: rules.draw_score is not None and red_score is not None and abs(red_score) <= rules.draw_score,
        }
        for winner, claimed in claims.items():
            self.run[winner] = self.run[winner] + 1 if claimed else 0
        for winner in (RED, BLACK):
            if self.run[winner] >= 2 * rules.win_moves:
                return Verdict(winner, "adjudication: both scores decided")
        if plies >= rules.draw_after and self.run[None] >= 2 * rules.draw_moves:
            return Verdict(None, "adjudication: both scores level")
        return None


def comment(reply: Reply) -> str:
    """`+35/12 0.123s`: score of the mover, depth, time."""
    if reply.score is None:
        value = "?"
    elif engines.MATE_SCORE - 1000 < abs(reply.score) <= engines.MATE_SCORE:
        distance = engines.MATE_SCORE - abs(reply.score)
        value = f"{'+' if reply.score > 0 else '-'}M{distance}"
    else:
        value = f"{reply.score:+d}"
    return f"{value}/{reply.depth or 0} {reply.elapsed / 1000:.3f}s"


class Match:
    """All games of a match: hands out pairs of games, gathers results, decides when to stop."""

    def __init__(
        self,
        settings: Settings,
        lines: Iterator[openings.Opening],
        pairs: int,
        sprt: stats.Sprt | None,
        pgn: TextIO | None,
        verbose: bool,
    ) -> None:
        self.settings = settings
        self.lines = lines
        self.pairs = pairs
        self.sprt = sprt
        self.pgn = pgn
        self.verbose = verbose
        self.records: list[Record] = []
        self.pentanomial = [0] * 5
        self.decision: str | None = None
        self.times = (Times(), Times())
        self.faults: list[Fault] = []
        self.failure: BaseException | None = None
        self._lock = threading.Lock()
        self._handed_out = 0
        self._begin = time.monotonic()
        self._shown = 0.0
        self._stop = threading.Event()
        self._tables: list[Table] = []

    def run(self, concurrency: int) -> None:
        ends = [threading.Event() for _ in range(min(concurrency, self.pairs))]
        for end in ends:
            threading.Thread(target=self._work, args=(end,), daemon=True).start()
        # Events and not `join`: in Python 3.11 an interrupted `join` takes its thread for finished.
        try:
            for end in ends:
                end.wait()
        except KeyboardInterrupt:
            print("\ninterrupted: finishing the pairs in progress (again: leave at once)", file=sys.stderr)
            self._stop.set()
            try:
                for end in ends:
                    end.wait()
            except KeyboardInterrupt:
                # Engines run in sessions of their own, so the terminal's interrupt did not reach them.
                for table in self._tables:
                    table.abandon()
                # Not by an exception: the playing threads would tell of their engines' deaths.
                os._exit(130)
        if sys.stderr.isatty() and not self.verbose:
            print(file=sys.stderr)
        if self.failure is not None:
            raise self.failure

    def _next_pair(self) -> tuple[int, openings.Opening] | None:
        with self._lock:
            if self._stop.is_set() or self._handed_out >= self.pairs:
                return None
            self._handed_out += 1
            return self._handed_out - 1, next(self.lines)

    def _work(self, end: threading.Event) -> None:
        table = Table(self.settings)
        self._tables.append(table)
        try:
            while (task := self._next_pair()) is not None:
                number, opening = task
                pair = []
                for red in (0, 1):
                    record = table.play(2 * number + red + 1, opening, red)
                    pair.append(record)
                    self._finished(record)
                self._paired(pair)
        except BaseException as error:  # shown by the main thread
            self.failure = error
            self._stop.set()
        finally:
            table.close()
            end.set()

    def _finished(self, record: Record) -> None:
        with self._lock:
            self.records.append(record)
            self.faults += record.faults
            for total, part in zip(self.times, record.times):
                total.merge(part)
            if self.pgn:
                self.pgn.write(pgn_of(record, self.settings))
                self.pgn.flush()
            names = [spec.name for spec in self.settings.specs]
            if self.verbose:
                red, black = names[record.red], names[1 - record.red]
                print(
                    f"game {record.number}: {red} - {black} {record.verdict.result} "
                    f"({record.verdict.reason}, {len(record.moves)} half-moves, {record.seconds:.1f} s)",
                    file=sys.stderr,
                )
            for fault in record.faults:
                print(f"fault: game {fault.game}: {fault.name}: {fault.kind}: {fault.detail}", file=sys.stderr)

    def _paired(self, pair: list[Record]) -> None:
        with self._lock:
            self.pentanomial[int(2 * sum(record.score for record in pair))] += 1
            if self.sprt and self.decision is None:
                self.decision = self.sprt.decision(self.pentanomial)
                if self.decision:
                    self._stop.set()
            now = time.monotonic()
            terminal = sys.stderr.isatty() and not self.verbose
            last = sum(self.pentanomial) == self.pairs or self._stop.is_set()
            if terminal or last or now - self._shown >= 20:
                self._shown = now
                line = self.progress()
                print(f"\r\x1b[K{line}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)

    def wins_draws_losses(self) -> tuple[int, int, int]:
        counts = Counter(record.score for record in self.records)
        return counts[1.0], counts[0.5], counts[0.0]

    def progress(self) -> str:
        wins, draws, losses = self.wins_draws_losses()
        estimate = stats.estimate(self.pentanomial)
        line = (
            f"{len(self.records)}/{2 * self.pairs} +{wins} ={draws} -{losses} "
            f"{100 * estimate.score:.1f}% Elo {elo_text(estimate)}"
        )
        if self.sprt:
            line += f" LLR {self.sprt.llr(self.pentanomial):.2f} [{self.sprt.lower:.2f}, {self.sprt.upper:.2f}]"
        return f"{line} faults {len(self.faults)} {time.monotonic() - self._begin:.0f} s"

    def summary(self) -> dict[str, object]:
        wins, draws, losses = self.wins_draws_losses()
        estimate = stats.estimate(self.pentanomial)
        games = len(self.records)
        result: dict[str, object] = {
            "engines": [
                {
                    "name": spec.name,
                    "command": list(spec.command),
                    "protocol": spec.protocol,
                    "limits": str(limits),
                    "options": dict(spec.options),
                    "faults": dict(Counter(fault.kind for fault in self.faults if fault.engine == number)),
                    "moves": times.moves,
                    "mean_ms": round(times.spent / max(1, times.moves), 2),
                    "longest_ms": round(times.longest, 2),
                    "mean_depth": round(times.depth / max(1, times.moves), 2),
                    "nodes_per_second": round(times.nodes / times.spent * 1000) if times.spent else 0,
                    "overruns": times.overruns,
                    "overrun_max_ms": round(times.overrun_max, 2),
                    "overrun_mean_ms": round(times.overrun_mean, 2),
                }
                for number, (spec, limits, times) in enumerate(
                    zip(self.settings.specs, self.settings.limits, self.times), 1
                )
            ],
            "games": games,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "red_wins": sum(record.verdict.winner == RED for record in self.records),
            "black_wins": sum(record.verdict.winner == BLACK for record in self.records),
            "score": (wins + draws / 2) / games if games else None,
            "pentanomial": self.pentanomial,
            "elo": finite(estimate.elo),
            "elo_low": finite(estimate.low),
            "elo_high": finite(estimate.high),
            "reasons": dict(Counter(record.verdict.reason for record in self.records).most_common()),
            "seconds": round(time.monotonic() - self._begin, 1),
            "faults": [asdict(fault) for fault in self.faults],
            "results": [
                {
                    "game": record.number,
                    "red": record.red + 1,
                    "opening": record.opening.name,
                    "result": record.verdict.result,
                    "reason": record.verdict.reason,
                    "plies": len(record.moves),
                }
                for record in sorted(self.records, key=lambda record: record.number)
            ],
        }
        if self.sprt:
            result["sprt"] = {
                **asdict(self.sprt),
                "llr": round(self.sprt.llr(self.pentanomial), 3),
                "lower": round(self.sprt.lower, 3),
                "upper": round(self.sprt.upper, 3),
                "accepted": self.decision,
            }
        return result

    def print_summary(self) -> None:
        first, second = (spec.name for spec in self.settings.specs)
        wins, draws, losses = self.wins_draws_losses()
        estimate = stats.estimate(self.pentanomial)
        red_wins = sum(record.verdict.winner == RED for record in self.records)
        black_wins = sum(record.verdict.winner == BLACK for record in self.records)
        print(f"{first} - {second}: {len(self.records)} games, +{wins} ={draws} -{losses}", end="")
        if self.records:
            print(f", {100 * (wins + draws / 2) / len(self.records):.1f} %", end="")
        print(f"  (Red won {red_wins}, Black {black_wins})")
        print(f"Elo {elo_text(estimate)} (95 %, pairs 0-0.5-1-1.5-2: {self.pentanomial})")
        if self.sprt:
            outcome = {"H0": "H0 accepted", "H1": "H1 accepted", None: "undecided"}[self.decision]
            print(
                f"SPRT elo0 {self.sprt.elo0:g} elo1 {self.sprt.elo1:g}: LLR {self.sprt.llr(self.pentanomial):.2f} "
                f"[{self.sprt.lower:.2f}, {self.sprt.upper:.2f}] {outcome}"
            )
        for reason, count in Counter(record.verdict.reason for record in self.records).most_common():
            print(f"  {count:4} {reason}")
        for spec, limits, times in zip(self.settings.specs, self.settings.limits, self.times):
            moves = max(1, times.moves)
            print(
                f"{spec.name} ({spec.protocol}, {limits}): {times.moves} moves, mean {times.spent / moves:.1f} ms, "
                f"longest {times.longest:.1f} ms, mean depth {times.depth / moves:.1f}, "
                f"overruns {times.overruns} (max {times.overrun_max:.1f} ms, mean {times.overrun_mean:.1f} ms)"
            )
        counts = Counter((fault.name, fault.kind) for fault in self.faults)
        if not counts:
            print("no faults")
        for (name, kind), count in sorted(counts.items()):
            print(f"fault: {name}: {kind}: {count}")
        for fault in self.faults[:10]:
            print(f"  game {fault.game}, half-move {fault.ply}, {fault.name}: {fault.kind}: {fault.detail}")
            print(f"    fen {fault.fen}")
            for line in fault.log[-4:]:
                print(f"    {line}")
        if len(self.faults) > 10:
            print(f"  ... {len(self.faults) - 10} more; --json has them all with their games")


def finite(value: float) -> float | None:
    """JSON has no infinity."""
    return round(value, 2) if math.isfinite(value) else None


def elo_text(estimate: stats.Estimate) -> str:
    if not math.isfinite(estimate.error):
        low = "-inf" if estimate.low == -math.inf else f"{estimate.low:.1f}"
        high = "inf" if estimate.high == math.inf else f"{estimate.high:.1f}"
        return f"{estimate.elo:+.1f} [{low}, {high}]"
    return f"{estimate.elo:+.1f} +/- {estimate.error:.1f}"


def pgn_of(record: Record, settings: Settings) -> str:
    """The game in the PGN form of xiangqi programs, moves in ICCS, with score/depth and time as comments."""
    names = [spec.name for spec in settings.specs]
    limits = [str(limit) for limit in settings.limits]
    tags = {
        "Game": "Chinese Chess",
        "Event": f"{names[0]} - {names[1]}",
        "Date": date.today().strftime("%Y.%m.%d"),
        "Round": str(record.number),
        "Red": names[record.red],
        "Black": names[1 - record.red],
        "RedLimits": limits[record.red],
        "BlackLimits": limits[1 - record.red],
        "Opening": record.opening.name,
        "Result": record.verdict.result,
        "Termination": record.verdict.reason,
        "Format": "ICCS",
    }
    if record.opening.fen != START_FEN:
        tags["FEN"] = record.opening.fen
    lines = [f'[{name} "{value}"]' for name, value in tags.items()] + [""]
    black_begins = record.opening.fen.split()[1:2] == ["b"]
    for ply, (move, note) in enumerate(zip(record.moves, record.comments), int(black_begins)):
        text = f"{move[:2].upper()}-{move[2:].upper()} {{{note}}}"
        if ply % 2 == 0:
            lines.append(f"{ply // 2 + 1}. {text}")
        elif lines[-1]:
            lines[-1] += f" {text}"
        else:
            lines.append(f"{ply // 2 + 1}... {text}")
    lines.append(f"{{{record.verdict.reason}}} {record.verdict.result}")
    return "\n".join(lines) + "\n\n"


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    head, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="match.py",
        description=head,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--engine", action="append", default=[], metavar="SPEC", help="an engine (give it twice); see below")
    add("--games", type=int, default=100, help="number of games, rounded up to pairs (default 100)")
    add("--openings", type=Path, metavar="FILE", help="lines of ICCS moves or FENs in the last tab-separated column")
    add("--plies", type=int, metavar="N", help="cut openings to N half-moves")
    add("--seed", type=int, default=1, help="of the order of openings (default 1)")
    add("--concurrency", type=int, default=1, metavar="N", help="games at a time (default 1)")
    add("--tc", metavar="BASE+INC", help="clock in seconds, such as 2+0.02")
    add("--movetime", metavar="MS", help="time per move in milliseconds")
    add("--depth", metavar="N", help="depth of every search")
    add("--nodes", metavar="N", help="nodes of every search")
    for number in (1, 2):
        add(f"--depth{number}", metavar="N", help=f"depth for engine {number} instead of the match's limits")
        add(f"--nodes{number}", metavar="N", help=f"nodes for engine {number} instead of the match's limits")
        add(
            f"--option{number}", action="append", default=[], metavar="NAME=VALUE", help=f"an option of engine {number}"
        )
    add("--margin", type=float, default=50, metavar="MS", help="overrun that does not lose (default 50)")
    add("--grace", type=float, default=5, metavar="S", help="wait for a move after time is up (default 5)")
    add("--hang", type=float, default=60, metavar="S", help="a search by depth or nodes hangs after this (default 60)")
    add("--rules", choices=("checkonly", "alwaysdraw"), default="checkonly", help="third repetition: "
        "perpetual check by one side only loses (default), or always a draw")
    add("--quiet-plies", type=int, default=120, metavar="N", help="half-moves without capture that draw (default 120)")
    add("--max-plies", type=int, default=400, metavar="N", help="length that draws (default 400)")
    add("--win-score", type=int, metavar="X", help="adjudicate a win when both scores pass X ...")
    add("--win-moves", type=int, default=5, metavar="N", help="... for N moves of each side (default 5)")
    add("--draw-score", type=int, metavar="X", help="adjudicate a draw when both scores are within X ...")
    add("--draw-moves", type=int, default=10, metavar="N", help="... for N moves of each side (default 10)")
    add("--draw-after", type=int, default=60, metavar="PLY", help="... and not before this half-move (default 60)")
    add("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop when decided (alpha = beta = 0.05)")
    add("--restart", action="store_true", help="a new process for every game")
    add("--pgn", type=Path, metavar="FILE", help="write the games")
    add("--json", type=Path, metavar="FILE", help="write the summary")
    add("-v", "--verbose", action="store_true", help="a line for each game")
    return parser.parse_args(argv)


def prepare(arguments: argparse.Namespace) -> tuple[Settings, Iterator[openings.Opening]]:
    """Turns arguments into settings; raises SpecError, ValueError or OSError for what cannot work."""
    if len(arguments.engine) != 2:
        raise SpecError(f"a match needs two --engine, not {len(arguments.engine)}")
    if arguments.games < 1 or arguments.concurrency < 1:
        raise SpecError("--games and --concurrency must be positive")
    common = Spec("match", ()).with_limits(arguments.tc, arguments.movetime, arguments.depth, arguments.nodes).limits
    patience = Patience(move=arguments.hang, grace=arguments.grace, margin=arguments.margin / 1000)
    specs, limits = [], []
    for number, text in enumerate(arguments.engine, 1):
        spec = Spec.parse(text)
        own = {key: getattr(arguments, f"{key}{number}") for key in ("depth", "nodes")}
        spec = spec.with_limits(**own)
        for word in getattr(arguments, f"option{number}"):
            name, equals, value = word.partition("=")
            if not equals:
                raise SpecError(f"--option{number} {word}: expected NAME=VALUE")
            spec = replace(spec, options=(*spec.options, (name, value)))
        specs.append(spec)
    if specs[0].name == specs[1].name:
        specs = [replace(spec, name=f"{spec.name}-{number}") for number, spec in enumerate(specs, 1)]
    for at, spec in enumerate(specs):
        specs[at] = spec = engines.detect(spec, patience)
        limits.append(spec.limits or common)
        engines.check_limits(spec, limits[-1])
        try:
            engines.start(spec, patience).quit()
        except EngineFault as fault:
            raise SpecError(f"engine {spec.name} does not start: {fault}") from None
    if arguments.openings:
        lines = openings.load(arguments.openings, arguments.plies)
    else:
        lines = [openings.Opening("start position", ())]
    settings = Settings(
        specs=(specs[0], specs[1]),
        limits=(limits[0], limits[1]),
        rules=Rules(arguments.rules, arguments.quiet_plies, arguments.max_plies),
        patience=patience,
        adjudication=Adjudication(
            arguments.win_score, arguments.win_moves, arguments.draw_score, arguments.draw_moves, arguments.draw_after
        ),
        restart=arguments.restart,
    )
    return settings, openings.shuffled(lines, arguments.seed)


def main(argv: list[str]) -> int:
    arguments = parse_arguments(argv)
    # A thread that waits for an engine should get the interpreter soon after the engine's move.
    sys.setswitchinterval(0.001)
    try:
        settings, lines = prepare(arguments)
        sprt = stats.Sprt(*arguments.sprt) if arguments.sprt else None
        pgn = arguments.pgn.open("w", encoding="utf-8") if arguments.pgn else None
        match = Match(settings, lines, (arguments.games + 1) // 2, sprt, pgn, arguments.verbose)
        match.run(arguments.concurrency)
        if pgn:
            pgn.close()
        if arguments.json:
            text = json.dumps(match.summary(), indent=1, ensure_ascii=False)
            arguments.json.write_text(text + "\n", encoding="utf-8")
    except (ValueError, OSError) as error:
        print(f"match.py: {error}", file=sys.stderr)
        return 2
    match.print_summary()
    return 1 if any(fault.engine == 1 for fault in match.faults) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
