"""Make the base of numbers that ships with the package: run the tasks of numbers.toml, then write what came of it.

    python tools/knowledge/build_numbers.py --data FOLDER --store numbers.db

FOLDER holds the csv files that numbers.toml names and INDEX.csv, as for build.py. Runs that the store holds already are
not repeated, so a run that was broken off goes on where it ended; `--write-only` writes what the store holds without
running anything. Scores and meta-attributes are the same on every machine with the same versions of the libraries;
times are CPU seconds of one.
"""

from __future__ import annotations

import argparse
import csv
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak.advisor import SHIPPED, Knowledge, knowledge_text, store_knowledge
from tiebreak.lab import Plan, run
from tiebreak.lab.algorithms import catalogue

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "src" / "tiebreak" / "advisor" / "data" / "numbers.json"
BY = "tools/knowledge/build_numbers.py"
NOTE = (
    "The base of numbers that ships with Tiebreak is small: {count} tasks of {origins} origins, of at most {rows} rows."
)


def main() -> None:
    """Run what is missing, task by task, and write the file."""
    arguments = _arguments()
    setting = tomllib.loads((HERE / "numbers.toml").read_text(encoding="utf-8"))
    if not arguments.write_only:
        for task in _tasks(setting, arguments.data):
            print(run(_plan(setting, task), store=arguments.store, jobs=arguments.jobs), flush=True)
    known = known_numbers(setting, arguments.store, _places(setting, arguments.data))
    arguments.out.write_text(knowledge_text(known), encoding="utf-8")
    print(known)
    print(f"{arguments.out.stat().st_size} bytes written to {arguments.out.name}")


def known_numbers(setting: Mapping[str, Any], store: str, places: Mapping[str, str]) -> Knowledge:
    """Read the store as a base: which tasks share an origin, how it came about; what was not run to the end is out."""
    origins = {task["name"]: str(task.get("origin", task["name"])) for task in setting["tasks"]}
    knowledge = store_knowledge(store, seed=setting["seed"], origins=origins, kind="number")
    whole = knowledge.measured(timed=False).all(axis=1)
    knowledge = knowledge.datasets_at(np.flatnonzero(whole & [name in origins for name in knowledge.datasets]))
    rows = int(knowledge.meta.matrix[:, knowledge.meta.measures.index("n_examples")].max())
    options = {
        "source": SHIPPED,
        "by": BY,
        "resampling": f"5x2cv, no test part, seed {setting['seed']}; 1x2cv of the tasks that numbers.toml says",
        "limits": f"{setting['limits']['seconds']} s for each fold",
        "load": " ".join(note for note in knowledge.caveats if note.code == "host-busy"),
        "machine": f"{SHIPPED} ({knowledge.made['host']}, one thread)",
        "note": NOTE.format(count=len(knowledge.datasets), origins=len(set(knowledge.origins)), rows=f"{rows:,}"),
    }
    return replace(
        knowledge,
        sources=(SHIPPED,) * len(knowledge.datasets),
        machines=(options["machine"],) * len(knowledge.datasets),
        data_from=tuple(places[name] for name in knowledge.datasets),
        made={**knowledge.made, **options},
        meanings={entry.name: entry.description for entry in catalogue("number") if entry.name in knowledge.algorithms},
    )


def _places(setting: Mapping[str, Any], folder: Path) -> dict[str, str]:
    """Say where the rows of every task are published: as the index of the folder has it, or by the built-in source."""
    with (folder / "INDEX.csv").open(encoding="utf-8", newline="") as file:
        published = {f"{row['name']}.csv.gz": row["source"] for row in csv.DictReader(file)}
    return {task["name"]: published.get(task["source"], task["source"]) for task in setting["tasks"]}


def _tasks(setting: Mapping[str, Any], folder: Path) -> Iterator[dict[str, Any]]:
    """Give every task the path of its file, and say that its target is a number."""
    for task in setting["tasks"]:
        built_in = ":" in task["source"]
        yield {**task, **({} if built_in else {"source": str(folder / task["source"]), "kind": "number"})}


def _reference(task: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in task.items() if name not in ("origin", "replications")}


def _plan(setting: Mapping[str, Any], task: Mapping[str, Any]) -> Plan:
    """Return the plan of one task: tasks are run one after the other, so that small ones are complete early."""
    plain = {name: setting[name] for name in ("name", "seed", "algorithms", "limits")}
    scheme = setting["resampling"]["scheme"].format(replications=task.get("replications", 5))
    return Plan.of(datasets=[_reference(task)], resampling={**setting["resampling"], "scheme": scheme}, **plain)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the csv files")
    parser.add_argument("--store", default="numbers.db", help="where the runs are kept")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write-only", action="store_true", help="run nothing; write what the store holds")
    parser.add_argument("--out", type=Path, default=TARGET, help="the file to write")
    return parser.parse_args()


if __name__ == "__main__":
    main()
