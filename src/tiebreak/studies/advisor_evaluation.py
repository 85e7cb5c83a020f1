"""Evaluate the advisor: agreement of recommended with ideal rankings, one data set left out at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak import advisor
from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha, check_choice
from tiebreak.advisor.agreement import RankerComparison, ceiling, compare_blocks, complete_blocks
from tiebreak.advisor.leave_one_out import RANDOM, Evaluation, leave_one_out
from tiebreak.advisor.neighbours import distance_table
from tiebreak.advisor.rankings import RANKING_METHODS
from tiebreak.advisor.rankings.ranking import row_means
from tiebreak.advisor.top_n import TopN, top_n
from tiebreak.attributes.catalogue import DEFAULT_MEASURES
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.documents import Framed, Row, Table, as_came_in
from tiebreak.documents.parts import table_of
from tiebreak.documents.words import finite_rows
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.numeric.basics import check_count
from tiebreak.studies.result import StudyResult
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.figures import Figure

SHOWN_N = (1, 2, 3, 5, 10)
AGREEMENT = ("from", "mean spearman", "better", "worse", "loss of first")
"""What is told of a recommendation, and as far as it goes of the ceiling."""
_IDS = re.compile(r"(.*[_.])?(id|tid|did)|source_data", re.I)
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Run(Framed):
    """One ranking method at one AccD (None where time does not count), evaluated.

    `by_folds` and `by_datasets` compare the recommendations, the random one left out; None without neighbours, and by
    folds where there is but one.
    """

    method: str
    accd: float | None
    evaluation: Evaluation
    ceiling: FloatArray | None
    top: TopN
    by_folds: RankerComparison | None
    by_datasets: RankerComparison | None

    def label(self) -> str:
        """Name the method with its AccD."""
        return self.method if self.accd is None else f"{self.method}, AccD {self.accd:g}"

    def rows(self) -> list[Row]:
        """Return one row per recommendation, and the ceiling."""
        first = {row["method"]: row["mean loss"] for row in self.top.rows() if row["n"] == 1}
        rows = [row | {"from": row["method"], "loss of first": first[row["method"]]} for row in self.evaluation.rows()]
        if self.ceiling is not None:
            rows.append({"from": "half of its own folds", "mean spearman": float(row_means(self.ceiling))})
        return [{"ranking": self.label(), **{name: row.get(name) for name in AGREEMENT}} for row in rows]

    def comparisons(self) -> dict[str, RankerComparison]:
        """Return the comparisons by what their blocks are."""
        pairs = {"data sets x folds": self.by_folds, "data sets": self.by_datasets}
        return {unit: comparison for unit, comparison in pairs.items() if comparison is not None}

    def measured(self) -> dict[str, Any]:
        """Return plain data; NaN is not JSON: a data set without agreement is null."""
        spearman = row_means(self.evaluation.spearman).tolist()
        return {
            "method": self.method,
            "accd": self.accd,
            "agreement": finite_rows(self.rows()),
            "spearman_by_dataset": {
                name: [None if np.isnan(x) else x for x in row]
                for name, row in zip(self.evaluation.methods, spearman, strict=True)
            },
            "ceiling": None if self.ceiling is None else float(row_means(self.ceiling)),
            "significance": {"folds": _significance(self.by_folds), "datasets": _significance(self.by_datasets)},
            "top_n": finite_rows(self.top.rows()),
        }


def _significance(comparison: RankerComparison | None) -> dict[str, Any] | None:
    """Return Friedman's M and Dunn's T as plain data."""
    if comparison is None:
        return None
    return {
        "m": comparison.m_corrected,
        "pvalue": comparison.pvalue,
        "blocks": comparison.n_blocks,
        "critical_t": comparison.critical_value,
        "alpha": comparison.alpha,
        "mean_ranks": dict(zip(comparison.methods, map(float, comparison.mean_ranks), strict=True)),
        "pairs": finite_rows(comparison.pairs()),
    }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AdvisorStudy(StudyResult):
    """The agreement of recommended with measured rankings, by ranking method, and the losses of their first N."""

    STUDY = "advisor"
    SETTINGS = ("datasets", "algorithms")
    PAPERS = ("brazdil2003",)

    runs: tuple[Run, ...]
    measures: tuple[str, ...]
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    n_origins: int
    n_folds: int

    def title(self) -> str:
        """Say in one line what was studied."""
        out = "data set" if self.n_origins == len(self.datasets) else f"origin ({self.n_origins})"
        by = f"{len(self.measures)} measures, L1 over the range" if self.measures else "no measures"
        return (
            f"Advisor: {len(self.algorithms)} algorithms on {len(self.datasets)} data sets x {self.n_folds} fold(s),"
            f" one {out} left out at a time; {by}"
        )

    def rows(self) -> list[Row]:
        """Return the agreement of every recommendation with the ideal rankings."""
        return [row for run in self.runs for row in run.rows()]

    def figure(self, kind: str | None = None, *, run: int = 0, **options: Any) -> Figure:
        """Draw loss against the number of algorithms tried and against time, of one of the runs."""
        check_choice("figure", kind or "top-n", ("top-n",))
        figure: Figure = self.runs[run].top.figure(ranking=self.runs[run].label(), **options)
        return figure

    def tables(self) -> Iterator[Table]:
        """Of the top-N losses a few sizes are shown, always with the last; the JSON has all."""
        yield table_of(self.rows(), "Agreement with the ideal rankings")
        for run in self.runs:
            for unit, comparison in run.comparisons().items():
                yield table_of(comparison.pairs(), f"{run.label()}, blocks are {unit}: {comparison.title()}")
        for run in self.runs:
            shown = {*SHOWN_N, run.top.loss.shape[2]}
            rows = [row for row in run.top.rows() if row["n"] in shown and row["method"] != "random"]
            yield table_of(rows, f"{run.label()}: {run.top.title()}")

    def measured(self) -> dict[str, Any]:
        """Return everything that was measured, fit for JSON."""
        return {
            "title": self.title(),
            "origins": self.n_origins,
            "folds": self.n_folds,
            "measures": list(self.measures) or None,
            "runs": [run.measured() for run in self.runs],
        }


@as_came_in
def evaluate_advisor(
    base: advisor.Knowledge | None = None,
    *,
    methods: Sequence[str] | None = None,
    neighbours: Sequence[int] = (1, 5),
    accds: Sequence[float] = (0.001, 0.01, 0.1),
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
    When not to use it: to choose measures, and report the best result as what the advisor achieves.

    Incomplete results: every two algorithms are compared on the data sets where both were measured; an algorithm that
    was not measured on the data set left out plays no part in its ideal ranking.

    Parameters
    ----------
    base : Knowledge, optional
        Past results with meta-attributes; by default what ships with the package. Distances are by the five measures of
        the paper where the base has them, otherwise by all but ids. Without meta-attributes there are no
        neighbours, only the ranking on all data; without times N counts runs in top-N.
    methods : sequence of str, optional
        Of `tiebreak.advisor.RANKING_METHODS`; by default "arr" (without times "srr") and "mean-rank".
    neighbours : sequence of int, default (1, 5)
    accds : sequence of float, default (0.001, 0.01, 0.1)
        For "arr" and "a3r".
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
    brazdil2003

    Examples
    --------
    >>> from tiebreak.advisor import Knowledge
    >>> from tiebreak.results import Results
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(size=40)
    >>> success = 0.6 + np.outer(x, [0.1, 0.2, 0.3]) + np.outer(1 - x, [0.3, 0.2, 0.1])
    >>> names = [f"d{i:02}" for i in range(40)]
    >>> table = Results.from_array(success, score="accuracy", datasets=names)
    >>> described = {name: {"x": value} for name, value in zip(names, x)}
    >>> result = evaluate_advisor(Knowledge.from_results(table, described))
    >>> [(row["from"], round(row["mean spearman"], 2)) for row in result.rows()][:3]
    [('1 neighbour', 0.95), ('5 neighbours', 1.0), ('all data', 0.2)]
    """
    data, notes = usable(advisor.shipped_knowledge() if base is None else base)
    if len(set(data.origins)) < 2:
        raise InputError(
            f"All {len(data.datasets)} data sets are of one origin, {data.origins[0]!r}.",
            why="Data sets of one origin are left out together, and others must remain.",
            mend="Add data sets of another origin.",
        )
    level, described = check_alpha(alpha), bool(data.meta.measures)
    chosen = [check_count("neighbours", k, usual=5) for k in neighbours] if described else []
    distances = distance_table(data.meta.matrix, data.origins) if described else 1.0 - np.eye(len(data.datasets))
    runs = []
    timed = data.time is not None  # without times the default is SRR: it is ARR with AccD = 0
    for method in served(methods, timed=timed, usual=("arr" if timed else "srr", "mean-rank")):
        for accd in accds if RANKING_METHODS[method].trades_accuracy else (None,):
            (progress or (lambda _: None))(method if accd is None else f"{method}, AccD {accd:g}")
            runs.append(_run(data, distances, chosen, method, None if accd is None else float(accd), level, seed))
    n_folds = runs[0].evaluation.ideal.shape[1]
    holds = {
        "all-alike": not described,
        "costs-missing": data.time is None,
        "no-folds": n_folds == 1,
        "dependent-blocks": len(set(data.origins)) < len(data.datasets),
    }
    parts = [part for run in runs for part in (*run.comparisons().values(), run.evaluation, run.top)]
    notes = [*data.caveats, *notes, *(Caveat(code, SAID[code]) for code, when in holds.items() if when)]
    return AdvisorStudy(
        runs=tuple(runs),
        measures=data.meta.measures,
        datasets=data.datasets,
        algorithms=data.algorithms,
        n_origins=len(set(data.origins)),
        n_folds=n_folds,
        caveats=distinct([*notes, *(note for part in parts for note in part.caveats)]),
    )


