"""Active testing: what an untried algorithm is expected to add to the best of the tried ones, and what comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, as_floats, check_names, readonly
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.results import rows_of

STOP_BELOW = 0.0005
"""What one more algorithm must be expected to add for it to be tried, unless told otherwise."""
_WIDTH = 0.03
"""How far apart differences of the tried algorithms may lie on two data sets that count as alike: root mean square."""
_REACH = 2.0
"""The width of the kernel over distances of data sets, in medians of these distances."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ExpectedGains(Shown):
    """What every untried algorithm is expected to add to the best of the tried ones.

    Parameters
    ----------
    algorithms : tuple of str
    gain : FloatArray
        One per algorithm, in the unit of the success rates; NaN for those that were tried, and for those that were
        never measured beside one that was.
    together : float
        What all untried algorithms are expected to add, if every one of them is tried.
    weight : FloatArray
        What every known data set counts; the weights sum to 1.
    caveats : tuple of Caveat
    """

    algorithms: tuple[str, ...]
    gain: FloatArray
    together: float
    weight: FloatArray
    caveats: Caveats = ()

    @property
    def best(self) -> float:
        """What the most promising untried algorithm is expected to add; 0 where none is left."""
        return float(np.nanmax(self.gain)) if np.isfinite(self.gain).any() else 0.0

    def title(self) -> str:
        """Say in one line what is left to gain."""
        left = int(np.isfinite(self.gain).sum())
        return f"{left} algorithm(s) left: the best adds {self.best:.2g}, all together {self.together:.2g}"

    def rows(self) -> list[Row]:
        """Return one row per untried algorithm, the most promising first."""
        order = [int(j) for j in np.argsort(-np.nan_to_num(self.gain, nan=-1.0), kind="stable")]
        left = [j for j in order if np.isfinite(self.gain[j])]
        return rows_of(algorithm=[self.algorithms[j] for j in left], gain=self.gain[left])


@as_came_in
def expected_gains(
    success: npt.ArrayLike,
    seen: npt.ArrayLike,
    *,
    distance: npt.ArrayLike | None = None,
    origins: Sequence[str] | None = None,
    algorithms: Sequence[str] | None = None,
    width: float = _WIDTH,
    reach: float = _REACH,
    most: float = 1.0,
) -> ExpectedGains:
    """Estimate what each untried algorithm would add to the best of the tried ones on a new data set.

    Formula: gain(a) = sum over known data sets d of w_d min(max(0, SR_a,d - max over tried t of SR_t,d), most - best
    seen). The weight w_d is a product: one over the number of data sets of its origin; exp(-(distance / (reach x
    median distance))^2 / 2); and exp(-(rms / width)^2 / 2), rms being the root mean square over the tried algorithms
    of the difference between their success rates on the new data set and on d, each taken from its mean over them. The
    last factor says how alike the two data sets are by what was seen: the pattern of who is ahead of whom, and by how
    much. Nothing tried: all weights but the last, and 0 for the best of the tried ones.

    Assumptions: what holds on data sets where the tried algorithms differ as they do here holds here too. The success
    rates seen are measured as the known ones were, or nearly so; with other resamplings levels differ, which the means
    take out, and differences a little.

    When not to use it: with a few known data sets; their gains are soon all 0, which is what they show and no promise.

    Parameters
    ----------
    success : array_like, shape (data sets, algorithms)
        Known success rates; NaN where there is none.
    seen : array_like, shape (algorithms,)
        Success rates on the new data set; NaN for what was not tried.
    distance : array_like, shape (data sets,), optional
        Of the new data set to the known ones, as `nearest` gives them.
    origins : sequence of str, optional
        One label per data set; those that share one count as one.
    algorithms : sequence of str, optional
    width, reach : float
        How sharply differences of results, and distances of data sets, separate data sets; infinity: not at all.
    most : float, default 1
        The largest success rate there can be.

    Returns
    -------
    ExpectedGains

    References
    ----------
    leite2012

    Examples
    --------
    >>> known = [[0.9, 0.8, 0.95], [0.7, 0.8, 0.7], [0.9, 0.7, 0.93]]
    >>> found = expected_gains(known, [0.85, 0.70, np.nan], algorithms=["rf", "nb", "svm"])
    >>> found.gain.round(3).tolist(), round(found.together, 3)
    ([nan, nan, 0.04], 0.04)
    """
    known, now = as_floats(success, what="success rates"), as_floats(seen, what="success rates seen")
    _check(known, now, width, reach)
    names = check_names(algorithms, known.shape[1], kind="algorithm")
    tried: BoolArray = np.asarray(np.isfinite(now))
    weight = _prior(len(known), distance, origins, reach) * _alike(known[:, tried], now[tried], width)
    weight = weight / weight.sum()
    best = _best(known, tried)
    room = max(0.0, most - float(now[tried].max())) if tried.any() else np.inf
    extra = np.minimum(np.maximum(known - best[:, None], 0.0), room)
    usable: BoolArray = np.asarray(np.isfinite(extra))
    gain = np.where(tried, np.nan, _mean(extra, usable, weight))
    left = usable & ~tried
    most_there = np.where(left, extra, 0.0).max(axis=1, initial=0.0)
    together = float(_mean(most_there[:, None], np.asarray(left.any(axis=1))[:, None], weight)[0])
    return ExpectedGains(
        algorithms=names,
        gain=readonly(gain),
        together=0.0 if np.isnan(together) else together,
        weight=readonly(weight),
    )


