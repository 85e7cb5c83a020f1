"""The tests of the study of replicability, on many drawn tables at once.

Each is the function of `tiebreak.stats` of that name with one axis more, which the tests compare with the function
itself. Ranks within a data set do not depend on what else was drawn, so they come with the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma, sqrt

import numpy as np

from tiebreak import stats
from tiebreak._checks import FloatArray, IntArray
from tiebreak.stats.adjust.all_pairs import affordable
from tiebreak.stats.numeric.differences import mean_outcome, ratio, squared_length
from tiebreak.stats.numeric.studentized_range import range_upper
from tiebreak.stats.numeric.tails import chi2_upper, f_upper, floor_pvalue, half_binomial_lower, normal_two_sided
from tiebreak.stats.results import pair_indices
from tiebreak.studies._procedures import Key, signed_rank_pvalues

TWO, TOGETHER, PAIRS, CONTROL = "two algorithms", "all together", "all pairs", "control"
QUESTIONS = (TWO, TOGETHER, PAIRS, CONTROL)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """Tables of drawn data sets (draws, data sets, algorithms), lower the better, and their ranks within data sets.

    `first` and `second` are the pair in question; `first` is the control where there is one.
    """

    errors: FloatArray
    ranks: FloatArray
    first: int
    second: int

    @property
    def shape(self) -> tuple[int, int, int]:
        """Draws, data sets, algorithms."""
        draws, n_datasets, count = self.errors.shape
        return draws, n_datasets, count


def drawn_pvalues(drawn: Drawn, corrections: Sequence[str]) -> dict[Key, FloatArray]:
    """Return by question and test the p-value of the pair, or of all algorithms together, in every draw."""
    if drawn.shape[2] == 2:
        return _two(drawn, signed_rank_pvalues(drawn.errors)[:, 0])
    a, b = pair_indices(drawn.shape[2])
    signed = signed_rank_pvalues(drawn.errors)
    low, high = sorted((drawn.first, drawn.second))
    place = int(np.flatnonzero((a == low) & (b == high))[0])
    return {
        **_two(drawn, signed[:, place]),
        **_together(drawn),
        **_after(drawn, signed, place, corrections),
        **_with_control(drawn, signed, corrections),
    }


def _two(drawn: Drawn, signed: FloatArray) -> dict[Key, FloatArray]:
    x, y = drawn.errors[:, :, drawn.first].T, drawn.errors[:, :, drawn.second].T
    ahead = drawn.ranks[:, :, drawn.second] - drawn.ranks[:, :, drawn.first]
    wins, losses = (ahead > 0).sum(axis=1), (ahead < 0).sum(axis=1)
    half = (drawn.shape[1] - wins - losses) // 2
    out = {
        (TWO, "paired t"): _mean_test(x, y),
        (TWO, "wilcoxon"): signed,
        (TWO, "sign"): floor_pvalue(
            2.0 * half_binomial_lower(np.minimum(wins, losses) + half, wins + losses + 2 * half)
        ),
    }
    if (drawn.errors > 0).all() or (drawn.errors < 0).all():
        middle = np.abs(x + y) / 2  # Demsar 2006, section 3.1.2: the difference over the mean of the two
        out[TWO, "paired t, relative"] = _mean_test(x / middle, y / middle)
    return out


def _mean_test(x: FloatArray, y: FloatArray) -> FloatArray:
    """P-values of paired t tests; data sets lie along the first axis."""
    return mean_outcome(x - y, squared_length(x) + squared_length(y), factor=1 / len(x)).pvalue


def _together(drawn: Drawn) -> dict[Key, FloatArray]:
    _, n_datasets, count = drawn.shape
    df = (count - 1, (count - 1) * (n_datasets - 1))
    means, error = _means_and_error(drawn.errors)
    between = n_datasets * np.square(means - means.mean(axis=1, keepdims=True)).sum(axis=1) / df[0]
    sums = drawn.ranks.sum(axis=1) - n_datasets * (count + 1) / 2
    spread = np.square(drawn.ranks - (count + 1) / 2).sum(axis=(1, 2))  # ties and all
    with np.errstate(divide="ignore", invalid="ignore"):
        chi2 = np.where(spread > 0, (count - 1) * np.square(sums).sum(axis=1) / spread, 0.0)
        f = (n_datasets - 1) * chi2 / np.maximum(n_datasets * (count - 1) - chi2, 0.0)
        anova = np.where(between > 0, between / error, 0.0)
    least = floor_pvalue(np.exp(-(n_datasets - 1) * lgamma(count + 1)))  # no table is less likely than agreement
    return {
        (TOGETHER, "rm-anova"): f_upper(anova, *df),
        (TOGETHER, "friedman F"): np.maximum(f_upper(f, *df), least),
        (TOGETHER, "friedman chi2"): np.maximum(chi2_upper(chi2, df[0]), least),
    }


def _after(drawn: Drawn, signed: FloatArray, place: int, corrections: Sequence[str]) -> dict[Key, FloatArray]:
    """Post hoc tests of all pairs: what each says of the pair in question."""
    _, n_datasets, count = drawn.shape
    z = _rank_z(drawn.ranks)
    p = normal_two_sided(z)
    t = _pooled_t(drawn)
    out = {
        (PAIRS, "nemenyi"): range_upper(sqrt(2) * np.abs(_rank_z(drawn.ranks, tie_correction=False)[:, place]), count),
        (PAIRS, "tukey"): stats.studentized_range_upper(sqrt(2) * t, k=count, df=(n_datasets - 1) * (count - 1)),
    }
    for name in corrections:
        out[PAIRS, f"ranks z, {name}"] = adjusted_rows(name, p)[:, place]
        out[PAIRS, f"wilcoxon, {name}"] = adjusted_rows(name, signed)[:, place]
    return out


def _with_control(drawn: Drawn, signed: FloatArray, corrections: Sequence[str]) -> dict[Key, FloatArray]:
    """Tests against the first of the pair as control: what each says of the second."""
    _, n_datasets, count = drawn.shape
    a, b = pair_indices(count)
    ours = np.flatnonzero((a == drawn.first) | (b == drawn.first))
    others = np.where(a[ours] == drawn.first, b[ours], a[ours])
    place = int(np.flatnonzero(others == drawn.second)[0])
    p = normal_two_sided(_rank_z(drawn.ranks)[:, ours])
    published = normal_two_sided(_rank_z(drawn.ranks, tie_correction=False)[:, ours])
    t = _pooled_t(drawn)
    out = {
        (CONTROL, "bonferroni-dunn"): np.minimum((count - 1) * published[:, place], 1.0),
        (CONTROL, "dunnett"): stats.dunnett_upper(t, k=count, df=(n_datasets - 1) * (count - 1)),
    }
    for name in corrections:
        if name in FOR_ALL_PAIRS:
            continue
        out[CONTROL, f"ranks z, {name}"] = adjusted_rows(name, p)[:, place]
        out[CONTROL, f"wilcoxon, {name}"] = adjusted_rows(name, signed[:, ours])[:, place]
    return out


def _rank_z(ranks: FloatArray, *, tie_correction: bool = True) -> FloatArray:
    """Differences of mean ranks over their standard error, which ties shrink if corrected for, (draws, pairs)."""
    draws, n_datasets, count = ranks.shape
    a, b = pair_indices(count)
    means = ranks.mean(axis=1)
    if tie_correction:
        spread = np.square(ranks - (count + 1) / 2).sum(axis=(1, 2))
    else:
        spread = np.full(draws, n_datasets * count * (count**2 - 1) / 12)
    return ratio(means[:, a] - means[:, b], (2 * spread / ((count - 1) * n_datasets**2))[:, None])


def _means_and_error(errors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Means of the algorithms, and the mean square of what neither they nor the data sets explain."""
    _, n_datasets, count = errors.shape
    means = errors.mean(axis=1)
    rest = errors - means[:, None, :] - errors.mean(axis=2, keepdims=True) + means.mean(axis=1)[:, None, None]
    return means, np.square(rest).sum(axis=(1, 2)) / ((n_datasets - 1) * (count - 1))


