"""Nothing public is undocumented: names, options, verbs, fields of JSON and codes of caveats all have their page.

`make docs` builds the site itself, with warnings as errors; these tests read what goes into it.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from tiebreak.caveats import CODES
from tiebreak.methods import METHODS
from tiebreak.verbs import every_verb

from .contract.cases import PLAN, answer

ROOT = Path(__file__).parent.parent
SNAPSHOTS = ROOT / "tests" / "contract" / "snapshots"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the generated pages by their paths, and the module that wrote them."""
    generate = _generator()
    generate.OUT = tmp_path_factory.mktemp("generated")
    generate.main()
    written = {path.relative_to(generate.OUT).as_posix(): path.read_text("utf-8") for path in generate.WRITTEN}
    _check_names(generate, written)
    return written


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    return generate


def _check_names(generate: ModuleType, written: dict[str, str]) -> None:
    """Every public name has a page, a place in a topic and a sentence; a constant needs no sentence of its own."""
    missing = []
    for module, name, value in generate.public():
        if inspect.ismodule(value):
            continue
        topic = generate.topic_of(module, value)
        frozen = module in generate.STABLE or "Experimental:" in str(inspect.getdoc(importlib.import_module(module)))
        listed = f"<{module}.{name}>`" in written.get(f"python/{topic}.rst", "")
        documented = generate.summary(value) or not (inspect.isclass(value) or inspect.isroutine(value))
        if not (frozen and listed and documented and f"python/{module}.{name}.rst" in written):
            missing.append(f"{module}.{name}")
    assert missing == []


def test_every_package_that_lists_names_is_documented_or_internal() -> None:
    generate = _generator()
    source = ROOT / "src" / "tiebreak"
    files = [path for path in source.rglob("__init__.py") if "__all__" in path.read_text("utf-8")]
    listing = {".".join(path.parent.relative_to(source.parent).parts) for path in files}
    assert sorted(listing - {*generate.MODULES, *generate.INTERNAL}) == []


def test_every_option_of_every_verb_has_a_row_with_words(pages: dict[str, str]) -> None:
    missing = []
    for verb in every_verb():
        page = pages[f"commands/{verb.name.replace(' ', '-')}.md"]
        rows = {row.split(" | ")[0]: row.rsplit(" | ", 1)[1].strip(" |") for row in page.splitlines() if " | " in row}
        for option in (option for option in verb.options if option.cli and option.flag):
            texts = [text for name, text in rows.items() if re.search(rf"{option.flag}\b", name)]
            missing += [f"{verb.name} {option.flag}"] if not any(len(text) > 3 for text in texts) else []
    assert missing == []


def test_every_code_of_a_caveat_has_a_row(pages: dict[str, str]) -> None:
    assert [code for code in CODES if f"| `{code}` | " not in pages["caveats.md"]] == []


def test_every_method_has_a_page_with_its_papers(pages: dict[str, str]) -> None:
    texts = [text for text in pages.values() if "\n| guarantee | " in text]
    assert len(texts) == len(METHODS)
    assert sum("## Papers\n\n- " in text for text in texts) == sum(bool(method.papers) for method in METHODS)


def test_every_promise_is_quoted_with_its_measured_error_rate(pages: dict[str, str]) -> None:
    promising = [method for method in METHODS if method.promise.under]
    quoted = sum("| measured error rate at level 0.05 |" in text for text in pages.values())
    assert quoted >= len(promising) > 40


def test_every_field_of_the_json_is_documented() -> None:
    text = (ROOT / "docs" / "json.md").read_text("utf-8")
    documented = set(re.findall(r"`([a-z_0-9]+)`", text))
    fields = {
        (path.stem.split("-")[0], field)
        for path in SNAPSHOTS.glob("*.json")
        for field in json.loads(path.read_text("utf-8"))
    }
    assert len(fields) > 150
    assert sorted(f"{verb}: {field}" for verb, field in fields if field not in documented) == []


@pytest.mark.parametrize("words", ["run plan.toml --store results.db --jobs 1", "paper demsar2006"])
def test_every_field_of_json_without_a_snapshot_is_documented(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")
    pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN, encoding="utf-8")
    result = json.loads(answer([*words.split(), "--json"])[1])
    fields = {*result, *(field for row in result.get("rows", []) for field in row)}
    text = (ROOT / "docs" / "json.md").read_text("utf-8")
    assert sorted(fields - set(re.findall(r"`([a-z_0-9]+)`", text))) == []


def test_every_verb_is_in_a_guide() -> None:
    text = "\n".join(path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md"))
    assert [verb.name for verb in every_verb() if f"tiebreak {verb.name}" not in text] == []


def test_links_of_the_readme_lead_somewhere() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []
