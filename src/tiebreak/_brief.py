"""Records that say in a line what they hold, whatever the size of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

MOST_SAID = 1000
"""The characters of a `repr` at the most."""
_MOST_OF_VALUE = 80
_MOST_LISTED = 6
_KIND = "frame_kind"


class Brief:
    """Says in a line what it holds: arrays by their shape, long lists by their length."""

    __slots__ = ()

    def __repr__(self) -> str:
        return shortened(f"{type(self).__name__}({', '.join(f'{k}={_said(v)}' for k, v in held(self).items())})")


def held(record: Any) -> dict[str, Any]:
    """Return what a record holds, by name, without the kind of frame and without what is its own business."""
    names = (field.name for field in fields(record) if field.name != _KIND and not field.name.startswith("_"))
    return {name: getattr(record, name) for name in names}


def shortened(text: str, most: int = MOST_SAID) -> str:
    """Cut a text in the middle where it is too long for a line or a few; its end often closes a bracket.

    Examples
    --------
    >>> shortened("<Ordering: " + "a > " * 20 + "b>", 40)
    '<Ordering: a > a > a > a ... a > a > b>'
    """
    if len(text) <= most:
        return text
    tail = most // 4
    return f"{text[: most - tail - 5].rstrip()} ... {text[-tail:].lstrip()}"


def _said(value: Any) -> str:
    """Say one value shortly."""
    shape = getattr(value, "shape", None)
    if shape:
        return f"<array {' x '.join(map(str, shape))}>"
    if callable(value):
        return f"<{getattr(value, '__name__', type(value).__name__)}>"
    arrays = isinstance(value, (tuple, list)) and any(getattr(item, "shape", None) for item in value)
    several = isinstance(value, (tuple, list, Mapping))
    if arrays or (several and (len(value) > _MOST_LISTED or len(repr(value)) > _MOST_OF_VALUE)):
        return f"<{len(value)} value{'s' * (len(value) != 1)}>"
    return shortened(repr(value), _MOST_OF_VALUE)
