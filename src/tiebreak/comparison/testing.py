"""Which tests a comparison uses, as asked for or by rules, running them, and what is called different.

The rules, for what is not asked for:

1. Gaps are refused unless a policy is named; `skillings-mack` leaves them to the test of that name. With `worst-rank`
   everything is by ranks, since a failed run has a rank and no score.
2. Two algorithms: Wilcoxon signed ranks.
3. More: the Friedman test, decided by Iman and Davenport's F, answers for all together; each pair is tested by Wilcoxon
   signed ranks on its own scores, so that nobody else in the table bears on it.
4. All pairs: Bergmann and Hommel's correction, the sharpest there is, up to 14 algorithms and Shaffer's beyond; for
   tests on mean ranks up to 100. Against a control: Holm's.
5. Pairs that are tested on their own scores and corrected for their number keep what the correction promises by
   themselves, so the omnibus test stands beside them. For all others it comes first: if it does not reject, no pair is
   called different.
6. A post hoc test that brings its own correction (Nemenyi's, Dunn's, ...) names what it tests: ranks, or mean scores.
7. Mean scores are compared only on request. Repeated-measures ANOVA asked for by itself is corrected by Greenhouse and
   Geisser where Mauchly's test rejects sphericity at 0.10, and followed by Tukey's paired test (Dunnett's against a
   control) where it does not, else by paired t tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_choice, readonly
from tiebreak.caveats import Caveat
from tiebreak.comparison.groups import TIMES_ALL, fewest_signs, groups_without
from tiebreak.documents import Framed
from tiebreak.documents.words import pvalue as show_p, with_article
from tiebreak.errors import OptionError
from tiebreak.methods import Method, choices, find, goes_with, of_kind
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.stats.numeric.basics import average_ranks, snap, tie_sums
from tiebreak.wording import any_of, option

VERB = "compare"
WHO_IS_BETTER = ("sign", "wins", "anytime")
"""Tests on a pair's own scores that ask who is better on a data set and not by how much."""
WINS = "significant-wins"
"""The test that counts the data sets on which one of a pair is significantly better, by their folds."""
FOLD_TESTS = ("corrected-t", "5x2cv-f")
"""Tests of pairs on the folds of one data set."""
MOST_EXACT = 100
"""Up to so many algorithms Bergmann and Hommel's correction is the default on mean ranks; it takes about a second."""
MOST_ANY_ORIGIN = 14
"""Up to so many where the p-values do not come from positions on a line."""
_GAPPED = ("skillings-mack",)
CHECK_LEVEL = 0.10


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Plan(Framed):
    """Every choice of one comparison, and the path that led there; what is not chosen yet is empty."""

    omnibus: str
    pairwise: str
    posthoc: str
    control: str | None
    missing: str
    tie_correction: bool | None
    sphericity: str = "none"
    path: tuple[str, ...] = ()

    @property
    def omnibus_method(self) -> Method:
        """The record of the omnibus test."""
        return find(self.omnibus, "omnibus")

    @property
    def test(self) -> Method:
        """The record of what tests the pairs: a post hoc test that brings its correction, or the pairwise test."""
        if self.posthoc in choices("posthoc", verb=VERB):
            return find(self.posthoc, "posthoc", after=self.omnibus, verb=VERB, what="post hoc test")
        if self.pairwise in choices("items", verb=VERB):
            return find(self.pairwise, "items")
        if self.pairwise in FOLD_TESTS:
            return find(self.pairwise, "folds")
        return find(self.pairwise, "pairs", after=self.omnibus, verb=VERB, what="pairwise test")

    @property
    def correction(self) -> Method | None:
        """The record of the correction, None where the test of the pairs brings its own."""
        if not self.posthoc or self.test.kind == "posthoc":
            return None
        return find(self.posthoc, "correction")

    @property
    def corrects_ties(self) -> bool:
        """Whether ties enter the variance of ranks; by default not in the procedures of Demsar (2006)."""
        published = bool(self.test.critical_difference)
        return not published if self.tie_correction is None else self.tie_correction

    def gated(self, pairs: int) -> bool:
        """Say whether no pair is called different unless the omnibus test rejects.

        A test on a pair's own scores keeps its level whatever is true of the others; with a correction that keeps its
        promise by itself there is nothing left for the omnibus test to protect.
        """
        correction = self.correction
        mask = pairs == 1 or (correction is not None and correction.promise.keeps in ("any test", "share"))
        return not (self.test.on_own_scores and mask)

    @property
    def reads_sizes(self) -> bool:
        """Whether some test compares sizes of differences between data sets, so that scores need one unit."""
        return self.test_reads_sizes or _reads_sizes(self.omnibus_method)

    @property
    def test_reads_sizes(self) -> bool:
        """Whether the test of the pairs does."""
        return _reads_sizes(self.test)

    @property
    def methods(self) -> tuple[Method, ...]:
        """Every method that the plan uses, the omnibus test first."""
        used = (self.omnibus_method, self.test, self.correction)
        return tuple(method for method in used if method is not None)


