"""Two algorithms over data sets that come one after another, of one pair and of all: look whenever you like.

Who bets on fair coins does not get richer in the mean, whenever the betting stops. So what is owned, one unit at first,
is evidence against the coins being fair: if they are, it ever reaches 20 with a chance of at most 1/20 (Ville 1939).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.stats.numeric.basics import floor_pvalue
from tiebreak.stats.results import PairwiseResult, counted_note, frozen, pair_fields, pair_indices
from tiebreak.stats.two.wilcoxon import ALTERNATIVES, OnePair, pair_blocks, toward_b, whole_table

BETS = ("ranks", "signs")

STAKES = np.array([0.5, 1.0, 2.0, 4.0])
"""How fast the stake of "ranks" grows with the rank, tanh(stake x rank): from slight differences to large ones."""

MOST = 1e290
"""Larger evidence is counted as this, so that sums of it stay finite."""


class Evidence:
    """What is owned for each of many pairs by betting on b, and by betting on a, from one data set to the next.

    Parameters
    ----------
    pairs : int
    bet : {"ranks", "signs"}
        See `tiebreak.stats.anytime_pairs`.
    """

    def __init__(self, pairs: int, *, bet: str = "ranks") -> None:
        self.bet = check_choice("bet", bet, BETS)
        self._sizes = np.empty((0, pairs))  # of the differences so far; grown by doubling
        self._taken = 0
        self._used = np.zeros(pairs)
        self._owned = np.ones((2, pairs, len(STAKES)))  # what each stake has made of its unit, on b and on a
        self._wins = np.zeros((2, pairs))

    def take(self, toward_b: FloatArray) -> None:
        """Bet on one data set; differences are positive where b is better, and NaN where a pair was not run."""
        d = np.nan_to_num(toward_b, nan=0.0, posinf=np.inf, neginf=-np.inf)
        sign = np.sign(d)
        self._wins += [sign > 0, sign < 0]
        self._used += sign != 0
        if self.bet == "signs":
            return
        gain = sign[:, None] * np.tanh(self._ranks(np.abs(d))[:, None] * STAKES)
        self._owned *= [1 + gain, 1 - gain]
        np.minimum(self._owned, MOST, out=self._owned)

    def _ranks(self, size: FloatArray) -> FloatArray:
        """Place each difference among those of its pair so far, between 0 and 1; ties share their place.

        Signs are fair coins whatever the sizes are, so a stake may depend on the size that it is placed on.
        """
        if self._taken == len(self._sizes):
            more = np.full((max(16, self._taken), size.size), np.nan)
            self._sizes = np.concatenate([self._sizes, more])
        past = self._sizes[: self._taken]
        below = np.count_nonzero(past < size, axis=0) + np.count_nonzero(past <= size, axis=0)
        self._sizes[self._taken] = np.where(size > 0, size, np.nan)  # a tie has no place
        self._taken += 1
        return np.asarray((below + 1) / 2 / np.maximum(self._used, 1))

    @property
    def sides(self) -> FloatArray:
        """E-values of "b is better" and of "a is better", shape (2, pairs)."""
        if self.bet == "signs":
            return np.stack([sign_evidence(*self._wins), sign_evidence(*self._wins[::-1])])
        return np.asarray(self._owned.mean(axis=-1))

    @property
    def both(self) -> FloatArray:
        """E-values of "they differ": half of the unit is bet on each side."""
        return np.asarray(self.sides.mean(axis=0))

    def toward_b(self) -> FloatArray:
        """Decimal logarithm of the evidence for b over that for a: positive where b is better."""
        return log_ratio(*self.sides)


def sign_evidence(wins: npt.ArrayLike, losses: npt.ArrayLike) -> FloatArray:
    """E-value of "the chance of a win exceeds 1/2", with all such chances weighted alike; ties are left out.

    2^n x 2 x integral of p^wins (1 - p)^losses from 1/2 to 1, for n = wins + losses.

    Examples
    --------
    >>> sign_evidence([3, 0], [0, 3]).round(4)
    array([3.75, 0.25])
    """
    won, lost = np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    share = special.betainc(lost + 1, won + 1, 0.5)  # of the chances above 1/2, by symmetry a lower tail
    with np.errstate(divide="ignore"):
        log = (won + lost + 1) * np.log(2) + special.betaln(won + 1, lost + 1) + np.log(share)
    return np.asarray(np.exp(np.minimum(log, np.log(MOST))))


def log_ratio(b: FloatArray, a: FloatArray) -> FloatArray:
    """Decimal logarithm of b over a, either of which may have shrunk to nothing."""
    tiny = np.finfo(np.float64).tiny
    return np.asarray(np.log10(np.maximum(b, tiny)) - np.log10(np.maximum(a, tiny)))


def undecided(evalues: FloatArray, alpha: float) -> BoolArray:
    """Say which e-values have not reached 1 / alpha; rounding does not keep one from it."""
    return np.asarray(evalues * alpha < 1 - 1e-12)


TITLES = {"ranks": "bets on signed ranks", "signs": "bets on who is better"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AnytimeResult(OnePair):
    """What betting on one pair found: `path` is the e-value after each data set, `evalue` the last of them.

    `statistic` is the decimal logarithm of the evidence for b over that for a.
    """

    COLUMNS = ("evalue", "pvalue", "n_used")

    evalue: float
    n_used: int
    path: FloatArray

    def title(self) -> str:
        """Say in one line what was found."""
        return f"{self.method}: evidence {self.evalue:.4g}, p = {self.pvalue:.4g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AnytimePairs(PairwiseResult):
    """Bets on all pairs: the e-values after the last data set, and p-values that hold at any time.

    `statistic` is the decimal logarithm of the evidence for b over that for a; `n_used` counts data sets that are no
    tie.
    """

    COLUMNS = (*PairwiseResult.COLUMNS, "evalue", "n_used")

    evalue: FloatArray
    n_used: IntArray


@as_came_in
def anytime_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike | None = None,
    *,
    bet: str = "ranks",
    alternative: str = "two-sided",
    higher_is_better: bool = False,
) -> AnytimeResult:
    """Test whether two algorithms differ on data sets that come one by one, looking after each and stopping at will.

    Hypothesis: with bet="ranks" that differences are symmetric about 0; with "signs" that each algorithm is as likely
    as the other to be the better one. One-sided, with "signs" that b is the better one with a chance of at most 1/2.

    Formula: one unit is bet on every data set in turn, and what is owned after it is the e-value
    e_t = mean over stakes k of the product over i <= t of (1 + x_ik). With "signs" x is the sign of the difference
    times a chance between 0 and 1, averaged over all of them: e = 2^n 2 B(w + 1, l + 1) I, where w and l count wins and
    losses, n = w + l and I is the share of Beta(w + 1, l + 1) above 1/2. With "ranks" x is the sign times
    tanh(stake r_i), where r_i is the place, between 0 and 1, of the size of the difference among those so far and
    stakes are 1/2, 1, 2 and 4.
    Two-sided, half is bet on each algorithm. Under the hypothesis e_t has mean 1 whenever one stops, and the chance
    that it ever reaches 1 / p is at most p (Ville): p = 1 / max e_t. Ties change nothing.

    Assumptions:

    1. The data sets come in random order, and are independent.
    2. With "ranks" differences are symmetric about 0 where nothing differs, and sizes can be compared between data
       sets; with "signs" neither is assumed.

    When not to use it: on a fixed number of data sets that is looked at once; `wilcoxon` finds more there.

    Parameters
    ----------
    a, b : array_like, one-dimensional
        Scores on the same data sets, in the order in which they came. Without `b`, `a` holds the differences (first
        minus second).
    bet : {"ranks", "signs"}
    alternative : {"two-sided", "a-better", "b-better"}
    higher_is_better : bool, default False

    Returns
    -------
    AnytimeResult

    References
    ----------
    ville1939
    waudbysmith2024
    vovk2024
    reynolds1975

    Examples
    --------
    >>> c45 = [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .94, .619, .972, .957]
    >>> c45m = [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978]
    >>> result = anytime_test(c45, c45m, higher_is_better=True)  # Demsar's Table 2
    >>> round(result.evalue, 2), round(result.pvalue, 4), result.n_used
    (7.97, 0.1255, 12)
    """
    check_choice("bet", bet, BETS)
    check_choice("alternative", alternative, ALTERNATIVES)
    d = toward_b(a, b, higher_is_better=higher_is_better)
    held = Evidence(1, bet=bet)
    path = np.empty(d.size)
    for i, item in enumerate(d):
        held.take(np.array([item]))
        side = {"b-better": held.sides[0], "a-better": held.sides[1], "two-sided": held.both}[alternative]
        path[i] = side[0]
    used = int(np.count_nonzero(d))
    return AnytimeResult(
        statistic=float(held.toward_b()[0]),
        pvalue=float(floor_pvalue(1 / max(float(path.max()), 1.0))),
        evalue=float(path[-1]),
        n_used=used,
        path=readonly(path),
        alternative=alternative,
        method=f"{_label(bet)}, looked at after every data set",
        caveats=_caveats(np.array([used]), d.size),
    )


@as_came_in
def anytime_pairs(
    scores: npt.ArrayLike,
    *,
    adjust: str = "none",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> AnytimePairs:
    """Test every pair by bets on the data sets, with p-values that stay valid while data sets are added.

    Hypothesis: for each pair, that each algorithm is as likely as the other to be the better one.

    Formula, assumptions and when not to use it: as for `tiebreak.stats.anytime_test`, pair by pair, two-sided, with
    bets on who is better: p = 1 / e, 2^n / ((n + 1) (n choose wins)); it depends on the wins alone, and not on the
    order of the data sets, so a table that grows may be tested at every size. A correction that holds for any
    dependence (Holm's, Shaffer's, Bergmann and Hommel's) keeps its promise at any time; `closed_evalues` uses the
    e-values themselves.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite; the rows in the order in which they came.
    adjust : str, default "none"
        The name of a correction, as for `rank_tests`.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs are tested.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    AnytimePairs

    References
    ----------
    ville1939
    waudbysmith2024
    vovk2021

    Examples
    --------
    >>> pairs = anytime_pairs([[1, 2, 3], [1, 3, 2], [1, 4, 6], [2, 6, 7], [3, 8, 10], [1, 7, 8]])
    >>> pairs.evalue.round(3), pairs.pvalue.round(4)
    (array([9.143, 9.143, 1.524]), array([0.1094, 0.1094, 0.6563]))
    """
    matrix, names = whole_table(scores, algorithms, adjust, control)
    errors = -matrix if higher_is_better else matrix
    a, b = pair_indices(len(names), control)
    evalue, toward, used = _from_wins(errors, control)
    fields = pair_fields(
        (a, b, toward),
        floor_pvalue(1 / np.maximum(evalue, 1.0)),
        adjust=adjust,
        algorithms=names,
        method=_label("signs"),
        caveats=_caveats(used, len(matrix)),
        **frozen(evalue=evalue, n_used=used),
    )
    return AnytimePairs(**fields)


def _from_wins(errors: FloatArray, control: int | None) -> tuple[FloatArray, FloatArray, IntArray]:
    """E-values from the counts of wins: no data set has to be followed."""
    blocks = [
        (np.count_nonzero(d > 0, axis=-1), np.count_nonzero(d < 0, axis=-1))
        for _, d in pair_blocks(errors.T, control=control)
    ]
    wins = np.concatenate([np.stack(block) for block in blocks], axis=1)
    b, a = sign_evidence(*wins), sign_evidence(*wins[::-1])
    return (a + b) / 2, log_ratio(b, a), wins.sum(axis=0)


def _label(bet: str) -> str:
    return f"Anytime test, {TITLES[bet]}"


def _caveats(used: IntArray, n_datasets: int) -> Caveats:
    return caveats_of(counted_note(used == 0, "no-difference", f"score the same on all {n_datasets} data sets: p = 1."))
