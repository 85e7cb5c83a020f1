"""The script that makes the shipped base: what it would run, in which order, and what it writes from a store."""

from __future__ import annotations

import csv
import importlib.util
import json
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tiebreak.advisor import shipped_knowledge
from tiebreak.advisor.bases import knowledge_from_text

pytest.importorskip("sklearn", reason="the lab needs scikit-learn")
pytest.importorskip("sqlalchemy", reason="stores need SQLAlchemy")

TOOL = Path(__file__).parents[2] / "tools" / "knowledge"
ROWS = (f"{i % 7},{'red' if i % 3 else 'blue'},{'a' if i % 2 else 'b'}\n" for i in range(40))
SMALL = "x,colour,class\n" + "".join(ROWS)


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("knowledge_build", TOOL / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def setting() -> dict[str, Any]:
    """The plan with two quick learners and nothing built in."""
    plan = tomllib.loads((TOOL / "plan.toml").read_text())
    stages = [{"replications": 1, "without": ["5nn"]}, {"replications": 2}, {"replications": 1, "only": ["5nn"]}]
    return plan | {"algorithms": ["c45", "nb", "5nn"], "builtin": [], "stage": stages}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    import gzip

    for name in ("small", "large", "abalone"):
        text = SMALL if name == "small" else SMALL + SMALL.partition("\n")[2]
        (tmp_path / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode()))
    head = "name,rows,numeric_attrs,symbolic_attrs,classes,source\n"
    (tmp_path / "INDEX.csv").write_text(f"{head}large,80,1,1,2,over there\nabalone,80,1,1,2,sea\nsmall,40,1,1,2,here\n")
    kinds = {"x": "numeric", "colour": "symbolic"}
    (tmp_path / "TYPES.json").write_text(json.dumps(dict.fromkeys(("small", "large", "abalone"), kinds)))
    return tmp_path


def run_tool(tool: ModuleType, monkeypatch: pytest.MonkeyPatch, setting: dict[str, Any], *arguments: object) -> None:
    monkeypatch.setattr(tool.tomllib, "loads", lambda _: setting)
    monkeypatch.setattr(sys, "argv", ["build.py", *map(str, arguments)])
    tool.main()


def test_a_run_is_small_first_and_finds_nothing_to_do_again(
    tool: ModuleType,
    setting: dict[str, Any],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    store, out = folder / "runs.db", folder / "base.json"
    options = ("--data", folder, "--store", store, "--jobs", 1, "--out", out)
    run_tool(tool, monkeypatch, setting, *options)
    first = capsys.readouterr().out
    assert first.index("'ok': 4") < first.index("'ok': 8") and "abalone" not in first
    base = knowledge_from_text(out.read_text())
    assert base.datasets == ("large", "small") and base.algorithms == ("5nn", "c45", "nb")
    assert base.data_from == ("over there", "here") and base.sources == ("shipped", "shipped")
    there = (base.accuracy > 0).all(axis=3)
    assert there[:, 1:].all() and there[:, 0, 0].all() and not there[:, 0, 1].any()  # 5nn came after the replications
    assert base.made["resampling"].startswith("2x2cv (2 of 6 pairs, those that are slow, 1x2cv or more), no test part")
    assert set(base.train_share) == {0.5}
    monkeypatch.setattr(tool, "run", lambda *_, **__: pytest.fail("it was asked only to write"))
    run_tool(tool, monkeypatch, setting, *options, "--write-only")
    again = knowledge_from_text(out.read_text())
    assert (again.accuracy == base.accuracy)[base.accuracy > 0].all()


def test_slow_and_failed_pairs_are_not_replicated(tool: ModuleType, setting: dict[str, Any], tmp_path: Path) -> None:
    from tiebreak.stores import open_store
    from tiebreak.stores.records import AlgorithmRow, CellKey, CellOutcome, DataSetRow

    seconds = {"quick": (1.0, 1.0, 99.0), "slow": (1.0, 7.0, 1.0), "failed": (1.0, None, 1.0)}
    with open_store(tmp_path / "s.db") as store:
        store.add_data_set(DataSetRow(name="a", fingerprint="a"))
        for name in seconds:
            store.add_algorithm(AlgorithmRow(name=name, fingerprint=name))
        outcomes = []
        for name, times in seconds.items():
            keys = [CellKey("a", name, "cv", 1, place // 2 + 1, place % 2 + 1) for place in range(3)]
            for cell, time in zip(store.add_cells(keys), times, strict=True):
                good = {"status": "ok", "values": {"train_time": time}} if time else {"status": "timeout"}
                outcomes.append(CellOutcome(cell=cell, **good))  # type: ignore[arg-type]
        store.finish(outcomes)
    quick = tool._quick(setting, str(tmp_path / "s.db"), "a", ["failed", "slow", "quick", "never run"])
    assert quick == ["quick"]  # by the first replication alone: its third fold took 99 seconds


def test_the_shipped_base_is_of_the_plan(tool: ModuleType) -> None:
    plan, base = tomllib.loads((TOOL / "plan.toml").read_text()), shipped_knowledge(artificial=True)
    assert set(plan["artificial"]) == set(base.datasets) - set(shipped_knowledge().datasets)
    assert set(plan["algorithms"]) == set(base.algorithms)
    assert f"seed {plan['seed']}" in base.made["resampling"]
    assert not set(plan["leave_out"]) & set(base.datasets)
    with (TOOL / "origins.csv").open() as file:
        origins = {row["dataset"]: row["origin"] for row in csv.DictReader(file)}
    assert base.origins == tuple(origins.get(name, name) for name in base.datasets)
    assert set(origins) <= set(base.datasets)
    built = {item["name"]: item["data_from"] for item in plan["builtin"]}
    assert built.items() <= dict(zip(base.datasets, base.data_from, strict=True)).items()
    assert {name for stage in plan["stage"] for name in stage.get("only", ())} <= set(plan["algorithms"])
