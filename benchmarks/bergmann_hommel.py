"""Time Bergmann-Hommel beside plain enumeration, and its growth with the number of algorithms.

Run: python benchmarks/bergmann_hommel.py [--csv growth.csv] [--largest 100] [--enumerate-to 9]

Plain enumeration lists all partitions (`listing`) and evaluates the definition on them (`evaluating`, the only
part that would recur if the list were kept). `line` is bergmann_hommel(p, positions=mean_ranks), `any` is
bergmann_hommel(p) with its tables kept from an earlier call, `any first` without. Like is compared with like:
listing + evaluating with `line` and `any first`, evaluating alone with `any`.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.special import ndtr
from tiebreak.stats.adjust.all_pairs import affordable, true_counts

from tiebreak.stats import bergmann_hommel, bergmann_hommel_rows, shaffer
from tiebreak.stats.adjust.bergmann_hommel import bergmann_hommel as _bh_any

SIZES = [5, 6, 7, 8, 9, 10, 12, 14, 20, 30, 40, 50, 70, 100]
ANY_LIMIT = 14


def mean_ranks(count: int, datasets: int = 100, effect: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    """Mean ranks of algorithms that differ, and the p-values of their z tests."""
    rng = np.random.default_rng(count)
    scores = rng.normal(size=(datasets, count)) + np.linspace(0, effect, count)
    x = (scores.argsort(axis=1).argsort(axis=1) + 1.0).mean(axis=0)
    a, b = np.triu_indices(count, 1)
    return x, 2 * ndtr(-np.abs(x[a] - x[b]) / np.sqrt(count * (count + 1) / (6 * datasets)))


def partitions(count: int) -> np.ndarray:
    """Pairs inside blocks: one row per partition, one column per pair."""
    rows = [[0]]
    for _ in range(1, count):
        rows = [[*row, label] for row in rows for label in range(max(row) + 2)]
    labels = np.array(rows)
    a, b = np.triu_indices(count, 1)
    return labels[:, a] == labels[:, b]


def enumerated(p: np.ndarray, inside: np.ndarray) -> np.ndarray:
    value = inside.sum(axis=1) * np.where(inside, p, 2.0).min(axis=1)
    return np.minimum(np.where(inside, value[:, None], 0.0).max(axis=0), 1.0)


def seconds(work: Callable[[], object], *, at_least: float = 0.2) -> float:
    """Return the shortest of several runs; one run is enough if it is long."""
    best, spent = np.inf, 0.0
    while spent < at_least:
        begin = time.perf_counter()
        work()
        took = time.perf_counter() - begin
        best, spent = min(best, took), spent + took
    return best


def without_tables(p: np.ndarray) -> None:
    """Run the search as a first call does, with no table kept."""
    for var in vars(_bh_any).values():
        if hasattr(var, "cache_clear"):
            var.cache_clear()
    bergmann_hommel(p)


def measure(count: int, enumerate_to: int) -> dict[str, float | None]:
    x, p = mean_ranks(count)
    row: dict[str, float | None] = {"algorithms": count, "pairs": p.size}
    row["line"] = seconds(lambda: bergmann_hommel(p, positions=x))
    row["any"] = seconds(lambda: bergmann_hommel(p)) if count <= ANY_LIMIT else None
    row["any first"] = seconds(lambda: without_tables(p)) if count <= ANY_LIMIT else None
    row |= {"listing": None, "evaluating": None}
    row |= {"enumeration / line": None, "enumeration / any first": None, "evaluating / any": None}
    if count <= enumerate_to:
        inside = partitions(count)
        np.testing.assert_allclose(bergmann_hommel(p, positions=x), enumerated(p, inside), rtol=1e-9)
        listing, evaluating = seconds(lambda: partitions(count)), seconds(lambda: enumerated(p, inside))
        both = listing + evaluating
        row |= {"listing": listing, "evaluating": evaluating, "enumeration / line": both / row["line"]}
        row |= {"enumeration / any first": both / row["any first"], "evaluating / any": evaluating / row["any"]}
    return row


def hardest_at_14() -> dict[str, float]:
    """Time p-values of several structures that no bound cuts short, 14 algorithms."""
    rng = np.random.default_rng(14)
    a, b = np.triu_indices(14, 1)
    kinds = {
        "uniform": rng.random(91),
        "uniform^4": rng.random(91) ** 4,
        "uniform^12": rng.random(91) ** 12,
        "all equal": np.full(91, 0.004),
        "two blocks": np.where(a % 2 == b % 2, 0.01 * (1 + rng.random(91)), 1e-3 * rng.random(91)),
        "four blocks": np.where(a % 4 == b % 4, 0.5 * (1 + rng.random(91)), 1e-4 * rng.random(91)),
    }
    return {name: seconds(lambda p=p: bergmann_hommel(p)) for name, p in kinds.items()}


def others() -> dict[str, float]:
    """Time the many-families case, and Shaffer's correction with and without its cached table."""
    rng = np.random.default_rng(0)
    rows, pairs = rng.random((38, 28)) ** 2, rng.random(19_900) ** 4

    def cold() -> None:
        true_counts.cache_clear()
        affordable.cache_clear()
        shaffer(pairs)

    return {
        "38 data sets x 8 algorithms, one call": seconds(lambda: bergmann_hommel_rows(rows)),
        "Shaffer, 200 algorithms, first call": seconds(cold),
        "Shaffer, 200 algorithms, later calls": seconds(lambda: shaffer(pairs)),
    }


def table(rows: list[dict[str, float | None]]) -> str:
    """Lay out times in milliseconds and ratios."""
    lines = ["".join(f"{name:>25}" for name in rows[0])]
    for row in rows:
        cells = []
        for name, value in row.items():
            if value is None:
                cells.append("-")
            elif isinstance(value, int):
                cells.append(str(value))
            else:
                cells.append(f"{value:.1f}" if "/" in name else f"{value * 1e3:.3f} ms")
        lines.append("".join(f"{cell:>25}" for cell in cells))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--csv", type=Path, help="also write the growth, in seconds, to this file")
    parser.add_argument("--largest", type=int, default=100)
    parser.add_argument("--enumerate-to", type=int, default=9)
    options = parser.parse_args()
    rows = [measure(count, options.enumerate_to) for count in SIZES if count <= options.largest]
    print(table(rows))
    for title, times in {"14 algorithms, p-values of any origin": hardest_at_14(), "Others": others()}.items():
        print(f"\n{title}")
        for name, value in times.items():
            print(f"{name:>40} {value * 1e3:12.3f} ms")
    if options.csv:
        with options.csv.open("w", newline="") as handle:
            writer = csv.DictWriter(handle, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
