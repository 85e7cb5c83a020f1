"""Rankings by ratios: ARR (accuracy and time), A3R (the same, monotone), SRR (accuracy alone)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.advisor.rankings._pairs import RatioPairs
from tiebreak.advisor.rankings.measured import Measured, measured
from tiebreak.advisor.rankings.ranking import Ranking, ranked
from tiebreak.advisor.rankings.trade import accd_sentence, check_accd, power_from
from tiebreak.errors import InputError, OptionError


def rank_by_arr(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike,
    *,
    accd: float = 0.01,
    weights: npt.ArrayLike | None = None,
    with_self: bool = True,
    floor: float | None = None,
    resolution: float | None = None,
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
    2. The times of one data set come from one machine (a common factor cancels); otherwise use `normalise_times`.

    When not to use it: with time ratios so large that 1 + AccD log10(T_p / T_q) reaches 0, which is refused; use
    `rank_by_a3r`. Where only order counts, not the size of differences, use `rank_by_mean_rank`.

    Incomplete results: every pair is compared on the data sets where both were measured, and the mean is over the
    algorithms q with such a data set. A success rate of 0 is refused unless `floor` is given.

    Parameters
    ----------
    accuracy : array_like, shape (data sets, algorithms) or (data sets, algorithms, folds)
        Success rates; NaN where missing. Folds are averaged first.
    time : array_like
        Seconds, of either shape; NaN where missing.
    accd : float, default 0.01
        The share of accuracy that you give up for ten times the speed; see `accd_from`.
    weights : array_like, optional
        One per data set, such as the nearness of a neighbour.
    with_self : bool, default True
    floor : float, optional
        Success rates below it count as it, with a caveat.
    resolution : float, optional
        Of the clock, in seconds: shorter times count as it. Without it zeros count as the smallest positive time.
    algorithms, datasets : sequence of str, optional

    Returns
    -------
    Ranking

    References
    ----------
    Brazdil, P., Soares, C. and da Costa, J. P. (2003). Ranking learning algorithms: using IBL and meta-learning on
    accuracy and time results. doi:10.1023/A:1021713901879

    Examples
    --------
    The slow algorithm is better by 2 per cent, but takes ten times as long:

    >>> rank_by_arr([[0.80, 0.816]], [[1.0, 10.0]], accd=0.01, algorithms=["fast", "slow"]).algorithms
    ('slow', 'fast')
    >>> rank_by_arr([[0.80, 0.816]], [[1.0, 10.0]], accd=0.1, algorithms=["fast", "slow"]).algorithms
    ('fast', 'slow')
    """
    table = measured(accuracy, time, weights=weights, resolution=resolution, algorithms=algorithms, datasets=datasets)
    pairs, caveats = arr_pairs(table, accd=accd, floor=floor, with_self=with_self)
    return ranked(
        table,
        *pairs.summary(table.weights),
        method="ARR",
        score_name="ARR",
        higher_is_better=True,
        accd=float(accd),
        meaning=accd_sentence(accd),
        caveats=caveats,
    )


