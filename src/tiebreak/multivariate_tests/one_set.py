"""One data set: how its folds were made, all algorithms at once, all pairs, learned measures, what the tests assume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil
from typing import Any, TypeAlias

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, readonly
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.comparison.groups import MOST_GROUPS, groups_without, hidden_pairs, letters
from tiebreak.documents import Framed, Row, listed
from tiebreak.errors import InputError, OptionError
from tiebreak.methods import find
from tiebreak.results import Metric
from tiebreak.stats import fitting_test
from tiebreak.stats.folds.fold_tests import known_share
from tiebreak.stats.multivariate.five_by_two import FiveByTwoPairsResult, five_by_two_manova, five_by_two_pairs
from tiebreak.stats.multivariate.hotelling_tests import (
    HotellingPairsResult,
    HotellingResult,
    hotelling,
    hotelling_pairs,
)
from tiebreak.stats.multivariate.manova_tests import LearnedMeasures, ManovaResult, learned_measures, manova
from tiebreak.stats.multivariate.measured import EXACT_FOLDS, too_few_folds
from tiebreak.stats.multivariate.normality import MardiaResult, mardia
from tiebreak.stats.multivariate.over_datasets import dominance
from tiebreak.stats.multivariate.per_measure import PerMeasureResult, anova_per_measure
from tiebreak.stats.multivariate.permutations import (
    PermutedGroupsResult,
    PermutedPairsResult,
    permuted_manova,
    permuted_pairs,
)
from tiebreak.stats.numeric.basics import average_ranks, snap
from tiebreak.wording import option, shortened

CORRECTIONS = ("auto", "none")
"""Tests that fit the resampling, or those that take folds for independent."""
MANY = 20
"""More folds than these in one replication are seldom a single cross-validation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """The folds of one data set: replications x folds, how many are used, and the test that fits them.

    `correction` is "variance" (of the mean, for `test_share`), "5x2cv" or "none".
    """

    replications: int
    folds: int
    used: int
    correction: str
    test_share: float | None = None

    @property
    def name(self) -> str:
        """How the folds were made, such as "10 folds", "5x10 folds" or "30 hold-out splits"."""
        if self.folds == 1:
            return f"{self.replications} hold-out splits"
        return f"{self.folds} folds" if self.replications == 1 else f"{self.replications}x{self.folds} folds"

    @property
    def overlap(self) -> float:
        """How much larger the variance of a mean is than that of independent folds."""
        return 1.0 if self.test_share is None else 1.0 + self.used * self.test_share / (1.0 - self.test_share)


def resampling_of(there: BoolArray, correction: str, test_share: float | None) -> Resampling:
    """Find the test that fits the folds that are there, (replications, folds)."""
    mask = there[there.any(axis=1)]
    replications, folds, used = len(mask), int(mask.sum(axis=1).max(initial=0)), int(mask.sum())
    made = {"replications": replications, "folds": folds, "used": used}
    if correction == "none" or used < 2:
        return Resampling(correction="none", **made)
    if test_share is None and fitting_test(replications, folds) == "5x2cv-f" and used == 10:
        return Resampling(correction="5x2cv", **made)
    return Resampling(correction="variance", test_share=_share(folds, test_share), **made)


def _share(folds: int, test_share: float | None) -> float:
    """Replications of one fold may also be runs that share nothing, which only the user knows."""
    try:
        return known_share(folds, test_share)
    except InputError as error:
        other = f"For runs on data of their own: {option(resampling_correction='none')}."
        raise InputError(error.what, why=error.why, mend=f"{error.mend} {other}") from None


