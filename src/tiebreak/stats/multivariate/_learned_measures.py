"""One data set, several algorithms: which combinations of the measures separate the algorithms best?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, readonly
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import OptionError
from tiebreak.stats.multivariate._manova import Layout, layout_caveats, layout_of
from tiebreak.stats.multivariate._measured import Measured, MeasuredResult, check_measures, in_units
from tiebreak.stats.numeric.tails import chi2_upper, f_upper
from tiebreak.stats.telling import caveats_of, frozen, rows_of

_TIE = 1e-6  # weights this near to the largest count as large


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LearnedMeasures(MeasuredResult):
    """The learned measures, best first; `weights` and `standardised` are (measures, learned measures).

    `projections` (folds, algorithms, learned measures) are measured from the mean of all. `chi2`, `chi2_df` and
    `chi2_pvalue` test whether this learned measure and those after it separate the algorithms at all; `f` and
    `f_pvalue` are the analysis of variance of each one, on `df`.
    """

    eigenvalues: FloatArray
    shares: FloatArray
    weights: FloatArray
    standardised: FloatArray
    projections: FloatArray
    chi2: FloatArray
    chi2_df: FloatArray
    chi2_pvalue: FloatArray
    f: FloatArray
    f_pvalue: FloatArray
    df: tuple[int, int]
    rank: int
    blocked: bool

    def title(self) -> str:
        """Say in one line what was learned."""
        return f"{self.method}: {len(self.eigenvalues)} from {len(self.measures)} measure(s)"

    def rows(self) -> list[Row]:
        """Return one row per learned measure, with the standardised weight of every measure."""
        columns: dict[str, Iterable[object]] = {
            "learned": [f"M{i + 1}" for i in range(len(self.eigenvalues))],
            "eigenvalue": self.eigenvalues,
            "share": self.shares,
            "chi2": self.chi2,
            "pvalue": self.chi2_pvalue,
            "f": self.f,
            "p_f_value": self.f_pvalue,
        }
        return rows_of(**columns | dict(zip(self.measures, self.standardised, strict=True)))


@as_came_in
def learned_measures(
    measures: npt.ArrayLike,
    *,
    test_share: float | None = None,
    blocked: bool = False,
    count: int | None = None,
    algorithms: Sequence[str] | None = None,
    measure_names: Sequence[str] | None = None,
) -> LearnedMeasures:
    """Learn the linear combinations of measures along which the algorithms differ most beside their spread.

    Hypothesis: for the tests by chi-squared, the algorithms do not differ along this learned measure nor along any
    after it.

    Formula: eigenvectors w of E^-1 H with H and E as in `manova`, scaled such that w'E w / n = 1 with n the degrees
    of freedom of E: along a learned measure the residuals have variance 1, and learned measures are uncorrelated. The
    share is the eigenvalue over the sum of all. Bartlett's test of the eigenvalues after the first k:
    (n - (p - h + 1) / 2) sum ln(1 + e_i) is chi-squared on (p - k)(h - k) degrees of freedom, h = L - 1. F = e_i n / h.
    Signs: the largest weight on standardised measures is positive; among weights of equal size (one part in a million)
    that of the first measure. Standardised weights are w_j s_j, with s_j the residual standard deviation.

    Assumptions: those of `manova`. The weights themselves need none.

    When not to use it: to prove that algorithms differ: F here is optimistic, for the direction was chosen from the
    same folds; only the chi-squared test of the first allows for that. Learned measures of nearly equal eigenvalues
    are arbitrary mixtures of each other.

    Degenerate input: where measures depend on each other exactly, many weights say the same; the shortest on the
    standardised scale are given and a caveat names the dependent measures. Identical algorithms have eigenvalues,
    shares and F of zero and p = 1. A combination without residuals in which algorithms differ cannot be scaled: a
    caveat names it and the learned measures are those of the rest.

    Parameters
    ----------
    measures : array_like, shape (folds, algorithms, measures)
    test_share : float, optional
        As in `manova`: eigenvalues and tests are then those of the corrected H. Weights and shares do not change.
    blocked : bool, default False
        Whether the folds are shared by all algorithms and their effect is removed from E, as in `manova`.
    count : int, optional
        How many learned measures to return; without it all, the smaller of rank and L - 1.
    algorithms, measure_names : sequence of str, optional

    Returns
    -------
    LearnedMeasures

    References
    ----------
    fisher1936
    bartlett1947
    yildiz2014

    Examples
    --------
    >>> import numpy as np
    >>> folds = np.random.default_rng(1).normal(0.8, 0.05, size=(10, 3, 2))
    >>> folds[:, 2, 0] += 0.2  # the third algorithm is better in the first measure
    >>> result = learned_measures(folds, measure_names=["tpr", "tnr"], count=1)
    >>> result.shares.round(2), result.standardised.round(1).ravel()
    (array([0.99]), array([ 1. , -0.1]))
    """
    measured = check_measures(measures, algorithms, measure_names)
    layout = layout_of(measured, blocked=blocked, test_share=test_share)
    number = _check_number(count, layout)
    raw, standard = _weights(layout, number)
    values = np.square(layout.roots)
    df, k = (layout.df_hypothesis, layout.df_error), np.arange(len(values))
    chi2, f = _bartlett(values, layout), values * (df[1] / df[0])
    chi2_df = np.asarray((int(layout.space.rank) - k) * (df[0] - k), dtype=np.float64)  # Bartlett 1947
    kind = "blocked by fold" if blocked else "one-way"
    first = slice(number)
    return LearnedMeasures(
        **frozen(eigenvalues=values[first], shares=values[first] / (values.sum() or 1.0)),
        weights=in_units(raw, -measured.exponent[:, None]),
        standardised=readonly(standard),
        projections=readonly((measured.values - measured.values.mean(axis=(0, 1))) @ raw),
        **frozen(chi2=chi2[first], chi2_df=chi2_df[first], chi2_pvalue=chi2_upper(chi2, chi2_df)[first]),
        **frozen(f=f[first], f_pvalue=f_upper(f, *df)[first]),
        df=df,
        rank=int(layout.space.rank),
        **measured.fields(),
        blocked=blocked,
        method=f"Learned measures, {kind}",
        caveats=_caveats(layout, measured, values, blocked=blocked),
    )


def _check_number(count: int | None, layout: Layout) -> int:
    """Refuse more learned measures than there are: beyond that number nothing separates the algorithms."""
    most = len(layout.roots)
    if count is None:
        return most
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 1 <= count <= most:
        raise OptionError(
            f"count is {count!r}.",
            why=f"These measures and algorithms have {most} learned measure(s): the smaller of the dimensions that the"
            " measures span and the number of algorithms less one.",
            mend=f"Use a whole number from 1 to {most}, or leave count out." if most else "Leave count out.",
        )
    return int(count)


def _weights(layout: Layout, number: int) -> tuple[FloatArray, FloatArray]:
    """Return weights and standardised weights (measures, number), signs settled."""
    space = layout.space
    rows = [space.weights(turned) for turned in layout.turned[:number]]
    raw = np.array(rows).reshape(number, len(space.scale)).T * np.sqrt(layout.df_error)
    deviations = np.where(space.varies, space.scale, 0.0) / np.sqrt(layout.df_error)
    standard = raw * deviations[:, None]
    size = np.abs(standard)
    leading = (size >= (1.0 - _TIE) * size.max(axis=0, initial=0.0)).argmax(axis=0)
    sign = np.where(standard[leading, np.arange(number)] < 0.0, -1.0, 1.0)
    return raw * sign, standard * sign


def _bartlett(values: FloatArray, layout: Layout) -> FloatArray:
    """Sum ln(1 + e_i) over each eigenvalue and those after it, times Bartlett's factor."""
    p, h = int(layout.space.rank), layout.df_hypothesis
    return np.asarray((layout.df_error - (p - h + 1) / 2) * np.cumsum(np.log1p(values)[::-1])[::-1])


def _caveats(layout: Layout, measured: Measured, values: FloatArray, *, blocked: bool) -> Caveats:
    """Within a tenth of each other, two eigenvalues only fix the plane, not the directions in it."""
    near = next((i + 1 for i in range(len(values) - 1) if 0.0 < values[i] <= 1.1 * values[i + 1]), 0)
    rest = "The learned measures are those of the combinations that vary; the constant one is not among them."
    chosen = "F of a learned measure is optimistic: its direction was chosen from the same folds."
    nothing = "A learned measure with eigenvalue 0 separates nothing: its weights are arbitrary."
    mixed = f"M{near} and M{near + 1} have nearly equal eigenvalues: their directions are mixtures of each other."
    return (
        *layout_caveats(layout, measured, blocked=blocked),
        *caveats_of(
            (layout.outside.any(), "dependent-measures", rest),
            (len(values), "optimistic", chosen),
            ((values == 0.0).any(), "arbitrary-direction", nothing),
            (near, "arbitrary-direction", mixed),
        ),
    )
