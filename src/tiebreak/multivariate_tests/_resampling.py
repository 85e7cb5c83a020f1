"""How the folds of a data set were made, and so which test of several measures fits them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray
from tiebreak.caveats import Caveat
from tiebreak.errors import InputError, OptionError
from tiebreak.stats import fitting_test
from tiebreak.stats.folds.fold_tests import known_share
from tiebreak.wording import option

CORRECTIONS = ("auto", "none")
"""Tests that fit the resampling, or those that take folds for independent."""
MANY = 20
"""More folds than these in one replication are seldom a single cross-validation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """The folds of one data set: replications x folds, how many are used, and the test that fits them.

    `correction` is "variance" (of the mean, for `test_share`), "5x2cv" or "none".
    """

    replications: int
    folds: int
    used: int
    correction: str
    test_share: float | None = None

    @property
    def name(self) -> str:
        """How the folds were made, such as "10 folds", "5x10 folds" or "30 hold-out splits"."""
        if self.folds == 1:
            return f"{self.replications} hold-out splits"
        return f"{self.folds} folds" if self.replications == 1 else f"{self.replications}x{self.folds} folds"

    @property
    def overlap(self) -> float:
        """How much larger the variance of a mean is than that of independent folds."""
        return 1.0 if self.test_share is None else 1.0 + self.used * self.test_share / (1.0 - self.test_share)


def resampling_of(there: BoolArray, correction: str, test_share: float | None) -> Resampling:
    """Find the test that fits the folds that are there, (replications, folds)."""
    kept = there[there.any(axis=1)]
    replications, folds, used = len(kept), int(kept.sum(axis=1).max(initial=0)), int(kept.sum())
    made = {"replications": replications, "folds": folds, "used": used}
    if correction == "none" or used < 2:
        return Resampling(correction="none", **made)
    if test_share is None and fitting_test(replications, folds) == "5x2cv-f" and used == 10:
        return Resampling(correction="5x2cv", **made)
    return Resampling(correction="variance", test_share=_share(folds, test_share), **made)


def _share(folds: int, test_share: float | None) -> float:
    """Replications of one fold may also be runs that share nothing, which only the user knows."""
    try:
        return known_share(folds, test_share)
    except InputError as error:
        other = f"For runs on data of their own: {option(resampling_correction='none')}."
        raise InputError(error.what, why=error.why, mend=f"{error.mend} {other}") from None


def check_fits(test: str, made: Resampling) -> None:
    """Refuse tests without a form that allows for shared training data."""
    if made.correction == "none" or test in ("auto", "normal"):
        return
    if made.correction == "variance" and test == "permutation":
        return
    what = "ranks" if test == "ranks" else "permutations of 5x2 cross-validation"
    raise OptionError(
        f"{option(test=test)} was asked for on {made.name}, which share training data.",
        why=f"There is no test by {what} that allows for it, and without that equal algorithms differ far too often.",
        mend=f"Use {option(test='normal')}, or {option(resampling_correction='none')} to take the folds for"
        " independent.",
    )


def resampling_notes(sets: Sequence[Resampling]) -> list[Caveat]:
    """Say once for all data sets how the tests allow for shared training data, or that they do not."""
    notes = []
    plain = [each for each in sets if each.correction == "none"]
    if plain:
        text = (
            "The tests take folds for independent. Those of one data set share training data, so that differences are"
            " found too often: with 5x10 folds in more than half of all comparisons of equal algorithms."
        )
        notes.append(Caveat("folds-share-training-data", text))
    corrected = [each for each in sets if each.correction == "variance"]
    if corrected:
        kinds = dict.fromkeys(f"{each.name}: {each.overlap:.3g} times" for each in corrected)
        shown = ", ".join(list(kinds)[:3]) + (f" and {len(kinds) - 3} more" if len(kinds) > 3 else "")
        text = (
            "The test is Nadeau and Bengio's correction: folds share training data, so the variance of a mean is"
            f" (1/K + n_test/n_train) s2 in place of s2/K ({shown} that of independent folds)."
            f" {option(resampling_correction='none')} gives the published test."
        )
        notes.append(Caveat("folds-share-training-data", text))
    if any(each.correction == "5x2cv" for each in sets):
        text = "5x2 cross-validation is tested by the 5x2 cv F test for several measures, which is cautious."
        notes.append(Caveat("folds-share-training-data", text))
    return [*notes, *_unnamed(corrected)]


def _unnamed(corrected: Sequence[Resampling]) -> list[Caveat]:
    """Repeated folds without a column of replications look like one cross-validation of many small folds."""
    many = [each for each in corrected if each.replications == 1 and np.isclose(each.test_share or 0, 1 / each.folds)]
    most = max((each.folds for each in many), default=0)
    if most <= MANY:
        return []
    text = (
        f"{most} folds without replications are taken for one cross-validation of {most} folds. If they are repeated"
        f" ones, such as 5x10, name the column 'replication', or say {option(test_share=0.1)}: the correction is"
        " too small otherwise."
    )
    return [Caveat("folds-share-training-data", text)]
