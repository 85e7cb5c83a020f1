"""Bars of groups: how they are broken over non-members, and in which row each stands."""

from __future__ import annotations

from collections.abc import Sequence


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
