"""Compare speed and accuracy with other tools, side by side in one run; `make bench` calls this.

The peers live in an environment of their own, .bench/venv. What is measured is printed as a table of ratios, with
versions.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOME = ROOT / ".bench"
PYTHON = HOME / "venv" / "bin" / "python"
PEERS = ("scikit-posthocs", "autorank", "aeon", "polars", "narwhals")


def set_up() -> None:
    """Make the environment once for each state of the pins."""
    pins = ROOT / "benchmarks" / "constraints.txt"
    stamp = HOME / "ready"
    if stamp.exists() and stamp.read_text() == pins.read_text():
        return
    HOME.mkdir(exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", HOME / "venv"], check=True)
    install = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", pins]
    subprocess.run([*install, *PEERS, "-e", str(ROOT)], check=True)
    stamp.write_text(pins.read_text())


def main() -> int:
    """Set up, then measure; further arguments choose the benchmarks by name."""
    set_up()
    return subprocess.run([PYTHON, ROOT / "benchmarks" / "measure.py", *sys.argv[1:]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
