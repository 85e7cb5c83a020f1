"""The commands and examples of the README and of every page of the documentation are run, with their output."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def load(name: str):  # type: ignore[no-untyped-def]
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    failures = load("execute").run_page(page, tmp_path)
    assert not failures, "\n\n".join(failures)


def test_a_wrong_output_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "p.md"
    page.write_text("```console\n$ tiebreak --version\ntiebreak 99\n```\n\n```python\n>>> 1 + 1\n3\n\n```\n")
    assert len(load("execute").run_page(page, tmp_path)) == 2


@pytest.mark.parametrize("name", ["compare", "order", "recommend"])
def test_a_notebook_says_what_it_printed(name: str, tmp_path: Path) -> None:
    """The cells are run in one process, without a kernel; outputs are those that a kernel stored."""
    for path in (ROOT / "examples").glob("*.csv"):
        shutil.copy(path, tmp_path)
    cells = json.loads((ROOT / "examples" / f"{name}.ipynb").read_text("utf-8"))["cells"]
    assert load("execute").run_cells(cells, tmp_path) == []


def test_the_pictures_are_up_to_date() -> None:
    for name, figure in load("figures/make").gallery().items():
        drawn = (ROOT / "docs" / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert drawn.strip() == figure.to_svg().strip(), f"run docs/figures/make.py: {name} has changed"
