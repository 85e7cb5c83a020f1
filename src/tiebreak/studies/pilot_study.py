"""The study of pilots: what a few fits on new data are worth, replayed on stored folds of data sets left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak import advisor
from tiebreak._checks import FloatArray, readonly
from tiebreak.advisor.pilot.race import FOLDS, Race, distance_weights, fit_noise, greedy_list, prior_from, replay
from tiebreak.advisor.rankings.portfolios import filled
from tiebreak.advisor.times import fit_times
from tiebreak.attributes.catalogue import default_measures
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, Shown
from tiebreak.stats.results import rows_of

SECONDS, FITS = (0.0, 1.0, 2.0, 5.0), (0.0, 1.0, 3.0, 8.0)
"""Budgets of a pilot: seconds, or fits where times are unknown or so long that no fit ends within seconds."""
LONG = 30.0
"""From such a median time of a fit on, budgets are counted in fits."""
CHANCE = "chance"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PilotStudy(Shown):
    """Losses after pilots of several lengths, beside simpler ways; arrays are (ways, origins).

    Parameters
    ----------
    ways : tuple of str
    loss : FloatArray
        The score of the best algorithm less that of the answer, both on folds that no pilot saw.
    against : tuple of str
        The ways that the paired intervals compare with.
    held : mapping of str to float
        For every pilot: the share of origins whose loss is at most the stated 90 % point.
    stated : mapping of str to float
        For every pilot: the mean of the stated expected losses.
    origins : tuple of str
    unit : str
        What budgets are counted in.
    seed : int
    caveats : tuple of Caveat
    """

    ways: tuple[str, ...]
    loss: FloatArray
    against: tuple[str, ...]
    held: Mapping[str, float]
    stated: Mapping[str, float]
    origins: tuple[str, ...]
    unit: str = "s"
    seed: int = 0
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was studied."""
        return f"Pilots replayed on stored folds: {len(self.ways)} ways to choose, {len(self.origins)} origins left out"

    def rows(self) -> list[Row]:
        """Return one row per way: the mean loss, paired differences with 95 % intervals, the stated loss."""
        drawn = np.random.default_rng(self.seed).integers(0, len(self.origins), (4000, len(self.origins)))
        columns: dict[str, list[Any]] = {"way": list(self.ways), "loss": self.loss.mean(axis=1).tolist()}
        for rival in self.against:
            apart = self.loss - self.loss[self.ways.index(rival)]
            means = apart[:, drawn].mean(axis=2)
            ends = np.quantile(means, [0.025, 0.975], axis=1).T
            columns[f"minus {rival}"] = [
                None if way == rival else f"{mean:.4f} [{low:.4f}, {high:.4f}]"
                for way, mean, (low, high) in zip(self.ways, apart.mean(axis=1), ends, strict=True)
            ]
        columns["stated"] = [self.stated.get(way) for way in self.ways]
        columns["90% point held"] = [self.held.get(way) for way in self.ways]
        return rows_of(**columns)

    def differences(self, way: str, rival: str) -> tuple[float, float, float]:
        """Return the mean difference of two ways and its 95 % interval."""
        apart = self.loss[self.ways.index(way)] - self.loss[self.ways.index(rival)]
        drawn = np.random.default_rng(self.seed).integers(0, len(apart), (4000, len(apart)))
        low, high = np.quantile(apart[drawn].mean(axis=1), [0.025, 0.975])
        return float(apart.mean()), float(low), float(high)


