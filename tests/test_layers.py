"""The import rule: a stage may import the stages before it, never one after it; and importing stays light."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import tiebreak

from .every import every

ROOT = Path(tiebreak.__file__).parent
STAGES = """
    verbs wording errors budgets papers _lazy methods caveats _checks documents
    results datasets stats stores attributes readers comparison ordering multivariate_tests evals checking lab advisor
    figures reporting evals.board studies obvious cli web
""".split()
"""Every stage, in the order of the data: one may import those before it, never one after it."""


def stage_of(path: Path) -> str:
    return stage(path.relative_to(ROOT).with_suffix("").parts)


def stage(parts: tuple[str, ...]) -> str:
    """Return the stage of a module from the parts of its name after `tiebreak`."""
    return ".".join(parts[:2]) if parts[:2] == ("evals", "board") else parts[0]


@cache
def imports_of(path: Path) -> list[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Every import of a module, with whether it is for the type checker alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    only_typing = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in node.body
    }
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return [(node, node in only_typing) for node in nodes]


def imported_stages(path: Path) -> set[str]:
    result = set()
    for node, only_typing in imports_of(path):
        if only_typing:  # names for the type checker import nothing when the program runs
            continue
        names = [alias.name for alias in node.names if alias.name.startswith("tiebreak.")]
        if isinstance(node, ast.ImportFrom):
            whole = node.module in ("tiebreak", "tiebreak.evals")
            names = [f"{node.module}.{alias.name}" for alias in node.names] if whole else [str(node.module)]
        result |= {stage(tuple(name.split(".")[1:])) for name in names if name.startswith("tiebreak.")}
    return result - {"__version__"}


@every("path", sorted(ROOT.rglob("*.py")))
def test_a_stage_imports_only_the_stages_before_it(path: Path) -> None:
    stage = stage_of(path)
    if stage not in {"__init__", "__main__"}:
        assert imported_stages(path) <= set(STAGES[: STAGES.index(stage) + 1])


def test_every_stage_is_known_to_the_rule() -> None:
    assert {stage_of(p) for p in ROOT.rglob("*.py")} - {"__init__", "__main__"} == set(STAGES)


def private_to_others(path: Path, home: tuple[str, ...]) -> list[str]:
    """Return what a module imports that is private to a package that it is not in."""
    result = []
    for node, _ in imports_of(path):
        if not isinstance(node, ast.ImportFrom) or not str(node.module).startswith("tiebreak"):
            continue
        for alias in node.names:
            parts = (*str(node.module).split("."), alias.name)
            private = next((i for i, part in enumerate(parts) if part.startswith("_") and part != "__version__"), None)
            if private is not None:
                # of a module, or of a name
                owner = parts[:private] if private < len(parts) - 1 else parts[: private - 1]
                result += [".".join(parts)] if home[: len(owner)] != owner else []
    return result


@every("path", sorted(ROOT.rglob("*.py")))
def test_nobody_imports_what_is_private_to_another_package(path: Path) -> None:
    assert private_to_others(path, ("tiebreak", *path.relative_to(ROOT).with_suffix("").parts)) == []


def test_what_breaks_the_rules_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "new.py"
    file.write_text(
        "import tiebreak.web.app\nfrom tiebreak import cli\nfrom tiebreak.order._rule import rule\n"
        "from tiebreak.results.table import _take\nif TYPE_CHECKING:\n    from tiebreak.lab import Plan\n"
        "def late():\n    from tiebreak.figures import Figure\n"
    )
    assert imported_stages(file) == {"web", "cli", "order", "results", "figures"}
    both = ["tiebreak.order._rule.rule", "tiebreak.results.table._take"]
    assert private_to_others(file, ("tiebreak", "readers", "new")) == both
    assert private_to_others(file, ("tiebreak", "order", "new")) == both[1:]
    assert private_to_others(file, ("tiebreak", "results", "new")) == both[:1]


def loaded_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(' '.join(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return {name.split(".")[0] for name in out.split()} | set(out.split())


def test_importing_the_package_loads_no_library() -> None:
    assert not {"numpy", "scipy", "polars", "pandas", "narwhals"} & loaded_after("import tiebreak")


def test_statistics_load_neither_scipy_stats_nor_frames() -> None:
    assert not {"scipy.stats", "scipy.optimize", "polars", "pandas"} & loaded_after("import tiebreak.stats")


def test_a_small_csv_is_compared_without_loading_a_frame_library(tmp_path: Path) -> None:
    file = tmp_path / "s.csv"
    file.write_text("dataset,a,b\nx,1,2\ny,2,1\n")
    call = ["compare", str(file), "--score", "error", "-o", str(tmp_path / "o")]
    statement = f"import tiebreak.cli as c; c.main({call!r})"
    assert not {"scipy.stats", "polars", "pandas", "narwhals"} & loaded_after(statement)


def test_every_public_name_resolves_and_is_documented() -> None:
    for name in tiebreak.__all__:
        assert getattr(tiebreak, name).__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = tiebreak.nonsense


@pytest.mark.parametrize(
    "package", ["tiebreak", "tiebreak.stats", "tiebreak.stats.multivariate", "tiebreak.multivariate_tests"]
)
def test_no_public_name_is_also_a_module(package: str) -> None:
    """Importing a submodule binds it in its package, where it would replace a function that is looked up lazily."""
    home = ROOT.joinpath(*package.split(".")[1:])
    modules = {p.stem for p in home.glob("*.py")} | {p.parent.name for p in home.glob("*/__init__.py")}
    assert modules & set(importlib.import_module(package).__all__) <= {"stats", "figures"}
