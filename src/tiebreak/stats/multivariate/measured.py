"""Fold measures, folds x algorithms x measures, checked once; and the space they span where a covariance is singular.

Measures of one confusion matrix often depend on each other exactly: fnr is 1 - tpr, tp + fn is the number of positives.
The covariance of such measures has no inverse. `Subspace` is the part of the space in which the measures do vary, found
on the scale of correlations, so that the unit of a measure decides nothing.

How far the multivariate tests reach: folds that are too few, and permutations that can be counted out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, check_names, readonly, wrong_shape
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.errors import InputError, quoted
from tiebreak.stats.folds.fold_tests import size_ratio
from tiebreak.stats.numeric.basics import MEAN_NOISE, check_count, check_squares, rescaled
from tiebreak.stats.results import Told, counted_note


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """Checked measures, folds x algorithms x measures; each measure divided by 2**exponent, which rounds nothing."""

    values: FloatArray
    exponent: IntArray
    noise: FloatArray
    algorithms: tuple[str, ...]
    measures: tuple[str, ...]

    def fields(self) -> dict[str, Any]:
        """Return what every result holds of them."""
        return {"algorithms": self.algorithms, "measures": self.measures, "n_folds": len(self.values)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MeasuredResult(Told):
    """A result on several measures of several algorithms, from folds."""

    algorithms: tuple[str, ...]
    measures: tuple[str, ...]
    n_folds: int


def check_measures(
    measures: npt.ArrayLike, algorithms: Sequence[str] | None, measure_names: Sequence[str] | None
) -> Measured:
    """Return complete, finite measures with their names; at least two folds, two algorithms and one measure."""
    cube = _checked_cube(measures)
    named = check_names(measure_names, cube.shape[2], kind="measure")
    (near,), exponent = rescaled(cube, axis=(0, 1), reach=0)
    return Measured(
        values=near,
        exponent=exponent[0, 0],
        noise=MEAN_NOISE * np.sqrt(np.square(near).sum(axis=(0, 1))),
        algorithms=check_names(algorithms, cube.shape[1], kind="algorithm"),
        measures=named,
    )


def overlap(n_folds: int, test_share: float | None) -> float:
    """Return how much larger the variance of a mean is than that of independent folds; 1 without a share.

    (1 / K + n_test / n_train) in place of 1 / K (Nadeau and Bengio 2003), as a factor.
    """
    return 1.0 if test_share is None else 1.0 + n_folds * size_ratio(test_share)


def in_units(values: FloatArray, exponent: IntArray) -> FloatArray:
    """Bring values back to the unit of the measures, as a read-only array."""
    return readonly(np.asarray(np.ldexp(values, exponent)))


def _checked_cube(measures: npt.ArrayLike) -> FloatArray:
    """Gaps are told before sizes, with their place: they are what real tables have wrong."""
    cube = as_floats(measures, what="measures")
    bad = np.argwhere(~np.isfinite(cube))
    if cube.ndim == 3 and bad.size:
        fold, algorithm, measure = (int(i) for i in bad[0])
        raise InputError(
            f"measures[{fold}, {algorithm}, {measure}] is {cube[fold, algorithm, measure]}"
            f" ({len(bad)} such value(s) in all).",
            mend="Drop that fold for all algorithms, or the measure, or define its value there.",
        )
    if cube.ndim != 3 or cube.shape[2] < 1 or min(cube.shape[:2]) < 2:
        needed = "two folds or more of two algorithms or more, of shape (folds, algorithms, measures)"
        raise wrong_shape("measures", cube, f"{needed}; measures[:, :, None] for a single measure")
    check_squares(cube, what="measures")
    return cube


DEPENDENT = 1e-10
"""A direction with less than this share of the largest spread, all measures scaled alike, counts as none."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subspace:
    """The space that residuals span; leading axes run over problems solved at once.

    `axes` has orthonormal rows on the scale of correlations and `spread` their singular values; what lies outside the
    space has axes of zeros and infinite spread, so that dividing by it gives 0.
    """

    axes: FloatArray
    spread: FloatArray
    scale: FloatArray
    varies: BoolArray
    rank: IntArray
    tolerance: FloatArray
    noise: FloatArray

    def whitened(self, means: FloatArray) -> FloatArray:
        """Return hypothesis rows (..., m, p) in coordinates in which the residuals have the unit matrix as E."""
        scaled = means / self.scale[..., None, :]
        return np.asarray((scaled @ np.swapaxes(self.axes, -1, -2)) / self.spread[..., None, :])

    def weights(self, whitened: FloatArray) -> FloatArray:
        """Turn whitened coordinates (..., k) into weights of the measures, of least length on standardised ones."""
        return np.asarray(((whitened / self.spread)[..., None, :] @ self.axes)[..., 0, :] / self.scale)

    def outside(self, means: FloatArray) -> FloatArray:
        """Return the part of hypothesis rows outside the space, on the scale of correlations; rounding becomes 0."""
        scaled = means / self.scale[..., None, :]
        rest = scaled - (scaled @ np.swapaxes(self.axes, -1, -2)) @ self.axes
        varies = self.varies[..., None, :]
        length = np.linalg.norm(np.where(varies, scaled, 0.0), axis=-1, keepdims=True)
        limit = np.where(varies, 10 * self.tolerance[..., None, None] * (1.0 + length), self.noise[..., None, :])
        return np.where(np.abs(rest) > limit, rest, 0.0)


