"""In which measure do the algorithms differ? An analysis of variance per measure, and pairs inside each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha, check_choice, readonly
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import OptionError
from tiebreak.stats.folds.fold_tests import FoldPairsResult, fold_pairs
from tiebreak.stats.many.rm_anova import f_ratio, layout
from tiebreak.stats.multivariate.measured import MeasuredResult, check_measures, in_units, overlap
from tiebreak.stats.numeric.basics import f_upper
from tiebreak.stats.results import CORRECTIONS, check_correction, correction_name, frozen, rows_of

PAIR_TESTS = ("kfold-t", "corrected-t", "5x2cv-f")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PerMeasureResult(MeasuredResult):
    """One analysis of variance per measure; arrays run over the measures, then over algorithms or pairs.

    `order` lists the algorithms of each measure, best mean first. `pair_statistic` is the t of `a` minus `b`, or the
    5x2 cv F; `pair_adjusted` is corrected over the pairs of one measure, `adjusted` over the measures.
    """

    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    df: FloatArray
    means: FloatArray
    order: IntArray
    a: IntArray
    b: IntArray
    pair_statistic: FloatArray
    pair_pvalue: FloatArray
    pair_adjusted: FloatArray
    mean_difference: FloatArray
    higher_is_better: tuple[bool, ...]
    pair_method: str

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {len(self.measures)} measure(s), {self.n_folds} folds; inside each: {self.pair_method}"

    def rows(self) -> list[Row]:
        """Return one row per measure."""
        return rows_of(
            measure=self.measures,
            order=[", ".join(self.algorithms[i] for i in order) for order in self.order],
            statistic=self.statistic,
            df1=self.df[:, 0],
            df2=self.df[:, 1],
            pvalue=self.pvalue,
            adjusted=self.adjusted,
        )

    def rejected_pairs(self, *, alpha: float = 0.05) -> BoolArray:
        """Mark the pairs (measures, pairs) that differ, of measures whose own test rejects."""
        level = check_alpha(alpha)
        return readonly((self.pair_adjusted <= level) & (self.adjusted <= level)[:, None])


@as_came_in
def anova_per_measure(
    measures: npt.ArrayLike,
    *,
    blocked: bool = True,
    pair_adjust: str = "holm",
    pair_test: str = "kfold-t",
    test_share: float | None = None,
    higher_is_better: bool | Sequence[bool] = False,
    algorithms: Sequence[str] | None = None,
    measure_names: Sequence[str] | None = None,
) -> PerMeasureResult:
    """Test every measure by itself for differences between the algorithms, and the pairs inside it.

    Hypothesis: for each measure, all algorithms have the same expected value; for each pair inside a measure, the
    two have.

    Formula: blocked by fold, F is that of `rm_anova` on L - 1 and (L - 1)(K - 1) degrees of freedom; one-way,
    F = K sum_l (m_l - m)^2 / (L - 1) over the mean variance within algorithms, on L - 1 and L (K - 1), as in the
    MANOVA of Yildiz and Alpaydin. The p-values are corrected over the measures by Holm's method. Inside a
    measure every pair has its paired t over the folds, corrected over the pairs of that measure. With
    pair_test="corrected-t" F is divided by 1 + K n_test / n_train too, as in `manova`. With "5x2cv-f" a measure has the
    largest F of its pairs, on 10 and 5 degrees of freedom, and the least p-value times the number of pairs.

    Assumptions:

    1. Normal residuals of one variance; blocked: sphericity too.
    2. One-way: the algorithms were run on different folds. On the same folds it gives power away.
    3. The folds are independent. They share training data: pair_test="corrected-t" allows for that, and "5x2cv-f" for
       five replications of two folds.

    When not to use it: instead of the multivariate test. Differences in the balance of two measures may show in
    none of them alone, and several small ones may add up. Where one measure follows from another
    (specificity = 1 - fpr) it is tested twice and the correction pays for it.

    Degenerate input: a measure that is the same for all algorithms in every fold has F = 0 and p = 1; one that differs
    by constants alone has an infinite F and the least p, with a caveat.

    Parameters
    ----------
    measures : array_like, shape (folds, algorithms, measures)
        Paired by fold.
    blocked : bool, default True
        False gives the one-way analysis. Of no effect with "5x2cv-f", which always compares within folds.
    pair_adjust : str, default "holm"
        The correction over the pairs inside a measure, by its name in `tiebreak.stats.CORRECTIONS`.
    pair_test : {"kfold-t", "corrected-t", "5x2cv-f"}
        Takes the folds for independent, allows for shared training data, or is for five replications of two folds, one
        replication after the other.
    test_share : float, optional
        For "corrected-t": the share of the examples in a test part, 0.1 for ten folds.
    higher_is_better : bool or sequence of bool, default False
        For each measure; decides `order`, not the tests.
    algorithms, measure_names : sequence of str, optional

    Returns
    -------
    PerMeasureResult
        Pairs in the order of `np.triu_indices(algorithms, 1)`. Sets without a rejected pair are left to the caller.

    References
    ----------
    yildiz2014
    fisher1925
    nadeau2003
    alpaydin1999

    Examples
    --------
    >>> import numpy as np
    >>> folds = np.random.default_rng(2).normal(size=(10, 3, 2)) + [[0, 0], [0, 0], [0, 3]]
    >>> result = anova_per_measure(folds, measure_names=["tpr", "fpr"], higher_is_better=[True, False])
    >>> [row["measure"] for row in result.rows() if row["adjusted"] <= 0.05]
    ['fpr']
    >>> result.rejected_pairs().tolist()
    [[False, False, False], [False, True, True]]
    """
    measured = check_measures(measures, algorithms, measure_names)
    check_correction(pair_adjust)
    check_choice("pair_test", pair_test, PAIR_TESTS)
    better = _directions(higher_is_better, measured.measures)
    # A measure stands where the fold tests have a data set.
    cube, names, sets = measured.values.transpose(2, 1, 0), measured.algorithms, measured.measures
    pairs = fold_pairs(cube, method=pair_test, test_share=test_share, algorithms=names, datasets=sets)
    if pair_test == "5x2cv-f":
        f, df, p = _largest(pairs)
    else:
        f, df = (_blocked if blocked else _one_way)(measured.values)
        f = f / overlap(len(measured.values), test_share)
        p = f_upper(f, df[:, 0], df[:, 1])
    means = measured.values.mean(axis=0).T
    order = np.argsort(np.where(better, -1.0, 1.0)[:, None] * means, axis=1, kind="stable").astype(np.int64)
    inner = np.array([CORRECTIONS[pair_adjust](row) for row in pairs.pvalue])
    return PerMeasureResult(
        **frozen(statistic=f, pvalue=p, adjusted=CORRECTIONS["holm"](p), df=df, order=order),
        **frozen(a=pairs.a, b=pairs.b, pair_statistic=pairs.statistic, pair_pvalue=pairs.pvalue, pair_adjusted=inner),
        means=in_units(means, measured.exponent[:, None]),
        mean_difference=in_units(pairs.mean_difference, measured.exponent[:, None]),
        **measured.fields(),
        higher_is_better=better,
        method=f"{_label(pair_test, blocked=blocked)} per measure {correction_name('holm')}",
        pair_method=f"{pairs.method} {correction_name(pair_adjust)}",
        caveats=(*_caveats(f, measured.measures), *pairs.caveats),
    )


def _directions(options: bool | Sequence[bool], measures: tuple[str, ...]) -> tuple[bool, ...]:
    """One bool serves all, as with a single measure; else each says its own."""
    count = (options,) * len(measures) if isinstance(options, (bool, np.bool_)) else tuple(options)
    if len(count) != len(measures):
        raise OptionError(
            f"higher_is_better has {len(count)} value(s) for {len(measures)} measure(s).",
            mend="Pass one bool, or one for each measure.",
        )
    return tuple(bool(direction) for direction in count)


def _blocked(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return F and both degrees of freedom of every measure, the fold means taken off."""
    n_folds, n_algorithms, n_measures = values.shape
    f, df = np.zeros(n_measures), np.tile([n_algorithms - 1.0, (n_algorithms - 1.0) * (n_folds - 1)], (n_measures, 1))
    for j in range(n_measures):
        between, error, _, _ = layout(values[:, :, j])
        f[j] = f_ratio(between, error)
    return f, df


