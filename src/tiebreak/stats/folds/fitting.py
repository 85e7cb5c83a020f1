"""Which test fits a resampling: the folds of a data set share training data, each scheme in its own way."""

from __future__ import annotations

from tiebreak._checks import check_within
from tiebreak.errors import InputError
from tiebreak.stats.numeric.differences import check_count

FIVE_BY_TWO = (5, 2)


def fitting_test(replications: int, folds: int) -> str | None:
    """Name the test of two algorithms that fits the folds of one data set.

    Hypothesis: none is tested here; that of the named test is that two algorithms have the same expected score.

    Formula: five replications of two folds, the 5x2 cv F test ("5x2cv-f"); any other folds, once or repeated, and
    repeated hold-out (one fold in each replication), the corrected resampled t test ("corrected-t"); one score, None.

    Assumptions: those of the named test, `five_by_two_f` or `corrected_resampled_t`.
    When not to use it: where the splits are of another kind, such as a test part that stays the same; then no test of
    the folds speaks of new training data.

    Parameters
    ----------
    replications : int
        How often the data set was split anew.
    folds : int
        In each replication; 1 for hold-out, whose share of the examples in the test part a test must be told.

    Returns
    -------
    str or None

    References
    ----------
    alpaydin1999
    nadeau2003
    bouckaert2004

    Examples
    --------
    >>> fitting_test(5, 2), fitting_test(10, 10), fitting_test(30, 1), fitting_test(1, 1)
    ('5x2cv-f', 'corrected-t', 'corrected-t', None)
    """
    shape = (check_count("replications", replications, usual=5), check_count("folds", folds, usual=2))
    if shape == FIVE_BY_TWO:
        return "5x2cv-f"
    return "corrected-t" if shape[0] * shape[1] > 1 else None


def known_share(folds: int, test_share: float | None, *, where: str = "") -> float:
    """Return the share of the examples in the test part: as given, or one of several folds; otherwise it is asked for.

    `where` names the data set in the error, as in " on 'iris'".
    """
    if test_share is not None:
        why = "A share of the examples lies strictly between 0 and 1."
        return check_within("test_share", test_share, 0.0, 1.0, why=why, mend="Use test_share=0.1 for ten folds.")
    if folds > 1:
        return 1.0 / folds
    raise InputError(
        f"There is one fold in each replication{where}.",
        why="How much two hold-out splits overlap depends on the share of the data that is tested on, and that cannot"
        " be known from them.",
        mend="Give it: test_share=0.33 (--test-share 0.33) if a third is tested on.",
    )