def study_pilots(
    known: advisor.Knowledge, *, always: Sequence[str] = ("rf",), fixed: Sequence[str] = (), seed: int = 0
) -> PilotStudy | None:
    """Replay pilots on every data set with all of its origin left out; None where the base has too few folds.

    Half of the folds that a data set has are piloted, five at most, and the answer is counted on the other half; then
    the halves change places. Times to choose by are predicted from the other data sets, times that are spent are those
    of the folds.

    Examples
    --------
    >>> result = study_pilots(advisor.shipped_knowledge("number"), always=["rf"])
    >>> result.differences("pilot 5 s", "always rf")[0] < 0
    True
    """
    folds = known.accuracy.reshape(*known.accuracy.shape[:2], -1)
    if folds.shape[2] < 4:
        return None
    enough = np.isfinite(folds).any(axis=1).sum(axis=1) > 1
    counted = known.time is None or float(np.nanmedian(known.time)) > LONG
    seconds = np.ones_like(folds) if counted or known.time is None else known.time.reshape(folds.shape)
    runs = _Replays(known, folds, seconds, counted, tuple(always), tuple(fixed))
    places = np.flatnonzero(enough)
    origins = np.array(known.origins)[places]
    labels = tuple(dict.fromkeys(origins.tolist()))
    result = [runs.one(place) for place in places.tolist()]
    ways = tuple(result[0].losses)
    table = np.array([[item.losses[way] for way in ways] for item in result])
    loss = np.array([table[origins == label].mean(axis=0) for label in labels]).T
    pilots = [way for way in ways if way.startswith("pilot")]
    stated = {way: float(np.mean([np.mean([one for one, _ in e.stated[way]]) for e in result])) for way in pilots}
    held = {
        way: float(np.mean([e.losses[way] <= np.mean([most for _, most in e.stated[way]]) + 1e-9 for e in result]))
        for way in pilots
    }
    against = tuple(way for way in ways if way.startswith("always"))
    against += tuple(way for way in ways if way.startswith("fixed"))[-1:]
    return PilotStudy(
        ways=ways,
        loss=readonly(loss),
        against=against,
        held=held,
        stated=stated,
        origins=labels,
        unit="fits" if counted else "s",
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class _One:
    """The losses of one data set, and what pilots stated."""

    losses: dict[str, float]
    stated: dict[str, list[tuple[float, float]]]


@dataclass(frozen=True, slots=True)
class _Replays:
    """Replays of a base, one data set at a time."""

    known: advisor.Knowledge
    folds: FloatArray
    seconds: FloatArray
    counted: bool
    always: tuple[str, ...]
    fixed: tuple[str, ...]

    def one(self, place: int) -> _One:
        """Replay one data set, with all of its origin left out."""
        known, budgets = self.known, FITS if self.counted else SECONDS
        others = np.flatnonzero(np.array(known.origins) != known.origins[place])
        rest = known.datasets_at(others)
        scores = filled(rest.means()[0])
        weights = distance_weights(self._distances(place, others))
        listed = greedy_list(scores, weights, np.asarray(np.isfinite(scores).all(axis=0)))
        predicted = self._predicted(place, rest)
        rows = self._rows(place)
        noise = None if known.kind == "classes" and rows else max(fit_noise(self.folds[others]), 1e-6)
        there = np.flatnonzero(np.isfinite(self.folds[place]).any(axis=0))
        half = len(there) // 2
        parts = [there[:half], there[half : 2 * half]]
        out: dict[str, list[float]] = {}
        stated: dict[str, list[tuple[float, float]]] = {}
        prior = prior_from(scores, weights)
        for pilot, rest_folds in (parts, parts[::-1]):
            lost = _losses(self.folds[place][:, rest_folds], scores)
            current, spent = self.folds[place][:, pilot], self.seconds[place][:, pilot]
            race = Race(
                prior=prior, listed=listed, seconds=predicted, rows=rows or 100, noise=noise, folds=min(FOLDS, half)
            )
            for budget, answer in zip(budgets, replay(race, current, spent, budgets), strict=True):
                way = f"pilot {budget:g} {'fits' if self.counted else 's'}"
                out.setdefault(way, []).append(lost[answer.place])
                stated.setdefault(way, []).append((answer.loss, answer.most))
            for name in self.always:
                if name in known.algorithms:
                    out.setdefault(f"always {name}", []).append(lost[known.algorithms.index(name)])
            self._add_fixed(out, current, spent, lost, budgets)
            out.setdefault(CHANCE, []).append(float(lost.mean()))
        return _One({way: float(np.mean(item)) for way, item in out.items()}, stated)

    def _add_fixed(
        self,
        out: dict[str, list[float]],
        values: FloatArray,
        spent: FloatArray,
        lost: FloatArray,
        budgets: Sequence[float],
    ) -> None:
        """Fit a fixed list fold by fold within the same budgets and keep the best by mean."""
        places = [self.known.algorithms.index(name) for name in self.fixed if name in self.known.algorithms]
        if len(places) < len(self.fixed) or not places:
            return
        for budget in budgets[1:]:
            total = 0.0
            seen: dict[int, list[float]] = {place: [] for place in places}
            for fold, place in ((f, p) for f in range(min(FOLDS, values.shape[1])) for p in places):
                if not np.isfinite(values[place, fold]):
                    continue
                if total + spent[place, fold] > budget:
                    break
                total += float(spent[place, fold])
                seen[place].append(float(values[place, fold]))
            common = min((len(item) for item in seen.values() if item), default=0)
            means = {place: float(np.mean(item[:common])) for place, item in seen.items() if item}
            best = max(means, key=lambda p: means[p]) if means else places[0]
            label = f"fixed {', '.join(self.fixed)} {budget:g} {'fits' if self.counted else 's'}"
            out.setdefault(label, []).append(lost[best])

    def _distances(self, place: int, others: Any) -> FloatArray:
        """Return distances by the usual measures; infinite where nothing is known of the data sets."""
        known = self.known
        names = tuple(name for name in default_measures(known.kind) if name in known.meta.measures)
        if not names or not np.isfinite(known.meta.of(names).matrix[place]).any():
            return np.full(len(others), np.inf)
        return np.asarray(known.distances(names)[place, others])

    def _predicted(self, place: int, rest: advisor.Knowledge) -> FloatArray:
        if self.counted:
            return np.ones(len(self.known.algorithms))
        row = self.known.meta.matrix[place].tolist()
        query = {name: value for name, value in zip(self.known.meta.measures, row, strict=True) if np.isfinite(value)}
        times = fit_times(rest).predict(query)
        seconds = np.array([times.of(name)[0] for name in self.known.algorithms]) / 2
        return np.where(np.isfinite(seconds), seconds, np.nanmedian(seconds))

    def _rows(self, place: int) -> int:
        """Return how many rows a fold of a data set is measured on; 0 where that is unknown."""
        known = self.known
        if "n_examples" not in known.meta.measures or not np.isfinite(known.train_share[place]):
            return 0
        rows = known.meta.of(("n_examples",)).matrix[place, 0]
        return max(1, int(rows * (1 - known.train_share[place]))) if np.isfinite(rows) else 0


def _losses(folds: FloatArray, others: FloatArray) -> FloatArray:
    """Return what every algorithm loses on folds; one that was not measured there is filled in from other data."""
    there = np.isfinite(folds)
    means = np.where(
        there.any(axis=1), np.where(there, folds, 0).sum(axis=1) / np.maximum(there.sum(axis=1), 1), np.nan
    )
    whole = filled(np.vstack([means, others]))[0]
    return np.asarray(np.nanmax(means) - np.minimum(whole, np.nanmax(means)))
