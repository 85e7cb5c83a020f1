"""How long it takes to export, to order and to recommend from a store of a million cells, and in how much memory.

`python benchmarks/store_scale.py` prints seconds of CPU, seconds on the clock and the largest size of each step, which
runs in a process of its own.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from tiebreak.stores import open_store
from tiebreak.stores.records import AlgorithmRow, CellKey, CellOutcome, DataSetRow, Environment

DATASETS, ALGORITHMS, REPLICATIONS, FOLDS = 200, 50, 10, 10
MEASURES = ("accuracy", "error", "predict_time", "train_time")
STEP = """
import resource, time
wall, cpu = time.perf_counter(), time.process_time()
{}
use = resource.getrusage(resource.RUSAGE_SELF)
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
print(f"{{cpu:.1f}} s of CPU, {{wall:.1f}} s on the clock, {{use.ru_maxrss / 1024:.0f}} MB")
"""
EXPORT = "from tiebreak.stores import open_store\nopen_store({!r}, create=False).export({!r})"
ANSWER = (
    "import io, contextlib\nfrom tiebreak.cli import main\nwith contextlib.redirect_stdout(io.StringIO()):\n"
    "    main(['{}', {!r}, '--store', {!r}, '--score', {!r}])"
)


def fill(path: Path) -> None:
    """Make the names by the store itself, and the cells by SQL, which takes seconds instead of minutes."""
    with open_store(path) as store:
        for i in range(DATASETS):
            store.add_data_set(DataSetRow(name=f"d{i}", fingerprint=f"d{i:09d}", rows=100, attributes=5))
        for i in range(ALGORITHMS):
            store.add_algorithm(AlgorithmRow(name=f"a{i}", fingerprint=f"a{i:09d}", spec={"text": f"a{i} = nb"}))
        key = CellKey(f"d{0:09d}", f"a{0:09d}", "cv|folds=10|test=0.0|stratified", 1, 1, 1)
        where = Environment(host="here", cpu="x", cores=2, versions={"numpy": "2"})
        (cell,) = store.add_cells([key])
        values = dict.fromkeys(MEASURES, 0.5)
        store.finish([CellOutcome(cell=cell, status="ok", values=values, environment=where, load=0.5)])
    details = '{"confusion": [[20, 5], [3, 22]]}'
    text = f"1, 1, ?, ?, 'ok', '', 1, NULL, '2026-01-01T00:00:00', 'lab', '{details}', 1, 0.5, 0"
    names = "id, dataset_id, algorithm_id, resampling_id, seed, replication, fold, status, reason, attempts, runner_id"
    names += ", finished, origin, details, environment_id, host_load, begun"
    rng, per = np.random.default_rng(0), ALGORITHMS * REPLICATIONS * FOLDS
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM cell_values")
        connection.execute("DELETE FROM cells")
        insert = f"INSERT INTO cells ({names}) VALUES (?, ?, ?, {text})"
        pairs = ((i + 1, i // per + 1, i % per // (REPLICATIONS * FOLDS) + 1, i % per) for i in range(DATASETS * per))
        folds = REPLICATIONS * FOLDS
        connection.executemany(
            insert, ((i, d, a, str(k % folds // FOLDS + 1), str(k % FOLDS + 1)) for i, d, a, k in pairs)
        )
        values = rng.random((DATASETS * per, len(MEASURES))).tolist()
        rows = ((i, m + 1, value) for i, row in enumerate(values, 1) for m, value in enumerate(row))
        connection.executemany("INSERT INTO cell_values VALUES (?, ?, ?)", rows)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "results.db"
        subprocess.run([sys.executable, __file__, str(store)], check=True)  # its memory would count for the steps
        steps = {f"export to {end}": EXPORT.format(str(store), f"{folder}/all.{end}") for end in ("csv", "parquet")}
        steps["order"] = ANSWER.format("order", "--cost=train_time", str(store), "error")
        steps["recommend"] = ANSWER.format("recommend", "builtin:wine", str(store), "accuracy")
        for name, code in steps.items():
            print(f"{name}: ", end="", flush=True)
            subprocess.run([sys.executable, "-c", STEP.format(code)], check=True)


if __name__ == "__main__":
    fill(Path(sys.argv[1])) if len(sys.argv) > 1 else main()
