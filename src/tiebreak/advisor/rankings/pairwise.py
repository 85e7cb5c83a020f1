"""Rankings by comparing every two algorithms: ratios of success rates and times (ARR, A3R, SRR), mean ranks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.advisor.rankings.ranking import Measured, Ranking, measured, ranked
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.numeric.basics import snap
from tiebreak.wording import either, option

BLOCK = 1 << 18
"""Pair values computed at a time."""
FLOOR = 0.001
"""Success rates below it count as it where they are divided."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """Values of all pairs on all data sets, made block by block; `mask` is (data sets, algorithms).

    `values` takes some data sets and returns (rows, algorithms, algorithms); anything finite where one is missing.
    """

    mask: BoolArray
    values: Callable[[slice], FloatArray]
    with_self: bool = False
    exponential: bool = False
    lower_is_better: bool = False

    def blocks(self, weightings: int = 1) -> list[slice]:
        """Cut the data sets into blocks; many weightings make larger ones worth their memory."""
        count, m = self.mask.shape
        step = max(1, BLOCK // (m * m), min(64, weightings))
        return [slice(start, min(start + step, count)) for start in range(0, count, step)]

    def complete(self) -> bool:
        """Whether nothing is missing."""
        return bool(self.mask.all())

    def masked(self, rows: slice) -> FloatArray:
        """Return the values, 0 where one of the two is missing."""
        value = self.values(rows)
        if not self.complete():
            value *= self.mask[rows, :, None]
            value *= self.mask[rows, None, :]
        return value

    def rests(self, weights: FloatArray) -> FloatArray:
        """Return (weightings, algorithms, algorithms): the weight of the data sets where both were measured."""
        if self.complete():
            m = self.mask.shape[1]
            return np.broadcast_to(weights.sum(axis=1)[:, None, None], (len(weights), m, m))
        there = self.mask.astype(np.float64)
        return np.array([(row[:, None] * there).T @ there for row in weights])

    def partners(self, rests: FloatArray) -> FloatArray:
        """Return 1 for every pair that counts, 0 for those without a common data set and, mostly, for p with itself."""
        m = rests.shape[-1]
        counts = (rests > 0).astype(np.float64)
        counts[:, np.arange(m), np.arange(m)] = 0.0
        if self.with_self:
            counts[:, np.arange(m), np.arange(m)] = counts.sum(axis=2) > 0
        return counts

    def scores(self, weights: FloatArray) -> FloatArray:
        """Return (weightings, algorithms) scores, higher the better; NaN for an algorithm without a partner."""
        step = max(1, 16 * BLOCK // self.mask.shape[1] ** 2)
        parts = [self._scores(weights[start : start + step]) for start in range(0, len(weights), step)]
        return -np.concatenate(parts) if self.lower_is_better else np.concatenate(parts)

    def _scores(self, weights: FloatArray) -> FloatArray:
        """All weightings share one pass over the pairs: leaving each data set out costs one product of matrices."""
        total = np.zeros((len(weights), self.mask.shape[1] ** 2))
        for rows in self.blocks(len(weights)):
            value = self.masked(rows)
            total += weights[:, rows] @ value.reshape(len(value), -1)
        rests = self.rests(weights)
        return self._over_partners(total.reshape(rests.shape), rests)

    def each(self) -> FloatArray:
        """Return (data sets, algorithms): the scores on every data set alone."""
        out = []
        for rows in self.blocks():
            value = self.masked(rows)
            there = self.mask[rows].astype(np.float64)
            out.append(self._over_partners(value, there[:, :, None] * there[:, None, :]))
        return np.concatenate(out)

    def _over_partners(self, total: FloatArray, rests: FloatArray) -> FloatArray:
        """Turn sums over data sets into means, and average them over the partners of each algorithm."""
        value = np.divide(total, rests, out=np.zeros_like(total), where=rests > 0)
        if self.exponential:
            np.exp(value, out=value)
        counts = self.partners(rests)
        number = counts.sum(axis=2)
        mean = np.einsum("rpq,rpq->rp", value, counts)
        return np.asarray(np.divide(mean, number, out=np.full(mean.shape, np.nan), where=number > 0))

    def summary(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the scores for one weighting, and each data set's part of the mean over q before any exponential."""
        rests = self.rests(weights[None])
        counts = self.partners(rests)[0]
        number = np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
        share = np.divide(counts / number, rests[0], out=np.zeros_like(counts), where=rests[0] > 0)
        total = np.zeros(counts.size)
        parts = []
        for rows in self.blocks():
            value = self.masked(rows)
            total += weights[rows] @ value.reshape(len(value), -1)
            parts.append(np.einsum("spq,pq->sp", value, share) * weights[rows, None])
        return self._over_partners(total.reshape(rests.shape), rests)[0], np.concatenate(parts)


