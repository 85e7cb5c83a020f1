"""One data set: all algorithms at once, all pairs, the learned measures and what the tests assume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tiebreak._brief import shortened
from tiebreak._checks import BoolArray, FloatArray, readonly
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.comparison.groups import MOST_GROUPS, letters, maximal_cliques
from tiebreak.documents import Framed, Row, listed
from tiebreak.errors import InputError
from tiebreak.multivariate_tests._asked import Asked, chosen
from tiebreak.multivariate_tests._resampling import Resampling
from tiebreak.stats.multivariate.five_by_two import FiveByTwoPairsResult, five_by_two_manova, five_by_two_pairs
from tiebreak.stats.multivariate.hotelling_tests import (
    HotellingPairsResult,
    HotellingResult,
    hotelling,
    hotelling_pairs,
)
from tiebreak.stats.multivariate.manova_tests import LearnedMeasures, ManovaResult, learned_measures, manova
from tiebreak.stats.multivariate.measured import too_few_folds
from tiebreak.stats.multivariate.normality import MardiaResult, OutlierResult, mardia, multivariate_outliers
from tiebreak.stats.multivariate.over_datasets import dominance
from tiebreak.stats.multivariate.per_measure import PerMeasureResult, anova_per_measure
from tiebreak.stats.multivariate.permutations import (
    PermutedGroupsResult,
    PermutedPairsResult,
    permuted_manova,
    permuted_pairs,
    rank_manova,
)
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.wording import option

_LEAST_ROWS = 4
_ENOUGH = 10  # folds for which the chi-squared distribution of mean ranks is good
PairTests: TypeAlias = HotellingPairsResult | PermutedPairsResult | FiveByTwoPairsResult
Two: TypeAlias = HotellingResult | None
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
    raw: FloatArray
    cliques: tuple[tuple[str, ...], ...]
    learned: LearnedMeasures
    normality: MardiaResult | None
    outliers: OutlierResult | None
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

    def __repr__(self) -> str:
        told = "they differ" if self.omnibus.pvalue <= self.alpha else "no difference found"
        names = ", ".join(self.per_measure.measures)
        who = f"{len(self.algorithms)} algorithms on data set {self.dataset!r} by {names}"
        return shortened(f"<SetComparison: {who}; {told} (p = {self.omnibus.pvalue:.4g})>")

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


def compare_set(dataset: str, cube: FloatArray, asked: Asked, made: Resampling) -> SetComparison:
    """Compare the algorithms on one data set; `cube` is (folds, algorithms, measures) in the order of `asked`."""
    order = best_first(cube.mean(axis=0), asked)
    names, cube = tuple(asked.algorithms[i] for i in order), cube[:, order]
    normality, outliers = _assumptions(cube, names, asked)
    decided, why = chosen(cube, normality, asked, made)
    permuted: dict[str, Any] = {"n_permutations": asked.n_permutations, "rng": asked.seed_for(dataset)}
    tests = _pair_tests(cube, names, asked, decided, permuted, made)
    omnibus, whole, two = _omnibus(cube, tests, asked, decided, permuted, made)
    differs = (tests.adjusted <= asked.alpha) & (omnibus.pvalue <= asked.alpha)
    named: dict[str, Any] = {"algorithms": names, "measure_names": asked.measures}
    five = made.correction == "5x2cv"
    paired = asked.blocked_on(made) or len(names) == 2 or decided != "normal" or five  # as the test that decides
    learned = learned_measures(cube, blocked=paired, test_share=0.5 if five else made.test_share, **named)
    per_measure = anova_per_measure(
        cube,
        blocked=paired,
        pair_adjust=asked.adjust,
        pair_test={"variance": "corrected-t", "5x2cv": "5x2cv-f", "none": "kfold-t"}[made.correction],
        test_share=made.test_share,
        higher_is_better=[bool(each.higher_is_better) for each in asked.metrics],
        **named,
    )
    cliques = cliques_of(differs, names)
    notes = [*why, *whole.caveats, *tests.caveats, *_hidden(tests.adjusted, omnibus, asked), *clique_notes(cliques)]
    notes += [*_ignored(asked, decided, made), *_disagreement(omnibus, asked, decided, made), *_far(outliers)]
    return SetComparison(
        dataset=dataset,
        algorithms=names,
        cube=readonly(cube),
        omnibus=omnibus,
        pairs=_pairs(tests, differs, cube, asked),
        raw=tests.pvalue,
        cliques=cliques,
        learned=learned,
        normality=normality,
        outliers=outliers,
        per_measure=per_measure,
        two=two,
        tests=tests,
        decided_by=decided,
        resampling=made,
        alpha=asked.alpha,
        caveats=distinct(notes),
    )


def best_first(means: FloatArray, asked: Asked) -> list[int]:
    """Order algorithms by their mean rank over the measures, equal ones by name."""
    turned = np.where([bool(each.higher_is_better) for each in asked.metrics], -means, means)
    ranks = average_ranks(snap(turned.T)).mean(axis=0)
    return sorted(range(len(ranks)), key=lambda i: (round(float(ranks[i]), 9), asked.algorithms[i]))


def cliques_of(differs: BoolArray, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the maximal sets without a significant difference; they may overlap."""
    count = len(names)
    alike = np.ones((count, count), dtype=bool)
    a, b = np.triu_indices(count, 1)
    alike[a, b] = alike[b, a] = ~differs
    return tuple(tuple(names[i] for i in clique) for clique in maximal_cliques(alike)[0])


