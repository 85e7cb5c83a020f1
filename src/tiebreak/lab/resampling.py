"""Resampling by name: what "5x2cv", "10-fold" or "holdout" mean, and the key under which a store keeps them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tiebreak.errors import OptionError

_CROSS = re.compile(r"(?:(\d{1,9})\s*x\s*)?(\d{1,9})\s*[- ]?\s*(?:(?:fold)?\s*(?:cv)?)")
_HOLDOUT = re.compile(r"(?:(\d{1,9})\s*x\s*)?hold-?out")

MOST_CELLS = 100_000
"""The most folds, over all replications, of one data set: more is a slip of the finger, and would fill the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How a data set is split: `replications` x `folds`, after `test` of the rows were set aside.

    `kind` is "cv" (r x k-fold; 5x2cv is the default) or "holdout" (`holdout` of the rows, `replications` times).
    """

    kind: Literal["cv", "holdout"] = "cv"
    replications: int = 5
    folds: int = 2
    test: float = 1 / 3
    holdout: float = 1 / 3
    stratified: bool = True


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
    """Text may be a fraction: "1/3" says what 0.3333 only comes near."""
    try:
        if not isinstance(value, bool):
            return float(Fraction(value)) if isinstance(value, str) else float(value)
    except (TypeError, ValueError, ZeroDivisionError):
        pass
    raise OptionError(f"{option} is {value!r}.", why="A share of the rows is needed.", mend="Use 1/3.")


def check_resampling(resampling: Resampling) -> Resampling:
    """Return a resampling that means something; anything else is refused."""
    cv, written = resampling.kind == "cv", "Write '5x2cv' for 5 replications of 2 folds."
    whole = "A whole number of {} or more is needed."
    aside = "It is the share of the rows that is kept apart, from 0 (none) to below 1."
    out = "It is the share of the rest that is measured on, between 0 and 1."
    for option, good, why, mend in (
        ("kind", resampling.kind in ("cv", "holdout"), "Known are 'cv' and 'holdout'.", "Use kind='cv', folds=2."),
        ("replications", _is_whole(resampling.replications, 1), whole.format(1), written),
        ("folds", _is_whole(resampling.folds, 1 + cv), whole.format(1 + cv), written),
        ("test", 0 <= resampling.test < 1, aside, "Use 1/3."),
        ("holdout", cv or 0 < resampling.holdout < 1, out, "Use 1/3."),
    ):
        if not good:
            raise OptionError(f"{option} is {getattr(resampling, option)!r}.", why=why, mend=mend)
    if resampling.replications * resampling.folds > MOST_CELLS:
        raise OptionError(
            f"{resampling.replications} replications of {resampling.folds} fold(s) are asked for.",
            why=f"Every algorithm would be fitted so often on every data set; at most {MOST_CELLS} times is allowed.",
            mend="Use fewer, such as '5x2cv' or '10x10'.",
        )
    return resampling


def _is_whole(value: object, low: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= low


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
