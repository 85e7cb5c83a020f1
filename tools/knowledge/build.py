"""Make the knowledge base that ships with the package: run what is missing, then write what came of it.

    python tools/knowledge/build.py --data FOLDER --store knowledge.db
    python tools/knowledge/build.py --data FOLDER --store knowledge.db --write-only

FOLDER is a folder of csv files, class last: NAME.csv.gz for every row of its INDEX.csv (name, rows, numeric_attrs,
symbolic_attrs, classes, source), and TYPES.json, which says of every attribute whether it is numeric or symbolic. The
column `source` names the public place that the rows come from; it is kept beside the results, the rows are not.

Beside this file: plan.toml (learners, seed, resampling, limits, what is left out and what is built in) and origins.csv
(data sets that are not independent, which are left out together). One replication comes first, small data sets before
large ones; then those pairs of data set and learner that are not slow are replicated. It may be stopped at any time:
what the store holds is not run again, and --write-only writes what there is. Scores and meta-attributes are the same on
every machine with the same versions of the libraries; times are those of the machine, in CPU seconds.
"""

from __future__ import annotations

import argparse
import csv
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak.advisor import SHIPPED, Knowledge, knowledge_text, store_knowledge
from tiebreak.lab import Plan, run
from tiebreak.lab.algorithms import catalogue
from tiebreak.lab.engines import LocalEngine
from tiebreak.stores import open_store

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "src" / "tiebreak" / "advisor" / "data" / "knowledge.json"
BY = "tools/knowledge/build.py"


def main() -> None:
    """Run what is missing, unless it is only to be written; write the file."""
    arguments = _arguments()
    setting = tomllib.loads((HERE / "plan.toml").read_text(encoding="utf-8"))
    index = _index(arguments.data)
    if not arguments.write_only:
        sets = list(_references(setting, arguments.data, index))
        classes = {row["name"]: int(row["classes"]) for row in index}
        with LocalEngine(jobs=arguments.jobs) as engine:  # whose helpers serve all plans
            for plan in _plans(setting, sets, classes, arguments.store):
                print(plan, run(plan, store=arguments.store, engine=engine).counts, flush=True)
    known = _known(arguments.store, setting, {row["name"]: row["source"] for row in index})
    arguments.out.write_text(knowledge_text(known), encoding="utf-8")
    print(known)
    print(f"{arguments.out.stat().st_size} bytes written to {arguments.out.name}")


# ---- what is run


def _index(folder: Path) -> list[dict[str, str]]:
    """List the data sets of the folder, the ones that cost least first."""
    with (folder / "INDEX.csv").open(encoding="utf-8", newline="") as file:
        return sorted(csv.DictReader(file), key=_weight)


def _weight(row: Mapping[str, str]) -> int:
    attributes = int(row["numeric_attrs"]) + int(row["symbolic_attrs"])
    return int(row["rows"]) * attributes * int(row["classes"])


def _references(setting: Mapping[str, Any], folder: Path, index: list[dict[str, str]]) -> Iterator[dict[str, object]]:
    """Name the data sets as a plan does: those of the folder, then the built-in ones."""
    types = json.loads((folder / "TYPES.json").read_text(encoding="utf-8"))
    for row in index:
        name = row["name"]
        if name not in setting["leave_out"]:
            symbolic = [column for column, kind in types[name].items() if kind == "symbolic"]
            source = str(folder / f"{name}.csv.gz")
            yield {"source": source, "name": name, "target": "class", "kind": "classes", "symbolic": symbolic}
    for item in setting["builtin"]:
        yield {key: value for key, value in item.items() if key != "data_from"}


def _plans(
    setting: Mapping[str, Any], sets: list[dict[str, object]], classes: Mapping[str, int], store: str
) -> Iterator[Plan]:
    """Give a plan per stage and data set; what a stage leaves out is known when the ones before it have been run."""
    for stage in setting["stage"]:
        learners = [name for name in stage.get("only", setting["algorithms"]) if name not in stage.get("without", ())]
        for item in sets:
            name = str(item["name"])
            if classes.get(name, 0) > stage.get("most_classes", float("inf")):
                continue
            chosen = learners if stage["replications"] == 1 else _quick(setting, store, name, learners)
            if chosen:
                yield _plan(setting, item, chosen, stage["replications"])


