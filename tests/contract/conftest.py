"""A folder with the examples, and a store that a small plan was run into."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .cases import PLAN, ROOT, answer


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to work in, with the examples under their usual name."""
    place = tmp_path_factory.mktemp("contract")
    (place / "examples").symlink_to(ROOT / "examples")
    return place


@pytest.fixture
def here(folder: Path) -> Iterator[Path]:
    """The folder, as the working directory."""
    before = Path.cwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


@pytest.fixture(scope="session")
def store(folder: Path) -> Path:
    """The store that the plan was run into."""
    pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")
    pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
    url = folder / "results.db"
    assert answer(["run", str(folder / "plan.toml"), "--store", str(url), "--jobs", "1", "--json"])[0] == 0
    return url