def _check(known: FloatArray, now: FloatArray, width: float, reach: float) -> None:
    if known.ndim != 2 or now.shape != known.shape[1:]:
        raise InputError(
            f"Success rates of shape {known.shape} stand beside {now.shape} seen ones.",
            why="There is one seen success rate, or a gap, for every algorithm.",
            mend="Pass a matrix (data sets, algorithms) and a vector (algorithms).",
        )
    for name, value in (("width", width), ("reach", reach)):
        if not value > 0:
            raise OptionError(
                f"{name} is {value!r}.", why="It is the width of a kernel.", mend=f"Use a number above 0, {name}=1."
            )


def _best(known: FloatArray, tried: BoolArray) -> FloatArray:
    """Return the best of the tried algorithms on every data set: 0 before any, NaN where none of them was measured."""
    if not tried.any():
        return np.zeros(len(known))
    there = known[:, tried]
    found = np.where(np.isfinite(there), there, -np.inf).max(axis=1)
    return np.where(np.isfinite(found), found, np.nan)


def _mean(values: FloatArray, usable: BoolArray, weight: FloatArray) -> FloatArray:
    """Average columns by weight over what is usable; NaN where nothing is."""
    total = (np.where(usable, values, 0.0) * weight[:, None]).sum(axis=0)
    rest = (usable * weight[:, None]).sum(axis=0)
    return np.asarray(np.divide(total, rest, out=np.full(total.shape, np.nan), where=rest > 0))


def _prior(count: int, distance: npt.ArrayLike | None, origins: Sequence[str] | None, reach: float) -> FloatArray:
    """Return what a data set counts before anything is seen: by its distance, and shared with those of its origin."""
    shared = Counter(origins or ())
    weight = np.array([1.0 / shared[each] for each in origins]) if origins else np.ones(count)
    if distance is None:
        return weight
    far = as_floats(distance, what="distances")
    inside = far[np.isfinite(far)]
    middle = float(np.median(inside)) if len(inside) else 0.0
    if middle <= 0 or np.isinf(reach):
        return weight
    return weight * _kernel(np.where(np.isfinite(far), far, np.inf) / (reach * middle))


def _alike(known: FloatArray, now: FloatArray, width: float) -> FloatArray:
    """Return how alike data sets are by what the tried algorithms showed; one alone shows no difference."""
    if len(now) < 2 or np.isinf(width):
        return np.ones(len(known))
    both = np.isfinite(known)
    count = np.maximum(both.sum(axis=1, keepdims=True), 1)
    mean = partial(np.sum, axis=1, keepdims=True)
    theirs = known - mean(np.where(both, known, 0.0)) / count
    ours = now - mean(np.where(both, now, 0.0)) / count
    apart = np.where(both, theirs - ours, 0.0)
    found = _kernel(np.sqrt((apart**2).sum(axis=1) / count[:, 0]) / width)
    enough = both.sum(axis=1) > 1  # where fewer were measured nothing is known: such a data set counts as the mean one
    usual = float(found[enough].mean()) if enough.any() else 1.0
    return np.where(enough, found, usual)


def _kernel(far: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-0.5 * np.minimum(far, 30.0) ** 2))  # never 0, so that somebody always has a say
