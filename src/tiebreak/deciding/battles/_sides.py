"""Whether the side on which an answer is shown sways the votes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.deciding.battles._clusters import clustered_slopes, crossed
from tiebreak.deciding.battles._counts import PairCounts, Sides
from tiebreak.deciding.battles._fitting import Fit
from tiebreak.deciding.battles._models import MODELS, preferred
from tiebreak.deciding.battles._votes import Votes
from tiebreak.documents import p_is
from tiebreak.stats.numeric.tails import t_two_sided

FEWEST = 10
"""Clusters without which nothing is said of sides."""


def side_caveats(
    votes: Votes, fit: Fit, counts: PairCounts, sides: Sides, cluster: tuple[str, ...], *, alpha: float
) -> list[Caveat]:
    """Say by how much the left side is preferred between equals, where that is significant.

    One Newton step from no advantage; its standard error is clustered as that of the strengths.
    """
    kinds = [votes.clusters[name] for name in cluster] or [np.arange(len(votes))]
    if votes.unit != "vote" or min(len(np.unique(each)) for each in kinds) < FEWEST:
        return []
    found = MODELS[fit.model](fit.beta[counts.i] - fit.beta[counts.j], fit.tie if fit.has_tie else 0.0)
    turned = np.where(votes.left < votes.right, 1.0, -1.0)
    slope = turned * found.by_d[sides.pair, sides.ending]
    bend = turned * found.bend_dd[sides.pair, sides.ending]
    k = counts.n_models
    mixed = np.zeros(k + 1)  # how the advantage bends with every strength, and with the parameter for ties
    mixed[:-1] = np.bincount(counts.i[sides.pair], bend, k) - np.bincount(counts.j[sides.pair], bend, k)
    mixed[-1] = float((turned * found.bend_dt[sides.pair, sides.ending]).sum())
    share: FloatArray = np.asarray(np.linalg.solve(fit.bend, mixed), dtype=np.float64)
    room = float(np.abs(bend).sum() - mixed @ share)
    if room < 1e-6 * float(np.abs(bend).sum()):
        return []  # every pair is shown one way round only
    advantage = float(slope.sum()) / room
    codes = [*kinds, crossed(kinds)] if len(kinds) > 1 else kinds
    parts = [_variance(clustered_slopes(fit, counts, sides, found, each), share, slope, each) for each in codes]
    variance = parts[0] if len(parts) == 1 else max(parts[0] + parts[1] - parts[2], *parts[:2])
    df = min(len(np.unique(each)) for each in kinds) - 1
    p = float(t_two_sided(advantage * room / np.sqrt(variance), df)) if variance > 0 else 1.0
    if p > alpha:
        return []
    chance = float(preferred(fit.model, np.array([advantage]), fit.tie)[0])
    side, chance = ("left", chance) if chance >= 0.5 else ("right", 1 - chance)
    text = (
        f"The {side} side is preferred in {chance:.1%} of battles between equals ({p_is(p)}). That cancels where sides"
        " are drawn at random; otherwise whoever stands there more often looks stronger."
    )
    return [Caveat("side-preferred", text)]


def _variance(slopes: Any, share: FloatArray, slope: FloatArray, codes: IntArray) -> float:
    """Add up the squares of what every cluster says of sides, beyond what strengths take up."""
    own = np.bincount(np.unique(codes, return_inverse=True)[1], slope) - slopes @ share
    number = len(own)
    return float(own @ own * number / (number - 1))
