"""Two algorithms over many data sets, by signed ranks: Wilcoxon's test, of one pair and of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ldexp

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import (
    BoolArray,
    FloatArray,
    IntArray,
    as_floats,
    check_choice,
    check_finite,
    check_shape,
    check_table,
)
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.numeric.basics import SUMS, floor_pvalue, rescaled
from tiebreak.stats.results import (
    PairwiseResult,
    Told,
    check_correction,
    counted_note,
    frozen,
    pair_fields,
    pair_indices,
)

DIGITS = 12
"""Significant digits of a score that count; a difference below the last of them is rounding noise."""

EXACT_UP_TO = 50
"""The most nonzero differences for which `method="auto"` computes the exact distribution."""

EXACT_LIMIT = 1000
"""The most nonzero differences for which the exact distribution can be asked for."""

BLOCK = 32_768
"""Numbers in a block: small enough that a block and its temporaries stay in the processor's cache."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankSums:
    """Signed-rank sums, one row of differences each; `weights` are the doubled ranks that carry a sign.

    `plus` and `minus` hold the zeros' halves under the treatment "split"; `total` and `squares` are the
    sum and the sum of squares of the ranks whose sign is random.
    """

    plus: FloatArray
    minus: FloatArray
    total: FloatArray
    squares: FloatArray
    used: IntArray
    zeros: IntArray
    weights: FloatArray


def exact_where(used: IntArray, method: str) -> BoolArray:
    """Decide for each pair, by its number of nonzero differences, whether p is exact."""
    if method == "exact" and int(used.max(initial=0)) > EXACT_LIMIT:
        raise OptionError(
            f"method is 'exact' with {int(used.max())} nonzero differences, more than {EXACT_LIMIT}.",
            mend="Use method='auto': the normal approximation is accurate there.",
        )
    limit = {"auto": EXACT_UP_TO, "exact": EXACT_LIMIT, "asymptotic": -1}[method]
    return np.asarray(used <= limit)


def grid(scores: FloatArray) -> FloatArray:
    """Return, per score, the power of ten that turns its last meaningful digit into the unit."""
    size = np.abs(scores)
    with np.errstate(divide="ignore"):
        exponent = np.floor(np.log10(size))
    exponent = np.clip(DIGITS - 1 - exponent, -290, 290)  # a zero has the finest grid
    return np.asarray(10.0**exponent)


def differences(a: FloatArray, b: FloatArray, grid_a: FloatArray, grid_b: FloatArray) -> FloatArray:
    """Subtract, and round to the last digit that the larger of the two scores carries.

    A whole number divided by a power of ten is correctly rounded, so equal decimal differences become equal
    floats on whatever data set they arise: 0.3 - 0.2 is 0.2 - 0.1, and 0.1 + 0.2 - 0.3 is 0.
    """
    scale = np.minimum(grid_a, grid_b)
    d = a - b
    d *= scale
    np.rint(d, out=d)
    d /= scale
    return d


def given_differences(d: FloatArray) -> FloatArray:
    """Round differences whose scores are not known to the last meaningful digit of the largest of them."""
    scale = grid(np.abs(d).max(axis=-1, keepdims=True))
    return np.asarray(np.rint(d * scale) / scale)


