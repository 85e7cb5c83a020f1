"""Algorithms, and their pairs, in the order best first; and groups without a significant difference."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, readonly
from tiebreak.comparison.groups import maximal_cliques
from tiebreak.stats import PairwiseResult
from tiebreak.stats.numeric.ranks import snap


def best_first(locations: FloatArray, names: tuple[str, ...]) -> list[int]:
    """Order by location; equal ones by name."""
    settled = snap(locations)
    return sorted(range(len(names)), key=lambda i: (settled[i], names[i]))


def reordered(tests: PairwiseResult, order: list[int], *, control: bool) -> PairwiseResult:
    """Put algorithms, and the pairs with them, into the order best first; a control stays the first of its pairs."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    a, b = place[tests.a], place[tests.b]
    swap = (a > b) & (not control)
    sequence = np.lexsort((np.where(swap, a, b), np.where(swap, b, a)))
    moved: dict[str, Any] = {"a": np.where(swap, b, a), "b": np.where(swap, a, b)}
    for name in (each.name for each in fields(tests) if each.name not in ("a", "b", "positions")):
        if isinstance(value := getattr(tests, name), np.ndarray):  # every test brings its own numbers of each pair
            turned = -value if name in _SIGNED else getattr(tests, _MIRRORED.get(name, name))
            moved[name] = np.where(swap, turned, value) + (0.0 if name in _SIGNED else False)  # no minus zero
    ordered: dict[str, Any] = {name: readonly(array[sequence]) for name, array in moved.items()}
    return replace(
        tests,
        **ordered,
        positions=None if tests.positions is None else readonly(tests.positions[order]),
        algorithms=tuple(tests.algorithms[i] for i in order),
    )


_SIGNED = ("statistic", "mean_difference")
_MIRRORED = {"wins_a": "wins_b", "wins_b": "wins_a", "r_plus": "r_minus", "r_minus": "r_plus"}
"""Numbers of a pair that change their sign, or trade places, where its two change places."""


def groups_of(
    tests: PairwiseResult, significant: BoolArray, control: str | None
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Against a control there is one group, those without a significant difference; the others were never compared."""
    names = tests.algorithms
    if control is not None:
        different = {names[b] for b in tests.b[significant]}
        return (tuple(name for name in names if name not in different),), True
    alike = np.ones((len(names), len(names)), dtype=bool)
    a, b = tests.a[significant], tests.b[significant]
    alike[a, b] = alike[b, a] = False
    cliques, complete = maximal_cliques(alike)
    return tuple(tuple(names[i] for i in clique) for clique in cliques), complete
