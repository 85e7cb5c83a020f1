"""A test that never ends fails soon, and what it started ends with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil

NEVER = """
import pathlib, subprocess, sys, time

def test_waits():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    pathlib.Path(__file__).with_name("pid.txt").write_text(str(child.pid))
    try:
        time.sleep(600)
    except Exception:  # what is under test may go on after errors
        time.sleep(600)

def test_after_it():
    pass
"""


def test_what_never_ends_fails_with_what_it_started(tmp_path: Path) -> None:
    (tmp_path / "test_small.py").write_text(NEVER, encoding="utf-8")
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment = known | {"PYTHONPATH": str(Path(__file__).parent), "TIEBREAK_TEST_SECONDS": "1"}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # to import them takes longer than the tests
    plugins = ["-p", "time_limit", "-p", "no:cacheprovider"]
    call = [sys.executable, "-m", "pytest", "-q", f"--rootdir={tmp_path}", "-c", os.devnull, *plugins, str(tmp_path)]
    done = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=100)
    pid = int((tmp_path / "pid.txt").read_text())
    assert done.returncode == 1 and "1 failed, 1 passed" in done.stdout
    assert "took more than 1 s" in done.stdout and f"{pid} (" in done.stdout
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
