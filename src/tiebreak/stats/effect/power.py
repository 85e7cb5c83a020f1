"""How many data sets are needed to see a difference? Two algorithms by formula, several by simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, inf, pi

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray, check_alpha, check_choice, check_within, readonly
from tiebreak.documents import Row
from tiebreak.errors import OptionError
from tiebreak.stats.effect.intervals import walsh_depth
from tiebreak.stats.numeric.basics import check_count
from tiebreak.stats.results import Told

WILCOXON_EFFICIENCY = 3 / pi
"""Asymptotic efficiency of Wilcoxon signed ranks relative to the t test, for normal differences."""

SIMULATED = 20
"""Up to so many data sets the power of Wilcoxon's test is simulated; above, the efficiency is close enough."""

_LARGEST = 10_000_000
_SAMPLES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SampleSize(Told):
    """How many data sets a test needs; `power` is what it reaches with that number."""

    COLUMNS = ("effect", "alpha", "target", "n_datasets", "power")

    n_datasets: int
    power: float
    effect: float
    alpha: float
    target: float

    def title(self) -> str:
        """Say in one line what was asked and what the answer is."""
        return (
            f"{self.method}: {self.n_datasets} data sets to see an effect of {self.effect:g} with power"
            f" {self.target:g} at alpha {self.alpha:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row: the number and the power it reaches."""
        return [self.columns()]


def power_of_test(effect: float, *, n_datasets: int, alpha: float = 0.05, method: str = "wilcoxon") -> float:
    """Return the probability that a two-sided test of two algorithms sees a difference.

    Hypothesis: the power is that against the hypothesis of no difference, when the differences over data sets
    are normal with mean `effect` standard deviations.

    Formula: "paired-t": P(abs(T) > t(1 - alpha / 2; n - 1)) for T noncentral t with n - 1 degrees of
    freedom and noncentrality effect sqrt(n). "wilcoxon": up to 20 data sets that of the exact test, as the mean
    of Phi(sqrt(n) (w + effect)) + Phi(sqrt(n) (w - effect)) over simulated samples, w the Walsh average of
    their deviations from their mean that decides (the mean is independent of those and normal); the samples
    are always the same ones, and the standard error is below 0.003. Above 20 the formula of "paired-t" with n
    replaced by 3/pi n, its asymptotic relative efficiency: within 0.02 for alpha of 0.001 or more. "sign": the
    exact binomial power of the exact test, with probability Phi(effect) of a win. The last two are 0 where the
    smallest p-value there is, 2^(1 - n), exceeds alpha.

    Assumptions:

    1. The data sets are independent.
    2. The differences are normal; with heavier tails the rank tests do better than stated, the t test worse.

    When not to use it: for several algorithms (`power_by_simulation`); after the experiment, with the effect
    that was found, where it says nothing that the p-value does not say.

    Parameters
    ----------
    effect : float
        Mean difference divided by the standard deviation of the differences (Cohen's d for paired data).
    n_datasets : int
    alpha : float, default 0.05
    method : {"wilcoxon", "paired-t", "sign"}

    Returns
    -------
    float

    References
    ----------
    cohen1988
    noether1987

    Examples
    --------
    >>> round(power_of_test(0.5, n_datasets=34, method="paired-t"), 3)
    0.808
    """
    check_choice("method", method, _POWERS)
    check_count("n_datasets", n_datasets, least=2, usual=30)
    return _power_at(method, _check_effect(effect), n_datasets, check_alpha(alpha))


def datasets_needed(effect: float, *, alpha: float = 0.05, power: float = 0.8, method: str = "wilcoxon") -> SampleSize:
    """Find the smallest number of data sets with which a two-sided test sees a difference often enough.

    Hypothesis: as for `power_of_test`.
    Formula: its inverse. The power of the exact tests goes up and down with the number of data sets; the answer
    is the smallest number from which on it stays at or above the target.
    Assumptions: as for `power_of_test`.

    When not to use it: for several algorithms (`datasets_needed_by_simulation`).

    Parameters
    ----------
    effect : float
        Mean difference divided by the standard deviation of the differences, not zero.
    alpha : float, default 0.05
    power : float, default 0.8
    method : {"wilcoxon", "paired-t", "sign"}

    Returns
    -------
    SampleSize

    References
    ----------
    cohen1988
    noether1987

    Examples
    --------
    >>> [datasets_needed(0.5, method=m).n_datasets for m in ("paired-t", "wilcoxon", "sign")]
    [34, 35, 61]
    """
    check_choice("method", method, _POWERS)
    shift, level, target = _check_effect(effect), check_alpha(alpha), _check_power(power, alpha)
    guess = _normal_guess(shift, level, target)
    count = _last_below(method, shift, level, target, guess) + 1
    return SampleSize(
        n_datasets=count,
        power=_power_at(method, shift, count, level),
        effect=float(effect),
        alpha=level,
        target=target,
        method=f"{_NAMES[method]}, two-sided",
    )


def detectable_effect(*, n_datasets: int, alpha: float = 0.05, power: float = 0.8, method: str = "wilcoxon") -> float:
    """Return the smallest effect that a two-sided test sees often enough on so many data sets.

    Hypothesis: as for `power_of_test`.
    Formula: its inverse in the effect, by bisection. Infinite where the test cannot reject at this alpha
    whatever the effect (Wilcoxon's and the sign test on fewer than six data sets at 0.05).
    Assumptions: as for `power_of_test`.
    When not to use it: for several algorithms.

    References
    ----------
    cohen1988

    Examples
    --------
    >>> round(detectable_effect(n_datasets=30, method="paired-t"), 3)
    0.529
    """
    check_choice("method", method, _POWERS)
    count = check_count("n_datasets", n_datasets, least=2, usual=30)
    level, target = check_alpha(alpha), _check_power(power, alpha)
    low, high = 0.0, 1.0
    while _power_at(method, high, count, level) < target:
        low, high = high, 2 * high
        if high > 1e4:
            return float("inf")
    for _ in range(60):
        middle = (low + high) / 2
        enough = _power_at(method, middle, count, level) >= target
        low, high = (low, middle) if enough else (middle, high)
    return high


def _student_power(effect: float, counts: FloatArray, alpha: float) -> FloatArray:
    """P(abs(T) > limit) for a noncentral T = (Z + shift) / S, about twelve digits for every shift.

    The mean over S is taken where the shift is small or S hardly varies, the mean over Z elsewhere; in
    either the trapezoidal rule meets a smooth integrand. scipy.special.nctdtr gives NaN for some shifts.
    """
    half, shift = (counts[:, None] - 1.0) / 2, effect * np.sqrt(counts[:, None])
    limit = np.asarray(-special.stdtrit(2 * half, alpha / 2), dtype=np.float64)
    over_spread = ((shift < 8) | (half > 25))[:, 0]
    power = np.empty(len(counts))
    for mean, where in ((_mean_over_spread, over_spread), (_mean_over_z, ~over_spread)):
        if where.any():
            power[where] = mean(half[where], shift[where], limit[where])[:, 0]
    return power


def _mean_over_spread(half: FloatArray, shift: FloatArray, limit: FloatArray) -> FloatArray:
    """Mean over S, in steps of log S: smooth where the shift is small or S hardly varies."""
    low, high = np.log(special.gammaincinv(half, 1e-17)), np.log(special.gammainccinv(half, 1e-17))
    logs = low + (high - low) * np.linspace(0.0, 1.0, 601)
    density = np.exp(half * logs - np.exp(logs) - special.gammaln(half))
    spread = np.sqrt(np.exp(logs) / half)
    seen = special.ndtr(shift - limit * spread) + special.ndtr(-shift - limit * spread)
    return np.asarray((density * seen).sum(axis=1, keepdims=True) / density.sum(axis=1, keepdims=True))


def _mean_over_z(half: FloatArray, shift: FloatArray, limit: FloatArray) -> FloatArray:
    """Mean over Z: smooth where the shift is large and S varies."""
    z = np.linspace(-8.0, 8.0, 401)
    density = np.exp(-0.5 * z**2)
    seen = special.gammainc(half, half * (np.maximum(z + shift, 0.0) / limit) ** 2)
    return np.asarray((density * seen).sum(axis=1, keepdims=True) / density.sum())


def _wilcoxon_power(effect: float, counts: FloatArray, alpha: float) -> FloatArray:
    """Simulate where data sets are few; above, take the t test on fewer of them, by the relative efficiency."""
    power = np.where(2.0 ** (1 - counts) > alpha, 0.0, _student_power(effect, counts * WILCOXON_EFFICIENCY, alpha))
    for place in np.flatnonzero(counts <= SIMULATED):
        count = int(counts[place])
        root, ends = np.sqrt(counts[place]), _deciding_averages(count, walsh_depth(count, alpha)[0])
        power[place] = (special.ndtr(root * (ends + effect)) + special.ndtr(root * (ends - effect))).mean()
    return power


@lru_cache(maxsize=64)
def _deciding_averages(count: int, depth: int) -> FloatArray:
    """Simulate the Walsh average of normal deviations that must exceed minus their mean for a rejection.

    The exact test rejects for a positive effect where the C-th smallest Walsh average is positive, C, here `depth`, as
    in `difference_intervals`; minus infinity where it never does. Samples are used with both signs.
    """
    if depth == 0:
        return np.full(1, -np.inf)
    first, second = np.triu_indices(count)
    z = np.random.default_rng(0).standard_normal((_SAMPLES, count))
    z -= z.mean(axis=1, keepdims=True)
    walsh = (z[:, first] + z[:, second]) / 2
    walsh.partition((depth - 1, len(first) - depth), axis=1)
    return readonly(np.concatenate([walsh[:, depth - 1], -walsh[:, len(first) - depth]]))


def _sign_power(effect: float, counts: FloatArray, alpha: float) -> FloatArray:
    """Reject where at most c, or at least n - c, of n data sets are won: c the largest allowed."""
    depth = _sign_depth(counts, alpha)
    win = float(special.ndtr(effect))
    both = _at_most(depth, counts, win) + _at_most(depth, counts, 1.0 - win)
    return np.where(depth < 0, 0.0, both)


def _at_most(wins: FloatArray, counts: FloatArray, chance: float) -> FloatArray:
    """P(B <= wins) for B binomial, by the incomplete beta function."""
    return np.asarray(special.betainc(counts - wins, np.maximum(wins, 0.0) + 1.0, 1.0 - chance))


def _sign_depth(counts: FloatArray, alpha: float) -> FloatArray:
    """Largest c with P(B <= c) <= alpha / 2 for B binomial(n, 1/2), -1 where there is none; by bisection."""
    low, high = np.full(len(counts), -1.0), np.floor(counts / 2)
    while (low < high).any():
        middle = np.ceil((low + high) / 2)
        passed = _at_most(middle, counts, 0.5) <= alpha / 2
        low, high = np.where(passed, middle, low), np.where(passed, high, middle - 1)
    return low


_POWERS: dict[str, Callable[[float, FloatArray, float], FloatArray]] = {
    "wilcoxon": _wilcoxon_power,
    "paired-t": _student_power,
    "sign": _sign_power,
}
_NAMES = {"wilcoxon": "Wilcoxon signed ranks", "paired-t": "Paired t test", "sign": "Exact sign test"}


@lru_cache(maxsize=256)
def _power_at(method: str, effect: float, count: int, alpha: float) -> float:
    return float(_POWERS[method](effect, np.array([float(count)]), alpha)[0])


def _normal_guess(effect: float, alpha: float, target: float) -> int:
    """Upper guess from the normal approximation of the least efficient test, the sign test."""
    quantiles = special.ndtri(1 - alpha / 2) + special.ndtri(target)
    guess = (quantiles / effect) ** 2 * pi / 2 if effect else float("inf")  # Noether 1987, sign test
    if guess > _LARGEST / 4:
        raise OptionError(
            f"effect is {effect!r}.", mend="Ask for an effect that matters in practice, such as effect=0.3."
        )
    return ceil(2 * guess) + 50


def _last_below(method: str, effect: float, alpha: float, target: float, guess: int) -> int:
    """Largest number of data sets, at least 1, whose power is below the target."""
    if method == "sign":  # its power goes up and down with every data set, so none may be skipped
        counts = np.arange(2.0, guess + 1)
        return int(counts[_sign_power(effect, counts, alpha) < target].max(initial=1))
    low, high = (SIMULATED if method == "wilcoxon" else 1), guess
    near = round((guess - 50) / pi / (WILCOXON_EFFICIENCY if method == "wilcoxon" else 1.0)) + 2
    step, seen = 1, set[bool]()  # near is what the t test needs by the normal distribution, and two for its spread
    while high - low > 1:  # in growing steps from there until both sides are seen, and then by halves
        middle = min(max(near, low + 1), high - 1) if len(seen) < 2 else (low + high) // 2
        enough = _power_at(method, effect, middle, alpha) >= target
        seen.add(enough)
        low, high = (low, middle) if enough else (middle, high)
        near, step = (middle - step if enough else middle + step), 2 * step
    while low > 1 and method == "wilcoxon" and _power_at(method, effect, low, alpha) >= target:
        low -= 1
    return low


def _check_effect(effect: float) -> float:
    """The sign is dropped: the tests are two-sided."""
    return abs(check_within("effect", effect, -inf, inf, mend="Use effect=0.5 for a medium one."))


def _check_power(power: float, alpha: float) -> float:
    """A power at or below alpha needs no data at all: chance alone gives it."""
    return check_within("power", power, alpha, 1.0, mend="Use power=0.8.")
