"""How the tests of pairs on items are named, and what must be said with them."""

from __future__ import annotations

from collections import Counter

from tiebreak.caveats import Caveat, Caveats
from tiebreak.stats.items import flips
from tiebreak.stats.items.pair_blocks import CLUSTER_T, FLIPS, TESTS, Asked, Found

FEW_UNITS = 20
"""With fewer clusters, or items where there are none, the t intervals are rough, and said to be."""


def test_name(found: Found, asked: Asked) -> str:
    """Name the test with how its p-values were found, and what its units are."""
    name, clustered = TESTS[asked.test], asked.clusters is not None
    if asked.test == CLUSTER_T and clustered:
        name = "Cluster-robust t test"
    if asked.test == FLIPS:
        usual = Counter(found.how).most_common(1)[0][0]
        name += f", {usual}" if usual == flips.EXACT else f", {usual} approximation"
        name += " by cluster" if clustered else ""
    return name


def pair_caveats(found: Found, asked: Asked) -> Caveats:
    """Say what a reader of p-values and intervals alone would get wrong."""
    pairs, clustered = len(found.pvalue), asked.clusters is not None
    units, word = int(found.n_units.min()), "clusters" if clustered else "items"
    same = int(((found.ahead_a == 0) & (found.ahead_b == 0)).sum())
    spread = sorted({int(n) for n in found.n_items})
    ranged = f"{spread[0]:,} to {spread[-1]:,}"
    few = f"{units} {word} are few: intervals by t are rough, and p-values of differences that are not symmetric too."
    one = "There is one cluster: nothing tells how much clusters vary, so that no difference can be shown."
    said: list[tuple[object, str, str]] = [
        (same, "no-difference", f"{same} of {pairs} pair(s) score the same on all items: p = 1."),
        (len(spread) > 1, "items-differ", f"Models do not have the same items: pairs have {ranged} in common."),
        (clustered and units == 1, "one-cluster", one),
        (
            1 < units < FEW_UNITS and (clustered or not asked.newcombe),
            "few-clusters" if clustered else "few-items",
            few,
        ),
        (asked.newcombe and units < 6, "few-items", f"{units} item(s) can show no difference at the level 0.05."),
        (found.crossing, "clusters-cross-benchmarks", _CROSSING),
        (units >= FEW_UNITS and found.largest > 0.2, "few-clusters", _uneven(found.largest)),
    ]
    return tuple(Caveat(*each) for each in ((code, text) for holds, code, text in said if holds))


_CROSSING = (
    "Some clusters lie in several benchmarks: these are not independent of each other, and are tested together. Where"
    " they are only called alike, as when each benchmark numbers its own, give them different names for more power."
)


def _uneven(largest: float) -> str:
    return f"One cluster holds {largest:.0%} of the items: intervals by t, which need many of like size, are rough."
