"""Votes to test with: a small table of counts, and simulated ones that hang together."""

from __future__ import annotations

from typing import Any

import numpy as np

TABLE = [
    ("a", "b", 7, 3, 2),
    ("a", "c", 5, 4, 1),
    ("a", "d", 6, 1, 3),
    ("b", "c", 4, 4, 4),
    ("b", "d", 5, 2, 0),
    ("c", "d", 3, 3, 2),
]
"""Two that met, wins of the first, wins of the second, ties."""


def rows_of(table: list[tuple[str, str, int, int, int]], ties: bool = True) -> list[dict[str, Any]]:
    """Write a table of counts as votes, each on a prompt of its own."""
    out = []
    for x, y, won, lost, tied in table:
        ended = ["left"] * won + ["right"] * lost + ["tie"] * (tied if ties else 0)
        out += [{"left": x, "right": y, "winner": item} for item in ended]
    return [{**row, "prompt": i} for i, row in enumerate(out)]


def drawn(
    rng: np.random.Generator, *, k: int, prompts: int, voters: int, n: int, by_prompt: float, by_voter: float
) -> list[np.ndarray[Any, Any]]:
    """Draw votes of Davidson's model between equals, with tastes of prompts and voters: left, right, outcome, both."""
    a, b = rng.normal(0, by_prompt, (prompts, k)), rng.normal(0, by_voter, (voters, k))
    prompt, voter = rng.integers(0, prompts, n), rng.integers(0, voters, n)
    left = rng.integers(0, k, n)
    right = (left + rng.integers(1, k, n)) % k
    d = a[prompt, left] - a[prompt, right] + b[voter, left] - b[voter, right]
    odds = np.exp(np.stack([d / 2, -d / 2, np.full(n, np.log(0.7))], axis=1))
    u = rng.random(n) * odds.sum(axis=1)
    outcome = np.where(u < odds[:, 0], 1, np.where(u < odds[:, :2].sum(axis=1), -1, 0))
    return [left, right, outcome, prompt, voter]