def check_asked(options: Plan) -> None:
    """Refuse names that are not known and combinations that no record allows, before anything is computed."""
    for kind, value, known in (
        ("omnibus test", options.omnibus, choices("omnibus", verb=VERB)),
        ("pairwise test", options.pairwise, choices("pairs", verb=VERB)),
        ("post hoc test", options.posthoc, choices("posthoc", "correction", verb=VERB)),
    ):
        if value:
            check_choice(kind, value, known)
    if options.pairwise and options.posthoc in choices("posthoc", verb=VERB):
        raise OptionError(
            f"The post hoc test {options.posthoc} takes no pairwise test.",
            mend=f"Drop one of the two, or use a correction such as {option(posthoc='holm')}.",
        )
    plan = _completed(_started(options), n_algorithms=3)
    _check_control(plan)
    _check_gaps(plan)


def _reads_sizes(method: Method) -> bool:
    mask = method.takes == "paired scores" and bool(method.functions) and method.name not in WHO_IS_BETTER
    return mask or method.takes in ("errors", "scores")


def _check_control(plan: Plan) -> None:
    """Refuse a control that the post hoc test cannot use, and the lack of one that it needs."""
    wanted = "never" if plan.control is None else "always"
    takes = (plan.correction or plan.test).control
    if not plan.posthoc or takes in ("either", wanted):
        return
    after = [method for method in of_kind("posthoc", verb=VERB) if plan.omnibus in method.follows]
    use = any_of("posthoc", ["holm", *(method.name for method in after if method.control == wanted)])
    if takes == "never":
        raise _no_control(plan.posthoc, use)
    raise OptionError(
        f"The post hoc test {plan.posthoc} needs a control.", mend=f"Name it: {option(control=...)}, or use {use}."
    )


def check_no_control(posthoc: str, control: str | None) -> None:
    """Refuse a control with a correction that compares all pairs."""
    if control is not None and posthoc and find(posthoc, "correction").control == "never":
        raise _no_control(posthoc, option(posthoc="holm"))


def _no_control(posthoc: str, use: str) -> OptionError:
    return OptionError(
        f"The post hoc test {posthoc} compares all pairs and takes no control.", mend=f"Use {use}, or drop the control."
    )


def _check_gaps(plan: Plan) -> None:
    """Refuse tests that cannot take the gaps which the policy leaves in the table."""
    for method in plan.methods[:2]:
        if not goes_with(method, plan.missing):
            fits = [name for name in choices("omnibus", verb=VERB) if plan.missing in find(name, "omnibus").gaps]
            pairs = [item.name for item in of_kind("pairs", verb=VERB) if plan.missing in item.gaps]
            raise OptionError(
                f"The policy {plan.missing} does not go with the test {method.name}.",
                mend=f"Use {any_of('omnibus', fits)} with {any_of('pairwise', dict.fromkeys(pairs))}, or another"
                " policy.",
            )


def choose(scores: FloatArray, options: Plan, *, distances: bool = False) -> Plan:
    """Fill in what was not asked for, by the rules at the head of this module; pairs may be tested on distances."""
    n_datasets, n_algorithms = scores.shape
    gaps = int(np.isnan(scores).sum())
    size = f"{n_algorithms} algorithms on {n_datasets} data sets, {gaps or 'no'} gap{'' if gaps == 1 else 's'}."
    start = replace(_started(options), path=(size,))
    names = [name for name in (options.omnibus, options.pairwise, options.posthoc) if name]
    if names == ["rm-anova"] and n_algorithms > 2:
        plan = _by_means(_said(start, "Asked for: rm-anova."), scores)
    else:
        if start.omnibus == "skillings-mack":
            start = _said(start, "Gaps are left to the Skillings-Mack test.")
        elif names:
            start = _said(start, f"Asked for: {', '.join(names)}.")
        on = "its distances from the median algorithm" if distances else "its own scores"
        plan = _explained(_completed(start, n_algorithms), options, n_algorithms, on)
    return _with_ties(_with_correction(plan, n_algorithms), scores)


