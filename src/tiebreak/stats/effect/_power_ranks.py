"""How many data sets are needed to see differences of several algorithms? Friedman and post hoc, simulated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, lgamma, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, check_alpha, check_choice, check_names
from tiebreak.documents import Row
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.adjust.stepwise import stepped
from tiebreak.stats.many.from_ranks import rank_standard_error
from tiebreak.stats.numeric.differences import check_count
from tiebreak.stats.numeric.studentized_range import range_quantile
from tiebreak.stats.numeric.tails import f_upper, normal_two_sided
from tiebreak.stats.pairwise import pair_indices
from tiebreak.stats.telling import OverPairs, Told, frozen, rows_of

POSTHOC = ("nemenyi", "bonferroni", "holm", "hochberg")
AIMS = {"all": "all_pairs", "any": "any_pair", "mean": "mean_pair", "omnibus": "omnibus"}
_CELLS = 2_000_000  # simulated scores held at once


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RankPower(OverPairs):
    """How often the Friedman test and its post hoc test see what is there; pairs run over `a` and `b`.

    `pair_power` is the share of repetitions in which a pair is found to differ, in the right direction if the
    two differ truly. `omnibus` is the share in which the Friedman test rejects; `any_pair`, `all_pairs` and
    `mean_pair` speak of the pairs that differ truly (NaN if none does); `false_alarm` is the share in which
    some pair of equal algorithms is said to differ (NaN if none is equal).
    """

    pair_power: FloatArray
    omnibus: float
    any_pair: float
    all_pairs: float
    mean_pair: float
    false_alarm: float
    effects: FloatArray
    n_datasets: int
    alpha: float
    repetitions: int

    def title(self) -> str:
        """Say in one line what was simulated and found."""
        return (
            f"{self.method}: {self.n_datasets} data sets, alpha {self.alpha:g}, {self.repetitions} repetitions;"
            f" omnibus power {self.omnibus:.3f}, any pair {self.any_pair:.3f}, all pairs {self.all_pairs:.3f}"
        )

    def rows(self) -> list[Row]:
        """Return one row per pair, with the standard error of the simulation."""
        gaps = self.effects[self.a] - self.effects[self.b]
        errors = [share_error(share, self.repetitions) for share in self.pair_power.tolist()]
        return self.pair_rows(effect=gaps, power=self.pair_power, standard_error=errors)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RankSampleSize(Told):
    """How many data sets several algorithms need; `tried` and `powers` are what the search looked at."""

    n_datasets: int
    power: float
    standard_error: float
    aim: str
    target: float
    alpha: float
    repetitions: int
    tried: IntArray
    powers: FloatArray

    def title(self) -> str:
        """Say in one line what was asked and what the answer is."""
        return (
            f"{self.method}: {self.n_datasets} data sets for power {self.target:g} ({self.aim}) at alpha"
            f" {self.alpha:g}, {self.repetitions} repetitions"
        )

    def rows(self) -> list[Row]:
        """Return one row per number of data sets tried, smallest first."""
        errors = [share_error(power, self.repetitions) for power in self.powers.tolist()]
        return rows_of(n_datasets=self.tried, power=self.powers, standard_error=errors)


def power_by_simulation(
    effects: npt.ArrayLike,
    *,
    n_datasets: int,
    posthoc: str = "nemenyi",
    alpha: float = 0.05,
    after_omnibus: bool = True,
    repetitions: int = 2000,
    rng: int | np.random.Generator = 0,
    algorithms: Sequence[str] | None = None,
) -> RankPower:
    """Simulate how often the Friedman test and a post hoc test see given differences of algorithms.

    Hypothesis: the power is that against the hypothesis that all algorithms are equal, and that each pair is.

    Formula: on every data set algorithm j scores effects[j] plus independent standard normal noise (what all
    share on a data set does not touch the ranks); Iman and Davenport's F on the ranks; then z tests on mean
    ranks, corrected. The share of `repetitions` in which something is seen estimates its probability, with
    standard error sqrt(p (1 - p) / repetitions).

    Assumptions:

    1. The noise is normal with the same standard deviation for all algorithms and data sets.
    2. Its parts are independent between algorithms. A pair with difference d between effects then has
       Cohen's d of d / sqrt(2) in paired differences.

    When not to use it: after the experiment, with the effects that were found.

    Parameters
    ----------
    effects : array_like
        Mean of each algorithm in standard deviations of the noise, at least two. Only differences matter.
    n_datasets : int
    posthoc : {"nemenyi", "bonferroni", "holm", "hochberg"}
    alpha : float, default 0.05
    after_omnibus : bool, default True
        Whether pairs are looked at only where the Friedman test rejects, as Demsar (2006) does.
    repetitions : int, default 2000
    rng : int or numpy.random.Generator, default 0
    algorithms : sequence of str, optional

    Returns
    -------
    RankPower

    References
    ----------
    demsar2006, section 3.2.2
    iman1980

    Examples
    --------
    >>> found = power_by_simulation([0, 0.5, 1.0], n_datasets=30, repetitions=500)
    >>> found.omnibus > 0.8, found.all_pairs < 0.5
    (True, True)
    """
    means = _check_effects(effects)
    names = check_names(algorithms, len(means), kind="algorithm")
    check_choice("posthoc", posthoc, POSTHOC)
    check_count("n_datasets", n_datasets, least=2, usual=30)
    check_count("repetitions", repetitions)
    mean_ranks = simulated_ranks(means, n_datasets, repetitions, np.random.default_rng(rng))
    omnibus = friedman_pvalues(mean_ranks, n_datasets) <= check_alpha(alpha)
    a, b = pair_indices(len(means))
    z = (mean_ranks[:, a] - mean_ranks[:, b]) / rank_standard_error(len(means), n_datasets)
    rejected = rejections(z, alpha, posthoc=posthoc, n_algorithms=len(means))
    if after_omnibus:
        rejected &= omnibus[:, None]
    truth = np.sign(means[a] - means[b])
    seen = rejected & ((truth == 0) | (np.sign(z) == truth))
    return RankPower(
        **frozen(a=a, b=b, pair_power=seen.mean(axis=0), effects=means),
        **_over_pairs(seen, truth != 0),
        omnibus=float(omnibus.mean()),
        algorithms=names,
        n_datasets=int(n_datasets),
        alpha=float(alpha),
        repetitions=int(repetitions),
        method=_method(posthoc, after_omnibus=after_omnibus),
    )


def datasets_needed_by_simulation(
    effects: npt.ArrayLike,
    *,
    power: float = 0.8,
    aim: str = "all",
    posthoc: str = "nemenyi",
    alpha: float = 0.05,
    after_omnibus: bool = True,
    repetitions: int = 2000,
    most: int = 2000,
    rng: int | np.random.Generator = 0,
) -> RankSampleSize:
    """Find, by simulation, how many data sets are needed to see given differences of several algorithms.

    Hypothesis: as for `power_by_simulation`.
    Formula: its inverse. The number of data sets is doubled until the aim is met, then bisected; the same seed
    is used at every number.
    Assumptions: as for `power_by_simulation`. When not to use it: as there.

    Parameters
    ----------
    effects : array_like
        Mean of each algorithm in standard deviations of the noise; not all equal.
    power : float, default 0.8
    aim : {"all", "any", "mean", "omnibus"}
        What is to be seen with that power: all pairs that differ, at least one of them, a pair on average, or
        that the algorithms differ at all.
    posthoc, alpha, after_omnibus, repetitions, rng
        As for `power_by_simulation`.
    most : int, default 2000
        Where the search stops.

    Returns
    -------
    RankSampleSize
        The smallest number found, right to within the error of simulation.

    References
    ----------
    demsar2006, section 3.2.2

    Examples
    --------
    >>> found = datasets_needed_by_simulation([0, 0, 1.5], aim="any", repetitions=300)
    >>> 5 <= found.n_datasets <= 12
    True
    """
    means = _check_effects(effects)
    check_choice("aim", aim, AIMS)
    check_count("most", most, least=2)
    _check_aim(power, means)
    seed = int(np.random.default_rng(rng).integers(2**63))
    tried: dict[int, float] = {}

    options: dict[str, Any] = {"posthoc": posthoc, "alpha": alpha, "after_omnibus": after_omnibus}

    def enough(count: int) -> bool:
        found = power_by_simulation(means, n_datasets=count, repetitions=repetitions, rng=seed, **options)
        tried[count] = getattr(found, AIMS[aim])
        return tried[count] >= power

    count = _search(enough, most, tried, power)
    counts = sorted(tried)
    return RankSampleSize(
        n_datasets=count,
        power=tried[count],
        standard_error=share_error(tried[count], repetitions),
        aim=aim,
        target=float(power),
        alpha=float(alpha),
        repetitions=int(repetitions),
        **frozen(tried=np.array(counts, dtype=np.int64), powers=np.array([tried[n] for n in counts])),
        method=_method(posthoc, after_omnibus=after_omnibus),
    )


def _method(posthoc: str, *, after_omnibus: bool) -> str:
    return f"Friedman test and {posthoc.capitalize()}" if after_omnibus else posthoc.capitalize()


def simulated_ranks(means: FloatArray, n_datasets: int, repetitions: int, rng: np.random.Generator) -> FloatArray:
    """Mean ranks of simulated scores, one row per repetition; continuous noise leaves no ties."""
    out = np.empty((repetitions, len(means)))
    size = max(1, _CELLS // (n_datasets * len(means)))
    for start in range(0, repetitions, size):
        stop = min(start + size, repetitions)
        scores = rng.standard_normal((stop - start, n_datasets, len(means))) + means
        ranks = np.argsort(np.argsort(scores, axis=2), axis=2)
        out[start:stop] = ranks.mean(axis=1) + 1
    return out


def friedman_pvalues(mean_ranks: FloatArray, n_datasets: int) -> FloatArray:
    """Iman and Davenport's p-value of each row of mean ranks without ties; exact under perfect agreement."""
    count = mean_ranks.shape[1]
    chi2 = 12 * n_datasets / (count * (count + 1)) * ((mean_ranks - (count + 1) / 2) ** 2).sum(axis=1)
    room = n_datasets * (count - 1) - chi2
    perfect = room < 1e-9 * chi2
    f = (n_datasets - 1) * chi2 / np.where(perfect, 1.0, room)  # Iman and Davenport 1980
    exact = exp(-(n_datasets - 1) * lgamma(count + 1))
    return np.where(perfect, exact, f_upper(f, count - 1, (count - 1) * (n_datasets - 1)))


