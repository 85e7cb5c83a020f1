"""Which data sets resemble a new one: range-normalised distance over meta-attributes, and what each contributed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_choice, readonly
from tiebreak._show import Row, Shown
from tiebreak.advisor.attributes import DEFAULT_MEASURES
from tiebreak.advisor.metatable import Described, MetaTable, as_table
from tiebreak.errors import InputError, OptionError, quoted, unknown_name

WEIGHTINGS = ("equal", "inverse", "kernel")

Score = Callable[[str, "Neighbours"], float]
"""How well the neighbours of the named data set served it: higher is better."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Neighbours(Shown):
    """The data sets nearest to a query, the nearest first.

    Parameters
    ----------
    names : tuple of str
        The data sets, by distance; equal distances by name.
    distance : FloatArray
        One per data set.
    weight : FloatArray
        How much each counts in what is drawn from them; the weights sum to 1.
    contribution : FloatArray
        Data sets x measures: the terms that sum to the distance.
    query_values, base_values : FloatArray
        The measures of the query, and of every neighbour; NaN where one does not apply.
    measures : tuple of str
    method : str
    caveats : tuple of str
    """

    names: tuple[str, ...]
    distance: FloatArray
    weight: FloatArray
    contribution: FloatArray
    query_values: FloatArray
    base_values: FloatArray
    measures: tuple[str, ...]
    method: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what this is."""
        return f"{len(self.names)} nearest data set(s): {self.method}"

    def rows(self) -> list[Row]:
        """Return one row per data set: distance, weight, and the contribution of every measure."""
        return [
            {
                "dataset": name,
                "distance": float(self.distance[i]),
                "weight": float(self.weight[i]),
                **{measure: float(self.contribution[i, j]) for j, measure in enumerate(self.measures)},
            }
            for i, name in enumerate(self.names)
        ]


def nearest(
    query: Described,
    base: MetaTable | Mapping[str, Described],
    *,
    measures: Sequence[str] = DEFAULT_MEASURES,
    k: int | None = 5,
    weighting: str = "equal",
    weights: Mapping[str, float] | None = None,
    exclude: Iterable[str] = (),
) -> Neighbours:
    """Find the data sets whose meta-attributes are closest to those of a query.

    Formula: distance = sum over measures of w |query - other| / range, the range over the data sets of the base that
    are not excluded. A measure that does not apply to one of the two counts w, to both counts 0. The query
    plays no part in the range: one that lies outside it gets terms above w. Where all data sets of the base share one
    value (range 0) the term is 0 if the query has that value too and w otherwise.

    Assumptions:

    1. A difference matters in proportion to the range, whatever the measure: a few huge data sets make all others look
       alike in n_examples.
    2. The measures are versions of the same definitions; where the versions differ, a caveat says so.

    When not to use it: to learn whether neighbours are worth following; evaluate that by leaving data sets out.

    Documented answers: equal distances are ordered by name; a tie across the k-th place, and a k beyond the number of
    data sets, are told in a caveat. Where no measure applies to the query nothing makes one data set nearer than
    another: all of them are returned with equal weight, and a caveat says so.

    Parameters
    ----------
    query : mapping of str to float or None
        The meta-attributes of the new data set, such as a `MetaAttributes`; None or NaN where one does not apply.
    base : MetaTable, or mapping of str to mapping
        The known data sets. A mapping is turned into a `MetaTable` first; for many queries make that once.
    measures : sequence of str
        Which meta-attributes to use.
    k : int or None, default 5
        How many neighbours; None for all.
    weighting : {"equal", "inverse", "kernel"}
        What each neighbour counts: the same; 1 / distance (exact matches share everything between them);
        exp(-(distance / h)^2 / 2) with h the distance of the farthest one chosen, of the median one with k=None.
    weights : mapping of str to float, optional
        w for some measures; the others have 1.
    exclude : iterable of str
        Data sets of the base to leave out, such as those of the same origin as the query.

    Returns
    -------
    Neighbours

    References
    ----------
    Brazdil, P. B., Soares, C. and Pinto da Costa, J. (2003). doi:10.1023/A:1021713901879

    Examples
    --------
    >>> base = {"a": {"n_examples": 100}, "b": {"n_examples": 300}, "c": {"n_examples": 500}}
    >>> found = nearest({"n_examples": 250}, base, measures=["n_examples"], k=2)
    >>> found.names, found.distance.tolist()
    (('b', 'a'), [0.125, 0.375])
    """
    check_choice("weighting", weighting, WEIGHTINGS)
    chosen = _check_measures(measures)
    table, notes = as_table(base, query, chosen)
    table = _without(table, exclude)
    asked = table.row_of(query)
    factors = _factors(weights, chosen)
    terms = contributions(asked, table.matrix, weights=factors)
    if np.isnan(asked).all() or not factors[~np.isnan(asked)].any():
        found = _all_alike(table, asked, terms)
    else:
        found = _closest(table, asked, terms, _check_k(k), weighting)
    return replace(found, caveats=(*notes, *found.caveats))


def contributions(query: FloatArray, base: FloatArray, *, weights: FloatArray | None = None) -> FloatArray:
    """Return base rows x measures: the terms of the distance between one query and every row; NaN: does not apply."""
    applies = ~np.isnan(base)
    low, high = np.fmin.reduce(base, axis=0), np.fmax.reduce(base, axis=0)  # NaN only where no row has a value
    spread = np.where(high > low, high - low, 0.0)
    differences = np.abs(base - query)
    terms = np.divide(differences, spread, out=(differences > 0).astype(np.float64), where=spread > 0)
    asked = ~np.isnan(query)
    np.copyto(terms, applies != asked, where=~(applies & asked))
    return terms if weights is None else terms * weights


def select_measures(
    base: MetaTable | Mapping[str, Described],
    score: Score,
    *,
    measures: Sequence[str] = DEFAULT_MEASURES,
    k: int | None = 5,
    weighting: str = "equal",
    same_origin: Mapping[str, str] | None = None,
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Choose measures greedily by leaving one data set out at a time.

    Formula: starting from none, add the measure that raises the mean over data sets of score(name, neighbours) most,
    where the neighbours are found among the other data sets; stop when none raises it. Of equals the first listed is
    taken.

    When not to use it: the score of the chosen set is the best of many and so too good; judge the choice on data
    sets that took no part in it.

    Parameters
    ----------
    base : MetaTable, or mapping of str to mapping
    score : callable
        Takes the name of the data set left out and its `Neighbours`; returns a number, higher is better.
    measures : sequence of str
        The candidates.
    k, weighting
        As in `nearest`.
    same_origin : mapping of str to str, optional
        The origin of data sets; those of one origin are left out together.

    Returns
    -------
    chosen : tuple of str
        In the order in which they were added; empty only where no candidate could be scored.
    scores : tuple of float
        The mean score after each addition.

    Examples
    --------
    >>> base = {c: {"x": float(i), "noise": float(i * 7 % 4)} for i, c in enumerate("abcdef")}
    >>> def score(name, found):
    ...     return -abs(ord(name) - ord(found.names[0]))
    >>> select_measures(base, score, measures=["noise", "x"], k=1)
    (('x',), (-1.0,))
    """
    candidates = _check_measures(measures)
    check_choice("weighting", weighting, WEIGHTINGS)
    table, _ = as_table(base, {}, candidates)
    if len(table.names) < 2:
        raise _too_few(len(table.names))
    origin = same_origin or {}
    chosen: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    while len(chosen) < len(candidates):
        left = [name for name in candidates if name not in chosen]
        tried = [_left_out(table, score, (*chosen, name), _check_k(k), weighting, origin) for name in left]
        best = int(np.argmax(tried))
        if np.isneginf(tried[best]) or (scores and not tried[best] > scores[-1]):
            break
        chosen, scores = (*chosen, left[best]), (*scores, tried[best])
    return chosen, scores