def _plan(setting: Mapping[str, Any], item: dict[str, object], learners: list[str], replications: int) -> Plan:
    return Plan.of(
        datasets=[item],
        algorithms=learners,
        resampling={"scheme": setting["scheme"].format(replications=replications), "test": setting["test"]},
        seed=setting["seed"],
        limits=setting["limits"],
        name=setting["name"],
    )


def _quick(setting: Mapping[str, Any], store: str, dataset: str, learners: list[str]) -> list[str]:
    """Return the learners whose first replication ended well and soon, by that replication alone.

    Later ones do not count, so that a run that is taken up again decides as the first did.
    """
    longest: dict[str, float] = {}
    with open_store(store, create=False) as opened:
        for row in opened.rows():
            if row.dataset == dataset and row.replication == "1":
                seconds = row.values.get("train_time", 0.0) if row.status == "ok" else float("inf")
                longest[row.algorithm] = max(seconds, longest.get(row.algorithm, 0.0))
    return [name for name in learners if longest.get(name, float("inf")) < setting["slow"]]


# ---- what is written


def _known(store: str, setting: Mapping[str, Any], published: Mapping[str, str]) -> Knowledge:
    """Read the store as a base: which sets share an origin, where the rows are published, how it came about."""
    knowledge = store_knowledge(store, seed=setting["seed"], origins=_origins())
    knowledge = _whole(
        knowledge.without(datasets=[name for name in setting["leave_out"] if name in knowledge.datasets])
    )
    places = {**published, **{item["name"]: item["data_from"] for item in setting["builtin"]}}
    host = knowledge.made["host"]
    options = {
        "source": SHIPPED,
        "by": BY,
        "resampling": f"{_replications(knowledge)}, no test part, seed {setting['seed']}",
        "artificial": ", ".join(name for name in setting["artificial"] if name in knowledge.datasets),
        "limits": f"{setting['limits']['seconds']} s for each fold",
        "load": " ".join(note for note in knowledge.caveats if note.code == "host-busy"),
        "machine": f"{SHIPPED} ({host}, one thread, two runs at a time)",
    }
    return replace(
        knowledge,
        sources=(SHIPPED,) * len(knowledge.datasets),
        machines=(options["machine"],) * len(knowledge.datasets),
        data_from=tuple(places[name] for name in knowledge.datasets),
        made={**knowledge.made, **options},
        meanings={entry.name: entry.description for entry in catalogue() if entry.name in knowledge.algorithms},
    )


def _whole(known: Knowledge) -> Knowledge:
    """Leave out replications that were cut short: half of one is not comparable with the others."""
    cut = ~np.isfinite(known.accuracy).all(axis=3, keepdims=True)
    cubes = {name: getattr(known, name) for name in ("accuracy", "time")}
    return replace(
        known, **{name: None if cube is None else np.where(cut, np.nan, cube) for name, cube in cubes.items()}
    )


def _replications(known: Knowledge) -> str:
    """Say how often pairs of data set and learner were replicated: slow ones less often."""
    there = np.isfinite(known.accuracy).any(axis=3).sum(axis=2)
    most, pairs = int(there.max()), there[there > 0]
    rest = int((pairs < most).sum())
    return f"{most}x2cv" + (f" ({rest} of {pairs.size} pairs, those that are slow, 1x2cv or more)" if rest else "")


def _origins() -> dict[str, str]:
    with (HERE / "origins.csv").open(encoding="utf-8", newline="") as file:
        return {row["dataset"]: row["origin"] for row in csv.DictReader(file)}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True, help="the folder of csv files, with INDEX.csv, TYPES.json")
    parser.add_argument("--store", default="knowledge.db", help="where the runs are kept")
    parser.add_argument("--jobs", type=int, default=2, help="folds that are run at a time")
    parser.add_argument("--write-only", action="store_true", help="run nothing; write what the store holds")
    parser.add_argument("--out", type=Path, default=TARGET, help="the file to write")
    return parser.parse_args()


if __name__ == "__main__":
    main()