def rejections(z: FloatArray, alpha: float, *, posthoc: str, n_algorithms: int) -> BoolArray:
    """Say which pairs each row of z statistics rejects."""
    if posthoc == "nemenyi":
        return np.asarray(np.abs(z) >= range_quantile(alpha, n_algorithms) / sqrt(2))
    p = normal_two_sided(z)
    if posthoc == "bonferroni":
        return np.asarray(p * z.shape[1] <= alpha)
    return np.asarray(stepped(p, lambda p, left: p * left, up=posthoc == "hochberg") <= alpha)


def share_error(share: float, repetitions: int) -> float:
    """Return the standard error of a share; half a count is added, so that none of n is not taken for sure."""
    shrunk = (share * repetitions + 0.5) / (repetitions + 1)
    return sqrt(shrunk * (1 - shrunk) / repetitions)


def _over_pairs(seen: BoolArray, differs: BoolArray) -> dict[str, Any]:
    """Sum up over the pairs that differ truly, and over those that do not; NaN where there are none."""
    real, equal, nan = seen[:, differs], seen[:, ~differs], float("nan")
    return {
        "any_pair": float(real.any(axis=1).mean()) if real.size else nan,
        "all_pairs": float(real.all(axis=1).mean()) if real.size else nan,
        "mean_pair": float(real.mean()) if real.size else nan,
        "false_alarm": float(equal.any(axis=1).mean()) if equal.size else nan,
    }


def _search(enough: Callable[[int], bool], most: int, tried: dict[int, float], power: float) -> int:
    """Double until enough, then bisect."""
    low, high = 1, min(4, most)
    while not enough(high):
        if high == most:
            raise OptionError(
                f"With {most} data sets the power is {tried[most]:.3f}, below {power:g}.",
                why="The differences are too small to be seen by so many.",
                mend="Use aim='any', larger effects, or raise `most`.",
            )
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _check_aim(power: float, means: FloatArray) -> None:
    if not 0.0 < float(power) < 1.0 or not np.ptp(means) > 0:
        raise OptionError(
            f"power is {power!r} for effects from {means.min():g} to {means.max():g}.",
            why="Only differences can be seen, and never with certainty.",
            mend="Use power=0.8 and effects that differ.",
        )


def _check_effects(effects: npt.ArrayLike) -> FloatArray:
    means = as_floats(effects, what="effects")
    if means.ndim != 1 or len(means) < 2 or not np.isfinite(means).all():
        raise InputError(
            f"effects has shape {means.shape}.",
            why="One finite mean for each of at least two algorithms is needed.",
            mend="Pass effects=[0, 0.5, 1].",
        )
    return means
