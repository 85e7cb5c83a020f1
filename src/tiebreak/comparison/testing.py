"""Running the tests of a plan, the order best first, and what is called different."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import count
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, readonly
from tiebreak.caveats import Caveat
from tiebreak.comparison.groups import TIMES_ALL, fewest_signs, groups_without
from tiebreak.comparison.plan import WHO_IS_BETTER, Plan
from tiebreak.documents.words import with_article
from tiebreak.methods import Method
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.stats.numeric.ranks import average_ranks, snap, tie_sums

MOST_NAMED = 5
"""So many pairs a caveat names; more would not be read."""
MOST_SIGNS = 50
"""Up to so many data sets Wilcoxon's test counts signs, and has a smallest p-value that is worth a word."""
_COUNTED = ("wilcoxon", "sign", "wins", "significant-wins")
_SIGNED = ("statistic", "mean_difference")
_MIRRORED = {"wins_a": "wins_b", "wins_b": "wins_a", "r_plus": "r_minus", "r_minus": "r_plus"}
"""Numbers of a pair that change their sign, or trade places, where its two change places."""


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


def stand_in(tests: PairwiseResult, mean_ranks: FloatArray, *, letter: str, n_datasets: int = 1) -> PairOmnibus:
    """Return the smallest adjusted p-value as omnibus test: it rejects exactly when some pair does."""
    first = int(np.argmin(tests.adjusted))
    return PairOmnibus(
        letter=letter,
        statistic=float(tests.statistic[first]),
        pvalue=float(tests.adjusted[first]),
        df=(),
        mean_ranks=readonly(mean_ranks),
        algorithms=tests.algorithms,
        n_datasets=n_datasets,
        method=tests.method if len(tests.a) == 1 else f"Smallest adjusted p-value of {with_article(tests.method)}",
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """What is tested: one score per data set and algorithm; `size` is that of the fold scores behind each mean.

    Where `scores` are made from those of all algorithms on a data set, `within` holds these, lower the better; ranks
    and wins within data sets are taken from them. `folds` are the scores of the
    folds, lower the better, where a test reads them.
    """

    scores: FloatArray
    size: FloatArray
    algorithms: tuple[str, ...]
    higher_is_better: bool
    within: FloatArray | None = None
    folds: FloatArray | None = None

    def reordered(self, order: Sequence[int]) -> Given:
        """Return the same with the algorithms in another order."""
        return replace(
            self,
            scores=self.scores[:, order],
            size=self.size[:, order],
            algorithms=tuple(self.algorithms[i] for i in order),
            within=None if self.within is None else self.within[:, order],
            folds=None if self.folds is None else self.folds[:, order],
        )

    @property
    def turned(self) -> FloatArray:
        """The scores, lower the better, before they were made comparable over data sets."""
        if self.within is not None:
            return self.within
        return -self.scores if self.higher_is_better else self.scores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tested:
    """The results of the tests; `tie_factor` is the share of the ranks' variance that ties leave."""

    omnibus: OmnibusResult
    tests: PairwiseResult
    mean_ranks: FloatArray
    tie_factor: float


def run_tests(given: Given, plan: Plan, alpha: float) -> Tested:
    """Run the omnibus test and the tests of the pairs, each on what its record says that it takes."""
    names, upward = given.algorithms, given.higher_is_better
    errors = snap(-given.scores if upward else given.scores, size=given.size)
    within = errors if given.within is None else given.within
    ranks = average_ranks(np.where(np.isnan(within), np.inf, within))  # a failed run ranks last
    inputs = {"ranks": ranks, "gapped errors": within, "paired folds": given.folds, "errors": errors}

    def run(method: Method, **options: Any) -> Any:
        if method.takes in inputs:
            return method(inputs[method.takes], algorithms=names, **options)
        if given.within is not None and method.name in WHO_IS_BETTER:
            return method(within, higher_is_better=False, algorithms=names, **options)
        return method(given.scores, higher_is_better=upward, algorithms=names, **options)

    test, whole = plan.test, plan.omnibus_method
    options: dict[str, Any] = {}
    if test.control != "never":
        options["control"] = None if plan.control is None else names.index(plan.control)
    if test.kind == "pairs":  # a post hoc test brings its own correction
        options["adjust"] = plan.posthoc
    known: dict[str, Any] = {"alpha": alpha, "tie_correction": plan.corrects_ties}
    tests: PairwiseResult = run(test, **options, **{name: known[name] for name in test.options if name in known})
    if whole.functions:
        known = {"tie_correction": plan.corrects_ties, "correction": plan.sphericity}
        omnibus = run(whole, **{name: known[name] for name in whole.options})
    else:
        omnibus = stand_in(tests, ranks.mean(axis=0), letter=test.symbol, n_datasets=len(ranks))
    gapped = np.where(np.isnan(errors), np.nan, ranks) if whole.takes == "gapped errors" else ranks
    untied = float(len(ranks) * (len(names) ** 3 - len(names)))
    return Tested(
        omnibus=omnibus,
        tests=tests,
        mean_ranks=readonly(np.nanmean(gapped, axis=0)),
        tie_factor=1.0 - float(tie_sums(ranks).sum()) / untied,
    )


# ---- the order best first


def best_first(locations: FloatArray, names: tuple[str, ...]) -> list[int]:
    """Order by location; equal ones by name."""
    settled = snap(locations)
    return sorted(range(len(names)), key=lambda i: (settled[i], names[i]))


def reordered(tests: PairwiseResult, order: list[int], *, control: bool) -> PairwiseResult:
    """Put algorithms, and the pairs with them, into the order best first; a control stays the first of its pairs."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    a, b = place[tests.a], place[tests.b]
    swap = (a > b) & (not control)
    sequence = np.lexsort((np.where(swap, a, b), np.where(swap, b, a)))
    moved: dict[str, Any] = {"a": np.where(swap, b, a), "b": np.where(swap, a, b)}
    for name in (each.name for each in fields(tests) if each.name not in ("a", "b", "positions")):
        if isinstance(value := getattr(tests, name), np.ndarray):  # every test brings its own numbers of each pair
            turned = -value if name in _SIGNED else getattr(tests, _MIRRORED.get(name, name))
            moved[name] = np.where(swap, turned, value) + (0.0 if name in _SIGNED else False)  # no minus zero
    ordered: dict[str, Any] = {name: readonly(array[sequence]) for name, array in moved.items()}
    return replace(
        tests,
        **ordered,
        positions=None if tests.positions is None else readonly(tests.positions[order]),
        algorithms=tuple(tests.algorithms[i] for i in order),
    )


def groups_of(
    tests: PairwiseResult, significant: BoolArray, control: str | None
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Against a control there is one group, those without a significant difference; the others were never compared."""
    names, a, b = tests.algorithms, tests.a[significant], tests.b[significant]
    if control is None:
        return groups_without(a, b, names)
    different = {names[i] for i in b}
    return (tuple(name for name in names if name not in different),), True


# ---- what is called different


def significant_pairs(tests: PairwiseResult, omnibus_p: float, plan: Plan, alpha: float) -> BoolArray:
    """Say which pairs differ: by their own p-values, and only where the omnibus test rejects if that comes first."""
    differ: BoolArray = (tests.adjusted <= alpha) & (tests.statistic != 0)
    return np.zeros_like(differ) if plan.gated(len(tests.a)) and omnibus_p > alpha else differ


def fewest_datasets(plan: Plan, pairs: int, alpha: float) -> int:
    """Return with how many data sets a test that counts signs can reject at all; 0 for tests that do not count.

    The smallest of m p-values is multiplied by m under every correction that steps down.
    """
    times = pairs if plan.posthoc in TIMES_ALL else 1
    if plan.test.name == "anytime":  # n wins of n: the e-value is 2^n / (n + 1)
        return next(n for n in count(1) if 2.0**n * alpha >= times * (n + 1) * (1 - 1e-9))
    return fewest_signs(times, alpha) if plan.test.name in _COUNTED else 0


def too_few(plan: Plan, n_datasets: int, pairs: int, alpha: float) -> bool:
    """Say whether no scores could have made a pair significant."""
    return n_datasets <= MOST_SIGNS and n_datasets < fewest_datasets(plan, pairs, alpha)


def too_few_caveat(plan: Plan, n_datasets: int, pairs: int, alpha: float) -> list[Caveat]:
    """Say how many data sets it would take before a pair can differ significantly at all."""
    if not too_few(plan, n_datasets, pairs, alpha):
        return []
    fewest = fewest_datasets(plan, pairs, alpha)
    corrected = f"after the correction for {pairs} pairs " if plan.posthoc in TIMES_ALL else ""
    text = (
        f"With {n_datasets} data sets no pair can differ significantly at alpha = {alpha:g}, whatever its scores:"
        f" {corrected}it takes at least {fewest}."
    )
    if pairs == 1:
        text = f"With {n_datasets} data sets no test of this pair can reject at alpha = {alpha:g}: it takes {fewest}."
    return [Caveat("least-pvalue", text)]


def against_the_order(tests: PairwiseResult, decided: FloatArray, locations: FloatArray, what: str) -> list[Caveat]:
    """Name the pairs whose better one has the worse location: the list and the diagram alone would hide them."""
    ahead = np.sign(snap(locations)[tests.a] - snap(locations)[tests.b])  # positive where b stands ahead
    against = np.flatnonzero(decided * ahead < 0)
    if not len(against):
        return []
    names, places = tests.algorithms, zip(tests.a[against], tests.b[against], decided[against], strict=True)
    named = [
        f"{names[b if sign > 0 else a]} is significantly better than {names[a if sign > 0 else b]}"
        for a, b, sign in places
    ]
    text = f"Tested on their own scores, some pairs stand the other way round than by {what}: {_few_of(named)}."
    return [Caveat("ranks-and-scores-disagree", text)]


def _few_of(named: Sequence[str]) -> str:
    """List the first few pairs; commas and ands stand inside."""
    more = len(named) - MOST_NAMED
    return "; ".join([*named[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])
