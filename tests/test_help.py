"""Help: every option stands in a group, and the examples at the end run as they are written."""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tiebreak.cli import VERBS, main
from tiebreak.cli.parsing import parser_of
from tiebreak.verbs import verb_of
from tiebreak.verbs.studies import STUDIES

from .every import every

ROOT = Path(__file__).parent.parent
GROUPS = {"what to read", "what to compare", "how to test", "how cost counts", "what to write"}
OWN = {
    "run": {"how to run", "when to end"},
    "store": {"what to bring in"},
    "recommend": {"what to learn from", "how to recommend", "how to try it out"},
    "study": {"which study"},
    "serve": {"where to listen", "how much is let in"},
    **{f"study {name}": {"what to simulate"} for name in STUDIES},
}
FEWER = ("--algorithms", "lda,nb")
"""What is tried would go on until its time is over."""
PAGES = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
IN_PAGES = {line[2:] for page in PAGES for line in page.read_text("utf-8").splitlines() if line.startswith("$ ")}
"""Commands that test_readme.py runs, with their output."""


def parsers() -> dict[str, argparse.ArgumentParser]:
    names = [*VERBS, *(f"study {name}" for name in STUDIES)]
    return {name: parser_of(name, shown="all") for name in names}


ALL = parsers()


@every("name", ALL)
def test_every_option_stands_in_a_group_that_says_what_it_is_for(name: str) -> None:
    for group in ALL[name]._action_groups:
        shown = [action for action in group._group_actions if action.help != argparse.SUPPRESS]
        if shown:
            assert group.title in GROUPS | OWN.get(name, set()), [item.option_strings for item in shown]
    assert all(action.help for action in ALL[name]._actions)


@every("name", ALL)
def test_help_is_short_above_and_ends_with_two_examples(name: str) -> None:
    lines = ALL[name].format_help().splitlines()
    assert lines[0].startswith(f"usage: tiebreak {name}") and lines[0].endswith("[options]")
    assert lines[-3] == "examples:"
    assert all(line.startswith(f"  tiebreak {name}") for line in lines[-2:])
    assert all(not line.rstrip().endswith("-") for line in lines), "a name is broken at its hyphen"


def test_the_groups_of_compare() -> None:
    text = ALL["compare"].format_help()
    titles = ["what to read:", "what to compare:", "how to test:", "what to write:", "examples:"]
    assert [line for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")] == titles
    for option, title in (
        ("RESULTS", 0),
        ("--score", 0),
        ("--control", 1),
        ("--missing", 1),
        ("--pairwise", 2),
        ("--figure", 3),
    ):
        assert titles[title] in text.split(f"\n  {option} ")[0]
        assert titles[title + 1] not in text.split(f"\n  {option} ")[0]


@pytest.mark.parametrize("name", ALL)
def test_the_examples_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr("tiebreak.lab.engines.usable_cores", lambda: 1)  # each loads all libraries anew
    for line in verb_of(name).examples:
        if f"tiebreak {name} {line}" in IN_PAGES:
            continue
        options = [*name.split(), *shlex.split(line)]
        assert main([*options, *(FEWER if "--run" in options else ())]) == 0, capsys.readouterr().err
        out = capsys.readouterr().out
        files = [Path(options[options.index(flag) + 1]) for flag in ("-o", "--figure", "--export") if flag in options]
        assert out or files
        assert all(file.stat().st_size for file in files)
        if "--json" in options:
            assert json.loads(out)


def test_a_call_loads_its_own_verb_only() -> None:
    code = (
        "import sys, tiebreak.cli as c\ntry: c.main(['compare', '--help'])\nexcept SystemExit: pass\n"
        "print(*(m for m in sys.modules if m.startswith('tiebreak.verbs.')), file=sys.stderr)"
    )
    parts = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr.split()
    assert {name.removeprefix("tiebreak.verbs.") for name in parts} & set(VERBS) == {"compare"}


def test_an_unknown_verb_names_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["nonsense"])
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert all(verb in err for verb in VERBS)


def test_both_directions_are_one_too_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.csv"
    file.write_text("dataset,a,b\nx,1,2\ny,2,1\n")
    assert main(["compare", str(file), "--higher-is-better", "--lower-is-better"]) == 2
    assert capsys.readouterr().err == (
        "tiebreak compare: --higher-is-better and --lower-is-better were both given. Leave one out.\n"
    )


def test_what_the_environment_of_the_demo_lacks_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    file = tmp_path / "t.parquet"
    file.write_bytes(b"PAR1")
    assert main(["compare", str(file)]) == 2
    assert capsys.readouterr().err == (
        "tiebreak compare: polars, which reads Parquet and data frames, is not installed: pip install polars\n"
    )


def test_the_demo_loads_nothing_but_numpy_and_scipy(tmp_path: Path) -> None:
    code = (
        f"import sys, tiebreak.cli as c\nc.main(['demo', '--out', {str(tmp_path)!r}])\n"
        "print(*{name.split('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    parts = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr.split()
    assert not {"polars", "narwhals", "pandas", "sklearn", "matplotlib", "sqlalchemy"} & set(parts), parts
    assert "numpy scipy" in (ROOT / "Makefile").read_text()
