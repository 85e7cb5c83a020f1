"""Whether the side on which an answer is shown sways the votes."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.documents import p_is
from tiebreak.evals.battles._votes import Votes
from tiebreak.stats.numeric.tails import t_two_sided
from tiebreak.stats.votes.clusters import crossed
from tiebreak.stats.votes.counts import PairCounts, Sides
from tiebreak.stats.votes.strengths import MODELS, Fit, preferred

FEWEST = 10
"""Clusters without which nothing is said of sides."""


def side_caveats(
    votes: Votes, fit: Fit, counts: PairCounts, sides: Sides, cluster: tuple[str, ...], *, alpha: float
) -> list[Caveat]:
    """Say by how much the left side is preferred between equals, where that is significant.

    Formula: one Newton step from no advantage, sum z s / sum z^2 h, where s and h are slope and bend of a vote and z is
    1 or -1, for either way round, less the mean of its pair: only pairs that were shown both ways tell. Its standard
    error is clustered as that of the strengths, and no smaller than that of one kind of clusters.
    """
    kinds = [votes.clusters[name] for name in cluster] or [np.arange(len(votes))]
    if votes.unit != "vote" or min(len(np.unique(each)) for each in kinds) < FEWEST:
        return []
    found = MODELS[fit.model](fit.beta[counts.i] - fit.beta[counts.j], fit.tie if fit.has_tie else 0.0)
    way = np.where(votes.left < votes.right, 1.0, -1.0)
    way -= (np.bincount(sides.pair, way) / np.bincount(sides.pair))[sides.pair]
    slope = way * found.by_d[sides.pair, sides.ending]
    room = float((way**2 * found.bend_dd[sides.pair, sides.ending]).sum())
    if room < 1e-6 * len(votes):
        return []  # every pair is shown one way round only
    parts = [_variance(slope, each) for each in ([*kinds, crossed(kinds)] if len(kinds) > 1 else kinds)]
    variance = parts[0] if len(parts) == 1 else max(parts[0] + parts[1] - parts[2], *parts[:2])
    df = min(len(np.unique(each)) for each in kinds) - 1
    p = float(t_two_sided(slope.sum() / np.sqrt(variance), df)) if variance > 0 else 1.0
    return [] if p > alpha else [_said(float(preferred(fit.model, slope.sum(keepdims=True) / room, fit.tie)[0]), p)]


def _variance(slope: FloatArray, codes: IntArray) -> float:
    own = np.bincount(np.unique(codes, return_inverse=True)[1], slope)
    return float(own @ own * len(own) / (len(own) - 1))


def _said(chance: float, p: float) -> Caveat:
    side, chance = ("left", chance) if chance >= 0.5 else ("right", 1 - chance)
    text = (
        f"The {side} side is preferred in {chance:.1%} of battles between equals ({p_is(p)}). That cancels where sides"
        " are drawn at random; otherwise whoever stands there more often looks stronger."
    )
    return Caveat("side-preferred", text)
