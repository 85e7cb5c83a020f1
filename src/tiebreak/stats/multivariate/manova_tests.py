"""Several algorithms, several measures per fold: do they differ at all (MANOVA), and in which combinations?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, inf, sqrt

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Framed, Row, as_came_in
from tiebreak.errors import OptionError, quoted
from tiebreak.stats.multivariate.measured import (
    Measured,
    MeasuredResult,
    Subspace,
    check_measures,
    constant_names,
    estimable,
    in_units,
    overlap,
    space_caveats,
    too_few_folds,
)
from tiebreak.stats.numeric.basics import TINY, chi2_upper, f_upper
from tiebreak.stats.results import frozen, rows_of
from tiebreak.wording import option

MANOVA_STATISTICS = ("wilks", "bartlett", "pillai", "hotelling-lawley", "roy")
"""Which statistic may decide: Wilks by Rao's F or by Bartlett's chi-squared, and the other three by F."""

NAN = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ManovaTest(Framed):
    """One of the statistics: its value, and the F or chi-squared that its p-value comes from."""

    name: str
    value: float
    distribution: str
    statistic: float
    df: tuple[float, ...]
    pvalue: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ManovaResult(MeasuredResult):
    """What the analysis found; `statistic`, `df` and `pvalue` are those of the chosen one of `tests`.

    `hypothesis` and `error` are the matrices H and E of sums of squares and products; `eigenvalues` are those of
    E^-1 H, the largest first, on the space of dimension `rank` that the measures span.
    """

    statistic: float
    pvalue: float
    df: tuple[float, ...]
    wilks: float
    tests: tuple[ManovaTest, ...]
    eigenvalues: FloatArray
    rank: int
    hypothesis: FloatArray
    error: FloatArray
    df_hypothesis: int
    df_error: int
    means: FloatArray
    blocked: bool

    def test(self, name: str) -> ManovaTest:
        """Return one of the statistics by its name in `MANOVA_STATISTICS`."""
        check_choice("statistic", name, MANOVA_STATISTICS)
        return next(test for test in self.tests if test.name == name)

    def title(self) -> str:
        """Say in one line what decided."""
        df = ", ".join(f"{d:.5g}" for d in self.df)
        return f"{self.method}: statistic {self.statistic:.5g}, df ({df}), p = {self.pvalue:.4g}"

    def rows(self) -> list[Row]:
        """Return one row per statistic."""
        names = ("name", "distribution", "value", "statistic", "df", "pvalue")
        test, distribution, value, statistic, df, pvalue = ([getattr(t, name) for t in self.tests] for name in names)
        df1, df2 = zip(*((*pair, NAN)[:2] for pair in df), strict=True)
        return rows_of(
            test=test, distribution=distribution, value=value, statistic=statistic, df1=df1, df2=df2, pvalue=pvalue
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """Residuals and hypothesis rows of a one-way or blocked layout, and the space that the residuals span.

    `roots` are the square roots of the eigenvalues of E^-1 H, `turned` their vectors in whitened coordinates (rows),
    `outside` the part of the hypothesis in which the residuals do not vary.
    """

    residuals: FloatArray
    means: FloatArray
    space: Subspace
    roots: FloatArray
    turned: FloatArray
    outside: FloatArray
    df_hypothesis: int
    df_error: int


@as_came_in
def manova(
    measures: npt.ArrayLike,
    *,
    test_share: float | None = None,
    blocked: bool = False,
    statistic: str = "wilks",
    algorithms: Sequence[str] | None = None,
    measure_names: Sequence[str] | None = None,
) -> ManovaResult:
    """Test whether any of several algorithms differs in any of several measures, or a linear combination of them.

    Hypothesis: all algorithms have the same expected measures.

    Formula: H = K sum_l (m_l - m)(m_l - m)' over L algorithms and K folds, E the sums of squares and products of the
    residuals: of x - m_l with L (K - 1) degrees of freedom, or, blocked, of x - m_l - m_k + m with (L - 1)(K - 1).
    With e_i the eigenvalues of E^-1 H, p measures, h = L - 1 and n the degrees of freedom of E:
    Wilks ``|E| / |E + H| = prod 1 / (1 + e_i)``, of which -(n - (p - h + 1) / 2) ln is chi-squared on p h degrees of
    freedom (Bartlett) or Rao's F; Pillai sum e_i / (1 + e_i); Hotelling-Lawley sum e_i; Roy max e_i, each with the
    usual F approximation. With `test_share` H is divided by 1 + K n_test / n_train: the variance of a mean is that of
    `corrected_resampled_t`, (1 / K + n_test / n_train) in place of 1 / K. Where measures depend on each other exactly,
    p is the dimension that they span.

    Assumptions:

    1. The residuals are normal together, with one covariance for all algorithms.
    2. The folds are independent; with `test_share`, any two are correlated by n_test / (n_test + n_train).
    3. One-way: the algorithms were run on different folds; shared folds make the test lose power, as a rule.
       Blocked: folds shift all algorithms alike, and all differences of two algorithms have one covariance.

    When not to use it: with heavy tails or outliers (use `permuted_manova`), or with fewer degrees
    of freedom of E than measures. Roy's F is an upper bound: its p-value is too small unless L = 2 or p = 1.

    Degenerate input: identical algorithms give Wilks 1 and p = 1. Measures without any difference are left out. Where a
    combination of measures has no residuals but differs between algorithms, Wilks is 0 and p the smallest number. Too
    few folds for the measures are refused.

    Parameters
    ----------
    measures : array_like, shape (folds, algorithms, measures)
    test_share : float, optional
        Share of the examples in the test part of a fold: 0.1 for ten folds, however often repeated. With it the
        variance is corrected for the training data that folds share; without it folds count as independent.
    blocked : bool, default False
        Whether the folds are shared by all algorithms, and their effect is to be removed. With two algorithms this
        is Hotelling's paired test; with one measure it is repeated-measures ANOVA.
    statistic : {"wilks", "bartlett", "pillai", "hotelling-lawley", "roy"}
        Which one decides. All are in the result.
    algorithms, measure_names : sequence of str, optional

    Returns
    -------
    ManovaResult

    References
    ----------
    wilks1932
    rao1951
    yildiz2014
    nadeau2003

    Examples
    --------
    >>> groups = [[[1, 2], [3, 4], [8, 6]], [[3, 4], [6, 8], [9, 10]], [[6, 7], [10, 23], [2, 78]]]
    >>> result = manova([list(fold) for fold in zip(*groups)], statistic="bartlett")
    >>> round(result.wilks, 9), round(result.statistic, 9), result.df, round(result.pvalue, 9)
    (0.470256752, 4.149620489, (4,), 0.386135454)
    """
    measured = check_measures(measures, algorithms, measure_names)
    check_choice("statistic", statistic, MANOVA_STATISTICS)
    layout = layout_of(measured, blocked=blocked, test_share=test_share)
    kind = f"{'blocked' if blocked else 'one-way'} MANOVA"
    kind = kind[0].upper() + kind[1:] if test_share is None else f"Corrected {kind}"
    return manova_result(measured, layout, statistic, blocked=blocked, kind=kind)


def manova_result(measured: Measured, layout: Layout, statistic: str, *, blocked: bool, kind: str) -> ManovaResult:
    """Put the tests of a layout together; `kind` names the layout."""
    tests = _tests(layout)
    chosen = _chosen(tests, statistic)
    unit = measured.exponent[:, None] + measured.exponent
    return ManovaResult(
        statistic=chosen.statistic,
        pvalue=chosen.pvalue,
        df=chosen.df,
        wilks=tests[0].value,
        tests=tests,
        eigenvalues=readonly(eigenvalues(layout)),
        rank=int(layout.space.rank),
        hypothesis=in_units(layout.means.T @ layout.means, unit),
        error=in_units(layout.residuals.T @ layout.residuals, unit),
        df_hypothesis=layout.df_hypothesis,
        df_error=layout.df_error,
        means=in_units(measured.values.mean(axis=0), measured.exponent),
        **measured.fields(),
        blocked=blocked,
        method=f"{kind}, {_LABELS[statistic]}",
        caveats=(*layout_caveats(layout, measured, blocked=blocked), *_test_caveats(layout, tests, statistic)),
    )


_LABELS = {
    "wilks": "Wilks' lambda by Rao's F",
    "bartlett": "Wilks' lambda by Bartlett's chi-squared",
    "pillai": "Pillai's trace",
    "hotelling-lawley": "Hotelling-Lawley trace",
    "roy": "Roy's largest root",
}


def layout_of(measured: Measured, *, blocked: bool, test_share: float | None = None) -> Layout:
    """Split the measures into hypothesis and residuals; refuse too few folds."""
    x = measured.values
    n_folds, n_algorithms, n_measures = x.shape
    # Sums of squares lose digits where the level is large beside the spread; the first fold takes the level off.
    near = x - x[:1, :1]
    means = near.mean(axis=0)
    grand = means.mean(axis=0)
    residuals = near - means
    if blocked:
        residuals = residuals - (near - means).mean(axis=1, keepdims=True)
    df_hypothesis = n_algorithms - 1
    df_error = df_hypothesis * (n_folds - 1) if blocked else n_algorithms * (n_folds - 1)
    flat = residuals.reshape(-1, n_measures)
    rows = sqrt(n_folds / overlap(n_folds, test_share)) * (means - grand)
    layout = split(flat, rows, measured.noise, (df_hypothesis, df_error))
    _check_folds(layout.space, layout.outside, n_folds, df_error)
    return layout


def split(residuals: FloatArray, rows: FloatArray, noise: FloatArray, df: tuple[int, int]) -> Layout:
    """Decompose the hypothesis in the space that the residuals span; `df` are those of hypothesis and error."""
    space = estimable(residuals, noise)
    _, roots, turned = np.linalg.svd(space.whitened(rows), full_matrices=False)
    count = min(int(space.rank), df[0])
    roots = np.where(roots > space.tolerance, roots, 0.0)[:count]
    return Layout(
        residuals=residuals,
        means=rows,
        space=space,
        roots=roots,
        turned=turned[:count],
        outside=space.outside(rows),
        df_hypothesis=df[0],
        df_error=df[1],
    )


def _check_folds(space: Subspace, outside: FloatArray, n_folds: int, df_error: int) -> None:
    """Refuse a space as large as the folds allow if the algorithms also differ outside it."""
    if int(space.rank) == df_error and (outside * space.varies).any():
        count = int(space.varies.sum())
        raise too_few_folds(n_folds, count, df_error, 1 + ceil(count * (n_folds - 1) / df_error))


def eigenvalues(layout: Layout) -> FloatArray:
    """Return the eigenvalues of E^-1 H, infinite for every direction without residuals in which algorithms differ."""
    certain = np.linalg.matrix_rank(layout.outside) if layout.outside.any() else 0
    return np.concatenate([np.full(int(certain), inf), np.square(layout.roots)])


def _tests(layout: Layout) -> tuple[ManovaTest, ...]:
    """Compute every statistic from the eigenvalues; with none, nothing varies and p = 1."""
    values = eigenvalues(layout)
    p, h, n = max(int(layout.space.rank), 1), layout.df_hypothesis, layout.df_error
    s, t = min(p, h), max(p, h)
    log_wilks, certain = -float(np.log1p(values).sum()), bool(np.isinf(values).any())
    pillai, lawley, roy = float((1.0 - 1.0 / (1.0 + values)).sum()), float(values.sum()), float(values.max(initial=0.0))
    return (
        _rao(log_wilks, p, h, n),
        _bartlett(log_wilks, p, h, n),
        _by_f("pillai", pillai, inf if certain else pillai / (s - pillai), (s * t, s * (n - p + s))),  # Pillai 1955
        _by_f("hotelling-lawley", lawley, lawley / s, (s * t, s * (n - p - 1) + 2)),
        _by_f("roy", roy, roy, (t, n - t + h)),
    )


def rao_df(p: int, h: int, n: int) -> tuple[float, tuple[float, float]]:
    """Return the root of Wilks' lambda that Rao's F takes, and its degrees of freedom."""
    power = p * p + h * h - 5
    root = sqrt((p * p * h * h - 4) / power) if power > 0 else 1.0
    return root, (p * h, (n - (p - h + 1) / 2) * root - (p * h - 2) / 2)  # Rao 1951


def _rao(log_wilks: float, p: int, h: int, n: int) -> ManovaTest:
    root, df = rao_df(p, h, n)
    return _by_f("wilks", float(np.exp(log_wilks)), float(np.expm1(-log_wilks / root)), df)


def _bartlett(log_wilks: float, p: int, h: int, n: int) -> ManovaTest:
    chi2 = -(n - (p - h + 1) / 2) * log_wilks if log_wilks else 0.0  # Bartlett 1947
    pvalue = TINY if chi2 == inf else float(chi2_upper(chi2, p * h))
    value = float(np.exp(log_wilks))
    return ManovaTest(name="bartlett", value=value, distribution="chi2", statistic=chi2, df=(p * h,), pvalue=pvalue)


def _by_f(name: str, value: float, ratio: float, df: tuple[float, float]) -> ManovaTest:
    """Compare explained / unexplained with F; infinite is certain, too few degrees of freedom give NaN."""
    f = inf if inf in (ratio, value) else ratio * df[1] / df[0] if df[1] > 0 else NAN
    pvalue = TINY if f == inf else float(f_upper(f, *df)) if df[1] > 0 else NAN
    return ManovaTest(name=name, value=value, distribution="F", statistic=f, df=df, pvalue=pvalue)


def _chosen(tests: tuple[ManovaTest, ...], statistic: str) -> ManovaTest:
    """Return the statistic that decides; one without degrees of freedom cannot."""
    chosen = next(test for test in tests if test.name == statistic)
    if np.isnan(chosen.pvalue):
        raise OptionError(
            f"The statistic {statistic} has {chosen.df[1]:g} degrees of freedom in its F approximation.",
            mend=f"Use {option(statistic='wilks')}, or more folds.",
        )
    return chosen


def layout_caveats(layout: Layout, measured: Measured, *, blocked: bool) -> Caveats:
    """Explain what the layout left out, took for certain, or ignored."""
    moved = (layout.outside != 0.0).any(axis=0)
    if not layout.space.varies.any() and not moved.any():
        same = "All algorithms have the same measures in every fold: nothing distinguishes them."
        return caveats_of((True, "no-difference", same))
    where = f"between algorithms by the same amount in all {len(measured.values)} folds: Wilks is 0 and p the smallest"
    certainty = "number written, which is certainty about these folds, not about others."
    sure = f"{constant_names(measured, moved)} differs {where} {certainty}"
    alone = "The folds are taken for independent samples of each algorithm;"
    alone += f" {option(blocked=True)} uses that they are shared."
    return (
        *space_caveats(layout.space, measured, moved=moved),
        *caveats_of((moved.any(), "constant-difference", sure), (not blocked, "pairing-lost", alone)),
    )


def _test_caveats(layout: Layout, tests: tuple[ManovaTest, ...], statistic: str) -> Caveats:
    """Roy's F is exact with one dimension or two algorithms, and a bound in all other cases."""
    bound = statistic == "roy" and min(int(layout.space.rank), layout.df_hypothesis) > 1
    undefined = [test.name for test in tests if np.isnan(test.pvalue)]
    few = f"Too few folds for the F approximation of {quoted(undefined)}: not defined."
    return caveats_of(
        (bound, "upper-bound", "Roy's F is an upper bound: its p-value is too small."), (undefined, "few-folds", few)
    )


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
    >>> result = learned_measures(folds, measure_names=["tpr", "tnr"])
    >>> result.shares.round(2), result.standardised[:, 0].round(1)
    (array([0.99, 0.01]), array([ 1. , -0.1]))
    """
    measured = check_measures(measures, algorithms, measure_names)
    layout = layout_of(measured, blocked=blocked, test_share=test_share)
    raw, standard = _weights(layout)
    values = np.square(layout.roots)
    df, k = (layout.df_hypothesis, layout.df_error), np.arange(len(values))
    chi2, f = _learned_measures_bartlett(values, layout), values * (df[1] / df[0])
    chi2_df = np.asarray((int(layout.space.rank) - k) * (df[0] - k), dtype=np.float64)  # Bartlett 1947
    kind = "blocked by fold" if blocked else "one-way"
    return LearnedMeasures(
        **frozen(eigenvalues=values, shares=values / (values.sum() or 1.0)),
        weights=in_units(raw, -measured.exponent[:, None]),
        standardised=readonly(standard),
        projections=readonly((measured.values - measured.values.mean(axis=(0, 1))) @ raw),
        **frozen(chi2=chi2, chi2_df=chi2_df, chi2_pvalue=chi2_upper(chi2, chi2_df)),
        **frozen(f=f, f_pvalue=f_upper(f, *df)),
        df=df,
        rank=int(layout.space.rank),
        **measured.fields(),
        blocked=blocked,
        method=f"Learned measures, {kind}",
        caveats=_caveats(layout, measured, values, blocked=blocked),
    )


def _weights(layout: Layout) -> tuple[FloatArray, FloatArray]:
    """Return weights and standardised weights (measures, number), signs settled."""
    space, number = layout.space, len(layout.turned)
    rows = [space.weights(turned) for turned in layout.turned]
    raw = np.array(rows).reshape(number, len(space.scale)).T * np.sqrt(layout.df_error)
    deviations = np.where(space.varies, space.scale, 0.0) / np.sqrt(layout.df_error)
    standard = raw * deviations[:, None]
    size = np.abs(standard)
    leading = (size >= (1.0 - _TIE) * size.max(axis=0, initial=0.0)).argmax(axis=0)
    sign = np.where(standard[leading, np.arange(number)] < 0.0, -1.0, 1.0)
    return raw * sign, standard * sign


def _learned_measures_bartlett(values: FloatArray, layout: Layout) -> FloatArray:
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
