"""Tests from ranks that are already taken: for those who rank once and test more than once."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat
from tiebreak.errors import OptionError
from tiebreak.stats.adjust import bonferroni
from tiebreak.stats.many._friedman import friedman_from_ranks as friedman_from_ranks
from tiebreak.stats.numeric.studentized_range import range_upper
from tiebreak.stats.numeric.tails import normal_two_sided
from tiebreak.stats.pairwise import PairwiseResult, check_correction, compared, pairs_result


def rank_standard_error(n_algorithms: int, n_datasets: int) -> float:
    """Return the standard error of a difference of mean ranks, sqrt(L (L + 1) / (6 S))."""
    return sqrt(n_algorithms * (n_algorithms + 1) / (6 * n_datasets))  # Demsar 2006, section 3.2.2


def from_mean_ranks(
    mean_ranks: FloatArray,
    n_datasets: int,
    *,
    method: str,
    algorithms: tuple[str, ...],
    control: int | None = None,
) -> PairwiseResult:
    """Compute any of the rank post hoc tests from mean ranks; `method` is its command-line name."""
    count = len(mean_ranks)
    pairs = compared(mean_ranks, rank_standard_error(count, n_datasets), control)
    p = normal_two_sided(pairs[2])
    text = f"{n_datasets} data sets: the normal approximation of differences of mean ranks is rough below ten."
    fields: dict[str, Any] = {
        "algorithms": algorithms,
        "positions": mean_ranks,
        "caveats": (Caveat("few-datasets", text),) if n_datasets < 10 else (),
    }
    if method == "nemenyi":
        fields["adjusted"] = range_upper(np.abs(pairs[2]) * sqrt(2), count)
        label = "Nemenyi test (infinite degrees of freedom)"
    elif method == "bonferroni-dunn":
        fields["adjusted"], label = bonferroni(p), "Bonferroni-Dunn test against the control"
    else:
        fields["adjust"], label = check_correction(method, control), "z tests on mean ranks"
    return pairs_result(pairs, p, method=label, **fields)


def check_counts(n_algorithms: int, n_datasets: int) -> None:
    """Refuse numbers from which no critical difference follows."""
    if n_algorithms < 2 or n_datasets < 1:
        raise OptionError(
            f"There are {n_algorithms} algorithm(s) and {n_datasets} data set(s).",
            why="A difference of mean ranks needs two algorithms and a data set.",
            mend="Pass n_algorithms of at least 2 and n_datasets of at least 1.",
        )
