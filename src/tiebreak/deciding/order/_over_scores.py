"""MultiTest over data sets: pairs are tested on the scores themselves, and cost decides where no test does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log2

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.deciding.order._family import shown_by
from tiebreak.deciding.order._inner_tests import PairTest, check_own
from tiebreak.deciding.order._margins import good_enough
from tiebreak.deciding.order._ordering import Ordering
from tiebreak.deciding.order._procedure import Decisions, Procedure, decided
from tiebreak.deciding.order._table import FoldTable
from tiebreak.deciding.promises import promise_caveats
from tiebreak.methods import find, of_kind
from tiebreak.stats import CORRECTIONS, OmnibusResult, PairwiseResult
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.stats.pairwise import correction_name, pair_indices

MOST_EXACT = 14
"""Up to so many algorithms Bergmann and Hommel's correction is exact for p-values of any origin."""
MARGIN_OF_DATASETS = 4
"""So many data sets beyond the fewest, a pair may disagree on one or two of them and still be told apart."""
DISCRETE = ("wilcoxon", "sign", "wins")
"""Tests whose smallest p-value is that of all data sets pointing one way, 2 / 2^n."""


def own_score_tests() -> tuple[str, ...]:
    """Name the tests of pairs over data sets that read the pair's own scores and nothing else."""
    known = of_kind("pairs", verb="compare")
    return tuple(dict.fromkeys(each.name for each in known if each.on_own_scores and each.takes == "paired scores"))


def fewest_datasets(n_algorithms: int, adjust: str, alpha: float) -> int:
    """Return how many data sets it takes before a signed-rank test of one pair can reject after the correction.

    Examples
    --------
    >>> fewest_datasets(2, "holm", 0.05), fewest_datasets(8, "bergmann-hommel", 0.05)
    (6, 11)
    """
    pairs = n_algorithms * (n_algorithms - 1) // 2
    correct: Callable[[npt.ArrayLike], FloatArray] = CORRECTIONS["shaffer" if adjust == "bergmann-hommel" else adjust]
    for count in range(2, 2 + ceil(log2(max(2, pairs)) + 1 - log2(alpha)) + 1):
        # all pairs at the smallest p-value there is, as where all data sets agree: the easiest case for any correction
        if float(correct(np.full(pairs, 2.0 ** (1 - count))).min()) <= alpha:
            break
    return count


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OverScores(Procedure):
    """Orders by scores: Wilcoxon's test of every pair over data sets, corrected, and MultiTest with the mean cost.

    With so few data sets that no pair could be told apart, the folds of all data sets are tested together, unless a
    test was named or there are none; the question is then who is better on these data sets.
    """

    pairwise: str | PairTest
    named: bool = False

    def ordering(self, table: FoldTable) -> Ordering:
        """Test, order, and say what was decided by what."""
        overall, tied = self.overall_prior(table)
        tests, notes = self.tests(table)
        better = decided(tests.a, tests.b, tests.adjusted <= self.plan.alpha, tests.statistic, len(table.algorithms))
        good = self.good(table, overall)
        shown = shown_by(tests, better, self.plan.family, self.plan.alpha)
        ranks = average_ranks(np.where(table.failed, np.inf, snap(table.compared)))
        omnibus: OmnibusResult = find(self.plan.omnibus, "omnibus")(ranks, algorithms=table.algorithms)
        found = Decisions(
            tests=tests,
            better=better,
            shown=shown,
            moves=moved(shown, good, overall, undecided=self.plan.undecided, ahead=ahead_of(tests)),
            good=good,
            omnibus=omnibus,
            ranks=ranks,
            prior=overall,
            tied=bool(tied),
            notes=(*_failures(table), *self.tie_notes(0, tied), *notes, *tests.caveats, *self._promises(tests)),
        )
        return self.made(table, found)

    def good(self, table: FoldTable, prior: IntArray) -> BoolArray | None:
        """Say which cheaper ones are shown to be good enough; None without a margin."""
        if self.plan.margin is None:
            return None
        return good_enough(table.compared, prior, self.plan.margin, alpha=self.plan.alpha)

    def on_folds(self, table: FoldTable) -> bool:
        """Say whether the folds are tested, because the data sets are too few for any test of their means."""
        if self.named or self.pairwise not in DISCRETE:
            return False
        return len(table.datasets) < self._needed(table) and folds_of(table) is not None

    def _needed(self, table: FoldTable) -> int:
        return fewest_datasets(len(table.algorithms), self.plan.posthoc, self.plan.alpha)

    def tests(self, table: FoldTable) -> tuple[PairwiseResult, list[Caveat]]:
        """Test all pairs over data sets, or on their folds where the data sets are too few."""
        plan, count = self.plan, len(table.datasets)
        if callable(self.pairwise):
            return self._own(table), []
        needed = self._needed(table) if self.pairwise in DISCRETE else 0
        few = count < needed
        if few and not self.named:
            together = folds_of(table)
            if together is not None:
                return self._on_folds(table, together, needed)
        test = find(self.pairwise, "pairs", verb="compare", what="pairwise test")
        found: PairwiseResult = test(table.compared, adjust=plan.posthoc, algorithms=table.algorithms)
        return found, [self._too_few(table, needed)] if few else self._hardly_enough(table, needed, found)

    def _on_folds(self, table: FoldTable, folds: list[FloatArray], needed: int) -> tuple[PairwiseResult, list[Caveat]]:
        """Combine the tests of each data set: they speak of these data sets and of no others."""
        from tiebreak.stats import folds_together

        found = folds_together(
            folds,
            adjust=self.plan.posthoc,
            test_share=self.plan.test_share,
            algorithms=table.algorithms,
            datasets=table.datasets if len(set(table.datasets)) == len(table.datasets) else None,  # drawn twice
        )
        text = (
            f"{len(table.datasets)} data sets cannot tell {len(table.algorithms)} algorithms apart by their means (it"
            f" takes {needed}): the folds of these data sets were tested together, and the order holds for these data"
            " sets, not for others."
        )
        return found, [Caveat("on-these-datasets", text)]

    def _too_few(self, table: FoldTable, needed: int) -> Caveat:
        """Say that no test could decide anything, and what it would take."""
        what = "cost" if self.given is None else "the given order"
        so, code = f"nothing but {what} decided", "only-cost-decided"
        if self.plan.margin is not None:  # with so few, one may still be shown good enough
            so, code = "one can be shown good enough at the most, never better", "few-datasets"
        text = (
            f"With {len(table.datasets)} data sets no pair of {len(table.algorithms)} algorithms can be told apart at"
            f" alpha = {self.plan.alpha:g}, however they score: {so}. It takes {needed} data sets, or the scores of"
            " folds."
        )
        return Caveat(code, text)

    def _hardly_enough(self, table: FoldTable, needed: int, found: PairwiseResult) -> list[Caveat]:
        """Say that only pairs that agree on nearly every data set could be told apart, where some were not."""
        count, algorithms = len(table.datasets), len(table.algorithms)
        if count >= needed + MARGIN_OF_DATASETS or not needed or bool((found.adjusted <= self.plan.alpha).all()):
            return []
        what = "cost" if self.given is None else "the given order"
        text = (
            f"{count} data sets are few for {algorithms} algorithms: after the correction for {len(found.a)} pairs only"
            f" those can be told apart that agree on nearly every data set, and {what} decides the others. Leave out"
            " algorithms, or add data sets."
        )
        if algorithms == 2:
            text = (
                f"{count} data sets are few: the two can be told apart only where nearly every data set agrees, and"
                f" otherwise {what} decides. Add data sets."
            )
        return [Caveat("few-datasets", text)]

    def _own(self, table: FoldTable) -> PairwiseResult:
        """Run a test of the user's own on the two vectors of scores of every pair."""
        assert callable(self.pairwise)
        a, b = pair_indices(len(table.algorithms))
        columns = table.compared.T
        p = np.array([float(self.pairwise(columns[i], columns[j])) for i, j in zip(a, b, strict=True)])
        check_own(p)
        means = columns.mean(axis=1)
        return PairwiseResult(
            a=a,
            b=b,
            statistic=means[a] - means[b],
            pvalue=p,
            adjusted=CORRECTIONS[self.plan.posthoc](p),
            algorithms=table.algorithms,
            method=f"{self.plan.pairwise} {correction_name(self.plan.posthoc)}",
        )

    def _promises(self, tests: PairwiseResult) -> list[Caveat]:
        return promise_caveats(find(self.plan.posthoc, "correction"), len(tests.a))


