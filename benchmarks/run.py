"""Compare speed and accuracy with other tools, side by side in one run; `make bench` calls this.

The peers live in an environment of their own, .bench/venv. What is measured is printed as a table of ratios, with
versions, and kept in .bench/results.md.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOME = ROOT / ".bench"
PYTHON = HOME / "venv" / "bin" / "python"
PEERS = (
    "scikit-posthocs",
    "autorank",
    "aeon",
    "baycomp",
    "statsmodels",
    "pingouin",
    "pymfe",
    "scikit-learn",
    "numpy",
    "scipy",
    "polars",
    "narwhals",
)


def set_up() -> None:
    """Make the environment once for each state of the pins."""
    pins = ROOT / "benchmarks" / "constraints.txt"
    stamp = HOME / "ready"
    if stamp.exists() and stamp.read_text() == pins.read_text():
        return
    HOME.mkdir(exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", HOME / "venv"], check=True)
    install = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", pins]
    subprocess.run([*install, *PEERS, "-e", f"{ROOT}[lab]"], check=True)
    stamp.write_text(pins.read_text())


def measure(chosen: list[str]) -> int:
    """Run the benchmarks; show what they print as it comes, and keep it."""
    command = [PYTHON, ROOT / "benchmarks" / "measure.py", *chosen]
    text = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            text.append(line)
    if process.returncode == 0:
        (HOME / "results.md").write_text("".join(text), encoding="utf-8")
    return process.returncode


def main() -> int:
    """Set up, then measure; further arguments choose the benchmarks by name."""
    set_up()
    return measure(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
