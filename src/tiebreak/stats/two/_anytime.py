"""Two algorithms over data sets that come one after another, of one pair and of all: look whenever you like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, check_choice, check_within, readonly
from tiebreak.caveats import Caveats
from tiebreak.documents import as_came_in
from tiebreak.stats.numeric.tails import floor_pvalue
from tiebreak.stats.pairwise import PairwiseResult, pair_fields, pair_indices
from tiebreak.stats.telling import caveats_of, frozen
from tiebreak.stats.two._shared import ALTERNATIVES, OnePair, toward_b, whole_table
from tiebreak.stats.two.evidence import BETS, Evidence, log_ratio, sign_evidence
from tiebreak.stats.two.signed_rank import differences, grid, pair_blocks

LOOKS = ("every", "now")
TITLES = {"ranks": "bets on signed ranks", "signs": "bets on who is better", "mean": "bets on the mean difference"}
AT_ONCE = 20_000
"""Pairs that are followed through the data sets together, which bounds the memory."""


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
    bound: float = 1.0,
    looks: str = "every",
    alternative: str = "two-sided",
    higher_is_better: bool = False,
) -> AnytimeResult:
    """Test whether two algorithms differ on data sets that come one by one, looking after each and stopping at will.

    Hypothesis: with bet="ranks" that differences are symmetric about 0; with "signs" that each algorithm is as likely
    as the other to be the better one; with "mean" that the mean difference is 0. One-sided, with "signs" that b is the
    better one with a chance of at most 1/2, and with "mean" that the mean difference is at most 0 (for "b-better").

    Formula: one unit is bet on every data set in turn, and what is owned after it is the e-value
    e_t = mean over stakes k of the product over i <= t of (1 + x_ik). With "signs" x is the sign of the difference
    times a chance between 0 and 1, averaged over all of them: e = 2^n 2 B(w + 1, l + 1) I, where w and l count wins and
    losses, n = w + l and I is the share of Beta(w + 1, l + 1) above 1/2. With "ranks" x is the sign times
    tanh(stake r_i), where r_i is the place, between 0 and 1, of the size of the difference among those so far and
    stakes are 1/2, 1, 2 and 4. With "mean" x is a share (20 between 0 and 1) of the difference divided by `bound`.
    Two-sided, half is bet on each algorithm. Under the hypothesis e_t has mean 1 whenever one stops, and the chance
    that it ever reaches 1 / p is at most p (Ville): p = 1 / max e_t. Ties change nothing.

    Assumptions:

    1. The data sets come in random order, and are independent.
    2. With "ranks" differences are symmetric about 0 where nothing differs, and sizes can be compared between data
       sets; with "signs" neither is assumed; with "mean" no difference exceeds `bound`.

    When not to use it: on a fixed number of data sets that is looked at once; `wilcoxon` finds more there. "mean" is
    weak where differences are small beside what the score allows, as those of accuracies are.

    Parameters
    ----------
    a, b : array_like, one-dimensional
        Scores on the same data sets, in the order in which they came. Without `b`, `a` holds the differences (first
        minus second).
    bet : {"ranks", "signs", "mean"}
    bound : float, default 1
        The largest difference that the score allows; read by "mean" alone.
    looks : {"every", "now"}
        "every" takes the largest e-value so far, "now" the last: with "signs" that depends on no order.
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
    check_choice("looks", looks, LOOKS)
    check_choice("alternative", alternative, ALTERNATIVES)
    d = toward_b(a, b, higher_is_better=higher_is_better)
    held = Evidence(1, bet=bet, bound=_checked_bound(bound))
    path = np.empty(d.size)
    for i, each in enumerate(d):
        held.take(np.array([each]))
        side = {"b-better": held.sides[0], "a-better": held.sides[1], "two-sided": held.both}[alternative]
        path[i] = side[0]
    best = path.max() if looks == "every" else path[-1]
    used = int(np.count_nonzero(d))
    return AnytimeResult(
        statistic=float(held.toward_b()[0]),
        pvalue=float(floor_pvalue(1 / max(float(best), 1.0))),
        evalue=float(path[-1]),
        n_used=used,
        path=readonly(path),
        alternative=alternative,
        method=_label(bet, looks),
        caveats=_caveats(np.array([used]), d.size),
    )


