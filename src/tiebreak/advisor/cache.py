"""What many questions about one base share, held in this process while there is room."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from tiebreak.advisor.knowledge import Knowledge

MOST_BYTES = 16_000_000
"""So much is held in all; what was not used for longest goes first."""
MOST = 2000
"""So many at the most, however small they are."""
_HELD: OrderedDict[tuple[object, ...], Any] = OrderedDict()
_Found = TypeVar("_Found")


def held(key: tuple[object, ...], make: Callable[[], _Found]) -> _Found:
    """Return what was made before under the same key, or make it; nobody can write to an array that is held.

    Examples
    --------
    >>> once = held(("an example",), lambda: np.array([0.5]))
    >>> held(("an example",), lambda: np.array([0.7]))
    array([0.5])
    """
    if key not in _HELD:
        result = make()
        if _size(result) > MOST_BYTES // 4:  # of a base so large, this is the smaller part of the work
            return result
        for item in result.values() if isinstance(result, Mapping) else [result]:
            if isinstance(item, np.ndarray):
                item.flags.writeable = False
        _HELD[key] = result
        while len(_HELD) > MOST or sum(map(_size, _HELD.values())) > MOST_BYTES:
            _HELD.popitem(last=False)
        return result
    _HELD.move_to_end(key)
    again: _Found = _HELD[key]
    return again


def _size(result: object) -> int:
    if isinstance(result, Mapping):
        return sum(map(_size, result.values()))
    return result.nbytes if isinstance(result, np.ndarray) else 0


def mark_of(known: Knowledge) -> str:
    """Return what tells a base from others: a digest of all that judgements depend on."""
    digest = hashlib.blake2b(repr((known.algorithms, known.datasets, known.origins, known.meta.measures)).encode())
    for array in (known.accuracy, known.time, known.meta.matrix):
        digest.update(repr(None if array is None else array.shape).encode())
        digest.update(b"" if array is None else np.ascontiguousarray(array, dtype=np.float64).tobytes())
    return digest.hexdigest()
