"""A trial: what trying one algorithm means, and so what it costs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tiebreak._brief import Brief
from tiebreak.errors import OptionError
from tiebreak.wording import option

_FOLDS = re.compile(r"(?:(\d+)\s*x\s*)?(\d+)\s*-?\s*(?:folds?|cv)")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Trial(Brief):
    """One algorithm tried once: so many fits, each trained on a share of the rows.

    Examples
    --------
    >>> str(trial_from("5-fold")), trial_from("5x2cv").fits, trial_from("fit").share
    ('5-fold cross-validation', 10, 1.0)
    """

    name: str
    fits: int
    share: float

    def __str__(self) -> str:
        return self.name


def trial_from(given: Trial | str | int) -> Trial:
    """Return a trial from what names one: "5-fold", "5x2cv", the number of folds, or "fit" for a single fit.

    Examples
    --------
    >>> trial_from("10-fold")
    Trial(name='10-fold cross-validation', fits=10, share=0.9)
    >>> trial_from(3).fits
    3
    """
    if isinstance(given, Trial):
        return given
    text = f"{given}-fold" if isinstance(given, int) and not isinstance(given, bool) else str(given).strip().lower()
    if text in ("fit", "1-fold", "1"):
        return Trial(name="one fit on all rows", fits=1, share=1.0)
    found = _FOLDS.fullmatch(f"{text}-fold" if text.isdigit() else text)
    times, folds = (int(found[1] or 1), int(found[2])) if found else (0, 0)
    if times < 1 or folds < 2:
        raise OptionError(
            f"{option('trial')} is {given!r}.",
            why="A trial is a resampling of one algorithm, and its fits are what it costs.",
            mend=f"Use {option(trial='5-fold')}, 10-fold, 5x2cv, or fit for a single fit on all rows.",
        )
    name = f"{folds}-fold cross-validation" if times == 1 else f"{times}x{folds} cross-validation"
    return Trial(name=name, fits=times * folds, share=(folds - 1) / folds)
