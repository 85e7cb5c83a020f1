"""Pickles run code when they are loaded: none is ever loaded from a store or a file, and a store can hold none."""

from __future__ import annotations

import ast
import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the store needs it")

import sqlalchemy as sa
from sklearn.naive_bayes import GaussianNB

import tiebreak
from tiebreak.lab import Plan, run
from tiebreak.stores.schema import METADATA

ROOT = Path(tiebreak.__file__).parent
LOADERS = {"pickle", "cloudpickle", "joblib", "dill", "shelve", "marshal"}
BETWEEN_OWN_PROCESSES = {Path("lab/processes/messages.py"), Path("lab/algorithms/specs.py")}


def loads(path: Path) -> bool:
    """Say whether a module calls a loader of pickles, or lets numpy or pandas call one."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            home = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
            if home in LOADERS and node.func.attr in {"load", "loads", "Unpickler", "open"}:
                return True
            if node.func.attr == "read_pickle" or any(keyword.arg == "allow_pickle" for keyword in node.keywords):
                return True
    return False


def test_pickles_are_loaded_only_between_processes_of_our_own() -> None:
    relatives = {path.relative_to(ROOT) for path in ROOT.rglob("*.py") if loads(path)}
    assert relatives == BETWEEN_OWN_PROCESSES


def test_the_tables_have_no_column_for_bytes() -> None:
    kinds = {type(column.type) for table in METADATA.tables.values() for column in table.columns}
    assert kinds <= {sa.Text, sa.Integer, sa.BigInteger, sa.Boolean, sa.Double}


def test_a_plan_with_an_estimator_object_leaves_no_bytes_in_the_store(tmp_path: Path) -> None:
    plan = Plan.of(datasets=["builtin:iris"], algorithms=[GaussianNB()], resampling="1x2cv")
    assert run(plan, store=tmp_path / "results.db", jobs=1).counts["ok"] == 2
    with sqlite3.connect(tmp_path / "results.db") as connection:
        tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        values = [value for table in tables for row in connection.execute(f"select * from {table}") for value in row]
    connection.close()
    assert values and not any(isinstance(value, bytes) for value in values)
    assert not any("\x80" in value for value in values if isinstance(value, str))
