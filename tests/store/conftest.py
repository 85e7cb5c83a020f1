"""Stores for the tests: a SQLite file and a schema of a real PostgreSQL server, fresh for every test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")

from tiebreak.stores import Store, open_store
from tiebreak.stores.records import AlgorithmRow, CellKey, DataSetRow


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that does not exist yet, on either database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'results.db'}"
    address: str = request.getfixturevalue("new_schema")
    return address


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An empty store on either database."""
    with open_store(url) as opened:
        yield opened


@pytest.fixture(scope="session")
def fill() -> Callable[..., list[int]]:
    """Return a function that adds data sets d1.., algorithms a1.. and 2 x 2 folds of each pair; returns the ids."""

    def filled(store: Store, datasets: int = 2, algorithms: int = 2, **options: str) -> list[int]:
        for number in range(1, datasets + 1):
            row = DataSetRow(name=f"d{number}", fingerprint=f"print-d{number}", rows=9, classes=("no", "yes"))
            store.add_data_set(row)
        for number in range(1, algorithms + 1):
            store.add_algorithm(AlgorithmRow(name=f"a{number}", fingerprint=f"print-a{number}", spec={"C": number}))
        keys = [
            CellKey(f"print-d{d}", f"print-a{a}", "2-fold", 1, r, f)
            for d in range(1, datasets + 1)
            for a in range(1, algorithms + 1)
            for r in (1, 2)
            for f in (1, 2)
        ]
        return store.add_cells(keys, **options)

    return filled
