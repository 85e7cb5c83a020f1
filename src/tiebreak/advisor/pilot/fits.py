"""A pilot: a few fits on the user's own rows, chosen by the race, within a few seconds."""

from __future__ import annotations

import math
import time as clocks
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor import Knowledge, Recommendation
from tiebreak.advisor.large_data import on_large_data
from tiebreak.advisor.neighbours import nearest
from tiebreak.advisor.new_data import duplicates_together
from tiebreak.advisor.pilot.race import Prior, Race, charge, distance_weights, fit_noise, greedy_list, prior_from
from tiebreak.advisor.rankings.portfolios import filled
from tiebreak.advisor.success_rates import SCORES
from tiebreak.advisor.times import fit_times
from tiebreak.attributes.catalogue import default_measures
from tiebreak.datasets import DataSet
from tiebreak.documents import Framed
from tiebreak.documents.words import amount
from tiebreak.errors import InputError
from tiebreak.lab.engines import LocalEngine
from tiebreak.lab.resampling import Resampling
from tiebreak.lab.splits import Split, split
from tiebreak.lab.tasks import AlgorithmSpec, Cell, Limits, Task

ERROR = "rmse"
"""What stands beside the score of numbers: an error in the unit of the target."""


MEASURED = {"auc": "auc", "exp(-log_loss)": "log_loss"}
"""What data are judged by where the success rates of a base are made of another score of classes than accuracy."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JudgedBy(Framed):
    """The score of trials, and what the trivial answer scores, which every algorithm should beat.

    `trivial` is the share of the most frequent class, 0.5 for an AUC, for log loss that of the shares of the classes,
    or 1: relative_rmse is a share of the error of the mean. Beside it `trivial_error` is that error in the unit of the
    target, None for classes. `measure` is the score, where it is not the usual one, `share` the rows of the smaller of
    two classes, or of the mean one of several.
    """

    kind: str = "classes"
    trivial: float = 0.0
    trivial_error: float | None = None
    measure: str = ""
    share: float | None = None

    @classmethod
    def of(cls, data: DataSet, base: str = "") -> JudgedBy:
        """Say what trials on a data set are judged by; `base` is what the success rates of the base are."""
        if data.kind == "number":
            return cls(kind="number", trivial=1.0, trivial_error=float(np.std(data.target)))
        shares = data.class_counts / data.n_rows
        measure = MEASURED.get(base, "")
        if measure == "log_loss":
            return cls(measure=measure, trivial=float(-(shares[shares > 0] * np.log(shares[shares > 0])).sum()))
        share = float(shares.min()) if len(shares) == 2 else 1 / np.count_nonzero(shares)
        return cls(measure=measure, trivial=0.5 if measure else float(shares.max()), share=share)

    @property
    def score(self) -> str:
        """The name of the score in the store."""
        return self.measure or SCORES[self.kind]

    @property
    def measures(self) -> tuple[str, ...]:
        """What is read of a cell: the score first."""
        return (self.score,) if self.kind == "classes" else (self.score, ERROR)

    @property
    def words(self) -> tuple[str, str, str]:
        """The score, the trivial answer in a word or two, and what always gives it."""
        return _WORDS[self.score]

    @property
    def answer(self) -> str:
        """The trivial answer in words."""
        return self.words[2]

    def success(self, score: float) -> float:
        """Return the success rate that a score stands for, as a base has it: higher is better, at least 0."""
        if self.measure == "log_loss":
            return math.exp(-score)
        return score if self.kind == "classes" else max(0.0, 1.0 - score)

    def score_of(self, success: float) -> float:
        """Return the score that a success rate stands for."""
        if self.measure == "log_loss":
            return -math.log(max(success, 1e-15)) + 0.0
        return success if self.kind == "classes" else 1.0 - success

    def ahead(self, one: float, other: float) -> float:
        """Return by how much one score is better than another."""
        return other - one if self.score in ("log_loss", SCORES["number"]) else one - other

    def best(self, scores: Mapping[str, float]) -> str | None:
        """Return the algorithm with the best score, the first of equals; None without any."""
        return max(scores, key=lambda name: self.ahead(scores[name], 0.0), default=None)

    @property
    def unit(self) -> str:
        """What the distance between two scores is counted in, as the heading of a column."""
        if self.measure == "log_loss":
            return "log loss behind"
        return "points behind" if self.kind == "classes" else "RMSE behind"

    def behind(self, best: float, score: float) -> float:
        """Return how far a score is behind another: in points, log loss, or the unit of a number to predict."""
        apart = self.ahead(best, score)
        return apart if self.measure == "log_loss" else apart * (self.trivial_error or 100.0)

    def behind_by(self, best: float, loss: float) -> float:
        """Return the same for a loss of success rate."""
        return self.behind(best, self.score_of(self.success(best) - loss))

    def written(self, score: float | None) -> str:
        """Write a score; that of a number is an error in the unit of the target."""
        if score is None:
            return "-"
        return f"{score:.3f}" if self.trivial_error is None else amount(score * self.trivial_error)

    def written_behind(self, value: object) -> str:
        """Write how far a score is behind another, with the digits that tell algorithms apart."""
        number = float(str(value))
        if self.trivial_error is not None:
            return amount(number if abs(number) >= 1e-3 * self.trivial_error else 0.0)
        digits = 3 if self.measure == "log_loss" else 1
        return f"{round(number, digits) + 0.0:.{digits}f}"

    def difference(self, one: float, other: float) -> str:
        """Write how far two scores are apart."""
        apart = self.written_behind(abs(self.behind(one, other)))
        return f"{apart} points" if self.unit.startswith("points") else f"{apart} ({self.words[0]})"


_WORDS = {
    "accuracy": ("accuracy", "majority class", "always answering the most frequent class"),
    "auc": ("AUC", "chance", "ordering the rows by chance"),
    "log_loss": ("log loss", "class shares", "always giving the shares of the classes"),
    "relative_rmse": ("RMSE", "mean predictor", "always predicting the mean"),
}


ENOUGH = 0.01
"""A pilot ends when the expected loss of its answer is below one point."""
MOST_ROWS = 5_000
"""Of larger data a sample of so many rows is piloted: fits on 2,000 rows already choose as fits on all do."""
USUAL_NOISE = 0.02**2
"""The variance of one fold's relative error where a base holds no folds."""
TRIVIAL = ("mean", "majority", "zeror")
"""Learners that need no fit: they are always part of the comparison."""
_SCHEMES = ((5, 0.2), (5, 0.0), (2, 0.0))
"""Folds, and the share of the rows held out, that are tried until the rows suffice."""
LEAST_HELD_OUT = 20
"""Fewer rows say nothing about a score: then none are held out, and the answer says that it is a little optimistic."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fits:
    """The fits of one algorithm: scores of the folds, scores on the held-out rows, CPU seconds of each."""

    scores: tuple[float, ...] = ()
    held_out: tuple[float, ...] = ()
    errors: tuple[float, ...] = ()
    seconds: tuple[float, ...] = ()


@dataclass(slots=True, kw_only=True)
class Contest:
    """Algorithms that race on folds of a data set, and what was measured of each.

    `predicted` are seconds of one fit, in the order of the race, and `trivial` what the trivial answer scores on every
    fold.
    """

    specs: dict[str, AlgorithmSpec]
    names: tuple[str, ...]
    race: Race
    judged: JudgedBy
    trivial: tuple[float, ...]
    predicted: tuple[float, ...]
    known: int
    seed: int = 0
    fits: dict[str, Fits] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    limited: bool = False

    def beats_trivial(self, place: int) -> bool:
        """Tell whether the finished folds of an algorithm are better than the trivial answer on the same folds.

        What is expected of it does not suffice: past results would lift it above on data where nothing can be learned.
        """
        scores = self.fits[self.names[place]].scores
        return self.judged.ahead(float(np.mean(scores)), float(np.mean(self.trivial[: len(scores)]))) > 1e-12

    def good_enough(self, below: float) -> bool:
        """Tell whether the answer may lose little; not while nothing is better than the trivial answer."""
        race = self.race
        if not any(self.beats_trivial(place) for place in race.fitted):
            return False
        return race.loss(race.posterior().best(race.fitted))[0] < below


@dataclass(slots=True, kw_only=True)
class Pilot(Contest):
    """A pilot under way: a contest on a sample of the rows, some of them held out."""

    data: DataSet
    parts: Split
    resampling: Resampling
    trivial_held_out: float | None
    spent: float = 0.0

    def go(self, engine: LocalEngine, seconds: float) -> None:
        """Fit what promises most until the answer is good enough, the folds are used up, or the time is over."""
        began = clocks.monotonic()
        try:
            while self._step(engine, seconds - (clocks.monotonic() - began)):
                pass
        finally:
            self.spent = clocks.monotonic() - began

    def _step(self, engine: LocalEngine, left: float) -> bool:
        race = self.race
        doubtful = self._doubtful()
        if race.measured and doubtful is None and self.good_enough(ENOUGH):
            return False
        following = race.next_fit() if doubtful is None else (doubtful, race.next_fold(doubtful))
        if following is None:
            return False
        if race.seconds[following[0]] > left:
            self.limited = True
            following = race.next_fit(most=left) if left > 0 else None
            if following is None:
                return False
        place, fold = following
        name = self.names[place]
        task = Task(
            data=self.data.fingerprint,
            algorithm=self.specs[name],
            resampling=self.resampling,
            seed=self.seed,
            cells=(Cell(id=0, replication=1, fold=fold + 1),),
            limits=Limits(seconds=max(left, 0.1)),
        )
        outcome = next(iter(list(engine.stream(iter([task]), {self.data.fingerprint: self.data}))))
        score = outcome.values.get(self.judged.score)
        if outcome.status == "timeout":
            self.limited = True
            return False
        if outcome.status != "ok" or score is None or not math.isfinite(score):
            why = f"its {self.judged.score} is not defined" if outcome.status == "ok" else outcome.status
            self.failed[name] = str(outcome.reason).partition("\n")[0] or why
            self.fits.pop(name, None)
            race.fail(place)
            return True
        self._note(name, outcome.values, score)
        race.add(place, fold, self.judged.success(score), self.fits[name].seconds[-1])
        return True

    def _doubtful(self) -> int | None:
        """Return the best so far if it is not better than the trivial answer yet, and has folds left to show that."""
        race = self.race
        if not race.fitted:
            return None
        best = race.posterior().best(race.fitted)
        return None if self.beats_trivial(best) or race.next_fold(best) >= race.folds else best

    def _note(self, name: str, values: Mapping[str, float], score: float) -> None:
        before = self.fits.get(name, Fits())
        held, error = values.get(f"test_{self.judged.score}"), values.get(f"test_{ERROR}")
        seconds = values.get("train_time", math.nan) + values.get("predict_time", 0.0)
        self.fits[name] = Fits(
            scores=(*before.scores, score),
            held_out=before.held_out if held is None else (*before.held_out, held),
            errors=before.errors if error is None else (*before.errors, error),
            seconds=(*before.seconds, seconds),
        )


def prepared(
    data: DataSet,
    recommendation: Recommendation,
    known: Knowledge,
    specs: Mapping[str, AlgorithmSpec],
    *,
    seed: int,
    accd: float = 0.0,
) -> Pilot:
    """Prepare a pilot: the prior, the list and the splits. Data that cannot be split raise an InputError."""
    names = tuple(name for name in known.algorithms if name in specs and name not in TRIVIAL)
    if not names:
        raise InputError(
            "No algorithm of the base can be fitted here.", why="A pilot fits some.", mend="Install more libraries."
        )
    sample = duplicates_together(sampled(data, seed))
    resampling, parts = _split(sample, seed)
    judged = JudgedBy.of(data, known.score)
    race = race_of(
        recommendation,
        known,
        names,
        judged=judged,
        rows=min(len(fold.validation) for fold in parts.folds),
        folds=len(parts.folds),
        seconds=fit_seconds(recommendation, known, names, len(parts.folds[0].train)),
        accd=accd,
    )
    return Pilot(
        data=sample,
        parts=parts,
        resampling=resampling,
        specs=dict(specs),
        names=names,
        race=race,
        judged=judged,
        predicted=tuple(race.seconds.tolist()),
        trivial=_trivial(sample, parts, judged),
        trivial_held_out=_trivial_held_out(sample, parts, judged),
        known=len(known.datasets),
        seed=seed,
    )


def race_of(
    recommendation: Recommendation,
    known: Knowledge,
    names: Sequence[str],
    *,
    judged: JudgedBy,
    rows: int,
    folds: int,
    seconds: FloatArray,
    accd: float = 0.0,
) -> Race:
    """Return a race of algorithms on folds that measure so many rows, by what is known of other data sets.

    `seconds` are predicted for one fit of each; with a trade `accd` known scores are less what these cost.
    """
    table = known.only(algorithms=names) if len(names) > 1 else known
    columns = [table.algorithms.index(name) for name in names]
    likely = on_large_data(table, known, recommendation.meta_attributes)[0]
    scores, moved = (filled(knowledge.means()[0])[:, columns] for knowledge in (table, likely))
    there = np.isfinite(scores).all(axis=1)
    scores, moved = (values[there] - charge(accd, seconds) for values in (scores, moved))
    weights = distance_weights(_distances(recommendation, known))[there]
    weights = weights / weights.sum()
    prior = prior_from(scores, weights) if len(names) > 1 else Prior(mean=np.zeros(1), covariance=np.zeros((1, 1)))
    if likely is not table:  # algorithms vary on large data as on small ones, around other means
        prior = replace(prior, mean=prior_from(moved, weights).mean)
    return Race(
        prior=prior,
        listed=greedy_list(moved, weights, np.ones(len(names), dtype=bool)),
        seconds=seconds,
        accd=accd,
        rows=max(1, rows),
        noise=None if judged.score in ("accuracy", "auc") else _noise(known),
        share=judged.share if judged.score == "auc" else None,
        folds=folds,
    )


def sampled(data: DataSet, seed: int) -> DataSet:
    """Return the rows to pilot: all, or a random sample of large data."""
    if data.n_rows <= MOST_ROWS:
        return data
    rows = np.sort(np.random.default_rng(seed).permutation(data.n_rows)[:MOST_ROWS])
    return replace(
        data,
        values=data.values[rows],
        target=data.target[rows],
        groups=None if data.groups is None else data.groups[rows],
    )


def _split(data: DataSet, seed: int) -> tuple[Resampling, Split]:
    """Split into five folds beside held-out rows; into fewer parts where there are too few rows."""
    for folds, test in _SCHEMES:
        if test and data.n_rows * test < LEAST_HELD_OUT:
            continue
        resampling = Resampling(replications=1, folds=folds, test=test)
        try:
            return resampling, split(data, resampling, seed=seed)
        except InputError as error:
            refused = error
    raise refused


def _distances(recommendation: Recommendation, known: Knowledge) -> FloatArray:
    """Return distances to the known data sets by the usual measures that both have; infinite ones without any."""
    query = recommendation.meta_attributes
    measures = [name for name in default_measures(known.kind) if name in known.meta.measures and name in query]
    if not measures:
        return np.full(len(known.datasets), np.inf)
    near = nearest(query, known.meta, measures=measures, k=None)
    held = dict(zip(near.names, near.distance.tolist(), strict=True))
    return np.array([held[name] for name in known.datasets])


def fit_seconds(recommendation: Recommendation, known: Knowledge, names: Sequence[str], rows: int) -> FloatArray:
    """Return the predicted seconds of one fit on so many rows; those of unknown time take as long as the middle one."""
    if recommendation.times is None:
        return np.ones(len(names))
    times = fit_times(known).predict({**recommendation.meta_attributes, "n_examples": float(rows)})
    seconds = np.array([times.of(name)[0] for name in names])
    middle = np.nanmedian(seconds) if np.isfinite(seconds).any() else 1.0
    return np.where(np.isfinite(seconds), seconds, middle)


def _noise(known: Knowledge) -> float:
    """Return the variance of one fold's score in the base; a usual one where the base holds no folds."""
    flat = known.accuracy.reshape(*known.accuracy.shape[:2], -1)
    noise = fit_noise(flat)
    return max(noise, 1e-6) if np.isfinite(noise) else USUAL_NOISE


def _trivial(data: DataSet, parts: Split, judged: JudgedBy) -> tuple[float, ...]:
    """Return what the trivial answer scores on every fold: the most frequent class of the training rows, or alike."""
    return tuple(_trivial_on(data, fold.train, fold.validation, judged) for fold in parts.folds)


def _trivial_held_out(data: DataSet, parts: Split, judged: JudgedBy) -> float | None:
    if not parts.test.size:
        return None
    return float(np.mean([_trivial_on(data, fold.train, parts.test, judged) for fold in parts.folds]))


def _trivial_on(data: DataSet, train: Any, rows: Any, judged: JudgedBy) -> float:
    if judged.score in ("auc", SCORES["number"]):
        return judged.trivial
    counts = np.bincount(data.target[train], minlength=len(data.classes))
    if judged.score == "log_loss":
        return float(-np.log(np.maximum(counts / counts.sum(), 1e-15))[data.target[rows]].mean())
    return float((data.target[rows] == counts.argmax()).mean())
