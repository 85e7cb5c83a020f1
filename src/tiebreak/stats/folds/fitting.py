"""Which test fits a resampling: the folds of a data set share training data, each scheme in its own way."""

from __future__ import annotations

from tiebreak._checks import check_within
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.numeric.differences import check_count
from tiebreak.wording import option

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
        return _checked_share(test_share)
    if folds > 1:
        return 1.0 / folds
    raise InputError(
        f"There is one fold in each replication{where}.",
        why="How much two hold-out splits overlap depends on the share of the data that is tested on, and that cannot"
        " be known from them.",
        mend=f"Give it: {option(test_share=0.33)} if a third is tested on.",
    )


def size_ratio(test_share: float | None, train_size: float | None, test_size: float | None) -> float:
    """Return n_test / n_train from the share or from both sizes."""
    if test_share is not None and train_size is None and test_size is None:
        share = _checked_share(test_share)
        return share / (1.0 - share)
    if test_share is None and train_size is not None and test_size is not None:
        if not (train_size > 0 and test_size > 0):
            raise OptionError(
                f"train_size is {train_size!r} and test_size is {test_size!r}.",
                why="Both parts hold examples.",
                mend="Pass the numbers of examples in the training and in the test part.",
            )
        return test_size / train_size
    raise OptionError(
        "The sizes of the test and training parts are not given once.",
        why="The correction for their overlap needs the ratio of the two.",
        mend="Pass test_share=..., or both train_size=... and test_size=....",
    )


def _checked_share(test_share: float) -> float:
    why = "A share of the examples lies strictly between 0 and 1."
    return check_within(
        option("test_share"), test_share, 0.0, 1.0, why=why, mend=f"Use {option(test_share=0.1)} for ten folds."
    )
