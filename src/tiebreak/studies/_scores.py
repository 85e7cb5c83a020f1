"""Simulated tables of scores: what is true of the algorithms, and the noise around it."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray

Draw = Callable[[np.random.Generator, tuple[int, ...]], FloatArray]

NOISES: MappingProxyType[str, Draw] = MappingProxyType(
    {
        "normal": lambda rng, shape: rng.standard_normal(shape),
        "skewed": lambda rng, shape: rng.standard_exponential(shape) - 1.0,
        "heavy": lambda rng, shape: rng.standard_t(3, shape) / np.sqrt(3.0),
        "tied": lambda rng, shape: rng.standard_normal(shape),
        "unequal": lambda rng, shape: rng.standard_normal(shape) * _spread(shape[-1]),
        "crowd": lambda rng, shape: _aside(rng, shape) + rng.standard_normal(shape),
        "0/1": lambda rng, shape: rng.standard_normal((*shape[:-1], 1)) + rng.standard_normal(shape),
    }
)
"""Noise by name; the standard deviation is 1, but for the first two algorithms of "unequal" and "crowd".

A new one is appended: its random numbers then leave those of the others as they are. In "crowd" the first two
algorithms lie on either side of all others, which of them above being tossed up on every data set. In "0/1" items are
hard or easy for all alike.
"""

FIRST_NOISES = tuple(NOISES)[:5]
"""Those whose streams of random numbers come before the streams of everything that was added later."""

TRUTHS = ("null", "partial", "different")
"""All algorithms equal; the first half of them equal; no two equal."""

WIDE = 3.0
"""Standard deviation of the first two algorithms under the noise "unequal"."""

ASIDE = 4.0
"""How far from the others the first two algorithms lie under the noise "crowd"."""

HARD = 1.0
"""An item of a 0/1 table is got wrong, which scores 1, where effect and noise together exceed this."""

FARTHEST = {"null": 0.0, "partial": 1.5, "different": 0.75}
"""How far the worst algorithm lies from the best, in standard deviations of the noise."""


def true_effects(truth: str, count: int) -> FloatArray:
    """Return the expected score of each algorithm.

    Examples
    --------
    >>> true_effects("partial", 6), true_effects("different", 4)
    (array([0. , 0. , 0. , 0.5, 1. , 1.5]), array([0.  , 0.25, 0.5 , 0.75]))
    """
    equal = max(2, count // 2) if truth == "partial" else 1
    return np.concatenate([np.zeros(equal - 1), np.linspace(0.0, FARTHEST[truth], count - equal + 1)])


def draw_tables(noise: str, truth: str, shape: tuple[int, int, int], rng: np.random.Generator) -> FloatArray:
    """Draw scores, (repetitions, data sets, algorithms)."""
    return with_noise(noise, true_effects(truth, shape[-1]), shape, rng)


def with_noise(noise: str, effects: FloatArray, shape: tuple[int, int, int], rng: np.random.Generator) -> FloatArray:
    """Draw scores about the effects of the algorithms, (repetitions, data sets, algorithms); lower is better."""
    tables = effects + NOISES[noise](rng, shape)
    if noise == "0/1":
        return np.asarray(tables > HARD).astype(np.float64)
    return np.rint(tables) if noise == "tied" else np.asarray(tables)


def with_gaps(tables: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Take one score, whichever, away from about every second data set."""
    repetitions, n_datasets, count = tables.shape
    lost = np.floor(rng.random((repetitions, n_datasets, 1)) * 2 * count)  # count and above: none
    return np.where(np.arange(count) == lost, np.nan, tables)


def real_differences(truth: str, a: IntArray, b: IntArray, count: int) -> BoolArray:
    """Say for each pair whether the two algorithms differ."""
    effects = true_effects(truth, count)
    return np.asarray(effects[a] != effects[b])


def _spread(count: int) -> FloatArray:
    """Two wide algorithms, not one: their difference is then wider than that of any other pair."""
    return np.where(np.arange(count) < 2, WIDE, 1.0)


def _aside(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """One of the first two above the crowd and the other below it: both are equally good, and so is everybody."""
    side = np.where(rng.random((*shape[:-1], 1)) < 0.5, ASIDE, -ASIDE)
    return np.asarray(side * np.array([1.0, -1.0, *np.zeros(shape[-1] - 2)]))