def resampling_notes(sets: Sequence[Resampling]) -> list[Caveat]:
    """Say once for all data sets how the tests allow for shared training data, or that they do not."""
    notes = []
    plain = [resampling for resampling in sets if resampling.correction == "none"]
    if plain:
        text = (
            "The tests take folds for independent. Those of one data set share training data, so that differences are"
            " found too often: with 5x10 folds in more than half of all comparisons of equal algorithms."
        )
        notes.append(Caveat("folds-share-training-data", text))
    corrected = [resampling for resampling in sets if resampling.correction == "variance"]
    if corrected:
        kinds = dict.fromkeys(f"{resampling.name}: {resampling.overlap:.3g} times" for resampling in corrected)
        shown = ", ".join(list(kinds)[:3]) + (f" and {len(kinds) - 3} more" if len(kinds) > 3 else "")
        text = (
            "The test is Nadeau and Bengio's correction: folds share training data, so the variance of a mean is"
            f" (1/K + n_test/n_train) s2 in place of s2/K ({shown} that of independent folds)."
            f" {option(resampling_correction='none')} gives the published test."
        )
        notes.append(Caveat("folds-share-training-data", text))
    if any(resampling.correction == "5x2cv" for resampling in sets):
        text = "5x2 cross-validation is tested by the 5x2 cv F test for several measures, which is cautious."
        notes.append(Caveat("folds-share-training-data", text))
    return [*notes, *_unnamed(corrected)]