def _left_out(
    table: MetaTable,
    score: Score,
    measures: tuple[str, ...],
    k: int | None,
    weighting: str,
    origin: Mapping[str, str],
) -> float:
    """Return the mean score over the data sets, each with its neighbours among those of other origin."""
    part = table.of(measures)
    origins = np.array([f"of {origin[name]}" if name in origin else f"itself {name}" for name in part.names])
    found = []
    for place, name in enumerate(part.names):
        others = part.rows(np.flatnonzero(origins != origins[place]))
        if not others.names:
            continue
        asked = part.matrix[place]
        terms = contributions(asked, others.matrix)
        if np.isnan(asked).all():
            near = _all_alike(others, asked, terms)
        else:
            near = _closest(others, asked, terms, k, weighting)
        found.append(_check_score(score(name, near), name))
    return float(np.mean(found)) if found else float("-inf")


def _closest(table: MetaTable, asked: FloatArray, terms: FloatArray, k: int | None, weighting: str) -> Neighbours:
    distance = np.round(terms.sum(axis=1), 12)  # distances that differ by rounding are ties
    count = len(distance) if k is None else min(k, len(distance))
    near = _by_distance(table, distance, count)
    chosen = near[:count]
    weight, words = _weight(distance[chosen], weighting, by_median=k is None)
    notes = _tie_notes(distance[near], count)
    if k is not None and k > len(distance):
        notes = (*notes, f"{k} neighbours were asked for and there are {len(distance)} data sets: all are used.")
    return _neighbours(table, asked, terms, chosen, weight, f"range-normalised L1 distance, {words}", notes)


def _by_distance(table: MetaTable, distance: FloatArray, count: int) -> IntArray:
    """Order by distance, equal ones by name: the first `count` and all that tie with the last of them."""
    farthest = np.partition(distance, count - 1)[count - 1]
    near = np.flatnonzero(distance <= farthest)
    return np.array(sorted(near, key=lambda i: (distance[i], table.names[i])), dtype=np.int64)


