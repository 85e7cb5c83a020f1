"""An order of algorithms with its scores, and the measured results and times that it is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, check_choice, check_names
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.stats.results import frozen, rows_of
from tiebreak.wording import either, option

RULES = ("median", "reference", "machines")
SWEEPS = 500
"""At most so many rounds of taking out the means of data sets and of algorithms; they end when nothing moves."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NormalisedTimes(Shown):
    """Times made comparable: `time` is what was given divided by `divisors`; `unit` says what 1 means.

    With the rule "machines" `factors` holds each machine's slowness: 2 for a machine that takes twice the time.
    """

    time: FloatArray
    divisors: FloatArray
    unit: str
    factors: Mapping[str, float]
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what a time of 1 means."""
        return f"{self.time.shape[0]} data sets x {self.time.shape[1]} algorithms; a time of 1 is {self.unit}"

    def rows(self) -> list[Row]:
        """Return one row per machine, or one for the whole table."""
        if self.factors:
            return [{"machine": name, "factor": factor} for name, factor in self.factors.items()]
        return [{"unit": self.unit, "median divisor": float(np.median(self.divisors[np.isfinite(self.divisors)]))}]


@as_came_in
def normalise_times(
    time: npt.ArrayLike,
    *,
    by: str = "median",
    reference: str | None = None,
    machines: npt.ArrayLike | None = None,
    factors: Mapping[str, float] | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> NormalisedTimes:
    """Make times from different machines comparable.

    A factor that all algorithms share on a data set cancels in every ratio of times, so ARR and A3R need nothing where
    each data set was run on one machine. Sums and means of times over data sets need the rule "median" or "reference";
    ratios need the rule "machines" where the algorithms of one data set ran on different machines.

    Formula: "median" divides the times of a data set by their median there; "reference" by the time of the reference
    algorithm there; "machines" by the factor of the machine, given, or estimated by least squares from
    log T = data set + algorithm + machine, the factors having the geometric mean 1.

    Assumptions: a machine is slower by the same factor for every algorithm and every data set.
    When not to use it: where machines differ in kind (a graphics processor for some algorithms only).

    Parameters
    ----------
    time : array_like, shape (data sets, algorithms)
        Seconds, more than 0; NaN where missing.
    by : {"median", "reference", "machines"}
    reference : str
        For "reference": the algorithm whose time is the unit. A data set where it is missing loses its times.
    machines : array_like of str, shape (data sets,) or (data sets, algorithms)
        For "machines": where each result was measured.
    factors : mapping, optional
        For "machines": how many times slower each machine is, if known.
    algorithms, datasets : sequence of str, optional

    Returns
    -------
    NormalisedTimes

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> normalise_times([[1.0, 2.0, 4.0], [10.0, 20.0, 40.0]], by="median").time
    array([[0.5, 1. , 2. ],
           [0.5, 1. , 2. ]])
    """
    seconds = _positive(time)
    names = check_names(algorithms, seconds.shape[1], kind="algorithm")
    sets = check_names(datasets, len(seconds), kind="data set")
    check_choice("rule for times", by, RULES)
    if by == "median":
        divisors, unit = _medians(seconds), "the median time of its data set"
    elif by == "reference":
        place = names.index(check_choice("reference algorithm", str(reference), names))
        divisors, unit = seconds[:, [place]], f"the time of {reference} on the same data set"
    else:
        return _by_machine(seconds, machines, factors)
    lost = [sets[s] for s in np.flatnonzero(np.isnan(divisors[:, 0]) & np.isfinite(seconds).any(axis=1))]
    note = f"No times are left where {reference} was not measured: {quoted(lost)}."
    return _normalised(seconds, divisors, unit, {}, caveats_of((lost, "datasets-left-out", note)))


def floor_times(time: FloatArray, *, resolution: float | None = None) -> tuple[FloatArray, Caveats]:
    """Raise times below the resolution of the clock to it; without one, zeros to the smallest positive time.

    Examples
    --------
    >>> import numpy as np
    >>> floor_times(np.array([[0.0, 0.2]]), resolution=0.01)[0]
    array([[0.01, 0.2 ]])
    """
    if resolution is not None and not 0 < resolution < float("inf"):
        raise OptionError(
            f"{option('resolution')} is {resolution!r}.",
            why="It is the shortest time that the clock can tell from none, in seconds.",
            mend=f"Use {option(resolution=0.001)} for a clock of milliseconds.",
        )
    positive = time[time > 0]
    least = resolution if resolution is not None else float(positive.min()) if positive.size else None
    short = (time == 0) if least is None else time < least
    if not short.any():
        return time, ()
    if least is None:
        raise InputError(
            "Every time is 0.",
            why="A ratio of times needs the resolution of the clock that could not measure them.",
            mend=f"Use {option(resolution=0.001)} for a clock of milliseconds, or rank without time"
            f" ({either('rank_by_srr', '--method srr')}).",
        )
    rule = "the given resolution" if resolution is not None else "the smallest positive time"
    note = f"{int(short.sum())} time(s) below the resolution of the clock count as {least:.3g} s ({rule})."
    return np.where(short, least, time), (Caveat("values-filled", note),)


def _positive(time: npt.ArrayLike) -> FloatArray:
    """Zeros are refused, not floored: what the clock could tell is known to the caller alone."""
    seconds = as_floats(time, what="time")
    if seconds.ndim != 2 or 0 in seconds.shape:
        raise InputError(
            f"time has shape {seconds.shape}.",
            why="One row per data set and one column per algorithm are needed.",
            mend="Pass the mean times over the folds.",
        )
    bad = np.argwhere((seconds <= 0) | np.isinf(seconds))
    if bad.size:
        s, j = bad[0]
        raise InputError(
            f"time[{s}, {j}] is {seconds[s, j]}.",
            why="Ratios of times need positive ones.",
            mend="Raise zeros to the resolution of the clock with floor_times(time, resolution=0.001).",
        )
    return seconds


def _medians(seconds: FloatArray) -> FloatArray:
    """Take medians row by row: numpy's warns where a row is empty."""
    there = np.isfinite(seconds)
    middle = [float(np.median(row[has])) if has.any() else np.nan for row, has in zip(seconds, there, strict=True)]
    return np.array(middle)[:, None]


