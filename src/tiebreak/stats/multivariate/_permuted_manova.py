"""Do several algorithms differ in several measures, without assuming normal ones? Permutations within the folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, check_choice, readonly
from tiebreak._show import Row, Shown
from tiebreak.stats.multivariate._estimable import check_measures, in_units
from tiebreak.stats.multivariate._shuffles import check_count, counted, least_caveat, shuffled, unit_vectors
from tiebreak.stats.numeric.ranks import average_ranks
from tiebreak.stats.numeric.tails import chi2_upper


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PermutedGroupsResult(Shown):
    """A test of whether any algorithm differs in any measure; `n_permutations` is 0 for an approximation.

    `locations` are the mean measures (algorithms, measures), or the mean ranks where ranks were compared.
    """

    statistic: float
    pvalue: float
    df: tuple[int, ...]
    pillai: float
    locations: FloatArray
    rank: int
    algorithms: tuple[str, ...]
    measures: tuple[str, ...]
    n_folds: int
    n_permutations: int
    exact: bool
    method: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was found."""
        how = counted(self.n_permutations, exact=self.exact) if self.n_permutations else f"df ({self.df[0]})"
        return f"{self.method}: statistic {self.statistic:.5g}, {how}, p = {self.pvalue:.4g}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm."""
        return [
            {"algorithm": name, **dict(zip(self.measures, map(float, self.locations[i]), strict=True))}
            for i, name in enumerate(self.algorithms)
        ]


def permuted_manova(
    measures: npt.ArrayLike,
    *,
    n_permutations: int = 9999,
    rng: int | np.random.Generator = 0,
    algorithms: Sequence[str] | None = None,
    measure_names: Sequence[str] | None = None,
) -> PermutedGroupsResult:
    """Test whether any algorithm differs in any measure by permuting the algorithms within the folds.

    Hypothesis: within a fold all assignments of the measure vectors to the algorithms are equally likely.

    Formula: with the fold means taken off, H = K sum_l m_l m_l' over the algorithms' mean vectors, E the rest and
    T = H + E; the statistic is Pillai's trace, tr(H T^-1). T does not change under permutations, so one
    factorisation serves all. All (L!)^(K - 1) orders are counted out up to 20,000; beyond, p = (b + 1)/(B + 1) with
    b of B random ones at least as large as found. With two algorithms it is the sign-flip test of `permuted_pairs`.

    Assumptions:

    1. The folds are independent blocks; overlap of the training parts is ignored.
    2. Exchangeable within a fold under the hypothesis: equal means with unequal spreads are a departure, too.

    When not to use it: to compare means only, where spreads differ strongly; with two or three folds.

    Degenerate input: identical algorithms, p = 1. Dependent measures are compared in the directions in which
    they vary, with a caveat; with as many directions as the folds leave room for, K (L - 1), all orders give the
    same statistic and p = 1.

    Parameters
    ----------
    measures : array_like, shape (folds, algorithms, measures)
        Paired by fold.
    n_permutations : int, default 9999
    rng : int or numpy.random.Generator, default 0
    algorithms, measure_names : sequence of str, optional

    Returns
    -------
    PermutedGroupsResult

    References
    ----------
    Pillai, K. C. S. (1955). doi:10.1214/aoms/1177728599
    Phipson, B. and Smyth, G. K. (2010). doi:10.2202/1544-6115.1585

    Examples
    --------
    >>> import numpy as np
    >>> folds = np.random.default_rng(1).normal(size=(10, 3, 2)) + [[0, 0], [0, 0], [1, 2]]
    >>> permuted_manova(folds, n_permutations=999).pvalue
    0.001
    """
    measured = check_measures(measures, algorithms, measure_names)
    count = check_count(n_permutations)
    values = measured.values
    shifted = values - values[:, :1]  # exact where the algorithms of a fold agree
    vectors, rank = _fold_vectors(shifted - shifted.mean(axis=1, keepdims=True), np.abs(values))
    pillai, pvalue, done, exact = shuffled(vectors, count, rng)
    return PermutedGroupsResult(
        statistic=pillai,
        pvalue=pvalue,
        df=(),
        pillai=pillai,
        locations=in_units(values.mean(axis=0), measured.exponent),
        rank=rank,
        algorithms=measured.algorithms,
        measures=measured.measures,
        n_folds=len(values),
        n_permutations=done,
        exact=exact,
        method="Permutation test of Pillai's trace, blocked by fold",
        caveats=_group_caveats(rank, values.shape, 1 / (done + (not exact))),
    )


