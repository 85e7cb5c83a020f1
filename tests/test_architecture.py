"""The architecture page is true: every place that it names is there, and every stage is on it."""

from __future__ import annotations

import re
from pathlib import Path

import tiebreak

ROOT = Path(tiebreak.__file__).parent
PAGE = Path(__file__).parent.parent / "docs" / "architecture.md"


def test_every_place_that_the_page_names_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = re.findall(r"`([a-z_]+(?:/[a-z_.]+)*(?:/|\.py|\.bib))`", text)
    assert len(named) > 50
    tests = [name for name in named if name.startswith(("tests/", "tools/"))]
    places = {name: (PAGE.parent.parent if name in tests else ROOT) / name for name in named}
    own = {"_compare.py", "parts.py", "writing.py", "gaps.py", "groups.py", "promises.py"}  # said after their folder
    assert [name for name, place in places.items() if not place.exists() and name not in own] == []


def test_every_stage_has_a_row() -> None:
    text = PAGE.read_text(encoding="utf-8")
    stages = {p.name for p in ROOT.iterdir() if (p / "__init__.py").exists()}
    assert all(f"| `{stage}/` |" in text for stage in stages - {"methods"}) and "| `methods/` |" in text


def test_every_function_of_the_walk_is_where_the_page_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    walk = text.split("## From the command to the p-value")[1].split("\n## ")[0]
    pairs = re.findall(r"`([a-z_/]+\.py)` `([a-z_]+)`", walk)
    assert len(pairs) >= 9
    for place, function in pairs:
        home = ROOT / place if "/" in place else None
        assert home is None or f"def {function}(" in home.read_text(encoding="utf-8"), (place, function)
