"""The architecture page is true: every place that it names is there, and every stage is on it."""

from __future__ import annotations

import re
from pathlib import Path

import tiebreak

ROOT = Path(tiebreak.__file__).parent
PAGE = Path(__file__).parent.parent / "docs" / "architecture.md"


def test_every_place_that_the_page_names_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    names = re.findall(r"`([a-z_]+(?:/[a-z_.]+)*(?:/|\.py|\.bib))`", text)
    assert len(names) > 30
    places = {name: (PAGE.parent.parent if name.startswith(("tests/", "docs/")) else ROOT) / name for name in names}
    assert [name for name, place in places.items() if not place.exists()] == []


def test_the_page_is_short() -> None:
    assert len(PAGE.read_text(encoding="utf-8").split()) <= 2500


def test_every_stage_has_a_row() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = "".join(line.split("|")[1] for line in text.splitlines() if line.startswith("| `"))
    packages = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}
    assert [name for name in sorted(packages) if f"`{name}/`" not in rows] == []


def test_every_function_of_the_walk_is_where_the_page_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    walk = text.split("## The walk of `compare`")[1].split("\n## To add")[0]
    pairs = re.findall(r"`([a-z_/]+\.py)` `([a-z_]+)`", walk)
    assert len(pairs) >= 5
    for place, function in pairs:
        home = ROOT / place if "/" in place else None
        assert home is None or f"def {function}(" in home.read_text(encoding="utf-8"), (place, function)
