"""What the lab costs over a bare scikit-learn loop: per cell, in total on one core, and what two cores gain.

Run alone it prints the numbers for a share of the work: `python benchmarks/lab.py 0.2`.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabTimes:
    """Seconds for the same fits: in a bare loop, through the lab on one core and on two, on the clock and of CPU.

    The CPU seconds are those of all processes together; they say what the lab costs where others use the machine too.
    """

    cells: int
    bare: tuple[float, float]
    one: tuple[float, float]
    two: tuple[float, float] = (float("nan"), float("nan"))
    joblib: tuple[float, float] = (float("nan"), float("nan"))

    @property
    def overhead(self) -> tuple[float, float]:
        """Seconds a cell costs beyond the bare loop, on one core."""
        wall, cpu = ((ours - theirs) / self.cells for ours, theirs in zip(self.one, self.bare, strict=True))
        return wall, cpu

    @property
    def overhead_on_two(self) -> float:
        """Seconds on the clock that a cell costs beyond half of the bare loop, on two cores."""
        return (self.two[0] - self.bare[0] / 2) / self.cells


def small_cells(share: float = 1.0) -> LabTimes:
    """Cells of next to no work: what is left is the lab."""
    repeats = max(1, round(750 * share))
    plan = _plan(["builtin:iris", "builtin:wine"], {"import": "sklearn.dummy:DummyClassifier"}, repeats)
    times = {"bare": bare_loop(plan), "one": lab(plan, jobs=1), "two": lab(plan, jobs=2), "joblib": by_joblib(plan)}
    return LabTimes(cells=4 * repeats, **times)


def large_cells(share: float = 1.0) -> LabTimes:
    """Cells of 200 ms and more: forests on three drawn data sets."""
    forest = {"import": "sklearn.ensemble:RandomForestClassifier", "settings": {"n_estimators": 90}}
    repeats = max(1, round(30 * share))
    plan = _plan(["builtin:twonorm", "builtin:ringnorm", "builtin:waveform"], forest, repeats)
    times = {"bare": bare_loop(plan), "one": lab(plan, jobs=1), "two": lab(plan, jobs=2), "joblib": by_joblib(plan)}
    return LabTimes(cells=6 * repeats, **times)


def _plan(datasets: list[str], algorithm: dict[str, Any], replications: int) -> Any:
    from tiebreak.lab import Plan

    return Plan.of(datasets=datasets, algorithms=[algorithm], resampling=f"{replications}x2cv")


def clocks() -> tuple[float, float]:
    """Return the clock, and the CPU seconds of this process and of its children that have ended."""
    current, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter(), current.ru_utime + current.ru_stime + others.ru_utime + others.ru_stime


def since(start: tuple[float, float]) -> tuple[float, float]:
    wall, cpu = clocks()
    return wall - start[0], cpu - start[1]


def lab(plan: Any, *, jobs: int) -> tuple[float, float]:
    """Time a whole run into a fresh store; of starting its processes, 400 ms or more, only the CPU seconds count."""
    from tiebreak.lab import run

    first: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        start = clocks()
        seen = lambda now: first.append(clocks()) if now.done == 1 else None  # noqa: E731
        summary = run(plan, store=Path(folder) / "results.db", jobs=jobs, progress=seen)
        wall, cpu = since(start)
    if summary.counts["ok"] != summary.cells:
        raise SystemExit(f"{summary.cells - summary.counts['ok']} cells failed: {summary.failures}")
    return wall - (first[0][0] - start[0]), cpu


def bare_loop(plan: Any) -> tuple[float, float]:
    """Time the same fits, predictions and scores without processes, store or timing."""
    fit_and_score(*next(_folds(plan)))  # imports are no part of it
    start = clocks()
    for fold in _folds(plan):
        fit_and_score(*fold)
    return since(start)


def by_joblib(plan: Any) -> tuple[float, float]:
    """Time the same with joblib's two worker processes, which isolate nothing and store nothing."""
    from joblib import Parallel, delayed

    with Parallel(n_jobs=2) as parallel:
        parallel(delayed(fit_and_score)(*next(_folds(plan))) for _ in range(4))  # the workers are there, imports done
        start = clocks()
        parallel(delayed(fit_and_score)(*fold) for fold in _folds(plan))
        wall, _ = since(start)
    return wall, float("nan")  # its workers outlive the call: their CPU seconds are not known yet


def _folds(plan: Any) -> Iterator[tuple[Any, ...]]:
    from tiebreak.lab.prepared import load_data
    from tiebreak.lab.splits import split

    for data in load_data(plan).values():
        parts = split(data, plan.resampling, seed=plan.seed)
        yield from ((plan.algorithms[0], data, fold, parts.test) for fold in parts.folds)


def fit_and_score(spec: Any, data: Any, fold: Any, test: Any) -> None:
    """Do what a cell does, with the lab's own scores: those of scikit-learn take 9 ms more and would flatter us."""
    from tiebreak.lab.algorithms.building import build
    from tiebreak.lab.scores import scores_of

    learner = build(spec, data, seed=1).fit(data.values[fold.train], data.target[fold.train])
    for rows in (fold.validation, test):
        answers, shares = learner.predict(data.values[rows]), learner.predict_proba(data.values[rows])
        scores_of(data.target[rows], answers, shares, shares)


def main() -> int:
    """Print both measurements as ratios."""
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    small, large = small_cells(share), large_cells(share)
    wall, cpu = small.overhead
    print(
        f"{small.cells} small cells of {1e3 * small.bare[0] / small.cells:.1f} ms, beyond the bare loop, one core:"
        f" {1e3 * wall:.1f} ms a cell (goal: 3), CPU {1e3 * cpu:.1f}; two cores: {1e3 * small.overhead_on_two:.1f} ms"
        f" (goal: 2); joblib on two: {1e3 * (small.joblib[0] - small.bare[0] / 2) / small.cells:.1f} ms; the lab"
        f" against joblib: {small.two[0] / small.joblib[0]:.2f}"
    )
    wall, cpu = (ours / theirs for ours, theirs in zip(large.one, large.bare, strict=True))
    print(
        f"{large.cells} cells of {1e3 * large.bare[1] / large.cells:.0f} ms, one core: {wall:.3f} times the bare loop"
        f" (goal: 1.1), CPU {cpu:.3f}; two cores: {large.bare[0] / large.two[0]:.2f} times faster (goal: 1.8), joblib"
        f" {large.bare[0] / large.joblib[0]:.2f} times"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
