"""Are the scores normal? Anderson and Darling's test, all algorithms at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, check_matrix, check_names, readonly
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.numeric.scale import deviation, rescaled
from tiebreak.stats.numeric.tails import floor_pvalue
from tiebreak.stats.telling import Told, caveats_of, rows_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NormalityResult(Told):
    """Anderson and Darling's statistic and p-value of each algorithm; NaN where its values do not vary."""

    statistic: FloatArray
    pvalue: FloatArray
    algorithms: tuple[str, ...]

    def title(self) -> str:
        """Say in one line what was tested."""
        return self.method

    def rows(self) -> list[Row]:
        """Return one row per algorithm."""
        return rows_of(algorithm=self.algorithms, statistic=self.statistic, pvalue=self.pvalue)


@as_came_in
def anderson_darling(
    scores: npt.ArrayLike, *, centred: bool = True, algorithms: Sequence[str] | None = None
) -> NormalityResult:
    """Test for each algorithm whether its scores are normal.

    Hypothesis: for each algorithm, the scores (less the mean of their data set) are a normal sample.

    Formula: for sorted standardised values z_(i), A2 = -n - sum (2 i - 1)(log Phi(z_(i)) + log Phi(-z_(n+1-i))) / n,
    times 1 + 0.75 / n + 2.25 / n^2 for the estimated mean and variance; p by the curves of D'Agostino and Stephens.

    Assumptions: independent data sets.
    When not to use it: below eight data sets, where it has no power; or to prove normality, which no test can.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    centred : bool, default True
        Whether to take the mean of each data set off first, as paired tests do. With two algorithms this
        tests their difference.
    algorithms : sequence of str, optional

    Returns
    -------
    NormalityResult

    References
    ----------
    anderson1954
    dagostino1986, Table 4.9.

    Examples
    --------
    >>> skewed = [[1.3**i, 0.0] for i in range(20)]
    >>> anderson_darling(skewed).pvalue.round(4)
    array([0.0001, 0.0001])
    """
    (matrix,), _ = rescaled(check_matrix(scores))
    names = check_names(algorithms, matrix.shape[1], kind="algorithm")
    if len(matrix) < 8:
        raise InputError(
            f"scores has {len(matrix)} data sets.",
            why="Below eight the test could hardly ever see that values are not normal.",
            mend="Use a rank test, which does not need normal values.",
        )
    values = matrix - matrix.mean(axis=1, keepdims=True) if centred else matrix
    statistic = _statistic(values)
    constant = np.isnan(statistic)
    text = f"{int(constant.sum())} algorithm(s) do not vary, so that nothing can be said of them."
    return NormalityResult(
        statistic=readonly(statistic),
        pvalue=readonly(_pvalue(statistic)),
        algorithms=names,
        method=f"Anderson-Darling test of normality{' of scores less the mean of their data set' if centred else ''}",
        caveats=caveats_of((constant.any(), "constant-difference", text)),
    )


def _statistic(values: FloatArray) -> FloatArray:
    """Return the statistic of each column, corrected for the estimated mean and variance."""
    count = len(values)
    spread = deviation(values, axis=0)
    flat = spread <= 1e-13 * np.abs(values).max(axis=0)
    z = np.sort((values - values.mean(axis=0)) / np.where(flat, 1.0, spread), axis=0)
    weights = (2 * np.arange(1, count + 1) - 1)[:, None] / count
    raw = -count - (weights * (special.log_ndtr(z) + special.log_ndtr(-z[::-1]))).sum(axis=0)  # Anderson and Darling
    return np.where(flat, np.nan, raw * (1 + 0.75 / count + 2.25 / count**2))  # D'Agostino and Stephens 1986


def _pvalue(statistic: FloatArray) -> FloatArray:
    """D'Agostino and Stephens 1986, Table 4.9."""
    a = np.minimum(np.nan_to_num(statistic), 150.0)  # the first curve turns up again beyond 153
    curves = [
        np.exp(1.2937 - 5.709 * a + 0.0186 * a**2),
        np.exp(0.9177 - 4.279 * a - 1.38 * a**2),
        -np.expm1(-8.318 + 42.796 * a - 59.938 * a**2),
        -np.expm1(-13.436 + 101.14 * a - 223.73 * a**2),
    ]
    p = np.select([a >= 0.6, a >= 0.34, a >= 0.2], curves[:3], curves[3])
    return np.where(np.isnan(statistic), np.nan, floor_pvalue(p))
