"""One data set: all algorithms at once, all pairs, the learned measures and what the tests assume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, readonly
from tiebreak.deciding.compare.cliques import MOST_GROUPS, maximal_cliques
from tiebreak.deciding.order._dominance import dominance
from tiebreak.errors import InputError
from tiebreak.stats.multivariate import (
    HotellingPairsResult,
    HotellingResult,
    LearnedMeasures,
    ManovaResult,
    MardiaResult,
    OutlierResult,
    PerMeasureResult,
    PermutedGroupsResult,
    PermutedPairsResult,
    anova_per_measure,
    hotelling,
    hotelling_pairs,
    learned_measures,
    manova,
    mardia,
    multivariate_outliers,
    permuted_manova,
    permuted_pairs,
    rank_manova,
)
from tiebreak.stats.multivariate._estimable import too_few_folds
from tiebreak.stats.multivariate._shuffles import EXACT_FOLDS
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.tables import Metric

_LEAST_ROWS = 4
_ENOUGH = 10  # folds for which the chi-squared distribution of mean ranks is good
_KEEPS_EQUAL = ("none", "hochberg", "hommel", "rom", "li", "benjamini-hochberg")  # equal p-values stay as they are
PairTests = HotellingPairsResult | PermutedPairsResult
Two = HotellingResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JointOmnibus:
    """The test of all algorithms and measures at once; `others` are the statistics that did not decide."""

    method: str
    statistic: float
    df: tuple[float, ...]
    pvalue: float
    wilks: float
    others: tuple[dict[str, object], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JointPair:
    """One pair; `better` dominates the other significantly, None where they do not differ or neither dominates.

    `statistic` is F (Hotelling) or T2 (permutations), or Fisher's chi-squared over several data sets. Over several,
    `sets` counts the data sets on which the two differ, and `dominates` those of them on which a, and b, dominates.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of every data set."""

    metrics: tuple[Metric, ...]
    algorithms: tuple[str, ...]
    blocked: bool
    statistic: str
    adjust: str
    test: str
    alpha: float
    seed: int
    n_permutations: int

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(each.name for each in self.metrics)

    def seed_for(self, dataset: str) -> int:
        """Return the seed of the permutations on one data set, whatever other data sets there are."""
        return int.from_bytes(sha256(f"{self.seed} {dataset}".encode()).digest()[:8], "big")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointSet:
    """The comparison on one data set; `cube` is (folds, algorithms, measures) as in the table.

    `algorithms` stand by their mean rank over the measures, best first, and so do the axes of the arrays.
    """

    dataset: str
    algorithms: tuple[str, ...]
    cube: FloatArray
    omnibus: JointOmnibus
    pairs: tuple[JointPair, ...]
    raw: FloatArray
    cliques: tuple[tuple[str, ...], ...]
    learned: LearnedMeasures
    normality: MardiaResult | None
    outliers: OutlierResult | None
    per_measure: PerMeasureResult
    two: HotellingResult | None
    tests: HotellingPairsResult | PermutedPairsResult
    decided_by: str
    alpha: float
    caveats: tuple[str, ...] = ()

    @property
    def means(self) -> FloatArray:
        """Mean measures, (algorithms, measures)."""
        return readonly(np.asarray(self.cube.mean(axis=0)))


def compare_set(dataset: str, cube: FloatArray, asked: Asked) -> JointSet:
    """Compare the algorithms on one data set; `cube` is (folds, algorithms, measures) in the order of `asked`."""
    order = best_first(cube.mean(axis=0), asked)
    names, cube = tuple(asked.algorithms[i] for i in order), cube[:, order]
    normality, outliers = _assumptions(cube, names, asked)
    decided, why = _chosen(cube, normality, asked)
    permuted: dict[str, Any] = {"n_permutations": asked.n_permutations, "rng": asked.seed_for(dataset)}
    tests = _pair_tests(cube, names, asked, decided, permuted)
    omnibus, whole, two = _omnibus(cube, tests, asked, decided, permuted)
    differs = (tests.adjusted <= asked.alpha) & (omnibus.pvalue <= asked.alpha)
    named: dict[str, Any] = {"algorithms": names, "measure_names": asked.measures}
    paired = asked.blocked or len(names) == 2 or decided != "normal"  # as the test that decides
    learned = learned_measures(cube, blocked=paired, **named)
    per_measure = anova_per_measure(
        cube,
        blocked=paired,
        pair_adjust=asked.adjust,
        higher_is_better=[bool(each.higher_is_better) for each in asked.metrics],
        **named,
    )
    cliques = cliques_of(differs, names)
    notes = [*why, *whole.caveats, *tests.caveats, *_hidden(tests.adjusted, omnibus, asked), *clique_notes(cliques)]
    notes += [*_ignored(asked, decided), *_disagreement(omnibus, asked, decided), *_far(outliers)]
    return JointSet(
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
        alpha=asked.alpha,
        caveats=tuple(dict.fromkeys(notes)),
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


def clique_notes(cliques: Sequence[tuple[str, ...]]) -> list[str]:
    """Say where the listing of cliques stopped."""
    if len(cliques) < MOST_GROUPS:
        return []
    return [f"There are {MOST_GROUPS:,} cliques or more; only the first are listed."]


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


def _chosen(cube: FloatArray, normality: MardiaResult | None, asked: Asked) -> tuple[str, list[str]]:
    """Decide between normal theory and permutations, and say why."""
    wanted = "normal" if asked.test == "auto" else asked.test
    in_vain = [] if wanted == "normal" else _in_vain(len(cube), asked)
    if normality is None:
        return wanted, [f"{len(cube)} folds are too few to judge normality.", *in_vain]
    judged = slice(2, 3) if len(asked.algorithms) == 2 else slice(None)
    least = np.minimum(normality.skewness_pvalue, normality.kurtosis_pvalue)[judged] * 2
    names = [normality.samples[judged][i] for i in np.flatnonzero(least * len(least) <= asked.alpha)]
    if not names or asked.test in ("permutation", "ranks"):
        return wanted, in_vain
    said = f"Mardia's tests reject normality for {', '.join(names)}"
    if asked.test == "normal":
        return "normal", [f"{said}."]
    return _if_permutations_can(said, len(cube), asked)


def _if_permutations_can(said: str, n_folds: int, asked: Asked) -> tuple[str, list[str]]:
    """Let permutations decide, unless the least p-value they can give is too large to reject any pair."""
    count, pairs, can = _reach(n_folds, asked)
    if can:
        return "permutation", [f"{said}: permutations decide instead of normal theory."]
    return "normal", [
        f"{said}, but with {n_folds} folds no permutation test of {pairs} pair(s) can reject (the least p is"
        f" {1 / count:.2g}): normal theory decides; read it with care."
    ]


def _reach(n_folds: int, asked: Asked) -> tuple[int, int, bool]:
    """Return the number of permutations, of pairs, and whether the least p-value rejects after the correction."""
    count = 2 ** (n_folds - 1) if n_folds <= EXACT_FOLDS else asked.n_permutations + 1
    pairs = len(asked.algorithms) * (len(asked.algorithms) - 1) // 2
    factor = 1.0 if asked.adjust in _KEEPS_EQUAL else float(pairs)
    if asked.adjust == "benjamini-yekutieli":
        factor = float((1.0 / np.arange(1, pairs + 1)).sum())
    return count, pairs, factor / count <= asked.alpha


def _in_vain(n_folds: int, asked: Asked) -> list[str]:
    """Say where the permutations that were asked for cannot reject any pair, whatever the measures are."""
    count, pairs, can = _reach(n_folds, asked)
    if can:
        return []
    mend = "more folds, fewer algorithms or test='normal' (--test normal)"
    if n_folds > EXACT_FOLDS:
        mend = f"n_permutations={10 * ceil(pairs / asked.alpha)} (--permutations) or test='normal' (--test normal)"
    return [
        f"No permutation test of {pairs} pair(s) can reject here, however much they differ: the least p is"
        f" {1 / count:.2g}, and the correction over the pairs lifts it above alpha. Use {mend}."
    ]


def _omnibus(
    cube: FloatArray, tests: PairTests, asked: Asked, decided: str, permuted: dict[str, Any]
) -> tuple[JointOmnibus, ManovaResult | HotellingResult | PermutedGroupsResult | PermutedPairsResult, Two]:
    """Test all algorithms at once; with two that is the test of the pair."""
    named: dict[str, Any] = {"algorithms": tests.algorithms, "measure_names": asked.measures}
    chosen = manova(cube, blocked=asked.blocked, statistic=asked.statistic, **named)
    blocked = chosen if asked.blocked else manova(cube, blocked=True, **named)
    two = hotelling(cube[:, 0], cube[:, 1], alpha=asked.alpha, **named) if cube.shape[1] == 2 else None
    layouts = (chosen,) if asked.blocked else (chosen, blocked)
    others = [dict(row, layout=_layout(each)) for each in layouts for row in each.rows()]
    if decided == "normal":
        best = two if two is not None else chosen
        return _joint(best, chosen.wilks if two is None else blocked.wilks, others), best, two
    if isinstance(tests, PermutedPairsResult) and two is not None:
        return _joint_pair(tests, blocked.wilks, others), tests, two
    if decided == "permutation":
        test = permuted_manova(cube, **permuted, **named)
    else:
        test = rank_manova(cube, method="permutation" if len(cube) < _ENOUGH else "chi2", **permuted, **named)
    return _joint(test, blocked.wilks, others), test, two


def _layout(found: ManovaResult) -> str:
    return "blocked by fold" if found.blocked else "one-way"


def _joint(
    found: ManovaResult | HotellingResult | PermutedGroupsResult, wilks: float, others: Sequence[dict[str, object]]
) -> JointOmnibus:
    return JointOmnibus(
        method=found.method,
        statistic=float(found.statistic),
        df=tuple(float(d) for d in found.df),
        pvalue=float(found.pvalue),
        wilks=float(wilks),
        others=tuple(others),
    )


def _joint_pair(found: PermutedPairsResult, wilks: float, others: Sequence[dict[str, object]]) -> JointOmnibus:
    return JointOmnibus(
        method=found.method.split(" with")[0],  # there is one pair: nothing was corrected
        statistic=float(found.statistic[0]),
        df=(),
        pvalue=float(found.pvalue[0]),
        wilks=float(wilks),
        others=tuple(others),
    )


def _pair_tests(
    cube: FloatArray, names: tuple[str, ...], asked: Asked, decided: str, permuted: dict[str, Any]
) -> PairTests:
    if decided == "normal":
        return hotelling_pairs(
            cube, adjust=asked.adjust, alpha=asked.alpha, algorithms=names, measure_names=asked.measures
        )
    scores = "values" if decided == "permutation" else "signed-ranks"
    tests = permuted_pairs(cube, scores=scores, adjust=asked.adjust, algorithms=names, **permuted)
    refused = np.flatnonzero(tests.rank >= len(cube))
    if len(refused):  # every choice of signs gives the same T2, so that nothing could be found
        first, second = (names[side[refused[0]]] for side in (tests.a, tests.b))
        count = len(asked.measures)
        raise too_few_folds(len(cube), count, len(cube) - 1, count + 1, where=f", as for {first!r} and {second!r}")
    return tests


def _pairs(tests: PairTests, differs: BoolArray, cube: FloatArray, asked: Asked) -> tuple[JointPair, ...]:
    means = cube.mean(axis=0)
    sides = dominance(np.where([bool(each.higher_is_better) for each in asked.metrics], -means, means))
    t2 = tests.t2 if isinstance(tests, HotellingPairsResult) else tests.statistic
    names = tests.algorithms
    return tuple(
        JointPair(
            a=names[i],
            b=names[j],
            statistic=float(tests.statistic[k]),
            pvalue=float(tests.pvalue[k]),
            adjusted=float(tests.adjusted[k]),
            differs=bool(differs[k]),
            better=None if not differs[k] or sides[k] == 0 else names[i if sides[k] < 0 else j],
            t2=float(t2[k]),
        )
        for k, (i, j) in enumerate(zip(tests.a.tolist(), tests.b.tolist(), strict=True))
    )


def _hidden(adjusted: FloatArray, omnibus: JointOmnibus, asked: Asked) -> list[str]:
    count = int((adjusted <= asked.alpha).sum())
    if not count or omnibus.pvalue <= asked.alpha:
        return []
    return [
        f"The test of all algorithms does not reject, so no pair is called different, although {count} adjusted"
        " p-value(s) lie at or below alpha."
    ]


def _ignored(asked: Asked, decided: str) -> list[str]:
    """Say where the statistic that was chosen does not decide."""
    if asked.statistic == "bartlett" or (decided == "normal" and len(asked.algorithms) > 2):
        return []
    why = "there are two algorithms" if len(asked.algorithms) == 2 else "permutations decide"
    return [f"The statistic {asked.statistic} does not decide, since {why}; its value is among the others."]


def _disagreement(omnibus: JointOmnibus, asked: Asked, decided: str) -> list[str]:
    """Say where the analysis that respects the pairing by fold would decide otherwise."""
    if asked.blocked or decided != "normal" or len(asked.algorithms) == 2:
        return []
    p = next(
        row["pvalue"] for row in omnibus.others if row["layout"] == "blocked by fold" and row["test"] == asked.statistic
    )
    assert isinstance(p, float)
    if (p <= asked.alpha) == (omnibus.pvalue <= asked.alpha):
        return []
    verb = "rejects" if p <= asked.alpha else "does not reject"
    return [
        f"The analysis blocked by fold, which respects that all algorithms saw the same folds, {verb} (p = {p:.2g}):"
        " blocked=True (--blocked) lets it decide."
    ]


def _far(outliers: OutlierResult | None) -> list[str]:
    if outliers is None or not len(outliers.row):
        return []
    named = sorted({outliers.samples[i] for i in outliers.sample})
    return [f"{len(outliers.row)} fold(s) lie far out from the others of {', '.join(named)}."]


def check_enough(cube: FloatArray, dataset: str) -> None:
    """Refuse gaps and a single fold."""
    if np.isnan(cube).any() or len(cube) < 2:
        raise InputError(
            f"Data set {dataset!r} has {len(cube)} fold(s) on which every algorithm has every measure.",
            why="The tests measure how the measures vary over folds.",
            mend="Give the measures of each fold, with a column 'fold'.",
        )