def log_ratios(logs: FloatArray, tens: FloatArray | None, mask: BoolArray) -> Callable[[slice], FloatArray]:
    """Return log ratios of p to q: differences of `logs`, less log(1 + tens_p - tens_q), tens being AccD log10 T."""
    complete = bool(mask.all())

    def values(rows: slice) -> FloatArray:
        p, q = logs[rows, :, None], logs[rows, None, :]
        if tens is None:
            return np.asarray(p - q)
        value = (tens[rows] + 1.0)[:, :, None] - tens[rows, None, :]  # ARR's divisor, Brazdil et al. 2003
        if not complete:
            np.maximum(value, np.finfo(np.float64).tiny, out=value)  # what is missing has no divisor
        np.log(value, out=value)
        np.subtract(p, value, out=value)
        value -= q
        return np.asarray(value)

    return values


def losses(success: FloatArray) -> Callable[[slice], FloatArray]:
    """Return 1 where p has the lower score than q, a half where both are equal: the mean rank less 1, over m - 1."""

    def values(rows: slice) -> FloatArray:
        p, q = success[rows, :, None], success[rows, None, :]
        return np.asarray((p < q) + 0.5 * (p == q))

    return values


_WORDS = {"twice": 2.0, "two": 2.0, "five": 5.0, "ten": 10.0, "hundred": 100.0, "a hundred": 100.0, "thousand": 1000.0}
_SENTENCE = re.compile(
    r"(?<![\d.,-])(\d+(?:\.\d+)?)\s*(?:%|per ?cent)[^0-9]*?\bfor\b\s*(?:an?\s+)?"
    r"(?:(\d+(?:\.\d+)?)(?![.,]?\d)(?=$|\W|x\b|-?fold\b)|([a-z]+?)(?:-?fold)?\b)",
    re.I,
)


def check_accd(accd: float) -> float:
    """Return AccD as a float, zero or more."""
    try:
        value = float(accd)
    except (TypeError, ValueError):
        value = float("nan")
    if not 0.0 <= value < float("inf"):
        raise OptionError(
            f"{option('accd')} is {accd!r}.",
            why="It is the share of accuracy that you trade for ten times the speed, zero or more.",
            mend=f"Use {option(accd=0.01)} to trade 1 % of accuracy, {option(accd=0)} to ignore time.",
        )
    return value


def accd_from(sentence: str) -> float:
    """Turn "I trade 1 % accuracy for ten times the speed" into AccD.

    Formula: AccD = (per cent / 100) / log10(times). The per cent are of the success rate itself (relative): at
    AccD = 0.01 an algorithm that is ten times slower must succeed 1.01 times as often to be as good.

    Parameters
    ----------
    sentence : str
        With a number of per cent and, after "for", a number of times: "2 % for 5 times the speed", "5% for 10x".

    Returns
    -------
    float

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> accd_from("I trade 1 % accuracy for ten times the speed"), accd_from("5% for 10x")
    (0.01, 0.05)
    """
    percent, times = _read(sentence)
    if times <= 1:
        raise OptionError(
            f"The trade {sentence!r} is for {times:g} times the speed.",
            why="Accuracy is traded for a speed-up: times of more than 1.",
            mend=f"Use {option(trade='1% for 10x')}.",
        )
    return check_accd(percent / 100 / log10(times))  # per factor of ten


