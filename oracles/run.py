"""Hold the functions of `tiebreak.stats` against other programs on hundreds of random inputs: `make oracles`.

The other programs live in an environment of their own, .oracles/venv; R is used where it is installed
(`apt-get install r-base-core`). What is printed is kept in .oracles/results.md.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
HOME = HERE.parent / ".oracles"
PYTHON = HOME / "venv" / "bin" / "python"
PEERS = ("scipy", "statsmodels", "scikit-posthocs", "baycomp", "pingouin", "choix", "evalica")


def main() -> int:
    """Make the environment once for each state of the pins, then compare."""
    pins = HERE / "constraints.txt"
    stamp = HOME / "ready"
    if not stamp.exists() or stamp.read_text() != pins.read_text():
        HOME.mkdir(exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", HOME / "venv"], check=True)
        install = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", pins]
        subprocess.run([*install, *PEERS, "-e", HERE.parent], check=True)
        stamp.write_text(pins.read_text())
    done = subprocess.run([PYTHON, HERE / "compare.py", *sys.argv[1:]], stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout)
    (HOME / "results.md").write_text(done.stdout, encoding="utf-8")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
