"""Which algorithm is tried next: the one that promises most, or most per second where the time is short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor import Knowledge, Recommendation
from tiebreak.advisor.trials import ExpectedGains, expected_gains
from tiebreak.advisor.tryout._judged_by import JudgedBy
from tiebreak.lab.resampling import Resampling, cells_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choosing:
    """What is known of the algorithms that may be tried, in the recommended order.

    `success` are rates, higher the better; what was seen is a score, which `judged` turns into one.
    `seconds` and `least` are the predicted time of a whole trial and its lower bound, NaN where nothing is known.
    `rated` says that the time is too short for all of them, so that gains count per second.
    """

    names: tuple[str, ...]
    success: FloatArray
    distance: FloatArray | None
    origins: tuple[str, ...]
    seconds: FloatArray
    least: FloatArray
    rated: bool = False
    places: Mapping[str, int] = field(default_factory=dict)
    judged: JudgedBy = field(default_factory=JudgedBy)

    def gains(self, seen: Mapping[str, float], left: Sequence[str]) -> ExpectedGains:
        """Return what those that are left are expected to add to what was seen."""
        names = [*seen, *left]
        columns = [self.places[name] for name in names]
        now = np.array([*map(self.judged.success, seen.values()), *[np.nan] * len(left)])
        about = {"distance": self.distance, "origins": self.origins}
        return expected_gains(self.success[:, columns], now, algorithms=names, **about)  # type: ignore[arg-type]

    def next_of(self, gains: ExpectedGains, among: Sequence[str], *, first: bool) -> str:
        """Return the most promising one; the earlier in the recommended order of equals, and the first of all."""
        if first:
            return min(among, key=self.places.__getitem__)
        return self.by_promise(gains, among)[0]

    def by_promise(self, gains: ExpectedGains, among: Sequence[str]) -> tuple[str, ...]:
        """Return names in the order in which they would be tried next."""
        held = dict(zip(gains.algorithms, np.nan_to_num(gains.gain).tolist(), strict=True))
        value = {name: held[name] / (self._time(name) if self.rated else 1.0) for name in among}
        return tuple(sorted(among, key=lambda name: (-value[name], self.places[name])))

    def _time(self, name: str) -> float:
        """One of unknown time is taken to need as much as the middle of the others."""
        known = self.seconds[np.isfinite(self.seconds)]
        own = self.seconds[self.places[name]]
        return max(float(own if np.isfinite(own) else np.median(known) if len(known) else 1.0), 1e-6)

    def expected(self, name: str) -> float:
        """Return the predicted seconds of a whole trial; 0 where nothing is known, so that it is not held back."""
        return float(np.nan_to_num(self.seconds[self.places[name]]))

    def too_long(self, name: str, seconds: float, jobs: int) -> bool:
        """Tell whether even the least time that is predicted does not fit into what is left."""
        least = self.least[self.places[name]]
        return bool(np.isfinite(least) and least / jobs > seconds)


def choosing(
    found: Recommendation,
    known: Knowledge,
    names: Sequence[str],
    *,
    splits: Resampling,
    budget: float,
    jobs: int,
    judged: JudgedBy,
) -> Choosing:
    """Put together what the choice of the next algorithm rests on."""
    columns = [known.algorithms.index(name) for name in names]
    seconds, least = _times(found, names, splits)
    total = np.nansum(seconds) / jobs
    return Choosing(
        names=tuple(names),
        success=known.means()[0][:, columns],
        distance=_distances(found, known),
        origins=known.origins,
        seconds=seconds,
        least=least,
        rated=bool(total > budget),
        places={name: place for place, name in enumerate(names)},
        judged=judged,
    )


def _distances(found: Recommendation, known: Knowledge) -> FloatArray | None:
    """Return the distances to all known data sets, by the measures of the recommendation; None without any."""
    from tiebreak.advisor.neighbours import nearest

    measures = found.neighbours.measures
    if not measures:
        return None
    near = nearest(found.meta_attributes, known.meta, measures=measures, k=None)
    held = dict(zip(near.names, near.distance.tolist(), strict=True))
    return np.array([held[name] for name in known.datasets])


def _times(found: Recommendation, names: Sequence[str], splits: Resampling) -> tuple[FloatArray, FloatArray]:
    """Return the predicted seconds of a whole trial of every algorithm, and their lower bounds.

    A prediction for this data set is for one fit on all rows; without one, means on the neighbours stand for a fold.
    """
    cells = len(cells_of(splits))
    share = (1 - 1 / splits.folds) if splits.kind == "cv" else 1 - splits.holdout
    times = getattr(found, "times", None)
    if times is not None:
        places = {name: place for place, name in enumerate(times.algorithms)}
        rows = [places.get(name) for name in names]
        parts = [np.array([np.nan if i is None else part[i] for i in rows]) for part in (times.seconds, times.low)]
        work = cells * share / getattr(times, "share", 1.0)
        return parts[0] * work, parts[1] * work
    held = dict(zip(found.algorithms, found.expected()[1].tolist(), strict=True))
    seconds = np.array([held.get(name, np.nan) for name in names]) * cells
    return seconds, np.full(len(names), np.nan)  # of neighbours' times no bound for these data is known