SAID = {
    "all-alike": "There are no measures of the data sets: only the ranking on all data is evaluated.",
    "costs-missing": "There are no times: the share of time in top-N is the share of runs.",
    "no-folds": "There is one score per data set and algorithm: the ideal ranking is one order, without a ceiling.",
    "dependent-blocks": "Data sets of one origin are left out together; they still count as separate blocks in the"
    " tests.",
}
"""What the study says of its material, by code."""


def served(names: Sequence[str] | None, *, timed: bool, usual: Sequence[str]) -> list[str]:
    """Return the ranking methods that were named, or the usual ones; those that need times only where there are any."""
    if names is None:
        return [name for name in usual if timed or not RANKING_METHODS[name].needs_time]
    chosen = list(dict.fromkeys(check_choice("ranking method", name, RANKING_METHODS) for name in names))
    if not chosen:
        raise OptionError(
            "No ranking method is given.", why="There is nothing to study.", mend=f"Use {option(methods=['arr'])}."
        )
    for name in chosen:
        if RANKING_METHODS[name].needs_time and not timed:
            raise OptionError(
                f"The ranking method {name!r} was asked for without times.",
                why="It weighs accuracy against time.",
                mend="Use 'srr', 'mean-rank' or 'wins'.",
            )
    return chosen


