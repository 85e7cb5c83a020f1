"""How large is a difference, and on how many data sets is who ahead? Effect sizes, wins, contrasts by medians."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, IntArray, check_table, check_within
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.stats.numeric.basics import advantages, check_squares, deviation, paired_columns, rounding_noise
from tiebreak.stats.results import OverPairs, frozen, pair_indices

MAD_TO_SD = 1.482602218505602
"""1 / z(3/4): the median absolute deviation times this estimates the standard deviation of a normal."""

_COHEN = (0.2, 0.5, 0.8)  # Cohen 1988, section 2.2.3
_WORDS = ("negligible", "small", "medium", "large")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class EffectSizes(OverPairs):
    """Effect sizes of pairs of algorithms; arrays run over the pairs, all are positive where `b` is better.

    `cohen_d` and `hedges_g` are in standard deviations, `akinshin_gamma` in robust ones, `cliffs_delta` is a
    probability of better minus one of worse, `a12` the probability that `b` is better, ties counting half.
    `magnitude` puts Cohen's words on `cohen_d`.
    """

    COLUMNS = (
        *("mean_difference", "median_difference", "cohen_d", "hedges_g", "akinshin_gamma"),
        *("cliffs_delta", "a12", "magnitude"),
    )

    mean_difference: FloatArray
    median_difference: FloatArray
    cohen_d: FloatArray
    hedges_g: FloatArray
    akinshin_gamma: FloatArray
    cliffs_delta: FloatArray
    a12: FloatArray
    magnitude: tuple[str, ...]
    n_datasets: int

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {len(self.a)} pair(s), {self.n_datasets} data sets, positive where b is better"


@as_came_in
def effect_size(a: npt.ArrayLike, b: npt.ArrayLike, **options: Any) -> EffectSizes:
    """Measure how large the difference of two algorithms is.

    The same as `effect_sizes` for two vectors of scores, with the same options.
    Hypothesis, Formula, Assumptions and When not to use it: see there.

    References
    ----------
    cohen1988

    Examples
    --------
    >>> float(effect_size([1, 2, 3, 4], [2, 2, 5, 5], higher_is_better=True).cohen_d[0].round(4))
    1.2247
    """
    return effect_sizes(paired_columns(a, b), **options)


@as_came_in
def effect_sizes(
    scores: npt.ArrayLike,
    *,
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> EffectSizes:
    """Measure how large the differences of all pairs of algorithms are.

    Hypothesis: none; these are descriptions, to be read beside a test or an interval.

    Formula, with z the differences on the data sets (positive where b is better):

    - Cohen's d = mean(z) / sd(z); Hedges' g = d times gamma(f/2) / (sqrt(f/2) gamma((f - 1)/2)) with f
      degrees of freedom, which takes the bias of d away;
    - Akinshin's gamma, robust: median(z) / (1.4826 MAD(z));
    - Cliff's delta = (data sets where b is better - data sets where a is better) / data sets;
    - Vargha and Delaney's A12 = (delta + 1) / 2.

    Assumptions: differences on different data sets are on one scale (for d, g and gamma).

    When not to use it: d and g with outlying data sets (gamma and delta resist them); any of these as a
    substitute for the difference in its own unit where that unit means something.

    Zero spread has a documented answer: 0 where the difference is 0, otherwise infinity with the sign of the
    difference, and a caveat. MAD is 0 as soon as more than half of the differences are equal. On two data
    sets Hedges' g is NaN, with a caveat: d has no expectation there.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite, at least two data sets.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    EffectSizes

    References
    ----------
    cohen1988
    hedges1981
    akinshin2020
    cliff1993
    vargha2000

    Examples
    --------
    >>> errors = [[0.10, 0.12, 0.30], [0.20, 0.21, 0.29], [0.15, 0.15, 0.28], [0.30, 0.33, 0.41]]
    >>> sizes = effect_sizes(errors)
    >>> sizes.cohen_d.round(3), sizes.cliffs_delta
    (array([-1.162, -2.768, -2.454]), array([-0.75, -1.  , -1.  ]))
    """
    matrix, names = check_table(scores, algorithms)
    check_squares(matrix, what="scores")
    a, b = pair_indices(matrix.shape[1], control)
    better = matrix if higher_is_better else -matrix
    noise = rounding_noise(matrix, a, b)
    z = advantages(better, a, b, higher_is_better=True)
    mean, middle = z.mean(axis=1), np.median(z, axis=1)
    sd, mad, df = deviation(z, axis=1), _mad(z.T), len(matrix) - 1
    delta = _sign_balance(z, noise)
    d = _standardised(mean, sd, noise)  # Cohen 1988
    gamma = _standardised(middle, MAD_TO_SD * mad, noise)  # Akinshin 2020
    return EffectSizes(
        **frozen(a=a, b=b, mean_difference=mean, median_difference=middle, cliffs_delta=delta, a12=(delta + 1) / 2),
        **frozen(cohen_d=d, hedges_g=d * _hedges(df), akinshin_gamma=gamma),
        magnitude=tuple(_WORDS[int(np.searchsorted(_COHEN, abs(x), side="right"))] for x in d),
        algorithms=names,
        n_datasets=len(matrix),
        method="Effect sizes, paired",
        caveats=_caveats(a, b, names, d, gamma, df),
    )


def _mad(values: FloatArray) -> FloatArray:
    """Median absolute deviation from the median of each column."""
    return np.asarray(np.median(np.abs(values - np.median(values, axis=0)), axis=0))


def _standardised(centre: FloatArray, spread: FloatArray, noise: FloatArray) -> FloatArray:
    """Divide by the spread; nothing over nothing is 0, something over nothing is infinite."""
    centre = np.where(np.abs(centre) <= noise, 0.0, centre)
    flat = spread <= noise
    endless = np.where(centre == 0.0, 0.0, np.copysign(np.inf, centre))
    return np.where(flat, endless, centre / np.where(flat, 1.0, spread))


def _hedges(df: int) -> float:
    """Bias factor of d (Hedges 1981); NaN for one degree of freedom, where d has no expectation."""
    if df < 2:
        return float("nan")
    return float(np.exp(special.gammaln(df / 2) - special.gammaln((df - 1) / 2)) / np.sqrt(df / 2))


def _sign_balance(z: FloatArray, noise: FloatArray) -> FloatArray:
    """Cliff's delta of paired scores: the share of data sets that b wins less the share that a wins."""
    limit = noise[:, None]
    return np.asarray(((z > limit).mean(axis=1) - (z < -limit).mean(axis=1)).astype(np.float64))


