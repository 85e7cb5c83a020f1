"""How long tests of all pairs of models on many items take, and how much memory: processor seconds of one core.

    python benchmarks/items.py [--models 20] [--items 100000]

Answers are generated: right or wrong and graded, alone, in clusters of twenty, and in clusters of five benchmarks. Then
the way of a file: read from csv, compared, ordered. Other work on the machine hardly lengthens processor seconds.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tiebreak as tb
from tiebreak import stats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--items", type=int, default=100_000)
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    right = _answers(rng, args.items, args.models)
    graded = 0.5 * right + 0.5 * rng.random(right.shape)
    clusters = np.arange(args.items) // 20
    print(f"{args.models} models on {args.items:,} items, all {args.models * (args.models - 1) // 2} pairs")
    for name, scores, more in (
        ("right or wrong", right, {}),
        ("right or wrong, in clusters", right, {"clusters": clusters}),
        ("graded", graded, {}),
        ("graded, in clusters", graded, {"clusters": clusters}),
        ("graded, in clusters of 5 benchmarks", graded, {"clusters": clusters, "strata": clusters % 5}),
    ):
        _timed(name, lambda s=scores, m=more: stats.item_pairs(s, adjust="shaffer", **m))
    with tempfile.TemporaryDirectory() as folder:
        file = _csv(Path(folder), right, clusters)
        results = _timed(f"csv of {file.stat().st_size / 1e6:.0f} MB read", lambda: tb.read(file))
    _timed("compared, from that table", lambda: tb.compare(results, score="accuracy"))
    _timed("ordered by price, from that table", lambda: tb.order(results, score="accuracy", cost="price"))
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _answers(rng: np.random.Generator, items: int, models: int) -> np.ndarray:
    """Draw right and wrong by how hard an item is and how good a model."""
    hard = rng.random((items, 1))
    return (0.6 * hard + 0.4 * rng.random((items, models)) < np.linspace(0.5, 0.8, models)).astype(float)


def _csv(folder: Path, right: np.ndarray, clusters: np.ndarray) -> Path:
    import polars as pl

    items, models = right.shape
    columns = {
        "item": np.tile([f"q{i}" for i in range(items)], models),
        "model": np.repeat([f"model {j:02d}" for j in range(models)], items),
        "cluster": np.tile([f"document {c}" for c in clusters], models),
        "accuracy": right.T.ravel().astype(int),
        "price": np.repeat(np.linspace(1.0, 9.0, models), items),
    }
    pl.DataFrame(columns).write_csv(folder / "items.csv")
    return folder / "items.csv"


def _timed(name: str, act: Callable[[], Any]) -> Any:
    began = time.process_time()
    result = act()
    print(f"{name}: {time.process_time() - began:.2f} s")
    return result


if __name__ == "__main__":
    main()