def _by_machine(
    seconds: FloatArray, machines: npt.ArrayLike | None, factors: Mapping[str, float] | None
) -> NormalisedTimes:
    """Dividing by the factor of its machine leaves the ratios within a machine as they were."""
    labels = np.asarray(machines, dtype=str) if machines is not None else np.empty(0, dtype=str)
    labels = labels[:, None] if labels.ndim == 1 else labels
    if machines is None or labels.shape not in (seconds.shape, (len(seconds), 1)):
        raise OptionError(
            f"machines has shape {labels.shape} for times of shape {seconds.shape}.",
            why="The machine of every result, or of every data set, must be known.",
            mend="Pass machines=[...] with one name per data set, or one per data set and algorithm.",
        )
    names, codes = np.unique(np.broadcast_to(labels, seconds.shape), return_inverse=True)
    known = [str(name) for name in names]
    slow = _given(known, factors) if factors is not None else _estimated(seconds, codes.reshape(seconds.shape), known)
    divisors = slow[codes.reshape(seconds.shape)]
    said = "Factors of machines are estimated from the times themselves."
    unit = "a second of the mean machine" if factors is None else "a second of a machine with factor 1"
    found = dict(zip(known, map(float, slow), strict=True))
    return _normalised(seconds, divisors, unit, found, caveats_of((factors is None, "hosts-mixed", said)))


def _normalised(
    seconds: FloatArray, divisors: FloatArray, unit: str, factors: Mapping[str, float], caveats: Caveats
) -> NormalisedTimes:
    arrays = frozen(time=seconds / divisors, divisors=np.broadcast_to(divisors, seconds.shape))
    return NormalisedTimes(**arrays, unit=unit, factors=factors, caveats=caveats)