def accd_sentence(accd: float, *, of: str = "accuracy") -> str:
    """Say what a value of AccD means; `of` is what the success rates are called.

    Examples
    --------
    >>> accd_sentence(0.01)
    'I trade 1 % of accuracy for ten times the speed'
    >>> accd_sentence(0)
    'I trade no accuracy for speed'
    >>> accd_sentence(0.05, of="success rate")
    'I trade 5 % of success rate for ten times the speed'
    """
    value = check_accd(accd)
    if value == 0:
        return f"I trade no {of} for speed"
    return f"I trade {100 * value:.6g} % of {of} for ten times the speed"


def power_from(accd: float) -> float:
    """Return the power P with which A3R charges a tenfold time as ARR does: 10^P = 1 + AccD.

    Examples
    --------
    >>> round(power_from(0.1), 4)
    0.0414
    """
    return log10(1.0 + check_accd(accd))


_EXAMPLE = "1 % for ten times the speed"


def _read(sentence: str) -> tuple[float, float]:
    """A sentence is for people, so the number of times may be a word."""
    match = _SENTENCE.search(str(sentence))
    times = (match.group(2) or match.group(3)).lower() if match else ""
    if match is None or not (times[0].isdigit() or times in _WORDS):
        raise OptionError(
            f"The sentence {sentence!r} does not say how much accuracy is traded for how many times the speed.",
            why="Both numbers are needed.",
            mend=f"Write {either(repr(_EXAMPLE), option(trade=_EXAMPLE))}, or use {option(accd=0.01)}.",
        )
    return float(match.group(1)), _WORDS[times] if times in _WORDS else float(times)


