"""Tests from mean scores with one error for all pairs: what Tukey's and Dunnett's tests and intervals share."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_matrix, check_names
from tiebreak.caveats import Caveats
from tiebreak.stats.numeric.scale import rescaled
from tiebreak.stats.numeric.two_way import greenhouse_geisser, layout
from tiebreak.stats.pairwise import ZERO_ERROR, Pairs, compared
from tiebreak.stats.telling import caveats_of


def mean_t_tests(
    scores: npt.ArrayLike, control: int | None, higher_is_better: bool, algorithms: Sequence[str] | None
) -> tuple[tuple[str, ...], int, Pairs, Caveats]:
    """Return names, degrees of freedom, pairs with their t, and caveats."""
    (matrix,), _ = rescaled(check_matrix(scores))
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    _, error, eigenvalues, noise = layout(matrix)
    means = _column_effects(-matrix if higher_is_better else matrix)
    pairs = compared(means, sqrt(2 * error / len(matrix)), control, noise=noise)  # Tukey 1949; Dunnett 1955
    df = (len(names) - 1) * (len(matrix) - 1)
    return names, df, pairs, _caveats(error, eigenvalues, bool(np.isinf(pairs[2]).any()))


def _column_effects(matrix: FloatArray) -> FloatArray:
    """Means of the columns less those of the rows; equal columns get equal means, bit for bit."""
    return np.asarray((matrix - matrix[:, :1]).mean(axis=0))


def _caveats(error: float, eigenvalues: FloatArray, infinite: bool) -> Caveats:
    """Pooled errors rest on sphericity; 0.75 is a customary limit of epsilon."""
    if error == 0.0:
        return (ZERO_ERROR,) if infinite else ()
    epsilon = greenhouse_geisser(eigenvalues)
    uneven = f"Greenhouse and Geisser's epsilon is {epsilon:.2f}: the differences do not share one variance, and the"
    instead = "paired t tests with Holm's correction need no such assumption."
    text = f"{uneven} pooled error is too small for some pairs; {instead}"
    return caveats_of((epsilon < 0.75, "not-spherical", text))