def _given(known: list[str], factors: Mapping[str, float]) -> FloatArray:
    """Refuse a machine without a factor: its times would silently count as they are."""
    absent = [name for name in known if name not in factors]
    if absent or not all(0 < float(factors[name]) < float("inf") for name in known):
        raise OptionError(
            f"The factors lack {absent[0]!r}." if absent else "A factor of a machine is not a positive number.",
            why="Every machine's times are divided by its factor.",
            mend="Give each machine how many times slower it is, or leave factors out to have them estimated.",
        )
    return np.array([float(factors[name]) for name in known])


def _estimated(seconds: FloatArray, codes: IntArray, known: list[str]) -> FloatArray:
    """Least squares of the machines' effects, those of data sets and algorithms taken out of both sides."""
    there = np.isfinite(seconds)
    first, last = np.where(there, codes, len(known)).min(axis=1), np.where(there, codes, -1).max(axis=1)
    if (last <= first).all():
        return np.ones(len(known))  # one machine per data set: its factor cancels in every ratio
    logs = np.where(there, np.log(np.where(there, seconds, 1.0)), 0.0)
    columns = np.array([logs, *((codes == m) & there for m in range(len(known)))], dtype=np.float64)
    inner = _without_effects(columns, there).reshape(len(columns), -1)
    gram = inner[1:] @ inner[1:].T
    values, vectors = np.linalg.eigh(gram)
    free = values > 1e-8 * max(float(there.sum()), 1.0)
    if free.sum() < len(known) - 1:
        raise InputError(
            f"The factors of {len(known)} machines cannot be told from the effects of data sets and algorithms.",
            why="No algorithm and data set tie the machines together, as where each algorithm has its own machine.",
            mend="Pass factors={'machine': how many times slower}, or time one algorithm on every machine.",
        )
    effect = vectors[:, free] @ ((vectors[:, free].T @ (inner[1:] @ inner[0])) / values[free])
    return np.asarray(np.exp(effect - effect.mean()))


def _without_effects(columns: FloatArray, there: npt.NDArray[np.bool_]) -> FloatArray:
    """Take out the means of data sets and of algorithms in turn: with gaps one round of each is not enough."""
    rows, cols = np.maximum(there.sum(axis=1), 1), np.maximum(there.sum(axis=0), 1)
    rest = columns
    for _ in range(SWEEPS):
        before = rest
        rest = (rest - (rest.sum(axis=2) / rows)[:, :, None]) * there
        rest = (rest - (rest.sum(axis=1) / cols)[:, None, :]) * there
        if np.abs(rest - before).max() < 1e-13:
            break
    return rest


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """Checked results: `success` and `time` are (data sets, algorithms) means, NaN where missing; weights sum to 1.

    `cube` holds the success rates as (data sets, algorithms, replications, folds), `raw_time` the times as given.
    """

    success: FloatArray
    time: FloatArray | None
    weights: FloatArray
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    cube: FloatArray
    raw_time: npt.ArrayLike | None = None
    caveats: Caveats = ()

    @property
    def mask(self) -> BoolArray:
        """Where everything that is needed was measured."""
        there = np.isfinite(self.success)
        return there if self.time is None else there & np.isfinite(self.time)


