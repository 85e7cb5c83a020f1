"""Tables that are looked at after every data set: what is ever rejected, by tests that allow it and by another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.stats.adjust.all_pairs import algorithms_of
from tiebreak.stats.results import pair_indices
from tiebreak.stats.two.anytime import Evidence, undecided
from tiebreak.stats.two.wilcoxon import differences, exact_where, grid, rank_sums, tail_pvalues, z_scores
from tiebreak.studies._alpha_spending import SPENDING, Spending
from tiebreak.studies._own import Setting, name_and_truth
from tiebreak.studies._procedures import Key
from tiebreak.studies._scores import NOISES, TRUTHS, draw_tables, real_differences

PEEKING = "peeking"
"""The question in the tables of the study, and how its settings begin."""
CLOSED, SIGNS = "bets on ranks, closed", "bets on signs"
ONCE, AGAIN = "at the end: wilcoxon", "after every data set: wilcoxon"
CORRECTION = "shaffer"
EVERY = 5
"""Group-sequential tests look after so many data sets; tests at any time after each."""
SHAPE = (30, 6)
SETTINGS: tuple[Setting, ...] = tuple((f"{PEEKING}, {noise}", truth) for noise in NOISES for truth in TRUTHS[:2])


def planned_looks(n_datasets: int, every: int = EVERY) -> IntArray:
    """Return after how many data sets a group-sequential test looks; the last look is at all of them.

    Examples
    --------
    >>> planned_looks(12)
    array([ 5, 10, 12])
    """
    return np.unique(np.append(np.arange(every, n_datasets + 1, every), n_datasets))


def pair_differences(tables: FloatArray) -> FloatArray:
    """Return the differences of all pairs, (repetitions, pairs, data sets), positive where b is better."""
    a, b = pair_indices(tables.shape[2])
    columns = np.ascontiguousarray(tables.transpose(0, 2, 1))
    grids = grid(columns)
    return differences(columns[:, a], columns[:, b], grids[:, a], grids[:, b])


def followed(d: FloatArray, bet: str) -> Iterator[FloatArray]:
    """Yield the e-values of all pairs after every data set, (repetitions, pairs)."""
    held = Evidence(d.shape[0] * d.shape[1], bet=bet)
    for each in d.reshape(-1, d.shape[2]).T:
        held.take(each)
        yield held.both.reshape(d.shape[:2])


def ever_closed(d: FloatArray, bet: str, alpha: float) -> BoolArray:
    """Say which pairs the closed test of e-values ever rejects, looking after every data set."""
    out = np.zeros(d.shape[:2], dtype=bool)
    for evalues in followed(d, bet):
        out |= ~undecided(stats.closed_evalues(evalues, all_pairs=True), alpha)
    return out


def ever_anytime(d: FloatArray, alpha: float) -> BoolArray:
    """Say which pairs the bets on who is better ever reject, corrected as p-values are."""
    largest = np.ones(d.shape[:2])
    for evalues in followed(d, "signs"):
        largest = np.maximum(largest, evalues)
    return _corrected(1 / largest, alpha)


def ever_spending(d: FloatArray, kind: str, every: int, alpha: float) -> BoolArray:
    """Say which pairs a group-sequential test of signed ranks rejects at any of its looks."""
    looks = planned_looks(d.shape[2], every)
    test = Spending(kind, looks, algorithms_of(d.shape[1]), alpha)
    least = np.ones(d.shape[:2])
    for look, count in enumerate(looks):
        least = np.minimum(least, test.pvalues(look, signed_z(d[..., :count])))
    return _corrected(least, alpha)


def ever_again(d: FloatArray, alpha: float) -> BoolArray:
    """Say which pairs the usual test ever rejects if it is simply repeated after every data set."""
    out = np.zeros(d.shape[:2], dtype=bool)
    for count in range(2, d.shape[2] + 1):
        out |= _corrected(signed_pvalues(d[..., :count]), alpha)
    return out


def signed_z(d: FloatArray) -> FloatArray:
    """Standardised signed-rank sums along the last axis."""
    return z_scores(rank_sums(d.reshape(-1, d.shape[-1]), zeros="split")).reshape(d.shape[:-1])


def signed_pvalues(d: FloatArray) -> FloatArray:
    """P-values of signed ranks along the last axis."""
    sums = rank_sums(d.reshape(-1, d.shape[-1]), zeros="split")
    exact = exact_where(sums.used, "auto")
    return tail_pvalues(sums, exact, alternative="two-sided", continuity=False).reshape(d.shape[:-1])


def _corrected(pvalues: FloatArray, alpha: float) -> BoolArray:
    return np.stack([stats.shaffer(row) <= alpha * (1 + 1e-12) for row in pvalues])


def peeking_rejections(
    setting: Setting,
    size: int,
    rng: np.random.Generator,
    *,
    alpha: float,
    shape: tuple[int, int] = SHAPE,
    every: int | None = None,
) -> dict[Key, BoolArray]:
    """Return which pairs each procedure ever rejects, (repetitions, pairs).

    With `every`, also by group-sequential tests that look after so many data sets, and by the usual test at the end.
    """
    name, truth = name_and_truth(setting)
    d = pair_differences(draw_tables(name.removeprefix(f"{PEEKING}, "), truth, (size, *shape), rng))
    found = {CLOSED: ever_closed(d, "ranks", alpha), f"{SIGNS}, {CORRECTION}": ever_anytime(d, alpha)}
    if every is not None:
        found |= {f"{kind} spending, {CORRECTION}": ever_spending(d, kind, every, alpha) for kind in SPENDING}
        found[f"{ONCE}, {CORRECTION}"] = _corrected(signed_pvalues(d), alpha)
    found[f"{AGAIN}, {CORRECTION}"] = ever_again(d, alpha)
    return {(PEEKING, procedure): rejected for procedure, rejected in found.items()}


def peeking_differences(setting: Setting, hypotheses: int, count: int = SHAPE[1]) -> BoolArray:
    """Mark the pairs that differ."""
    real = real_differences(name_and_truth(setting)[1], *pair_indices(count), count)
    assert len(real) == hypotheses
    return real