def clique_notes(cliques: Sequence[tuple[str, ...]]) -> list[Caveat]:
    """Say where the listing of cliques stopped."""
    if len(cliques) < MOST_GROUPS:
        return []
    return [Caveat("groups-cut", f"There are {MOST_GROUPS:,} cliques or more; only the first are listed.")]


def _assumptions(
    cube: FloatArray, names: tuple[str, ...], asked: Asked
) -> tuple[MardiaResult | None, OutlierResult | None]:
    """Judge normality of each algorithm's measures, with two algorithms of their differences too."""
    if len(cube) < _LEAST_ROWS:
        return None, None
    samples, labels = cube, names
    if len(names) == 2:
        samples = np.concatenate([cube, cube[:, :1] - cube[:, 1:]], axis=1)
        labels = (*names, f"{names[0]} - {names[1]}")
    return mardia(samples, samples=labels), multivariate_outliers(samples, alpha=asked.alpha, samples=labels)


def _five_by_two(cube: FloatArray, tests: FiveByTwoPairsResult, asked: Asked) -> tuple[MeasuresOmnibus, Whole, Two]:
    """Test all algorithms at once by five replications of two folds; with two that is the test of the pair."""
    found = five_by_two_manova(cube, algorithms=tests.algorithms, measure_names=asked.measures)
    others = [dict(row, layout="5x2 cv") for row in found.rows()]
    if cube.shape[1] > 2:
        return _omnibus_of(found, found.wilks, others), found, None
    return _omnibus_of_pair(tests, float(tests.wilks[0]), others, df=tests.df[0]), tests, None


def _omnibus(
    cube: FloatArray, tests: PairTests, asked: Asked, decided: str, permuted: dict[str, Any], made: Resampling
) -> tuple[MeasuresOmnibus, Whole, Two]:
    """Test all algorithms at once; with two that is the test of the pair."""
    if isinstance(tests, FiveByTwoPairsResult):
        return _five_by_two(cube, tests, asked)
    named: dict[str, Any] = {"algorithms": tests.algorithms, "measure_names": asked.measures}
    share: dict[str, Any] = {"test_share": made.test_share}
    blocked = manova(cube, blocked=True, statistic=asked.statistic, **share, **named)
    layouts = [blocked] if asked.blocked else [manova(cube, statistic=asked.statistic, **share, **named), blocked]
    chosen = blocked if asked.blocked_on(made) else layouts[0]
    two = hotelling(cube[:, 0], cube[:, 1], alpha=asked.alpha, **share, **named) if cube.shape[1] == 2 else None
    others = [dict(row, layout=_layout(each)) for each in layouts for row in each.rows()]
    if decided == "normal":
        best = two if two is not None else chosen
        return _omnibus_of(best, chosen.wilks if two is None else blocked.wilks, others), best, two
    if isinstance(tests, PermutedPairsResult) and two is not None:
        return _omnibus_of_pair(tests, blocked.wilks, others), tests, two
    if decided == "permutation":
        test = permuted_manova(cube, **share, **permuted, **named)
    else:
        test = rank_manova(cube, method="permutation" if len(cube) < _ENOUGH else "chi2", **permuted, **named)
    return _omnibus_of(test, blocked.wilks, others), test, two


def _layout(found: ManovaResult) -> str:
    return "blocked by fold" if found.blocked else "one-way"


def _omnibus_of(
    found: ManovaResult | HotellingResult | PermutedGroupsResult, wilks: float, others: Sequence[dict[str, object]]
) -> MeasuresOmnibus:
    """Wilks' lambda comes from outside: with permutations the test itself does not compute it."""
    return MeasuresOmnibus(
        method=found.method,
        statistic=float(found.statistic),
        df=tuple(float(d) for d in found.df),
        pvalue=float(found.pvalue),
        wilks=float(wilks),
        others=tuple(others),
    )


