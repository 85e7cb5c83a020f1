"""Stores where nothing can be written: they can be read, log and all, and nothing is left beside them."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tiebreak.cli import main
from tiebreak.readers import read_store
from tiebreak.stores import StoreError, open_store
from tiebreak.stores.records import CellOutcome

Fill = Callable[..., list[int]]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no folders without the right to write")
NOBODY = 65534


@contextmanager
def no_right_to_write(folder: Path) -> Iterator[None]:
    """Take away the right to write in a folder; root, who needs no rights, becomes somebody else meanwhile."""
    root = os.geteuid() == 0
    for path in (folder, *folder.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path in (folder, *folder.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.fixture
def folder(fill: Fill) -> Iterator[Path]:
    """A folder with a store of 8 cells, closed, and every module that reading needs loaded.

    Not a folder of pytest, which keeps others out of all that lies above it.
    """
    whole = Path(tempfile.mkdtemp(prefix="tiebreak-read-only-"))
    whole.chmod(0o755)
    made = whole / "results"
    made.mkdir()
    with open_store(made / "results.db") as store:
        store.finish(CellOutcome(cell=cell, status="ok", values={"error": cell / 8}) for cell in fill(store, 1, 2))
    read_store(made / "results.db", scores="error")
    main(["store", str(made / "results.db")])
    yield made
    shutil.rmtree(whole)


def test_a_store_on_a_read_only_disk_is_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = folder / "results.db"
    expected, before = read_store(store, scores="error").means("error").tolist(), sorted(folder.iterdir())
    with no_right_to_write(folder):
        with pytest.raises(OSError, match=r"[Pp]ermission"):
            (folder / "other").touch()
        assert read_store(store, scores="error").means("error").tolist() == expected
        capsys.readouterr()
        assert main(["store", str(store)]) == 0
    assert "8 cells (8 ok)" in capsys.readouterr().out
    assert sorted(folder.iterdir()) == before


def test_what_lies_in_the_log_is_read_too(folder: Path, fill: Fill) -> None:
    with open_store(folder / "results.db") as store:
        fill(store, 2, 2)  # not in the file yet: a killed runner leaves just this
        other = folder.parent / "killed"
        other.mkdir()
        for name in ("results.db", "results.db-wal"):
            shutil.copy(folder / name, other / name)
    assert (other / "results.db-wal").stat().st_size
    with no_right_to_write(other), open_store(other / "results.db", create=False) as store:
        assert sum(store.counts().values()) == 16
    assert sorted(path.name for path in other.iterdir()) == ["results.db", "results.db-wal"]


def test_writing_is_refused_in_words(folder: Path) -> None:
    with no_right_to_write(folder):
        with open_store(folder / "results.db", create=False) as store, pytest.raises(StoreError, match="readonly"):
            store.add_plan("p", "{}")
        with pytest.raises(StoreError, match="could not be"), open_store(folder / "results.db") as store:
            store.add_plan("p", "{}")
