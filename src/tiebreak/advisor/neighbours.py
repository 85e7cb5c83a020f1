"""Which data sets resemble a new one: range-normalised distance over meta-attributes, and what each contributed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_choice, readonly
from tiebreak.advisor.meta_table import Described, MetaTable, as_table, names_of
from tiebreak.attributes.catalogue import COUNTS, DEFAULT_MEASURES
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.stats.results import frozen, rows_of
from tiebreak.wording import option

SCALINGS = ("log", "plain")
"""How measures are compared: counts by their logarithms and nothing beyond the known range, or all as they are."""
NO_MEASURE = (
    "None of the measures applies to the query, so no data set is nearer than another: all of them are returned,"
    " with equal weight."
)
DIGITS = 12
"""Distances that agree to so many digits differ by rounding alone, which is not the same on every machine."""


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
    caveats : tuple of Caveat
    """

    names: tuple[str, ...]
    distance: FloatArray
    weight: FloatArray
    contribution: FloatArray
    query_values: FloatArray
    base_values: FloatArray
    measures: tuple[str, ...]
    method: str
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what this is."""
        return f"{len(self.names)} nearest data set(s): {self.method}"

    def rows(self) -> list[Row]:
        """Return one row per data set: distance, weight, and the contribution of every measure."""
        about = {"dataset": self.names, "distance": self.distance, "weight": self.weight}
        return rows_of(**about, **dict(zip(self.measures, self.contribution.T, strict=True)))


@as_came_in
def nearest(
    query: Described,
    base: MetaTable | Mapping[str, Described],
    *,
    measures: Sequence[str] = DEFAULT_MEASURES,
    k: int | None = 5,
    exclude: Iterable[str] = (),
    scaling: str = "log",
) -> Neighbours:
    """Find the data sets whose meta-attributes are closest to those of a query.

    Formula: distance = sum over measures of |query - other| / range, the range over the data sets of the base that
    are not excluded. A measure that does not apply to one of the two counts 1, to both counts 0. Measures without an
    upper bound (`COUNTS`) are compared by their logarithms, so that one huge data set does not make all others look
    alike, and a query beyond the range counts as its end, so that no term is above 1. With `scaling="plain"`, as in
    the source, all measures are compared as they are and a query outside the range gets terms above 1. Where all data
    sets of the base share one value (range 0) the term is 0 if the query has that value too and 1 otherwise.

    Assumptions:

    1. A difference matters in proportion to the range, whatever the measure.
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
    exclude : iterable of str
        Data sets of the base to leave out, such as those of the same origin as the query.
    scaling : {"log", "plain"}

    Returns
    -------
    Neighbours

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> base = {"a": {"n_examples": 100}, "b": {"n_examples": 300}, "c": {"n_examples": 500}}
    >>> result = nearest({"n_examples": 250}, base, measures=["n_examples"], k=2)
    >>> result.names, result.distance.tolist()
    (('b', 'c'), [0.113..., 0.431...])
    >>> nearest({"n_examples": 250}, base, measures=["n_examples"], k=2, scaling="plain").distance.tolist()
    [0.125, 0.375]
    """
    check_choice("scaling", scaling, SCALINGS)
    chosen = check_measures(measures)
    table, notes = as_table(base, query, chosen)
    table = _without(table, exclude)
    values = table.row_of(query)
    terms = contributions(*on_scale(values, table.matrix, chosen, scaling))
    known = not np.isnan(values).all()
    neighbours = closest(table, values, terms, check_k(k), scaling) if known else all_alike(table, values, terms)
    return replace(neighbours, caveats=(*notes, *neighbours.caveats))


def on_scale(
    query: FloatArray, base: FloatArray, measures: Sequence[str], scaling: str
) -> tuple[FloatArray, FloatArray]:
    """Return a query and the rows of a base as they are compared; with "log" the query is drawn into their range."""
    if scaling == "plain":
        return query, base
    values, known = comparable(query, measures), comparable(base, measures)
    low = np.where(np.isnan(known), np.inf, known).min(axis=0, initial=np.inf)
    high = np.where(np.isnan(known), -np.inf, known).max(axis=0, initial=-np.inf)
    return np.where(low < high, np.clip(values, low, np.maximum(low, high)), values), known


def comparable(values: FloatArray, measures: Sequence[str]) -> FloatArray:
    """Return logarithms of the measures without an upper bound, the last axis being measures; the others as they are.

    log10(1 + x), which takes counts of 0; log10 x for attributes per example, most of which are far below 1.
    """
    out = np.array(values, dtype=np.float64)
    for j, name in enumerate(measures):
        if name in COUNTS:
            least = np.finfo(np.float64).tiny if name == "dimensionality" else 0.0
            shift = 0.0 if name == "dimensionality" else 1.0
            out[..., j] = np.log10(np.maximum(out[..., j], least) + shift)
    return out


def contributions(query: FloatArray, base: FloatArray) -> FloatArray:
    """Return base rows x measures: the terms of the distance between one query and every row; NaN: does not apply."""
    return scaled_terms(query, base, widths(base))


def widths(base: FloatArray) -> FloatArray:
    """Return the range of every measure over what is there; 0 where nothing is."""
    there = ~np.isnan(base)
    low = np.where(there, base, np.inf).min(axis=0, initial=np.inf)
    high = np.where(there, base, -np.inf).max(axis=0, initial=-np.inf)
    return np.where(high > low, high - low, 0.0)


def scaled_terms(query: FloatArray, base: FloatArray, width: FloatArray) -> FloatArray:
    """Return |query - base| / width, broadcast; 1 for a measure that applies to one of the two, 0 for one to neither.

    Where all of the base share one value (width 0) the term is 0 if the query has it too, and 1 otherwise.
    """
    applies, values = ~np.isnan(base), ~np.isnan(query)
    differences = np.abs(base - query)
    terms = np.divide(differences, width, out=(differences > 0).astype(np.float64), where=width > 0)
    np.copyto(terms, applies != values, where=~(applies & values))
    return np.asarray(terms)  # Brazdil, Soares and da Costa 2003: dist(d_i, d_j), by measure


def distance_table(
    matrix: FloatArray,
    origins: Sequence[str],
    *,
    measures: Sequence[str] = (),
    scaling: str = "log",
) -> FloatArray:
    """Return the distance of every data set to every other of another origin, infinity elsewhere.

    The scale is taken over the data sets of other origins, as it is when the data set is new. With the names of the
    `measures` counts are compared by their logarithms within the known range, unless the `scaling` is plain; without
    them all as they are.
    """
    labels = np.array(list(origins))
    out = np.full((len(matrix), len(matrix)), np.inf)
    for i, row in enumerate(matrix):
        others = labels != labels[i]
        if others.any():
            values, known = on_scale(row, matrix[others], measures, scaling if measures else "plain")
            out[i, others] = scaled_terms(values, known, widths(known)).sum(axis=1)
    return out


def closest(
    table: MetaTable, values: FloatArray, terms: FloatArray, k: int | None, scaling: str = "plain"
) -> Neighbours:
    """Take the k data sets with the smallest sums of terms."""
    distance = np.round(terms.sum(axis=1), DIGITS)
    count = len(distance) if k is None else min(k, len(distance))
    near = _by_distance(table, distance, count)
    counts = ", logarithms of counts" if scaling == "log" and set(table.measures) & COUNTS else ""
    method = f"range-normalised L1 distance{counts}, equal weights"
    return _neighbours(table, values, terms, near[:count], method=method)


def _by_distance(table: MetaTable, distance: FloatArray, count: int) -> IntArray:
    """Order by distance, equal ones by name: the first `count` and all that tie with the last of them."""
    farthest = np.partition(distance, count - 1)[count - 1]
    near = np.flatnonzero(distance <= farthest)
    return np.array(sorted(near, key=lambda i: (distance[i], table.names[i])), dtype=np.int64)


def all_alike(table: MetaTable, values: FloatArray, terms: FloatArray, why: str = NO_MEASURE) -> Neighbours:
    """Take all data sets with equal weight, as nothing makes one nearer than another."""
    order = np.array(sorted(range(len(table.names)), key=table.names.__getitem__), dtype=np.int64)
    return _neighbours(table, values, terms, order, method="all alike", caveats=(Caveat("all-alike", why),))


def _neighbours(table: MetaTable, values: FloatArray, terms: FloatArray, chosen: IntArray, **about: Any) -> Neighbours:
    """The parts of each distance are kept beside the sum: a recommendation says what made data sets alike."""
    return Neighbours(
        names=tuple(table.names[i] for i in chosen),
        **frozen(distance=terms[chosen].sum(axis=1), contribution=terms[chosen]),
        weight=readonly(np.full(len(chosen), 1 / len(chosen))),
        **frozen(query_values=values, base_values=table.matrix[chosen]),
        measures=table.measures,
        **about,
    )


def _without(table: MetaTable, exclude: Iterable[str]) -> MetaTable:
    """Leave data sets out before ranges are taken: they may be the query itself."""
    gone = {*names_of(exclude)}
    if table.names and not gone:
        return table
    values = np.array([i for i, name in enumerate(table.names) if name not in gone], dtype=np.int64)
    if not len(values):
        raise InputError(
            f"No data set is left to be a neighbour ({len(table.names)} in the base, all excluded)."
            if table.names
            else "The base holds no data sets.",
            why="A recommendation rests on results for other data sets.",
            mend="Add data sets to the base, or exclude fewer.",
        )
    return table.rows(values) if len(values) < len(table.names) else table


def check_measures(measures: Sequence[str]) -> tuple[str, ...]:
    """Return the measures of a distance, each once."""
    chosen = names_of(measures)
    if not chosen or len(set(chosen)) < len(chosen):
        raise OptionError(
            f"The measures are {quoted(chosen)}." if chosen else "No measures are given.",
            why="A distance needs at least one, and each of them once.",
            mend=f"Leave {option('measures')} out for the default set.",
        )
    return chosen


def check_k(k: int | None) -> int | None:
    """Return a number of neighbours, None for all."""
    if k is None or (isinstance(k, (int, np.integer)) and not isinstance(k, bool) and k >= 1):
        return k
    raise OptionError(
        f"k is {k!r}.",
        why="It is the number of neighbours.",
        mend="Use a whole number from 1 on, or k=None for all data sets.",
    )
