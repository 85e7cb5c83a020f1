"""Tests of all pairs by the difference of their strengths."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri, stdtrit

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.deciding.battles._clusters import Spread, even_number, spread
from tiebreak.deciding.battles._counts import PairCounts, Sides
from tiebreak.deciding.battles._fitting import Fit
from tiebreak.deciding.battles._models import distance_of
from tiebreak.deciding.battles._result import BattlePlan
from tiebreak.deciding.battles._votes import Votes
from tiebreak.deciding.order import decided
from tiebreak.stats import CORRECTIONS, PairwiseResult
from tiebreak.stats.numeric.tails import floor_pvalue, t_two_sided
from tiebreak.stats.pairwise import pair_indices, pairs_result
from tiebreak.wording import option

TOO_FEW = 1.5
"""Clusters are too few where they ask for differences so many times larger than any number of them would."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tested:
    """Tests of all pairs, with the standard error of every difference; `better[i, j]`: j is stronger than i.

    `plan` is what was done in the end, `notes` say where that is not what was asked for.
    """

    plan: BattlePlan
    sure: Spread
    tests: PairwiseResult
    error: FloatArray
    better: BoolArray
    notes: Caveats = ()


def tested(votes: Votes, plan: BattlePlan, fit: Fit, counts: PairCounts, sides: Sides) -> Tested:
    """Test all pairs; where prompts or voters are too few, on these prompts or with these voters, unless told."""
    found = _tested(votes, plan, fit, counts, sides)
    few = [] if plan.as_told else _too_few(votes, plan)
    if len(few) != 1 or len(plan.cluster) != 2:
        return found
    [kind] = few
    kept = tuple(name for name in plan.cluster if name != kind)
    other = _tested(votes, replace(plan, cluster=kept), fit, counts, sides)
    text = (
        f"{found.sure.clusters[kind]} {kind}s are too few to tell {len(votes.algorithms)} algorithms apart for {kind}s"
        f" at large ({int(found.better.sum()):,} of {len(found.tests.a):,} pairs would differ): votes were clustered by"
        f" {kept[0]}, and the answer holds for these {kind}s, not for others."
        f" {option(cluster=','.join(plan.cluster))} asks about {kind}s at large."
    )
    return replace(other, notes=(Caveat("on-these-clusters", text),))


def _too_few(votes: Votes, plan: BattlePlan) -> list[str]:
    """Name the kinds of clusters that are too few, by their number and that of the pairs, never by what came out."""
    count = len(votes.algorithms)
    level = plan.alpha / (count * (count - 1))
    any_number = -float(ndtri(level))
    out = []
    for name in plan.cluster:
        df = max(even_number(votes.clusters[name]) - 1, 0.5)
        if -float(stdtrit(df, level)) > TOO_FEW * any_number:
            out.append(name)
    return out


def _tested(votes: Votes, plan: BattlePlan, fit: Fit, counts: PairCounts, sides: Sides) -> Tested:
    """Test every pair by t."""
    names = votes.algorithms
    sure = spread(fit, counts, sides, {name: votes.clusters[name] for name in plan.cluster})
    covariance = sure.covariance[:-1, :-1]
    own = np.diagonal(covariance)
    error = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0))
    a, b = pair_indices(len(names))
    ahead = fit.beta[b] - fit.beta[a]
    t = np.where(np.abs(ahead) < 1e-9, 0.0, _ratio(ahead, error[a, b]))
    p = floor_pvalue(t_two_sided(t, sure.df[a, b]))
    tests = pairs_result((a, b, t), p, method="t test of strengths", adjust=plan.adjust, algorithms=names)
    better = decided(a, b, tests.adjusted <= plan.alpha, t, len(names))
    return Tested(plan=plan, sure=sure, tests=tests, error=error, better=better)


def _ratio(difference: FloatArray, error: FloatArray) -> FloatArray:
    """An unknown error, as that of a single cluster, shows nothing."""
    out = np.zeros_like(difference)
    known = ~np.isnan(error)
    with np.errstate(divide="ignore", invalid="ignore"):
        np.divide(difference, error, out=out, where=known)
    return np.nan_to_num(out, nan=0.0, posinf=np.inf, neginf=-np.inf)  # 0/0 shows nothing either


def good_enough(fit: Fit, found: Tested, prior: IntArray) -> BoolArray:
    """Say which cheaper ones are shown to be preferred no less often than half less the margin; Holm's correction."""
    assert found.plan.margin is not None
    slack = distance_of(fit.model, 0.5 + found.plan.margin, fit.tie)
    order = np.argsort(prior)
    a, b = np.triu_indices(len(prior), 1)
    i, j = order[a], order[b]
    t = _ratio(fit.beta[i] - fit.beta[j] + slack, found.error[i, j])
    half = t_two_sided(t, found.sure.df[i, j]) / 2
    good = np.zeros((len(prior), len(prior)), dtype=bool)
    good[i, j] = CORRECTIONS["holm"](np.where(t > 0, half, 1 - half)) <= found.plan.alpha
    return good