def rank_by_a3r(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike,
    *,
    accd: float = 0.01,
    power: float | None = None,
    weights: npt.ArrayLike | None = None,
    with_self: bool = True,
    floor: float | None = None,
    resolution: float | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms by accuracy and time with a ratio that falls steadily with time, whatever the ratio of times.

    Hypothesis: none; this is a ranking, not a test.
    Formula: A3R(p, q, d) = (SR_p / SR_q) / (T_p / T_q)^P, aggregated as in `rank_by_arr`. Without `power`,
    10^P = 1 + AccD: ten times the time costs what it costs in ARR.
    Assumptions: those of `rank_by_arr`.
    When not to use it: to reproduce results in ARR; the two agree at a ratio of ten only.

    Parameters
    ----------
    accuracy, time, accd, weights, with_self, floor, resolution, algorithms, datasets
        As in `rank_by_arr`.
    power : float, optional
        P itself, zero or more, instead of `accd`.

    Returns
    -------
    Ranking

    References
    ----------
    Abdulrahman, S. M., Brazdil, P., van Rijn, J. N. and Vanschoren, J. (2018). Speeding up algorithm selection using
    average ranking and active testing by introducing runtime. doi:10.1007/s10994-017-5687-8

    Examples
    --------
    >>> found = rank_by_a3r([[0.9, 0.91]], [[1e-9, 1e9]], power=0.01, algorithms=["fast", "slow"])
    >>> found.algorithms
    ('fast', 'slow')
    """
    table = measured(accuracy, time, weights=weights, resolution=resolution, algorithms=algorithms, datasets=datasets)
    exponent = power_from(accd) if power is None else _check_power(power)
    pairs, caveats = a3r_pairs(table, power=exponent, floor=floor, with_self=with_self)
    worth = 10.0**exponent - 1.0
    return ranked(
        table,
        *pairs.summary(table.weights),
        method="A3R",
        score_name="A3R",
        higher_is_better=True,
        accd=worth,
        meaning=f"{accd_sentence(worth)} (P = {exponent:.4g})",
        caveats=caveats,
    )


def rank_by_srr(
    accuracy: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    with_self: bool = True,
    floor: float | None = None,
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
    accuracy, weights, with_self, floor, algorithms, datasets
        As in `rank_by_arr`.

    Returns
    -------
    Ranking

    References
    ----------
    Brazdil, P. and Soares, C. (2000). A comparison of ranking methods for classification algorithm selection.
    doi:10.1007/3-540-45164-1_8

    Examples
    --------
    >>> found = rank_by_srr([[0.9, 0.6], [0.8, 0.8]], algorithms=["a", "b"], with_self=False)
    >>> found.scores.round(4)
    array([1.2247, 0.8165])
    """
    table = measured(accuracy, weights=weights, algorithms=algorithms, datasets=datasets)
    pairs, caveats = srr_pairs(table, floor=floor, with_self=with_self)
    return ranked(
        table,
        *pairs.summary(table.weights),
        method="success rate ratios",
        score_name="SRR",
        higher_is_better=True,
        caveats=caveats,
    )


def arr_pairs(
    table: Measured, *, accd: float, floor: float | None, with_self: bool = True
) -> tuple[RatioPairs, tuple[str, ...]]:
    """Prepare ARR on checked results, refusing a divisor that is not positive."""
    logs, caveats = _log_success(table, floor)
    pairs = RatioPairs(
        mask=table.mask,
        with_self=with_self,
        exponential=True,
        logs=logs,
        log_time=_log_times(table) / np.log(10.0),
        accd=check_accd(accd),
    )
    return pairs, caveats + _check_divisors(pairs, table)


def a3r_pairs(
    table: Measured, *, power: float, floor: float | None, with_self: bool = True
) -> tuple[RatioPairs, tuple[str, ...]]:
    """Prepare A3R on checked results."""
    logs, caveats = _log_success(table, floor)
    separable = logs - power * _log_times(table)
    return RatioPairs(mask=table.mask, with_self=with_self, exponential=True, logs=separable), caveats


def srr_pairs(table: Measured, *, floor: float | None, with_self: bool = True) -> tuple[RatioPairs, tuple[str, ...]]:
    """Prepare success rate ratios on checked results."""
    logs, caveats = _log_success(table, floor)
    return RatioPairs(mask=table.mask, with_self=with_self, exponential=True, logs=logs), caveats


def _log_success(table: Measured, floor: float | None) -> tuple[FloatArray, tuple[str, ...]]:
    """Return log success rates, 0 where missing; rates of 0 or less are raised to the floor or refused."""
    rates, there = table.success, table.mask
    if floor is not None and not 0 < floor < float("inf"):
        raise OptionError(
            f"floor is {floor!r}.",
            why="Success rates below it count as it, so it must be positive.",
            mend="Use floor=0.001.",
        )
    if floor is not None and (rates[there] < 0).any():
        raise _negative(table)
    low = there & (rates <= 0 if floor is None else rates < floor)
    if not low.any():
        return np.log(np.where(there, rates, 1.0)), ()
    if floor is None:
        s, j = np.argwhere(low)[0]
        raise InputError(
            f"The success rate of {table.algorithms[j]!r} on data set {table.datasets[s]!r} is {rates[s, j]:g}"
            f" ({int(low.sum())} such in all).",
            why="A ratio to it does not exist, and a geometric mean with it is 0 whatever the other data sets say.",
            mend="Use floor=0.001 to count such rates as 0.001, pass NaN for a failed run, or rank_by_mean_rank.",
        )
    note = f"{int(low.sum())} success rate(s) below {floor:g} count as {floor:g}."
    return np.log(np.where(low, floor, np.where(there, rates, 1.0))), (note,)


def _negative(table: Measured) -> InputError:
    s, j = np.argwhere(table.mask & (table.success < 0))[0]
    return InputError(
        f"The success rate of {table.algorithms[j]!r} on data set {table.datasets[s]!r} is {table.success[s, j]:g}.",
        why="Success rates are divided, and a negative one has no ratio; a floor is for rates of 0.",
        mend="Use rank_by_mean_rank (method 'mean-rank'), or another score.",
    )


def _log_times(table: Measured) -> FloatArray:
    if table.time is None:
        raise TypeError("the table has no times")
    return np.log(np.where(table.mask, table.time, 1.0))


def _check_divisors(pairs: RatioPairs, table: Measured) -> tuple[str, ...]:
    """Refuse ARR where 1 + AccD log10(Tp/Tq) is not positive; the extreme ratio of a data set shows it."""
    if pairs.log_time is None or pairs.accd == 0:
        return ()
    low = np.where(pairs.mask, pairs.log_time, np.inf).min(axis=1)
    high = np.where(pairs.mask, pairs.log_time, -np.inf).max(axis=1)
    measured_twice = pairs.mask.sum(axis=1) > 1
    least = np.where(measured_twice, 1.0 + pairs.accd * np.where(measured_twice, low - high, 0.0), 1.0)
    s = int(np.argmin(least))
    if least[s] <= 1e-12:  # 0 but for rounding
        raise _no_divisor(pairs, table, s, float(least[s]))
    near = int((least < 0.5).sum())
    if not near:
        return ()
    return (
        f"On {near} data set(s) times differ so much that ARR divides by less than 0.5: the fast are rewarded more"
        " than AccD says. A3R does not do so.",
    )


def _no_divisor(pairs: RatioPairs, table: Measured, s: int, value: float) -> InputError:
    times = np.where(pairs.mask[s], pairs.log_time[s] if pairs.log_time is not None else 0.0, np.nan)
    p, q = int(np.nanargmin(times)), int(np.nanargmax(times))
    return InputError(
        f"ARR of {table.algorithms[p]!r} to {table.algorithms[q]!r} on data set {table.datasets[s]!r} divides by"
        f" 1 + {pairs.accd:g} log10({10 ** (times[p] - times[q]):.3g}) = {value if abs(value) > 1e-12 else 0:.3g}.",
        why="A divisor of 0 or less turns the fastest algorithm into the worst, so the ranking would mean nothing.",
        mend=f"Use accd below {1 / (times[q] - times[p]):.3g}, or rank_by_a3r(...) (method 'a3r'), whose ratio falls"
        " steadily with time.",
    )


def _check_power(power: float) -> float:
    if not 0 <= power < float("inf"):
        raise OptionError(
            f"power is {power!r}.",
            why="A3R divides by the ratio of times to this power; a negative one would reward slowness.",
            mend="Use power=1/64, or accd=0.01.",
        )
    return float(power)
