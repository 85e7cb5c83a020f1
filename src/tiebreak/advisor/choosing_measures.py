"""Which meta-attributes make data sets alike, judged by the recommendations that they lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor.evaluation.agreement import spearman
from tiebreak.advisor.evaluation.ideal import ideal_rankings
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.neighbours import Neighbours, select_measures
from tiebreak.advisor.rankings.by_name import TIMED, scorer
from tiebreak.advisor.rankings.measured import row_means


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
    times = seconds if method in TIMED else None
    known: dict[str, Any] = {"algorithms": base.algorithms, "datasets": base.datasets}
    rates = base.accuracy if method in ("wins", "multitest") else success
    score = scorer(method, rates, times, accd=accd, floor=floor, **known)
    yardstick = method if method in ("arr", "a3r") else "accuracy"
    ideal = row_means(ideal_rankings(success, times, by=yardstick, accd=accd, floor=floor, **known).transpose(0, 2, 1))
    place = {name: i for i, name in enumerate(base.datasets)}

    def served(name: str, found: Neighbours) -> float:
        weights: FloatArray = np.zeros((1, len(place)))
        weights[0, [place[each] for each in found.names]] = found.weight
        agreed = float(spearman(-score(weights)[0], ideal[place[name]]))
        return agreed if np.isfinite(agreed) else 0.0

    origins: Mapping[str, str] = dict(zip(base.datasets, base.origins, strict=True))
    names = base.meta.measures if measures is None else tuple(measures)
    return select_measures(base.meta, served, measures=names, k=k, weighting=weighting, same_origin=origins)