def estimable(residuals: FloatArray, noise: FloatArray, *, least: float = DEPENDENT) -> Subspace:
    """Find the space that residuals (..., n, p) span; what is shorter than `noise` (..., p) is rounding."""
    norms = np.sqrt(np.square(residuals).sum(axis=-2))
    varies = norms > noise
    scale = np.where(varies, norms, 1.0)
    scaled = np.where(varies[..., None, :], residuals / scale[..., None, :], 0.0)
    _, spread, axes = np.linalg.svd(scaled, full_matrices=False)
    relative = np.where(varies, noise / scale, 0.0).max(axis=-1)
    tolerance = np.maximum(least, 4.0 * relative)
    inside = spread > tolerance[..., None] * np.maximum(spread[..., :1], 0.5)
    return Subspace(
        axes=np.where(inside[..., None], axes, 0.0),
        spread=np.where(inside, spread, np.inf),
        scale=scale,
        varies=varies,
        rank=inside.sum(axis=-1),
        tolerance=tolerance,
        noise=noise,
    )


def space_caveats(space: Subspace, measured: Measured, *, moved: BoolArray | None = None) -> Caveats:
    """Explain a singular covariance: measures that do not vary, and measures that depend on others.

    `moved` marks measures that do not vary but differ between the algorithms: those are not left out.
    """
    fixed = ~space.varies if moved is None else ~space.varies & ~moved
    names = quoted(name for name, out in zip(measured.measures, fixed, strict=True) if out)
    ranks = [np.linalg.matrix_rank(space.axes[:, :j], tol=1e-6) for j in range(len(fixed) + 1)]
    follows = quoted(name for j, name in enumerate(measured.measures) if space.varies[j] and ranks[j] == ranks[j + 1])
    span = f"The {int(space.varies.sum())} measures span {int(space.rank)} dimension(s): up to a constant, {follows}"
    relations = f"{span} can be computed from the others. The test uses those dimensions and counts no others."
    return caveats_of(
        (fixed.any(), "dependent-measures", f"No difference at all in {names}: left out of the test."),
        (follows, "dependent-measures", relations),
    )


def constant_names(measured: Measured, moved: BoolArray) -> str:
    """Name what differs by the same amount in every fold: a measure, or a combination of some."""
    names = [name for name, is_in in zip(measured.measures, moved, strict=True) if is_in]
    return quoted(names) if len(names) == 1 else f"A combination of {quoted(names)}"


EXACT_FOLDS = 14
"""Up to this many folds all 2^(K - 1) sign flips are counted out."""
EXACT_SHUFFLES = 20_000
"""Up to this many orders (L!)^(K - 1) all are counted out."""


def check_permutations(n_permutations: int) -> int:
    """Return the number of random permutations, at least 1."""
    return check_count("n_permutations", n_permutations, usual=9999)


def rank_notes(rank: IntArray, certain: BoolArray, full: int, where: str) -> list[tuple[int, str, str]]:
    """Say of how many pairs the folds show no difference, a certain one, or one in fewer dimensions than `full`."""
    equal = (rank == 0) & ~certain
    always = f"differ by the same amount {where} is infinite and p the smallest number written."
    those = f"differ in fewer than {full} dimension(s): each is tested in those in which it differs."
    return [
        counted_note(equal, "no-difference", "have the same measures in every fold: p = 1."),
        counted_note(certain, "constant-difference", always),
        counted_note((rank < full) & ~equal & ~certain, "dependent-measures", those),
    ]


def too_few_folds(n_folds: int, n_measures: int, df: int, folds_needed: int, *, where: str = "") -> InputError:
    """Make the error for a covariance that the folds are too few to estimate."""
    return InputError(
        f"{n_folds} folds are too few for {n_measures} measures{where}.",
        mend=f"Use at most {df} measures, or at least {folds_needed} folds.",
    )