def _run(
    data: advisor.Knowledge,
    distances: FloatArray,
    neighbours: Sequence[int],
    method: str,
    accd: float | None,
    alpha: float,
    seed: int,
) -> Run:
    """The ceiling needs folds: it asks how well one half of them predicts the other."""
    slots = _slots(data.accuracy)
    success, time = data.accuracy[:, :, slots], None if data.time is None else data.time[:, :, slots]
    by = RANKING_METHODS[method]
    evaluation = leave_one_out(
        data.accuracy if by.by_folds else success,
        time,
        distances=distances,
        k=tuple(dict.fromkeys(neighbours)),
        by=method,
        origins=data.origins,
        seed=seed,
        accd=accd or 0.0,
        algorithms=data.algorithms,
        datasets=data.datasets,
    )
    folded = success.shape[2] > 1
    return Run(
        method=method,
        accd=accd,
        evaluation=evaluation,
        ceiling=ceiling(success, time, by=by.yardstick, seed=seed, accd=accd or 0.0) if folded else None,
        top=_top(success, time, data, evaluation),
        by_folds=_compared(evaluation, "folds", alpha) if folded else None,
        by_datasets=_compared(evaluation, "datasets", alpha),
    )


def _top(success: FloatArray, time: FloatArray | None, data: advisor.Knowledge, evaluation: Evaluation) -> TopN:
    """Keep the best of the first N by every second fold where there are folds, and count its loss on the others."""
    means = np.where(np.isnan(row_means(success)), np.nan, 1.0) if time is None else row_means(time)
    kept_by, counted = success[:, :, 1::2], success[:, :, 0::2]
    enough = (np.isfinite(row_means(kept_by)) & np.isfinite(row_means(counted)) & np.isfinite(means)).any(axis=1)
    halves = success.shape[2] > 1 and bool(enough.all())
    return top_n(
        evaluation.by_method(),
        counted if halves else success,
        means,
        validation=kept_by if halves else None,
        origins=data.origins,
        datasets=data.datasets,
        training=success,
    )


