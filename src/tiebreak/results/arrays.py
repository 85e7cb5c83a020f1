"""The arrays a table holds: named, read-only, and averaged over folds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum

import numpy as np
import numpy.typing as npt

from tiebreak._checks import AnyArray, FloatArray, IntArray, readonly


class Arrays(Mapping[str, AnyArray]):
    """Arrays by name; none can be replaced, written to or made writable.

    Examples
    --------
    >>> held = Arrays({"error": np.array([0.1, 0.2])})
    >>> held["error"].flags.writeable
    False
    """

    __slots__ = ("_arrays",)

    def __init__(self, arrays: Mapping[str, AnyArray]) -> None:
        self._arrays = {name: readonly(array).view() for name, array in arrays.items()}

    def __getitem__(self, name: str) -> AnyArray:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"Arrays({self._arrays!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Arrays, (self._arrays,)


def fold_means(values: FloatArray, starts: IntArray, counts: IntArray, *, partial: bool) -> FloatArray:
    """Average runs of values: the i-th starts at `starts[i]` and is `counts[i]` long; NaN for an empty one.

    The sum carries its rounding error along (two-sum). NaN is left out if `partial`, and makes the mean NaN otherwise.

    Examples
    --------
    >>> fold_means(np.array([1.0, 3.0, np.nan]), np.array([0, 2]), np.array([2, 1]), partial=True)
    array([ 2., nan])
    """
    if counts.max(initial=0) > max(_LONG, len(counts)):
        return _long_means(values, starts, counts, partial=partial)
    total, lost, seen = np.zeros(len(counts)), np.zeros(len(counts)), np.zeros(len(counts))
    even = counts.size > 0 and bool((counts == counts[0]).all())
    for position in range(int(counts.max(initial=0))):
        cells = slice(None) if even else np.flatnonzero(counts > position)
        added = values[position :: counts[0]] if even else values[starts[cells] + position]
        there = ~np.isnan(added) if partial else np.True_
        added = np.where(there, added, 0.0) if partial else added
        before = total[cells]
        after = before + added
        shift = after - before
        lost[cells] += (before - (after - shift)) + (added - shift)
        total[cells] = after
        seen[cells] += there
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(seen > 0, (total + lost) / seen, np.nan)


_LONG = 1000
"""Longer runs, as items make them, are added up one by one: there are few of them."""
_HUGE = 1e150


def _long_means(values: FloatArray, starts: IntArray, counts: IntArray, *, partial: bool) -> FloatArray:
    """Average runs of values by a sum without any rounding."""
    out = np.full(len(counts), np.nan)
    for place, (start, count) in enumerate(zip(starts.tolist(), counts.tolist(), strict=True)):
        own = values[start : start + count]
        own = own[~np.isnan(own)] if partial else own
        if len(own):
            scale = float(len(own)) if np.abs(own).max() > _HUGE else 1.0  # the sum itself could overflow
            out[place] = fsum((own / scale).tolist()) / (len(own) / scale)
    return out


def present_mean(values: FloatArray) -> float:
    """Average the values that are there; NaN, without a warning, where none is."""
    there = values[~np.isnan(values)]
    return float(there.mean()) if there.size else float("nan")


def full_codes(roles: Sequence[str], sizes: Sequence[int]) -> dict[str, npt.NDArray[np.int32]]:
    """Codes of a table in which every cell is there, in canonical order."""
    total = inside = int(np.prod(sizes))
    out = {}
    for role, size in zip(roles, sizes, strict=True):
        codes, block = np.empty(total, dtype=np.int32), inside
        inside //= size
        codes[:block] = np.repeat(np.arange(size, dtype=np.int32), inside)
        while block < total:  # copies that double: far faster than np.tile where a block is short
            more = min(block, total - block)
            codes[block : block + more] = codes[:more]
            block += more
        out[role] = codes
    return out