def _failures(table: FoldTable) -> list[Caveat]:
    """A test of scores needs a score; a rank alone would not do."""
    text = "In the tests of pairs a failed run counts as the worst score of its data set."
    return [Caveat("gaps-worst-rank", text)] if table.failed.any() else []


def ahead_of(tests: PairwiseResult) -> BoolArray:
    """Return ahead[i, j]: j scores better than i, whether or not that is shown."""
    every = np.ones(len(tests.a), dtype=bool)
    return decided(tests.a, tests.b, every, np.asarray(tests.statistic), len(tests.algorithms))


def moved(
    better: BoolArray,
    good: BoolArray | None,
    prior: IntArray,
    *,
    undecided: str = "cheaper",
    ahead: BoolArray | None = None,
) -> BoolArray:
    """Return moves[..., i, j]: j goes before the cheaper i.

    Without a margin that is where j is significantly better; with one, where it is and i is not shown good enough, or
    where nothing is shown and the costlier one was asked for, or the one that scores better and it is that (`ahead`).
    """
    if good is None:
        return better
    cheaper = prior[..., :, None] < prior[..., None, :]
    open_ = cheaper & ~better & ~np.swapaxes(better, -1, -2) & ~good
    if undecided == "better":
        assert ahead is not None  # who asks for it says who scores better
        open_ = open_ & ahead
    return np.asarray((better & ~good) | (open_ if undecided != "cheaper" else False))


def folds_of(table: FoldTable) -> list[FloatArray] | None:
    """Return the folds of every data set; None unless all have at least two scores of each algorithm."""
    parts = [table.folds_of(row) for row in range(len(table.datasets))]
    whole = [part for part in parts if part is not None and part.shape[1] * part.shape[2] > 1]
    return whole if len(whole) == len(parts) else None
