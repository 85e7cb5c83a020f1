"""What is known: success rates, times and meta-attributes of data sets and algorithms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_names, readonly
from tiebreak.advisor.meta_table import Described, MetaTable, names_of
from tiebreak.advisor.neighbours import SCALINGS, distance_table
from tiebreak.advisor.rankings.ranking import row_means
from tiebreak.advisor.success_rates import SCORES, kind_of_score, shown_rates, success_rates
from tiebreak.attributes.catalogue import default_measures
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.datasets.targets import check_kind
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results import Results
from tiebreak.results.roles import check_one_host, on_one_scale, one_name
from tiebreak.stats.results import rows_of
from tiebreak.wording import option

TIMES = (("train_time", "predict_time"), ("fit_time", "score_time"), ("training_time", "inference_time"))
"""Pairs of times that are added up where both were measured and nobody named a time."""


def seconds_of(results: Results, time: str | Sequence[str] | None) -> tuple[FloatArray | None, Caveats]:
    """Return the times as a cube, several added up, and say which."""
    names = _time_names(results) if time is None else names_of(time)
    if not names:
        return None, ()
    check_one_host(results, names, on_each=True)  # what all algorithms of a data set share cancels out
    cube = np.sum([results.cube(name) for name in names], axis=0)
    if (cube < 0).any():
        d, a = (int(i) for i in np.argwhere(cube < 0)[0][:2])
        raise InputError(
            f"The time of {results.algorithms[a]!r} on data set {results.datasets[d]!r} is negative.",
            why="Times are compared by their ratios, so they must not be negative.",
            mend=f"Correct it, or name another column ({option(time=...)}).",
        )
    caveats = caveats_of((time is None or len(names) > 1, "read-as", f"Time is {' + '.join(names)}."))
    return np.asarray(cube), caveats


def _time_names(results: Results) -> tuple[str, ...]:
    """Choose what was spent on training and predicting together, else the only time there is."""
    for pair in TIMES:
        if set(pair) <= set(results.costs):
            return pair
    known = tuple(metric.name for metric in results.metrics if metric.is_cost and metric.unit == "s")
    if len(known) > 1 and "train_time" not in known:
        raise OptionError(
            f"The table holds {len(known)} times: {quoted(known)}.",
            why="One of them is weighed against accuracy, and the choice matters.",
            mend=f"Say {option(time=known[0])}; several are added up: {option(time=list(known[:2]))}.",
        )
    return ("train_time",) if "train_time" in known else known


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Knowledge(Shown):
    """Past results and meta-attributes of the data sets: everything that a recommendation is based on.

    Make one with `Knowledge.from_results`, `tiebreak.advisor.shipped_knowledge()`, or from files and stores with
    `tiebreak.advisor.read_knowledge` and `store_knowledge`.

    Parameters
    ----------
    datasets, algorithms : tuple of str
    accuracy : FloatArray
        Success rates (data sets, algorithms, replications, folds), higher the better; NaN where there is none.
    time : FloatArray or None
        Seconds in the same shape, NaN where there is none; None where no times are known at all.
    meta : MetaTable
        The meta-attributes, in the order of `datasets`.
    origins : tuple of str
        One label per data set; those that share it are left out together.
    machines, sources, fingerprints : tuple of str
        Per data set: where the times were measured, where the results come from, and the digest of the data, each
        empty where it is unknown. The results of one data set come from one machine and one source.
    score : str
        What the success rates are.
    kind : {"classes", "number"}
        What is predicted on all data sets.
    train_share : tuple of float
        Per data set: the share of its rows that a fold trains on (0.5 in 5x2cv without a test part); NaN where it is
        unknown, which is also what an empty tuple stands for.
    data_from : tuple of str
        Per data set: where its rows were published, empty where that is unknown.
    made : mapping of str to str
        How the results came about: versions of libraries, host and processor, date, resampling.
    meanings : mapping of str to str
        What algorithms are, in a sentence each, where that is known.
    notices : tuple of str
        Licence and citation of a base of others; whoever passes results on passes these on with them.
    caveats : tuple of Caveat
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    accuracy: FloatArray
    time: FloatArray | None
    meta: MetaTable
    origins: tuple[str, ...]
    machines: tuple[str, ...]
    sources: tuple[str, ...]
    fingerprints: tuple[str, ...]
    score: str = "accuracy"
    kind: str = "classes"
    train_share: tuple[float, ...] = ()
    data_from: tuple[str, ...] = ()
    made: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    caveats: Caveats = ()

    def __post_init__(self) -> None:
        for name, unknown in (("train_share", float("nan")), ("data_from", "")):
            given = getattr(self, name) or (unknown,) * len(self.datasets)
            object.__setattr__(self, name, tuple(given))
        _check(self)
        object.__setattr__(self, "accuracy", readonly(self.accuracy))
        time = (
            None if self.time is None else np.where(np.isnan(self.accuracy), np.nan, self.time)
        )  # of failed runs: none
        object.__setattr__(self, "time", None if time is None or not np.isfinite(time).any() else readonly(time))

    @classmethod
    @as_came_in
    def from_results(
        cls,
        results: Results,
        meta: MetaTable | Mapping[str, Described] | None = None,
        *,
        score: str | None = None,
        time: str | Sequence[str] | None = None,
        higher_is_better: bool | None = None,
        origins: Mapping[str, str] | None = None,
        fingerprints: Mapping[str, str] | None = None,
        machine: str = "",
        source: str = "results",
        scores: str | None = None,
        normalise_cost: str | None = None,
        train_share: float | None = None,
        made: Mapping[str, str] | None = None,
        kind: str | None = None,
    ) -> Knowledge:
        """Join a table of results with the meta-attributes of its data sets.

        Parameters
        ----------
        results : Results
            One row per fold, or per data set and algorithm; gaps are runs that failed or were never made.
        meta : MetaTable or mapping, optional
            The meta-attributes by data set. Data sets without any are left out, with a caveat. Without `meta` no data
            set resembles another more than a third, and all count alike.
        score : str, optional
            The column of success rates; "accuracy" or the only score by default. `scores` is the same.
        time : str or sequence of str, optional
            The column of seconds; several are added up. By default train_time with predict_time, or the only column
            known to hold seconds; () for none.
        higher_is_better
            As in `success_rates`: errors are turned into success rates.
        origins : mapping, optional
            The origin of data sets; one that is not named is an origin of its own.
        fingerprints : mapping, optional
            Digests of the data, by data set.
        machine, source : str
            Where the times were measured, and where the results come from.
        normalise_cost : {"hosts", "none"}, optional
            Times of several hosts: put on one scale by how fast each is, or taken as they are. Where one data set has
            times of several hosts, they are refused otherwise.
        train_share : float, optional
            The share of the rows that a fold trains on.
        made : mapping, optional
            How the results came about.
        kind : {"classes", "number"}, optional
            What is predicted; told by the name of the score if left out. Of numbers the usual score is
            relative_rmse, which becomes the success rate 1 - relative_rmse, at least 0.

        Returns
        -------
        Knowledge

        Examples
        --------
        >>> table = Results.from_dict({"a": {"x": 0.9, "y": 0.8}, "b": {"x": 0.7, "y": 0.6}}, scores="accuracy")
        >>> result = Knowledge.from_results(table, {"a": {"n_examples": 100}, "b": {"n_examples": 500}})
        >>> result.datasets, result.meta.measures
        (('a', 'b'), ('n_examples',))
        """
        results = on_one_scale(results, normalise_cost)
        usual = SCORES[kind or "classes"]
        name = one_name(score, scores) or (usual if usual in results.scores else results.only_score())
        about = check_kind(kind) or kind_of_score(name)
        how: dict[str, Any] = {"higher_is_better": higher_is_better, "datasets": results.datasets}
        rates, called, notes = success_rates(results.cube(name), results.metric(name), **how)
        table, left, more = _described(meta, results.datasets, source)
        sets = tuple(results.datasets[i] for i in left)
        seconds, caveats = seconds_of(results, time)
        known, marks = origins or {}, fingerprints or {}
        return cls(
            datasets=sets,
            algorithms=results.algorithms,
            accuracy=rates[left],
            time=None if seconds is None else seconds[left],
            meta=table,
            origins=tuple(str(known.get(item, item)) for item in sets),
            machines=(machine or source,) * len(sets),
            sources=(source,) * len(sets),
            fingerprints=tuple(str(marks.get(item, "")) for item in sets),
            score=called,
            kind=about,
            train_share=() if train_share is None else (float(train_share),) * len(sets),
            made=dict(made or {}),
            caveats=(*results.caveats, *notes, *caveats, *more),
        )

    # ---- what is in it

    def title(self) -> str:
        """Say in one line what is known."""
        origins = len(set(self.origins))
        kinds = "" if origins == len(self.datasets) else f" of {origins} origins"
        times = "with times" if self.time is not None else "without times"
        return (
            f"{len(self.datasets)} data sets{kinds} x {len(self.algorithms)} algorithms, {self.score} {times},"
            f" {len(self.meta.measures)} meta-attributes, from {', '.join(dict.fromkeys(self.sources))}"
        )

    def rows(self) -> list[Row]:
        """Return one row per data set: its origin, source, how many algorithms were measured, the best of them."""
        success, _ = self.means()
        there = np.isfinite(success)
        some = np.asarray(there.any(axis=1))
        best = np.where(there, success, -np.inf).argmax(axis=1)
        called, shown = shown_rates(self.score, np.where(some, success[np.arange(len(best)), best], np.nan))
        columns = {
            "dataset": self.datasets,
            "origin": self.origins,
            "source": self.sources,
            "algorithms": there.sum(axis=1),
            "best": [self.algorithms[j] if any_ else "" for j, any_ in zip(best, some, strict=True)],
            called: shown,
        }
        return rows_of(**columns)

    def means(self) -> tuple[FloatArray, FloatArray | None]:
        """Return mean success rates and times (data sets, algorithms) over the folds that were measured."""
        flat = self.accuracy.reshape(*self.accuracy.shape[:2], -1)
        times = None if self.time is None else row_means(self.time.reshape(flat.shape))
        return row_means(flat), times

    def measured(self, *, timed: bool) -> BoolArray:
        """Return where (data sets, algorithms) there is a result, and a time if it must be `timed`."""
        success, times = self.means()
        there = np.isfinite(success)
        if not timed:
            return there
        return there & np.isfinite(times) if times is not None else np.zeros_like(there)

    def distances(self, measures: Sequence[str] | None = None, *, scaling: str = "log") -> FloatArray:
        """Return the distance of every data set to every other, as `leave_one_out` takes them.

        The range of a measure is taken over the data sets of other origins, as it is when the data set is new.
        By default the measures are the five of the paper where they are known, otherwise all; counts are compared by
        their logarithms, unless `scaling` is "plain".
        """
        names = tuple(measures) if measures is not None else default_measures(self.kind)
        if measures is None and not set(names) <= set(self.meta.measures):
            names = self.meta.measures
        compared = names if check_choice("scaling", scaling, SCALINGS) == "log" else ()
        return distance_table(self.meta.of(names).matrix, self.origins, measures=compared)

    # ---- selections

    def only(
        self, *, datasets: str | Iterable[str] | None = None, algorithms: str | Iterable[str] | None = None
    ) -> Knowledge:
        """Keep these data sets and algorithms."""
        knowledge = self if datasets is None else self.datasets_at(_places("data set", self.datasets, datasets))
        return (
            knowledge
            if algorithms is None
            else knowledge.algorithms_at(_places("algorithm", self.algorithms, algorithms))
        )

    def without(self, *, datasets: str | Iterable[str] = (), algorithms: str | Iterable[str] = ()) -> Knowledge:
        """Leave out these data sets and algorithms."""
        gone, lost = _places("data set", self.datasets, datasets), _places("algorithm", self.algorithms, algorithms)
        knowledge = self.datasets_at(np.delete(np.arange(len(self.datasets)), gone)) if len(gone) else self
        return knowledge.algorithms_at(np.delete(np.arange(len(self.algorithms)), lost)) if len(lost) else knowledge

    def datasets_at(self, places: IntArray) -> Knowledge:
        """Return the knowledge of some data sets, by place."""
        if len(places) == 0:
            raise _nothing("data set")
        labels = {part: [getattr(self, part)[i] for i in places] for part in ("datasets", *PER_SET)}
        about: dict[str, Any] = {part: tuple(values) for part, values in labels.items()}
        return replace(self, **self._cut(places), meta=self.meta.rows(places), **about)

    def algorithms_at(self, places: IntArray) -> Knowledge:
        """Return the knowledge of some algorithms, by place."""
        if len(places) < 2:
            raise _nothing("algorithm")
        return replace(self, algorithms=tuple(self.algorithms[j] for j in places), **self._cut((slice(None), places)))

    def _cut(self, places: Any) -> dict[str, Any]:
        """Return the same part of everything that has the shape of the success rates."""
        return {"accuracy": self.accuracy[places], "time": None if self.time is None else self.time[places]}


