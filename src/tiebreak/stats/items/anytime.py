"""Two models on items that are added as one looks: bets on their differences are evidence at every look."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, as_floats, check_within
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.items.non_inferiority import UnitPair, unit_pair
from tiebreak.stats.items.units import check_codes
from tiebreak.stats.numeric.basics import floor_pvalue
from tiebreak.stats.results import Told

SHARES = np.geomspace(0.002, 0.9, 24)
"""Shares of what could be lost at most that are staked: from differences of a thousandth to those of all items."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BetPair(UnitPair):
    """A pair that is bet on; `span` is the largest difference that the scores allow."""

    def stakes(self, margin: float) -> FloatArray:
        """Return the stakes of a bet on "good enough", which can never be lost twice."""
        return np.asarray(SHARES / (max(self.span - margin, 1e-3 * self.span) * float(self.sizes.max())))

    def log_evidence(self, margin: float) -> float:
        """Return the logarithm of the e-value of "worse by less than the margin"."""
        return _log_owned(self.gains + margin * self.sizes, self.stakes(margin))

    def log_worse(self) -> float:
        """Return the logarithm of the e-value of "worse"."""
        return _log_owned(-self.gains, self.stakes(0.0))

    def pvalue(self, margin: float) -> float:
        """Return the p-value of the candidate's being worse by the margin or more, valid at every look."""
        return float(np.exp(-max(self.log_evidence(margin), 0.0)))


def _log_owned(gains: FloatArray, stakes: FloatArray) -> float:
    """Return the logarithm of what is owned in the mean over stakes; the order of the units plays no part."""
    owned = np.array([float(np.log1p(stake * gains).sum()) for stake in stakes])
    return float(special.logsumexp(owned) - np.log(len(stakes)))


def bet_pair(units: UnitPair, bound: float) -> BetPair:
    """Check the bound against what was seen; larger differences would make debts."""
    if units.span > bound * (1.0 + 1e-9):
        raise InputError(
            f"Scores range over {units.span:g}, and the bound is {bound:g}.",
            mend=f"Give the largest difference that the score allows, at least {units.span:g}.",
        )
    return BetPair(
        **{field.name: getattr(units, field.name) for field in fields(units)} | {"span": bound, "how": "bets"}
    )


MOST_LOG = 650.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AnytimeItems(Told):
    """Evidence about a candidate after some items: `evalue` that it is good enough, `evalue_worse` that it is worse.

    `pvalue` and `pvalue_worse` are one over them; `shortfall` is by how much the candidate is worse. Each side holds at
    every look: if it is wrong, its e-value ever reaches 20 with a chance of at most 1/20.
    """

    COLUMNS = ("shortfall", "evalue", "pvalue", "evalue_worse", "pvalue_worse", "n_items", "n_units")

    shortfall: float
    evalue: float
    pvalue: float
    evalue_worse: float
    pvalue_worse: float
    margin: float
    n_items: int
    n_units: int

    def title(self) -> str:
        """Say in one line what was found."""
        return f"{self.method}: evidence {self.evalue:.4g} of good enough, {self.evalue_worse:.4g} of worse"

    def rows(self) -> list[Row]:
        """Return one row."""
        return [self.columns()]


@as_came_in
def anytime_items(
    candidate: npt.ArrayLike,
    reference: npt.ArrayLike,
    *,
    margin: float,
    clusters: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    bound: float = 1.0,
    higher_is_better: bool = True,
) -> AnytimeItems:
    """Test on items that are added whether a candidate is worse, or worse by less than a margin; look at any time.

    Hypothesis: for `evalue`, that the expected score of the candidate is worse by the margin m or more; for
    `evalue_worse`, that it is not worse.

    Formula: one unit is staked in shares l, 24 of them between 0.002 and 0.9, and what is owned is the e-value, the
    mean over l of the product over items, or clusters, of 1 + l (d + m) / (B - m), where d is candidate less reference
    and B the bound; for "worse" of 1 - l d / B. The product does not depend on the order. Under its hypothesis the mean
    is at most 1 whenever one stops, so that it ever reaches 1 / p with a chance of at most p (Ville).

    Assumptions: units are independent and come in random order; clusters are complete when looked at; of several
    benchmarks every look has the same shares. No difference exceeds the bound.
    When not to use it: for one look at a suite of fixed size; `item_non_inferiority` needs fewer items there.

    Parameters
    ----------
    candidate, reference : array_like, shape (items,)
        Scores on the same items, NaN where there is no answer.
    margin : float
        The shortfall that would matter, above 0.
    clusters, strata : array_like, optional
        As for `item_pairs`.
    bound : float, default 1
        The largest difference that the score allows.
    higher_is_better : bool, default True

    Returns
    -------
    AnytimeItems

    References
    ----------
    ville1939
    waudbysmith2024

    Examples
    --------
    >>> same = np.tile([1.0, 0.0, 1.0], 200)
    >>> result = anytime_items(same, same, margin=0.02)
    >>> round(result.evalue), round(result.evalue_worse, 2)
    (2524, 1.0)
    """
    values, other = (as_floats(item, what=name) for item, name in ((candidate, "candidate"), (reference, "reference")))
    if values.ndim != 1 or values.shape != other.shape:
        raise InputError(
            f"candidate has shape {values.shape}, reference {other.shape}.",
            mend="Pass two lists of one length, NaN where there is no answer.",
        )
    groups, blocks = (
        check_codes(given, len(values), what=what) for given, what in ((clusters, "clusters"), (strata, "strata"))
    )
    limit = check_within("margin", margin, 0.0, np.inf, mend="Use 0.01.")
    widest = check_within("bound", bound, 0.0, np.inf, mend="Use bound=1 for scores between 0 and 1.")
    pair = bet_pair(unit_pair(values, other, clusters=groups, strata=blocks, upward=higher_is_better), widest)
    good, worse = (min(value, MOST_LOG) for value in (pair.log_evidence(limit), pair.log_worse()))
    return AnytimeItems(
        shortfall=pair.shortfall,
        evalue=float(np.exp(good)),
        pvalue=float(floor_pvalue(np.exp(-max(good, 0.0)))),
        evalue_worse=float(np.exp(worse)),
        pvalue_worse=float(floor_pvalue(np.exp(-max(worse, 0.0)))),
        margin=limit,
        n_items=pair.n_items,
        n_units=pair.n_units,
        method="Anytime test on items",
    )
