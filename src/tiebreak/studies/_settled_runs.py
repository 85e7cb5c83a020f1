"""Runs that end early, replayed on whole tables: data sets in random order, by each rule, beside the whole table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from tiebreak import stats
from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.documents import Framed
from tiebreak.lab.early_stopping import Settling, still_needed
from tiebreak.stats.results import pair_indices
from tiebreak.studies._alpha_spending import SPENDING, Spending
from tiebreak.studies._peeking import pair_differences, planned_looks, signed_z


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Replayed:
    """What one run decided, better[i, j] where j is better than i, and on how many data sets it ran each algorithm."""

    better: BoolArray
    runs: IntArray


def by_bets(errors: FloatArray, until: str, alpha: float, _every: int, bet: str) -> Replayed:
    """Run by `Settling`, which looks after every data set whatever was planned."""
    names = [str(i) for i in range(errors.shape[1])]
    run = Settling(names, alpha=alpha, until=until, total=len(errors), bet=bet)
    for row in errors:
        if not run.take(dict(zip(names, row.tolist(), strict=True))):
            break
    return Replayed(better=run.better, runs=run.found().runs)


def by_spending(errors: FloatArray, until: str, alpha: float, every: int, kind: str) -> Replayed:
    """Run by a group-sequential test of signed ranks, which looks after every few data sets."""
    n_datasets, count = errors.shape
    a, b = pair_indices(count)
    looks = planned_looks(n_datasets, every)
    test = _spending(kind, n_datasets, every, count, alpha)
    d = pair_differences(errors[None])[0]
    least, better = np.ones(len(a)), np.zeros((count, count), dtype=bool)
    active, runs, before = np.ones(count, dtype=bool), np.zeros(count, dtype=np.int64), 0
    for look, taken in enumerate(looks):
        runs += active * (taken - before)
        before = int(taken)
        here = np.flatnonzero(active[a] & active[b])
        z = np.zeros(len(a))
        z[here] = signed_z(d[here, :taken])
        least[here] = np.minimum(least[here], test.pvalues(look, z[here]))
        apart = stats.shaffer(least) <= alpha * (1 + 1e-12)
        fresh = apart & ~better[a, b] & ~better[b, a]
        better[a[fresh & (z > 0)], b[fresh & (z > 0)]] = True
        better[b[fresh & (z < 0)], a[fresh & (z < 0)]] = True
        active = still_needed(active, better, ~apart, until)
        if not active.any():
            break
    return Replayed(better=better, runs=runs)


_KNOWN: dict[tuple[str, int, int, int, float], Spending] = {}
"""Bounds take seconds and depend on sizes alone; every order of one table shares them."""


def _spending(kind: str, n_datasets: int, every: int, count: int, alpha: float) -> Spending:
    key = (kind, n_datasets, every, count, alpha)
    if key not in _KNOWN:
        _KNOWN[key] = Spending(kind, planned_looks(n_datasets, every), count, alpha)
    return _KNOWN[key]


Rule = Callable[[FloatArray, str, float, int, str], Replayed]
RULES: MappingProxyType[str, tuple[Rule, str]] = MappingProxyType(
    {
        "bets on ranks": (by_bets, "ranks"),
        "bets on signs": (by_bets, "signs"),
        **{f"{kind} spending": (by_spending, kind) for kind in SPENDING},
    }
)
"""Every rule by which a run can end early: what replays it, and which kind of it."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Saving(Framed):
    """What one rule saved on one table, in the mean over orders of its data sets.

    `saved` is the share of fits that were not made. Of the significant differences in the whole table,
    `found` is the share that the run decided alike; `more` counts pairs that only the run decided,
    `contrary` those decided the other way. `lost` is the share of orders in which the run called an
    algorithm worse that no other one beats on the
    whole table, `left` how many algorithms the run left unbeaten, `left_by_all` how many the whole table does, and
    `same` the share of orders in which these are the same.
    """

    table: str
    n_datasets: int
    n_algorithms: int
    rule: str
    until: str
    saved: float
    found: float
    more: float
    contrary: float
    lost: float
    left: float
    left_by_all: int
    same: float


def saving(
    table: str, errors: FloatArray, whole: BoolArray, rule: str, until: str, *, orders: list[IntArray],
    alpha: float, every: int,
) -> Saving:  # fmt: skip
    """Replay a rule in each order and hold it against what the whole table decides, whole[i, j] where j is better."""
    replay, kind = RULES[rule]
    found = [replay(errors[order], until, alpha, every, kind) for order in orders]
    better = np.stack([each.better for each in found])
    unbeaten = np.logical_not(better.any(axis=2))
    best = np.logical_not(whole.any(axis=1))
    decided = max(1, int(whole.sum()))
    return Saving(
        table=table,
        n_datasets=len(errors),
        n_algorithms=errors.shape[1],
        rule=rule,
        until=until,
        saved=1 - float(np.mean([each.runs.sum() for each in found])) / errors.size,
        found=float((better & whole).sum(axis=(1, 2)).mean()) / decided,
        more=float((better & ~whole & ~whole.T).sum(axis=(1, 2)).mean()),
        contrary=float((better & whole.T).sum(axis=(1, 2)).mean()),
        lost=float(np.any(best & ~unbeaten, axis=1).mean()),
        left=float(unbeaten.sum(axis=1).mean()),
        left_by_all=int(best.sum()),
        same=float(np.all(unbeaten == best, axis=1).mean()),
    )