def rank_manova(
    measures: npt.ArrayLike,
    *,
    method: str = "chi2",
    n_permutations: int = 9999,
    rng: int | np.random.Generator = 0,
    algorithms: Sequence[str] | None = None,
    measure_names: Sequence[str] | None = None,
) -> PermutedGroupsResult:
    """Test whether any algorithm tends to rank differently in any measure: Gerig's multivariate Friedman test.

    Hypothesis: within a fold all assignments of the measure vectors to the algorithms are equally likely.

    Formula: every measure is ranked within every fold (ties share the average); with H and T of the ranks as in
    `permuted_manova`, the statistic is K (L - 1) tr(H T^-1), chi-squared with (L - 1) p degrees of freedom. With one
    measure it is the Friedman statistic corrected for ties.

    Assumptions:

    1. The folds are independent blocks.
    2. Within a fold the algorithms can be ordered in each measure; the distribution does not matter.
    3. For the chi-squared p-value, enough folds; with method="permutation" none of that is needed.

    When not to use it: where the size of a difference matters, not its direction only; with many ties.

    Degenerate input: where all folds tie all algorithms, statistic 0 and p = 1. Measures whose ranks determine each
    other (error and accuracy) count once: the rank of T stands for p, with a caveat.

    Parameters
    ----------
    measures : array_like, shape (folds, algorithms, measures)
        Paired by fold. Which direction is better does not matter to the statistic; ranks are ascending.
    method : {"chi2", "permutation"}
    n_permutations : int, default 9999
    rng : int or numpy.random.Generator, default 0
    algorithms, measure_names : sequence of str, optional

    Returns
    -------
    PermutedGroupsResult
        `locations` are the mean ranks, 1 for the lowest value.

    References
    ----------
    Gerig, T. M. (1969). A multivariate extension of Friedman's chi-square test. JASA 64, 1595-1608.
    Jensen, D. R. (1974). doi:10.1214/aos/1176342665
    Puri, M. L. and Sen, P. K. (1971). Nonparametric methods in multivariate analysis. Wiley (no DOI).

    Examples
    --------
    >>> import numpy as np
    >>> folds = np.random.default_rng(1).standard_cauchy(size=(12, 3, 2)) + [[0, 0], [0, 0], [2, 4]]
    >>> result = rank_manova(folds)
    >>> round(result.statistic, 3), result.df, round(result.pvalue, 4)
    (10.085, (4,), 0.039)
    """
    measured = check_measures(measures, algorithms, measure_names)
    approximate = check_choice("method", method, ("chi2", "permutation")) == "chi2"
    count = check_count(n_permutations)
    n_folds, n_algorithms, _ = measured.values.shape
    ranks = np.swapaxes(average_ranks(np.swapaxes(measured.values, 1, 2)), 1, 2)
    vectors, rank = _fold_vectors(ranks - (n_algorithms + 1) / 2, ranks)
    pillai, p, done, exact = shuffled(vectors, 0 if approximate else count, rng)
    statistic, df = n_folds * (n_algorithms - 1) * pillai, (n_algorithms - 1) * rank
    return PermutedGroupsResult(
        statistic=statistic,
        pvalue=_chi2_pvalue(statistic, df) if approximate else p,
        df=(df,),
        pillai=pillai,
        locations=readonly(ranks.mean(axis=0)),
        rank=rank,
        algorithms=measured.algorithms,
        measures=measured.measures,
        n_folds=n_folds,
        n_permutations=done,
        exact=exact,
        method="Gerig's multivariate Friedman test",
        caveats=(
            *_group_caveats(rank, ranks.shape, 0.0 if approximate else 1 / (done + (not exact))),
            *(_rough_chi2(n_folds) if approximate else ()),
        ),
    )


def _fold_vectors(centred: FloatArray, size: FloatArray) -> tuple[FloatArray, int]:
    """Return (folds, algorithms, directions) vectors whose sum of products is the identity, and the rank."""
    n_folds, n_algorithms, n_measures = centred.shape
    vectors, rank = unit_vectors(centred.reshape(-1, n_measures), size.reshape(-1, n_measures))
    return vectors.reshape(n_folds, n_algorithms, -1), int(rank)


def _chi2_pvalue(statistic: float, df: int) -> float:
    return float(chi2_upper(statistic, df)) if df else 1.0


def _group_caveats(rank: int, shape: tuple[int, ...], least: float) -> tuple[str, ...]:
    n_folds, n_algorithms, n_measures = shape
    found = []
    if rank == 0:
        found.append("All algorithms are identical in every fold: p = 1.")
    elif rank >= n_folds * (n_algorithms - 1):
        found.append(
            f"{n_folds} folds and {n_algorithms} algorithms leave room for {rank} directions and the measures fill"
            " them: every order gives the same statistic. Use fewer measures or more folds."
        )
    elif rank < n_measures:
        found.append(
            f"The {n_measures} measures vary in {rank} direction(s) only (some are constant or follow from others);"
            " those are compared."
        )
    return (*found, *least_caveat(least, n_folds))


def _rough_chi2(n_folds: int) -> tuple[str, ...]:
    if n_folds >= 10:
        return ()
    return (f"{n_folds} folds: the chi-squared approximation is rough below ten; use method='permutation'.",)
