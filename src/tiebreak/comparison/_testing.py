"""Run the tests of a plan: the omnibus test, the pairs, and where the algorithms lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, readonly
from tiebreak.comparison._plan import WHO_IS_BETTER, Plan
from tiebreak.documents.words import with_article
from tiebreak.methods import Method
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.stats.numeric.ranks import average_ranks, snap, tie_sums


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairOmnibus(OmnibusResult):
    """Stands in for the omnibus test where the pairs are tested without one.

    For two algorithms it is their test; for more, the smallest adjusted p-value of the pairs, which is the p-value of
    the hypothesis that all are alike. The letter of the statistic is that of the test of the pairs.
    """

    letter: str

    @property
    def symbol(self) -> str:
        """The letter of the statistic, as a sentence writes it."""
        return self.letter


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """What is tested: one score per data set and algorithm; `size` is that of the fold scores behind each mean.

    Where `scores` are made from those of all algorithms on a data set, `rescale` makes them, of those that `within`
    holds, lower the better; ranks and wins within data sets are taken from these. `usual_test` tests pairs on them.
    `folds` are the scores of the folds, lower the better, where a test asks for them.
    """

    scores: FloatArray
    size: FloatArray
    algorithms: tuple[str, ...]
    higher_is_better: bool
    usual_test: str = "wilcoxon"
    within: FloatArray | None = None
    rescale: Callable[[FloatArray], FloatArray] | None = None
    folds: FloatArray | None = None

    def columns(self, kept: Sequence[int]) -> Given:
        """Return the same of some algorithms, in that order."""
        names = tuple(self.algorithms[i] for i in kept)
        if self.folds is not None:
            return replace(replace(self, folds=None).columns(kept), folds=self.folds[:, kept])
        if self.within is not None and self.rescale is not None:
            within = self.within[:, kept]
            scores = self.rescale(within)
            size = np.nan_to_num(np.abs(scores))
            return replace(self, scores=scores, size=size, algorithms=names, within=within)
        return replace(self, scores=self.scores[:, kept], size=self.size[:, kept], algorithms=names)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tested:
    """What the tests found; `tie_factor` is the share of the ranks' variance that ties leave."""

    omnibus: OmnibusResult
    tests: PairwiseResult
    mean_ranks: FloatArray
    tie_factor: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Data:
    """One comparison's numbers in every form that a method may take."""

    scores: FloatArray
    errors: FloatArray
    ranks: FloatArray
    within: FloatArray
    rescaled: bool
    higher_is_better: bool
    algorithms: tuple[str, ...]
    folds: FloatArray | None = None

    def run(self, method: Method, **options: Any) -> Any:
        """Run a method on what it takes, as its record says."""
        if method.takes == "ranks":
            return method(self.ranks, algorithms=self.algorithms, **options)
        if method.takes == "gapped errors":
            return method(self.within, algorithms=self.algorithms, **options)
        if method.takes == "paired folds":
            return method(self.folds, algorithms=self.algorithms, **options)
        if method.takes == "errors":
            return method(self.errors, algorithms=self.algorithms, **options)
        if self.rescaled and method.name in WHO_IS_BETTER:
            return method(self.within, higher_is_better=False, algorithms=self.algorithms, **options)
        return method(self.scores, higher_is_better=self.higher_is_better, algorithms=self.algorithms, **options)


def run_tests(given: Given, plan: Plan, alpha: float) -> Tested:
    """Run the omnibus test and the tests of the pairs."""
    scores, names, upward = given.scores, given.algorithms, given.higher_is_better
    errors = snap(-scores if upward else scores, size=given.size)
    within = errors if given.within is None else given.within
    ranks = average_ranks(np.where(np.isnan(within), np.inf, within))  # a failed run ranks last
    data = _Data(
        scores=scores,
        errors=errors,
        ranks=ranks,
        within=within,
        rescaled=given.within is not None,
        higher_is_better=upward,
        algorithms=names,
        folds=given.folds,
    )
    tests = _pairs(data, plan, alpha)
    gapped = np.where(np.isnan(errors), np.nan, ranks) if plan.omnibus_method.takes == "gapped errors" else ranks
    mean_ranks = readonly(np.nanmean(gapped, axis=0))
    return Tested(
        omnibus=_omnibus(data, plan, tests), tests=tests, mean_ranks=mean_ranks, tie_factor=_tie_factor(ranks)
    )


def _tie_factor(ranks: FloatArray) -> float:
    """Friedman's result has it too; the other omnibus tests need not."""
    n_datasets, n_algorithms = ranks.shape
    untied = float(n_datasets * (n_algorithms**3 - n_algorithms))
    return 1.0 - float(tie_sums(ranks).sum()) / untied


def _omnibus(data: _Data, plan: Plan, tests: PairwiseResult) -> OmnibusResult:
    """Only the options that the method's record names are passed on; the plan holds those of all methods."""
    method = plan.omnibus_method
    if not method.functions:
        return _stand_in(tests, data, plan.test.symbol)
    decided = {"tie_correction": plan.tie_correction is not False, "correction": plan.sphericity}
    found: OmnibusResult = data.run(method, **{name: decided[name] for name in method.options})
    return found


def _pairs(data: _Data, plan: Plan, alpha: float) -> PairwiseResult:
    """Test the pairs; a post hoc test brings its own correction, the others are given one."""
    method, options = plan.test, dict[str, Any]()
    if method.control != "never":
        options["control"] = None if plan.control is None else data.algorithms.index(plan.control)
    if method.kind == "pairs":
        options["adjust"] = plan.posthoc
    # alpha is for a critical value, or for wins inside data sets
    decided: dict[str, Any] = {"alpha": alpha, "tie_correction": plan.corrects_ties}
    decided |= {"test": plan.win_test, "ties": plan.win_ties}
    options |= {name: decided[name] for name in method.options}
    found: PairwiseResult = data.run(method, **options)
    return found


def _stand_in(tests: PairwiseResult, data: _Data, letter: str) -> PairOmnibus:
    """Without an omnibus test, the smallest adjusted p-value decides: it rejects exactly when some pair does."""
    first = int(np.argmin(tests.adjusted))
    return PairOmnibus(
        letter=letter,
        statistic=float(tests.statistic[first]),
        pvalue=float(tests.adjusted[first]),
        df=(),
        mean_ranks=readonly(data.ranks.mean(axis=0)),
        algorithms=data.algorithms,
        n_datasets=len(data.ranks),
        method=tests.method if len(tests.a) == 1 else f"Smallest adjusted p-value of {with_article(tests.method)}",
    )
