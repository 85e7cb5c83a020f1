"""The advisor: from new data to an order of algorithms, by past results on similar data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import check_choice, readonly
from tiebreak._lazy import late
from tiebreak.advisor.advice_caveats import distance_caveats, thin_caveats
from tiebreak.advisor.bases import is_store, open_base, shipped_knowledge
from tiebreak.advisor.budget_plan import BudgetPlan, plan_budget
from tiebreak.advisor.following import ACCD, AUTO, Asked, check_neighbours, follow, neighbours_of, other_measures
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.large_data import on_large_data
from tiebreak.advisor.meta_table import Described, names_of
from tiebreak.advisor.neighbours import SCALINGS, Neighbours
from tiebreak.advisor.new_data import check_answerable, data_faults, other_notes, understood_of
from tiebreak.advisor.rank_on_neighbours import rank_neighbours
from tiebreak.advisor.rankings import RANKING_METHODS, accd_sentence
from tiebreak.advisor.rankings.pairwise import check_accd
from tiebreak.advisor.recommendation import Recommendation
from tiebreak.advisor.success_rates import TRADED, check_base_kind, kind_of
from tiebreak.advisor.time_here import MEASURED, PREDICTED, TIMES_USED, model_for, size_told, soon_enough
from tiebreak.advisor.times import TimeModel
from tiebreak.advisor.worth import Recipe
from tiebreak.attributes import ATTRIBUTES
from tiebreak.attributes.catalogue import default_measures, groups_of, spelled_out
from tiebreak.attributes.measuring import characterise, spent_on
from tiebreak.caveats import Caveats, caveats_of, distinct
from tiebreak.datasets import DataSet, from_frame, from_xy
from tiebreak.datasets.building import texts, without_columns
from tiebreak.datasets.references import DataReference
from tiebreak.documents import as_came_in
from tiebreak.documents.words import finite
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.wording import any_of, option

if TYPE_CHECKING:
    from tiebreak.advisor.pilot import TriedOut
    from tiebreak.stores import Store

_ALL = "all"


def with_measures(options: Asked, base: Knowledge, measures: str | Sequence[str] | None) -> Asked:
    """Spell the measures out: groups, or all."""
    if measures is None:
        return options
    if measures == _ALL:
        return replace(options, measures=base.meta.measures)
    names = spelled_out(names_of(measures), base.meta.measures)
    for name in names:
        if name not in base.meta.measures:
            raise unknown_name("measure", name, base.meta.measures, mend="The known data sets must have it.")
    return replace(options, measures=names)


def usable_of(base: Knowledge, *, timed: bool) -> tuple[Knowledge, Caveats]:
    """Keep the data sets from which something can be learned."""
    if timed and base.time is None:
        raise OptionError(
            "The known results hold no times.",
            why="This method weighs accuracy against time.",
            mend=f"Name the column of times ({option(time=...)}), or use {any_of('method', ['srr', 'mean-rank'])}.",
        )
    good = base.measured(timed=timed).sum(axis=1) > 1
    if not good.any():
        raise InputError(
            "No known data set has results of two algorithms" + (" with their times." if timed else "."),
            why="A ranking compares algorithms on the same data.",
            mend="Add results.",
        )
    lost = int((~good).sum())
    text = f"{lost} known data set(s) with results of fewer than two algorithms are left out."
    return base.datasets_at(np.flatnonzero(good)), caveats_of((lost, "datasets-left-out", text))


def groups_for(base: Knowledge, recipe: Recipe) -> tuple[str, ...]:
    """Return the groups of meta-attributes to compute for a query: no more than the measures, and sizes, need."""
    names = {*(recipe.measures or base.meta.measures), *default_measures(base.kind)}
    always = {"paper", "simple", *(["target"] if base.kind == "number" else [])}
    groups = {ATTRIBUTES[name].group for name in names if name in ATTRIBUTES} | always
    if not recipe.measures:
        groups &= always
    return tuple(group for group in groups_of(base.kind) if group in groups)


def query_of(x: Any, data: DataSet | None, name: str | None, groups: tuple[str, ...]) -> tuple[Described, str, Caveats]:
    """Return the meta-attributes of the data, or those that were given, its name, and what was said on the way."""
    if data is None:
        return x, name or str(getattr(x, "dataset", "data")), ()
    attributes = characterise(data, groups=groups)
    return attributes, name or data.name, (*other_notes(data), *data_faults(data), *attributes.caveats)


def is_described(x: Any, y: Sequence[object] | None) -> bool:
    """Whether meta-attributes were given in place of data."""
    return y is None and isinstance(x, Mapping) and all(v is None or isinstance(v, (int, float)) for v in x.values())


def loaded(x: Any, y: Sequence[object] | None, about: Mapping[str, Any]) -> tuple[DataSet, DataReference | None]:
    """Return the data, and where they can be read again, if they can; `about` describes their columns."""
    values = {key: value for key, value in about.items() if value is not None}
    if isinstance(x, DataSet):
        return (without_columns(x, texts(values["drop"], what="drop"), "all") if "drop" in values else x), None
    if isinstance(x, (DataReference, str, Path)):
        reference = x if isinstance(x, DataReference) else DataReference.of({"source": str(x), **values})
        return reference.load(), reference
    named = {"name": "data", "keep": None, **values}  # what nothing can be learned from is left out, as of a file
    if y is not None:
        return from_xy(x, y, **{key: value for key, value in named.items() if key != "target"}), None
    if hasattr(x, "columns") or hasattr(x, "column_names"):
        return from_frame(x, **named), None
    raise InputError(
        f"The data are a {type(x).__name__} without a target.",
        why="The target is part of what makes data sets alike, and what algorithms learn.",
        mend="Pass X and y, a DataSet, a frame with its target column, or the path of a file.",
    )


class Advisor:
    """Recommends an order of algorithms for data that none of them has been tried on.

    Parameters
    ----------
    base : None, str, Path, Store or Knowledge
        What to learn from: the base that ships with the package (None), an address as in `open_base` (a store, a
        knowledge file, published results; read anew for every recommendation, so that what is added to a store counts
        at once; nothing is trained), an open store, or a `Knowledge`.

    Examples
    --------
    >>> from tiebreak.datasets import load
    >>> result = Advisor().recommend(load("builtin:iris"), exclude=["iris"], neighbours=5)
    >>> len(result.neighbours.names), result.worth.expected(3).mean < result.worth.random(3).mean
    (5, True)
    """

    __slots__ = ("_base",)

    def __init__(self, base: str | Path | Store | Knowledge | None = None) -> None:
        self._base = base

    def __repr__(self) -> str:
        return f"<Advisor: {self.knowledge().title()}>"

    def knowledge(self, kind: str | None = None) -> Knowledge:
        """Return what is known now about a kind of target, "classes" or "number"."""
        if isinstance(self._base, Knowledge):
            return self._base if kind is None else check_base_kind(self._base, kind)
        if isinstance(self._base, (str, Path)):
            knowledge = open_base(self._base, kind=kind)
            return knowledge if kind is None else check_base_kind(knowledge, kind)
        if self._base is None:
            return shipped_knowledge(kind or "classes")
        from tiebreak.advisor.reading import store_knowledge

        return store_knowledge(self._base, kind=kind)

    @property
    def store(self) -> str | Path | Store | None:
        """The store that it learns from, if it does; None for all other bases."""
        if self._base is None or isinstance(self._base, Knowledge):
            return None
        return None if isinstance(self._base, (str, Path)) and not is_store(self._base) else self._base

    def try_out(self, X: DataSet | str | Path | Any, y: Sequence[object] | None = None, **options: Any) -> TriedOut:
        """Run what is recommended on the data in the lab, within a time, and say which one to use.

        It is the race of a pilot with more time, every fold of which goes into a store. See
        `tiebreak.advisor.pilot.try_out` for its options: time="10min", store, resampling, stop_below, jobs and others,
        and those of `recommend`.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result = Advisor().try_out("builtin:wine", time="1min", store=f"{folder}/wine.db", jobs=1,
        ...                               algorithms=["lda", "c45"])
        >>> result.best
        'lda'
        """
        result: TriedOut = late("tiebreak.advisor.pilot", "try_out")(self, X, y, **options)
        return result

    @as_came_in
    def recommend(
        self,
        X: DataSet | Mapping[str, float | None] | str | Path | Any,
        y: Sequence[object] | None = None,
        *,
        accd: float | None = None,
        neighbours: int | str | None = AUTO,
        method: str | None = None,
        measures: str | Sequence[str] | None = None,
        scaling: str = "log",
        times: str = "predicted",
        exclude: str | Iterable[str] = (),
        algorithms: Sequence[str] | None = None,
        budget: str | float | None = None,
        target: str | None = None,
        name: str | None = None,
        kind: str | None = None,
        symbolic: Sequence[str] | None = None,
        drop: Sequence[str] | None = None,
        keep: Sequence[str] | None = None,
    ) -> Recommendation:
        """Recommend an order of algorithms for a data set.

        Formula: the meta-attributes of the data, the known data sets that count (see `nearest`), and a ranking of the
        algorithms by their past results there (see `rank_by_portfolio` and the other methods of `RANKING_METHODS`).
        Whether all known data sets count, or a few neighbours, and by which measures, is chosen by what it would have
        been worth on known data sets left out (see `judge_recipes`), unless it is said. What was chosen, and what
        following it costs beside simpler ways, is part of the answer. Of data with more than 20,000 rows, and more than
        all known ones, see `on_large_data`.

        Assumptions: the data come from where the known data sets come from. The expected losses say how far
        algorithms that did well there do well elsewhere.

        When not to use it: in place of trying the first few algorithms of the order; that is what the order is for.

        Documented answers. One neighbour: its own order, with a caveat. No measure applies to the data, or none is
        known of the others: all known data sets count alike, with a caveat. A success rate below 0.001 counts as that
        where rates are divided. Times so unequal that ARR would divide by 0 or less are refused; method "a3r" takes
        them. Where results are missing, every two algorithms are compared on the data sets where both were measured;
        those that share none with most others, not even through a third, are left unranked.

        Parameters
        ----------
        X : DataSet, frame, array, path, or mapping of meta-attributes
            The data; a frame or array with its classes in `y`, or with the column `target`; or meta-attributes
            measured before.
        y : sequence, optional
            The classes.
        accd : float, optional
            The share of accuracy that you trade for ten times the speed; see `accd_from`. Left out, accuracy alone
            counts; methods that need a trade have 0.01.
        neighbours : int, "all" or "auto", default "auto"
            How many known data sets the order rests on; "auto" chooses.
        method : {"portfolio", "arr", "a3r", "srr", "mean-rank", "wins"}
            By default "portfolio", and "a3r" with an `accd`. The published one is "arr".
        measures : sequence of str, a group or "all", optional
            The meta-attributes that make data sets alike. By default chosen with the number of neighbours, where that
            is chosen, among `MEASURE_SETS` and all that base and data share; otherwise the five of the paper where the
            base has them. A group of `GROUPS`, such as "simple", stands for its members.
        scaling : {"log", "plain"}
            How measures are compared; see `nearest`.
        times : {"predicted", "measured"}
            Which times ARR and A3R weigh accuracy against: those predicted for the data set (T_p / T_q is the same on
            every neighbour, see `fit_times`), or those measured on each neighbour, as published. Where the number of
            rows is not known, the measured ones are taken.
        exclude : str or iterable of str
            Known data sets to leave out.
        algorithms : sequence of str
            The algorithms to rank. Left out, those are not ranked of which 5-fold cross-validation is predicted to take
            more than an hour on data with more rows than all known ones.
        budget : str or float, optional
            "10min", "90s", "2h" or seconds: also plan which algorithms to try within that time; see `plan_budget`.
        target, name : str, optional
            The class column of a frame or file, by default one called class, target, label, ..., else the last; what
            to call the data.
        kind : {"classes", "number"}, optional
            What the target of a frame, array or file is; told by its values if left out. For a number to predict the
            order is one of regression learners, from results on such data; where meta-attributes are given, those of
            numbers tell it.
        symbolic, drop, keep : sequence of str, optional
            Columns of a frame, array or file whose numbers are names; to leave out; to keep although nothing can be
            learned from them (ids, dates, free text, constants; "all" keeps every one).

        Returns
        -------
        Recommendation

        References
        ----------
        brazdil2003
        """
        options = Asked(
            accd=None if accd is None else check_accd(accd),
            method=None if method is None else check_choice("ranking method", method, RANKING_METHODS),
            neighbours=check_neighbours(neighbours),
            scaling=check_choice("scaling", scaling, SCALINGS),
        )
        check_choice("kind of times", times, TIMES_USED)
        record = RANKING_METHODS[options.ranking]
        settings = {"target": target, "name": name, "kind": kind, "symbolic": symbolic, "drop": drop, "keep": keep}
        data = None if is_described(X, y) else loaded(X, y, settings)[0]
        if data is not None:
            check_answerable(data)
        known = self.knowledge(kind_of(X if data is None else data, kind))
        whole = known.only(algorithms=algorithms).without(datasets=names_of(exclude))
        model = model_for(whole, budget)
        size = size_told(X, data)
        base, slow = (whole, ()) if algorithms is not None else soon_enough(whole, model, size)
        options = with_measures(options, base, measures)
        usable, gone = usable_of(base, timed=record.needs_time)
        given: Any = X if data is None else None
        recipe, worth = follow(options, usable, given)
        query, label, caveats = query_of(X, data, name, groups_for(base, recipe))
        result = neighbours_of(recipe, usable, query, scaling=scaling)
        used = usable.datasets_at(np.array([usable.datasets.index(text) for text in result.names], dtype=np.int64))
        trade = ACCD if options.trade is None else options.trade
        predicted = None if model is None else model.predict(query)
        weighed = None
        if record.trades_accuracy and times == PREDICTED and predicted is not None and predicted.sized:
            weighed = np.array([predicted.of(name)[0] for name in base.algorithms])
        plan = None if budget is None else self._plan(whole, query, budget, model, result)
        likely, large = on_large_data(used, usable, size)
        ranking, more = rank_neighbours(likely, result.weight, method=recipe.method, accd=trade, times=weighed)
        far = distance_caveats(result, usable, query, label)
        other = (*thin_caveats(result, used), *other_measures(options, result, usable, query))
        notes = (*large, *slow, *caveats, *far, *result.caveats, *gone, *other, *more, *ranking.caveats)
        return Recommendation(
            dataset=label,
            ranking=replace(ranking, caveats=()),
            neighbours=replace(result, caveats=()),
            meta_attributes=dict(query),
            sentence=accd_sentence(trade, of=TRADED[base.kind]) if record.trades_accuracy else "",
            **_measured_there(used, ranking.algorithms),
            score=base.score,
            kind=base.kind,
            spent_on=spent_on(query),
            knowledge=base.title(),
            worth=None if large else worth,
            target="" if data is None else data.target_words,
            about=None if data is None else understood_of(data),
            meanings={name: base.meanings[name] for name in ranking.algorithms if name in base.meanings},
            notices=base.notices,
            times=predicted,
            times_used=(MEASURED if weighed is None else PREDICTED) if record.trades_accuracy else "",
            budget=plan,
            caveats=distinct(
                (
                    *notes,
                    *(() if predicted is None else predicted.caveats),
                    *(() if plan is None else plan.caveats),
                    *base.caveats,
                )
            ),
        ).framed(base.frame_kind)

    @staticmethod
    def _plan(
        base: Knowledge, query: Described, budget: str | float, model: TimeModel | None, near: Neighbours
    ) -> BudgetPlan:
        """Plan a budget by the losses on the data sets that count."""
        counted = dict(zip(near.names, near.weight.tolist(), strict=True))
        weights = [counted.get(name, 0.0) for name in base.datasets]
        return plan_budget(on_large_data(base, base, query)[0], query, budget, model=model, weights=weights)

    def recommend_known(self, dataset: str, **options: Any) -> Recommendation:
        """Recommend for a known data set as if it were new: it and all of its origin are left out.

        Examples
        --------
        >>> Advisor().recommend_known("wine", neighbours=3).dataset
        'wine'
        """
        base = self._base_of(dataset, options.get("kind"))
        place = base.datasets.index(check_choice("known data set", dataset, base.datasets))
        row = base.meta.matrix[place].tolist()
        query = dict(zip(base.meta.measures, map(finite, row), strict=True))
        kin = {n for n, origin in zip(base.datasets, base.origins, strict=True) if origin == base.origins[place]}
        gone = kin | {*names_of(options.pop("exclude", ()))}
        return Advisor(base).recommend(query, name=dataset, exclude=gone, **(options | {"kind": base.kind}))

    def _base_of(self, dataset: str, kind: str | None) -> Knowledge:
        """Return what is known about the kind of a known data set: of classes first, as most are."""
        first = self.knowledge(kind)
        if kind is not None or dataset in first.datasets or isinstance(self._base, Knowledge):
            return first
        try:
            other = self.knowledge("number" if first.kind == "classes" else "classes")
        except InputError:  # a store of one kind: the message is that of the data sets there are
            return first
        return other if dataset in other.datasets else first


def _measured_there(used: Knowledge, algorithms: Sequence[str]) -> dict[str, Any]:
    """Return what was measured on the neighbours, the algorithms in the order of the ranking."""
    success, seconds = used.means()
    columns = [used.algorithms.index(algorithm) for algorithm in algorithms]
    return {
        "accuracy": readonly(success[:, columns]),
        "time": readonly((np.full_like(success, np.nan) if seconds is None else seconds)[:, columns]),
        "origins": used.origins,
        "sources": used.sources,
    }
