"""The retry of tests in CI: what is tried again, with which fixtures, and what is reported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COUNTED = """
import pathlib
import pytest

@pytest.fixture(scope="session")
def server():
    count = pathlib.Path(__file__).with_name("starts.txt")
    count.write_text(count.read_text() + "x" if count.exists() else "x")
    if {breaks} and count.read_text() == "x":
        raise OSError("the server did not start")
    return count.read_text()

def test_shaky(server):
    assert server == "{passes}"

def test_firm(server):
    pass

def test_other():
    seen = pathlib.Path(__file__).with_name("other.txt")
    again = seen.exists()
    seen.touch()
    assert again or {others_pass}
"""


def run(folder: Path, *more: str, ci: str, **parts: object) -> tuple[int, list[str]]:
    """Run a small suite that loads the retry as a plugin; return the exit code and what is printed."""
    (folder / "test_small.py").write_text(COUNTED.format(**parts), encoding="utf-8")
    known = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST")}
    environment = known | {"PYTHONPATH": str(Path(__file__).parent)} | ({"CI": ci} if ci else {})
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # to import them takes longer than the tests
    plugins = ["-p", "retrying", "-p", "no:cacheprovider", *(["-p", "xdist"] if more else [])]
    call = [sys.executable, "-m", "pytest", "-q", f"--rootdir={folder}", "-c", os.devnull, *plugins, *more, str(folder)]
    done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


def flaky(lines: list[str]) -> list[str]:
    return [line.rpartition("::")[2] for line in lines if line.startswith("flaky: ")]


@pytest.mark.parametrize("more", [(), ("-n", "1")], ids=["one process", "a worker"])
def test_a_second_attempt_that_passes_is_reported_as_flaky(tmp_path: Path, more: tuple[str, ...]) -> None:
    code, lines = run(tmp_path, *more, ci="true", passes="xx", breaks=False, others_pass=True)
    assert code == 0 and flaky(lines) == ["test_shaky"] and lines[-1].startswith("3 passed")


def test_a_fixture_that_broke_is_made_anew(tmp_path: Path) -> None:
    code, lines = run(tmp_path, ci="true", passes="xx", breaks=True, others_pass=True)
    assert code == 0 and flaky(lines) == ["test_shaky"]


def test_what_fails_twice_fails_once_in_the_report(tmp_path: Path) -> None:
    code, lines = run(tmp_path, ci="true", passes="never", breaks=False, others_pass=True)
    assert code == 1 and flaky(lines) == [] and lines[-1].startswith("1 failed, 2 passed")
    assert (tmp_path / "starts.txt").read_text() == "xx"


def test_other_tests_are_not_tried_again(tmp_path: Path) -> None:
    code, lines = run(tmp_path, ci="true", passes="x", breaks=False, others_pass=False)
    assert code == 1 and flaky(lines) == [] and lines[-1].startswith("1 failed, 2 passed")


def test_outside_of_ci_nothing_is_tried_again(tmp_path: Path) -> None:
    code, lines = run(tmp_path, ci="", passes="xx", breaks=False, others_pass=True)
    assert code == 1 and flaky(lines) == [] and (tmp_path / "starts.txt").read_text() == "x"
