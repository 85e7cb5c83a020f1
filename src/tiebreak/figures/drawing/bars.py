"""Bars of groups: which to draw, how they are broken over non-members, and in which row each stands."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from tiebreak.caveats import Caveat, Caveats

MOST_BARS = 40
"""Beyond these, only as many groups are drawn as are needed to join every pair without a significant difference."""
MOST_DRAWN = 80


def drawn_groups(groups: Sequence[Sequence[int]]) -> tuple[tuple[tuple[int, ...], ...], Caveats]:
    """Choose the groups to draw, of two members or more, and say in a caveat what was left out.

    Examples
    --------
    >>> drawn_groups([[0, 1], [2]])
    (((0, 1),), ())
    """
    several = [tuple(sorted(group)) for group in groups if len(group) > 1]
    chosen, complete = _cover(several) if len(several) > MOST_BARS else (several, True)
    left = len(several) - len(chosen)
    if not left:
        return tuple(several), ()
    if complete:
        text = ": the other bars join all of their pairs already."
    else:
        lost = "some pairs without a common bar do not differ significantly either"
        text = f", so that {lost}; the pairwise matrix shows every pair."
    note = Caveat("not-drawn", f"{left} of {len(several)} groups are not drawn{text}")
    return tuple(sorted(chosen)), (note,)


def _cover(groups: list[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], bool]:
    """Choose groups, the one with most new pairs first, until every pair is in one.

    What a group adds only shrinks as others are chosen, so it is counted anew only when it comes to the top of the
    heap; of thousands of groups most are counted once. Members are sets of bits, and a pair is there from both sides.
    """
    masks = {group: sum(1 << i for i in group) for group in groups}
    missing: dict[int, int] = {}
    for group, mask in masks.items():
        for i in group:
            missing[i] = (missing.get(i, 0) | mask) & ~(1 << i)
    heap = [(-len(group) * (len(group) - 1), group) for group in groups]
    heapify(heap)
    chosen: list[tuple[int, ...]] = []
    while any(missing.values()) and len(chosen) < MOST_DRAWN:
        hoped, group = heappop(heap)
        added = sum((missing[i] & masks[group]).bit_count() for i in group)
        if added < -hoped:
            heappush(heap, (-added, group))
            continue
        for i in group:
            missing[i] &= ~masks[group]
        chosen.append(group)
    return chosen, not any(missing.values())


def runs(group: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last member of each run of neighbours.

    Examples
    --------
    >>> runs([0, 1, 2, 5, 6, 9])
    [(0, 2), (5, 6), (9, 9)]
    """
    out: list[tuple[int, int]] = []
    for member in group:
        if out and member == out[-1][1] + 1:
            out[-1] = (out[-1][0], member)
        else:
            out.append((member, member))
    return out


def bar_rows(groups: Sequence[Sequence[int]]) -> list[int]:
    """Give each group a row such that bars in one row do not meet; no assignment has fewer rows.

    Examples
    --------
    >>> bar_rows([[0, 3], [2, 5], [4, 7]])
    [0, 1, 0]
    """
    ends: list[int] = []
    rows = [0] * len(groups)
    for number in sorted(range(len(groups)), key=lambda n: (groups[n][0], groups[n][-1])):
        first, last = groups[number][0], groups[number][-1]
        row = next((r for r, end in enumerate(ends) if end < first), len(ends))
        if row == len(ends):
            ends.append(last)
        ends[row] = last
        rows[number] = row
    return rows


def set_apart(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move sorted places apart by at least `gap`, as little as possible in squares, and keep them between limits.

    Examples
    --------
    >>> set_apart([0.0, 10.0, 10.0, 30.0], 4.0, 0.0, 40.0)
    [0.0, 8.0, 12.0, 30.0]
    """
    # pool adjacent violators: where two blocks would meet they become one at their common mean
    step = min(gap, (high - low) / max(len(places) - 1, 1))
    blocks: list[tuple[float, int]] = []
    for i, place in enumerate(places):
        blocks.append((place - i * step, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (b, n), (a, m) = blocks.pop(), blocks.pop()
            blocks.append(((a * m + b * n) / (m + n), m + n))
    flat = [mean for mean, count in blocks for _ in range(count)]
    last = (len(places) - 1) * step
    return [min(max(value, low), high - last) + i * step for i, value in enumerate(flat)]


def letter_ranges(groups: Sequence[Sequence[int]], count: int) -> tuple[str, ...]:
    """Mark every member by the letters of its groups, in ranges; those that share a letter do not differ significantly.

    Groups are lettered in their order: a to z, then aa, ab, and so on.

    Examples
    --------
    >>> letter_ranges([[0, 1], [1, 2], [1, 3]], 4), letter_ranges([[0, 1], [1], [1, 0]], 2)
    (('a', 'a–c', 'b', 'c'), ('a c', 'a–c'))
    """
    mine: list[list[int]] = [[] for _ in range(count)]
    for number, group in enumerate(groups):
        for i in group:
            mine[i].append(number)
    return tuple(" ".join(_range(a, b) for a, b in runs(numbers)) for numbers in mine)


def _range(first: int, last: int) -> str:
    a, b = _letter(first), _letter(last)
    if first == last:
        return a
    return f"{a} {b}" if last == first + 1 else f"{a}\N{EN DASH}{b}"


def _letter(number: int) -> str:
    word = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        word = chr(ord("a") + rest) + word
    return word
