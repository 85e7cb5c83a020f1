"""The package stays small: options, exported names, codes of caveats, lines of code and files have ceilings."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tiebreak.caveats import CODES
from tiebreak.verbs import VERBS

CEILINGS = {
    "options": {"ceiling": 300, "target": 300},
    "options of a verb": {"ceiling": 35, "target": 35},
    "options in the help of a verb": {"ceiling": 15, "target": 15},
    "exported names": {"ceiling": 250, "target": 250},
    "codes of caveats": {"ceiling": 120, "target": 120},
    "lines of code": {"ceiling": 65_000, "target": 64_000},
    "files": {"ceiling": 390, "target": 390},
}


def tool(name: str) -> ModuleType:
    """Load a script of `tools`, which is no package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent.parent / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def surface() -> ModuleType:
    return tool("surface")


def below(name: str, count: int) -> bool:
    return count <= CEILINGS[name]["ceiling"]


def test_options_stay_few(surface: ModuleType) -> None:
    options = surface.options()
    assert below("options", sum(options[verb] for verb in VERBS))
    assert not {name: count for name, count in options.items() if not below("options of a verb", count)}


def test_help_shows_few_options() -> None:
    from tiebreak.verbs import every_verb

    shown = {
        verb.name: len([option for option in verb.options if option.cli and option.common]) for verb in every_verb()
    }
    assert not {name: count for name, count in shown.items() if not below("options in the help of a verb", count)}


def test_exported_names_stay_few(surface: ModuleType) -> None:
    assert below("exported names", sum(surface.names().values()))


def test_exported_names_are_there(surface: ModuleType) -> None:
    packages = [importlib.import_module(name) for name in surface.names()]
    assert [
        (package.__name__, name) for package in packages for name in package.__all__ if not hasattr(package, name)
    ] == []


def test_codes_stay_few() -> None:
    assert below("codes of caveats", len(CODES))


def test_code_stays_small() -> None:
    lines, files = tool("size").sizes()
    assert below("lines of code", lines.total()) and below("files", files.total())


def test_lines_of_code_are_counted_without_docstrings_comments_and_blanks() -> None:
    text = '"""A docstring\n\nof a module."""\n\n# a comment\nx = 1  # one\n'
    text += 'def f():\n    "Another."\n    return """a\nb"""\n'
    assert tool("size").code_lines(text) == 4


def test_a_ceiling_is_never_below_its_target() -> None:
    assert all(ceiling["target"] <= ceiling["ceiling"] for ceiling in CEILINGS.values())
