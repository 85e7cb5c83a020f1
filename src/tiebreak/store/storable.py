"""Text, numbers and JSON as every database can keep them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np

from tiebreak.errors import InputError
from tiebreak.store.records import COLUMNS

_LONGEST_REASON = 4000


def now() -> str:
    """Return the time in UTC, as text."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def clean(text: str) -> str:
    r"""Replace what a database cannot keep (NUL, half characters); cut what is too long for a reason.

    Examples
    --------
    >>> clean("bad\x00byte")
    'bad\ufffdbyte'
    """
    whole = str(text).replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    return whole if len(whole) <= _LONGEST_REASON else f"{whole[:_LONGEST_REASON]} ..."


def check_name(kind: str, name: str) -> str:
    """Return a name that is text, not empty, and can be stored as it is."""
    if not isinstance(name, str) or not name or clean(name) != name:
        raise InputError(
            f"A {kind} cannot be stored as {name!r}.",
            why="Results are identified by it, so it must be text that every database keeps unchanged.",
            mend="Use a name of letters, digits and signs, at most 4000 of them.",
        )
    return name


def check_measures(names: Iterable[str]) -> None:
    """Refuse the names of measures that an exported table has other columns for."""
    for name in names:
        check_name("measure", name)
        if name in COLUMNS:
            raise InputError(
                f"A measure cannot be named {name!r}.",
                why="An exported table has a column of that name already.",
                mend="Rename it.",
            )


def to_json(value: Mapping[str, object], what: str) -> str:
    """Write JSON; numbers that are not finite become null, arrays become lists.

    Examples
    --------
    >>> to_json({"confusion": np.eye(2, dtype=int), "auc": float("nan")}, "details")
    '{"confusion": [[1, 0], [0, 1]], "auc": null}'
    """
    try:
        return json.dumps(_plain(value), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"{what} cannot be written as JSON: {error}.",
            why="A store keeps text and numbers only, so that reading it never runs a program.",
            mend="Use dictionaries, lists, text, numbers, true, false and None.",
        ) from None


def _plain(value: Any) -> Any:
    """NaN and infinity are not JSON, although Python writes them: other programs would refuse the text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def from_json(text: str) -> dict[str, Any]:
    """Read what `to_json` wrote."""
    found = json.loads(text) if text else {}
    return found if isinstance(found, dict) else {}


def split_finite(values: Mapping[str, float]) -> tuple[dict[str, float], dict[str, str]]:
    """Part the finite numbers from the others; the latter as text. Minus zero becomes zero, as in SQLite.

    Examples
    --------
    >>> split_finite({"error": 0.25, "log_loss": float("inf")})
    ({'error': 0.25}, {'log_loss': 'inf'})
    """
    numbers = {name: float(value) + 0.0 for name, value in values.items() if value is not None}
    finite = {name: value for name, value in numbers.items() if math.isfinite(value)}
    return finite, {name: str(value) for name, value in numbers.items() if name not in finite}