def _pooled_t(drawn: Drawn) -> FloatArray:
    """Size of the pair's difference of means over its standard error."""
    means, error = _means_and_error(drawn.errors)
    return np.abs(ratio(means[:, drawn.first] - means[:, drawn.second], 2 * error / drawn.shape[1]))


FOR_ALL_PAIRS = ("shaffer", "bergmann-hommel")
"""Corrections that use how pairs hang together, which a control leaves nothing of."""


def adjusted_rows(name: str, pvalues: FloatArray) -> FloatArray:
    """Apply a correction to the p-values of every row."""
    count = pvalues.shape[1]
    left = np.arange(count, 0, -1)
    if name == "holm":
        return _stepped(pvalues, left)
    if name == "shaffer":
        return _stepped(pvalues, affordable((1 + round(sqrt(1 + 8 * count))) // 2)[left])
    if name == "hochberg":
        return _stepped(pvalues, left, up=True)
    if name == "hommel":
        return _hommel(pvalues)
    if name == "bergmann-hommel":
        return stats.bergmann_hommel_rows(pvalues)
    return np.array([stats.CORRECTIONS[name](row) for row in pvalues])


def _stepped(pvalues: FloatArray, price: IntArray, *, up: bool = False) -> FloatArray:
    """Multiply sorted p-values by their price; running maximum, or from the largest down the minimum."""
    order = np.argsort(pvalues, axis=1, kind="stable")
    paid = np.take_along_axis(pvalues, order, axis=1) * price
    run = np.minimum.accumulate(paid[:, ::-1], axis=1)[:, ::-1] if up else np.maximum.accumulate(paid, axis=1)
    out = np.empty_like(run)
    np.put_along_axis(out, order, np.minimum(run, 1.0), axis=1)
    return out


def _hommel(pvalues: FloatArray) -> FloatArray:
    """Close Simes' test: the worst set of each size that holds p is the largest p-values, p itself for the least."""
    count = pvalues.shape[1]
    order = np.argsort(pvalues, axis=1, kind="stable")
    p = np.take_along_axis(pvalues, order, axis=1)
    worst = p.copy()
    for size in range(2, count + 1):
        simes = size * p[:, count - size :] / np.arange(1, size + 1)
        rest = simes[:, 1:].min(axis=1, keepdims=True)
        top = np.minimum(simes[:, :1], rest)
        inside = np.minimum(size * p[:, : count - size], rest)
        worst = np.maximum(worst, np.concatenate([inside, np.broadcast_to(top, simes.shape)], axis=1))
    out = np.empty_like(worst)
    np.put_along_axis(out, order, np.minimum(worst, 1.0), axis=1)
    return out
