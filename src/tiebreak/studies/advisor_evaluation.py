"""Evaluate the advisor: agreement of recommended with ideal rankings, one data set left out at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak import advisor
from tiebreak._checks import FloatArray, check_alpha, check_choice
from tiebreak.advisor.agreement import (
    RankerComparison,
    ceiling,
    compare_blocks,
    complete_blocks,
)
from tiebreak.advisor.leave_one_out import RANDOM, Evaluation, leave_one_out
from tiebreak.advisor.neighbours import distance_table
from tiebreak.advisor.rankings import RANKING_METHODS
from tiebreak.advisor.rankings.ranking import row_means
from tiebreak.advisor.top_n import TopN, top_n
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.documents import Document, Framed, Row, Table, as_came_in
from tiebreak.documents.parts import table_of
from tiebreak.documents.words import finite_rows
from tiebreak.errors import InputError, OptionError
from tiebreak.studies.advisor_material import Material, material
from tiebreak.studies.result import StudyResult
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.figures import Figure

SHOWN_N = (1, 2, 3, 5, 10)
AGREEMENT = ("from", "mean spearman", "better", "worse", "loss of first")
"""What is told of a recommendation, and as far as it goes of the ceiling."""


def label_of(method: str, accd: float | None) -> str:
    """Name a ranking method with its AccD."""
    return method if accd is None else f"{method}, AccD {accd:g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Run(Framed):
    """One ranking method at one AccD (None where time does not count), evaluated.

    `by_folds` and `by_datasets` compare the recommendations, the random one left out; None without neighbours.
    """

    method: str
    accd: float | None
    evaluation: Evaluation
    ceiling: FloatArray | None
    top: TopN
    by_folds: RankerComparison | None
    by_datasets: RankerComparison | None

    def rows(self) -> list[Row]:
        """Return one row per recommendation, and the ceiling."""
        return self.agreement()

    def __repr__(self) -> str:
        return f"<Run: {self.label()}; {self.evaluation.title()}>"

    def label(self) -> str:
        """Name the method with its AccD."""
        return label_of(self.method, self.accd)

    def agreement(self) -> list[Row]:
        """Return one row per recommendation, and the ceiling."""
        first = {row["method"]: row["mean loss"] for row in self.top.rows() if row["n"] == 1}
        rows = self.evaluation.rows()
        for row in rows:
            row |= {"from": row["method"], "loss of first": first[row["method"]]}
        if self.ceiling is not None:
            rows.append({"from": "half of its own folds", "mean spearman": float(row_means(self.ceiling))})
        return [{"ranking": self.label(), **{name: row.get(name) for name in AGREEMENT}} for row in rows]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AdvisorStudy(StudyResult):
    """Everything `evaluate_advisor` found; prints as a row of tables."""

    STUDY = "advisor"
    SETTINGS = ("datasets", "algorithms")

    runs: tuple[Run, ...]
    meta: advisor.MetaTable | None
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    n_origins: int
    n_folds: int
    neighbours: tuple[int, ...]
    setting: str

    def title(self) -> str:
        """Say in one line what was studied."""
        out = "data set" if self.n_origins == len(self.datasets) else f"origin ({self.n_origins})"
        return (
            f"Advisor: {len(self.algorithms)} algorithms on {len(self.datasets)} data sets x {self.n_folds} fold(s),"
            f" one {out} left out at a time; {self.setting}"
        )

    def rows(self) -> list[Row]:
        """Return the agreement of every recommendation with the ideal rankings."""
        return [row for run in self.runs for row in run.agreement()]

    def figure(self, kind: str | None = None, *, run: int = 0, **options: Any) -> Figure:
        """Draw loss against the number of algorithms tried and against time, of one of the runs."""
        check_choice("figure", kind or "top-n", ("top-n",))
        figure: Figure = self.runs[run].top.figure(ranking=self.runs[run].label(), **options)
        return figure

    def figures(self) -> dict[str, Figure]:
        """Return the figure of the first run, by its kind."""
        return {"top-n": self.figure()}

    # ---- the tables

    def document(self) -> Document:
        """Return all tables with their headings, and every caveat once."""
        compared = [comparison for run in self.runs for _, comparison in self._comparisons(run)]
        caveats = [note for comparison in compared for note in comparison.caveats]
        about: dict[str, Any] = {"papers": ("brazdil2003",), "caveats": distinct((*caveats, *self.caveats))}
        return Document(title=self.title(), tables=tuple(self._tables()), **about)

    def _tables(self) -> Iterator[Table]:
        """Of the top-N losses a few sizes are shown, always with the last; the JSON has all."""
        yield table_of(self.rows(), "Agreement with the ideal rankings")
        for run in self.runs:
            for unit, comparison in self._comparisons(run):
                yield table_of(comparison.pairs(), f"{run.label()}, blocks are {unit}: {comparison.title()}")
        for run in self.runs:
            shown = {*SHOWN_N, run.top.loss.shape[2]}
            rows = [row for row in run.top.rows() if row["n"] in shown and row["method"] != "random"]
            yield table_of(rows, f"{run.label()}: {run.top.title()}")

    def _comparisons(self, run: Run) -> list[tuple[str, RankerComparison]]:
        """Return the comparisons of a run, with what their blocks are; of single folds both are the same."""
        pairs = (("data sets x folds", run.by_folds if self.n_folds > 1 else None), ("data sets", run.by_datasets))
        return [(unit, comparison) for unit, comparison in pairs if comparison is not None]

    def measured(self) -> dict[str, Any]:
        """Return everything that was measured, fit for JSON."""
        return {
            "title": self.title(),
            "origins": self.n_origins,
            "folds": self.n_folds,
            "measures": None if self.meta is None else list(self.meta.measures),
            "runs": [_run_dict(run) for run in self.runs],
        }


def _run_dict(run: Run) -> dict[str, Any]:
    """NaN is not JSON: a data set without agreement is null."""
    means = row_means(run.evaluation.spearman)
    item = [[None if np.isnan(x) else float(x) for x in row] for row in means]
    return {
        "method": run.method,
        "accd": run.accd,
        "agreement": finite_rows(run.agreement()),
        "spearman_by_dataset": dict(zip(run.evaluation.methods, item, strict=True)),
        "ceiling": None if run.ceiling is None else float(row_means(run.ceiling)),
        "significance": {"folds": _comparison_dict(run.by_folds), "datasets": _comparison_dict(run.by_datasets)},
        "top_n": finite_rows(run.top.rows()),
    }


def _comparison_dict(comparison: RankerComparison | None) -> dict[str, Any] | None:
    """Return Friedman's M and Dunn's T as plain data."""
    return (
        None
        if comparison is None
        else {
            "m": comparison.m_corrected,
            "pvalue": comparison.pvalue,
            "blocks": comparison.n_blocks,
            "critical_t": comparison.critical_value,
            "alpha": comparison.alpha,
            "mean_ranks": dict(zip(comparison.methods, map(float, comparison.mean_ranks), strict=True)),
            "pairs": finite_rows(comparison.pairs()),
        }
    )


Say = Callable[[str], object]
SAID = {
    "all-alike": "There are no measures of the data sets: only the ranking on all data is evaluated.",
    "costs-missing": "There are no times: the share of time in top-N is the share of runs.",
    "no-folds": "There is one score per data set and algorithm: the ideal ranking is one order, without a ceiling.",
    "dependent-blocks": "Data sets of one origin are left out together; they still count as separate blocks in the"
    " tests.",
}
"""What the study says of its material, by code."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Setting:
    """Everything the runs share."""

    data: Material
    distances: FloatArray
    neighbours: tuple[int, ...]
    alpha: float
    seed: int
    progress: Say

    def results(self, method: str) -> FloatArray:
        """Success rates as a method wants them: with replications apart where it looks at folds."""
        return self.data.cube if RANKING_METHODS[method].by_folds else self.data.success


