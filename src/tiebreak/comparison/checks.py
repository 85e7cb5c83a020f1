"""What every verb checks of its answer: whether its methods keep what they promise, whether there are data enough."""

from __future__ import annotations

from math import ceil, log2

import numpy as np

from tiebreak.caveats import Caveat
from tiebreak.documents import Check
from tiebreak.methods import Method
from tiebreak.stats import CORRECTIONS

TIMES_ALL = ("bonferroni", "holm", "shaffer", "bergmann-hommel")
"""Corrections by which the smallest p-value is multiplied by the number of pairs."""


def fewest_signs(times: int, alpha: float) -> int:
    """Return how many signs it takes before any can reject: n of them have no p-value below 2^(1 - n).

    Examples
    --------
    >>> fewest_signs(1, 0.05), fewest_signs(15, 0.05)
    (6, 10)
    """
    return ceil(1.0 + log2(times / alpha) - 1e-9)


def promise_caveats(correction: Method | None, pairs: int) -> list[Caveat]:
    """Say what a correction does not promise."""
    if correction is None or pairs < 2 or correction.promise.keeps == "any test":
        return []
    keeps = correction.promise.keeps
    if keeps == "share":
        text = "The correction keeps the share of false among the declared differences, not the chance of any."
        return [Caveat("weak-correction", text)]
    if correction.name == "none":
        text = f"The p-values of {pairs} pairs are not corrected: some differences will be chance."
        return [Caveat("weak-correction", text)]
    text = f"The correction {correction.name} does not keep the family-wise error where some differences are real."
    return [Caveat("weak-correction", text)]


def promise_check(number: int, test: Method, correction: Method | None, pairs: int) -> Check:
    """Judge whether the chance of any false difference stays at alpha, by what test and correction promise together.

    A correction can keep only what the p-values allow: those of a test on all algorithms are valid where its premises
    hold, those of a test on a pair's own scores whatever is true of the others.
    """
    promise = (correction or test).promise
    if pairs > 1 and promise.keeps != "any test":
        text = f"The correction {(correction or test).name} does not keep the chance of any false difference at alpha."
        return Check(number=number, kind="issue", text=text)
    premises = [each for each in (promise.needs, "" if test.on_own_scores else test.promise.premises) if each]
    if premises and pairs > 1:
        text = f"The chance of any false difference stays at alpha where {'; and where '.join(premises)}."
        return Check(number=number, kind="tip", text=text)
    return Check(number=number, kind="passed", text="The correction keeps the chance of any false difference at alpha.")


def enough_check(number: int, count: int, algorithms: int = 0, *, exact: bool = False) -> Check:
    """Judge whether there are data sets enough for the tests, and for so many algorithms."""
    if count < algorithms and (exact or count >= 10):
        text = f"{count} data sets for {algorithms} algorithms: few differences can be seen."
        return Check(number=number, kind="tip", text=text)
    if count < 10 and not exact:
        text = f"{count} data sets: approximations are rough below ten, and few differences can be seen."
        return Check(number=number, kind="issue", text=text)
    return Check(number=number, kind="passed", text=f"{count} data sets: not too few for the tests used.")


def fewest_datasets(pairs: int, adjust: str, alpha: float) -> int:
    """Return how many data sets it takes before a test that counts signs can reject after the correction.

    n signs have a smallest two-sided p-value of 2^(1 - n). All pairs at it is the easiest case for any correction.

    Examples
    --------
    >>> fewest_datasets(1, "holm", 0.05), fewest_datasets(28, "bergmann-hommel", 0.05)
    (6, 11)
    """
    correct = CORRECTIONS["shaffer" if adjust == "bergmann-hommel" else adjust]
    most = 2 + ceil(log2(max(2, pairs)) + 1 - log2(alpha))
    for count in range(2, most):
        if float(correct(np.full(max(1, pairs), 2.0 ** (1 - count))).min()) <= alpha:
            return count
    return most