def _compared(evaluation: Evaluation, unit: str, alpha: float) -> RankerComparison | None:
    """Compare the recommendations over blocks, the random one left out; None where there is nothing to compare."""
    methods = [i for i, name in enumerate(evaluation.methods) if name != RANDOM]
    values = evaluation.blocks(unit)[methods]
    enough = len(methods) > 1 and len(complete_blocks(values)) > 1
    return compare_blocks(values, [evaluation.methods[i] for i in methods], alpha=alpha) if enough else None


def usable(known: advisor.Knowledge) -> tuple[advisor.Knowledge, list[Caveat]]:
    """Keep the part of a knowledge base that can be left out, with the measures to use, and say what is left out."""
    rows, columns, notes = _complete(known.measured(timed=known.time is not None), known.algorithms)
    data = known.datasets_at(rows).algorithms_at(columns)
    meta = known.meta
    if set(DEFAULT_MEASURES) <= set(meta.measures):
        return replace(data, meta=data.meta.of(DEFAULT_MEASURES)), [*notes]
    empty = np.asarray(np.isnan(meta.matrix).all(axis=0))
    left = [name for j, name in enumerate(meta.measures) if _IDS.fullmatch(name) or empty[j]]
    if left:
        notes = (*notes, Caveat("columns-left-out", f"Ids or empty, and so no measures: {', '.join(left)}."))
    return replace(data, meta=data.meta.of(tuple(name for name in meta.measures if name not in left))), [*notes]


def _slots(cube: FloatArray) -> BoolArray:
    """Return which replications and folds anybody has; the first where there are none at all."""
    there = np.asarray(~np.isnan(cube).all(axis=(0, 1)))
    if not there.any():
        there[0, 0] = True
    return there


def _complete(there: BoolArray, algorithms: tuple[str, ...]) -> tuple[IntArray, IntArray, Caveats]:
    """Keep data sets with results of two algorithms, and algorithms with results on two data sets."""
    rows, columns = np.ones(there.shape[0], dtype=bool), np.ones(there.shape[1], dtype=bool)
    for _ in range(sum(there.shape)):
        inside = there & rows[:, None] & columns
        before = rows.sum() + columns.sum()
        rows, columns = rows & (inside.sum(axis=1) > 1), columns & (inside.sum(axis=0) > 1)
        if rows.sum() + columns.sum() == before:
            break
    if rows.sum() < 3 or columns.sum() < 2:
        raise InputError(
            f"{int(rows.sum())} data set(s) and {int(columns.sum())} algorithm(s) have results that can be compared.",
            why="A ranking needs two algorithms, and leaving one data set out needs two others.",
            mend="Add results.",
        )
    out = [name for name, column in zip(algorithms, columns, strict=True) if not column]
    less = f"{int((~rows).sum())} data set(s) have results of fewer than two algorithms and are left out."
    rare = f"Measured on fewer than two of the data sets and left out: {', '.join(out)}."
    notes = ((not rows.all(), "datasets-left-out", less), (out, "algorithms-left-out", rare))
    caveats = tuple(Caveat(code, text) for when, code, text in notes if when)
    return np.flatnonzero(rows), np.flatnonzero(columns), caveats
