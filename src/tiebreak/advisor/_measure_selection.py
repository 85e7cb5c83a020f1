"""Which meta-attributes make data sets alike, judged by the recommendations that they lead to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, check_choice
from tiebreak.advisor import neighbours
from tiebreak.advisor._knowledge import Knowledge
from tiebreak.advisor._meta_table import Described, MetaTable, as_table
from tiebreak.advisor.evaluation.rank_agreement import ideal_rankings, spearman
from tiebreak.advisor.rankings import RANKING_METHODS, scorer
from tiebreak.advisor.rankings.measured import row_means
from tiebreak.attributes.catalogue import DEFAULT_MEASURES
from tiebreak.errors import InputError

Score = Callable[[str, neighbours.Neighbours], float]
"""How well the neighbours of the named data set served it: higher is better."""


def choose_measures(
    base: Knowledge,
    *,
    measures: Sequence[str] | None = None,
    k: int | None = 5,
    method: str = "arr",
    accd: float = 0.01,
    weighting: str = "equal",
    floor: float | None = 0.001,
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Choose the measures with which the neighbours of the known data sets would have served them best.

    Formula: greedy forward selection (see `select_measures`) of the mean Spearman coefficient between the ranking from
    the neighbours and the true one, each data set left out together with all of its origin.

    When not to use it: to report the coefficient of the choice; it is the best of many and so too good. With few data
    sets the choice is mostly chance.

    Parameters
    ----------
    base : Knowledge
    measures : sequence of str, optional
        The candidates; all that the base holds by default.
    k, method, accd, weighting, floor
        As in `Advisor.recommend`.

    Returns
    -------
    chosen : tuple of str
    scores : tuple of float
        The mean coefficient after each addition.

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> chosen, scores = choose_measures(shipped_knowledge(), measures=["n_examples", "class_entropy"], k=3)
    >>> len(chosen) >= 1, len(scores) == len(chosen)
    (True, True)
    """
    success, seconds = base.means()
    record = RANKING_METHODS[check_choice("ranking method", method, RANKING_METHODS)]
    times = seconds if record.needs_time else None
    known: dict[str, Any] = {"accd": accd, "floor": floor, "algorithms": base.algorithms, "datasets": base.datasets}
    score = scorer(method, base.accuracy if record.by_folds else success, times, **known)
    ideal = row_means(ideal_rankings(success, times, by=record.yardstick, **known).transpose(0, 2, 1))
    place = {name: i for i, name in enumerate(base.datasets)}

    def served(name: str, found: neighbours.Neighbours) -> float:
        weights: FloatArray = np.zeros((1, len(place)))
        weights[0, [place[each] for each in found.names]] = found.weight
        agreed = float(spearman(-score(weights)[0], ideal[place[name]]))
        return agreed if np.isfinite(agreed) else 0.0

    origins: Mapping[str, str] = dict(zip(base.datasets, base.origins, strict=True))
    names = base.meta.measures if measures is None else tuple(measures)
    return select_measures(base.meta, served, measures=names, k=k, weighting=weighting, same_origin=origins)


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
    candidates = neighbours.check_measures(measures)
    check_choice("weighting", weighting, neighbours.WEIGHTINGS)
    table, _ = as_table(base, {}, candidates)
    if len(table.names) < 2:
        raise InputError(
            f"The base holds {len(table.names)} data set(s).",
            why="Leaving one out must leave another to learn from.",
            mend="Add data sets to the base.",
        )
    origin = same_origin or {}
    chosen: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    while len(chosen) < len(candidates):
        left = [name for name in candidates if name not in chosen]
        tried = [_left_out(table.of((*chosen, name)), score, neighbours.check_k(k), weighting, origin) for name in left]
        best = int(np.argmax(tried))
        if np.isneginf(tried[best]) or (scores and not tried[best] > scores[-1]):
            break
        chosen, scores = (*chosen, left[best]), (*scores, tried[best])
    return chosen, scores


def _left_out(table: MetaTable, score: Score, k: int | None, weighting: str, origin: Mapping[str, str]) -> float:
    """Return the mean score over the data sets, each with its neighbours among those of other origin."""
    # A data set may bear the name of an origin: the words before keep the two apart.
    origins = np.array([f"of {origin[name]}" if name in origin else f"itself {name}" for name in table.names])
    found = []
    for place, name in enumerate(table.names):
        others = table.rows(np.flatnonzero(origins != origins[place]))
        if not others.names:
            continue
        asked = table.matrix[place]
        terms = neighbours.contributions(*neighbours.on_scale(asked, others.matrix, table.measures, "log"))
        if np.isnan(asked).all():
            near = neighbours.all_alike(others, asked, terms)
        else:
            near = neighbours.closest(others, asked, terms, k, weighting)
        found.append(_check_score(score(name, near), name))
    return float(np.mean(found)) if found else float("-inf")


def _check_score(value: float, name: str) -> float:
    """Refuse NaN: the greedy choice would take it for the best."""
    number = float(value)
    if not np.isfinite(number):
        raise InputError(
            f"The score for data set {name!r} is {value!r}.",
            why="Measures are chosen by the mean score, which it would spoil.",
            mend="Return a finite number, higher for better.",
        )
    return number
