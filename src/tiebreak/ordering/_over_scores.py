"""MultiTest over data sets: pairs are tested on the scores themselves, and cost decides where no test does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log2

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat
from tiebreak.deciding.promises import promise_caveats
from tiebreak.errors import InputError
from tiebreak.methods import find, of_kind
from tiebreak.ordering._inner_tests import PairTest, check_own
from tiebreak.ordering._ordering import Ordering
from tiebreak.ordering._procedure import Decisions, Procedure, decided
from tiebreak.ordering._table import FoldTable
from tiebreak.stats import CORRECTIONS, OmnibusResult, PairwiseResult
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.stats.pairwise import correction_name, pair_indices
from tiebreak.wording import option

MOST_EXACT = 14
"""Up to so many algorithms Bergmann and Hommel's correction is exact for p-values of any origin."""
MARGIN_OF_DATASETS = 4
"""So many data sets beyond the fewest, a pair may disagree on one or two of them and still be told apart."""
TOGETHER = "folds"
"""The test of the folds of these data sets together."""
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
        ranks = average_ranks(np.where(table.failed, np.inf, snap(table.compared)))
        omnibus: OmnibusResult = find(self.plan.omnibus, "omnibus")(ranks, algorithms=table.algorithms)
        found = Decisions(
            tests=tests,
            better=better,
            omnibus=omnibus,
            ranks=ranks,
            prior=overall,
            tied=bool(tied),
            notes=(*_failures(table), *self.tie_notes(0, tied), *notes, *tests.caveats, *self._promises(tests)),
        )
        return self.made(table, found)

    def tests(self, table: FoldTable) -> tuple[PairwiseResult, list[Caveat]]:
        """Test all pairs over data sets, or on their folds where the data sets are too few."""
        plan, count = self.plan, len(table.datasets)
        if callable(self.pairwise):
            return self._own(table), []
        needed = fewest_datasets(len(table.algorithms), plan.posthoc, plan.alpha) if self.pairwise in DISCRETE else 0
        few = count < needed
        if self.pairwise == TOGETHER:
            together = folds_of(table)
            if together is None:
                raise InputError(
                    "There are no folds of every data set.",
                    why="This test combines the folds of each data set.",
                    mend=f"Give the scores of the folds, or leave {option('pairwise')} out.",
                )
            return self._on_folds(table, together)
        test = find(self.pairwise, "pairs", verb="compare", what="pairwise test")
        found: PairwiseResult = test(table.compared, adjust=plan.posthoc, algorithms=table.algorithms)
        return found, [self._too_few(table, needed)] if few else self._hardly_enough(table, needed, found)

    def _on_folds(self, table: FoldTable, folds: list[FloatArray]) -> tuple[PairwiseResult, list[Caveat]]:
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
            "The tests combine the folds of each data set: they hold on these data sets and are no evidence about"
            " others."
        )
        return found, [Caveat("on-these-datasets", text)]

    def _too_few(self, table: FoldTable, needed: int) -> Caveat:
        """Say that no test could decide anything, and what it would take."""
        what = "cost" if self.given is None else "the given order"
        so, code = f"nothing but {what} decided", "only-cost-decided"
        text = (
            f"With {len(table.datasets)} data sets no pair of {len(table.algorithms)} algorithms can differ"
            f" significantly at alpha = {self.plan.alpha:g}, however they score: {so}. It takes {needed} data sets."
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
            f" those differ significantly that agree on nearly every data set, and {what} decides the others. Leave out"
            " algorithms, or add data sets."
        )
        if algorithms == 2:
            text = (
                f"{count} data sets are few: the two differ significantly only where nearly every data set agrees, and"
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


def folds_of(table: FoldTable) -> list[FloatArray] | None:
    """Return the folds of every data set; None unless all have at least two scores of each algorithm."""
    parts = [table.folds_of(row) for row in range(len(table.datasets))]
    whole = [part for part in parts if part is not None and part.shape[1] * part.shape[2] > 1]
    return whole if len(whole) == len(parts) else None
