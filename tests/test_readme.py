"""The commands and examples of the README and of every page of the documentation are run, with their output."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest

from tiebreak.cli import main

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


def test_the_pictures_are_up_to_date() -> None:
    for name, figure in load("figures/make").gallery().items():
        drawn = (ROOT / "docs" / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert drawn.strip() == figure.to_svg().strip(), f"run docs/figures/make.py: {name} has changed"


def test_every_link_of_the_pages_leads_somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the pages that are written links have other names than in Markdown; headings are what they point to."""
    build = load("build")
    monkeypatch.setattr(build, "OUT", tmp_path)
    build.main()
    pages = {page.name: page.read_text(encoding="utf-8") for page in tmp_path.glob("*.html")}
    lost = []
    for name, text in pages.items():
        for found in re.findall(r'(?:href|src)="([^"]+)"', text):
            file, _, place = unquote(found).partition("#")
            if re.match(r"https?:", found):
                continue
            target = pages.get(file or name, "")
            if not (tmp_path / (file or name)).exists() or (place and f'id="{place}"' not in target):
                lost.append(f"{name}: {found}")
    assert lost == [] and len(pages) == len(PAGES) + 1


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("gate", "gate examples/gate_base.csv examples/gate_candidate.csv --margin 0.02 --cost price --json"),
        ("battles", "battles examples/votes.csv --prices examples/prices.csv --json"),
    ],
)
def test_every_field_of_the_json_is_named_on_its_page(
    page: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(words.split()) == 0
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert [name for name in json.loads(capsys.readouterr().out) if f"`{name}`" not in text] == []
