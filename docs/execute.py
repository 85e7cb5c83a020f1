"""Run what the documentation shows: Python examples as doctests, console blocks as commands with their output."""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)
OF_THEIR_OWN = {"--version"}
"""What says how it was started gets a process; the rest is called, which is quicker."""


def run_page(path: Path, folder: Path) -> list[str]:
    """Run every block of a page in `folder`; return the failures, each as one text."""
    failures = []
    names: dict[str, object] = {}  # the Python blocks of a page share them
    for kind, body in BLOCK.findall(path.read_text(encoding="utf-8")):
        if kind == "python" and ">>>" in body:
            failures += _python(body, path, folder, names)
        elif kind == "console":
            failures += _console(body, path, folder)
    return failures


def _python(body: str, path: Path, folder: Path, names: dict[str, object]) -> list[str]:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    test = doctest.DocTestParser().get_doctest(body, names, path.name, str(path), 0)
    heard: list[str] = []
    with contextlib.chdir(folder):
        doctest.DocTestRunner(optionflags=flags).run(test, out=heard.append, clear_globs=False)
    names.update(test.globs)  # a doctest works on a copy
    return ["".join(heard)] if heard else []


def _console(body: str, path: Path, folder: Path) -> list[str]:
    """A line `$ command` is run; the lines after it are its output, `...` standing for any lines."""
    failures = []
    for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        if command.startswith(("make", "git", "pip", "cd")):
            continue  # set-up, run by CI itself
        text = _said(shlex.split(command), folder)
        if not _matches(expected, text):
            failures.append(f"{path.name}: $ {command}\nexpected:\n{expected}\ngot:\n{text}")
    return failures


def _said(words: list[str], folder: Path) -> str:
    """Run a command and return what it printed, first its output, then what it told beside."""
    if words[0] != "tiebreak" or words[1] in OF_THEIR_OWN:
        ran = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=folder, check=False)
        return ran.stdout + ran.stderr
    from tiebreak.cli import main

    out, beside = io.StringIO(), io.StringIO()
    printing = contextlib.redirect_stdout(out), contextlib.redirect_stderr(beside)
    with contextlib.chdir(folder), printing[0], printing[1], warnings.catch_warnings(), contextlib.suppress(SystemExit):
        warnings.simplefilter("default")  # told beside the output, as in a process of its own
        main(words[1:])
    return out.getvalue() + beside.getvalue()


def _matches(expected: str, got: str) -> bool:
    lines = expected.rstrip().splitlines(keepends=True)
    pattern = "".join(".*" if line.strip() == "..." else re.escape(line) for line in lines)
    return re.fullmatch(pattern + r"\s*", got, re.S) is not None


def run_cells(cells: list[dict[str, Any]], folder: Path) -> list[str]:
    """Run the code cells of a notebook; return those that print or end with something else than is stored."""
    failures: list[str] = []
    names: dict[str, object] = {}
    for cell in (cell for cell in cells if cell["cell_type"] == "code"):
        source = "".join(cell["source"])
        *statements, last = ast.parse(source).body
        out, value = io.StringIO(), None
        with contextlib.chdir(folder), contextlib.redirect_stdout(out):
            if isinstance(last, ast.Expr):
                exec(compile(ast.Module(statements, []), "cell", "exec"), names)
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            else:
                exec(compile(source, "cell", "exec"), names)
        printed = out.getvalue() + ("" if value is None else repr(value))
        stored = "".join("".join(item.get("text") or item["data"]["text/plain"]) for item in cell["outputs"])
        if "".join(printed.split()) != "".join(stored.split()):
            failures.append(f"{source}\nstored:\n{stored}\nnow:\n{printed}")
        if value is not None and "text/html" in cell["outputs"][-1].get("data", {}):
            assert value._repr_html_()  # type: ignore[attr-defined]
    return failures


def main(pages: list[str]) -> int:
    """Run the pages that are named, with the `examples` of this repository; print the failures."""
    import shutil
    import tempfile

    failures = []
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(Path(__file__).parent.parent / "examples", Path(folder) / "examples")
            failures += run_page(Path(page).resolve(), Path(folder))
    print("\n\n".join(failures) or f"{len(pages)} pages run as they say")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
