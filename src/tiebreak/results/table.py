"""The results table: the one thing that crosses every stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_names, readonly
from tiebreak._show import Row, Shown
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.results.build import ROLES, WIDE_SCORE, Cells, build_cells, order_cells
from tiebreak.results.columns import Columns, ListColumn, Names, sorted_names
from tiebreak.results.gaps import Gap
from tiebreak.results.metrics import Metric, metric_named

Codes = npt.NDArray[np.int32]


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
    caveats: tuple[str, ...] = ()

    # ---- ways in

    @classmethod
    def from_cells(cls, cells: Cells, *, frame_kind: str = "polars", costs: Iterable[str] = ()) -> Self:
        """Make a table from checked cells; `costs` are the metrics that are costs whatever their name."""
        known_costs = set(costs)
        return cls(
            datasets=cells.names["dataset"],
            algorithms=cells.names["algorithm"],
            replications=cells.names["replication"],
            folds=cells.names["fold"],
            metrics=tuple(metric_named(name, is_cost=name in known_costs) for name in sorted(cells.values)),
            codes=_frozen(cells.codes),
            values=_frozen(cells.values),
            frame_kind=frame_kind,
            caveats=cells.notes,
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
        first_line: int | None = None,
    ) -> Self:
        """Make a table from raw columns in long or wide form; the ways in all end here."""
        names = [scores] if isinstance(scores, str) else None if scores is None else list(scores)
        cells = build_cells(columns, scores=names, roles=roles, source=source, first_line=first_line)
        return cls.from_cells(cells, frame_kind=frame_kind)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        scores: str | Sequence[str] | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> Self:
        """Read a pandas, polars or pyarrow frame in long or wide form.

        Parameters
        ----------
        frame : DataFrame or Table
            Long form has columns dataset, algorithm and optionally replication and fold, and one column per score
            or cost. Wide form has one row per data set and one column per algorithm.
        scores : str or sequence of str, optional
            The columns to read; all by default. For wide form, the name of its one score.
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

        raw, kind = frame_columns(frame)
        return cls.from_columns(raw, scores=scores, roles=columns, frame_kind=kind, source="the frame")

    @classmethod
    def from_dict(
        cls,
        data: Mapping[str, Any],
        *,
        scores: str | Sequence[str] | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> Self:
        """Read a dictionary of columns, or {data set: {algorithm: score or list of fold scores}}."""
        if data and all(isinstance(value, Mapping) for value in data.values()):
            return cls.from_columns(_unnested(data, scores), source="the dictionary")
        lengths = {name: len(column) for name, column in data.items()}
        if len(set(lengths.values())) > 1:
            raise InputError(
                f"The columns of the dictionary have different lengths: {lengths}.",
                why="Row i of every column describes the same run.",
                mend="Make them equally long.",
            )
        raw: Columns = {str(name): ListColumn(column) for name, column in data.items()}
        return cls.from_columns(raw, scores=scores, roles=columns, source="the dictionary")

    @classmethod
    def from_array(
        cls,
        array: npt.ArrayLike,
        *,
        score: str,
        algorithms: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
    ) -> Self:
        """Read an array (data sets, algorithms), with folds or (replications, folds) as further axes.

        Examples
        --------
        >>> Results.from_array([[0.9, 0.8], [0.7, 0.6]], score="accuracy", algorithms=["a", "b"]).datasets
        ('data set 1', 'data set 2')
        """
        cube = as_floats(array, what="array")
        if not 2 <= cube.ndim <= 4 or 0 in cube.shape:
            raise InputError(
                f"array has shape {cube.shape}.",
                why="Its axes are data sets, algorithms, and optionally replications and folds.",
                mend="Pass an array with two to four axes, none of them empty.",
            )
        if np.isinf(cube).any():
            raise InputError(
                "array holds an infinite value.",
                why="It cannot be averaged or tested.",
                mend="Use NaN if the run failed.",
            )
        cube = cube[:, :, None, :] if cube.ndim == 3 else cube.reshape(*cube.shape, 1, 1) if cube.ndim == 2 else cube
        names = {
            "dataset": check_names(datasets, cube.shape[0], kind="data set"),
            "algorithm": check_names(algorithms, cube.shape[1], kind="algorithm"),
            "replication": tuple(str(i + 1) for i in range(cube.shape[2])),
            "fold": tuple(str(i + 1) for i in range(cube.shape[3])),
        }
        grid = np.indices(cube.shape, dtype=np.int32).reshape(4, -1)
        keys = {role: _by_name(grid[i], names[role]) for i, role in enumerate(ROLES)}
        return cls.from_cells(order_cells(keys, {score: cube.ravel()}))

    # ---- what is in it

    def __len__(self) -> int:
        return len(self.codes["dataset"])

    @property
    def scores(self) -> tuple[str, ...]:
        """The names of the scores."""
        return tuple(metric.name for metric in self.metrics if not metric.is_cost)

    @property
    def costs(self) -> tuple[str, ...]:
        """The names of the costs."""
        return tuple(metric.name for metric in self.metrics if metric.is_cost)

    def metric(self, name: str) -> Metric:
        """Look up a score or cost by its exact name."""
        for metric in self.metrics:
            if metric.name == name:
                return metric
        names = [metric.name for metric in self.metrics]
        hint = (
            f"This table was read in wide form without naming its score: read it with scores={name!r}."
            if names == [WIDE_SCORE]
            else ""
        )
        raise unknown_name("score", name, names, mend=hint)

    def only_score(self) -> str:
        """Return the name of the one score, or refuse to choose."""
        names = self.scores or self.costs
        if len(names) != 1:
            raise OptionError(
                f"The table holds {len(names)} scores: {', '.join(map(repr, names))}.",
                why="One of them must be compared, and the choice matters.",
                mend=f"Say score={names[0]!r} (--score {names[0]} on the command line).",
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
        values = self.values[name]
        starts, counts = self._pairs()
        total, lost, seen = np.zeros(len(counts)), np.zeros(len(counts)), np.zeros(len(counts))
        even = bool((counts == counts[0]).all())
        for position in range(int(counts.max(initial=0))):
            cells = slice(None) if even else np.flatnonzero(counts > position)
            added = values[position :: counts[0]] if even else values[starts[cells] + position]
            there = ~np.isnan(added) if partial else np.True_
            added = np.where(there, added, 0.0) if partial else added
            before = total[cells]
            after = before + added
            shift = after - before
            lost[cells] += (before - (after - shift)) + (added - shift)
            total[cells] = after
            seen[cells] += there
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = (total + lost) / seen
        shape = len(self.datasets), len(self.algorithms)
        mean = np.where(seen > 0, mean, np.nan).reshape(shape)
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
        return self.codes["replication"].astype(np.int64) * len(self.folds) + self.codes["fold"]

    def cube(self, name: str) -> FloatArray:
        """Lay the scores out as (data sets, algorithms, replications, folds), NaN where there is none."""
        self.metric(name)
        shape = len(self.datasets), len(self.algorithms), len(self.replications), len(self.folds)
        out = np.full(shape, np.nan)
        out[tuple(self.codes[role] for role in ROLES)] = self.values[name]
        return out

    def gaps(self, name: str) -> tuple[Gap, ...]:
        """List the missing scores: whole cells first named as such, single folds where the rest is there."""
        missing = np.argwhere(np.isnan(self.means(name)))
        slot, values = self._slot(), self.values[name]
        starts, counts = self._pairs()
        found: list[Gap] = []
        for d, a in missing:
            pair = int(d) * len(self.algorithms) + int(a)
            rows = slice(starts[pair], starts[pair] + counts[pair])
            present = set(slot[rows][~np.isnan(values[rows])].tolist())
            names = {"dataset": self.datasets[d], "algorithm": self.algorithms[a]}
            if not present:
                found.append(Gap(**names))
                continue
            first, last = np.searchsorted(self.codes["dataset"], [d, d + 1])
            expected = set(slot[first:last].tolist())
            for place in sorted(expected - present):
                r, f = divmod(place, len(self.folds))
                found.append(Gap(**names, replication=self.replications[r], fold=self.folds[f]))
        return tuple(found)

    # ---- selections

    def complete(self, name: str | None = None) -> Self:
        """Drop the data sets on which some algorithm has a gap (in `name`, or in any score or cost)."""
        return self.only(datasets=[d for d in self.datasets if d not in self._with_gaps(name, "dataset")])

    def complete_algorithms(self, name: str | None = None) -> Self:
        """Drop the algorithms that have a gap on some data set."""
        return self.only(algorithms=[a for a in self.algorithms if a not in self._with_gaps(name, "algorithm")])

    def complete_folds(self, name: str) -> Self:
        """Drop, for all algorithms alike, the folds of a data set that some algorithm lacks."""
        n_folds = len(self.replications) * len(self.folds)
        place = self.codes["dataset"].astype(np.int64) * n_folds + self._slot()
        there = np.bincount(place[~np.isnan(self.values[name])], minlength=len(self.datasets) * n_folds)
        return self._take(there[place] == len(self.algorithms))

    def _with_gaps(self, name: str | None, role: str) -> set[str]:
        names = [metric.name for metric in self.metrics] if name is None else [name]
        return {getattr(gap, role) for each in names for gap in self.gaps(each)}

    def only(self, *, datasets: Iterable[str] | None = None, algorithms: Iterable[str] | None = None) -> Self:
        """Keep these data sets and algorithms."""
        keep = np.ones(len(self), dtype=bool)
        for role, wanted, known in (
            ("dataset", datasets, self.datasets),
            ("algorithm", algorithms, self.algorithms),
        ):
            if wanted is None:
                continue
            names = set(wanted)
            for name in names - set(known):
                raise unknown_name("data set" if role == "dataset" else role, name, known)
            keep &= np.array([name in names for name in known], dtype=bool)[self.codes[role]]
        return self._take(keep)

    def without(self, *, datasets: Iterable[str] = (), algorithms: Iterable[str] = ()) -> Self:
        """Leave out these data sets and algorithms."""
        gone_d, gone_a = set(datasets), set(algorithms)
        self.only(datasets=gone_d, algorithms=gone_a)  # refuses unknown names
        return self.only(
            datasets=[name for name in self.datasets if name not in gone_d],
            algorithms=[name for name in self.algorithms if name not in gone_a],
        )

    def _take(self, keep: npt.NDArray[np.bool_]) -> Self:
        codes, names = {}, {}
        for role, known in zip(ROLES, (self.datasets, self.algorithms, self.replications, self.folds), strict=True):
            own = self.codes[role][keep]
            used = np.zeros(len(known), dtype=bool)
            used[own] = True
            codes[role] = (np.cumsum(used) - 1).astype(np.int32)[own]
            names[role] = tuple(name for name, there in zip(known, used, strict=True) if there)
        return replace(
            self,
            datasets=names["dataset"],
            algorithms=names["algorithm"],
            replications=names["replication"],
            folds=names["fold"],
            codes=_frozen(codes),
            values=_frozen({name: column[keep] for name, column in self.values.items()}),
        )

    # ---- ways out

    def rows(self) -> list[Row]:
        """Return one row per algorithm with the mean of every score and cost over the data sets."""
        means = {metric.name: self.means(metric.name, partial=True) for metric in self.metrics}
        with np.errstate(invalid="ignore"):
            return [
                {"algorithm": name, **{key: _nanmean(table[:, i]) for key, table in means.items()}}
                for i, name in enumerate(self.algorithms)
            ]

    def title(self) -> str:
        """Say in one line what the table holds."""
        said = {True: " (higher is better)", False: " (lower is better)", None: " (direction unknown)"}
        listed = ", ".join(metric.name + said[metric.higher_is_better] for metric in self.metrics)
        per = sorted(set(self._pairs()[1].tolist()) - {0})
        count = str(per[0]) if len(per) == 1 else f"{per[0]} to {per[-1]}" if per else "0"
        size = f"{len(self.datasets)} data sets x {len(self.algorithms)} algorithms"
        return f"{size}, {count} score{'' if count == '1' else 's'} per cell: {listed}"

    def to_frame(self, kind: str | None = None) -> Any:
        """Return the long table as a data frame of the kind that came in, or of the named kind.

        Examples
        --------
        >>> Results.from_dict({"iris": {"tree": 0.9}}, scores="accuracy").to_frame("polars").columns
        ['dataset', 'algorithm', 'replication', 'fold', 'accuracy']
        """
        from tiebreak.results.frames import build_frame

        names = (self.datasets, self.algorithms, self.replications, self.folds)
        columns: dict[str, Any] = {
            role: np.array(known, dtype=object)[self.codes[role]].tolist()
            for role, known in zip(ROLES, names, strict=True)
        }
        columns |= {metric.name: self.values[metric.name] for metric in self.metrics}
        return build_frame(columns, kind or self.frame_kind)


def _frozen(arrays: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType({name: readonly(array) for name, array in arrays.items()})


def _nanmean(column: FloatArray) -> float:
    there = column[~np.isnan(column)]
    return float(there.mean()) if there.size else float("nan")


def _by_name(codes: Codes, names: tuple[str, ...]) -> Names:
    return sorted_names(codes, names)


def _unnested(data: Mapping[str, Mapping[str, Any]], scores: str | Sequence[str] | None) -> Columns:
    """Flatten {data set: {algorithm: score or fold scores}} into long columns."""
    name = scores if isinstance(scores, str) else scores[0] if scores else WIDE_SCORE
    rows: dict[str, list[Any]] = {"dataset": [], "algorithm": [], "fold": [], name: []}
    for dataset, inner in data.items():
        for algorithm, score in inner.items():
            folds = list(score) if isinstance(score, (list, tuple, np.ndarray)) else [score]
            rows["dataset"] += [str(dataset)] * len(folds)
            rows["algorithm"] += [str(algorithm)] * len(folds)
            rows["fold"] += range(1, len(folds) + 1)
            rows[name] += folds
    return {key: ListColumn(column) for key, column in rows.items()}