def _omnibus_of_pair(
    found: PermutedPairsResult | FiveByTwoPairsResult,
    wilks: float,
    others: Sequence[dict[str, object]],
    df: Sequence[float] | FloatArray = (),
) -> MeasuresOmnibus:
    return MeasuresOmnibus(
        method=found.method,
        statistic=float(found.statistic[0]),
        df=tuple(float(d) for d in df),
        pvalue=float(found.pvalue[0]),
        wilks=float(wilks),
        others=tuple(others),
    )


def _pair_tests(
    cube: FloatArray, names: tuple[str, ...], asked: Asked, decided: str, permuted: dict[str, Any], made: Resampling
) -> PairTests:
    named: dict[str, Any] = {"algorithms": names, "measure_names": asked.measures}
    adjust = asked.adjust if len(names) > 2 else "none"  # one pair has nothing to be corrected for
    if made.correction == "5x2cv":
        return five_by_two_pairs(cube, adjust=adjust, **named)
    share: dict[str, Any] = {"test_share": made.test_share}
    if decided == "normal":
        return hotelling_pairs(cube, adjust=asked.adjust, alpha=asked.alpha, **share, **named)
    scores = "values" if decided == "permutation" else "signed-ranks"
    tests = permuted_pairs(cube, scores=scores, adjust=adjust, algorithms=names, **share, **permuted)
    refused = np.flatnonzero(tests.rank >= len(cube))
    if len(refused):  # every choice of signs gives the same T2, so that nothing could be found
        first, second = (names[side[refused[0]]] for side in (tests.a, tests.b))
        count = len(asked.measures)
        raise too_few_folds(len(cube), count, len(cube) - 1, count + 1, where=f", as for {first!r} and {second!r}")
    return tests


def _pairs(tests: PairTests, differs: BoolArray, cube: FloatArray, asked: Asked) -> tuple[MeasuresPair, ...]:
    """Dominance is read from means turned so that lower is better; a pair that does not differ has no better one."""
    means = cube.mean(axis=0)
    sides = dominance(np.where([bool(each.higher_is_better) for each in asked.metrics], -means, means))
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


def _hidden(adjusted: FloatArray, omnibus: MeasuresOmnibus, asked: Asked) -> list[Caveat]:
    """Count what the closed gate hides: those p-values are printed, and would be read as differences."""
    count = int((adjusted <= asked.alpha).sum())
    if not count or omnibus.pvalue <= asked.alpha:
        return []
    text = (
        f"The test of all algorithms does not reject, so no pair is called different, although {count} adjusted"
        " p-value(s) lie at or below alpha."
    )
    return [Caveat("omnibus-hides-pairs", text)]


def _ignored(asked: Asked, decided: str, made: Resampling) -> list[Caveat]:
    """Say where the statistic that was chosen does not decide."""
    five = made.correction == "5x2cv" and asked.statistic != "wilks"
    if asked.statistic == "bartlett" or (decided == "normal" and len(asked.algorithms) > 2 and not five):
        return []
    why = "there are two algorithms" if len(asked.algorithms) == 2 else "permutations decide"
    why = "the 5x2 cv test goes by Wilks' lambda and Rao's F" if five else why
    text = f"The statistic {asked.statistic} does not decide, since {why}; its value is among the others."
    return [Caveat("method-left-out", text)]


def _disagreement(omnibus: MeasuresOmnibus, asked: Asked, decided: str, made: Resampling) -> list[Caveat]:
    """Say where the analysis that respects the pairing by fold would decide otherwise."""
    if asked.blocked_on(made) or decided != "normal" or len(asked.algorithms) == 2 or made.correction == "5x2cv":
        return []
    p = next(
        row["pvalue"] for row in omnibus.others if row["layout"] == "blocked by fold" and row["test"] == asked.statistic
    )
    assert isinstance(p, float)
    if (p <= asked.alpha) == (omnibus.pvalue <= asked.alpha):
        return []
    verb = "rejects" if p <= asked.alpha else "does not reject"
    text = (
        f"The analysis blocked by fold, which respects that all algorithms saw the same folds, {verb} (p = {p:.2g}):"
        f" {option(blocked=True)} lets it decide."
    )
    return [Caveat("blocked-disagrees", text)]


def _far(outliers: OutlierResult | None) -> list[Caveat]:
    """Named by algorithm and not by fold: an outlying fold is looked up in the figure."""
    if outliers is None or not len(outliers.row):
        return []
    named = sorted({outliers.samples[i] for i in outliers.sample})
    return [Caveat("folds-far-out", f"{len(outliers.row)} fold(s) lie far out from the others of {listed(named)}.")]


def check_enough(cube: FloatArray, dataset: str) -> None:
    """Refuse gaps and a single fold."""
    if np.isnan(cube).any() or len(cube) < 2:
        raise InputError(
            f"Data set {dataset!r} has {len(cube)} fold(s) on which every algorithm has every measure.",
            why="The tests measure how the measures vary over folds.",
            mend="Give the measures of each fold, with a column 'fold'.",
        )