PER_SET = ("origins", "machines", "sources", "fingerprints", "train_share", "data_from")
"""What there is one label of for every data set."""


def _described(
    meta: MetaTable | Mapping[str, Described] | None, datasets: tuple[str, ...], source: str
) -> tuple[MetaTable, IntArray, Caveats]:
    """Return the meta-attributes of the data sets that have any, their places, and what was left out."""
    if meta is None:
        empty = MetaTable(names=datasets, measures=(), matrix=np.empty((len(datasets), 0)))
        caveat = Caveat("all-alike", f"{source}: the data sets have no meta-attributes; all count alike.")
        return empty, np.arange(len(datasets)), (caveat,)
    table = meta if isinstance(meta, MetaTable) else MetaTable.from_mapping(meta)
    place = {name: i for i, name in enumerate(table.names) if not np.isnan(table.matrix[i]).all()}
    left = np.array([i for i, name in enumerate(datasets) if name in place], dtype=np.int64)
    if not len(left):
        raise InputError(
            f"No data set has both results and meta-attributes: results are on {quoted(datasets, limit=3)},"
            f" meta-attributes of {quoted(table.names, limit=3)}.",
            why="The two are joined by the name of the data set.",
            mend=f"Name the column that holds the same names in both ({option(columns={'dataset': ...})}).",
        )
    lost = [name for name in datasets if name not in place]
    note = f"{len(lost)} data set(s) without meta-attributes are left out: {quoted(lost, limit=4)}."
    rows = np.array([place[datasets[i]] for i in left], dtype=np.int64)
    return table.rows(rows), left, caveats_of((lost, "datasets-left-out", note))


