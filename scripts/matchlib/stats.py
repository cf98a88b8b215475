"""Elo, its error, and the sequential test, from pairs of games (the pentanomial model).

A pair is one opening played twice with colours reversed; its score for engine 1 is 0, 0.5, 1, 1.5 or 2.
Pairs, not games, are the independent observations: both games of a pair share the opening's bias.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Sequence

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # points per game


def elo_of(score: float) -> float:
    """Elo difference that a score between 0 and 1 stands for."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Estimate:
    """A score with its Elo and the bounds of the 95 % interval."""

    pairs: int
    score: float
    elo: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval; infinite when one end is."""
        return (self.high - self.low) / 2


def estimate(pairs: Sequence[int]) -> Estimate:
    """From the counts of pairs that scored 0, 0.5, 1, 1.5, 2."""
    total = sum(pairs)
    if total == 0:
        return Estimate(0, 0.5, 0.0, -math.inf, math.inf)
    mean = sum(count * score for count, score in zip(pairs, PAIR_SCORES)) / total
    variance = sum(count * (score - mean) ** 2 for count, score in zip(pairs, PAIR_SCORES)) / total
    # With equal results in all pairs the sample knows nothing of its spread.
    margin = 1.959964 * math.sqrt(variance / total) if variance > 0 else math.inf
    return Estimate(total, mean, elo_of(mean), elo_of(mean - margin), elo_of(mean + margin))


def likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """Generalised log-likelihood ratio of elo1 against elo0 (logistic Elo)."""
    # Empty cells get a trifle, otherwise one decided pair could settle everything.
    counts = [max(count, 1e-3) for count in pairs]
    total = sum(counts)
    observed = [count / total for count in counts]
    fitted0 = _most_likely(observed, score_of(elo0))
    fitted1 = _most_likely(observed, score_of(elo1))
    return total * sum(p * math.log(b / a) for p, a, b in zip(observed, fitted0, fitted1))


def _most_likely(observed: Sequence[float], mean: float) -> list[float]:
    """The distribution nearest to the observed one among those with the given mean score."""
    distances = [score - mean for score in PAIR_SCORES]

    def slope(theta: float) -> float:
        return sum(p * d / (1 + theta * d) for p, d in zip(observed, distances))

    # The slope falls monotonically between its two poles, so halving finds its only zero.
    low, high = -1 / max(distances), -1 / min(distances)
    for _ in range(200):
        theta = (low + high) / 2
        if slope(theta) > 0:
            low = theta
        else:
            high = theta
    theta = (low + high) / 2
    return [p / (1 + theta * d) for p, d in zip(observed, distances)]


@dataclass(frozen=True)
class Sprt:
    """A sequential test of elo0 against elo1."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        return likelihood_ratio(pairs, self.elo0, self.elo1) if sum(pairs) else 0.0

    def decision(self, pairs: Sequence[int]) -> str | None:
        """`H1` (elo1 accepted), `H0`, or None while undecided."""
        llr = self.llr(pairs)
        if llr >= self.upper:
            return "H1"
        if llr <= self.lower:
            return "H0"
        return None
