"""What the tests of two algorithms over many data sets share: choices, checks, p-values, labels, caveats."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, check_finite
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.folds._predictions import half_binomial_lower
from tiebreak.stats.numeric.scale import SUMS, rescaled
from tiebreak.stats.numeric.tails import floor_pvalue
from tiebreak.stats.two.signed_rank import EXACT_LIMIT, EXACT_UP_TO, differences, given_differences, grid

ALTERNATIVES = ("two-sided", "a-better", "b-better")
TIES = ("split", "drop")
ZEROS = ("split", "drop", "pratt")
DISTRIBUTIONS = ("auto", "exact", "asymptotic")
PAST = {"split": "split", "drop": "dropped", "pratt": "ranked and left out (Pratt)"}


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


def exact_where(used: IntArray, method: str) -> BoolArray:
    """Decide for each pair, by its number of nonzero differences, whether p is exact."""
    if method == "exact" and int(used.max(initial=0)) > EXACT_LIMIT:
        raise OptionError(
            f"method is 'exact' with {int(used.max())} differences that are not zero.",
            why=f"The exact distribution is computed up to {EXACT_LIMIT}.",
            mend="Use method='auto': the normal approximation is accurate there.",
        )
    limit = {"auto": EXACT_UP_TO, "exact": EXACT_LIMIT, "asymptotic": -1}[method]
    return np.asarray(used <= limit)


def sign_pvalues(counted_a: npt.ArrayLike, counted_b: npt.ArrayLike, *, alternative: str) -> FloatArray:
    """P-values of the sign test from the wins that count for each side."""
    a, b = np.asarray(counted_a, dtype=np.float64), np.asarray(counted_b, dtype=np.float64)
    if alternative == "two-sided":
        return floor_pvalue(2.0 * half_binomial_lower(np.minimum(a, b), a + b))
    return floor_pvalue(half_binomial_lower(a if alternative == "b-better" else b, a + b))


def t_pvalue(t: float, two_sided: float, identical: bool, alternative: str) -> float:
    """Turn the two-sided p-value into that of the alternative; t is positive where b is better."""
    if alternative == "two-sided" or identical:
        return two_sided
    agrees = (t > 0) == (alternative == "b-better") or t == 0
    return float(floor_pvalue(two_sided / 2 if agrees else 1.0 - two_sided / 2))


def wilcoxon_label(zeros: str, exact: BoolArray, *, continuity: bool) -> str:
    """Name the test as it was computed, counting the pairs if both distributions were used."""
    normal = f"normal approximation {'with' if continuity else 'without'} continuity correction"
    name = f"Wilcoxon signed ranks test, zeros {PAST[zeros]}"
    if bool(exact.all()):
        return f"{name}, exact"
    if not bool(exact.any()):
        return f"{name}, {normal}"
    return f"{name}, exact for {int(exact.sum())} of {exact.size} pairs, {normal} for the others"


def few_caveats(different: int, same: int, treatment: str, alternative: str, *, exact: bool = True) -> tuple[str, ...]:
    """Say what ties and few data sets do to the sign test and to the signed ranks test of one pair."""
    if different == 0:
        return (f"The two algorithms score the same on all {same} data set(s): p = 1.",)
    found = []
    if treatment == "split" and same % 2:
        found.append(f"One of {same} data set(s) without a difference is dropped; the others are split evenly.")
    smallest = (2.0 if alternative == "two-sided" else 1.0) * 0.5 ** int(different)
    if smallest > 0.05:
        found.append(f"{different} data set(s) with a difference: no p-value below {min(smallest, 1.0):g} is possible.")
    if not exact and different < 10:
        found.append(f"{different} data set(s) with a difference: the normal approximation is rough.")
    return tuple(found)


def pairs_caveats(different: IntArray, same: IntArray, treatment: str) -> tuple[str, ...]:
    """Say the same of all pairs at once, with the number of pairs concerned."""
    found = []
    nothing = int((different == 0).sum())
    odd = int(((same % 2 == 1) & (different > 0)).sum()) if treatment == "split" else 0
    few = int(((different > 0) & (different < 6)).sum())
    if nothing:
        found.append(f"{nothing} of {different.size} pair(s) score the same on all data sets: p = 1.")
    if odd:
        found.append(f"{odd} of {different.size} pair(s) tie on an odd number of data sets: one of them is dropped.")
    if few:
        found.append(
            f"{few} of {different.size} pair(s) differ on fewer than six data sets: no p-value at or below 0.05"
            " is possible."
        )
    return tuple(found)


def t_caveats(identical: int, endless: int, total: int) -> tuple[str, ...]:
    """Say where the paired t test had no spread to judge by."""
    found = []
    if identical:
        found.append(f"{identical} of {total} pair(s) score the same on all data sets: p = 1.")
    if endless:
        found.append(
            f"{endless} of {total} pair(s) differ by the same amount on all data sets: t is infinite and p is the"
            " smallest number that is reported."
        )
    return tuple(found)
