"""Times from other machines and clocks: what cancels, what has to be divided out, and what a zero means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_choice, check_names
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.stats.results import frozen
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