def thinned(places: IntArray, most: int) -> IntArray:
    """Return so many of the places at the most, evenly spaced."""
    return places if len(places) <= most else places[np.linspace(0, len(places) - 1, most).astype(np.int64)]


def _places(kind: str, known: tuple[str, ...], wanted: str | Iterable[str]) -> IntArray:
    """Return places in the order of the base, each once: a selection does not reorder what is known."""
    return np.array(sorted({known.index(check_choice(kind, name, known)) for name in names_of(wanted)}), dtype=np.int64)


def _nothing(kind: str) -> InputError:
    least = "no data set is" if kind == "data set" else "fewer than two algorithms are"
    return InputError(
        f"Of the known results {least} left.",
        why="A recommendation rests on results of two algorithms or more on other data sets.",
        mend="Leave out less, or add results.",
    )


def _check(known: Knowledge) -> None:
    """Refuse parts that do not belong together here, so that nothing later has to ask."""
    check_names(known.datasets, len(known.datasets), kind="data set")
    check_names(known.algorithms, len(known.algorithms), kind="algorithm")
    if not known.datasets:
        raise _nothing("data set")
    if len(known.algorithms) < 2:
        raise _nothing("algorithm")
    shape = (len(known.datasets), len(known.algorithms))
    if known.accuracy.ndim != 4 or known.accuracy.shape[:2] != shape:
        raise InputError(
            f"accuracy has shape {known.accuracy.shape} for {shape[0]} data sets and {shape[1]} algorithms.",
            why="Its axes are data sets, algorithms, replications and folds.",
            mend="Use Knowledge.from_results(...).",
        )
    if known.time is not None and known.time.shape != known.accuracy.shape:
        raise InputError(
            f"time has shape {known.time.shape}, accuracy {known.accuracy.shape}.",
            why="Every success rate is weighed against what it cost.",
            mend="Pass an array of the same shape, NaN where there is none.",
        )
    if known.meta.names != known.datasets or any(len(getattr(known, part)) != shape[0] for part in PER_SET):
        raise InputError(
            f"Meta-attributes, {', '.join(PER_SET[:-1])} or {PER_SET[-1]} are not those of the {shape[0]} data sets.",
            why="Each has one entry per data set, in the same order.",
            mend="Use Knowledge.from_results(...).",
        )