def measured(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike | None = None,
    *,
    weights: npt.ArrayLike | None = None,
    resolution: float | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    whole: bool = False,
) -> Measured:
    """Check results and average their folds; a fold that is missing is left out of the mean, with a caveat.

    With `whole` an algorithm that lacks a fold of a data set has no result there: a test needs the same folds of both.
    """
    cube = replicated(accuracy)
    if whole:
        there = np.isfinite(cube)
        lacking = (there.any(axis=1, keepdims=True) & ~there).any(axis=(2, 3), keepdims=True)
        cube = np.where(lacking, np.nan, cube)
    success, notes = _means(cube, "accuracy")
    names = check_names(algorithms, success.shape[1], kind="algorithm")
    sets = check_names(datasets, success.shape[0], kind="data set")
    seconds, there = None, np.isfinite(success)
    if time is not None:
        seconds, more = _means(time, "time")
        _check_times(seconds, success.shape)
        seconds, floored = floor_times(seconds, resolution=resolution)
        notes += more + floored
        there &= np.isfinite(seconds)
    gaps = int((~there).sum())
    told = (
        f"{gaps} of {there.size} results are missing: every two algorithms are compared on the data sets where both"
        " were measured."
    )
    notes += caveats_of((gaps, "gaps-left-out", told))
    return Measured(
        success=success,
        time=seconds,
        weights=check_weights(weights, len(success)),
        datasets=sets,
        algorithms=names,
        cube=cube,
        raw_time=time,
        caveats=notes,
    )


def replicated(accuracy: npt.ArrayLike) -> FloatArray:
    """Return (data sets, algorithms, replications, folds), with ones for the axes that are not given."""
    fold_cube(accuracy, "accuracy")  # refuses other shapes
    cube = np.asarray(accuracy, dtype=np.float64)
    return cube if cube.ndim == 4 else cube.reshape(*cube.shape[:2], 1, -1)


def fold_cube(values: npt.ArrayLike, what: str) -> FloatArray:
    """Return an array (data sets, algorithms, folds), one fold where none are given; gaps are NaN."""
    cube = as_floats(values, what=what)
    if not 2 <= cube.ndim <= 4 or 0 in cube.shape or cube.shape[1] < 2:
        raise InputError(
            f"{what} has shape {cube.shape}.",
            why="Its axes are data sets, at least two algorithms, and optionally folds (or replications and folds).",
            mend="Pass an array (data sets, algorithms) or (data sets, algorithms, folds), NaN where a result is"
            " missing.",
        )
    if np.isinf(cube).any():
        place = ", ".join(str(int(i)) for i in np.argwhere(np.isinf(cube))[0])
        raise InputError(
            f"{what}[{place}] is infinite.", why="No mean can be taken of it.", mend="Pass NaN for a failed run."
        )
    return cube.reshape(*cube.shape[:2], -1)


def row_means(values: FloatArray) -> FloatArray:
    """Average the last axis over what is there; NaN where nothing is."""
    there = ~np.isnan(values)
    count = there.sum(axis=-1)
    total = np.where(there, values, 0.0).sum(axis=-1)
    return np.asarray(np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0))


def check_weights(weights: npt.ArrayLike | None, count: int) -> FloatArray:
    """Return one weight per data set, not negative, summing to 1; equal ones if none are given."""
    if weights is None:
        return np.full(count, 1.0 / count)
    own = as_floats(weights, what="weights")
    if own.shape != (count,) or not np.isfinite(own).all() or (own < 0).any() or not own.any():
        raise OptionError(
            f"weights has shape {own.shape} for {count} data set(s), or holds a number that is no weight.",
            why="Every data set counts by a weight of zero or more, and one of them must count.",
            mend="Pass one finite weight per data set, such as 1 / (1 + distance), or leave them out.",
        )
    return np.asarray(own / own.sum())


def _means(values: npt.ArrayLike, what: str) -> tuple[FloatArray, Caveats]:
    """Average folds; one that failed is left out rather than spoiling the mean, and told."""
    cube = fold_cube(values, what)
    gaps = np.isnan(cube)
    partly = int((gaps.any(axis=2) & ~gaps.all(axis=2)).sum())
    note = f"{partly} mean(s) of {what} are over the folds that were measured; others of their folds are missing."
    return row_means(cube), caveats_of((partly, "gaps-left-out", note))


