"""Questions that a key answers on a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")


def typed(key: str, question: str, *words: str) -> tuple[int, str]:
    """Run a command on a terminal and press a key at its question; return its exit code and what it wrote."""
    ours, theirs = pty.openpty()
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "NO_COLOR": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tiebreak", *words], **streams, env=environment, start_new_session=True
    )
    os.close(theirs)
    text = ""
    try:
        while piece := os.read(ours, 65536).decode():
            text += piece
            if question in text and key:
                os.write(ours, key.encode())
                key = ""
    except OSError:  # the other side is closed
        pass
    finally:
        os.close(ours)
        code = process.wait(60)
    return code, text.replace("\r", "")


@pytest.mark.parametrize(("key", "way", "best"), [("h", "higher", "oak"), ("l", "lower", "elm")])
def test_a_key_answers_which_direction_is_better(key: str, way: str, best: str, tmp_path: Path) -> None:
    file = tmp_path / "q.csv"
    file.write_text("dataset,elm,oak\n" + "".join(f"d{at},{at}.1,{at + 1 + at / 9:.2f}\n" for at in range(12)))
    code, text = typed(key, "score better?", "compare", str(file))
    assert code == 0
    assert f"Next time: tiebreak compare {file} --{way}-is-better\n" in text
    assert text.partition("\n\n")[2].startswith(f"{best} is significantly better than ")
    for other in ("x", "\x04"):
        code, text = typed(other, "score better?", "compare", str(file))
        assert code == 2
        assert text.endswith(f"If lower is better: tiebreak compare {file} --lower-is-better\n")


@pytest.mark.parametrize(("key", "ran"), [("y", True), ("n", False)])
def test_a_key_runs_a_plan(key: str, ran: bool, tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")
    (tmp_path / "plan.toml").write_text('datasets = ["builtin:iris"]\nalgorithms = ["nb", "lda"]\n')
    store = tmp_path / "results.db"
    code, text = typed(key, "Run it now", str(tmp_path / "plan.toml"), "--store", str(store))
    assert code == 0
    assert f"To run it: tiebreak run {tmp_path / 'plan.toml'}" in text
    assert store.exists() == ran