def _caveats(a: IntArray, b: IntArray, names: tuple[str, ...], d: FloatArray, gamma: FloatArray, df: int) -> Caveats:
    """Each size has its own spread, so one may be infinite where the other is not."""
    two = "Two data sets: Cohen's d has no expectation, so Hedges' g, which corrects it, is not defined."
    text: list[tuple[object, str, str]] = [(df < 2, "few-datasets", two)]
    for what, sizes in (("Cohen's d", d), ("Akinshin's gamma", gamma)):
        endless = np.flatnonzero(np.isinf(sizes))
        first = int(endless[0]) if endless.size else 0
        pair = f"{endless.size} pair(s), such as {names[a[first]]!r} and {names[b[first]]!r}"
        text.append((endless.size, "constant-difference", f"{what} is infinite for {pair}: the spread is zero."))
    return caveats_of(*text)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WinTieLoss(OverPairs):
    """On how many data sets each algorithm of a pair is the better one; arrays run over the pairs."""

    COLUMNS = ("a_wins", "ties", "b_wins")

    a_wins: IntArray
    ties: IntArray
    b_wins: IntArray
    margin: float
    n_datasets: int

    def title(self) -> str:
        """Say in one line what was counted."""
        return f"{self.method}: {self.n_datasets} data sets, ties within {self.margin:g}"


@as_came_in
def win_tie_loss(
    scores: npt.ArrayLike,
    *,
    margin: float = 0.0,
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> WinTieLoss:
    """Count on how many data sets each algorithm of a pair is better, and on how many they tie.

    Hypothesis: none; the sign test asks whether the counts differ by more than chance.
    Formula: a data set is a tie where the scores differ by at most `margin` (and by rounding noise).
    Assumptions: scores are comparable within a data set; nothing is assumed between data sets.
    When not to use it: to call single wins significant, which takes the folds of that data set.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    margin : float, default 0
        The largest difference that is still a tie.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    WinTieLoss

    References
    ----------
    demsar2006, section 3.1.4

    Examples
    --------
    >>> print(win_tie_loss([[0.10, 0.12], [0.20, 0.21], [0.15, 0.15], [0.33, 0.30]]))
    Wins, ties and losses: 4 data sets, ties within 0
    a                      b  a_wins  ties  b_wins
    algorithm 1  algorithm 2       2     1       1
    """
    matrix, names = check_table(scores, algorithms, min_rows=1)
    margin = check_within("margin", margin, 0.0, float("inf"), from_low=True, mend="Use margin=0.")
    a, b = pair_indices(matrix.shape[1], control)
    with np.errstate(over="ignore"):  # an infinite difference is above any margin, as it should be
        z = advantages(matrix, a, b, higher_is_better=higher_is_better)
    # 0.85 - 0.84 exceeds 0.01 in binary; the margin is meant in decimals.
    limit = (margin + rounding_noise(matrix, a, b))[:, None]
    a_wins, b_wins = (z < -limit).sum(axis=1), (z > limit).sum(axis=1)
    return WinTieLoss(
        **frozen(a=a, b=b, a_wins=a_wins, ties=len(matrix) - a_wins - b_wins, b_wins=b_wins),
        margin=margin,
        algorithms=names,
        n_datasets=len(matrix),
        method="Wins, ties and losses",
    )
