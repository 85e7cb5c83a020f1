"""Algorithms compared on one data set: each pair on its folds, by the test that fits how they were made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, check_choice, readonly
from tiebreak.caveats import Caveat, distinct
from tiebreak.comparison.gaps import check_left, folds_as_items, refusal, settled
from tiebreak.comparison.groups import promise_caveats
from tiebreak.comparison.on_items import ScoreUnit, usual_correction
from tiebreak.comparison.result import Comparison, Pair
from tiebreak.comparison.testing import FOLD_TESTS, Plan, best_first, check_no_control, groups_of, stand_in
from tiebreak.comparison.trade import scale_of
from tiebreak.documents import Answer, Document, Row
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.methods import choices, find
from tiebreak.methods.policies import DROPPING
from tiebreak.results import Metric, Results
from tiebreak.stats import DifferenceIntervals, PairwiseResult, WinTieLoss, fitting_test, fold_pairs
from tiebreak.stats.folds.fold_tests import FIVE_BY_TWO, half_widths, known_share
from tiebreak.stats.numeric.basics import average_ranks, snap
from tiebreak.stats.results import corrected, frozen, pair_indices, with_correction
from tiebreak.stats.selection import Sample, losses
from tiebreak.wording import any_of, either, option

VERB = "compare"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resampling:
    """How the data set was split; `share` of its examples is in each test part, `assumed` where folds imply it."""

    replications: int
    folds: int
    count: int
    share: float
    assumed: bool

    def __str__(self) -> str:
        if self.folds == 1:
            return f"{self.replications} hold-out splits"
        if self.replications == 1:
            return f"{self.count} folds"
        if self.replications * self.folds == self.count:
            return f"{self.replications} x {self.folds} folds"
        return f"{self.count} folds in {self.replications} replications"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldPairs(PairwiseResult):
    """Tests of pairs on the folds of one data set; `difference` is the mean score of `a` less that of `b`.

    `low` and `high` hold each difference by itself, `low_together` and `high_together` all of them; NaN after the 5x2
    cv F test, which gives no interval: the differences that it does not reject may be none at all.
    """

    difference: FloatArray
    low: FloatArray
    high: FloatArray
    low_together: FloatArray
    high_together: FloatArray
    level: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldComparison(Comparison):
    """The comparison of algorithms on one data set; `algorithms` stand from best to worst mean score.

    `tests` hold the pairs with differences and intervals (`FoldPairs`); `compared` and `turned` are the scores of the
    folds, (folds, algorithms), lower the better, `scores` the means. The statistic of `tests` has the sign of the
    difference; an F, which has none, is given without it by `pairs`.
    """

    resampling: Resampling

    @property
    def pairs_tested(self) -> FoldPairs:
        """The tests, with differences and intervals."""
        assert isinstance(self.tests, FoldPairs)
        return self.tests

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        from tiebreak.comparison.paired_document import headline_of_folds

        return headline_of_folds(self)

    def iter_pairs(self) -> Iterator[Pair]:
        """Go through the tested pairs."""
        unsigned = self.plan.test.symbol == "F"
        for pair in Comparison.iter_pairs(self):
            yield replace(pair, statistic=abs(pair.statistic)) if unsigned else pair

    def simultaneous_intervals(self, *, level: float | None = None) -> DifferenceIntervals:
        """Return the differences with intervals that hold together (Bonferroni), those of the corrected t test."""
        level = self.pairs_tested.level if level is None else level
        return self._intervals(level, 1 - (1 - level) / len(self.tests.a), "Bonferroni")

    def intervals(self, *, level: float = 0.95, method: str = "") -> DifferenceIntervals:
        """Return the differences with intervals that hold each for itself, those of the corrected t test."""
        return self._intervals(level, level, method or "each by itself")

    def _intervals(self, level: float, achieved: float, how: str) -> DifferenceIntervals:
        tests = self.pairs_tested
        if not self.has_intervals:
            raise OptionError(
                "The 5x2 cv F test gives no interval.",
                why="The differences that it does not reject may be none at all.",
                mend=f"Use {option(pairwise='corrected-t')}.",
            )
        differences = self.turned[:, tests.a] - self.turned[:, tests.b]
        estimate, half = differences.mean(axis=0), half_widths(differences, share=self.resampling.share, level=achieved)
        return DifferenceIntervals(
            **frozen(a=tests.a, b=tests.b, estimate=estimate, low=estimate - half, high=estimate + half),
            level=level,
            achieved=achieved,
            algorithms=self.algorithms,
            n_datasets=1,
            method=f"mean difference over folds, {how}",
        ).framed(self.frame_kind)

    def wins(self) -> WinTieLoss:
        """Count the folds that each of a pair wins."""
        return replace(Comparison.wins(self), method="Folds won, tied and lost")

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first, with how much it scores below the best one."""
        means, letters = self.scores[0].tolist(), self.letters()
        return [
            {"algorithm": name, f"mean {self.score.name}": mean, "loss": loss, "low": low, "high": high, "group": group}
            for name, mean, (loss, low, high), group in zip(self.algorithms, means, self.losses(), letters, strict=True)
        ]

    def losses(self) -> list[tuple[float, float, float]]:
        """Return, for each algorithm, how much worse it scores than the first (or the control), with its interval.

        The ends are NaN after the 5x2 cv F test. Beside the first the interval allows for its being chosen by
        the same folds, as in an order.
        """
        tests, names = self.pairs_tested, self.algorithms
        reference = 0 if self.control is None else names.index(self.control)
        out = [(0.0, 0.0, 0.0)] * len(names)
        sign = 1.0 if self.higher_is_better else -1.0
        half = (tests.high - tests.low) / 2
        if self.control is None and self.has_intervals:
            made, count = self.resampling, len(self.turned)
            overlap = 1.0 + count * made.share / (1.0 - made.share)
            by_name = np.argsort(names)  # draws as those of an order
            sample = Sample(scores=-self.turned[:, by_name], logs=np.zeros((0, 1, len(names))), inflation=overlap)
            chosen = losses(sample, alpha=1 - tests.level)
            width = np.zeros(len(names))
            width[by_name] = chosen.high - chosen.value
            half = np.where(by_name[chosen.best] == tests.a, width[tests.b], half)
        for at in np.flatnonzero(tests.a == reference).tolist():
            loss = sign * float(tests.difference[at])
            out[int(tests.b[at])] = (loss + 0.0, loss - float(half[at]) + 0.0, loss + float(half[at]) + 0.0)
        return out

    @property
    def unit(self) -> ScoreUnit:
        """How differences are written: in points where scores are shares or percentages."""
        scale = scale_of(self.score, self.turned)
        points = bool(self.higher_is_better) and scale.kind == "bounded"
        return ScoreUnit(name=self.score.name, points=points, factor=scale.factor if points else 100.0)

    def title(self) -> str:
        """Say in one line what was compared."""
        direction = "higher" if self.higher_is_better else "lower"
        where = f"{self.resampling} of {self.datasets[0]}"
        return f"{len(self.algorithms)} algorithms on {where} by {self.score.name} ({direction} is better)"

    @property
    def answer(self) -> Answer:
        """The answer: who is significantly better than whom, and how sure that is."""
        from tiebreak.comparison.paired_document import answer_of_folds

        return answer_of_folds(self)

    def document(self) -> Document:
        """Return what the comparison says."""
        from tiebreak.comparison.paired_document import document_of_folds

        return document_of_folds(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data: the fields of every comparison; null what one data set has not."""
        from tiebreak.comparison.paired_document import folds_as_dict

        return folds_as_dict(self)


def compare_folds(
    results: Results, metric: Metric, options: Plan, *, alpha: float, test_share: float | None
) -> FoldComparison:
    """Compare algorithms on the folds of the one data set of a table."""
    check_asked_of_folds(options)
    if options.missing not in ("refuse", *(name for name in DROPPING if name != "drop-datasets")):
        raise OptionError(
            f"The policy {options.missing} is for several data sets, and there is one.",
            mend=f"Use {option(missing='drop-folds')}.",
        )
    gaps = results.gaps(metric.name) if options.missing == "refuse" else ()
    if gaps:
        ways = ["drop-folds", "drop-algorithms"] if any(gap.fold is not None for gap in gaps) else ["drop-algorithms"]
        raise refusal(gaps, metric.name, verb=VERB, notes=results.caveats, ways=ways)
    remaining, notes = settled(results, metric.name, policy=options.missing, verb=VERB)
    check_left(remaining, dropped=remaining is not results, verb=VERB, least_sets=1)
    names = remaining.algorithms
    if options.control is not None and options.control not in names:
        raise unknown_name("algorithm (for the control)", options.control, names)
    scores, resampling = _folds(remaining, metric, test_share)
    turned = -scores if metric.higher_is_better else scores
    order = best_first(turned.mean(axis=0), names)
    plan = _plan(options, resampling, len(names))
    resampling = replace(resampling, assumed=test_share is None and plan.pairwise == "corrected-t")
    tests = _tests(turned[:, order], tuple(names[i] for i in order), plan, resampling, alpha, metric)
    items = folds_as_items(resampling.count)
    notes += [Caveat("maybe-items", f"The folds are taken for those of one data set.{items}")] if items else []
    scores, turned = scores[:, order], turned[:, order]
    significant = (tests.adjusted <= alpha) & (tests.statistic != 0)
    ranks = average_ranks(snap(turned.mean(axis=0))[None])[0]
    return FoldComparison(
        algorithms=tests.algorithms,
        mean_ranks=readonly(ranks),
        groups=groups_of(tests, significant, plan.control)[0],
        omnibus=stand_in(tests, ranks, letter=""),
        tests=tests,
        significant=readonly(significant),
        alpha=alpha,
        score=metric,
        higher_is_better=bool(metric.higher_is_better),
        datasets=remaining.datasets,
        scores=readonly(scores.mean(axis=0)[None]),
        compared=readonly(turned),
        turned=readonly(turned),
        dataset_metrics=tuple(item.name for item in remaining.dataset_metrics),
        plan=plan,
        locations=readonly(turned.mean(axis=0)),
        location_name="mean score",
        resampling=resampling,
        caveats=distinct([
            *remaining.caveats, *notes, *tests.caveats,
            *promise_caveats(find(plan.posthoc, "correction"), len(tests.a)),
        ]),
        data_papers=remaining.data_papers,
    )  # fmt: skip


def check_asked_of_folds(plan: Plan) -> None:
    """Refuse tests over data sets: on folds, which share training data, they find differences too often."""
    if plan.pairwise and plan.pairwise not in FOLD_TESTS:
        check_choice("pairwise test", plan.pairwise, (*FOLD_TESTS, *choices("pairs", verb=VERB)))
        raise OptionError(
            f"The test {plan.pairwise} is for several data sets, and there is one.",
            why="Its folds share training data, so that it would find differences too often.",
            mend=f"Leave {option('pairwise')} out, or use {any_of('pairwise', FOLD_TESTS)}.",
        )
    if plan.omnibus not in ("", "none"):
        check_choice("omnibus test", plan.omnibus, choices("omnibus", verb=VERB))
        raise OptionError(
            f"The omnibus test {plan.omnibus} is for several data sets, and there is one.",
            mend=f"Leave {option('omnibus')} out.",
        )
    if plan.posthoc:
        check_choice("post hoc test", plan.posthoc, choices("posthoc", "correction", verb=VERB))
    if plan.posthoc in choices("posthoc", verb=VERB):
        raise OptionError(
            f"The post hoc test {plan.posthoc} is for several data sets, and there is one.",
            mend=f"Use a correction, such as {option(posthoc='holm')}.",
        )
    check_no_control(plan.posthoc, plan.control)


def _folds(results: Results, metric: Metric, test_share: float | None) -> tuple[FloatArray, Resampling]:
    """Return the scores as (folds, algorithms), and how the data set was split; folds that nobody has are none."""
    cube = results.cube(metric.name)[0]
    there = ~np.isnan(cube).any(axis=0)
    replications, folds = int(there.any(axis=1).sum()), int(there.sum(axis=1).max(initial=0))
    if there.sum() < 2:
        raise InputError(
            f"There is one score for each algorithm, on one data set ({results.datasets[0]!r}).",
            why="Nothing shows how the scores vary, so no test can say whether the algorithms differ.",
            mend=f"Give the scores of the folds or of more data sets, or order by the scores alone:"
            f" {either('tiebreak.order(results)', 'use `tiebreak order` instead of `tiebreak compare`')}.",
        )
    made = Resampling(
        replications=replications,
        folds=folds,
        count=int(there.sum()),
        share=known_share(folds, test_share),
        assumed=True,
    )
    return np.ascontiguousarray(cube[:, there].T), made


def _plan(plan: Plan, resampling: Resampling, count: int) -> Plan:
    """Take the test that fits the resampling, and the sharpest correction."""
    full = resampling.replications * resampling.folds == resampling.count
    shape = (resampling.replications, resampling.folds) if full else (1, resampling.count)
    usual = fitting_test(*shape) or FOLD_TESTS[0]
    if plan.pairwise == "5x2cv-f" and shape != FIVE_BY_TWO:
        raise InputError(
            f"The scores are those of {resampling}, and the test 5x2cv-f takes 5 replications of 2 folds.",
            mend=f"Use {option(pairwise='corrected-t')}; or, of 5x2 cross-validation, name the replications in a"
            " column 'replication'.",
        )
    adjust = plan.posthoc or usual_correction(count, control=plan.control is not None)
    why = "corrected resampled t test" if usual == "corrected-t" else "5x2 cv F test"
    chosen = f"One data set, {resampling}: {why}." if not plan.pairwise else f"Asked for: {plan.pairwise}."
    return replace(
        plan,
        omnibus="none",
        pairwise=plan.pairwise or usual,
        posthoc=adjust,
        tie_correction=True,
        path=(chosen, f"Correction: {adjust}."),
    )


def _tests(
    turned: FloatArray, names: tuple[str, ...], plan: Plan, resampling: Resampling, alpha: float, metric: Metric
) -> FoldPairs:
    """Test all pairs, or those of the control, and correct them for their number; `turned` is best first."""
    method, control = plan.pairwise, None if plan.control is None else names.index(plan.control)
    share = resampling.share if plan.test.options else None
    every = fold_pairs(turned.T[None], method=method, test_share=share, algorithms=names)
    a, b = pair_indices(len(names), control)
    place = np.zeros((len(names), len(names)), dtype=np.int64)
    place[every.a, every.b] = place[every.b, every.a] = np.arange(len(every.a))
    chosen, sign = place[a, b], np.where(a < b, 1.0, -1.0)
    mean, p = sign * every.mean_difference[0, chosen], every.pvalue[0, chosen]
    statistic = np.abs(every.statistic[0, chosen]) * np.sign(mean) + 0.0  # positive where b errs less
    differences = turned[:, a] - turned[:, b]
    way = -1.0 if metric.higher_is_better else 1.0
    ends: dict[str, Any] = {}
    for name, level in (("", 1 - alpha), ("_together", 1 - alpha / len(a))):
        half = np.full(len(a), np.nan)
        if method != "5x2cv-f":
            half = half_widths(differences, share=resampling.share, level=level)
        ends |= {f"low{name}": readonly(way * mean - half), f"high{name}": readonly(way * mean + half)}
    return FoldPairs(
        a=readonly(a),
        b=readonly(b),
        statistic=readonly(statistic),
        pvalue=readonly(p),
        adjusted=readonly(corrected(p, plan.posthoc)),
        difference=readonly(way * mean + 0.0),
        level=1 - alpha,
        algorithms=names,
        method=with_correction(every.method, plan.posthoc, len(a)),
        caveats=every.caveats,
        **ends,
    )
