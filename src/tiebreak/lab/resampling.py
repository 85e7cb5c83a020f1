"""Resampling by name: what "5x2cv", "10-fold" or "holdout" mean, and the key under which a store keeps them."""

from __future__ import annotations

import re
from fractions import Fraction

from tiebreak.errors import OptionError
from tiebreak.lab.tasks import Resampling

_CROSS = re.compile(r"(?:(\d{1,9})\s*x\s*)?(\d{1,9})\s*[- ]?\s*(?:(?:fold)?\s*(?:cv)?)")
_HOLDOUT = re.compile(r"(?:(\d{1,9})\s*x\s*)?hold-?out")

MOST_CELLS = 100_000
"""The most folds, over all replications, of one data set: more is a slip of the finger, and would fill the memory."""


def resampling_from(
    text: str, *, test: float | str = 1 / 3, holdout: float | str = 1 / 3, stratified: bool = True
) -> Resampling:
    """Return the resampling that a text names.

    Parameters
    ----------
    text : str
        "5x2cv", "3x10cv", "10x10" (replications x folds), "10-fold" (one replication), "holdout" or "5xholdout".
    test : float or str, default 1/3
        The share of the rows kept apart as test part; 0 for none; "1/3" is read as a fraction.
    holdout : float or str, default 1/3
        For hold-out: the share of the rest that is measured on.
    stratified : bool, default True

    Returns
    -------
    Resampling

    Examples
    --------
    >>> resampling_from("10-fold", test=0)
    Resampling(kind='cv', replications=1, folds=10, test=0.0, holdout=0.3333333333333333, stratified=True)
    """
    word = str(text).strip().lower()
    aside, out = _share("test", test), _share("holdout", holdout)
    match = _HOLDOUT.fullmatch(word) or (None if word.isdigit() else _CROSS.fullmatch(word))
    if match is None:
        raise OptionError(
            f"There is no resampling {text!r}.",
            why="Known are replications x folds, folds alone, and hold-out.",
            mend="Write '5x2cv', '10x10', '10-fold' or 'holdout'.",
        )
    return check_resampling(
        Resampling(
            kind="holdout" if match.re is _HOLDOUT else "cv",
            replications=int(match[1] or 1),
            folds=1 if match.re is _HOLDOUT else int(match[2]),
            test=aside,
            holdout=out,
            stratified=stratified,
        )
    )


def _share(option: str, value: float | str) -> float:
    try:
        return float(Fraction(value)) if isinstance(value, str) else float(value)
    except (TypeError, ValueError, ZeroDivisionError):
        raise OptionError(
            f"{option} is {value!r}.", why="A share of the rows is needed.", mend=f"Use {option}=1/3."
        ) from None


def check_resampling(resampling: Resampling) -> Resampling:
    """Return a resampling that means something; anything else is refused."""
    if resampling.kind not in ("cv", "holdout"):
        raise OptionError(
            f"kind is {resampling.kind!r}.", why="Known are 'cv' and 'holdout'.", mend="Use kind='cv', folds=2."
        )
    least = {"replications": 1, "folds": 2 if resampling.kind == "cv" else 1}
    for option, low in least.items():
        value = getattr(resampling, option)
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise OptionError(
                f"{option} is {value!r}.",
                why=f"A whole number of {low} or more is needed.",
                mend="Write '5x2cv' for 5 replications of 2 folds.",
            )
    if resampling.replications * resampling.folds > MOST_CELLS:
        raise OptionError(
            f"{resampling.replications} replications of {resampling.folds} fold(s) are asked for.",
            why=f"Every algorithm would be fitted so often on every data set; at most {MOST_CELLS} times is allowed.",
            mend="Use fewer, such as '5x2cv' or '10x10'.",
        )
    if not 0 <= resampling.test < 1:
        raise OptionError(
            f"test is {resampling.test!r}.",
            why="It is the share of the rows that is kept apart, from 0 (none) to below 1.",
            mend="Use test=1/3.",
        )
    if resampling.kind == "holdout" and not 0 < resampling.holdout < 1:
        raise OptionError(
            f"holdout is {resampling.holdout!r}.",
            why="It is the share of the rest that is measured on, between 0 and 1.",
            mend="Use holdout=1/3.",
        )
    return resampling


def resampling_key(resampling: Resampling) -> str:
    """Return the canonical text of a resampling without its number of replications.

    Two resamplings with the same key have the same first replications, so a store keeps them together.

    Examples
    --------
    >>> resampling_key(Resampling(test=0.25)), resampling_key(Resampling(kind="holdout", test=0, holdout=0.5))
    ('cv|folds=2|test=0.25|stratified', 'holdout|share=0.5|test=0.0|stratified')
    """
    check_resampling(resampling)
    cut = f"folds={resampling.folds}" if resampling.kind == "cv" else f"share={float(resampling.holdout)!r}"
    chance = "stratified" if resampling.stratified else "unstratified"
    return f"{resampling.kind}|{cut}|test={float(resampling.test)!r}|{chance}"


def cells_of(resampling: Resampling) -> list[tuple[int, int]]:
    """Return the (replication, fold) pairs, both counted from 1, in the order in which `split` lists its folds.

    Examples
    --------
    >>> cells_of(Resampling(replications=2))
    [(1, 1), (1, 2), (2, 1), (2, 2)]
    """
    check_resampling(resampling)
    folds = resampling.folds if resampling.kind == "cv" else 1
    return [(r, f) for r in range(1, resampling.replications + 1) for f in range(1, folds + 1)]