@as_came_in
def anytime_pairs(
    scores: npt.ArrayLike,
    *,
    bet: str = "signs",
    bound: float = 1.0,
    looks: str = "now",
    adjust: str = "none",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> AnytimePairs:
    """Test every pair by bets on the data sets, with p-values that stay valid while data sets are added.

    Hypothesis: for each pair, as for `anytime_test`; by default, that each algorithm is as likely as the other to be
    the better one.

    Formula, assumptions and when not to use it: as for `tiebreak.stats.anytime_test`, pair by pair, two-sided. By
    default p = 1 / e of the bets on who is better, 2^n / ((n + 1) (n choose wins)): it depends on the wins alone, and
    not on the order of the data sets, so a table that grows may be tested at every size. A correction that holds for
    any dependence (Holm's, Shaffer's, Bergmann and Hommel's) keeps its promise at any time; `closed_evalues` uses the
    e-values themselves.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
        Complete and finite; the rows in the order in which they came.
    bet : {"signs", "ranks", "mean"}
    bound : float, default 1
        The largest difference that the score allows; read by "mean" alone.
    looks : {"now", "every"}
        "now" takes the last e-value, "every" the largest after any row, in the order of the rows.
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
    check_choice("bet", bet, BETS)
    check_choice("looks", looks, LOOKS)
    matrix, names = whole_table(scores, algorithms, adjust, control)
    errors = -matrix if higher_is_better else matrix
    a, b = pair_indices(len(names), control)
    if bet == "signs" and looks == "now":
        evalue, toward, used = _from_wins(errors, control)
        largest = evalue
    else:
        evalue, toward, used, largest = _followed(errors, a, b, bet, _checked_bound(bound))
    fields = pair_fields(
        (a, b, toward),
        floor_pvalue(1 / np.maximum(largest if looks == "every" else evalue, 1.0)),
        adjust=adjust,
        algorithms=names,
        method=_label(bet, looks),
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


def _followed(
    errors: FloatArray, a: IntArray, b: IntArray, bet: str, bound: float
) -> tuple[FloatArray, FloatArray, IntArray, FloatArray]:
    """Follow the pairs through the data sets; return the last e-values, who is ahead, data sets used, the largest."""
    evalue, toward, largest = (np.ones(a.size), np.zeros(a.size), np.ones(a.size))
    used, grids = np.zeros(a.size, dtype=np.int64), grid(errors)
    for start in range(0, a.size, AT_ONCE):
        part = slice(start, start + AT_ONCE)
        i, j = a[part], b[part]
        held = Evidence(i.size, bet=bet, bound=bound)
        for row, fine in zip(errors, grids, strict=True):
            d = differences(row[i], row[j], fine[i], fine[j])
            held.take(d)
            used[part] += d != 0
            largest[part] = np.maximum(largest[part], held.both)
        evalue[part], toward[part] = held.both, held.toward_b()
    return evalue, toward, used, largest


def _checked_bound(bound: float) -> float:
    why = "It is the largest difference that the score allows, a positive number."
    return check_within("bound", bound, 0.0, np.inf, why=why, mend="Use bound=1 for accuracies, AUC and error rates.")


def _label(bet: str, looks: str) -> str:
    return f"Anytime test, {TITLES[bet]}{', looked at after every data set' if looks == 'every' else ''}"


def _caveats(used: IntArray, n_datasets: int) -> Caveats:
    none = int((used == 0).sum())
    text = f"{none} of {used.size} pair(s) score the same on all {n_datasets} data sets: p = 1."
    return caveats_of((none, "no-difference", text))
