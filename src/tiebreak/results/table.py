"""The results table, which every stage passes on: selections, means, gaps and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_choices
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.documents import Framed, Row, Shown
from tiebreak.errors import InputError, NotSaid, OptionError, quoted
from tiebreak.results.cells import Cells, array_cells, build_cells, check_text, dict_columns, order_cells
from tiebreak.results.columns import (
    Arrays,
    Columns,
    LineOf,
    ListColumn,
    Names,
    fold_means,
    met,
    present_mean,
    stacked,
)
from tiebreak.results.items import COUNTS, FOLD, ITEM, TOTAL, joined_units
from tiebreak.results.metrics import Metric, described, directions, mean_ranks, metric_named
from tiebreak.results.roles import (
    FRAME,
    METRIC,
    ROLES,
    WIDE_SCORE,
    Hosts,
    joined as joined_metrics,
    joined_hosts,
    score_names,
)
from tiebreak.wording import either, option

Codes = npt.NDArray[np.int32]
Asked = str | Sequence[str] | None
Roles = Mapping[str, str] | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Results(Shown):
    """Scores and costs of algorithms on data sets, fold by fold; immutable.

    Make one with `tiebreak.read`, `Results.from_frame`, `Results.from_array` or `Results.from_dict`. Rows are kept
    in canonical order (data set, algorithm, replication, fold, each sorted by name), so the order of the input
    never changes a result.

    Examples
    --------
    >>> table = Results.from_dict({"iris": {"tree": 0.94, "svm": 0.97}, "wine": {"tree": 0.91, "svm": 0.98}},
    ...                           scores="accuracy")
    >>> table.algorithms, table.datasets
    (('svm', 'tree'), ('iris', 'wine'))
    >>> table.means("accuracy")
    array([[0.97, 0.94],
           [0.98, 0.91]])
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    replications: tuple[str, ...]
    folds: tuple[str, ...]
    metrics: tuple[Metric, ...]
    codes: Mapping[str, Codes]
    values: Mapping[str, FloatArray]
    frame_kind: str = "polars"
    caveats: Caveats = ()
    dataset_metrics: tuple[Metric, ...] = ()  # that of each data set, where a column names it; see `metrics_on`
    data_papers: tuple[str, ...] = ()  # keys of the works that its numbers were published in
    hosts: Hosts | None = None  # where every row was measured, if that is known and there are times
    unit: str = FOLD  # what a row is: a fold; an item, in the place of a fold; or the total of a model
    clusters: Names | None = None  # of items: the document, repository or prompt of every row
    failures: frozenset[tuple[str, str]] = frozenset()  # data sets and algorithms of runs that failed

    # ---- ways in

    @classmethod
    def from_cells(cls, cells: Cells, *, frame_kind: str = "polars", costs: Iterable[str] = ()) -> Self:
        """Make a table from checked cells; `costs` are the metrics that are costs whatever their name."""
        known_costs = set(costs)
        keys: dict[str, Any] = {f"{role}s": cells.keys[role].names for role in ROLES}
        for names in (*(cells.keys[role].names for role in ROLES), cells.values):
            check_text(names)
        return cls(
            **keys,
            metrics=tuple(metric_named(name, is_cost=name in known_costs) for name in sorted(cells.values)),
            codes=Arrays({role: cells.keys[role].codes for role in ROLES}),
            values=Arrays(cells.values),
            frame_kind=frame_kind,
            caveats=cells.notes,
            dataset_metrics=tuple(metric_named(cells.metrics[name]) for name in cells.keys["dataset"].names)
            if cells.metrics
            else (),
            hosts=cells.hosts,
            unit=cells.unit,
            clusters=cells.clusters,
        )

    @classmethod
    def from_columns(
        cls,
        columns: Columns,
        *,
        scores: str | Sequence[str] | None = None,
        roles: Mapping[str, str] | None = None,
        frame_kind: str = "polars",
        source: str = "the table",
        line_of: LineOf | None = None,
        score: str | None = None,
    ) -> Self:
        """Make a table from raw columns in long or wide form; the ways in all end here."""
        cells = build_cells(columns, scores=score_names(scores, score), roles=roles, source=source, line_of=line_of)
        return cls.from_cells(cells, frame_kind=frame_kind)

    @classmethod
    def from_frame(cls, frame: Any, *, scores: Asked = None, columns: Roles = None, score: str | None = None) -> Self:
        """Read a pandas, polars or pyarrow frame in long or wide form.

        Parameters
        ----------
        frame : DataFrame or Table
            Long form has columns dataset, algorithm and optionally replication and fold, and one column per score
            or cost. Wide form has one row per data set and one column per algorithm.
        scores : str or sequence of str, optional
            The columns to read; all by default. For wide form, the name of its one score; `score` is the same.
        columns : mapping, optional
            Which header plays which role, such as {"dataset": "task", "replication": "seed"}.

        Examples
        --------
        >>> import polars as pl
        >>> frame = pl.DataFrame({"dataset": ["iris", "wine"], "svm": [0.97, 0.98], "tree": [0.94, 0.91]})
        >>> print(Results.from_frame(frame, scores="accuracy"))
        2 data sets x 2 algorithms, 1 score per cell: accuracy (higher is better)
        algorithm  accuracy
        svm           0.975
        tree          0.925
        """
        from tiebreak.results.frames import frame_columns

        names = score_names(scores, score)
        raw, kind = frame_columns(frame, told=columns, score=names[0] if names else WIDE_SCORE)
        return cls.from_columns(raw, scores=names, roles=columns, frame_kind=kind, source=FRAME)

    @classmethod
    def from_dict(
        cls, data: Mapping[str, Any], *, scores: Asked = None, columns: Roles = None, score: str | None = None
    ) -> Self:
        """Read a dictionary of columns, or {data set: {algorithm: score or list of fold scores}}."""
        names, source = score_names(scores, score), "the dictionary"
        raw = dict_columns(data, score=names[0] if names else WIDE_SCORE, source=source)
        return cls.from_columns(raw, scores=names, roles=columns, source=source)

    @classmethod
    def from_array(
        cls,
        array: npt.ArrayLike,
        *,
        score: str | None = None,
        algorithms: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
        scores: str | None = None,
    ) -> Self:
        """Read an array (data sets, algorithms), with folds or (replications, folds) as further axes.

        Examples
        --------
        >>> Results.from_array([[0.9, 0.8], [0.7, 0.6]], score="accuracy", algorithms=["a", "b"]).datasets
        ('data set 1', 'data set 2')
        """
        cells = array_cells(array, score=score, scores=scores, algorithms=algorithms, datasets=datasets)
        return cls.from_cells(cells)

    # ---- what is in it

    def __len__(self) -> int:
        return len(self.codes["dataset"])

    def __repr__(self) -> str:
        return f"<Results: {self.title()}>"

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The names of the data sets, algorithms, replications and folds, by role."""
        return dict(zip(ROLES, (self.datasets, self.algorithms, self.replications, self.folds), strict=True))

    @property
    def key_columns(self) -> dict[str, Names]:
        """The names of all rows, by role."""
        return {role: Names(codes=self.codes[role], names=known) for role, known in self.names.items()}

    @property
    def scores(self) -> tuple[str, ...]:
        """The names of the scores."""
        others = {*self.spreads, *(COUNTS if self.unit == TOTAL else ())}
        return tuple(metric.name for metric in self.metrics if not metric.is_cost and metric.name not in others)

    @property
    def spreads(self) -> tuple[str, ...]:
        """The columns that hold the standard deviation of another one, such as accuracy_sd beside accuracy."""
        known = {metric.name for metric in self.metrics}
        return tuple(name for name in sorted(known) if name.endswith("_sd") and name.removesuffix("_sd") in known)

    @property
    def costs(self) -> tuple[str, ...]:
        """The names of the costs."""
        return tuple(metric.name for metric in self.metrics if metric.is_cost)

    def metric(self, name: str) -> Metric:
        """Look up a score or cost by its exact name."""
        known = {metric.name: metric for metric in self.metrics}
        hint = ""
        if name not in known and list(known) == [WIDE_SCORE]:
            hint = f"This table was read in wide form without naming its score: read it with {option(scores=name)}."
        return known[check_choice("score", name, known, mend=hint)]

    @property
    def metric_of(self) -> dict[str, Metric]:
        """The metric of each data set, where a column of the table names it; empty otherwise."""
        return dict(zip(self.datasets, self.dataset_metrics, strict=bool(self.dataset_metrics)))

    def metrics_on(self, name: str) -> tuple[Metric, ...]:
        """Return the metric that a score holds on each data set: one for all, unless a column names them.

        Examples
        --------
        >>> table = Results.from_dict({"dataset": ["iris", "cars"], "algorithm": ["svm", "svm"],
        ...                            "metric": ["auc", "rmse"], "score": [0.9, 1200.0], "train_time": [1.0, 2.0]})
        >>> [(metric.name, metric.higher_is_better) for metric in table.metrics_on("score")]
        [('rmse', False), ('auc', True)]
        >>> {metric.name for metric in table.metrics_on("train_time")}
        {'train_time'}
        """
        metric = self.metric(name)
        if self.dataset_metrics and name in described(self.metrics):
            return self.dataset_metrics
        return (metric,) * len(self.datasets)

    def only_score(self) -> str:
        """Return the name of the one score, or refuse to choose."""
        names = self.scores or self.costs
        if len(names) != 1:
            raise NotSaid(
                f"The table holds {len(names)} scores: {quoted(names)}.", mend=f"Say {option(score=names[0])}."
            )
        return names[0]

    # ---- views

    def _pairs(self) -> tuple[IntArray, IntArray]:
        """First row and number of rows of every (data set, algorithm)."""
        pair = self.codes["dataset"].astype(np.int64) * len(self.algorithms) + self.codes["algorithm"]
        counts = np.bincount(pair, minlength=len(self.datasets) * len(self.algorithms)).astype(np.int64)
        return np.cumsum(counts) - counts, counts

    def means(self, name: str, *, partial: bool = False) -> FloatArray:
        """Average each algorithm's folds on each data set; NaN where a fold or the whole cell is missing.

        The sum carries its rounding error along (two-sum), so it does not depend on the order of the folds.

        Parameters
        ----------
        name : str
            A score or cost.
        partial : bool, default False
            Average the folds that are there even if others have more.

        Returns
        -------
        ndarray, shape (data sets, algorithms)
        """
        self.metric(name)
        starts, counts = self._pairs()
        shape = len(self.datasets), len(self.algorithms)
        mean = fold_means(self.values[name], starts, counts, partial=partial).reshape(shape)
        if not partial:
            mean[counts.reshape(shape) < self._expected()[:, None]] = np.nan
        return mean

    def _expected(self) -> IntArray:
        """How many folds each data set has, counted over all algorithms."""
        n_folds = len(self.replications) * len(self.folds)
        if len(self) == len(self.datasets) * len(self.algorithms) * n_folds:
            return np.full(len(self.datasets), n_folds, dtype=np.int64)
        slot = self._slot()
        seen = np.zeros((len(self.datasets), n_folds), dtype=bool)
        seen[self.codes["dataset"], slot] = True
        return np.asarray(seen.sum(axis=1), dtype=np.int64)

    def _slot(self) -> IntArray:
        """Number the folds of all replications in one count."""
        return self.codes["replication"].astype(np.int64) * len(self.folds) + self.codes["fold"]

    def cube(self, name: str) -> FloatArray:
        """Lay the scores out as (data sets, algorithms, replications, folds), NaN where there is none."""
        self.metric(name)
        shape = len(self.datasets), len(self.algorithms), len(self.replications), len(self.folds)
        out = np.full(shape, np.nan)
        out[tuple(self.codes[role] for role in ROLES)] = self.values[name]
        return out

    def gaps(self, name: str) -> tuple[Gap, ...]:
        """List the missing scores: whole cells first named as such, single folds where the rest is there.

        Examples
        --------
        >>> table = Results.from_dict({"iris": {"svm": [0.9, float("nan")], "tree": [0.7, 0.6]},
        ...                            "wine": {"svm": [0.9, 0.8]}}, scores="accuracy")
        >>> [str(gap) for gap in table.gaps("accuracy")]
        ["'svm' on 'iris' (replication 1, fold 2)", "'tree' on 'wine'"]
        """
        missing = np.argwhere(np.isnan(self.means(name)))
        slot, values = self._slot(), self.values[name]
        starts, counts = self._pairs()
        gaps: list[Gap] = []
        for d, a in missing:
            pair = int(d) * len(self.algorithms) + int(a)
            rows = slice(starts[pair], starts[pair] + counts[pair])
            present = set(slot[rows][~np.isnan(values[rows])].tolist())
            names = {"dataset": self.datasets[d], "algorithm": self.algorithms[a], "frame_kind": self.frame_kind}
            if not present:
                gaps.append(Gap(**names))
                continue
            first, last = np.searchsorted(self.codes["dataset"], [d, d + 1])
            expected = set(slot[first:last].tolist())
            for place in sorted(expected - present):
                r, f = divmod(place, len(self.folds))
                gaps.append(Gap(**names, replication=self.replications[r], fold=self.folds[f]))
        return tuple(gaps)

    # ---- selections

    def complete(self, name: str | None = None) -> Self:
        """Drop the data sets on which some algorithm has a gap (in `name`, or in any score or cost)."""
        return self.without(datasets=self._with_gaps(name, "dataset"))

    def complete_algorithms(self, name: str | None = None) -> Self:
        """Drop the algorithms that have a gap on some data set."""
        return self.without(algorithms=self._with_gaps(name, "algorithm"))

    def complete_folds(self, name: str) -> Self:
        """Drop, for all algorithms alike, the folds of a data set that some algorithm lacks."""
        self.metric(name)
        n_folds = len(self.replications) * len(self.folds)
        place = self.codes["dataset"].astype(np.int64) * n_folds + self._slot()
        there = np.bincount(place[~np.isnan(self.values[name])], minlength=len(self.datasets) * n_folds)
        return self._take(there[place] == len(self.algorithms))

    def _with_gaps(self, name: str | None, role: str) -> set[str]:
        names = [metric.name for metric in self.metrics if metric.name not in self.spreads] if name is None else [name]
        return {getattr(gap, role) for text in names for gap in self.gaps(text)}

    def only(
        self, *, datasets: str | Iterable[str] | None = None, algorithms: str | Iterable[str] | None = None
    ) -> Self:
        """Keep these data sets and algorithms."""
        keep = np.ones(len(self), dtype=bool)
        for role, wanted in (("dataset", datasets), ("algorithm", algorithms)):
            if wanted is not None:
                keep &= self._named(role, wanted)
        return self._take(keep)

    def without(self, *, datasets: str | Iterable[str] = (), algorithms: str | Iterable[str] = ()) -> Self:
        """Leave out these data sets and algorithms."""
        return self._take(~(self._named("dataset", datasets) | self._named("algorithm", algorithms)))

    def where(self, *conditions: str) -> Self:
        """Keep the rows that meet all conditions on the keys, scores and costs; a caveat says how many went.

        Examples
        --------
        >>> table = Results.from_dict({"iris": {"tree": [0.9, 0.8]}}, scores="accuracy").where("fold == 1")
        >>> len(table), table.caveats
        (1, ('the table: 1 of 2 rows left out; kept are those where fold == 1.',))
        """
        known: Columns = {**key_lists(self), **{name: ListColumn(column) for name, column in self.values.items()}}
        keep, caveats = met(known, conditions, source="the table")
        return replace(self._take(keep), caveats=(*self.caveats, *caveats)) if caveats else self

    def _named(self, role: str, wanted: str | Iterable[str]) -> BoolArray:
        """Mark the rows of these data sets or algorithms; a string is one name."""
        names, known = {wanted} if isinstance(wanted, str) else set(map(str, wanted)), self.names[role]
        check_choices("data set" if role == "dataset" else role, sorted(names - set(known)), known)
        return np.asarray(np.array([name in names for name in known], dtype=bool)[self.codes[role]])

    def _take(self, keep: BoolArray) -> Self:
        """Names that no kept row uses are dropped as well: a data set without rows is not in the table."""
        options = {role: key.take(keep) for role, key in self.key_columns.items()}
        names: dict[str, Any] = {f"{role}s": current.names for role, current in options.items()}
        return replace(
            self,
            **names,
            codes=Arrays({role: current.codes for role, current in options.items()}),
            values=Arrays({name: column[keep] for name, column in self.values.items()}),
            dataset_metrics=tuple(known[name] for name in names["datasets"]) if (known := self.metric_of) else (),
            hosts=None if self.hosts is None else self.hosts.take(keep),
            clusters=None if self.clusters is None else self.clusters.take(keep),
        )

    # ---- ways out

    def rows(self) -> list[Row]:
        """Return one row per algorithm with the mean of every score and cost; mean ranks where metrics differ.

        Scores by different metrics are never averaged; where it is not known which way is better, not even ranks are
        given.

        Examples
        --------
        >>> print(Results.from_dict({"dataset": ["iris", "iris", "cars", "cars"], "algorithm": ["svm", "tree"] * 2,
        ...                          "metric": ["auc", "auc", "rmse", "rmse"], "score": [0.9, 0.8, 1200.0, 1300.0]}))
        2 data sets x 2 algorithms, 1 score per cell: score (rmse on 1, auc on 1)
        algorithm  mean rank by score
        svm                         1
        tree                        2
        """
        columns: dict[str, list[float]] = {}
        for current in self.metrics:
            if current.name in self.spreads:  # a mean of standard deviations says nothing
                continue
            table, metrics = self.means(current.name, partial=True), self.metrics_on(current.name)
            if len({metric.key for metric in metrics}) <= 1:
                columns[current.name] = [present_mean(column) for column in table.T]
            elif current.higher_is_better is not None or all(metric.higher_is_better is not None for metric in metrics):
                columns[f"mean rank by {current.name}"] = mean_ranks(table, directions(self, current.name)[0])
        return [
            {"algorithm": name, **{key: column[i] for key, column in columns.items()}}
            for i, name in enumerate(self.algorithms)
        ]

    def title(self) -> str:
        """Say in one line what the table holds."""
        per = sorted(set(self._pairs()[1].tolist()) - {0})
        count = str(per[0]) if len(per) == 1 else f"{per[0]} to {per[-1]}" if per else "0"
        sets = "data set" if len(self.datasets) == 1 else "data sets"
        size = f"{len(self.datasets)} {sets} x {len(self.algorithms)} algorithms"
        what = "answer" if self.unit == ITEM else "score"
        return f"{size}, {count} {what}{'' if count == '1' else 's'} per cell: {_columns_said(self)}"

    def to_frame(self, kind: str | None = None) -> Any:
        """Return the long table as a data frame of the kind that came in, or of the named kind.

        Examples
        --------
        >>> Results.from_dict({"iris": {"tree": 0.9}}, scores="accuracy").to_frame("polars").columns
        ['dataset', 'algorithm', 'replication', 'fold', 'accuracy']
        """
        from tiebreak.results.frames import build_frame

        columns: dict[str, Any] = {role: column.values for role, column in key_lists(self).items()}
        columns |= {metric.name: self.values[metric.name] for metric in self.metrics}
        return build_frame(columns, kind or self.frame_kind)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Gap(Framed):
    """One missing score; `fold` and `replication` are None where the whole cell is missing."""

    dataset: str
    algorithm: str
    replication: str | None = None
    fold: str | None = None

    def __str__(self) -> str:
        place = f"{self.algorithm!r} on {self.dataset!r}"
        if self.fold is None:
            return place
        return f"{place} (replication {self.replication}, fold {self.fold})"


_WITH_SD = ", with its standard deviation"
_SAID = {True: "higher is better", False: "lower is better", None: "direction unknown"}


def _columns_said(results: Results) -> str:
    """List the scores and costs, each with its direction or with the metrics that a column names."""
    spreads = set(results.spreads)
    parts = [
        f"{metric.name} ({_about(results, metric)}{_WITH_SD if f'{metric.name}_sd' in spreads else ''})"
        for metric in results.metrics
        if metric.is_cost or metric.name in results.scores
    ]
    return ", ".join(parts)


def _about(results: Results, metric: Metric) -> str:
    if not results.dataset_metrics or results.metrics_on(metric.name) is not results.dataset_metrics:
        return _SAID[metric.higher_is_better]
    counts = Counter(item.name for item in results.dataset_metrics)
    return ", ".join(f"{name} on {number}" for name, number in counts.most_common())


def key_lists(results: Results) -> dict[str, ListColumn]:
    """Write out the names of all rows, and the metric of each where data sets have their own."""
    names = dict(results.names)
    if results.dataset_metrics:
        names[METRIC] = tuple(metric.name for metric in results.dataset_metrics)
    codes = {**results.codes, METRIC: results.codes["dataset"]}
    return {role: ListColumn(np.array(known, dtype=object)[codes[role]].tolist()) for role, known in names.items()}


def stack(tables: Sequence[Results], *, sources: Sequence[str] | None = None) -> Results:
    """Put the rows of several tables into one; they must have the same scores and costs.

    `sources` names the tables in messages, such as the files they were read from.

    Examples
    --------
    >>> one = Results.from_dict({"iris": {"svm": 0.9}}, scores="accuracy")
    >>> two = Results.from_dict({"wine": {"svm": 0.8}}, scores="accuracy")
    >>> stack([one, two]).datasets
    ('iris', 'wine')
    """
    if not tables:
        raise OptionError("No table was given.", mend="Give at least one.")
    first = tables[0]
    if len(tables) == 1:
        return first
    spreads = {name for table in tables for name in table.spreads}  # kept where all tables hold them
    names = {metric.name for metric in first.metrics} - spreads
    for table in tables[1:]:
        differing = names ^ ({metric.name for metric in table.metrics} - spreads)
        if differing:
            raise InputError(
                f"The tables do not hold the same columns: {quoted(sorted(differing))} in one only.",
                mend=f"Read the columns they share with {option(scores=[...])}.",
            )
    names |= {name for name in spreads if all(name in table.values for table in tables)}
    keys = {role: stacked([table.key_columns[role] for table in tables]) for role in ROLES}
    values = {name: np.concatenate([table.values[name] for table in tables]) for name in sorted(names)}
    called = sources or [f"table {number}" for number in range(1, len(tables) + 1)]
    metrics = joined_metrics([_metric_names(table) for table in tables], called)
    ends = np.cumsum([len(table) for table in tables])
    hosts = joined_hosts(tables)
    unit, clusters = joined_units(tables)
    cells = order_cells(
        keys, values, hosts=hosts, clusters=clusters, unit=unit,
        at=lambda row: called[int(np.searchsorted(ends, row, side="right"))],
    )  # fmt: skip
    notes = distinct(note for table in tables for note in table.caveats)
    joined = replace(cells, notes=notes, metrics=metrics)
    made = Results.from_cells(joined, frame_kind=first.frame_kind, costs=first.costs)
    failures = frozenset().union(*(table.failures for table in tables))
    return replace(_directed(made, tables), data_papers=_papers(tables), failures=failures)


def _directed(made: Results, tables: Sequence[Results]) -> Results:
    """Keep what the tables know of the direction of better, which a name such as 'match' does not tell."""
    on = {name: [metric for table in tables if (metric := table.metric_of.get(name))] for name in made.metric_of}
    return replace(
        made,
        metrics=tuple(_as_told(metric, [table.metric(metric.name) for table in tables]) for metric in made.metrics),
        dataset_metrics=tuple(_as_told(metric, on[name]) for name, metric in made.metric_of.items()),
    )


def _as_told(metric: Metric, metrics: Sequence[Metric]) -> Metric:
    """Where two disagree, nothing is known."""
    ways = {item.higher_is_better for item in metrics} - {None}
    return replace(metric, higher_is_better=ways.pop() if len(ways) == 1 else None) if ways else metric


def _papers(tables: Sequence[Results]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for table in tables for key in table.data_papers))


def _metric_names(table: Results) -> dict[str, str]:
    return {name: metric.name for name, metric in table.metric_of.items()}


def with_costs(results: Results, costs: Results) -> Results:
    """Add the columns of a table of costs, matched by data set and algorithm.

    The costs may be given once per data set and algorithm, or once per algorithm (a table with the one
    data set '*'), or fold by fold; their means are used. A cost that is not there stays a gap; gaps,
    and names that the results do not know, are noted in the caveats.

    Examples
    --------
    >>> table = Results.from_dict({"iris": {"svm": [0.9, 0.8]}}, scores="accuracy")
    >>> priced = with_costs(table, Results.from_dict({"*": {"svm": 3.0}}, scores="train_time"))
    >>> priced.costs, priced.means("train_time")
    (('train_time',), array([[3.]]))
    """
    shared = {metric.name for metric in costs.metrics} & {metric.name for metric in results.metrics}
    if shared:
        raise InputError(
            f"Both tables hold a column {sorted(shared)[0]!r}.",
            mend=either(
                "Name what each table holds when reading it: scores='accuracy', scores='train_time'.",
                f"Name the score of the results: {option(score='accuracy')}.",
            )
            if WIDE_SCORE in shared
            else "Rename it in one of them.",
        )
    rows = _matching(results.datasets, costs.datasets)
    columns = _matching(results.algorithms, costs.algorithms)
    known = (rows[:, None] >= 0) & (columns >= 0)
    means = {metric.name: np.full(known.shape, np.nan) for metric in costs.metrics}
    for name, table in means.items():
        table[known] = costs.means(name)[rows[:, None], columns][known]
    codes = results.codes
    cells = Cells(
        keys=results.key_columns,
        values={**results.values, **{name: means[name][codes["dataset"], codes["algorithm"]] for name in means}},
        notes=distinct([*results.caveats, *costs.caveats, *_unmatched(results, costs), *_unknown(results, means)]),
        metrics=_metric_names(results),
        hosts=results.hosts,
        unit=results.unit,
        clusters=results.clusters,
    )
    made = Results.from_cells(cells, frame_kind=results.frame_kind, costs=[*results.costs, *means])
    options = {metric.name: metric for metric in results.metrics}  # a direction may be known from more than the name
    metrics = tuple(options.get(metric.name, metric) for metric in made.metrics)
    return replace(made, metrics=metrics, data_papers=_papers([results, costs]))


def split_by_metric(results: Results) -> Results:
    """Give every metric of a column of metrics a score of its own, named after both; gaps where another one holds.

    For places that know scores by name alone, such as a store.

    Examples
    --------
    >>> table = Results.from_dict({"dataset": ["iris", "cars"], "algorithm": ["svm", "svm"],
    ...                            "metric": ["auc", "rmse"], "score": [0.9, 1200.0]})
    >>> split_by_metric(table).scores
    ('score (auc)', 'score (rmse)')
    """
    if not results.dataset_metrics:
        return results
    values = dict(results.values)
    names = np.array([metric.name for metric in results.dataset_metrics], dtype=object)[results.codes["dataset"]]
    for score in described(results.metrics):
        column = values.pop(score)
        for metric in sorted(set(names.tolist())):
            values[f"{score} ({metric})"] = np.where(names == metric, column, np.nan)
    cells = Cells(
        keys=results.key_columns, values=values, notes=results.caveats, hosts=results.hosts, unit=results.unit
    )
    return Results.from_cells(cells, frame_kind=results.frame_kind, costs=results.costs)


def _unmatched(results: Results, costs: Results) -> Iterator[Caveat]:
    """Note the names in the costs that the results do not know."""
    for role, kind in (("dataset", "data sets"), ("algorithm", "algorithms")):
        known = {*results.names[role], *(["*"] if costs.names[role] == ("*",) else [])}
        strange = [name for name in costs.names[role] if name not in known]
        if strange:
            text = f"The costs name {kind} that the results do not hold: {quoted(strange)}."
            yield Caveat("costs-unmatched", text)


def _unknown(results: Results, means: Mapping[str, FloatArray]) -> Iterator[Caveat]:
    """Note the costs that are missing."""
    for name, table in means.items():
        gaps = np.argwhere(np.isnan(table))
        if len(gaps):
            first = f"{results.algorithms[gaps[0, 1]]!r} on {results.datasets[gaps[0, 0]]!r}"
            text = f"{name} is missing in {len(gaps)} of {table.size} cells, such as {first}."
            yield Caveat("costs-missing", text)


def _matching(wanted: tuple[str, ...], known: tuple[str, ...]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Index of each wanted name among the known ones, -1 where absent; '*' matches every name."""
    place = {name: i for i, name in enumerate(known)}
    default = place["*"] if known == ("*",) else -1
    return np.array([place.get(name, default) for name in wanted], dtype=np.int64)