def _with_ties(plan: Plan, scores: FloatArray) -> Plan:
    """Say that a published test is not corrected for ties, where there are any."""
    tied = bool((np.diff(np.sort(scores, axis=1), axis=1) == 0).any())
    if not (tied and plan.test.critical_difference and plan.tie_correction is None):
        return plan
    return _said(plan, f"{plan.posthoc} and the omnibus test are as in Demsar (2006), not corrected for ties.")


def _started(plan: Plan) -> Plan:
    """Begin with what was asked for; gaps that are left to a test decide the test, and it the policy."""
    if "skillings-mack" not in (plan.missing, plan.omnibus) or plan.omnibus not in ("", "skillings-mack"):
        return plan
    missing = "skillings-mack" if plan.missing in ("auto", "refuse") else plan.missing
    return replace(plan, omnibus="skillings-mack", missing=missing)


def _said(plan: Plan, sentence: str) -> Plan:
    return replace(plan, path=(*plan.path, sentence))


def _completed(plan: Plan, n_algorithms: int) -> Plan:
    """Complete the tests of a plan."""
    single = plan.posthoc in choices("posthoc", verb=VERB)
    if single and not plan.omnibus:
        plan = replace(plan, omnibus=find(plan.posthoc, "posthoc").follows[0])
    pairwise = plan.pairwise or _usual_pairwise(plan, single=single)
    if not plan.omnibus:
        scores = find(pairwise, "pairs").on_own_scores
        usual = "none" if scores and n_algorithms == 2 else "rm-anova" if pairwise == "paired-t" else "friedman"
        plan = replace(plan, omnibus=usual)
    return replace(plan, pairwise=pairwise)


def _usual_pairwise(plan: Plan, *, single: bool) -> str:
    """A failed run that takes the worst rank has no score, and a post hoc test on ranks says that ranks are meant."""
    if plan.omnibus == "rm-anova":
        return "paired-t"
    ranks = single or plan.omnibus == "skillings-mack" or plan.missing == "worst-rank"
    return "ranks" if ranks else "wilcoxon"


def _explained(plan: Plan, options: Plan, n_algorithms: int, on: str) -> Plan:
    """Say what the rules chose, where the test of the pairs was not asked for."""
    if options.pairwise or plan.test.kind == "posthoc" or plan.omnibus in ("skillings-mack", "rm-anova"):
        return plan
    if plan.pairwise == "ranks":
        return _said(plan, "Gaps take the worst rank, and a failed run has no score: tests on mean ranks.")
    if n_algorithms == 2:
        return _said(plan, "Two algorithms: Wilcoxon signed ranks.")
    alone = "" if options.omnibus else "the Friedman test for all together, "
    return _said(plan, f"More than two algorithms: {alone}Wilcoxon signed ranks for each pair on {on}.")


def _by_means(plan: Plan, scores: FloatArray) -> Plan:
    """Choose among the parametric tests, by sphericity."""
    from tiebreak.stats import rm_anova

    p = rm_anova(scores).mauchly_pvalue
    spherical = p > CHECK_LEVEL
    text = f"Mauchly's test {'does not reject' if spherical else 'rejects'} sphericity (p = {show_p(p)})"
    if np.isnan(p):
        text = "Sphericity cannot be tested here"
    follow = "no correction for it" if spherical else "Greenhouse and Geisser's correction"
    return _said(
        replace(
            plan,
            pairwise="paired-t",
            posthoc=("tukey" if plan.control is None else "dunnett") if spherical else "",
            sphericity="none" if spherical else "greenhouse-geisser",
        ),
        f"{text}: {follow}.",
    )


