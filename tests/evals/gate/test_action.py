"""The GitHub Action: its file parses, and its script does what it says with inputs of any letters."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent.parent
yaml = pytest.importorskip("yaml", reason="PyYAML, which reads the file of the action, is not installed")


def step() -> dict[str, object]:
    """The step that runs the gate."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return next(item for item in action["runs"]["steps"] if item.get("id") == "gate")


def run(folder: Path, **inputs: str) -> tuple[int, str, str, str]:
    """Run the script as a runner would; returns the exit code, what it printed, the summary and the outputs."""
    usual = dict.fromkeys(step()["env"], "") | {"UNDECIDED": "fail", "JUNIT": str(folder / "junit.xml")}  # type: ignore[call-overload]
    program = folder / "bin" / "tiebreak"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tiebreak "$@"\n')
    program.chmod(0o755)
    files = {name: str(folder / name) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", str(step()["run"])],
        env={**os.environ, **usual, **inputs, **files, "PATH": path},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    written = [Path(file).read_text(encoding="utf-8") for file in files.values()]
    return process.returncode, process.stdout, *written


def test_every_input_is_used_and_none_becomes_part_of_the_script() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    action = yaml.safe_load(text)
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(action["inputs"])
    for item in action["runs"]["steps"]:
        assert "${{" not in item.get("run", "")
        assert "uses" not in item or re.search(r"@(v\d+|[0-9a-f]{40})$", item["uses"])


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_script_passes_warns_and_fails(tmp_path: Path) -> None:
    sides = {"BASE": "examples/gate_base.csv", "CANDIDATE": "examples/gate_candidate.csv"}
    code, out, summary, outputs = run(tmp_path, **sides, MARGIN="0.02", COST="price")
    assert code == 0 and "## PASS: v1.5 is not worse than v1.4" in summary and summary in out
    assert outputs == "verdict=pass\nexit-code=0\n" and (tmp_path / "junit.xml").exists()
    (tmp_path / "GITHUB_OUTPUT").unlink()
    code, out, _, outputs = run(tmp_path, **sides, MARGIN="0.005", UNDECIDED="pass", OPTIONS="--alpha 0.01 --anytime")
    assert code == 0 and "::warning" in out and "verdict=undecided\nexit-code=3" in outputs
    hostile = "$(touch hacked); `touch hacked` \"'"
    code, out, summary, outputs = run(tmp_path, BASE="examples/gate_base.csv", BASE_NAME=hostile, MARGIN="0.01")
    assert code == 2 and "verdict=error" in outputs and not (ROOT / "hacked").exists()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_names_that_look_like_options_stay_names(tmp_path: Path) -> None:
    table = (ROOT / "examples" / "gate_base.csv").read_text(encoding="utf-8")
    (tmp_path / "-b.csv").write_text(table.replace("v1.4", "--json"), encoding="utf-8")
    code, out, _, outputs = run(
        tmp_path, BASE=str(tmp_path / "-b.csv"), CANDIDATE="examples/gate_candidate.csv", BASE_NAME="--json",
        MARGIN="0.02", OPTIONS="--alpha 0.05\n--power 0.9\n",
    )  # fmt: skip
    assert code == 0 and "v1.5 is not worse than --json" in out.replace("\\", "") and "power 0.9" in out
    assert outputs == "verdict=pass\nexit-code=0\n"
    (tmp_path / "GITHUB_STEP_SUMMARY").write_text("")
    code, out, _, _ = run(tmp_path, BASE="examples/gate_base.csv", MARGIN="0.02", UNDECIDED="warn")
    assert code == 2 and out.startswith("::error") and "neither fail nor pass" in out