@as_came_in
def evaluate_advisor(
    base: advisor.Knowledge | None = None,
    *,
    measures: str | Sequence[str] | None = None,
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
        Past results with meta-attributes; by default what ships with the package. Without meta-attributes there are no
        neighbours, only the ranking on all data; without times N counts runs in top-N.
    measures : sequence of str or "all", optional
        By default the five of the paper where the base has them, otherwise all; a group such as "simple" stands
        for its members.
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
    data = material(advisor.shipped_knowledge() if base is None else base, measures)
    if len(set(data.origins)) < 2:
        raise InputError(
            f"All {len(data.datasets)} data sets are of one origin, {data.origins[0]!r}.",
            why="Data sets of one origin are left out together, and others must remain.",
            mend="Add data sets of another origin.",
        )
    setting = _Setting(
        data=data,
        distances=1.0 - np.eye(len(data.success))
        if data.meta is None
        else distance_table(data.meta.matrix, data.origins),
        neighbours=_check_neighbours(neighbours) if data.meta is not None else (),
        alpha=check_alpha(alpha),
        seed=seed,
        progress=progress or (lambda _: None),
    )
    runs, skipped = _runs(setting, _check_methods(methods, data.time is not None), [float(accd) for accd in accds])
    return _study(setting, runs, (*data.caveats, *skipped))


def _runs(setting: _Setting, methods: Sequence[str], accds: Sequence[float]) -> tuple[list[Run], list[Caveat]]:
    """Evaluate every method; one that these results do not allow is told in a caveat, unless it is the only one."""
    plan = [(name, accd) for name in methods for accd in (accds if RANKING_METHODS[name].trades_accuracy else (None,))]
    runs, skipped, errors = [], [], []
    for name, accd in plan:
        words = label_of(name, accd)
        setting.progress(words)
        try:
            runs.append(_run(setting, name, accd))
        except InputError as error:
            errors.append(error)
            skipped.append(Caveat("method-left-out", f"{words} is left out: {error}"))
    if not runs:
        raise errors[0]
    return runs, skipped


def _run(setting: _Setting, method: str, accd: float | None) -> Run:
    """The ceiling needs folds: it asks how well one half of them predicts the other."""
    data, by = setting.data, RANKING_METHODS[method].yardstick
    given: dict[str, Any] = {"accd": accd or 0.0}
    evaluation = leave_one_out(
        setting.results(method),
        data.time,
        distances=setting.distances,
        k=setting.neighbours,
        by=method,
        origins=data.origins,
        seed=setting.seed,
        **data.names(),
        **given,
    )
    folded = data.success.shape[2] > 1
    return Run(
        method=method,
        accd=accd,
        evaluation=evaluation,
        ceiling=ceiling(data.success, data.time, by=by, seed=setting.seed, **given) if folded else None,
        top=_top(data, evaluation),
        by_folds=_compared(evaluation, "folds", setting.alpha),
        by_datasets=_compared(evaluation, "datasets", setting.alpha),
    )


def _top(data: Material, evaluation: Evaluation) -> TopN:
    """Keep the best of the first N by every second fold where there are folds, and count its loss on the others."""
    cube, time = data.success, data.time
    means = np.where(np.isnan(row_means(cube)), np.nan, 1.0) if time is None else row_means(time)
    kept_by, counted = cube[:, :, 1::2], cube[:, :, 0::2]
    enough = (np.isfinite(row_means(kept_by)) & np.isfinite(row_means(counted)) & np.isfinite(means)).any(axis=1)
    halves = cube.shape[2] > 1 and bool(enough.all())
    return top_n(
        evaluation.by_method(),
        counted if halves else cube,
        means,
        validation=kept_by if halves else None,
        origins=data.origins,
        datasets=data.datasets,
        training=cube,
    )


def _compared(evaluation: Evaluation, unit: str, alpha: float) -> RankerComparison | None:
    """Compare the recommendations over blocks, the random one left out; None where there is nothing to compare."""
    methods = [i for i, name in enumerate(evaluation.methods) if name != RANDOM]
    return _compare(evaluation.blocks(unit)[methods], [evaluation.methods[i] for i in methods], alpha)


def _compare(values: FloatArray, methods: Sequence[str], alpha: float) -> RankerComparison | None:
    """Compare where there are two methods and two blocks at least."""
    enough = len(methods) > 1 and len(complete_blocks(values)) > 1
    return compare_blocks(values, methods, alpha=alpha) if enough else None


def _study(setting: _Setting, runs: Sequence[Run], caveats: Caveats) -> AdvisorStudy:
    """Caveats of all runs are gathered once; many runs share them, and `distinct` keeps one of each."""
    data = setting.data
    parts = [part for run in runs for part in (run.evaluation, run.top)]
    notes = [note for part in parts for note in part.caveats]
    return AdvisorStudy(
        runs=tuple(runs),
        meta=data.meta,
        **data.names(),
        n_origins=len(set(data.origins)),
        n_folds=data.success.shape[2],
        neighbours=setting.neighbours,
        setting=_words(setting),
        caveats=distinct((*caveats, *_caveats(data), *notes)),
    )


def _words(setting: _Setting) -> str:
    meta = setting.data.meta
    return "no measures" if meta is None else f"{len(meta.measures)} measures, L1 over the range"


def _caveats(data: Material) -> list[Caveat]:
    """What holds for the whole study; what holds for one run comes with its own results."""
    holds = {
        "all-alike": data.meta is None,
        "costs-missing": data.time is None,
        "no-folds": data.success.shape[2] == 1,
        "dependent-blocks": len(set(data.origins)) < len(data.datasets),
    }
    return [Caveat(code, SAID[code]) for code, when in holds.items() if when]


def _check_neighbours(neighbours: Sequence[int]) -> tuple[int, ...]:
    chosen = tuple(dict.fromkeys(int(k) for k in neighbours))
    if not chosen or min(chosen) < 1:
        raise OptionError(
            f"{option('neighbours')} is {list(neighbours)!r}.",
            why="It counts neighbours.",
            mend=f"Use {option(neighbours=(1, 5))}.",
        )
    return chosen


def _check_methods(methods: Sequence[str] | None, timed: bool) -> list[str]:
    """Without times the default is SRR: it is ARR with AccD = 0."""
    if methods is None:
        return ["arr", "mean-rank"] if timed else ["srr", "mean-rank"]
    chosen = list(dict.fromkeys(check_choice("ranking method", name, RANKING_METHODS) for name in methods))
    if not chosen:
        raise OptionError(
            "No ranking method is given.", why="There is nothing to study.", mend=f"Use {option(methods=['arr'])}."
        )
    for name in chosen:
        if RANKING_METHODS[name].needs_time and not timed:
            raise OptionError(
                f"The ranking method {name!r} was asked for without times.",
                why="It weighs accuracy against time.",
                mend=f"Give times ({option(time=...)}), or use 'srr', 'mean-rank' or 'wins'.",
            )
    return chosen
