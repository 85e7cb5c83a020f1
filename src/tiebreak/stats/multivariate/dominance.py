"""Several measures at once: who dominates whom, and Hotelling's tests of all pairs on every data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import few
from tiebreak.errors import InputError
from tiebreak.stats.folds.inner import InnerTests
from tiebreak.stats.multivariate.fitting import fitting_pairs
from tiebreak.stats.numeric.ranks import snap
from tiebreak.stats.pairwise import pair_indices


def dominance(means: FloatArray) -> FloatArray:
    """Return for all pairs of the first axis who dominates: -1 the first, 1 the second, 0 neither.

    `means` is (algorithms, measures), lower the better; noise of rounding makes no difference. One dominates where it
    is nowhere worse and somewhere better.

    Examples
    --------
    >>> import numpy as np
    >>> dominance(np.array([[0.1, 0.2], [0.1, 0.3], [0.0, 0.9]]))
    array([-1.,  0.,  0.])
    """
    a, b = pair_indices(len(means))
    levels = np.stack([snap(column) for column in means.T], axis=1)
    difference = np.sign(levels[a] - levels[b])
    first = (difference <= 0).all(axis=1) & (difference < 0).any(axis=1)
    second = (difference >= 0).all(axis=1) & (difference > 0).any(axis=1)
    return np.asarray(second.astype(np.float64) - first.astype(np.float64))


def dominance_tests(
    measures: FloatArray,
    *,
    adjust: str,
    datasets: Sequence[str],
    algorithms: Sequence[str],
    test_share: float | None = None,
) -> InnerTests:
    """Test all pairs on every data set; `measures` is (data sets, algorithms, replications, folds, measures).

    The `difference` of a pair is its dominance, so that no decision is made where neither dominates. Data sets may
    have different numbers of folds: one that a data set lacks is NaN throughout.
    """
    sets, count, replications, folds, scores = measures.shape
    full = measures.transpose(0, 2, 3, 1, 4).reshape(sets, replications * folds, count, scores)
    replication: IntArray = np.repeat(np.arange(replications), folds)
    tests, sides = [], []
    for name, cube in zip(datasets, full, strict=True):
        there = ~np.isnan(cube).all(axis=(1, 2))
        try:
            tests.append(
                fitting_pairs(
                    cube[there], replication[there], adjust=adjust, algorithms=algorithms, test_share=test_share
                )
            )
        except InputError as error:
            raise InputError(f"Data set {name!r}: {error.what}", why=error.why, mend=error.mend) from None
        sides.append(dominance(cube[there].mean(axis=0)))
    notes = [
        note.prefixed(f"Data set {name!r}: ")
        for name, tested in zip(datasets, tests, strict=True)
        for note in tested.caveats
    ]
    a, b = pair_indices(count)
    columns = ("statistic", "pvalue", "adjusted")
    arrays: dict[str, Any] = {name: np.array([getattr(each, name) for each in tests]) for name in columns}
    return InnerTests(
        a=a,
        b=b,
        difference=np.array(sides),
        method=tests[0].method,
        algorithms=tuple(algorithms),
        datasets=tuple(datasets),
        caveats=tuple(few(notes)),
        **arrays,
    )