def _unnamed(corrected: Sequence[Resampling]) -> list[Caveat]:
    """Repeated folds without a column of replications look like one cross-validation of many small folds."""
    many = [
        resampling
        for resampling in corrected
        if resampling.replications == 1 and np.isclose(resampling.test_share or 0, 1 / resampling.folds)
    ]
    most = max((resampling.folds for resampling in many), default=0)
    if most <= MANY:
        return []
    text = (
        f"{most} folds without replications are taken for one cross-validation of {most} folds. If they are repeated"
        f" ones, such as 5x10, name the column 'replication', or say {option(test_share=0.1)}: the correction is"
        " too small otherwise."
    )
    return [Caveat("folds-share-training-data", text)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of every data set."""

    metrics: tuple[Metric, ...]
    algorithms: tuple[str, ...]
    blocked: bool | None
    statistic: str
    adjust: str
    test: str
    alpha: float
    seed: int
    n_permutations: int
    correction: str = "auto"
    test_share: float | None = None

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(metric.name for metric in self.metrics)

    def blocked_on(self, made: Resampling) -> bool:
        """Say whether the test of all algorithms is blocked by fold; by default unless folds count as independent."""
        return made.correction != "none" if self.blocked is None else self.blocked

    def seed_for(self, dataset: str) -> int:
        """Return the seed of the permutations on one data set, whatever other data sets there are."""
        return int.from_bytes(sha256(f"{self.seed} {dataset}".encode()).digest()[:8], "big")


def check_permutations(made: Resampling) -> None:
    """Refuse permutations of 5x2 folds, which have no form that allows for shared training data."""
    if made.correction == "5x2cv":
        raise OptionError(
            f"{option(test='permutation')} was asked for on {made.name}, which share training data.",
            mend=f"Use {option(test='normal')}, or {option(resampling_correction='none')} to take the folds for"
            " independent.",
        )


def _notes_of_test(n_folds: int, normality: MardiaResult | None, options: Asked) -> list[Caveat]:
    """Say where normal theory decides although normality is rejected, and where permutations can reject no pair."""
    if options.test == "normal":
        if normality is None:
            return [Caveat("few-folds", f"{n_folds} folds are too few to judge normality.")]
        judged = slice(2, 3) if len(options.algorithms) == 2 else slice(None)
        least = np.minimum(normality.skewness_pvalue, normality.kurtosis_pvalue)[judged] * 2
        names = [normality.samples[judged][i] for i in np.flatnonzero(least * len(least) <= options.alpha)]
        if not names:
            return []
        text = f"Mardia's tests reject normality for {listed(names)}: read p-values near alpha with care."
        return [Caveat("normality-rejected", text)]
    count = 2 ** (n_folds - 1) if n_folds <= EXACT_FOLDS else options.n_permutations + 1
    pairs = len(options.algorithms) * (len(options.algorithms) - 1) // 2
    if find(options.adjust, "correction")(np.full(pairs, 1 / count)).min() <= options.alpha:
        return []
    more = "more folds, fewer algorithms"
    more = option(n_permutations=10 * ceil(pairs / options.alpha)) if n_folds > EXACT_FOLDS else more
    text = f"No permutation test of {pairs} pair(s) can reject here: the least p is {1 / count:.2g} before correction."
    return [Caveat("few-folds", f"{text} Use {more} or {option(test='normal')}.")]


_LEAST_ROWS = 4
PairTests: TypeAlias = HotellingPairsResult | PermutedPairsResult | FiveByTwoPairsResult
Whole: TypeAlias = ManovaResult | HotellingResult | PermutedGroupsResult | PermutedPairsResult | FiveByTwoPairsResult


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MeasuresOmnibus(Framed):
    """The test of all algorithms and measures at once; `others` are the statistics that did not decide."""

    method: str
    statistic: float
    df: tuple[float, ...]
    pvalue: float
    wilks: float
    others: tuple[dict[str, object], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MeasuresPair(Framed):
    """One pair; `better` dominates the other significantly, None where they do not differ or neither dominates.

    `statistic` is F (Hotelling, 5x2 cv) or T2 (permutations), or Fisher's chi-squared over several data sets. Over
    several, `sets` counts the data sets on which the two differ, and `dominates` those of them on which a, and b,
    dominates.
    """

    a: str
    b: str
    statistic: float
    pvalue: float
    adjusted: float
    differs: bool
    better: str | None
    t2: float | None = None
    sets: int | None = None
    dominates: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SetComparison(Framed):
    """The comparison on one data set; `cube` is (folds, algorithms, measures) as in the table.

    `algorithms` stand by their mean rank over the measures, best first, and so do the axes of the arrays.
    """

    dataset: str
    algorithms: tuple[str, ...]
    cube: FloatArray
    omnibus: MeasuresOmnibus
    pairs: tuple[MeasuresPair, ...]
    cliques: tuple[tuple[str, ...], ...]
    learned: LearnedMeasures
    normality: MardiaResult | None
    per_measure: PerMeasureResult
    two: HotellingResult | None
    tests: PairTests
    decided_by: str
    resampling: Resampling
    alpha: float
    caveats: Caveats = ()

    @property
    def means(self) -> FloatArray:
        """Mean measures, (algorithms, measures)."""
        return readonly(np.asarray(self.cube.mean(axis=0)))

    def in_order(self, names: Sequence[str]) -> FloatArray:
        """Return the cube with the algorithms in another order than the one of this data set, best first."""
        return self.cube[:, [self.algorithms.index(name) for name in names]]

    def __repr__(self) -> str:
        text = "they differ" if self.omnibus.pvalue <= self.alpha else "no difference found"
        names = ", ".join(self.per_measure.measures)
        who = f"{len(self.algorithms)} algorithms on data set {self.dataset!r} by {names}"
        return shortened(f"<SetComparison: {who}; {text} (p = {self.omnibus.pvalue:.4g})>")

    def rows(self) -> list[Row]:
        """Return one row per algorithm: its mean measures over the folds, and its cliques."""
        place = {name: i for i, name in enumerate(self.algorithms)}
        groups = letters([[place[name] for name in clique] for clique in self.cliques], len(place))
        return [
            {
                "dataset": self.dataset,
                "algorithm": name,
                **dict(zip(self.per_measure.measures, means, strict=True)),
                "clique": letter,
            }
            for name, means, letter in zip(self.algorithms, self.means.tolist(), groups, strict=True)
        ]


def compare_set(dataset: str, cube: FloatArray, options: Asked, made: Resampling) -> SetComparison:
    """Compare the algorithms on one data set; `cube` is (folds, algorithms, measures) in the order of `options`."""
    order = best_first(cube.mean(axis=0), options)
    names, cube = tuple(options.algorithms[i] for i in order), cube[:, order]
    normality = _normality(cube, names)
    if options.test == "permutation":
        check_permutations(made)
    permuted: dict[str, Any] = {"n_permutations": options.n_permutations, "rng": options.seed_for(dataset)}
    tests = _pair_tests(cube, names, options, permuted, made)
    omnibus, omnibus_notes, two = _omnibus(cube, tests, options, permuted, made)
    differs = (tests.adjusted <= options.alpha) & (omnibus.pvalue <= options.alpha)
    named: dict[str, Any] = {"algorithms": names, "measure_names": options.measures}
    five = made.correction == "5x2cv"
    paired = options.blocked_on(made) or len(names) == 2 or options.test != "normal" or five  # as the test that decides
    learned = learned_measures(cube, blocked=paired, test_share=0.5 if five else made.test_share, **named)
    per_measure = anova_per_measure(
        cube,
        blocked=paired,
        pair_adjust=options.adjust,
        pair_test={"variance": "corrected-t", "5x2cv": "5x2cv-f", "none": "kfold-t"}[made.correction],
        test_share=made.test_share,
        higher_is_better=[bool(metric.higher_is_better) for metric in options.metrics],
        **named,
    )
    cliques = cliques_of(differs, names)
    notes = [*_notes_of_test(len(cube), normality, options), *omnibus_notes, *tests.caveats]
    notes += [*hidden_pairs(tests.adjusted, omnibus.pvalue, options.alpha), *clique_notes(cliques)]
    return SetComparison(
        dataset=dataset,
        algorithms=names,
        cube=readonly(cube),
        omnibus=omnibus,
        pairs=_pairs(tests, differs, cube, options),
        cliques=cliques,
        learned=learned,
        normality=normality,
        per_measure=per_measure,
        two=two,
        tests=tests,
        decided_by=options.test,
        resampling=made,
        alpha=options.alpha,
        caveats=distinct(notes),
    )


def best_first(means: FloatArray, options: Asked) -> list[int]:
    """Order algorithms by their mean rank over the measures, equal ones by name."""
    turned = np.where([bool(metric.higher_is_better) for metric in options.metrics], -means, means)
    ranks = average_ranks(snap(turned.T)).mean(axis=0)
    return sorted(range(len(ranks)), key=lambda i: (round(float(ranks[i]), 9), options.algorithms[i]))


def cliques_of(differs: BoolArray, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the maximal sets without a significant difference; they may overlap."""
    a, b = np.triu_indices(len(names), 1)
    return groups_without(a[differs], b[differs], names)[0]


def clique_notes(cliques: Sequence[tuple[str, ...]]) -> list[Caveat]:
    """Say where the listing of cliques stopped."""
    if len(cliques) < MOST_GROUPS:
        return []
    return [Caveat("groups-cut", f"There are {MOST_GROUPS:,} cliques or more; only the first are listed.")]


def _normality(cube: FloatArray, names: tuple[str, ...]) -> MardiaResult | None:
    """Judge normality of each algorithm's measures, with two algorithms of their differences too."""
    if len(cube) < _LEAST_ROWS:
        return None
    if len(names) == 2:
        cube, names = np.concatenate([cube, cube[:, :1] - cube[:, 1:]], axis=1), (*names, f"{names[0]} - {names[1]}")
    return mardia(cube, samples=names)


def _omnibus(
    cube: FloatArray, tests: PairTests, options: Asked, permuted: dict[str, Any], made: Resampling
) -> tuple[MeasuresOmnibus, Caveats, HotellingResult | None]:
    """Test all algorithms at once; with two that is the test of the pair."""
    pair = cube.shape[1] == 2
    named: dict[str, Any] = {"algorithms": tests.algorithms, "measure_names": options.measures}
    share: dict[str, Any] = {"test_share": made.test_share}
    if isinstance(tests, FiveByTwoPairsResult):
        five = five_by_two_manova(cube, **named)
        others = [dict(row, layout="5x2 cv") for row in five.rows()]
        best = tests if pair else five
        return _omnibus_of(best, float(tests.wilks[0]) if pair else five.wilks, others), best.caveats, None
    blocked = manova(cube, blocked=True, statistic=options.statistic, **share, **named)
    layouts = [blocked] if options.blocked else [manova(cube, statistic=options.statistic, **share, **named), blocked]
    two = hotelling(cube[:, 0], cube[:, 1], alpha=options.alpha, **share, **named) if pair else None
    others = [
        dict(row, layout="blocked by fold" if layout.blocked else "one-way")
        for layout in layouts
        for row in layout.rows()
    ]
    test: Whole
    wilks = blocked.wilks
    if options.test == "normal":
        test = two if two is not None else blocked if options.blocked_on(made) else layouts[0]
        wilks = test.wilks if isinstance(test, ManovaResult) else wilks
    else:
        test = (
            tests
            if isinstance(tests, PermutedPairsResult) and pair
            else permuted_manova(cube, **share, **permuted, **named)
        )
    return _omnibus_of(test, wilks, others), test.caveats, two


def _omnibus_of(test: Whole, wilks: float, others: Sequence[dict[str, object]]) -> MeasuresOmnibus:
    """Wilks' lambda comes from outside: with permutations the test itself does not compute it."""
    of_pairs = isinstance(test, FiveByTwoPairsResult)
    df = (
        ()
        if isinstance(test, PermutedPairsResult | PermutedGroupsResult)
        else np.ravel(test.df[0] if of_pairs else test.df)
    )
    return MeasuresOmnibus(
        method=test.method,
        statistic=float(np.ravel(test.statistic)[0]),
        df=tuple(map(float, df)),
        pvalue=float(np.ravel(test.pvalue)[0]),
        wilks=float(wilks),
        others=tuple(others),
    )


def _pair_tests(
    cube: FloatArray, names: tuple[str, ...], options: Asked, permuted: dict[str, Any], made: Resampling
) -> PairTests:
    named: dict[str, Any] = {"algorithms": names, "measure_names": options.measures}
    adjust = options.adjust if len(names) > 2 else "none"  # one pair has nothing to be corrected for
    if made.correction == "5x2cv":
        return five_by_two_pairs(cube, adjust=adjust, **named)
    share: dict[str, Any] = {"test_share": made.test_share}
    if options.test == "normal":
        return hotelling_pairs(cube, adjust=options.adjust, alpha=options.alpha, **share, **named)
    tests = permuted_pairs(cube, adjust=adjust, algorithms=names, **share, **permuted)
    refused = np.flatnonzero(tests.rank >= len(cube))
    if len(refused):  # every choice of signs gives the same T2, so that nothing could be found
        first, second = (names[side[refused[0]]] for side in (tests.a, tests.b))
        count = len(options.measures)
        raise too_few_folds(len(cube), count, len(cube) - 1, count + 1, where=f", as for {first!r} and {second!r}")
    return tests


def _pairs(tests: PairTests, differs: BoolArray, cube: FloatArray, options: Asked) -> tuple[MeasuresPair, ...]:
    """Dominance is read from means turned so that lower is better; a pair that does not differ has no better one."""
    means = cube.mean(axis=0)
    sides = dominance(np.where([bool(metric.higher_is_better) for metric in options.metrics], -means, means))
    t2 = tests.t2 if isinstance(tests, HotellingPairsResult) else tests.statistic
    no_t2 = isinstance(tests, FiveByTwoPairsResult)
    names = tests.algorithms
    return tuple(
        MeasuresPair(
            a=names[i],
            b=names[j],
            statistic=float(tests.statistic[k]),
            pvalue=float(tests.pvalue[k]),
            adjusted=float(tests.adjusted[k]),
            differs=bool(differs[k]),
            better=None if not differs[k] or sides[k] == 0 else names[i if sides[k] < 0 else j],
            t2=None if no_t2 else float(t2[k]),
        )
        for k, (i, j) in enumerate(zip(tests.a.tolist(), tests.b.tolist(), strict=True))
    )


def check_enough(cube: FloatArray, dataset: str) -> None:
    """Raise an error for gaps or a single fold."""
    if np.isnan(cube).any() or len(cube) < 2:
        raise InputError(
            f"Data set {dataset!r} has {len(cube)} fold(s) on which every algorithm has every measure.",
            mend="Give the measures of each fold, with a column 'fold'.",
        )
