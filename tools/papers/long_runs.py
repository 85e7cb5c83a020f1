"""Make the recorded values of the ledger of the papers anew: those that take minutes, or data that do not ship.

    python tools/papers/long_runs.py demsar2006 yildiz2014      some minutes
    python tools/papers/long_runs.py ulas2012 --store ulas2012.db
                                       after `tiebreak study ulas2012 FOLDER --full`, which takes 26 CPU minutes
    python tools/papers/long_runs.py uci --data A.csv ...       the 22 sets of docs/multivariate.md

What came out, with its command and seed, goes into src/tiebreak/studies/papers/long_runs.json.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import tiebreak
from tiebreak.studies import measure_study, replicability, ulas2012_study, validation_study

RECORD = Path(__file__).parents[2] / "src" / "tiebreak" / "studies" / "papers" / "long_runs.json"
SEED = 0
TWO, ALL, PAIRS, CONTROL = "two algorithms", "all together", "all pairs", "control"


def demsar2006(_: argparse.Namespace) -> dict[str, Any]:
    """The power study of section 4, on the published table."""
    whole = replicability(rng=SEED, jobs=2)
    rows = whole.ranking()
    command = "tiebreak study replicability"

    def ordered(question: str, wanted: str) -> str:
        names = [str(row["test"]).removeprefix("ranks z, ") for row in rows if row["question"] == question]
        return " > ".join(name for name in names if name in wanted.split("|"))

    def rejections(question: str, test: str) -> list[float]:
        values: list[float] = whole.means()[whole.tests.index((question, test)), :, 1].tolist()
        return values

    print(json.dumps(rows, indent=1, default=str))
    friedman, anova = rejections(ALL, "friedman F"), rejections(ALL, "rm-anova")
    two = {str(row["test"]): float(row["replicability_p"]) for row in rows if row["question"] == TWO}
    result: dict[str, Any] = {
        "figure-3": ordered(TWO, "wilcoxon|paired t|paired t, relative|sign"),
        "figure-5": {
            "small bias": "friedman" if friedman[0] > anova[0] else "anova",
            "large bias": "alike" if abs(friedman[-1] - anova[-1]) < 50 else "friedman",
        },
        "figure-6": {"nemenyi more": sum(rejections(PAIRS, "nemenyi")) > sum(rejections(PAIRS, "tukey"))},
        "figure-7": ordered(CONTROL, "hommel|hochberg|holm|bonferroni-dunn|dunnett"),
        "wilcoxon-replicability": max(two, key=lambda name: two[name]).partition(",")[0],
    }
    one = replicability(rng=SEED, biases=[15], jobs=2)
    cells = {name: one.means()[one.tests.index((TWO, name)), 0] for name in ("paired t", "wilcoxon")}
    result["wilcoxon-p"] = {name: float(cell[0]) for name, cell in cells.items()}
    result["wilcoxon-rejections"] = {name: float(cell[1]) for name, cell in cells.items()}
    return {
        f"demsar2006/{row}": {
            "ours": value,
            "command": f"{command} --bias 15" if "wilcoxon-" in row and row != "wilcoxon-replicability" else command,
            "seed": SEED,
        }
        for row, value in result.items()
    }


def _shares(answer: Any) -> dict[str, float]:
    return {
        "only several": round(100 * answer.only_several / answer.pairs, 1),
        "only single": round(100 * answer.only_single / answer.pairs, 1),
    }


def yildiz2014(_: argparse.Namespace) -> dict[str, Any]:
    """The study of measures on the sets that ship."""
    several = measure_study(seed=SEED)
    answer = next(item for item in several.answers if item.single == "f1")
    return {
        "yildiz2014/finding-f-shipped": {
            "ours": _shares(answer),
            "command": "tiebreak study measures",
            "seed": SEED,
        }
    }


def uci(options: argparse.Namespace) -> dict[str, Any]:
    """The same on the 22 sets of the UCI collection."""
    several = measure_study(data=options.data, seed=SEED)
    about = {
        "command": "tiebreak study measures --data FILE ...",
        "seed": SEED,
        "needs": "22 files of the UCI collection",
    }
    by_single = {answer.single: _shares(answer) for answer in several.answers}
    return {
        "yildiz2014/finding-error": {"ours": by_single["error"], **about},
        "yildiz2014/finding-f": {"ours": by_single["f1"], **about},
    }


def ulas2012(options: argparse.Namespace) -> dict[str, Any]:
    """The experiment of 2012 in a store."""
    study = ulas2012_study(run=False, store=options.store, seed=SEED)
    accuracy = {row["algorithm"]: row["accuracy here"] for row in study.rows()}
    validation = validation_study(options.store, tests=["5x2cv-f"], inner_adjust=["bergmann-hommel"])
    alike = {
        cost: validation.way(f"MultiTest, 5x2cv-f, bergmann-hommel; {current}").changes.equal
        for cost, current in (("train_time", "train_time"), ("space", "model_bytes"))
    }
    about = {"seed": SEED, "needs": "the 38 data sets of the paper; 26 CPU minutes"}
    return {
        "ulas2012/section-4.1": {
            "ours": accuracy,
            "command": "tiebreak study ulas2012 FOLDER --full",
            **about,
        },
        "ulas2012/section-4.7": {
            "ours": alike,
            "command": "tiebreak study validation ulas2012.db",
            **about,
        },
    }


def main() -> None:
    """Make what was asked for, and keep the rest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", choices=["demsar2006", "yildiz2014", "uci", "ulas2012"])
    parser.add_argument("--store", default="ulas2012.db")
    parser.add_argument("--data", nargs="*", default=[])
    args = parser.parse_args()
    data = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    for name in args.runs:
        made = globals()[name](args)
        data |= {row: {**value, "version": tiebreak.__version__} for row, value in made.items()}
        RECORD.write_text(json.dumps(dict(sorted(data.items())), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
