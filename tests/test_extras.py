"""A base install: every verb answers, or says in one line which extra to install."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tiebreak.errors import EXTRAS, not_installed

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
BLOCKED = " ".join(EXTRAS.values()).split()
HOOK = f"""
from importlib.machinery import PathFinder
find = PathFinder.find_spec
def find_spec(name, path=None, target=None):
    return None if name.split(".")[0] in {BLOCKED!r} else find(name, path, target)
PathFinder.find_spec = find_spec
"""
PIP = re.compile(r"pip install '?tiebreak\[([a-z,]+)\]'?")

CALLS = {
    "demo": "",
    "read ulas2012.csv": "",
    "check paper.tex": "",
    "compare demsar2006.csv --score auc": "",
    "compare demsar2006.csv --score auc --figure out.svg": "",
    "compare demsar2006.csv --score auc --figure out.png": "figures",
    "compare --store results.db --score auc": "lab",
    "order ulas2012.csv --cost train_time": "",
    "multivariate breast_cancer.csv --scores tpr,fpr": "",
    "power items.csv --score accuracy --column epoch=answer --column cluster=document": "",
    "battles votes.csv": "",
    "gate gate_base.csv gate_candidate.csv --margin 0.05": "",
    "run plan.toml": "lab",
    "run plan.toml --dry-run": "lab",
    "store results.db": "lab",
    "store results.db --import demsar2006.csv --origin Demsar --score auc": "lab",
    "recommend data.csv": "",
    "recommend data.csv --run 60s": "lab",
    "recommend builtin:iris --run 60s": "lab",
    "recommend book.xlsx": "sheets",
    "read book.xlsx": "sheets",
    "report demsar2006.csv --score auc -o page.html": "",
    "board demsar2006.csv --score auc -o board": "",
    "study ulas2012": "lab",
    "serve": "web",
    "mcp": "mcp",
    "completion bash": "",
    "ulas2012.csv": "",
    "plan.toml": "lab",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples, a data set and a workbook beside a module that hides the extras."""
    place = tmp_path_factory.mktemp("base")
    for path in EXAMPLES.iterdir():
        (place / path.name).write_bytes(path.read_bytes())
    rows = "\n".join(f"{i % 7},{i * 31 % 100},{'ab'[i % 2]}" for i in range(60))
    (place / "data.csv").write_text(f"x1,x2,class\n{rows}\n")
    with zipfile.ZipFile(place / "book.xlsx", "w") as book:
        book.writestr("[Content_Types].xml", "<Types/>")
        book.writestr("xl/workbook.xml", "<workbook/>")
    (place / "sitecustomize.py").write_text(HOOK)
    return place


EACH_IN_A_FORK = """
import os, sys
from tiebreak.cli import main
import numpy
for number, command in enumerate(sys.argv[1:]):
    if (child := os.fork()) == 0:
        for stream, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(f"{number}.{name}", os.O_WRONLY | os.O_CREAT), stream)
        sys.exit(main(command.split()))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
"""Starting Python and loading numpy takes longer than most commands: that is done once."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the commands run in forks of one process")
def test_a_base_install_answers_or_names_the_extra(folder: Path) -> None:
    paths = os.pathsep.join([str(folder), str(ROOT / "src")])
    done = subprocess.run(
        [sys.executable, "-u", "-c", EACH_IN_A_FORK, *CALLS],
        cwd=folder, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    wrong = []
    for number, (code, (command, extra)) in enumerate(zip(done.stdout.split(), CALLS.items(), strict=True)):
        text = (folder / f"{number}.err").read_text(encoding="utf-8")
        named = PIP.search(text)
        if extra:
            right = int(code) == 2 and named is not None and extra in named[1].split(",")
        else:
            right = int(code) in (0, 1, 3)
        if not right or "Traceback" in text:
            wrong.append(f"{command}: {code}, {text}")
    assert not wrong, "\n".join(wrong)


def test_the_extras_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    for extra, modules in EXTRAS.items():
        needs = " ".join(extras[extra]).lower().replace("-", "_")
        for module in modules.split():
            package = {"sklearn": "scikit_learn", "dask": "distributed", "h11": "uvicorn"}.get(module, module)
            assert package in needs, (extra, module)
            assert str(not_installed(f"{module}.part")).endswith(f"pip install 'tiebreak[{extra}]'")
    assert not_installed("numpy") is None