def _check_times(seconds: FloatArray, shape: tuple[int, ...]) -> None:
    """Zero is let through: it is raised to the resolution of the clock afterwards."""
    if seconds.shape != shape:
        raise InputError(
            f"time is about {seconds.shape[0]} data sets and {seconds.shape[1]} algorithms, accuracy about {shape[0]}"
            f" and {shape[1]}.",
            why="Every success rate is weighed against the time it took.",
            mend="Pass both with the same data sets and algorithms, NaN where a result is missing.",
        )
    if (seconds < 0).any():
        s, j = np.argwhere(seconds < 0)[0]
        raise InputError(
            f"time[{s}, {j}] is {seconds[s, j]}.", why="A time is not negative.", mend="Pass seconds, NaN if unknown."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ranking(Shown):
    """Algorithms from best to worst by past results.

    `scores`, `ranks` and the columns of `contributions` run in the order of `algorithms`, best first; `ranks` gives
    ties their average. `contributions[d, j]` is what data set d adds to the score of algorithm j, weighted; their sum
    over data sets is `scores` for wins, the mean rank less 1 for average ranks, the logarithm of the geometric mean
    ratio to the other algorithms for the ratios (positive lifts, negative lowers), and the mean place for Multi2Test.
    `unranked` had too few results to be compared; a caveat says what was missing. `name` is the method as
    `RANKING_METHODS` has it, `method` what was really computed, in words.
    """

    algorithms: tuple[str, ...]
    scores: FloatArray
    ranks: FloatArray
    name: str
    method: str
    score_name: str
    n_datasets: int
    datasets: tuple[str, ...]
    weights: FloatArray
    contributions: FloatArray
    higher_is_better: bool = True
    accd: float | None = None
    meaning: str = ""
    unranked: tuple[str, ...] = ()
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was ranked and by what."""
        said = f": {self.meaning}" if self.meaning else ""
        return f"{len(self.algorithms)} algorithms ranked by {self.method} on {self.n_datasets} data set(s){said}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first; unranked ones last, without a score."""
        nothing = [float("nan")] * len(self.unranked)
        ranks, scores = ([*own.tolist(), *nothing] for own in (self.ranks, self.scores))
        return rows_of(**{"algorithm": (*self.algorithms, *self.unranked), "rank": ranks, self.score_name: scores})

    def explain(self, algorithm: str) -> list[Row]:
        """Return what every data set contributed to the score of one algorithm, the largest part first."""
        check_choice("ranked algorithm", algorithm, self.algorithms)
        column = self.contributions[:, self.algorithms.index(algorithm)]
        order = sorted(range(len(column)), key=lambda d: (-abs(float(column[d])), self.datasets[d]))
        names = [self.datasets[d] for d in order]
        return rows_of(dataset=names, weight=self.weights[order], contribution=column[order])


def ranked(
    table: Measured,
    scores: FloatArray,
    contributions: FloatArray,
    *,
    higher_is_better: bool = True,
    missing: str = "no data set in common with another algorithm",
    caveats: Caveats = (),
    **about: Any,
) -> Ranking:
    """Sort by score; ties by mean success rate, then by name; what has no score is left unranked.

    `about` are the fields of `Ranking` that say what was ranked by: name, method, score_name, accd, meaning.
    """
    names = table.algorithms
    losses = snap(-scores if higher_is_better else scores)
    has = ~np.isnan(losses)
    success = np.nan_to_num(row_means(table.success.T), nan=-np.inf)
    order = sorted(np.flatnonzero(has), key=lambda j: (losses[j], -success[j], names[j]))
    index = np.array(order, dtype=np.int64)
    ranks = average_ranks(losses[index])
    unranked = tuple(sorted(names[j] for j in np.flatnonzero(~has)))
    left = caveats_of((unranked, "algorithms-left-out", f"Not ranked ({missing}): {', '.join(unranked)}."))
    return Ranking(
        algorithms=tuple(names[j] for j in order),
        **frozen(scores=scores[index], ranks=ranks, weights=table.weights, contributions=contributions[:, index]),
        higher_is_better=higher_is_better,
        n_datasets=int(((table.mask.sum(axis=1) > 1) & (table.weights > 0)).sum()),
        datasets=table.datasets,
        unranked=unranked,
        caveats=(*table.caveats, *caveats, *left),
        **about,
    )
