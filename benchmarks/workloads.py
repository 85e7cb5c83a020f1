"""Seeded workloads, so that every tool is timed on the same numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def names(count: int) -> list[str]:
    """Names of realistic, uneven length."""
    base = [
        "C4.5",
        "1-NN",
        "NaiveBayes",
        "RandomForest",
        "SVM-RBF",
        "LogReg",
        "MLP",
        "GradientBoosting",
        "CN2",
        "Ripper",
    ]
    return [base[i] if i < len(base) else f"{base[i % len(base)]}-v{i // len(base) + 1}" for i in range(count)]


def scores(datasets: int, algorithms: int, seed: int = 0) -> np.ndarray:
    """Accuracies with four decimals: difficulty of the data set + quality of the algorithm + noise; ties occur."""
    rng = np.random.default_rng([seed, datasets, algorithms])
    difficulty = 0.45 + 0.5 * rng.beta(5, 2, size=(datasets, 1))
    quality = rng.normal(0, 0.02, size=(1, algorithms))
    noise = rng.normal(0, 0.03, size=(datasets, algorithms))
    return np.round(np.clip(difficulty + quality + noise, 0, 1), 4)


def scores_csv(folder: Path, datasets: int, algorithms: int) -> Path:
    """Write a wide csv and return its path."""
    path = folder / f"scores_{datasets}x{algorithms}.csv"
    rows = [",".join(["dataset", *names(algorithms)])]
    rows += [f"data{i:04d}," + ",".join(map(str, row)) for i, row in enumerate(scores(datasets, algorithms).tolist())]
    path.write_text("\n".join(rows) + "\n")
    return path


def big_parquet(folder: Path, datasets: int = 1000, algorithms: int = 1000) -> Path:
    """Write a shuffled long parquet file of datasets x algorithms x 5x2 rows and return its path."""
    import polars as pl

    path = folder / f"long_{datasets}x{algorithms}x10.parquet"
    if path.exists():
        return path
    rng = np.random.default_rng(0)
    rows = datasets * algorithms * 10
    order = rng.permutation(rows)
    data, rest = np.divmod(order, algorithms * 10)
    algorithm, fold = np.divmod(rest, 10)
    frame = pl.DataFrame(
        {
            "dataset": pl.Series([f"data{i:04d}" for i in range(datasets)]).gather(data),
            "algorithm": pl.Series([f"alg{i:04d}" for i in range(algorithms)]).gather(algorithm),
            "replication": fold // 2 + 1,
            "fold": fold % 2 + 1,
            "accuracy": rng.random(rows),
        }
    )
    frame.write_parquet(path)
    return path


def big_csv(folder: Path) -> Path:
    """Write the same ten million rows as csv and return its path."""
    import polars as pl

    path = big_parquet(folder).with_suffix(".csv")
    if not path.exists():
        pl.scan_parquet(big_parquet(folder)).sink_csv(path)
    return path