def _with_correction(plan: Plan, n_algorithms: int) -> Plan:
    """Choose the correction where none was asked for."""
    if plan.posthoc:
        return plan
    if plan.control is not None:
        return _said(replace(plan, posthoc="holm"), "Against a control: Holm's correction.")
    if n_algorithms == 2:
        return replace(plan, posthoc="none")
    on_a_line = find(plan.pairwise, "pairs", after=plan.omnibus).on_a_line
    if n_algorithms <= (MOST_EXACT if on_a_line else MOST_ANY_ORIGIN):
        return _said(replace(plan, posthoc="bergmann-hommel"), "All pairs: Bergmann and Hommel's exact correction.")
    return _said(
        replace(plan, posthoc="shaffer"),
        f"{n_algorithms} algorithms are too many for Bergmann and Hommel's correction: Shaffer's.",
    )


# ---- running the tests

MOST_NAMED = 5
"""The number of pairs that a caveat names."""
MOST_SIGNS = 50
"""Up to this number of data sets the smallest p-value of Wilcoxon's test deserves a caveat."""
_COUNTED = ("wilcoxon", "sign", "wins", "significant-wins")


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


@dataclass(frozen=True, kw_only=True, eq=False)
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

    def run(self, method: Method, **options: Any) -> Any:
        """Run a test on what its record says that it takes."""
        inputs = {"ranks": self.ranks, "gapped errors": self.in_set, "paired folds": self.folds, "errors": self.errors}
        options["algorithms"] = self.algorithms
        if method.takes in inputs:
            return method(inputs[method.takes], **options)
        if self.within is not None and method.name in WHO_IS_BETTER:
            return method(self.within, higher_is_better=False, **options)
        return method(self.scores, higher_is_better=self.higher_is_better, **options)

    @cached_property
    def errors(self) -> FloatArray:
        """The scores, lower the better, without the noise of rounding."""
        return snap(-self.scores if self.higher_is_better else self.scores, size=self.size)

    @property
    def in_set(self) -> FloatArray:
        """What is compared within each data set, lower the better."""
        return self.errors if self.within is None else self.within

    @cached_property
    def ranks(self) -> FloatArray:
        """The ranks within each data set; a failed run ranks last."""
        return average_ranks(np.where(np.isnan(self.in_set), np.inf, self.in_set))

    def mean_ranks(self, plan: Plan) -> FloatArray:
        """Return the mean rank of each algorithm, without gaps where the omnibus test leaves them out."""
        left_out = plan.omnibus_method.takes == "gapped errors"
        ranks = np.where(np.isnan(self.errors), np.nan, self.ranks) if left_out else self.ranks
        return np.asarray(np.nanmean(ranks, axis=0))

    @property
    def tie_factor(self) -> float:
        """The share of the variance of ranks that ties leave."""
        untied = float(len(self.scores) * (len(self.algorithms) ** 3 - len(self.algorithms)))
        return 1.0 - float(tie_sums(self.ranks).sum()) / untied


def run_omnibus(given: Given, plan: Plan) -> OmnibusResult | None:
    """Run the test of all algorithms; None where the pairs are tested without one."""
    method, known = plan.omnibus_method, {"tie_correction": plan.corrects_ties, "correction": plan.sphericity}
    if not method.functions:
        return None
    result: OmnibusResult = given.run(method, **{name: known[name] for name in method.options})
    return result


def run_pairs(given: Given, plan: Plan, alpha: float) -> PairwiseResult:
    """Run the tests of the pairs."""
    test, options = plan.test, dict[str, Any]()
    if test.control != "never":
        options["control"] = None if plan.control is None else given.algorithms.index(plan.control)
    if test.kind == "pairs":  # a post hoc test brings its own correction
        options["adjust"] = plan.posthoc
    known: dict[str, Any] = {"alpha": alpha, "tie_correction": plan.corrects_ties}
    result: PairwiseResult = given.run(test, **options, **{name: known[name] for name in test.options if name in known})
    return result


# ---- the order best first


def best_first(locations: FloatArray, names: tuple[str, ...]) -> list[int]:
    """Order by location; equal ones by name."""
    settled = snap(locations)
    return sorted(range(len(names)), key=lambda i: (settled[i], names[i]))


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
    text = f"Some pairs have the opposite order by their own scores than by {what}: {_few_of(named)}."
    return [Caveat("ranks-and-scores-disagree", text)]


def _few_of(named: Sequence[str]) -> str:
    """List the first few pairs; commas and ands stand inside."""
    more = len(named) - MOST_NAMED
    return "; ".join([*named[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])
