"""What the Bayesian comparisons over many data sets return, and the checks they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, check_choice, check_matrix, check_names, readonly
from tiebreak._show import Row, Shown
from tiebreak.errors import OptionError
from tiebreak.stats.numeric.differences import compared_pairs
from tiebreak.stats.numeric.scale import check_squares

PLACES = {"a": 0, "rope": 1, "b": 2}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BayesianResult(Shown):
    """Posterior probabilities for pairs of algorithms; arrays run over the pairs.

    `a_better`, `equivalent` and `b_better` sum to one: the probabilities that, on data sets like these, the
    most probable outcome is that algorithm `a` is better by more than the rope, that the two differ by less
    than the rope, and that `b` is better by more than the rope. `standard_error` has one column for each of
    the three and is the error of simulation, 0 where nothing was simulated.

    `samples`, if kept, has shape (pairs, samples, 3): draws from the posterior of the three outcomes'
    shares in the same order, for plotting one pair. Draws of different pairs are not a joint sample.
    """

    a: IntArray
    b: IntArray
    a_better: FloatArray
    equivalent: FloatArray
    b_better: FloatArray
    standard_error: FloatArray
    algorithms: tuple[str, ...]
    n_datasets: int
    rope: float
    prior: float
    prior_at: str
    method: str
    n_samples: int
    samples: FloatArray | None = None
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was computed, with its rope and prior."""
        return (
            f"{self.method}: {len(self.a)} pair(s), {self.n_datasets} data sets, rope {self.rope:g},"
            f" prior strength {self.prior:g} at {self.prior_at}"
        )

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        return [
            {
                "a": self.algorithms[i],
                "b": self.algorithms[j],
                "a_better": float(self.a_better[k]),
                "equivalent": float(self.equivalent[k]),
                "b_better": float(self.b_better[k]),
                "standard_error": float(self.standard_error[k].max()),
            }
            for k, (i, j) in enumerate(zip(self.a, self.b, strict=True))
        ]


def check_pairs(
    scores: npt.ArrayLike, control: int | None, algorithms: Sequence[str] | None
) -> tuple[FloatArray, IntArray, IntArray, tuple[str, ...]]:
    """Return the checked matrix, the pairs to compare and the names."""
    matrix = check_matrix(scores)
    check_squares(matrix, what="scores")
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    return matrix, *compared_pairs(matrix.shape[1], control), names


def check_prior(prior: float, prior_at: str) -> float:
    """Return the strength of the prior, finite and not negative."""
    check_choice("prior_at", prior_at, PLACES)
    try:
        strength = float(prior)
    except (TypeError, ValueError):
        strength = float("nan")
    if not 0.0 <= strength < float("inf"):
        raise OptionError(
            f"prior is {prior!r}.",
            why="The strength of the prior counts as so many data sets and cannot be negative.",
            mend="Use prior=0.5.",
        )
    return strength


def binomial_error(counts: FloatArray, n_samples: int) -> FloatArray:
    """Standard error of a share of draws; half a draw is added, so that 0 of n is not taken for certain."""
    share = (counts + 0.5) / (n_samples + 1)
    return np.asarray(np.sqrt(share * (1 - share) / n_samples))


def result(
    checked: tuple[FloatArray, IntArray, IntArray, tuple[str, ...]],
    probabilities: FloatArray,
    errors: FloatArray,
    *,
    rope: float,
    prior: tuple[float, str],
    method: str,
    n_samples: int,
    samples: FloatArray | None,
) -> BayesianResult:
    """Put the answer and its ingredients together."""
    matrix, a, b, names = checked
    return BayesianResult(
        a=readonly(a),
        b=readonly(b),
        a_better=readonly(probabilities[:, 0]),
        equivalent=readonly(probabilities[:, 1]),
        b_better=readonly(probabilities[:, 2]),
        standard_error=readonly(errors),
        algorithms=names,
        n_datasets=len(matrix),
        rope=rope,
        prior=prior[0],
        prior_at=prior[1],
        method=method,
        n_samples=n_samples,
        samples=None if samples is None else readonly(samples),
        caveats=_caveats(matrix, a, b, names, prior[0]),
    )


def _caveats(matrix: FloatArray, a: IntArray, b: IntArray, names: tuple[str, ...], prior: float) -> tuple[str, ...]:
    found = []
    if len(matrix) < 5:
        found.append(f"{len(matrix)} data sets: the prior, worth {prior:g} data set(s), has much to say in the result.")
    same = (matrix[:, a] == matrix[:, b]).all(axis=0)
    found.extend(
        f"{names[i]!r} and {names[j]!r} have the same score on every data set."
        for i, j in zip(a[same], b[same], strict=True)
    )
    return tuple(found)
