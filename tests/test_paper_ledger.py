"""The ledger of the papers: every table and figure has a record, every verdict is found anew, every command runs."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.studies.papers import PAPERS
from tiebreak.studies.papers.ledger import UNKNOWN, VERDICTS, PaperLedger, brief, judge, long_runs

ROOT = Path(__file__).parents[1]


def _check() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check", ROOT / "tools" / "papers" / "check.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = _check()
NUMBERED = {
    "ulas2012": "Table 1|Table 2|Table 3|Table 4|Table 5a|Table 5b|Table 5c|Table 6|Table 7a|Table 7b|Table 7c|"
    "Table 7d|Table 8a|Table 8b|Table 8c|Table 8d|Figure 1|Figure 2|Figure 3|Figure 4|Figure 5|Section 4.1|Section 4.7",
    "ulas2008": "Table 3.1|Table 3.2|Table 3.3|Table 4.1|Table 4.2a|Table 4.2b|Table 4.2c|Table 4.3|Table 4.4a|"
    "Table 4.4b|Table 4.4c|Table 4.4d|Table 4.5a|Table 4.5b|Table 4.5c|Table 4.5d|Tables A.1 to A.8|Table A.9|"
    "Table A.10|Table A.11|Table A.12|Table A.13|Figure 3.1|Figure 3.2|Figure 3.3|Appendix A.1|Formula (2.1)",
    "demsar2006": "Table 1|Table 2|Table 3|Table 4|Table 5a|Table 5b|Table 6|Table 7|Figure 1a|Figure 1b|Figure 2|"
    "Figure 3|Figure 4|Figure 5|Figure 6|Figure 7|slide 12|slide 13|slide 14|slide 16|slide 17|slide 18|slide 19",
    "yildiz2014": "Table 1|Table 2|Figure 1|Figure 2|Figure 3|Figure 4|Figure 5|Formula (1)|Formula (2)|Formula (3)",
    "brazdil2003": "Table I|Table II|Table III|Table IV|Table V|Table VI|Table VII|Table VIII|Figure 1|Figure 2|"
    "Figure 3|Formulas (1), (2)|formula (3)",
}
"""Every numbered table, figure and formula of the sources."""


def ledger(name: str) -> PaperLedger:
    paper = tb.paper(name)
    assert isinstance(paper, PaperLedger)
    return paper


@pytest.mark.parametrize("name", PAPERS)
def test_every_verdict_is_found_anew(name: str) -> None:
    result = ledger(name)
    recorded = {f"{name}/{record.id}": record.verdict for record in result.records}
    assert {row["id"]: row["verdict"] for row in result.data()} == recorded
    assert sum(result.verdicts.values()) == len(result.records) == len(recorded)


@pytest.mark.parametrize("name", PAPERS)
def test_every_numbered_table_and_figure_has_a_record(name: str) -> None:
    places = [record.where for record in ledger(name).records]
    for wanted in NUMBERED[name].split("|"):
        assert any(re.search(re.escape(wanted) + r"(?![\w.])", place) for place in places), wanted


@pytest.mark.parametrize("name", PAPERS)
def test_whatever_differs_or_is_lost_says_why(name: str) -> None:
    for record in ledger(name).records:
        assert record.verdict in VERDICTS
        assert record.reason or record.verdict == "same", record.id
        assert (record.ours is None) == (record.verdict == UNKNOWN), record.id
        assert not record.long or f"{name}/{record.id}" in long_runs() or record.id == "power", record.id


@pytest.mark.parametrize("name", ["", *PAPERS])
def test_the_answer_fits_one_screen(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", *([name] if name else [])]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


def test_json_has_what_the_contract_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", "demsar2006", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {"id", "printed", "command", "ours", "verdict", "reason"} <= set(data["rows"][0])
    row = next(row for row in data["rows"] if row["id"] == "demsar2006/friedman")
    assert row["printed"] == {"chi2": 9.28, "F": 3.69}
    assert row["ours"] == pytest.approx({"chi2": 9.278571, "F": 3.686313}, abs=1e-6)
    assert main(["paper", "--json"]) == 0
    assert [row["paper"] for row in json.loads(capsys.readouterr().out)["rows"]] == list(PAPERS)


def test_full_text_and_markdown_have_every_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", "yildiz2014", "--full"]) == 0
    for text in (capsys.readouterr().out, ledger("yildiz2014").to_markdown()):
        assert all(record.where in text for record in ledger("yildiz2014").records)
    assert main(["paper", "nobody2020"]) == 2
    assert "'ulas2012'" in capsys.readouterr().err


def test_a_verdict_depends_on_the_value() -> None:
    row = next(record for record in ledger("ulas2012").records if record.id == "table-5a")
    assert row.ours is not None
    value = row.ours()
    assert row.judged(value) == "same after rounding"
    assert row.judged({**value, "svr": value["svr"] + 0.1}) == "differs"
    assert row.judged(dict(row.printed)) == "same"
    assert judge({"a": 1}, {"a": 1, "b": 2}) == "differs"
    assert judge([1, 2], [1, 2, 3]) == "differs"
    assert judge({"x": True}, {"x": False}) == "differs"
    assert brief([0.123456, 2.0], digits=2) == "0.12 2.00"


def test_the_page_is_the_one_that_is_made() -> None:
    notes = (ROOT / "tools" / "papers" / "notes.md").read_text(encoding="utf-8")
    assert (ROOT / "docs" / "papers.md").read_text(encoding="utf-8") == CHECK.page(notes)
    assert f"\n{CHECK.index()}\n" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_make_papers_fails_when_a_verdict_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    records = ledger("yildiz2014").records
    wrong = records[1]._replace(verdict="differs")
    real = CHECK.paper

    def paper(name: str) -> PaperLedger:
        result = real(name)
        return PaperLedger(name=name, records=(records[0], wrong, *records[2:])) if name == "yildiz2014" else result

    monkeypatch.setattr(CHECK, "paper", paper)
    before = (ROOT / "docs" / "papers.md").read_bytes()
    assert CHECK.main() == 1
    assert (ROOT / "docs" / "papers.md").read_bytes() == before


MINUTES = (
    "compare FILE",
    "study replicability",
    "study measures",
    "study orders",
    "FOLDER",
    "ulas2012.db",
    "--shipped",
)


def _commands() -> list[str]:
    rows = [record for name in PAPERS for record in ledger(name).records]
    named = [row.command for row in rows] + re.findall(r"`(tiebreak [^`]+)`", CHECK.index())
    quick = [item for item in named if item.startswith("tiebreak ") and not any(part in item for part in MINUTES)]
    return list(dict.fromkeys(quick))


@pytest.mark.parametrize("command", _commands())
def test_every_quick_command_runs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.symlink(ROOT / "examples", tmp_path / "examples")
    assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err


def test_every_function_that_is_named_is_there() -> None:
    calls = [record.command for name in PAPERS for record in ledger(name).records]
    paths = {re.split(r"[(\s]", call)[0] for call in calls if call.startswith("tiebreak.")}
    assert len(paths) > 15
    for path in paths:
        module, _, function = path.rpartition(".")
        assert callable(getattr(importlib.import_module(module), function)), path
