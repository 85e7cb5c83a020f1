"""Whole outputs of `tiebreak order`, held against files; `python -m tests.test_order_outputs` writes these anew."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.cli import main

from .every import every

HERE = Path(__file__).parent
EXAMPLES, EXPECTED = HERE.parent / "examples", HERE / "expected" / "order"
TIMED = "EXAMPLES/ulas2012.csv --score accuracy --cost train_time"
FOLDED = "EXAMPLES/optdigits.csv --score accuracy --cost space"
ITEMS = "EXAMPLES/items.csv --score accuracy --cost price --cluster document --column epoch=answer"
CALLS = {
    "worth": f"{TIMED} --full",
    "multitest": f"{TIMED} --rule multitest --full",
    "multitest-trade": f"{TIMED} --rule multitest --trade 0.5pt --full",
    "multi2test": "published:ulas2012 --score accuracy --cost train_time --variant 2012 --full",
    "ranked": f"{TIMED} --rule multi2test --full",
    "worth-screen": TIMED,
    "explain-worth": f"{TIMED} --explain svr,svl",
    "explain-multitest": f"{TIMED} --rule multitest --explain svl,mdt",
    "prior": "EXAMPLES/demsar2006.csv --score auc --prior C4.5,C4.5+m,C4.5+cf,C4.5+m+cf --full",
    "no-cost": "EXAMPLES/demsar2006.csv --score auc --full",
    "one-set": f"{FOLDED} --full",
    "one-set-multitest": f"{FOLDED} --rule multitest --posthoc holm --full",
    "items": f"{ITEMS} --full",
    "items-multitest": f"{ITEMS} --rule multitest --full",
    "one-set-trade": f"{FOLDED} --rule multitest --trade 3pt --full",
    "items-named": f"{ITEMS} --rule multitest --pairwise cluster-t --full",
    "costs-explain": "TABLES/two.csv --cost price=1% --cost latency=0.5pt --explain a,bb",
    "several-one-set": "TABLES/several.csv --score tpr --score fpr --cost train_time --dataset d1 --explain a,dd",
    "totals": "EXAMPLES/totals.csv --full",
    "totals-multitest": "EXAMPLES/totals.csv --rule multitest --full",
    "several": "TABLES/several.csv --score tpr --score fpr --cost train_time --full",
    "losses": "TABLES/losses.csv --full",
    "losses-screen": "TABLES/losses.csv",
    "losses-explain": "TABLES/losses.csv --explain a,dd",
    "gaps": "TABLES/gaps.csv --missing worst-rank --missing-costs costliest --rule multitest --full",
    "gaps-places": "TABLES/gaps.csv --missing worst-rank --missing-costs costliest --rule multi2test --full",
    "two-costs": "TABLES/two.csv --cost price=1% --cost latency=0.5pt --full",
    "zero-cost": "TABLES/two.csv --cost price --trade 60% --full",
    "unknown-cost": "TABLES/two.csv --cost price --missing-costs costliest --rule multitest --full",
    "profit": "TABLES/profit.csv --higher-is-better --trade 3pt --full",
    "unexplained": "TABLES/r2.csv --full",
    "unexplained-explain": "TABLES/r2.csv --trade 5% --explain a,dd",
    "ratings": "TABLES/elo.csv --full",
    "zero-losses": "TABLES/zeros.csv --full",
    "wide-trade": f"{TIMED} --trade 40% --full",
    "perfect": "TABLES/perfect.csv",
    "few": "TABLES/few.csv --rule multitest --full",
    "folds-together": "TABLES/few.csv --pairwise folds --full",
    "two-sets": "TABLES/pair.csv --full",
    "two-sets-multitest": "TABLES/pair.csv --rule multitest --full",
    "two-sets-places": "TABLES/pair.csv --rule multi2test --full",
    "two-sets-explain": "TABLES/pair.csv --rule multi2test --explain a,bb",
    "even-costs": "TABLES/even.csv",
    "even-costs-alone": "TABLES/even.csv --where algorithm=bb",
}
"""The text of each call is compared, and its JSON."""


def write_tables(folder: Path) -> None:
    """Write small tables of every kind."""
    rng = np.random.default_rng(3)
    names, sets = ["a", "bb", "ccc", "dd", "e"], [f"d{i}" for i in range(12)]
    cells = [(d, a, i, j) for i, d in enumerate(sets) for j, a in enumerate(names)]
    levels = np.array([1, 0.9, 1.1, 0.7, 2])
    losses = rng.uniform(0.2, 2, (12, 1)) * levels * rng.lognormal(0, 0.1, (12, 5))
    costs = 10 ** np.array([0, 1, 0.5, 2, -1]) * rng.lognormal(0, 0.2, (12, 5))
    shares = np.clip(0.8 + np.array([0, 0.01, 0.02, -0.02, 0.03]) + rng.normal(0, 0.02, (12, 5)), 0, 1)
    holes = {(1, 2), (4, 0)}

    def write(name: str, header: str, rows: list[tuple[Any, ...]]) -> None:
        with (folder / name).open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([header.split(), *rows])

    timed = "dataset algorithm {} train_time"
    write("losses.csv", timed.format("rmse"), [(d, a, losses[i, j], costs[i, j]) for d, a, i, j in cells])
    gaps = [(d, a, "" if (i, j) in holes else losses[i, j], "" if i == 2 == j else costs[i, j]) for d, a, i, j in cells]
    write("gaps.csv", timed.format("rmse"), gaps)
    zeros = [(d, a, 0 if (i, j) == (2, 1) else losses[i, j] / 5, costs[i, j]) for d, a, i, j in cells]
    write("zeros.csv", timed.format("log_loss"), zeros)
    write("r2.csv", timed.format("r2"), [(d, a, 1 - losses[i, j] / 4.5, costs[i, j]) for d, a, i, j in cells])
    write("elo.csv", timed.format("elo"), [(d, a, 1000 + 300 * shares[i, j], costs[i, j]) for d, a, i, j in cells])
    perfect = [(d, a, min(1, 0.98 + shares[i, j] / 40), costs[i, j]) for d, a, i, j in cells]
    write("perfect.csv", timed.format("accuracy"), perfect)
    write("profit.csv", timed.format("profit"), [(d, a, 300 * shares[i, j] - 200, costs[i, j]) for d, a, i, j in cells])
    priced = [
        (d, a, shares[i, j], 0 if (i, j) == (3, 0) else "" if a == "e" else costs[i, j], costs[i, 4 - j])
        for d, a, i, j in cells
    ]
    write("two.csv", "dataset algorithm accuracy price latency", priced)
    write("groups.csv", "dataset group", [(d, "x" if i < 5 else "y" if i < 11 else "z") for i, d in enumerate(sets)])
    few = np.clip(0.8 + np.array([0, 0.05, 0.02, -0.02])[:, None] + rng.normal(0, 0.02, (4, 4, 10)), 0, 1)
    rows = [(sets[i], names[j], k, few[i, j, k], costs[i, j]) for i in range(4) for j in range(4) for k in range(10)]
    write("few.csv", "dataset algorithm fold accuracy train_time", rows)
    several = [
        (sets[i], names[j], r, f, rng.binomial(50, 0.7 + 0.05 * j) / 50, rng.binomial(50, 0.2 + 0.03 * j) / 50, 1 + j)
        for i in range(6) for j in range(4) for r in range(1, 6) for f in (1, 2)
    ]  # fmt: skip
    paired = [
        (sets[i], names[j], r, f, rng.binomial(50, 0.7 + 0.05 * j) / 50, 1 + 2 * j)
        for i in range(2) for j in range(3) for r in range(1, 6) for f in (1, 2)
    ]  # fmt: skip
    write("pair.csv", "dataset algorithm replication fold accuracy train_time", paired)
    write("even.csv", timed.format("accuracy"), [("d0", "a", 0.8, 5), ("d0", "bb", 0.9, 5)])
    write("several.csv", "dataset algorithm replication fold tpr fpr train_time", several)


def output(call: str, tables: Path) -> str:
    """Return what a call prints."""
    words = call.replace("EXAMPLES", str(EXAMPLES)).replace("TABLES", str(tables)).split()
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert not main(["order", *words])
    return out.getvalue()


def plain(value: Any) -> Any:
    """Round numbers to five digits, and ratios of noise to nothing, so that no machine writes others."""
    if isinstance(value, float):
        return 0.0 if abs(value) < 1e-9 else round(value, 4 - math.floor(math.log10(abs(value))))
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value


def as_json(call: str, tables: Path) -> str:
    """Return the fields of the JSON of a call, one on a line, in the order of the alphabet."""
    fields = plain(json.loads(output(f"{call.removesuffix(' --full')} --json", tables)))
    return "".join(f"{name}: {json.dumps(fields[name], sort_keys=True)}\n" for name in sorted(fields))


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    write_tables(folder)
    return folder


@every("name", CALLS)
def test_the_output_is_the_expected_one(name: str, tables: Path) -> None:
    assert output(CALLS[name], tables) == (EXPECTED / f"{name}.txt").read_text(encoding="utf-8")
    assert as_json(CALLS[name], tables) == (EXPECTED / f"{name}.json.txt").read_text(encoding="utf-8")


def beside(call: str, tables: Path) -> str:
    """Return what a page says beside the tables: the questions of a reader, legends, methods."""
    words = call.replace("EXAMPLES", str(EXAMPLES)).replace("TABLES", str(tables)).split()
    options = {words[i].removeprefix("--").replace("-", "_"): words[i + 1] for i in range(1, len(words) - 1, 2)}
    document = tb.order(words[0], **options).document()
    points = [f"{point.label}: {point.text}" for point in document.points]
    parts = (points, document.lay, document.notes, document.method, document.papers, document.answer)
    pictures = [picture.kind for picture in document.pictures]
    return "\n".join(["\n".join(map(str, part)) for part in (*parts, pictures, [document.heading])]) + "\n"


BESIDE = {
    "beside-worth": TIMED,
    "beside-multitest": f"{TIMED} --rule multitest",
    "beside-losses": "TABLES/losses.csv",
    "beside-one-set": FOLDED,
    "beside-costs": "TABLES/perfect.csv --trade 0pt",
    "beside-no-cost": "EXAMPLES/demsar2006.csv --score auc",
}


@pytest.mark.parametrize("name", BESIDE)
def test_what_stands_beside_the_tables(name: str, tables: Path) -> None:
    assert beside(BESIDE[name], tables) == (EXPECTED / f"{name}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        write_tables(Path(temporary))
        for name, call in CALLS.items():
            (EXPECTED / f"{name}.txt").write_text(output(call, Path(temporary)), encoding="utf-8")
            (EXPECTED / f"{name}.json.txt").write_text(as_json(call, Path(temporary)), encoding="utf-8")
        for name, call in BESIDE.items():
            (EXPECTED / f"{name}.txt").write_text(beside(call, Path(temporary)), encoding="utf-8")
