"""The study of the advisor: are rankings recommended from similar data sets worth following?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tiebreak._checks import FloatArray, check_alpha, check_choice, readonly
from tiebreak.advisor.evaluation import (
    Ceiling,
    Evaluation,
    RankerComparison,
    Reduction,
    TopN,
    ceiling,
    characteristics_by_best,
    compare_rankers,
    ideal_rankings,
    leave_one_out,
    reduce_ranking,
    top_n,
)
from tiebreak.advisor.evaluation.leave_out import RANDOM
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.neighbours import WEIGHTINGS
from tiebreak.advisor.ranking_neighbours import FOLDED
from tiebreak.advisor.rankings import RANKING_METHODS, rank_by
from tiebreak.advisor.rankings.by_name import TIMED, scorer
from tiebreak.advisor.rankings.measured import row_means
from tiebreak.advisor.shipped import shipped_knowledge
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.studies._advisor_material import Material, material
from tiebreak.studies._advisor_measures import SCALES, chosen_distances, distances_of
from tiebreak.studies._advisor_tables import AdvisorStudy, Run

WITH_ACCD = ("arr", "a3r")
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Setting:
    """Everything the runs share."""

    data: Material
    distances: FloatArray | None
    neighbours: tuple[int, ...]
    weighting: str
    scale: str
    select: bool
    floor: float | None
    resolution: float | None
    alpha: float
    seed: int
    progress: Say
    chosen: dict[str, Mapping[str, int]] = field(default_factory=dict)


def evaluate_advisor(
    base: Knowledge | None = None,
    *,
    measures: str | Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    neighbours: Sequence[int] = (1, 5),
    accds: Sequence[float] = (0.001, 0.01, 0.1),
    weighting: str = "equal",
    scale: str = "range",
    select: bool = False,
    floor: float | None = 0.001,
    resolution: float | None = None,
    alpha: float = 0.25,
    seed: int = 0,
    progress: Say | None = None,
) -> AdvisorStudy:
    """Leave each data set out, recommend a ranking to it from similar ones, and measure what following it is worth.

    Hypothesis: rankings recommended from the nearest data sets agree with the ideal ones no better than the ranking on
    all data (Friedman's test, then Dunn's, on data sets x folds).

    Formula: for every method and AccD, Spearman's coefficient of the recommended ranking with the order of every fold,
    for 1, 5, ... neighbours, for all data and for a random order; the ceiling is how well half of the folds of a data
    set predict the other half. Top-N: run the first N of the ranking, keep the best; with folds it is kept by every
    second fold and its loss is counted on the others.

    Assumptions: data sets of one origin are left out together; the base says which. Scales of measures are taken over
    the data sets of other origins.
    When not to use it: to choose measures, and report the best result as what the advisor achieves; with
    `select=True` they are chosen for each tenth of the data sets on the other nine.

    Incomplete results: every two algorithms are compared on the data sets where both were measured; an algorithm that
    was not measured on the data set left out plays no part in its ideal ranking.

    Parameters
    ----------
    base : Knowledge, optional
        Past results with meta-attributes; by default what ships with the package. Without meta-attributes there are no
        neighbours, only the ranking on all data; without times N counts runs in top-N.
    measures : sequence of str or "all", optional
        By default the five of the paper where the base has them, otherwise all; "a/b" and "log(a)" are computed, and
        a group such as "landmarkers" stands for its members.
    methods : sequence of str, optional
        Of `tiebreak.advisor.RANKING_METHODS`; by default "arr" (without times "srr") and "mean-rank".
    neighbours : sequence of int, default (1, 5)
    accds : sequence of float, default (0.001, 0.01, 0.1)
        For "arr" and "a3r".
    weighting : {"equal", "inverse", "kernel"}
        As in `tiebreak.advisor.neighbour_weights`.
    scale : {"range", "deviation"}
        By what differences of a measure are divided.
    select : bool, default False
        Choose measures by dropping one after the other, without the data sets to which they are applied.
    floor, resolution
        As in `tiebreak.advisor.rank_by_arr`.
    alpha : float, default 0.25
        Dunn's overall level, 0.25 by the convention of the source.
    seed : int, default 0
    progress : callable, optional
        Called with a line of text before each step.

    Returns
    -------
    AdvisorStudy

    References
    ----------
    Brazdil, P., Soares, C. and da Costa, J. P. (2003). doi:10.1023/A:1021713901879

    Examples
    --------
    >>> from tiebreak.advisor import Knowledge
    >>> from tiebreak.tables import Results
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(size=40)
    >>> success = 0.6 + np.outer(x, [0.1, 0.2, 0.3]) + np.outer(1 - x, [0.3, 0.2, 0.1])
    >>> names = [f"d{i:02}" for i in range(40)]
    >>> table = Results.from_array(success, score="accuracy", datasets=names)
    >>> described = {name: {"x": value} for name, value in zip(names, x)}
    >>> found = evaluate_advisor(Knowledge.from_results(table, described))
    >>> [(row["from"], round(row["mean spearman"], 2)) for row in found.rows()][:3]
    [('1 neighbour', 0.95), ('5 neighbours', 1.0), ('all data', 0.2)]
    """
    data = material(shipped_knowledge() if base is None else base, measures)
    if len(set(data.origins)) < 2:
        raise InputError(
            f"All {len(data.datasets)} data sets are of one origin, {data.origins[0]!r}.",
            why="Data sets of one origin are left out together, and others must remain.",
            mend="Add data sets of another origin.",
        )
    check_choice("scale", scale, SCALES)
    setting = _Setting(
        data=data,
        distances=None if data.meta is None or select else distances_of(data.meta.matrix, data.origins, scale=scale),
        neighbours=_check_neighbours(neighbours) if data.meta is not None else (),
        weighting=check_choice("weighting", weighting, WEIGHTINGS),
        scale=scale,
        select=select and data.meta is not None,
        floor=floor,
        resolution=resolution,
        alpha=check_alpha(alpha),
        seed=seed,
        progress=progress or (lambda _: None),
    )
    runs, skipped = _runs(setting, _check_methods(methods, data.time is not None), [float(accd) for accd in accds])
    return _study(setting, runs, (*data.caveats, *skipped))


def _runs(setting: _Setting, methods: Sequence[str], accds: Sequence[float]) -> tuple[list[Run], list[str]]:
    """Evaluate every method; one that these results do not allow is told in a caveat, unless it is the only one."""
    plan = [(name, accd) for name in methods for accd in (accds if name in WITH_ACCD else (None,))]
    runs, skipped = [], []
    for name, accd in plan:
        words = name if accd is None else f"{name}, AccD {accd:g}"
        setting.progress(words)
        try:
            runs.append(_run(setting, name, accd))
        except InputError as error:
            if len(plan) == 1:
                raise
            skipped.append((f"{words} is left out: {error}", error))
    if not runs:
        raise skipped[0][1]
    return runs, [words for words, _ in skipped]


def _run(setting: _Setting, method: str, accd: float | None) -> Run:
    given = {"accd": 0.0 if accd is None else accd, "floor": setting.floor, "resolution": setting.resolution}
    yardstick = method if method in WITH_ACCD else "accuracy"
    found = leave_one_out(
        setting.data.cube if method in FOLDED else setting.data.success,
        setting.data.time,
        distances=_distances(setting, method, accd, yardstick),
        k=setting.neighbours,
        by=method,
        weighting=setting.weighting,
        origins=setting.data.origins,
        seed=setting.seed,
        algorithms=setting.data.algorithms,
        datasets=setting.data.datasets,
        **given,  # type: ignore[arg-type]
    )
    return Run(
        method=method,
        accd=accd,
        evaluation=found,
        ceiling=_ceiling(setting, yardstick, given),
        top=_top(setting, found),
        by_folds=_compared(found, folds=True, alpha=setting.alpha),
        by_datasets=_compared(found, folds=False, alpha=setting.alpha),
    )


def _distances(setting: _Setting, method: str, accd: float | None, yardstick: str) -> FloatArray:
    count = len(setting.data.success)
    if setting.data.meta is None:
        return 1.0 - np.eye(count)
    if not setting.select and setting.distances is not None:
        return setting.distances
    given = {"accd": 0.0 if accd is None else accd, "floor": setting.floor, "resolution": setting.resolution}
    main = _main(setting.neighbours)
    table, counts = chosen_distances(
        setting.data.meta,
        setting.data.origins,
        scorer(
            method,
            setting.data.cube if method in FOLDED else setting.data.success,
            setting.data.time,
            algorithms=setting.data.algorithms,
            datasets=setting.data.datasets,
            **given,  # type: ignore[arg-type]
        ),
        ideal_rankings(setting.data.success, setting.data.time, by=yardstick, **given),  # type: ignore[arg-type]
        k=main,
        weighting=setting.weighting,
        scale=setting.scale,
        seed=setting.seed,
        progress=setting.progress,
    )
    setting.chosen[method if accd is None else f"{method}, AccD {accd:g}"] = counts
    return table


def _ceiling(setting: _Setting, yardstick: str, given: Mapping[str, float | None]) -> Ceiling | None:
    if setting.data.success.shape[2] < 2:
        return None
    return ceiling(setting.data.success, setting.data.time, by=yardstick, seed=setting.seed, **given)  # type: ignore[arg-type]


def _top(setting: _Setting, found: Evaluation) -> TopN:
    """Keep the best of the first N by every second fold where there are folds, and count its loss on the others."""
    cube, time = setting.data.success, setting.data.time
    means = np.where(np.isnan(row_means(cube)), np.nan, 1.0) if time is None else row_means(time)
    kept_by, counted = cube[:, :, 1::2], cube[:, :, 0::2]
    enough = (np.isfinite(row_means(kept_by)) & np.isfinite(row_means(counted)) & np.isfinite(means)).any(axis=1)
    halves = cube.shape[2] > 1 and bool(enough.all())
    return top_n(
        dict(zip(found.methods, found.recommended, strict=True)),
        counted if halves else cube,
        means,
        validation=kept_by if halves else None,
        origins=setting.data.origins,
        datasets=setting.data.datasets,
    )


def _compared(found: Evaluation, *, folds: bool, alpha: float) -> RankerComparison | None:
    """Compare the recommendations over blocks, the random one left out; None where there is nothing to compare."""
    kept = [i for i, name in enumerate(found.methods) if name != RANDOM]
    values = found.spearman[kept] if folds else row_means(found.spearman[kept])[:, :, None]
    return _compare(values, tuple(found.methods[i] for i in kept), alpha)


def _compare(values: FloatArray, methods: tuple[str, ...], alpha: float) -> RankerComparison | None:
    blocks = np.moveaxis(values, 0, -1).reshape(-1, len(methods))
    blocks = blocks[~np.isnan(blocks).any(axis=1)]
    if len(methods) < 2 or len(blocks) < 2:
        return None
    return compare_rankers(blocks, methods=methods, alpha=alpha, folds=values.shape[2])


def _study(setting: _Setting, runs: Sequence[Run], caveats: tuple[str, ...]) -> AdvisorStudy:
    means = row_means(setting.data.success)
    ranks = ideal_rankings(means)[:, 0]
    order = rank_by(
        "mean-rank", setting.data.success, algorithms=setting.data.algorithms, datasets=setting.data.datasets
    )
    own = [note for run in runs for part in (run.evaluation, run.top) for note in part.caveats]
    own += [note for run in runs if run.ceiling is not None for note in run.ceiling.caveats]
    return AdvisorStudy(
        runs=tuple(runs),
        across=_across(setting, runs),
        reduction=_reduced(setting, order.algorithms),
        meta=setting.data.meta,
        ranks=readonly(ranks),
        characteristics=None
        if setting.data.meta is None
        else characteristics_by_best(
            setting.data.meta.matrix, ranks, measures=setting.data.meta.measures, algorithms=setting.data.algorithms
        ),
        datasets=setting.data.datasets,
        algorithms=setting.data.algorithms,
        n_origins=len(set(setting.data.origins)),
        n_folds=setting.data.success.shape[2],
        neighbours=setting.neighbours,
        chosen=dict(setting.chosen),
        setting=_words(setting),
        caveats=tuple(dict.fromkeys((*caveats, *_caveats(setting, {run.method for run in runs}), *own))),
    )


def _reduced(setting: _Setting, order: tuple[str, ...]) -> Reduction:
    try:
        return reduce_ranking(order, setting.data.cube, algorithms=setting.data.algorithms)
    except TiebreakError:  # folds too few or too many missing for the test
        return reduce_ranking(order, setting.data.success, algorithms=setting.data.algorithms, margin=0.01)


def _across(setting: _Setting, runs: Sequence[Run]) -> RankerComparison | None:
    """Compare methods whose yardstick is accuracy, on the same neighbours."""
    same = [run for run in runs if run.accd is None]
    place = setting.neighbours.index(_main(setting.neighbours)) if setting.neighbours else 0
    if len(same) < 2:
        return None
    return _compare(
        np.array([run.evaluation.spearman[place] for run in same]), tuple(run.method for run in same), setting.alpha
    )


def _main(neighbours: tuple[int, ...]) -> int:
    """The number of neighbours for which measures are chosen and methods compared: 5, or the nearest to it."""
    return min(neighbours, key=lambda k: (abs(k - 5), k))


def _words(setting: _Setting) -> str:
    if setting.data.meta is None:
        return "no measures"
    how = "chosen on other data sets" if setting.select else f"{len(setting.data.meta.measures)} measures"
    return f"{how}, L1 over the {'range' if setting.scale == 'range' else 'standard deviation'}"


def _caveats(setting: _Setting, methods: set[str]) -> list[str]:
    out = []
    if "multitest" in methods:
        out.append(
            "Multi2Test orders by time what no test separates, and is measured against the order of accuracy here: low"
            " agreement does not mean that it fails."
        )
    if setting.data.meta is None:
        out.append("There are no measures of the data sets: only the ranking on all data is evaluated.")
    if setting.data.time is None:
        out.append("There are no times: the share of time in top-N is the share of runs.")
    if setting.data.success.shape[2] == 1:
        out.append("There is one score per data set and algorithm: the ideal ranking is one order, without a ceiling.")
    if len(set(setting.data.origins)) < len(setting.data.datasets):
        out.append("Data sets of one origin are left out together; they still count as separate blocks in the tests.")
    return out


def _check_neighbours(neighbours: Sequence[int]) -> tuple[int, ...]:
    chosen = tuple(dict.fromkeys(int(k) for k in neighbours))
    if not chosen or min(chosen) < 1:
        raise OptionError(
            f"neighbours is {list(neighbours)!r}.", why="It counts neighbours.", mend="Use neighbours=(1, 5)."
        )
    return chosen


def _check_methods(methods: Sequence[str] | None, timed: bool) -> list[str]:
    if methods is None:
        return ["arr", "mean-rank"] if timed else ["srr", "mean-rank"]
    chosen = list(dict.fromkeys(check_choice("ranking method", name, RANKING_METHODS) for name in methods))
    if not chosen:
        raise OptionError("No ranking method is given.", why="There is nothing to study.", mend="Use methods=['arr'].")
    for name in chosen:
        if name in TIMED and not timed:
            raise OptionError(
                f"The ranking method {name!r} was asked for without times.",
                why="It weighs accuracy against time.",
                mend="Give times (--time COLUMN), or use 'srr', 'mean-rank' or 'wins'.",
            )
    return chosen
