"""Algorithms compared on one data set: each pair on its folds, by the test that fits how they were made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, check_choice, readonly
from tiebreak.caveats import Caveat, distinct
from tiebreak.comparison.document import EQUAL, all_equal, best_of_all, counted, headline, legend, marks
from tiebreak.comparison.gaps import check_left, folds_as_items, refusal, settled
from tiebreak.comparison.groups import promise_caveats
from tiebreak.comparison.on_items import ScoreUnit, usual_correction
from tiebreak.comparison.paired import PairedComparison
from tiebreak.comparison.result import Comparison, Pair
from tiebreak.comparison.testing import FOLD_TESTS, Plan, best_first, check_no_control, groups_of, stand_in
from tiebreak.comparison.trade import rounded, scale_of
from tiebreak.documents import Answer, Document, Row, Table, number, table_of_verb
from tiebreak.documents.words import confidence, finite, with_article
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.methods import choices, find
from tiebreak.methods.policies import DROPPING
from tiebreak.results import Metric, Results
from tiebreak.stats import WinTieLoss, fitting_test, fold_pairs
from tiebreak.stats.folds.fold_tests import FIVE_BY_TWO, half_widths, known_share
from tiebreak.stats.numeric.basics import average_ranks, snap
from tiebreak.stats.results import DifferencePairs, correction_name, pair_fields, pair_indices
from tiebreak.stats.selection import Sample, losses
from tiebreak.wording import any_of, either, option

VERB = "compare"
HERE = "on this data set"
OTHERS = "This holds for this data set; it says nothing about others."
NOTED = (
    *("inferred", "failures-worst", "outside-its-range", "maybe-items", "constant-difference", "not-corrected"),
    *("false-discovery", "weak-correction", "gaps-"),
)
"""Beginnings of the codes of caveats that change how the answer is used."""


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
class FoldComparison(PairedComparison):
    """The comparison of algorithms on one data set; `algorithms` stand from best to worst mean score.

    `compared` and `turned` are the scores of the folds, (folds, algorithms), `scores` the means. The intervals of
    `tests` are NaN after the 5x2 cv F test, which gives none: the differences that it does not reject may be none at
    all. The statistic of `tests` has the sign of the difference; an F, which has none, is given without it by `pairs`.
    """

    OVER = "over folds"

    resampling: Resampling

    @property
    def headline(self) -> str:
        """Say who is significantly better than whom on this data set; of two, by how much."""
        names, unit = self.algorithms, self.unit
        if len(names) > 2 or self.control is not None or all_equal(self):
            text = headline(self)
            plain = text.startswith(("No ", "All ", "Both "))
            return f"On this data set, {text[0].lower() if plain else text[0]}{text[1:]}"
        loss, low, high = self.losses()[1]
        span = f" ({confidence(self.alpha)} CI {ends})" if (ends := self.ends(low, high)) else ""
        if self.significant[0]:
            return f"{names[0]} is significantly better than {names[1]} {HERE}, by {unit.size(loss)}{span}."
        apart = f"{names[0]} is {unit.size(loss)} better" if loss else "their means are the same"
        return f"No significant difference between {names[0]} and {names[1]} {HERE}: {apart}{span}."

    def iter_pairs(self) -> Iterator[Pair]:
        """Go through the tested pairs."""
        unsigned = self.plan.test.symbol == "F"
        for pair in Comparison.iter_pairs(self):
            yield replace(pair, statistic=abs(pair.statistic)) if unsigned else pair

    def tested_at(self, level: float) -> DifferencePairs:
        """Return the tests with another confidence of their intervals."""
        return _tests(self.turned, self.algorithms, self.plan, self.resampling, 1.0 - level, self.score)

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

    @property
    def where(self) -> str:
        """The folds and their data set."""
        return f"{self.resampling} of {self.datasets[0]}"

    def title(self) -> str:
        """Say in one line what was compared."""
        direction = "higher" if self.higher_is_better else "lower"
        return f"{len(self.algorithms)} algorithms on {self.where} by {self.score.name} ({direction} is better)"

    @property
    def answer(self) -> Answer:
        """The answer: who is better on this data set, the table behind it, the test, and where to find more."""
        best, mean = self.algorithms[0], f"{self._mean(0)}{'%' if self.unit.points else ''}"
        return Answer(
            headline=self.headline,
            use=best_of_all(self),
            sure=f"It rests on {self.resampling} of one data set. {OTHERS}",
            next_best="" if self.control is not None else f"{best} has the best mean {self.score.name}: {mean}.",
            rests_on=self._how(),
            table=self.table(),
            facts=(*(legend(self) if len(self.algorithms) > 2 else ()), self._how(), *self._assumed(), OTHERS),
            notes=tuple(str(note) for note in self.caveats if note.code.startswith(NOTED)),
            more=(
                either("More: .document()   Page: .report()", "More: --full   Page: tiebreak report ... -o page.html"),
            ),
        )

    def _mean(self, at: int) -> str:
        mean = float(self.scores[0, at])
        return f"{self.unit.factor * mean:.1f}" if self.unit.points else number(mean)

    def _how(self) -> str:
        """Name the test, the correction and the level."""
        held, pairs = self.has_intervals, len(self.significant)
        test = "corrected resampled t tests" if held else "5x2 cv F tests (no intervals)"
        how = f", {correction_name(self.plan.posthoc)} for {pairs} pairs" if pairs > 1 else ""
        text = "; each interval holds by itself" if pairs > 1 and held else ""
        return f"{self.where}; {test}{how}, {100 * self.alpha:g}% level{text}."

    def _assumed(self) -> list[str]:
        """Say what the test took the splits to be, where nobody named the share."""
        if not self.resampling.assumed:
            return []
        share = f"each fold tests 1/{self.resampling.folds} of the data"
        return [f"Assumed: cross-validation, so that {share}; else give {option('test_share')}."]

    def sentences(self) -> list[str]:
        """Say what came out and how it was tested."""
        tested = f"Pairs were tested on {self.resampling} by {with_article(self.tests.method)}."
        many = len(self.significant) > 1
        count = [f"{counted(self)} {HERE} (alpha = {self.alpha:g})."] if many else []
        return [self.headline, *count, tested, *self._assumed(), OTHERS]

    def table(self) -> Table:
        """Lay out the algorithms, best first, with what they lose against the best one or the control."""
        unit = self.unit
        percent = " (%)" if unit.factor == 100.0 else ""
        interval = f"{confidence(self.alpha)} CI" if self.has_intervals else ""
        beside = f"loss vs {self.control}" if self.control else "loss"
        column, meaning, group_marks = marks(self)
        reference = 0 if self.control is None else self.algorithms.index(self.control)

        def cell(value: float) -> str:
            return rounded(unit.factor * value, 1) if unit.points else number(value, 3)

        losses = self.losses()
        spans = [
            f"({cell(low)} to {cell(high)})" if at != reference and np.isfinite(low) else ""
            for at, (_, low, high) in enumerate(losses)
        ]
        wide = max(map(len, spans))
        shown = [
            f"{cell(loss)} {span:<{wide}}" if wide else cell(loss)
            for (loss, *_), span in zip(losses, spans, strict=True)
        ]
        shown[reference] = "-"
        cells = {
            "algorithm": self.algorithms,
            f"mean {self.score.name}{percent}": [self._mean(at) for at in range(len(shown))],
            beside: shown,
            column: group_marks,
        }
        caption = f"Algorithms, best first; {meaning}"
        return table_of_verb("compare", cells, units={beside: interval}, caption=caption, first=True)

    def document(self) -> Document:
        """Return what the comparison says."""
        name = self.score.name
        return self.page(
            heading=f"Comparison by {name} {HERE}",
            lay=(
                f"Every algorithm was scored ({name}) on the same {self.where}.",
                "Folds share training data, so their scores are not independent; the test allows for that.",
                "Significantly better: the difference is so steady over the folds that chance would rarely make it. The"
                f" level, alpha = {self.alpha:g}, says how rarely.",
                "No significant difference: the folds do not show which of the two is better, nor that they are equal.",
                *(["Interval: the differences that the folds leave possible."] if self.has_intervals else []),
            ),
            limits=(EQUAL.format("folds or replications"), OTHERS),
            method=f"We compared {len(self.algorithms)} algorithms on {self.where} by {name}.",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data: the fields of every comparison; null what one data set has not."""
        made, means = self.resampling, self.scores[0].tolist()
        scores = {
            name: {"mean": mean, "loss": dict(zip(("value", "low", "high"), map(finite, loss), strict=True))}
            for name, mean, loss in zip(self.algorithms, means, self.losses(), strict=True)
        }
        folds = {"dataset": self.datasets[0], "replications": made.replications, "folds": made.folds}
        shares = {"count": made.count, "test_share": made.share, "test_share_assumed": made.assumed}
        return self.plain(over="folds", folds=folds | shares, scores=scores)


def compare_folds(
    results: Results, metric: Metric, options: Plan, *, alpha: float, test_share: float | None
) -> FoldComparison:
    """Compare algorithms on the folds of the one data set of a table."""
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
) -> DifferencePairs:
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
    return DifferencePairs(
        **pair_fields((a, b, statistic), p, method=every.method, adjust=plan.posthoc, algorithms=names),
        difference=readonly(way * mean + 0.0),
        level=1 - alpha,
        caveats=every.caveats,
        **ends,
    )
