"""What accuracy is worth in time: AccD as a sentence, and back."""

from __future__ import annotations

import re
from math import log10

from tiebreak.errors import OptionError

_WORDS = {"twice": 2.0, "two": 2.0, "five": 5.0, "ten": 10.0, "hundred": 100.0, "a hundred": 100.0, "thousand": 1000.0}
_SENTENCE = re.compile(
    r"(?<![\d.,-])(\d+(?:\.\d+)?)\s*(?:%|per ?cent)[^0-9]*?\bfor\b\s*(?:an?\s+)?"
    r"(?:(\d+(?:\.\d+)?)(?![.,]?\d)(?=$|\W|x\b|-?fold\b)|([a-z]+?)(?:-?fold)?\b)",
    re.I,
)


def check_accd(accd: float) -> float:
    """Return AccD as a float, zero or more."""
    try:
        value = float(accd)
    except (TypeError, ValueError):
        value = float("nan")
    if not 0.0 <= value < float("inf"):
        raise OptionError(
            f"accd is {accd!r}.",
            why="It is the share of accuracy that you give up for ten times the speed, zero or more.",
            mend="Use accd=0.01 to give up 1 % of accuracy, accd=0 to ignore time.",
        )
    return value


def accd_from(sentence: str | None = None, *, percent: float | None = None, speed_up: float = 10.0) -> float:
    """Turn "I give up 1 % accuracy for ten times the speed" into AccD.

    Formula: AccD = (percent / 100) / log10(speed_up). The per cent are of the success rate itself (relative): at
    AccD = 0.01 an algorithm that is ten times slower must succeed 1.01 times as often to be as good.

    Parameters
    ----------
    sentence : str, optional
        With a number of per cent and, after "for", a number of times: "2 % for 5 times the speed", "5% for 10x".
    percent, speed_up : float
        The same two numbers, instead of the sentence.

    Returns
    -------
    float

    References
    ----------
    Brazdil, P., Soares, C. and da Costa, J. P. (2003). doi:10.1023/A:1021713901879

    Examples
    --------
    >>> accd_from("I give up 1 % accuracy for ten times the speed")
    0.01
    >>> accd_from("5% for 10x")
    0.05
    >>> accd_from(percent=10, speed_up=100)
    0.05
    """
    if sentence is not None:
        percent, speed_up = _read(sentence)
    if percent is None or not 0 <= percent < float("inf") or not 1 < speed_up < float("inf"):
        raise OptionError(
            f"percent is {percent!r} and speed_up is {speed_up!r}.",
            why="AccD is the accuracy given up for a speed-up: per cent of zero or more, times of more than 1.",
            mend="Use accd_from(percent=1, speed_up=10) or accd_from('1 % for ten times the speed').",
        )
    return check_accd(percent / 100 / log10(speed_up))


def accd_sentence(accd: float) -> str:
    """Say what a value of AccD means.

    Examples
    --------
    >>> accd_sentence(0.01)
    'I give up 1 % of accuracy for ten times the speed'
    >>> accd_sentence(0)
    'I give up no accuracy for speed'
    """
    value = check_accd(accd)
    if value == 0:
        return "I give up no accuracy for speed"
    return f"I give up {100 * value:.6g} % of accuracy for ten times the speed"


def power_from(accd: float) -> float:
    """Return the power P with which A3R charges a tenfold time as ARR does: 10^P = 1 + AccD.

    Examples
    --------
    >>> round(power_from(0.1), 4)
    0.0414
    """
    return log10(1.0 + check_accd(accd))


def _read(sentence: str) -> tuple[float, float]:
    found = _SENTENCE.search(str(sentence))
    times = (found.group(2) or found.group(3)).lower() if found else ""
    if found is None or not (times[0].isdigit() or times in _WORDS):
        raise OptionError(
            f"The sentence {sentence!r} does not say how much accuracy is given up for how many times the speed.",
            why="Both numbers are needed.",
            mend="Write '1 % for ten times the speed', or pass accd=0.01.",
        )
    return float(found.group(1)), _WORDS[times] if times in _WORDS else float(times)
