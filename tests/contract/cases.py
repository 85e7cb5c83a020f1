"""The commands whose JSON is pinned, and how an answer is made comparable.

The tables are those of `examples/`, the published ones that the package carries, and one plan that is run into a store.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SNAPSHOTS = Path(__file__).parent / "snapshots"
STORE = "STORE"
"""Stands in a command for the store that `PLAN` was run into."""
PLAN = 'datasets = ["builtin:iris", "builtin:monks1"]\nalgorithms = ["nb", "lda"]\nresampling = "2x2cv"\n'

_ULAS = "published:ulas2012 --score accuracy"
CASES: Mapping[str, str] = {
    "read": "read examples/gate_base.csv",
    "read-wide": "read examples/demsar2006.csv --score auc",
    "compare": "compare examples/demsar2006.csv --score auc",
    "compare-control": f"compare {_ULAS} --control 5nn --posthoc holm",
    "compare-nemenyi": "compare published:demsar2006 --omnibus friedman-chi2 --posthoc nemenyi --alpha 0.1",
    "compare-items": "compare examples/items.csv --score accuracy --item item --cluster document --where 'answer == 1'",
    "order-worth": f"order {_ULAS} --cost train_time",
    "order-trade": f"order {_ULAS} --cost train_time=1% --cost space=0.5%",
    "order-accd": "order examples/ulas2012.csv --score accuracy --cost train_time --accd 0.1 --explain svr,svl",
    "order-multitest": "order examples/optdigits.csv --score accuracy --cost train_time --rule multitest"
    " --dataset optdigits --inner-adjust none",
    "order-multi2test": f"order {_ULAS} --cost train_time --rule multi2test",
    "order-2008": f"order {_ULAS} --cost space --variant 2008",
    "order-prior": f"order {_ULAS} --rule multitest --prior 5nn,c45,svl,mdt,lnp,mlp,sv2,svr --pairwise sign",
    "order-items": "order examples/gate_base.csv examples/gate_candidate.csv --score accuracy --cost price",
    "multivariate": "multivariate examples/breast_cancer.csv --scores tpr,fpr",
    "multivariate-published": "multivariate examples/breast_cancer.csv --scores precision,recall --one-way"
    " --resampling-correction none --test normal --cost train_time",
    "gate": "gate examples/gate_base.csv examples/gate_candidate.csv --margin 0.02 --cost price",
    "gate-table": "gate published:ulas2012 --base svr --candidate mlp --margin 1% --score accuracy",
    "battles": "battles examples/votes.csv --prices examples/prices.csv --cost price",
    "battles-scores": "battles examples/ulas2012.csv --score accuracy --cost train_time",
    "power-items": "power --items 500 --discordant 0.2",
    "power-difference": "power --difference 0.01 --discordant 0.1 --pairs 15",
    "power-table": "power examples/gate_base.csv examples/gate_candidate.csv --difference 0.02",
    "board": f"board {_ULAS} --cost train_time --date 2026-11-17 -o board",
    "report": "report examples/demsar2006.csv --score auc -o report.html",
    "recommend": "recommend --known wine --method mean-rank",
    "recommend-arr": "recommend --known wine --method arr --trade '1% for 10x' --neighbours 5"
    " --algorithms c45,nb,lda,5nn",
    "check": "check examples/paper.tex",
    "store": "store STORE",
    "order-store": "order --store STORE --score accuracy --cost train_time --rule multitest",
    "study": "study error-rates --algorithms 3 --datasets 10 --repetitions 5 --noise normal",
    "study-wins": "study wins examples/demsar2006.csv --score auc",
}
"""Every command, without `--json`, by the name of its snapshot."""

CODES: Mapping[str, int] = {"gate-table": 1}
"""Exit codes other than 0."""

TIMED: Mapping[str, tuple[str, ...]] = {
    "order-store": ("rule", "algorithms", "datasets", "score", "mean_ranks", "alpha"),
    "store": ("counts", "measures", "costs"),
}
"""Answers that depend on measured times: only these of their fields are pinned."""

_DROPPED = ("version", "tiebreak", "created", "seconds", "written", "host", "path", "file", "report", "out", "store")
_WORDS = 5
"""Texts with more blanks are sentences, whose wording is pinned nowhere."""
_LIMIT = 30
"""Longer lists are pinned by their first rows and their length."""


def words(command: str, store: Path | None) -> list[str]:
    """Split a command as a shell does."""
    import shlex

    return [str(store) if word == STORE else word for word in shlex.split(command)]


def answer(arguments: Sequence[str]) -> tuple[int, str]:
    """Run a command in this process; return its exit code and its standard output."""
    from tiebreak.cli import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main(list(arguments))
    return code, out.getvalue()


def pinned(name: str, data: Any) -> Any:
    """Return what is stored of an answer: no clock, no version, no place, and long lists by their beginning."""
    if name in TIMED:
        data = {key: data[key] for key in TIMED[name] if key in data}
    return _plain(data)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if key not in _DROPPED}
    if isinstance(value, list):
        rest = [f"{len(value)} in all"] if len(value) > _LIMIT else []
        return [_plain(item) for item in value[:_LIMIT]] + rest
    if isinstance(value, str) and value.count(" ") > _WORDS:
        return "a sentence"
    return value


def differences(before: Any, now: Any, place: str = "$") -> list[str]:
    """Return where two answers differ; numbers may differ in their eighth digit."""
    if isinstance(before, dict) and isinstance(now, dict):
        missing = [f"{place}.{key} is missing" for key in before if key not in now]
        added = [f"{place}.{key} is new" for key in now if key not in before]
        shared = [key for key in before if key in now]
        inside = (line for key in shared for line in differences(before[key], now[key], f"{place}.{key}"))
        return [*missing, *added, *inside]
    if isinstance(before, list) and isinstance(now, list):
        if len(before) != len(now):
            return [f"{place} has {len(now)} elements, not {len(before)}"]
        pairs = enumerate(zip(before, now, strict=True))
        return [line for i, (a, b) in pairs for line in differences(a, b, f"{place}[{i}]")]
    numbers = all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in (before, now))
    same = math.isclose(before, now, rel_tol=1e-7, abs_tol=1e-10) if numbers else before == now
    return [] if same else [f"{place} is {now!r}, not {before!r}"]


def snapshot(name: str) -> Any:
    """Return the stored answer."""
    return json.loads((SNAPSHOTS / f"{name}.json").read_text(encoding="utf-8"))
