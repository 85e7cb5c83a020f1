"""Tests of all pairs by the difference of their strengths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.evals.battles._result import BattlePlan
from tiebreak.evals.battles._votes import Votes
from tiebreak.stats import PairwiseResult
from tiebreak.stats.numeric.tails import floor_pvalue, t_two_sided
from tiebreak.stats.pairwise import decided, pair_indices, pairs_result
from tiebreak.stats.votes.clusters import Spread, even_number, spread
from tiebreak.stats.votes.counts import PairCounts, Sides
from tiebreak.stats.votes.strengths import Fit

WORDS = {"dataset": "data set"}
TOO_FEW = 1.5
"""Clusters are too few where they ask for differences so many times larger than any number of them would."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tested:
    """Tests of all pairs, with the standard error of every difference; `better[i, j]`: j is stronger than i.

    `notes` say where clusters are too few for a claim about others.
    """

    sure: Spread
    tests: PairwiseResult
    error: FloatArray
    better: BoolArray
    notes: Caveats = ()


def _notes(votes: Votes, plan: BattlePlan) -> Caveats:
    """Say which clusters are too few for a claim about others, and how many it takes.

    Told by their number and that of the pairs, never by what came out.
    """
    count = len(votes.algorithms)
    level = plan.alpha / (count * (count - 1))
    most = TOO_FEW * -float(ndtri(level))
    enough = next(number for number in range(2, 1000) if -float(stdtrit(number - 1, level)) <= most)
    out = []
    for name in plan.cluster:
        many = even_number(votes.clusters[name])
        if many < enough:
            word = WORDS.get(name, name)
            few = f"{many:.0f} {word}s are" if round(many) > 1 else f"One {word} is"
            text = f"{few} too few to compare {count} algorithms for {word}s at large: it takes about {enough}."
            out.append(Caveat("too-few-clusters", text))
    return tuple(out)


def tested(votes: Votes, plan: BattlePlan, fit: Fit, counts: PairCounts, sides: Sides) -> Tested:
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
    return Tested(notes=_notes(votes, plan), sure=sure, tests=tests, error=error, better=better)


def _ratio(difference: FloatArray, error: FloatArray) -> FloatArray:
    """An unknown error, as that of a single cluster, shows nothing."""
    out = np.zeros_like(difference)
    known = ~np.isnan(error)
    with np.errstate(divide="ignore", invalid="ignore"):
        np.divide(difference, error, out=out, where=known)
    return np.nan_to_num(out, nan=0.0, posinf=np.inf, neginf=-np.inf)  # 0/0 shows nothing either
