"""Print how large the package is: lines of code and files by package, and the files that `compare` and `order` pass.

`python tools/size.py`. Lines of code are those without blanks, comments and docstrings; a file is passed when one
of its functions runs after it is imported. Stubs, which name what a package exports, count as lines, not as files.
`tests/test_surface.py` holds the sums below a ceiling.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent / "src" / "tiebreak"
SCORES = "dataset,algorithm,accuracy,train_time\n" + "".join(
    f"d{row},{name},{80 + (7 * row + 5 * place) % 11 + place},{place + 1}\n"
    for row in range(8)
    for place, name in enumerate(("nb", "rf", "svm"))
)
TRACED = """
import sys
files, importing = set(), 0
def note(frame, event, _):
    global importing
    if frame.f_code.co_name == "<module>":
        importing += {"call": 1, "return": -1}.get(event, 0)
    elif event == "call" and not importing:
        files.add(frame.f_code.co_filename)
sys.setprofile(note)
from tiebreak.cli import main
main(sys.argv[2:])
sys.setprofile(None)
print("\\n".join(sorted(name for name in files if name.startswith(sys.argv[1]))), file=sys.stderr)
"""


def code_lines(text: str) -> int:
    """Return how many lines of a module hold code."""
    lines = [line.strip() for line in text.splitlines()]
    held = {number for number, line in enumerate(lines, 1) if line and not line.startswith("#")}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                held.difference_update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(held)


def sizes(root: Path = ROOT) -> tuple[Counter[str], Counter[str]]:
    """Return the lines of code and the files of every package."""
    lines: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.pyi")]):
        parts = path.relative_to(root).parts
        package = parts[0] if len(parts) > 1 else "(top level)"
        lines[package] += code_lines(path.read_text(encoding="utf-8"))
        files[package] += path.suffix == ".py"
    return lines, files


def passed(verb: str, *options: str) -> list[str]:
    """Return the files of the package with a function that runs in one call on a csv file, in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "results.csv"
        table.write_text(SCORES, encoding="utf-8")
        call = [sys.executable, "-c", TRACED, f"{ROOT}/", verb, str(table), *options]
        environment = os.environ | {"PYTHONPATH": str(ROOT.parent)}
        done = subprocess.run(call, env=environment, capture_output=True, text=True, check=True)
    return [line.removeprefix(f"{ROOT}/") for line in done.stderr.splitlines() if line.startswith(f"{ROOT}/")]


def main() -> None:
    """Print the table."""
    lines, files = sizes()
    print(f"{'package':24}{'lines':>7}{'files':>7}")
    for package in sorted(lines):
        print(f"{package:24}{lines[package]:7}{files[package]:7}")
    print(f"{'all':24}{lines.total():7}{files.total():7}\n")
    print(f"files that compare passes: {len(passed('compare', '--score', 'accuracy'))}")
    print(f"files that order passes: {len(passed('order', '--score', 'accuracy', '--cost', 'train_time'))}")


if __name__ == "__main__":
    main()
