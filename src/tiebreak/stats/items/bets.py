"""Bets on the differences of two models: what is owned after some items is evidence that holds at every look."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from tiebreak._checks import FloatArray
from tiebreak.errors import InputError
from tiebreak.stats.items.margins import UnitPair

SHARES = np.geomspace(0.002, 0.9, 24)
"""Shares of what could be lost at most that are staked: from differences of a thousandth to those of all items."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BetPair:
    """A pair on which is bet; `bound` is the largest difference that the scores allow."""

    units: UnitPair
    bound: float

    how: str = "bets"

    @property
    def shortfall(self) -> float:
        """By how much the candidate is worse."""
        return self.units.shortfall

    @property
    def reference(self) -> float:
        """The mean score of the reference."""
        return self.units.reference

    @property
    def clustered(self) -> bool:
        """Whether items come in clusters."""
        return self.units.clustered

    @property
    def n_items(self) -> int:
        """The items of both."""
        return self.units.n_items

    @property
    def n_units(self) -> int:
        """Clusters, or items."""
        return self.units.n_units

    @property
    def span(self) -> float:
        """The largest difference."""
        return self.bound

    def gains(self, margin: float) -> tuple[FloatArray, FloatArray]:
        """Return what each unit gives a bet on "good enough", and the stakes, which can never be lost twice."""
        most = max(self.bound - margin, 1e-3 * self.bound) * float(self.units.sizes.max())
        return self.units.gains + margin * self.units.sizes, SHARES / most

    def log_evidence(self, margin: float) -> float:
        """Return the logarithm of the e-value of "worse by less than the margin"."""
        return _log_owned(*self.gains(margin))

    def log_worse(self) -> float:
        """Return the logarithm of the e-value of "worse"."""
        return _log_owned(-self.units.gains, SHARES / (self.bound * float(self.units.sizes.max())))

    def pvalue(self, margin: float) -> float:
        """Return the p-value of the candidate's being worse by the margin or more, valid at every look."""
        return float(np.exp(-max(self.log_evidence(margin), 0.0)))

    def shows(self, margin: float, alpha: float) -> bool:
        """Say whether that p-value is at most alpha."""
        return self.pvalue(margin) <= alpha


def _log_owned(gains: FloatArray, stakes: FloatArray) -> float:
    """Return the logarithm of what is owned in the mean over stakes; the order of the units plays no part."""
    owned = np.array([float(np.log1p(stake * gains).sum()) for stake in stakes])
    return float(special.logsumexp(owned) - np.log(len(stakes)))


def bet_pair(units: UnitPair, bound: float) -> BetPair:
    """Check the bound against what was seen; larger differences would make debts."""
    if units.span > bound * (1.0 + 1e-9):
        raise InputError(
            f"Scores range over {units.span:g}, and the bound is {bound:g}.",
            why="A bet can lose no more than its stake only where differences are bounded.",
            mend=f"Give the largest difference that the score allows, at least {units.span:g}.",
        )
    return BetPair(units=replace(units, span=bound), bound=bound)
