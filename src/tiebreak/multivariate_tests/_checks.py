"""Numbered checks of a comparison by several measures: what a careful reviewer would ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tiebreak.caveats import codes_of
from tiebreak.comparison.checks import promise_check
from tiebreak.documents import Check
from tiebreak.methods import find

if TYPE_CHECKING:
    from tiebreak.multivariate_tests._comparison import MultivariateComparison

FOLDS_PER_MEASURE = 3
"""With fewer folds for each measure the covariance is estimated badly and little can be seen."""


def multivariate_checks(found: MultivariateComparison) -> tuple[Check, ...]:
    """Check a comparison by several measures; the numbers go on where those of an ordering end."""
    return (
        _folds(21, found),
        _normal(22, found),
        _dependent(23, found),
        _outliers(24, found),
        promise_check(25, find(_weakest(found), "measures"), find(found.adjust, "correction"), len(found.pairs)),
        _conclusive(26, found),
        _evidence(27, found),
    )


def _weakest(found: MultivariateComparison) -> str:
    """Name the test of pairs whose premises are the hardest to meet: a promise holds where those of all tests do."""
    used = {each.resampling.correction for each in found.sets}
    names = {"none": "hotelling", "variance": "corrected-hotelling", "5x2cv": "5x2cv-measures"}
    return next(name for correction, name in names.items() if correction in used)


def _folds(number: int, found: MultivariateComparison) -> Check:
    """Judge the data set with the fewest folds: it is the first on which a pair cannot be tested."""
    folds, measures = min(len(each.cube) for each in found.sets), len(found.measures)
    said = f"{folds} folds for {measures} measure(s)"
    if folds <= measures:
        text = f"{said}: a pair cannot be tested by all of them; more folds are needed than measures."
        return Check(number=number, kind="issue", text=text)
    if folds < FOLDS_PER_MEASURE * measures:
        return Check(number=number, kind="tip", text=f"{said}: few differences can be seen.")
    return Check(number=number, kind="passed", text=f"{said}: enough to estimate how they vary together.")


def _normal(number: int, found: MultivariateComparison) -> Check:
    """An issue only where normality is rejected and normal theory decided all the same."""
    permuted = [each.dataset for each in found.sets if each.decided_by != "normal"]
    unjudged = [each.dataset for each in found.sets if each.normality is None]
    doubtful = [each.dataset for each in found.sets if "normality-rejected" in codes_of(each.caveats)]
    if unjudged:
        text = f"Too few folds to judge normality on {len(unjudged)} of {len(found.sets)} data set(s)."
        return Check(number=number, kind="tip", text=text)
    if set(doubtful) - set(permuted):
        text = "Mardia's tests reject normality, and normal theory decides all the same."
        return Check(number=number, kind="issue", text=text)
    if permuted:
        text = (
            f"Permutations decide on {len(permuted)} of {len(found.sets)} data set(s): normality is not assumed there."
        )
        return Check(number=number, kind="passed", text=text)
    return Check(number=number, kind="passed", text="Mardia's tests do not reject normality.")


def _dependent(number: int, found: MultivariateComparison) -> Check:
    """A tip and no issue: the tests work in the subspace that varies, so their level is kept."""
    spare = len(found.measures) - found.learned.rank
    if spare > 0:
        text = (
            f"{spare} of {len(found.measures)} measures do not vary or follow exactly from the others; the degrees of"
            " freedom allow for it."
        )
        return Check(number=number, kind="tip", text=text)
    return Check(number=number, kind="passed", text="No measure follows exactly from the others.")


def _outliers(number: int, found: MultivariateComparison) -> Check:
    far = sum(0 if each.outliers is None else len(each.outliers.row) for each in found.sets)
    if far:
        return Check(number=number, kind="tip", text=f"{far} fold(s) lie far out; look at them in the contours.")
    return Check(number=number, kind="passed", text="No fold lies far out from the others of its algorithm.")


def _conclusive(number: int, found: MultivariateComparison) -> Check:
    """Differing is not being better: with several measures a pair may differ and neither dominate."""
    if not found.rejected:
        return Check(number=number, kind="tip", text="The data do not show that the algorithms differ.")
    if not any(pair.differs for pair in found.pairs):
        text = "The test of all rejects but no pair differs significantly: more folds would say which."
        return Check(number=number, kind="tip", text=text)
    if not any(pair.better for pair in found.pairs):
        text = "Algorithms differ, but none dominates another: what is better depends on the weight of the measures."
        return Check(number=number, kind="tip", text=text)
    return Check(number=number, kind="passed", text="The tests single out pairs that differ and one that dominates.")


def _evidence(number: int, found: MultivariateComparison) -> Check:
    """An issue where folds count as independent; one data set says nothing about others, whatever the test."""
    if all(each.resampling.correction != "none" for each in found.sets):
        allowed = "the tests allow for the training data that folds share"
        if len(found.sets) == 1:
            text = f"One data set: {allowed}, and what they find holds for it alone."
            return Check(number=number, kind="tip", text=text)
        return Check(number=number, kind="passed", text=f"{len(found.sets)} data sets; on each {allowed}.")
    if len(found.sets) == 1:
        text = "One data set, folds that share training data: differences are found too often and hold for it alone."
        return Check(number=number, kind="issue", text=text)
    text = f"{len(found.sets)} data sets; on each, folds share training data, so differences are found too often."
    return Check(number=number, kind="tip", text=text)
