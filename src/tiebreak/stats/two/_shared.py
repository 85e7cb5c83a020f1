"""What the tests of two algorithms over many data sets share: choices, checks and caveats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_finite, check_table
from tiebreak.caveats import Caveats
from tiebreak.documents import Row
from tiebreak.errors import InputError
from tiebreak.stats.numeric.scale import SUMS, rescaled
from tiebreak.stats.pairwise import check_correction
from tiebreak.stats.telling import Told, caveats_of
from tiebreak.stats.two.signed_rank import differences, given_differences, grid

ALTERNATIVES = ("two-sided", "a-better", "b-better")
PAST = {"split": "split", "drop": "dropped", "pratt": "ranked and left out (Pratt)"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OnePair(Told):
    """What a test of two algorithms found."""

    statistic: float
    pvalue: float
    alternative: str

    def rows(self) -> list[Row]:
        """Return the one row of results."""
        return [self.columns()]


def both_scores(a: npt.ArrayLike, b: npt.ArrayLike | None, *, min_length: int) -> tuple[FloatArray, FloatArray | None]:
    """Return two checked score vectors, or one of differences."""
    x = as_floats(a, what="a")
    y = None if b is None else as_floats(b, what="b")
    if x.ndim != 1 or (y is not None and y.shape != x.shape):
        shapes = f"a has shape {x.shape}" + ("" if y is None else f" and b has shape {y.shape}")
        raise InputError(
            f"{shapes}.",
            why="The scores are paired data set by data set.",
            mend="Pass two vectors of one length; for all pairs of a table use wilcoxon_pairs and its kin.",
        )
    if x.size < min_length:
        raise InputError(
            f"a has {x.size} data set(s).",
            why=f"This test draws its evidence from the data sets and needs at least {min_length}.",
            mend="Add data sets, or compare the fold scores of the one data set.",
        )
    for values, what in ((x, "a"), (y, "b")):
        if values is not None:
            check_finite(values, what=what)
    return x, y


def toward_b(a: npt.ArrayLike, b: npt.ArrayLike | None, *, higher_is_better: bool) -> FloatArray:
    """Return the differences without rounding noise, positive where b is the better one."""
    x, y = both_scores(a, b, min_length=1)
    (x, *rest), _ = rescaled(*(part for part in (x, y) if part is not None), reach=SUMS)
    d = differences(x, rest[0], grid(x), grid(rest[0])) if rest else given_differences(x)
    return -d if higher_is_better else d


def whole_table(
    scores: npt.ArrayLike, algorithms: Sequence[str] | None, adjust: str, control: int | None
) -> tuple[FloatArray, tuple[str, ...]]:
    """Check a complete table and the correction; return the scores, scaled so that differences exist, and the names."""
    matrix, names = check_table(scores, algorithms, min_rows=1)
    check_correction(adjust, control)
    (near,), _ = rescaled(matrix, reach=SUMS)
    return near, names


def few_caveats(different: int, same: int, treatment: str, alternative: str, *, exact: bool = True) -> Caveats:
    """Say what ties and few data sets do to the sign test and to the signed ranks test of one pair."""
    if different == 0:
        equal = f"The two algorithms score the same on all {same} data set(s): p = 1."
        return caveats_of((True, "no-difference", equal))
    smallest = (2.0 if alternative == "two-sided" else 1.0) * 0.5 ** int(different)
    some = f"{different} data set(s) with a difference"
    odd = f"One of {same} data set(s) without a difference is dropped; the others are split evenly."
    return caveats_of(
        (treatment == "split" and same % 2, "many-ties", odd),
        (smallest > 0.05, "least-pvalue", f"{some}: no p-value below {min(smallest, 1.0):g} is possible."),
        (not exact and different < 10, "few-datasets", f"{some}: the normal approximation is rough."),
    )


def pairs_caveats(different: IntArray, same: IntArray, treatment: str) -> Caveats:
    """Say the same of all pairs at once, with the number of pairs concerned."""
    none, total = int((different == 0).sum()), different.size
    odd = int(((same % 2 == 1) & (different > 0)).sum()) if treatment == "split" else 0
    few = int(((different > 0) & (different < 6)).sum())
    least = "differ on fewer than six data sets: no p-value at or below 0.05 is possible."
    return caveats_of(
        (none, "no-difference", f"{none} of {total} pair(s) score the same on all data sets: p = 1."),
        (
            odd,
            "many-ties",
            f"{odd} of {total} pair(s) tie on an odd number of data sets: one tie is dropped, the others are split.",
        ),
        (few, "least-pvalue", f"{few} of {total} pair(s) {least}"),
    )
