"""What logs write for scores and counts, as numbers."""

from __future__ import annotations

import math
import re
from hashlib import blake2b
from typing import Any

from tiebreak.readers.logs._logs import MISSING

LARGEST = 1e150
"""Numbers beyond this are no scores: the sum of their squares would overflow."""
_WORDS = {"c": 1.0, "correct": 1.0, "yes": 1.0, "true": 1.0, "pass": 1.0, "passed": 1.0, "p": 0.5, "partial": 0.5}
_WORDS |= dict.fromkeys(("i", "incorrect", "n", "noanswer", "no", "false", "fail", "failed"), 0.0)
"""Inspect's letters (correct, incorrect, partial, no answer) and words of the same meaning."""


def number_of(value: Any) -> float:
    """Return a number, NaN where something is none or is too large to be a score; true is 1.

    Examples
    --------
    >>> number_of(True), number_of("0.5"), number_of(None), number_of(10**400), number_of("high")
    (1.0, 0.5, nan, nan, nan)
    """
    if isinstance(value, (bool, int, float, str)):
        try:
            found = float(value)
        except (ValueError, OverflowError):
            return MISSING
        return found if math.isfinite(found) and abs(found) <= LARGEST else MISSING
    return MISSING


def score_of(value: Any) -> float:
    """Return a score that may be written as a letter or a word.

    Examples
    --------
    >>> score_of("C"), score_of("I"), score_of("P"), score_of("N"), score_of(0.25), score_of("A")
    (1.0, 0.0, 0.5, 0.0, 0.25, nan)
    """
    if isinstance(value, str):
        return _WORDS.get(value.strip().lower(), number_of(value))
    return number_of(value)


def amount_of(value: Any) -> float:
    """Return a count or a price, which is never negative; NaN where it is none."""
    found = number_of(value) if not isinstance(value, (bool, str)) else MISSING
    return found if found >= 0 else MISSING


def mapping_of(value: Any) -> dict[str, Any]:
    """Return a dictionary of a log, an empty one where something else stands there."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """Return a list of a log, an empty one where something else stands there."""
    return value if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """Return a name of a log as one line of text; empty where it is none."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return " ".join(value.split()) if isinstance(value, str) else ""


def digest_of(*parts: Any) -> str:
    """Return a short mark of a text, by which items of one name are told to be the same, and the same under two names.

    64 bits: among a hundred thousand texts two share a mark once in four billion tables.
    """
    return blake2b(repr(parts).encode(errors="replace"), digest_size=8).hexdigest()


def flat_settings(value: Any, *, leave: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the settings of a run as short texts; what is nested or long tells nobody anything in a name.

    How a run was sent off changes no answer, and what opens a door is nobody's business: neither becomes a name.

    Examples
    --------
    >>> flat_settings({"temperature": 0.5, "system": "x" * 99, "stop": None, "extra": {}})
    {'temperature': '0.5'}
    >>> flat_settings({"max_tokens": 10, "max_retries": 3, "api_key": "sk-1", "base_url": "http://x"})
    {'max_tokens': '10'}
    """
    told = {str(name): text_of(each) or str(each).lower() for name, each in mapping_of(value).items()
            if isinstance(each, (str, int, float, bool)) and name not in leave}  # fmt: skip
    return {
        name: text
        for name, text in told.items()
        if 0 < len(text) <= _LONGEST and not _OF_NO_ANSWER.search(name.lower())
    }


_LONGEST = 40
_OF_NO_ANSWER = re.compile(
    r"key|secret|password|credential|authorization|(?:^|_)token$|url|endpoint|header|timeout|retries|connections"
    r"|concurrent|batch|parallel_size|data_parallel|parallelize|memory_util|send_delay|^(?:device|cache|cache_prompt)$"
)
"""Settings that say where and how fast a run was made, or that must not be told."""
