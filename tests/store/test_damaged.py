"""Stores that another program or a broken disk has changed: an error names the row, and nothing is made up."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")

from tiebreak.lab.contents import contents, coverage_of
from tiebreak.readers import read_store
from tiebreak.stores import Store, StoreError, open_store
from tiebreak.stores.records import CellOutcome, Environment

DEEP = '{"a":' * 5000 + "1" + "}" * 5000
CELL = r"cell 3 \(a1 on d1, replication 2, fold 1\)"
DAMAGES = {
    f"UPDATE algorithms SET spec = '{DEEP}'": r"spec of row 1 of algorithms \('a1'\) cannot be read \(nested",
    "UPDATE algorithms SET spec = '{x' WHERE id = 2": r"spec of row 2 of algorithms \('a2'\) cannot be read",
    "UPDATE datasets SET meta = '[1]'": r"meta of row 1 of datasets \('d1'\) cannot be read \(expected an object",
    "UPDATE datasets SET classes = '5'": r"meta of row 1 of datasets \('d1'\) cannot be read \('int'",
    "UPDATE environments SET versions = '{oops'": r"versions of row 1 of environments cannot be read",
    "UPDATE cells SET details = '{\"confusion\"' WHERE id = 3": rf"details of {CELL} cannot be read \(Expecting ':'",
    "UPDATE cells SET seed = 'abc' WHERE id = 3": rf"seed of {CELL} is 'abc'",
    "UPDATE cells SET host_load = 'busy' WHERE id = 3": rf"host_load of {CELL} is 'busy'",
    "UPDATE cells SET environment_id = 99 WHERE id = 3": rf"{CELL} points to a row of environments that is not there",
    "UPDATE cells SET dataset_id = 77 WHERE id = 3": r"cell 3 points to a row of datasets that is not there",
    "UPDATE cell_values SET value = 'abc' WHERE cell_id = 3": rf"value of {CELL} is 'abc'",
    "UPDATE cell_values SET value = x'00ff' WHERE cell_id = 3": rf"value of {CELL} is .*00.*ff",
    "UPDATE datasets SET name = x'ff00'": r"name of row 1 of datasets",
    "INSERT INTO calibrations VALUES (1, 1, 'now', 'fast', 1.0, 1.0)": r"cpu of row 1 of calibrations is 'fast'",
    "UPDATE schema_version SET version = 99": r"has schema version 99; this program knows version 5",
    "DROP TABLE measures": r"could not be read: no such table: measures",
    "DELETE FROM schema_version": r"has tables named .*, but they are not a store of Tiebreak",
}


def read_table(store: Store, _: Path) -> None:
    read_store(store, scores=["error", "train_time", "tpr"], positive="yes")


def merge(store: Store, folder: Path) -> None:
    with open_store(folder / "other.db") as other:
        other.import_store(store)


WAYS: dict[str, Callable[[Store, Path], Any]] = {
    "table": read_table,
    "contents": lambda store, _: (contents(store), coverage_of(store)),
    "export": lambda store, folder: store.export(folder / "all.csv"),
    "merge": merge,
    "rows": lambda store, _: list(store.rows()),
}


@pytest.mark.parametrize("statement", DAMAGES, ids=lambda text: text[:60])
def test_damaged_stores_name_the_row(statement: str, tmp_path: Path, fill: Callable[..., list[int]]) -> None:
    file = tmp_path / "results.db"
    with open_store(file) as store:
        cells, here = fill(store, 1, 2), Environment(host="h", versions={"numpy": "2.0"})
        about: dict[str, Any] = {"details": {"confusion": [[3, 1], [2, 4]]}, "environment": here, "load": 0.5}
        values = {"error": 0.25, "train_time": 1.0}
        store.finish([CellOutcome(cell=cell, status="ok", values=values, **about) for cell in cells])
    connection = sqlite3.connect(file)
    connection.execute(statement)
    connection.commit()
    connection.close()
    errors = []
    for name, way in WAYS.items():
        try:
            with open_store(file, create=False) as store:
                way(store, tmp_path)
        except StoreError as error:
            errors.append((name, str(error)))
    assert errors, "somebody must notice"
    for _, text in errors:
        assert re.search(DAMAGES[statement], text), errors