def _one_way(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return F and both degrees of freedom of every measure, the algorithms as independent samples."""
    n_folds, n_algorithms, n_measures = values.shape
    shifted = values - values[:1, :1]  # exact where a measure is constant
    means = shifted.mean(axis=0)
    noise = (8 * np.finfo(np.float64).eps * np.abs(values).max(axis=(0, 1))) ** 2
    within = np.square(shifted - means).sum(axis=(0, 1)) / (n_algorithms * (n_folds - 1))
    effects = np.square(means - means.mean(axis=0)).sum(axis=0) / (n_algorithms - 1)
    between = n_folds * np.where(effects <= noise, 0.0, effects)
    f = [f_ratio(float(b), float(w)) for b, w in zip(between, np.where(within <= noise, 0.0, within), strict=True)]
    return np.array(f), np.tile([n_algorithms - 1.0, n_algorithms * (n_folds - 1.0)], (n_measures, 1))


def _largest(pairs: FoldPairsResult) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Judge a measure by its pairs: an F of all algorithms at once is less cautious the more of them there are."""
    count = pairs.pvalue.shape[1]
    df = np.tile([float(d) for d in pairs.df], (len(pairs.pvalue), 1))
    return pairs.statistic.max(axis=1), df, np.minimum(count * pairs.pvalue.min(axis=1), 1.0)


def _label(pair_test: str, *, blocked: bool) -> str:
    if pair_test == "5x2cv-f":
        return "Largest 5x2 cv F of the pairs, Bonferroni-corrected,"
    name = "ANOVA blocked by fold" if blocked else "one-way ANOVA"
    name = f"corrected {name}" if pair_test == "corrected-t" else name
    return name[0].upper() + name[1:]


def _caveats(f: FloatArray, measures: tuple[str, ...]) -> Caveats:
    text = "the algorithms differ by constants alone; F is infinite and p is the smallest number written."
    item = zip(measures, f, strict=True)
    return caveats_of(*((np.isinf(value), "constant-difference", f"{name}: {text}") for name, value in item))