@as_came_in
def rank_by_arr(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike,
    *,
    accd: float = 0.01,
    weights: npt.ArrayLike | None = None,
    with_self: bool = True,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms by the adjusted ratio of ratios: accuracy, less what its time is worth.

    Hypothesis: none; this is a ranking, not a test.

    Formula: ARR(p, q, d) = (SR_p / SR_q) / (1 + AccD log10(T_p / T_q)) on data set d; for each pair the weighted
    geometric mean over data sets; for each algorithm the arithmetic mean over the m algorithms q, itself included
    (ARR(p, p, d) = 1). Without itself the score s becomes (m s - 1) / (m - 1): with complete results the order is the
    same.

    Assumptions:

    1. Success rates are on a ratio scale, more than 0, higher the better.
    2. The times of one data set come from one machine (a common factor cancels).

    When not to use it: with time ratios so large that 1 + AccD log10(T_p / T_q) reaches 0, which is refused; use
    `rank_by_a3r`. Where only order counts, not the size of differences, use `rank_by_mean_rank`.

    Incomplete results: every pair is compared on the data sets where both were measured, and the mean is over the
    algorithms q with such a data set. A success rate below 0.001 counts as that, with a caveat.

    Parameters
    ----------
    accuracy : array_like, shape (data sets, algorithms) or (data sets, algorithms, folds)
        Success rates; NaN where missing. Folds are averaged first.
    time : array_like
        Seconds, of either shape; NaN where missing.
    accd : float, default 0.01
        The share of accuracy that you trade for ten times the speed; see `accd_from`.
    weights : array_like, optional
        One per data set, such as the nearness of a neighbour.
    with_self : bool, default True
    algorithms, datasets : sequence of str, optional

    Returns
    -------
    Ranking

    References
    ----------
    brazdil2003

    Examples
    --------
    The slow algorithm is better by 2 per cent, but takes ten times as long:

    >>> rank_by_arr([[0.80, 0.816]], [[1.0, 10.0]], accd=0.01, algorithms=["fast", "slow"]).algorithms
    ('slow', 'fast')
    >>> rank_by_arr([[0.80, 0.816]], [[1.0, 10.0]], accd=0.1, algorithms=["fast", "slow"]).algorithms
    ('fast', 'slow')
    """
    table = measured(accuracy, time, weights=weights, algorithms=algorithms, datasets=datasets)
    pairs, caveats = ratio_pairs(table, accd=check_accd(accd), with_self=with_self)
    about: dict[str, Any] = {"name": "arr", "method": "ARR", "score_name": "ARR", "meaning": accd_sentence(accd)}
    return ranked(table, *pairs.summary(table.weights), accd=float(accd), caveats=caveats, **about)


@as_came_in
def rank_by_a3r(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike,
    *,
    accd: float = 0.01,
    weights: npt.ArrayLike | None = None,
    with_self: bool = True,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms by accuracy and time with a ratio that falls steadily with time, whatever the ratio of times.

    Hypothesis: none; this is a ranking, not a test.
    Formula: A3R(p, q, d) = (SR_p / SR_q) / (T_p / T_q)^P, aggregated as in `rank_by_arr`, with
    10^P = 1 + AccD: ten times the time costs what it costs in ARR.
    Assumptions: those of `rank_by_arr`.
    When not to use it: to reproduce results in ARR; the two agree at a ratio of ten only.

    Parameters
    ----------
    accuracy, time, accd, weights, with_self, algorithms, datasets
        As in `rank_by_arr`.

    Returns
    -------
    Ranking

    References
    ----------
    abdulrahman2018

    Examples
    --------
    >>> result = rank_by_a3r([[0.9, 0.91]], [[1e-9, 1e9]], accd=0.02, algorithms=["fast", "slow"])
    >>> result.algorithms
    ('fast', 'slow')
    """
    table = measured(accuracy, time, weights=weights, algorithms=algorithms, datasets=datasets)
    exponent = power_from(accd)
    pairs, caveats = ratio_pairs(table, power=exponent, with_self=with_self)
    meaning = f"{accd_sentence(accd)} (P = {exponent:.4g})"
    about: dict[str, Any] = {"name": "a3r", "method": "A3R", "score_name": "A3R", "meaning": meaning}
    return ranked(table, *pairs.summary(table.weights), accd=float(accd), caveats=caveats, **about)


@as_came_in
def rank_by_srr(
    accuracy: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    with_self: bool = True,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms by ratios of their success rates; time does not count.

    Hypothesis: none; this is a ranking, not a test.
    Formula: SRR(p, q, d) = SR_p / SR_q, aggregated as in `rank_by_arr`, of which it is the case AccD = 0.
    Assumptions: success rates are on a ratio scale, more than 0.
    When not to use it: where one data set on which all succeed rarely should not outweigh the others; use
    `rank_by_mean_rank`.

    Parameters
    ----------
    accuracy, weights, with_self, algorithms, datasets
        As in `rank_by_arr`.

    Returns
    -------
    Ranking

    References
    ----------
    brazdil2000

    Examples
    --------
    >>> result = rank_by_srr([[0.9, 0.6], [0.8, 0.8]], algorithms=["a", "b"], with_self=False)
    >>> result.scores.round(4)
    array([1.2247, 0.8165])
    """
    table = measured(accuracy, weights=weights, algorithms=algorithms, datasets=datasets)
    pairs, caveats = ratio_pairs(table, with_self=with_self)
    about: dict[str, Any] = {"name": "srr", "method": "success rate ratios", "score_name": "SRR"}
    return ranked(table, *pairs.summary(table.weights), caveats=caveats, **about)


def ratio_pairs(
    table: Measured, *, with_self: bool = True, accd: float = 0.0, power: float = 0.0
) -> tuple[Pairs, Caveats]:
    """Prepare ratios of success rates, divided by what time costs: in ARR's way (`accd`), A3R's (`power`) or not."""
    logs, caveats = _log_success(table)
    tens = None
    if table.time is not None:
        log_time = np.log(np.where(table.mask, table.time, 1.0))
        logs = logs - power * log_time  # log A3R, Abdulrahman et al. 2018
        tens = accd * (log_time / np.log(10.0)) if accd else None
        caveats += _check_divisors(log_time / np.log(10.0), accd, table)
    return Pairs(
        mask=table.mask, values=log_ratios(logs, tens, table.mask), with_self=with_self, exponential=True
    ), caveats


def _log_success(table: Measured) -> tuple[FloatArray, Caveats]:
    """Return log success rates, 0 where missing; rates below the floor are raised to it, negative ones refused."""
    rates, there = table.success, table.mask
    if (rates[there] < 0).any():
        raise _negative(table)
    low = there & (rates < FLOOR)
    note = f"{int(low.sum())} success rate(s) below {FLOOR:g} count as {FLOOR:g}."
    logs = np.log(np.where(low, FLOOR, np.where(there, rates, 1.0)))
    return logs, caveats_of((low.any(), "values-filled", note))


def _negative(table: Measured) -> InputError:
    """Refuse negative rates, which a floor would hide: they are no success rates."""
    s, j = np.argwhere(table.mask & (table.success < 0))[0]
    return InputError(
        f"The success rate of {table.algorithms[j]!r} on data set {table.datasets[s]!r} is {table.success[s, j]:g}.",
        why="Success rates are divided, and a negative one has no ratio; a floor is for rates of 0.",
        mend=f"Use {option(method='mean-rank')}, or another score.",
    )


def _check_divisors(tens: FloatArray, accd: float, table: Measured) -> Caveats:
    """Refuse ARR where 1 + AccD log10(Tp/Tq) is not positive; the extreme ratio of a data set shows it."""
    fast = np.where(table.mask, tens, np.inf).min(axis=1)
    slow = np.where(table.mask, tens, -np.inf).max(axis=1)
    least = 1.0 + accd * np.where(table.mask.sum(axis=1) > 1, fast - slow, 0.0)
    s = int(np.argmin(least))
    if least[s] <= 1e-12:  # 0 but for rounding
        p, q = (int(place(np.where(table.mask[s], tens[s], np.nan))) for place in (np.nanargmin, np.nanargmax))
        ratio = tens[s, p] - tens[s, q]
        raise InputError(
            f"ARR of {table.algorithms[p]!r} to {table.algorithms[q]!r} on data set {table.datasets[s]!r} divides by"
            f" 1 + {accd:g} log10({10**ratio:.3g}) = {least[s] if abs(least[s]) > 1e-12 else 0:.3g}.",
            why="A divisor of 0 or less turns the fastest algorithm into the worst, so the ranking is meaningless.",
            mend=f"Use accd below {1 / -ratio:.3g}, or rank_by_a3r(...) (method 'a3r'), whose ratio falls steadily"
            " with time.",
        )
    near = int((least < 0.5).sum())
    note = (
        f"On {near} data set(s) times differ so much that ARR divides by less than 0.5: the fast are rewarded more"
        " than AccD says. A3R does not do so."
    )
    return caveats_of((near, "small-arr-divisors", note))


@as_came_in
def rank_by_mean_rank(
    accuracy: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms by their average rank over data sets; time does not count.

    Hypothesis: none; this is a ranking, not a test.

    Formula: the weighted mean over data sets of the rank of the success rate, 1 the best, ties sharing the average.
    Written over pairs, 1 + (m - 1) times the mean over the other algorithms q of the share of data sets where q is
    better (a tie counts a half), it also holds with gaps: each share is over the data sets where both were measured.

    Assumptions: scores can be ordered within a data set; higher is better.
    When not to use it: where the size of differences matters; use `rank_by_srr` or `rank_by_arr`.

    Parameters
    ----------
    accuracy, weights, algorithms, datasets
        As in `rank_by_arr`; the scores may have any sign.

    Returns
    -------
    Ranking

    References
    ----------
    brazdil2000

    Examples
    --------
    >>> result = rank_by_mean_rank([[0.9, 0.8, 0.7], [0.6, 0.7, 0.7]], algorithms=["a", "b", "c"])
    >>> result.algorithms, result.scores
    (('b', 'a', 'c'), array([1.75, 2.  , 2.25]))
    """
    table = measured(accuracy, weights=weights, algorithms=algorithms, datasets=datasets)
    pairs, _ = rank_pairs(table)
    others = len(table.algorithms) - 1
    lost, parts = pairs.summary(table.weights)
    about: dict[str, Any] = {"name": "mean-rank", "method": "average ranks", "score_name": "mean_rank"}
    return ranked(table, 1 + others * lost, others * parts, higher_is_better=False, **about)


def rank_pairs(table: Measured, **_: object) -> tuple[Pairs, Caveats]:
    """Prepare average ranks on checked results; noise in the last digits makes no order."""
    return Pairs(mask=table.mask, lower_is_better=True, values=losses(snap(table.success))), ()