def _all_alike(table: MetaTable, asked: FloatArray, terms: FloatArray) -> Neighbours:
    order = np.array(sorted(range(len(table.names)), key=table.names.__getitem__), dtype=np.int64)
    note = (
        "None of the measures applies to the query, so no data set is nearer than another: all of them are returned,"
        " with equal weight."
    )
    return _neighbours(table, asked, terms, order, np.full(len(order), 1 / len(order)), "all alike", (note,))


def _neighbours(
    table: MetaTable,
    asked: FloatArray,
    terms: FloatArray,
    chosen: IntArray,
    weight: FloatArray,
    method: str,
    notes: tuple[str, ...],
) -> Neighbours:
    return Neighbours(
        names=tuple(table.names[i] for i in chosen),
        distance=readonly(terms[chosen].sum(axis=1)),
        weight=readonly(weight),
        contribution=readonly(terms[chosen]),
        query_values=readonly(asked),
        base_values=readonly(table.matrix[chosen]),
        measures=table.measures,
        method=method,
        caveats=notes,
    )


def _weight(distance: FloatArray, weighting: str, *, by_median: bool) -> tuple[FloatArray, str]:
    """Return the weights of the chosen data sets and the words for them."""
    if weighting == "inverse":
        exact = distance == 0
        raw = exact.astype(np.float64) if exact.any() else distance.min() / distance
        return raw / raw.sum(), "weights 1 / distance"
    if weighting == "kernel":
        width = float(np.median(distance)) if by_median else float(distance[-1])
        raw = np.exp(-0.5 * (distance / width) ** 2) if width > 0 else (distance == 0).astype(np.float64)
        return raw / raw.sum(), f"normal kernel of width {width:.4g}"
    return np.full(len(distance), 1 / len(distance)), "equal weights"


def _tie_notes(ordered: FloatArray, count: int) -> tuple[str, ...]:
    if count == len(ordered) or ordered[count] > ordered[count - 1]:
        return ()
    tied = int(np.count_nonzero(ordered == ordered[count - 1]))
    return (f"{tied} data sets tie at the distance of the last neighbour; those first by name were taken.",)


def _without(table: MetaTable, exclude: Iterable[str]) -> MetaTable:
    gone = {exclude} if isinstance(exclude, str) else set(exclude)
    if table.names and not gone:
        return table
    kept = np.array([i for i, name in enumerate(table.names) if name not in gone], dtype=np.int64)
    if not len(kept):
        raise InputError(
            f"No data set is left to be a neighbour ({len(table.names)} in the base, all excluded)."
            if table.names
            else "The base holds no data sets.",
            why="A recommendation rests on results for other data sets.",
            mend="Add data sets to the base, or exclude fewer.",
        )
    return table.rows(kept) if len(kept) < len(table.names) else table


def _check_measures(measures: Sequence[str]) -> tuple[str, ...]:
    chosen = (measures,) if isinstance(measures, str) else tuple(measures)
    if not chosen or len(set(chosen)) < len(chosen):
        raise OptionError(
            f"The measures are {quoted(chosen)}." if chosen else "No measures are given.",
            why="A distance needs at least one, and each of them once.",
            mend="Leave measures out for the default set.",
        )
    return chosen


def _check_k(k: int | None) -> int | None:
    if k is None or (isinstance(k, (int, np.integer)) and not isinstance(k, bool) and k >= 1):
        return k
    raise OptionError(
        f"k is {k!r}.",
        why="It is the number of neighbours.",
        mend="Use a whole number from 1 on, or k=None for all data sets.",
    )


def _factors(weights: Mapping[str, float] | None, measures: tuple[str, ...]) -> FloatArray:
    """Return the weight of every measure."""
    given = dict(weights or {})
    for name, value in given.items():
        if name not in measures:
            raise unknown_name("measure", name, measures, mend="Weights are for measures in use.")
        if not (np.isfinite(value) and value >= 0):
            raise OptionError(
                f"The weight of {name!r} is {value!r}.",
                why="A weight is a finite number, 0 or more.",
                mend="Use 0 to leave a measure out.",
            )
    factors = np.array([float(given.get(name, 1.0)) for name in measures])
    if not factors.any():
        raise OptionError(
            "Every measure has weight 0.", why="All distances would be 0.", mend="Give one of them a weight above 0."
        )
    return factors


def _check_score(value: float, name: str) -> float:
    number = float(value)
    if not np.isfinite(number):
        raise InputError(
            f"The score for data set {name!r} is {value!r}.",
            why="Measures are chosen by the mean score, which it would spoil.",
            mend="Return a finite number, higher for better.",
        )
    return number


def _too_few(count: int) -> InputError:
    return InputError(
        f"The base holds {count} data set(s).",
        why="Leaving one out must leave another to learn from.",
        mend="Add data sets to the base.",
    )
