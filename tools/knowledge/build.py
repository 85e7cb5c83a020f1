"""Make the knowledge base that ships with the package: run the plan beside this file, then write what came of it.

    python tools/knowledge/build.py --store knowledge.db

Runs that the store holds already are not repeated. Scores and meta-attributes are the same on every machine with the
same versions of the libraries; times are those of the machine, in CPU seconds.
"""

from __future__ import annotations

import argparse
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from tiebreak.advisor import SHIPPED, Knowledge, MetaTable, characterise, knowledge_text
from tiebreak.lab import run
from tiebreak.lab.plans import read_plan
from tiebreak.reading import read_store

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "src" / "tiebreak" / "meta" / "data" / "knowledge.json"
ORIGINS = {
    "monks1": "monks",
    "monks2": "monks",
    "monks3": "monks",
    "twonorm300": "twonorm",
    "ringnorm300": "ringnorm",
    "waveform40": "waveform",
    "waveform500": "waveform",
    "waveform40-300": "waveform",
    "led500": "led",
}
"""Data sets that are not independent: the same attributes with another class, or other draws of one distribution."""


def main() -> None:
    """Run what is missing, characterise the data sets, write the file."""
    arguments = _arguments()
    plan = read_plan(HERE / "plan.toml")
    print(run(plan, store=arguments.store, jobs=arguments.jobs))
    data = [each.load() for item in plan.datasets for each in item.expand()]
    results = read_store(arguments.store, scores=["accuracy", "train_time", "predict_time"])
    known = Knowledge.from_results(
        results,
        MetaTable.from_mapping({each.name: characterise(each, groups="all") for each in data}),
        time=("train_time", "predict_time"),
        origins=ORIGINS,
        fingerprints={each.name: each.fingerprint for each in data},
        source=SHIPPED,
    )
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(knowledge_text(known, made=_made(plan.seed)), encoding="utf-8")
    print(known)
    print(f"{TARGET.stat().st_size} bytes written")


def _made(seed: int) -> dict[str, str]:
    libraries = ", ".join(f"{name} {version(name)}" for name in ("tiebreak", "scikit-learn", "numpy", "scipy"))
    return {
        "source": SHIPPED,
        "by": "tools/knowledge/build.py",
        "on": datetime.now(UTC).date().isoformat(),
        "with": f"Python {platform.python_version()}, {libraries}",
        "machine": f"shipped ({platform.machine()}, one thread, two runs at a time)",
        "resampling": f"5x2cv, seed {seed}",
        "time": "CPU seconds of training and prediction",
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--store", default="knowledge.db", help="where the runs are kept")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
