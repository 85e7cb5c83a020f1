"""What the tests of logs look at: one line for every model and benchmark."""

from __future__ import annotations

import numpy as np

from tiebreak.results import Results


def rows(results: Results) -> list[tuple[str, str, float, int | None]]:
    """Return benchmark, model, mean over items of the mean over epochs, and how many items there are."""
    score = results.values[results.scores[0]]
    codes = results.codes
    out = []
    for d, dataset in enumerate(results.datasets):
        for a, algorithm in enumerate(results.algorithms):
            here = (codes["dataset"] == d) & (codes["algorithm"] == a)
            if not here.any():
                continue
            items = [score[here & (codes["fold"] == item)].mean() for item in np.unique(codes["fold"][here])]
            n = len(items) if results.unit == "item" else None
            n = int(results.values["n"][here][0]) if results.unit == "total" else n
            out.append((dataset, algorithm, round(float(np.mean(items)), 6), n))
    return out


def column(results: Results, name: str | None = None) -> list[float]:
    """Return a column, by default the score, as it stands in the table."""
    return results.values[name or results.scores[0]].tolist()


def codes(results: Results) -> list[str]:
    return [caveat.code for caveat in results.caveats]


def clusters(results: Results) -> tuple[str, ...]:
    """Return the names of the clusters."""
    return () if results.clusters is None else results.clusters.names
