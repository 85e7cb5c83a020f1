"""Exit codes and streams of the command line: JSON alone on standard output, mistakes on standard error with 2."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tiebreak.cli import VERBS, main

RUN = (sys.executable, "-m", "tiebreak")
MISTAKES = (
    "compare nowhere.csv",
    "compare examples/demsar2006.csv",
    "compare examples/demsar2006.csv --score auc --posthoc tucky",
    "order examples/ulas2012.csv --score accuracy --cost train_tiem",
    "order examples/ulas2012.csv --score accuracy --cost train_time --trade 1",
    "multivariate examples/breast_cancer.csv --scores tpr,",
    "gate examples/gate_base.csv examples/gate_candidate.csv",
    "power --items 500",
    "battles examples/votes.csv --ties elo",
    "recommend",
    "recommend --known nowhere",
    "study nothing",
    "store nowhere.db",
)


@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_ends_with_2_and_says_so_on_standard_error(
    command: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"tiebreak {command.split()[0]}: ")
    assert "Traceback" not in err


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([verb, "--help"])
    assert ended.value.code == 0
    assert f"tiebreak {verb}" in capsys.readouterr().out


def test_an_unknown_option_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["compare", "examples/demsar2006.csv", "--no-such-option"])
    assert ended.value.code == 2
    assert "--no-such-option" in capsys.readouterr().err


def test_the_program_prints_json_and_nothing_else(here: Path) -> None:
    command = ["order", "examples/ulas2012.csv", "--score", "accuracy", "--cost", "train_time", "--json"]
    done = subprocess.run([*RUN, *command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["rule"] == "worth"


def test_the_program_ends_with_2_after_a_mistake(here: Path) -> None:
    done = subprocess.run([*RUN, "compare", "nowhere.csv"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tiebreak compare: ")
