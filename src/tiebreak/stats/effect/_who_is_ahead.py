"""Who is ahead, on how many data sets, and by how much? Wins, ties and losses; contrasts by medians."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, check_table, check_within
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.stats.numeric.differences import advantages, rounding_noise
from tiebreak.stats.numeric.scale import check_squares
from tiebreak.stats.pairwise import pair_indices
from tiebreak.stats.telling import OverPairs, frozen


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WinTieLoss(OverPairs):
    """On how many data sets each algorithm of a pair is the better one; arrays run over the pairs."""

    COLUMNS = ("a_wins", "ties", "b_wins")

    a_wins: IntArray
    ties: IntArray
    b_wins: IntArray
    margin: float
    n_datasets: int

    def title(self) -> str:
        """Say in one line what was counted."""
        return f"{self.method}: {self.n_datasets} data sets, ties within {self.margin:g}"


@as_came_in
def win_tie_loss(
    scores: npt.ArrayLike,
    *,
    margin: float = 0.0,
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
) -> WinTieLoss:
    """Count on how many data sets each algorithm of a pair is better, and on how many they tie.

    Hypothesis: none; the sign test asks whether the counts differ by more than chance.
    Formula: a data set is a tie where the scores differ by at most `margin` (and by rounding noise).
    Assumptions: scores are comparable within a data set; nothing is assumed between data sets.
    When not to use it: to call single wins significant, which takes the folds of that data set.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    margin : float, default 0
        The largest difference that is still a tie.
    control : int, optional
        Column to compare with all others, as `a`; without it all pairs.
    higher_is_better : bool, default False
    algorithms : sequence of str, optional

    Returns
    -------
    WinTieLoss

    References
    ----------
    demsar2006, section 3.1.4

    Examples
    --------
    >>> print(win_tie_loss([[0.10, 0.12], [0.20, 0.21], [0.15, 0.15], [0.33, 0.30]]))
    Wins, ties and losses: 4 data sets, ties within 0
    a                      b  a_wins  ties  b_wins
    algorithm 1  algorithm 2       2     1       1
    """
    matrix, names = check_table(scores, algorithms, min_rows=1)
    why = "It is the largest difference that counts as a tie."
    margin = check_within("margin", margin, 0.0, float("inf"), from_low=True, why=why, mend="Use margin=0.")
    a, b = pair_indices(matrix.shape[1], control)
    with np.errstate(over="ignore"):  # an infinite difference is above any margin, as it should be
        z = advantages(matrix, a, b, higher_is_better=higher_is_better)
    # 0.85 - 0.84 exceeds 0.01 in binary; the margin is meant in decimals.
    limit = (margin + rounding_noise(matrix, a, b))[:, None]
    a_wins, b_wins = (z < -limit).sum(axis=1), (z > limit).sum(axis=1)
    return WinTieLoss(
        **frozen(a=a, b=b, a_wins=a_wins, ties=len(matrix) - a_wins - b_wins, b_wins=b_wins),
        margin=margin,
        algorithms=names,
        n_datasets=len(matrix),
        method="Wins, ties and losses",
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ContrastResult(Shown):
    """Contrasts by medians: `contrast[u, v]` estimates by how much the score of u exceeds that of v.

    `estimators` are the m_u whose differences they are; `medians[u, v]` are the raw medians Z_uv.
    """

    contrast: FloatArray
    estimators: FloatArray
    medians: FloatArray
    algorithms: tuple[str, ...]
    n_datasets: int
    higher_is_better: bool
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"Contrast estimation by medians, row minus column: {self.n_datasets} data sets"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first, with its contrast to each other one."""
        order = np.argsort(-self.estimators if self.higher_is_better else self.estimators, kind="stable")
        return [
            {"algorithm": self.algorithms[u]} | {self.algorithms[v]: float(self.contrast[u, v]) for v in order}
            for u in order
        ]


@as_came_in
def contrast_estimation(
    scores: npt.ArrayLike, *, higher_is_better: bool = False, algorithms: Sequence[str] | None = None
) -> ContrastResult:
    """Estimate by how much the score of each algorithm exceeds that of each other one, by medians.

    Hypothesis: none; it estimates the sizes of the differences that the Friedman test and its kin detect.

    Formula: Z_uv = median over the data sets of x_u - x_v; m_u = mean over all v of Z_uv (with Z_uu = 0); the
    contrast of u and v is m_u - m_v. Raw medians need not add up (Z_uv + Z_vw differs from Z_uw); contrasts
    do.

    Assumptions:

    1. Differences on different data sets are on one scale.
    2. Their distribution is the same on all data sets; it need not be normal or symmetric.

    When not to use it: contrasts carry no error probability; use `difference_intervals` for that.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms)
    higher_is_better : bool, default False
        Only the order in which `rows()` lists the algorithms depends on it.
    algorithms : sequence of str, optional

    Returns
    -------
    ContrastResult

    References
    ----------
    doksum1967
    garcia2010

    Examples
    --------
    >>> print(contrast_estimation([[0.10, 0.12, 0.30], [0.20, 0.21, 0.29], [0.15, 0.15, 0.28]]))
    Contrast estimation by medians, row minus column: 3 data sets
    algorithm    algorithm 1  algorithm 2  algorithm 3
    algorithm 1            0    -0.006667      -0.1333
    algorithm 2     0.006667            0      -0.1267
    algorithm 3       0.1333       0.1267            0
    """
    matrix, names = check_table(scores, algorithms, min_rows=1)
    check_squares(matrix, what="scores")
    medians = np.stack([np.median(column[:, None] - matrix, axis=0) for column in matrix.T])
    estimators = medians.mean(axis=1)  # m_u of Garcia et al. 2010
    return ContrastResult(
        **frozen(contrast=estimators[:, None] - estimators, estimators=estimators, medians=medians),
        algorithms=names,
        n_datasets=len(matrix),
        higher_is_better=higher_is_better,
    )
