"""The benchmarks themselves; run inside the environment that `run.py` makes."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import workloads

HOME = Path(__file__).parent.parent / ".bench"
VERSIONS = ("tiebreak", "numpy", "scipy", "polars", "scikit-posthocs", "autorank", "aeon")
Row = tuple[str, str, float, str, float, str]


def best_of(call: Callable[[], object], repeats: int) -> float:
    """Shortest wall-clock time of several calls, after one to warm up."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def cold(code: str, repeats: int = 7) -> float:
    """Median time of a fresh interpreter that runs `code`."""
    times = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def row(task: str, ours: float, peer: str, theirs: float, goal: str) -> Row:
    return task, "tiebreak", ours, peer, theirs, goal


def imports() -> list[Row]:
    ours = cold("import tiebreak")
    out = [row("import", ours, "numpy", cold("import numpy"), "at most 2 times")]
    return out + [
        row("import", ours, peer, cold(f"import {peer}", 3), "") for peer in ("scikit_posthocs", "autorank", "aeon")
    ]


AUTORANK = """
import pandas as pd, matplotlib; matplotlib.use("Agg")
from autorank import autorank, create_report
frame = pd.read_csv({path!r}, index_col=0)
create_report(autorank(frame, alpha=0.05, verbose=False, approach="frequentist", force_mode="nonparametric"))
"""
POSTHOCS = """
import pandas as pd, scipy.stats as ss, scikit_posthocs as sp
frame = pd.read_csv({path!r}, index_col=0)
print(ss.friedmanchisquare(*frame.T.values), sp.posthoc_nemenyi_friedman(frame.values))
"""
TIEBREAK = "import tiebreak.cli as c; c.main(['compare', {path!r}, '--score', 'accuracy'])"


def cold_journey() -> list[Row]:
    path = str(workloads.scores_csv(HOME, 38, 8))
    ours = cold(TIEBREAK.format(path=path))
    return [
        row("cold compare, 38 x 8 csv to text", ours, "autorank", cold(AUTORANK.format(path=path), 5), "at most 40 %"),
        row("cold compare, 38 x 8 csv to text", ours, "scikit-posthocs", cold(POSTHOCS.format(path=path), 5), ""),
    ]


def nemenyi() -> list[Row]:
    import scikit_posthocs as sp

    from tiebreak.stats import nemenyi as ours_of

    out = []
    for datasets, algorithms, repeats in ((38, 8, 20), (100, 50, 5), (200, 200, 2), (1000, 1000, 0)):
        table = workloads.scores(datasets, algorithms)
        ours = best_of(lambda: ours_of(table, higher_is_better=True), max(repeats, 2))  # noqa: B023
        theirs = best_of(lambda: sp.posthoc_nemenyi_friedman(table), repeats) if repeats else float("nan")  # noqa: B023
        goal = "at least 20 times faster" if algorithms == 200 else ""
        out.append(row(f"Nemenyi {datasets} x {algorithms}", ours, "scikit-posthocs", theirs, goal))
        if algorithms == 200:
            smallest = ours_of(table).adjusted.min(), sp.posthoc_nemenyi_friedman(table).values.min()
            print(f"smallest p at 200 x 200: tiebreak {smallest[0]:.3g}, scikit-posthocs {smallest[1]:.3g}")
    return out


LOAD = "import tiebreak as tb; tb.read({path!r}).means('accuracy')"
GROUP = """
import polars as pl
pl.scan_parquet({path!r}).group_by('dataset', 'algorithm').agg(pl.col('accuracy').mean()).collect()
"""
MEMORY = """
import resource, pathlib
pathlib.Path({out!r}).write_text(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
"""


def ten_million_rows() -> list[Row]:
    path, out = str(workloads.big_parquet(HOME)), str(HOME / "memory")
    theirs = best_of(lambda: exec(GROUP.format(path=path), {}), 5)
    ours = best_of(lambda: exec(LOAD.format(path=path), {}), 5)
    subprocess.run([sys.executable, "-c", (LOAD + MEMORY).format(path=path, out=out)], check=True)
    peak = int(Path(out).read_text()) / 2**20
    print(f"peak memory of a fresh process that reads 10 million rows: {peak:.2f} GiB (limit 4)")
    return [row("10 million rows to means", ours, "polars group-by", theirs, "at most 3 times")]


def hommel_scale() -> list[Row]:
    import numpy as np
    from statsmodels.stats.multitest import multipletests

    from tiebreak.stats import hommel

    p = np.random.default_rng(0).random(5000) ** 3
    ours = best_of(lambda: hommel(p), 5)
    theirs = best_of(lambda: multipletests(p, method="hommel"), 1)
    return [row("Hommel, 5,000 p-values", ours, "statsmodels", theirs, "")]


BENCHMARKS = (imports, cold_journey, nemenyi, hommel_scale, ten_million_rows)


def main() -> int:
    """Run the chosen benchmarks and print one table."""
    chosen = [b for b in BENCHMARKS if not sys.argv[1:] or b.__name__ in sys.argv[1:]]
    rows = [each for benchmark in chosen for each in benchmark()]
    print(
        f"\nPython {platform.python_version()}, {os.cpu_count()} cores; "
        + ", ".join(f"{name} {importlib.metadata.version(name)}" for name in VERSIONS)
    )
    print(f"\n| task | tiebreak | peer | its time | tiebreak / peer | times faster | goal |\n|{':--|' * 7}")
    for task, _, ours, peer, theirs, goal in rows:
        print(
            f"| {task} | {ours:.4g} s | {peer} | {theirs:.4g} s | {ours / theirs:.3f} | {theirs / ours:.1f} | {goal} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