def pair_blocks(columns: FloatArray, *, control: int | None = None) -> Iterator[tuple[slice, FloatArray]]:
    """Yield runs of pairs in the order of `pair_indices`: their places, and a - b with one row per pair.

    `columns` has one row per algorithm.
    """
    if control is not None:  # the control first, and then the pairs of the first alone
        columns = np.concatenate([columns[control : control + 1], np.delete(columns, control, axis=0)])
    columns = np.ascontiguousarray(columns)
    count, length = columns.shape
    grids = grid(columns)
    if control is None and count * (count - 1) // 2 * length <= BLOCK:  # a small table is one run
        a, b = np.triu_indices(count, 1)
        yield slice(0, len(a)), differences(columns[a], columns[b], grids[a], grids[b])
        return
    step = max(1, BLOCK // length)
    place = 0
    for i in range(count - 1 if control is None else 1):
        for j in range(i + 1, count, step):
            end = min(count, j + step)
            d = differences(columns[i], columns[j:end], grids[i], grids[j:end])
            yield slice(place, place + end - j), d
            place += end - j


def rank_sums(d: FloatArray, *, zeros: str) -> RankSums:
    """Rank the magnitudes of each row of differences and add the ranks up by sign."""
    # The bits of positive floats sort as the floats do; integers sort faster and can carry the sign.
    bits = np.ascontiguousarray(d).view(np.uint64)
    keys = bits << np.uint64(1)
    keys |= bits >> np.uint64(63)  # the sign becomes the lowest bit, so that one sort carries it along
    keys.sort(axis=-1)
    negative = (keys & np.uint64(1)).astype(np.float64)
    keys >>= np.uint64(1)
    n_zero = np.count_nonzero(keys == 0, axis=-1)
    weights = _doubled_ranks(keys)
    _treat_zeros(weights, n_zero, zeros)
    total = weights.sum(axis=-1)
    minus = np.einsum("ij,ij->i", weights, negative)
    halves = _zero_halves(n_zero, zeros)
    return RankSums(
        plus=(total - minus) / 2 + halves,
        minus=minus / 2 + halves,
        total=total / 2,
        squares=np.einsum("ij,ij->i", weights, weights) / 4,
        used=(d.shape[-1] - n_zero).astype(np.int64),
        zeros=n_zero.astype(np.int64),
        weights=weights,
    )


def _doubled_ranks(ordered: npt.NDArray[np.uint64]) -> FloatArray:
    """Twice the average ranks of sorted rows: whole numbers also where values tie."""
    rows, length = ordered.shape
    ranks = np.empty((rows, length))
    ranks[:] = np.arange(2, 2 * length + 2, 2)
    same = ordered[:, 1:] == ordered[:, :-1]
    tied = np.flatnonzero(same.any(axis=-1))
    if tied.size:
        fresh = np.ones((tied.size, length), dtype=bool)
        np.logical_not(same[tied], out=fresh[:, 1:])
        starts = np.flatnonzero(fresh)
        counts = np.diff(starts, append=fresh.size)
        ranks[tied] = np.repeat(2 * (starts % length) + counts + 1, counts).reshape(fresh.shape)
    return ranks


def _treat_zeros(weights: FloatArray, n_zero: npt.NDArray[np.intp], zeros: str) -> None:
    """Give the zeros no weight, and lower the other ranks by the zeros that are dropped."""
    rows = np.flatnonzero(n_zero)
    if not rows.size:
        return
    count = n_zero[rows, None]
    dropped = {"drop": count, "split": count % 2, "pratt": 0 * count}[zeros]
    is_zero = np.arange(weights.shape[-1]) < count
    weights[rows] = np.where(is_zero, 0.0, weights[rows] - 2.0 * dropped)


def _zero_halves(n_zero: npt.NDArray[np.intp], zeros: str) -> FloatArray:
    """What each side receives of the zeros' ranks: half of 1 + ... + m, an odd zero being dropped."""
    zero = n_zero - n_zero % 2 if zeros == "split" else 0 * n_zero
    return np.asarray(zero * (zero + 1) / 4)  # Demsar 2006, section 3.1.3: R+ and R-


def tail_pvalues(sums: RankSums, exact: BoolArray, *, alternative: str) -> FloatArray:
    """P-values of rows of rank sums: exact where `exact` says so, normal elsewhere."""
    p = _normal_tail(sums, alternative=alternative)
    rows = np.flatnonzero(exact)
    if rows.size:
        p[rows] = _exact_tail(sums, rows, alternative=alternative)
    return floor_pvalue(p)


def z_scores(sums: RankSums) -> FloatArray:
    """Return the standardised rank sum, positive where R+ is larger; 0 where nothing carries a sign."""
    root = np.sqrt(sums.squares)
    gap = sums.plus - sums.minus
    return np.divide(gap, root, out=np.zeros_like(gap), where=root > 0)


def _normal_tail(sums: RankSums, *, alternative: str) -> FloatArray:
    """Normal tail of R+ - R-, whose variance is the sum of the squared ranks, ties and all."""
    gap = sums.plus - sums.minus
    toward = {"two-sided": np.abs(gap), "b-better": gap, "a-better": -gap}[alternative]
    root = np.sqrt(sums.squares)
    z = np.divide(toward, root, out=np.zeros_like(gap), where=root > 0)
    tail = np.asarray(special.ndtr(-z))
    p = 2.0 * tail if alternative == "two-sided" else tail
    return np.where(root > 0, p, 1.0)


def _exact_tail(sums: RankSums, rows: IntArray, *, alternative: str) -> FloatArray:
    """Look every rank sum up in the permutation distribution of the ranks of its row."""
    gap = (sums.plus - sums.minus)[rows]
    toward = {"two-sided": np.abs(gap), "b-better": gap, "a-better": -gap}[alternative]
    lower = np.rint(sums.total[rows] - toward).astype(np.int64)  # twice the rank sum on the losing side
    sides = 2.0 if alternative == "two-sided" else 1.0
    counted = _known_sums if sums.weights.shape[1] <= _KEPT else lru_cache(maxsize=None)(_subset_sums)
    p = np.empty(rows.size)
    for k, row in enumerate(rows):
        p[k] = sides * counted(sums.weights[row].tobytes()).lower_tail(int(lower[k]))
    return np.minimum(p, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class _SubsetSums:
    """The distribution of the sum of a random subset of ranks; `below[s]` is P(sum <= s units)."""

    below: FloatArray
    unit: int
    total: int

    def lower_tail(self, doubled: int) -> float:
        """P(sum <= doubled / 2); above the middle by symmetry."""
        s = doubled // self.unit
        if s < len(self.below):
            return float(self.below[s])
        rest = self.total - s - 1
        return 1.0 - float(self.below[rest]) if rest >= 0 else 1.0


def _subset_sums(ranks: bytes) -> _SubsetSums:
    """Count the subsets of the ranks by their sum, up to half the total.

    Under the hypothesis every subset is as likely to be the positive one. With one more rank r the number of
    subsets of sum s grows from f(s) to f(s) + f(s - r); doubled ranks are whole, so ties are no obstacle.
    """
    doubled = np.frombuffer(ranks)
    steps = np.sort(doubled[doubled > 0]).astype(np.int64)
    unit = 1 if (steps % 2).any() else 2
    steps //= unit
    total = int(steps.sum())
    half = total // 2
    ways = np.zeros(half + 1)
    ways[0] = ldexp(1.0, -len(steps))
    reached = 0
    for r in steps[steps <= half].tolist():
        reached = min(reached + r, half)
        ways[r : reached + 1] += ways[: reached + 1 - r]
    return _SubsetSums(np.cumsum(ways), unit, total)


_KEPT = 60
"""Ranks of so many data sets are worth remembering: a table is asked about again and again, at 10 KB a pattern."""
_known_sums = lru_cache(maxsize=512)(_subset_sums)


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
            mend="Pass two vectors of one length; for all pairs of a table use wilcoxon_pairs and its kin.",
        )
    check_shape(x.size, 2, what="a", min_rows=min_length)
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
    odd = (same % 2 == 1) & (different > 0) & (treatment == "split")
    dropped = "tie on an odd number of data sets: one tie is dropped, the others are split."
    least = "differ on fewer than six data sets: no p-value at or below 0.05 is possible."
    return caveats_of(
        counted_note(different == 0, "no-difference", "score the same on all data sets: p = 1."),
        counted_note(odd, "many-ties", dropped),
        counted_note((different > 0) & (different < 6), "least-pvalue", least),
    )


ZEROS = ("split", "drop", "pratt")
DISTRIBUTIONS = ("auto", "exact", "asymptotic")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WilcoxonResult(OnePair):
    """What the signed ranks test found: `statistic` is T, the smaller of the two rank sums.

    `r_plus` sums the ranks of the data sets on which b is better, `r_minus` those on which a is (Demsar's R+
    and R-); `z` is positive where b is better; `exact` says which distribution gave the p-value.
    """

    COLUMNS = ("r_plus", "r_minus", "n_used", "pvalue")

    r_plus: float
    r_minus: float
    z: float
    exact: bool
    n_used: int
    zeros: int

    def title(self) -> str:
        """Say in one line what was found."""
        return f"{self.method}: T = {self.statistic:g}, z = {self.z:.4g}, p = {self.pvalue:.4g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SignedRankPairs(PairwiseResult):
    """Signed ranks tests of all pairs; `statistic` is z, `exact` says per pair which distribution gave p.

    `r_plus` sums the ranks of the data sets on which b is better, `r_minus` those on which a is.
    """

    COLUMNS = (*PairwiseResult.COLUMNS, "r_plus", "r_minus", "exact")

    r_plus: FloatArray
    r_minus: FloatArray
    n_used: IntArray
    exact: BoolArray


@as_came_in
def wilcoxon(
    a: npt.ArrayLike,
    b: npt.ArrayLike | None = None,
    *,
    zeros: str = "split",
    method: str = "auto",
    alternative: str = "two-sided",
    higher_is_better: bool = False,
) -> WilcoxonResult:
    """Test by signed ranks whether one of two algorithms tends to be better.

    Hypothesis: the differences are symmetric about zero.

    Formula: rank the differences by size, ties with their average rank; R+ sums the ranks where b is better, R-
    those where a is. exact: every choice of signs of the differences that are not zero is equally likely, and p is
    the share of choices at least as uneven, counted over the ranks as they are, so also with ties.
    asymptotic: z = (R+ - R-) / sqrt(sum of squared ranks) is normal, which is the tie-corrected variance.

    Assumptions:

    1. The data sets are independent.
    2. Differences can be ordered by size between data sets, and are symmetric under the hypothesis.

    When not to use it: where a difference of 0.01 does not mean the same on different data sets
    (`sign_test`); on the folds of one data set, which are not independent; to speak of medians where differences are
    skewed, since it rejects symmetry about 0 and not a median of 0.

    Degenerate input: no data set with a difference, or one data set, gives p = 1. Differences that agree in
    twelve significant digits of the scores are tied, and below those digits they are zero.

    Parameters
    ----------
    a, b : array_like, one-dimensional
        Scores on the same data sets. Without `b`, `a` holds the differences (first minus second); rounding
        noise is then judged beside the largest of them.
    zeros : {"split", "drop", "pratt"}
        "split" ranks the zeros and gives each side half of their ranks, dropping one zero of an odd number
        (Demsar); "drop" removes them before ranking (Wilcoxon); "pratt" ranks them and then leaves them out.
    method : {"auto", "exact", "asymptotic"}
        "auto" is exact up to 50 differences that are not zero, with ties or without.
    alternative : {"two-sided", "a-better", "b-better"}
    higher_is_better : bool, default False

    Returns
    -------
    WilcoxonResult

    References
    ----------
    wilcoxon1945
    pratt1959
    demsar2006, section 3.1.3

    Examples
    --------
    >>> c45 = [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .94, .619, .972, .957]
    >>> c45m = [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978]
    >>> result = wilcoxon(c45, c45m, higher_is_better=True)  # Demsar's Table 2
    >>> result.r_plus, result.r_minus, round(result.pvalue, 5), result.exact
    (93.0, 12.0, 0.00781, True)
    """
    check_choice("zeros", zeros, ZEROS)
    check_choice("method", method, DISTRIBUTIONS)
    check_choice("alternative", alternative, ALTERNATIVES)
    d = toward_b(a, b, higher_is_better=higher_is_better)
    sums = rank_sums(d[None, :], zeros=zeros)
    exact = exact_where(sums.used, method)
    pvalue = tail_pvalues(sums, exact, alternative=alternative)
    plus, minus = float(sums.plus[0]), float(sums.minus[0])
    return WilcoxonResult(
        statistic=min(plus, minus),
        pvalue=float(pvalue[0]),
        r_plus=plus,
        r_minus=minus,
        z=float(z_scores(sums)[0]),
        exact=bool(exact[0]),
        n_used=int(sums.used[0]),
        zeros=int(sums.zeros[0]),
        alternative=alternative,
        method=wilcoxon_label(zeros, exact),
        caveats=few_caveats(sums.used[0], sums.zeros[0], zeros, alternative, exact=bool(exact[0])),
    )


@as_came_in
def wilcoxon_pairs(
    scores: npt.ArrayLike,
    *,
    zeros: str = "split",
    method: str = "auto",
    adjust: str = "none",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> SignedRankPairs:
    """Test every pair of algorithms by signed ranks over the data sets, two-sided.

    Hypothesis: for each pair, the differences are symmetric about zero.
    Formula, assumptions and when not to use it: as for `tiebreak.stats.wilcoxon`, pair by pair; unlike tests on
    mean ranks, a pair's answer does not depend on the other algorithms in the table.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite.
    zeros : {"split", "drop", "pratt"}
    method : {"auto", "exact", "asymptotic"}
        "auto" decides for each pair: exact up to 50 differences that are not zero.
    adjust : str, default "none"
        The name of a correction, as for `rank_tests`. By default the p-values are not corrected for their number:
        `adjusted` is a copy of `pvalue`.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs are tested.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    SignedRankPairs

    References
    ----------
    wilcoxon1945
    benavoli2016

    Examples
    --------
    >>> pairs = wilcoxon_pairs([[1, 2, 3], [1, 3, 2], [1, 4, 6], [2, 6, 7], [3, 8, 10], [1, 7, 8]])
    >>> pairs.pvalue, pairs.r_minus
    (array([0.03125, 0.03125, 0.15625]), array([21. , 21. , 18.5]))
    """
    check_choice("zeros", zeros, ZEROS)
    check_choice("method", method, DISTRIBUTIONS)
    matrix, names = whole_table(scores, algorithms, adjust, control)
    a, b = pair_indices(len(names), control)
    table = {name: np.empty(len(a)) for name in ("plus", "minus", "z", "used", "pvalue")}
    # Blocks of pairs keep the ranks of all pairs from lying in memory at once.
    for place, d in pair_blocks(-matrix.T if higher_is_better else matrix.T, control=control):
        sums = rank_sums(d, zeros=zeros)
        exact = exact_where(sums.used, method)
        table["plus"][place], table["minus"][place], table["used"][place] = sums.plus, sums.minus, sums.used
        table["z"][place] = z_scores(sums)
        table["pvalue"][place] = tail_pvalues(sums, exact, alternative="two-sided")
    n_used = table["used"].astype(np.int64)
    exact = exact_where(n_used, method)
    fields = pair_fields(
        (a, b, table["z"]),
        table["pvalue"],
        adjust=adjust,
        algorithms=names,
        method=wilcoxon_label(zeros, exact),
        caveats=pairs_caveats(n_used, len(matrix) - n_used, zeros),
        **frozen(r_plus=table["plus"], r_minus=table["minus"], n_used=n_used, exact=exact),
    )
    return SignedRankPairs(**fields)


def wilcoxon_label(zeros: str, exact: BoolArray) -> str:
    """Name the test as it was computed, counting the pairs if both distributions were used."""
    normal = "normal approximation without continuity correction"
    name = f"Wilcoxon signed ranks test, zeros {PAST[zeros]}"
    if bool(exact.all()):
        return f"{name}, exact"
    if not bool(exact.any()):
        return f"{name}, {normal}"
    return f"{name}, exact for {int(exact.sum())} of {exact.size} pairs, {normal} for the others"
