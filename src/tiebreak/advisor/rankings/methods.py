"""Every ranking method by name, and how it is prepared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice
from tiebreak.advisor.rankings.by_tests import win_pairs
from tiebreak.advisor.rankings.pairwise import check_accd, power_from, rank_pairs, ratio_pairs
from tiebreak.advisor.rankings.portfolios import portfolios
from tiebreak.advisor.rankings.ranking import Ranking, measured
from tiebreak.caveats import Caveats
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.methods import Method, of_kind
from tiebreak.wording import Brief, option


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RankingMethod(Brief):
    """One ranking method: what it is, and how it is prepared for many weightings of the same data sets.

    Parameters
    ----------
    record : Method
        Its record in `tiebreak.methods`; `options` says which of time, accd and weights mean
        something to it.
    prepare : callable
        Takes checked results (`measured`) and accd; returns an object with scores(weightings), and caveats.
    """

    record: Method
    prepare: Callable[..., tuple[Any, Caveats]]

    @property
    def name(self) -> str:
        """What it is called as a choice."""
        return self.record.name

    @property
    def needs_time(self) -> bool:
        """Whether it cannot do without times."""
        return "time" in self.record.options

    @property
    def by_folds(self) -> bool:
        """Whether it looks at single folds instead of their means."""
        return self.record.takes != "success rates"

    @property
    def trades_accuracy(self) -> bool:
        """Whether accuracy is weighed against time by AccD; then the ideal ranking is made by the method too."""
        return "accd" in self.record.options

    @property
    def yardstick(self) -> str:
        """How the ideal ranking is made: a choice of `ideal_rankings`."""
        return self.name if self.trades_accuracy else "accuracy"


_PREPARED: Mapping[str, Callable[..., tuple[Any, Caveats]]] = {
    "portfolio": portfolios,
    "arr": lambda table, accd: ratio_pairs(table, accd=check_accd(accd)),
    "a3r": lambda table, accd: ratio_pairs(table, power=power_from(accd)),
    "srr": lambda table, **_: ratio_pairs(table),
    "mean-rank": rank_pairs,
    "wins": win_pairs,
}
RANKING_METHODS: Mapping[str, RankingMethod] = MappingProxyType(
    {method.name: RankingMethod(record=method, prepare=_PREPARED[method.name]) for method in of_kind("ranking")}
)
"""Every ranking method by name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Scorer(Brief):
    """Scores of all algorithms for many weightings of the data sets: call it with (weightings, data sets).

    It returns (weightings, algorithms), higher the better, NaN for an algorithm that cannot be ranked.
    """

    method: str
    scores: Callable[[FloatArray], FloatArray]
    caveats: Caveats = ()

    def __call__(self, weights: FloatArray) -> FloatArray:
        """Score every weighting."""
        return self.scores(weights)


@as_came_in
def rank_by(
    method: str,
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike | None = None,
    *,
    accd: float = 0.01,
    weights: npt.ArrayLike | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Ranking:
    """Rank algorithms by a method of `RANKING_METHODS`; see the function of each method.

    Options that a method does not know (AccD without times) do not matter to it.

    Parameters
    ----------
    method : {"portfolio", "arr", "a3r", "srr", "mean-rank", "wins"}
    accuracy, time, accd, weights, algorithms, datasets
        As in `rank_by_arr`.

    Returns
    -------
    Ranking

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> rank_by("srr", [[0.9, 0.6], [0.8, 0.7]], algorithms=["a", "b"]).algorithms
    ('a', 'b')
    """
    given = {"time": time, "accd": accd, "weights": weights}
    record = _found(method, time).record
    known = {name: given[name] for name in record.options}
    ranking: Ranking = record(accuracy, **known, algorithms=algorithms, datasets=datasets)
    return ranking


def scorer(
    method: str,
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike | None = None,
    *,
    accd: float = 0.01,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Scorer:
    """Prepare a ranking method for many weightings of the same data sets, as leaving each out in turn needs.

    Names of algorithms and data sets serve to say what is refused.

    Examples
    --------
    >>> import numpy as np
    >>> score = scorer("srr", [[0.9, 0.6], [0.8, 0.8]])
    >>> score(np.eye(2)).round(3)
    array([[1.25 , 0.833],
           [1.   , 1.   ]])
    """
    record = _found(method, time)
    table = measured(
        accuracy,
        time if record.needs_time else None,
        algorithms=algorithms,
        datasets=datasets,
        whole=record.by_folds,
    )
    prepared, notes = record.prepare(table, accd=accd)
    return Scorer(method=method, scores=prepared.scores, caveats=(*table.caveats, *notes))


def _found(method: str, time: npt.ArrayLike | None) -> RankingMethod:
    """Look a method up, refusing one that needs times where there are none."""
    record = RANKING_METHODS[check_choice("ranking method", method, RANKING_METHODS)]
    if time is None and record.needs_time:
        raise OptionError(
            f"The ranking method {method!r} was asked for without times.",
            why="It weighs accuracy against time.",
            mend=f"Give {option(time=...)}, or use 'srr' or 'mean-rank'.",
        )
    return record
