"""A few data sets, many algorithms: do two differ on these data sets, by the folds of all of them together?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import FloatArray, as_floats, check_finite, check_names, check_shape, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.folds.fold_tests import FOLD_TESTS, fitting_test, fold_caveats, known_share, tested_pairs
from tiebreak.stats.numeric.basics import Outcome, check_squares, normal_two_sided
from tiebreak.stats.results import PairwiseResult, check_correction, pair_fields, pair_indices

Shares = float | Sequence[float | None] | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldsTogether(PairwiseResult):
    """Tests of pairs on the folds of some data sets together; `statistic` is Z, positive where `b` is better.

    `z` and `mean_difference` (of a minus b, whatever direction is better) are those of every data set, (data sets,
    pairs); `datasets` names them and `tests` says by which test each was judged.
    """

    z: FloatArray
    mean_difference: FloatArray
    datasets: tuple[str, ...]
    tests: tuple[str, ...]


@as_came_in
def folds_together(
    scores: Sequence[npt.ArrayLike],
    *,
    test_share: Shares = None,
    adjust: str = "none",
    control: int | None = None,
    higher_is_better: bool = False,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> FoldsTogether:
    """Test every pair of algorithms on the folds of several data sets together.

    Hypothesis: for each pair, on none of these data sets do the two algorithms differ in their expected scores. It is
    a question about these data sets, not about others.

    Formula: on each of the S data sets the test that fits its resampling (`fitting_test`) gives a two-sided p-value
    p_s; z_s = Phi^-1(1 - p_s / 2) with the sign of the difference; Z = sum z_s / sqrt(S) is standard normal,
    two-sided.

    Assumptions:

    1. Those of the test on each data set: `corrected_resampled_t` or `five_by_two_f`.
    2. The data sets are independent of each other.

    When not to use it: for a statement about data sets of a kind, of which these are a sample: `wilcoxon_pairs` on the
    means, from six data sets on. Where a pair differs one way on some data sets and the other way on others, the two
    cancel.

    Degenerate input: a pair without a difference in any fold of a data set has z_s = 0 there. A difference that does
    not vary has the smallest p-value that is reported, and so a z_s of 37.5 rather than infinity, with a caveat. A
    data set with one score for each algorithm has no folds; it is left out, with a caveat, if others have some.

    Parameters
    ----------
    scores : sequence of array_like, each of shape (algorithms, replications, folds)
        One for each data set; replications and folds may differ between data sets.
    test_share : float or sequence of float, optional
        For the corrected t test: share of the examples in the test part, of all data sets or of each. 1 / folds where
        it is None; repeated hold-out, with one fold in each replication, needs it.
    adjust : str, default "none"
        The name of a correction, as for `rank_tests`.
    control : int, optional
        Algorithm to compare with all others, as `a`; without it all pairs are tested.
    higher_is_better : bool, default False
    algorithms, datasets : sequence of str, optional

    Returns
    -------
    FoldsTogether

    References
    ----------
    stouffer1949
    nadeau2003
    alpaydin1999

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> ten, five_by_two = rng.normal(0.2, 0.03, (3, 1, 10)), rng.normal(0.3, 0.03, (3, 5, 2))
    >>> ten[0], five_by_two[0] = ten[0] - 0.05, five_by_two[0] - 0.1  # the first algorithm errs less
    >>> result = folds_together([ten, five_by_two], adjust="holm")
    >>> result.adjusted.round(3), result.tests
    (array([0.004, 0.033, 0.614]), ('corrected resampled t test', '5x2 cv F test'))
    """
    cubes = _cubes(scores)
    all_datasets = check_names(datasets, len(cubes), kind="data set")
    names = check_names(algorithms, len(cubes[0]), kind="algorithm")
    a, b = pair_indices(len(names), control)
    check_correction(adjust, control)
    shares = _shares(test_share, len(cubes))
    used = _used(cubes)
    parts = [_one(cubes[s], used[s], shares[s], all_datasets[s], (a, b)) for s in used]
    z = np.stack([part[0] for part in parts]) * (-1.0 if higher_is_better else 1.0) + 0.0
    statistic = z.sum(axis=0) / sqrt(len(z)) + 0.0  # Stouffer et al. 1949
    tests = tuple(FOLD_TESTS[name] for name in used.values())
    fields = pair_fields(
        (a, b, statistic),
        normal_two_sided(statistic),
        adjust=adjust,
        algorithms=names,
        method=f"Folds of {len(z)} data set(s) together, {' and '.join(dict.fromkeys(tests))}",
        caveats=(*_left_out(all_datasets, used), *_caveats([part[1] for part in parts])),
        z=readonly(z),
        mean_difference=readonly(np.stack([part[1].mean for part in parts])),
        datasets=tuple(all_datasets[s] for s in used),
        tests=tests,
    )
    return FoldsTogether(**fields)


def _cubes(scores: Sequence[npt.ArrayLike]) -> list[FloatArray]:
    """Check the scores of every data set: (algorithms, replications, folds), the same algorithms everywhere."""
    cubes = [as_floats(score, what=f"scores[{s}]") for s, score in enumerate(scores)]
    if not cubes:
        raise InputError(
            "scores holds no data set.",
            mend="Pass one array of shape (algorithms, replications, folds) for each data set.",
        )
    for s, cube in enumerate(cubes):
        if cube.ndim != 3 or len(cube) != len(cubes[0]) or not cube.size:
            raise InputError(
                f"scores[{s}] has shape {cube.shape}, scores[0] has {cubes[0].shape}.",
                mend="Pass one array of shape (algorithms, replications, folds) for each data set.",
            )
        check_shape(1, len(cube), what=f"scores[{s}]", min_rows=1)
        check_finite(cube, what=f"scores[{s}]")
        check_squares(cube, what=f"scores[{s}]")
    return cubes


def _shares(test_share: Shares, count: int) -> list[float | None]:
    """Return the share of each data set; one number is that of all."""
    if test_share is None or isinstance(test_share, (int, float)):
        return [test_share] * count
    shares = list(test_share)
    if len(shares) != count:
        raise OptionError(
            f"test_share has {len(shares)} value(s) for {count} data set(s).",
            mend="Pass one number for all, or one for each; None stands for 1 / folds.",
        )
    return shares


def _used(cubes: list[FloatArray]) -> dict[int, str]:
    """Return the test of every data set that has folds, by its place."""
    fitting = {s: fitting_test(*cube.shape[1:]) for s, cube in enumerate(cubes)}
    used = {s: name for s, name in fitting.items() if name is not None}
    if not used:
        raise InputError(
            "There is one score for each data set and algorithm.",
            mend="Give the scores of the folds, or test over the data sets, with tiebreak.stats.wilcoxon_pairs.",
        )
    return used


def _one(
    cube: FloatArray, method: str, share: float | None, name: str, pairs: tuple[npt.NDArray[np.int64], ...]
) -> tuple[FloatArray, Outcome]:
    """Test the pairs on one data set; z is positive where the second one has the lower score."""
    share = known_share(cube.shape[2], share, where=f" on {name!r}") if method == "corrected-t" else None
    folds = np.ascontiguousarray(cube.reshape(len(cube), -1).T)
    outcome = tested_pairs(folds[:, None, :], *pairs, method=method, test_share=share)
    flat = Outcome(**{field: getattr(outcome, field)[0] for field in Outcome.__dataclass_fields__})
    sign = np.sign(flat.mean if method == "5x2cv-f" else flat.statistic)  # an F points to neither side
    return -special.ndtri(flat.pvalue / 2) * sign, flat


def _caveats(outcomes: list[Outcome]) -> Caveats:
    """Say what makes the numbers doubtful, counted over the tests of all data sets."""
    parts = {
        name: np.concatenate([getattr(outcome, name) for outcome in outcomes]) for name in Outcome.__dataclass_fields__
    }
    return fold_caveats(Outcome(**parts), "")


def _left_out(datasets: Sequence[str], used: dict[int, str]) -> Caveats:
    """Name the data sets that have one score only."""
    left = [name for s, name in enumerate(datasets) if s not in used]
    if not left:
        return ()
    named = ", ".join(left[:5]) + (f" and {len(left) - 5} more" if len(left) > 5 else "")
    text = f"{len(left)} data set(s) with one score for each algorithm have no folds to test on and were left out"
    return (Caveat("no-folds", f"{text}: {named}."),)
