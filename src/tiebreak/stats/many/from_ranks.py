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
from tiebreak.stats.numeric.ranks import tie_sums
from tiebreak.stats.numeric.studentized_range import range_upper
from tiebreak.stats.numeric.tails import normal_two_sided
from tiebreak.stats.pairwise import PairwiseResult, check_correction, compared, pairs_result


def rank_standard_error(n_algorithms: int, n_datasets: int) -> float:
    """Return the standard error of a difference of mean ranks without ties, sqrt(L (L + 1) / (6 S))."""
    return sqrt(n_algorithms * (n_algorithms + 1) / (6 * n_datasets))  # Demsar 2006, section 3.2.2


def tied_standard_error(ranks: FloatArray) -> float:
    """Return the same where ranks tie: sqrt(2 sum of (r - (L + 1) / 2)^2 / ((L - 1) S^2)).

    Where the ranks of a data set are dealt out at random, each has the variance of that data set's ranks, v, and two of
    them the covariance -v / (L - 1); so their difference has 2 v L / (L - 1), whatever its ties. Summed over the data
    sets this is Demsar's variance times the tie factor of Friedman's test.
    """
    n_datasets, n_algorithms = ranks.shape
    spread = float(((ranks - (n_algorithms + 1) / 2) ** 2).sum())  # exact: quarters of integers
    return float(sqrt(2 * spread / (n_algorithms - 1)) / n_datasets)


def standard_error_of(ranks: FloatArray, *, tie_correction: bool) -> float:
    """Return the standard error of a difference of mean ranks as it was asked for; without ties there is one."""
    n_datasets, n_algorithms = ranks.shape
    if tie_correction and tie_sums(ranks).any():
        return tied_standard_error(ranks)
    return rank_standard_error(n_algorithms, n_datasets)


def from_mean_ranks(
    mean_ranks: FloatArray,
    n_datasets: int,
    *,
    method: str,
    algorithms: tuple[str, ...],
    control: int | None = None,
    error: float | None = None,
) -> PairwiseResult:
    """Compute any of the rank post hoc tests from mean ranks; `method` is its command-line name.

    `error` is that of a difference of mean ranks; without it the one for ranks without ties.
    """
    count = len(mean_ranks)
    untied = rank_standard_error(count, n_datasets)
    pairs = compared(mean_ranks, untied if error is None else error, control)
    p = normal_two_sided(pairs[2])
    ties = "" if error is None or error == untied else "corrected for ties"
    text = f"{n_datasets} data sets: the normal approximation of differences of mean ranks is rough below ten."
    fields: dict[str, Any] = {
        "algorithms": algorithms,
        "positions": mean_ranks,
        "caveats": (Caveat("few-datasets", text),) if n_datasets < 10 else (),
    }
    if method == "nemenyi":
        fields["adjusted"] = range_upper(np.abs(pairs[2]) * sqrt(2), count)
        label = f"Nemenyi test (infinite degrees of freedom{', ' if ties else ''}{ties})"
    elif method == "bonferroni-dunn":
        fields["adjusted"], label = bonferroni(p), f"Bonferroni-Dunn test against the control{ties and f' ({ties})'}"
    else:
        fields["adjust"], label = check_correction(method, control), f"z tests on mean ranks{ties and f', {ties}'}"
    return pairs_result(pairs, p, method=label, **fields)


def check_counts(n_algorithms: int, n_datasets: int, tie_factor: float) -> None:
    """Refuse numbers from which no critical difference follows."""
    if not 0 <= tie_factor <= 1:
        raise OptionError(
            f"tie_factor is {tie_factor}.",
            why="It is the share of the variance that ties leave to the ranks: 1 without ties, 0 where all are tied.",
            mend="Pass the tie_factor of friedman's result, or none.",
        )
    if n_algorithms < 2 or n_datasets < 1:
        raise OptionError(
            f"There are {n_algorithms} algorithm(s) and {n_datasets} data set(s).",
            why="A difference of mean ranks needs two algorithms and a data set.",
            mend="Pass n_algorithms of at least 2 and n_datasets of at least 1.",
        )
