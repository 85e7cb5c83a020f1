"""Build wheel and sdist, check them, and try them in clean environments: `make release`.

Every case is an environment of its own below .release, into which the built wheel is installed with one extra, or with
the oldest or the newest versions; then commands and pages of the documentation are run there.
`python tools/release.py base oldest` tries some cases.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOME = ROOT / ".release"
BASE = ("README.md", "docs/start.md", "docs/ordering.md", "docs/gate.md", "docs/battles.md", "docs/checking.md")
LAB = ("docs/lab.md", "docs/advisor.md")
CASES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    # the extras, the constraints, and the pages or the module that must work
    "base": ("", "", BASE),
    "frames": (
        "[frames]",
        "",
        ("-c", "import pandas as p, tiebreak as t; t.compare(p.DataFrame({'a':[1.,2,3],'b':[2.,3,5]}), score='auc')"),
    ),
    "figures": ("[figures]", "", ("-m", "tiebreak", "figure", "published:ulas2012", "cd", "-o", "cd.pdf")),
    "sheets": ("[sheets]", "", ("-c", "import tiebreak.readers, python_calamine")),
    "lab": ("[lab]", "", LAB),
    "boosting": ("[boosting]", "", ("-m", "tiebreak", "recommend", "builtin:wine", "--pilot", "2s")),
    "postgres": ("[postgres]", "", ("-c", "import psycopg, tiebreak.stores")),
    "dask": ("[dask]", "", ("-c", "import distributed, tiebreak.lab")),
    "web": ("[web]", "", ("-m", "tiebreak", "serve", "--help")),
    "mcp": ("[mcp]", "", ("-c", "import mcp, tiebreak.web")),
    # docs/lab.md orders by the size of pickled models, which other versions of scikit-learn change by a few per cent
    "oldest": ("[frames,figures,sheets,lab]", "constraints-oldest.txt", (*BASE, "docs/advisor.md")),
    "newest": ("[frames,figures,sheets,lab,web,mcp]", "constraints.txt", (*BASE, *LAB)),
}


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a command; end with what it printed where it fails."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def build() -> Path:
    """Build wheel and sdist in an environment of their own, check both, and return the wheel."""
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    run(sys.executable, "-m", "venv", HOME / "build")
    python = HOME / "build" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "build", "twine")
    run(python, "-m", "build")
    files = sorted((ROOT / "dist").iterdir())
    run(python, "-m", "twine", "check", "--strict", *files)
    print("built and checked:", *(f"{path.name} ({path.stat().st_size / 1e6:.1f} MB)" for path in files))
    return next(path for path in files if path.suffix == ".whl")


def attempt(name: str, wheel: Path) -> None:
    """Install one case in a clean environment, and run what must work there."""
    extras, constraints, words = CASES[name]
    place = HOME / name
    shutil.rmtree(place, ignore_errors=True)
    run(sys.executable, "-m", "venv", place)
    python = place / "bin" / "python"
    pins = ["-c", ROOT / constraints] if constraints else []
    run(python, "-m", "pip", "install", "--quiet", *pins, f"{wheel}{extras}")
    if words[0].endswith(".md"):
        run(python, ROOT / "docs" / "execute.py", *(ROOT / page for page in words), cwd=place)
    else:
        run(python, *words, cwd=place)
    print(f"{name}: works")


def main(names: list[str]) -> None:
    """Build, then try the cases that are named, or all."""
    HOME.mkdir(exist_ok=True)
    wheel = build()
    for name in names or CASES:
        attempt(name, wheel)


if __name__ == "__main__":
    main(sys.argv[1:])
