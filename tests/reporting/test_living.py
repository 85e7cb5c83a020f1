"""The order that a report computes in the page is the one that the package computes, at every setting it offers."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tiebreak import Report, Results, compare, order, published, report, with_costs
from tiebreak.advisor.rankings import rank_by_a3r
from tiebreak.deciding.order import Ordering, decisions_at_settings
from tiebreak.deciding.order._explaining import _difference, _own, _test, _verdict
from tiebreak.deciding.order._settings import margins_of
from tiebreak.reporting.living import ACCDS, _table, exchange, ordered, success_of

ULAS = published.ulas2012()
SHARED = os.environ.get("TIEBREAK_SHARED")
READ = """async (settings) => { const out = []; for (const [level, margin, undecided] of settings) {
  const set = (id, value) => {
    const each = document.getElementById(id);
    each.value = value;
    each.dispatchEvent(new Event("input"));
  };
  document.getElementById("undecided").checked = undecided !== "cheaper";
  set("margin", margin === null ? 0 : margin + 1);
  set("alpha", level);
  const data = JSON.parse(document.getElementById("data").textContent).orders[0], count = data.algorithms.length;
  const standing = new Tiebreak.Standing(data, { level, margin, undecided }), verdicts = [], explained = [];
  for (let i = 0; i < count; i += 1) for (let j = i + 1; j < count; j += 1) {
    verdicts.push(standing.verdict(i, j));
    if (count < 15 || (7 * i + j) % 31 === 0) explained.push([i, j, standing.explain(i, j)]);
  }
  // rows that nobody sees are written after the frame
  while (document.querySelector("#live tbody").ariaBusy === "true") await new Promise((done) => setTimeout(done, 5));
  const rows = Array.from(document.querySelectorAll("#live tbody tr"));
  const text = (row, what) => row.querySelector(what).textContent;
  const read = (row) => [text(row, "b"), row.cells[3].textContent, text(row, "small")];
  out.push({ rows: rows.map(read), verdicts, explained });
} return out; }"""


def generated(
    seed: int, shape: tuple[int, int] = (20, 6), folds: int = 1, digits: int = 1, gap: float = 0.05
) -> Results:
    """Scores of few digits, so that many tie, and costs of few different values."""
    rng = np.random.default_rng(seed)
    names = [f"algorithm {i}" for i in range(shape[1])]
    scores = 0.6 + gap * np.arange(shape[1])[:, None] + rng.normal(0, 0.1, (*shape, folds))
    table = Results.from_array(np.round(scores, digits), score="accuracy", algorithms=names)
    costs = np.round(rng.lognormal(0, 2, shape), 1)
    return with_costs(table, Results.from_array(costs, score="train_time", algorithms=names))


def right_or_wrong(seed: int) -> Results:
    rng = np.random.default_rng(seed)
    table = Results.from_array(rng.integers(0, 2, (60, 4)).astype(float), score="accuracy", algorithms=list("abcd"))
    return with_costs(table, Results.from_array(rng.random((60, 4)), score="train_time", algorithms=list("abcd")))


def drawn(data: dict[str, Any], count: int, seed: int) -> list[tuple[int, int | None, str]]:
    """Draw settings, the report's own first; without a margin nothing is undecided."""
    rng = random.Random(seed)
    other = "better" if data["undecided"] == "better" else "costlier"
    out: list[tuple[int, int | None, str]] = [(data["level"], data["margin"], data["undecided"])]
    for _ in range(count):
        margin = rng.choice([None, *range(len(data["margins"]))])
        undecided = "cheaper" if margin is None else rng.choice(["cheaper", other])
        out.append((rng.randrange(len(data["levels"])), margin, undecided))
    return out


def explained_at(found: Ordering, own: Ordering, i: int, j: int, known: dict[Any, list[str]]) -> str:
    """What `explain` says at another setting, with the interval of the report and without its resamples.

    What it says of the difference hangs on the setting by who stands first alone, and is `known` from then on.
    """
    gate = [f"The omnibus test does not reject, so {own.words.prior} decides every place."] if own.gated else []
    pair = i, j, bool(own.standing.place[i] < own.standing.place[j])
    if pair not in known:
        known[pair] = _difference(replace(found, standing=own.standing), i, j)
    tested = [_test(own, i, j), *_own(own, i, j)]
    return " ".join([own.standing.explain(i, j), *gate, *tested, *known[pair], *_verdict(own, i, j)])


def plain(found: Ordering) -> Report:
    """A report without its figures, which the order does not need."""
    made = report(found)
    return replace(made, parts=tuple(replace(part, pictures=()) for part in made.parts))


def check(opened: Any, found: Ordering, again: Callable[..., Ordering], count: int = 25) -> None:
    """Move the controls of the page and ask the package the same."""
    page, seen = opened(plain(found))
    data = page.evaluate("JSON.parse(document.getElementById('data').textContent).orders[0]")
    margins = margins_of(found)
    settings = drawn(data, count, seed=len(found.algorithms))
    shown = page.evaluate(READ, settings)
    assert seen == []
    known: dict[Any, list[str]] = {}
    for (level, margin, undecided), told in zip(settings, shown, strict=True):
        asked = {} if margin is None else {"margin": margins[margin], "undecided": undecided}
        own = again(alpha=data["levels"][level], **asked)
        assert told["rows"] == [[each.algorithm, each.by, each.text] for each in own.reasons], (
            level,
            margin,
            undecided,
        )
        verdicts = {frozenset((each.cheaper, each.costlier)): each.verdict for each in own.verdicts}
        names = found.algorithms
        pairs = [frozenset((x, y)) for k, x in enumerate(names) for y in names[k + 1 :]]
        assert told["verdicts"] == [verdicts[pair] for pair in pairs]
        for i, j, text in told["explained"]:
            same = (level, margin) == (data["level"], data["margin"]) and (
                margin is None or undecided == data["undecided"]
            )
            assert text == (found.explain(names[i], names[j]) if same else explained_at(found, own, i, j, known))


@pytest.mark.parametrize(
    "told",
    [
        {"cost": "train_time"},
        {"cost": "space", "alpha": 0.037},
        {"cost": ["space", "train_time"], "pairwise": "sign"},
        {"cost": "train_time", "posthoc": "holm", "pairwise": "paired-t"},
        {"prior": list(ULAS.algorithms)},
        {"cost": "train_time", "equal_within": "auto"},
        {"cost": "train_time", "family": "own"},
        {"cost": "train_time", "over": "places"},
        {"cost": "train_time", "variant": "2008"},
        {"cost": "train_time", "dataset": "optdigits"},
        {"cost": "space", "datasets": list(ULAS.datasets)[:10]},
    ],
    ids=str,
)
def test_published_results(opened: Any, told: dict[str, Any]) -> None:
    made = {"score": "accuracy", "draws": 60, **told}
    again = {**made, "draws": 0}
    again.pop("alpha", None)
    check(opened, order(ULAS, **made), lambda **asked: order(ULAS, **again, **asked))


@pytest.mark.parametrize(("margin", "undecided"), [(1.25, "costlier"), ("2%", "costlier"), (1.25, "better")])
def test_a_report_with_a_margin_of_its_own(opened: Any, margin: Any, undecided: str) -> None:
    made = {"score": "accuracy", "cost": "train_time"}
    found = order(ULAS, margin=margin, undecided=undecided, draws=60, **made)
    check(opened, found, lambda **asked: order(ULAS, draws=0, **made, **asked))


@pytest.mark.parametrize(
    "table",
    [generated(1), generated(2, (7, 5), folds=10, digits=3), generated(3, (40, 12), digits=2), right_or_wrong(4)],
    ids=["ties", "few data sets: folds at small levels", "twelve", "right or wrong"],
)
def test_generated_results(opened: Any, table: Results) -> None:
    made = {"score": "accuracy", "cost": "train_time", "ties": "score"}
    if len(table.algorithms) == 12:
        made["posthoc"] = "shaffer"  # the usual correction takes long at twelve, again and again
    check(opened, order(table, draws=60, **made), lambda **asked: order(table, draws=0, **made, **asked))


def test_a_board_of_totals(opened: Any) -> None:
    """By items the page says what the package says of places and verdicts; intervals hang on the level there."""
    rng = np.random.default_rng(5)
    passed = np.sort(rng.integers(90, 190, 20))
    board = {"model": [f"m{i:02d}" for i in range(20)], "passed": passed, "n": [200] * 20, "price": rng.random(20)}
    found = order(board, cost="price")
    page, seen = opened(plain(found))
    data = page.evaluate("JSON.parse(document.getElementById('data').textContent).orders[0]")
    settings = [(level, None, "cheaper") for level in range(len(data["levels"]))]
    orders = set()
    for (level, *_), told in zip(settings, page.evaluate(READ, settings), strict=True):
        own = order(board, cost="price", alpha=data["levels"][level])
        assert told["rows"] == [[each.algorithm, each.by, each.text] for each in own.reasons]
        orders.add(own.order)
        for i, j, text in told["explained"]:
            start = [own.standing.explain(i, j), _test(own, i, j), *_own(own, i, j)]
            assert text.startswith(" ".join(start).replace(" on 200 items:", " on the items:"))
    assert seen == [] and len(orders) > 3
    assert any("shown to be better" in each.text for each in found.reasons)
    asked = {"cost": "price", "margin": 0.08, "undecided": "costlier"}
    page, seen = opened(plain(order(board, **asked)))
    for level, told in zip(
        (3, 7, 15), page.evaluate(READ, [(each, 0, "costlier") for each in (3, 7, 15)]), strict=True
    ):
        own = order(board, **asked, alpha=data["levels"][level])  # an order on items keeps its margin in the page
        assert (
            told["rows"] == [[each.algorithm, each.by, each.text] for each in own.reasons] and own.order != found.order
        )
        assert all(" ".join(_verdict(own, i, j)) in text for i, j, text in told["explained"])
    assert seen == []


def test_folds_are_tested_at_the_levels_at_which_data_sets_are_too_few() -> None:
    data = decisions_at_settings(order(generated(2, (7, 5), folds=10, digits=3), score="accuracy", cost="train_time"))
    assert [model["what"] for model in data["models"]] == ["on the folds of these data sets", "over data sets"]
    assert data["at"] == sorted(data["at"]) and 0 < data["at"].count(0) < len(data["at"])


@pytest.mark.skipif(SHARED is None, reason="TIEBREAK_SHARED does not name a folder with published benchmark results")
@pytest.mark.parametrize("name", ["tabzilla", "tabarena"])
def test_public_benchmarks(opened: Any, name: str) -> None:
    import polars as pl

    folder = Path(str(SHARED)) / "metadata"
    if name == "tabzilla":
        frame = pl.read_csv(folder / "tabzilla_results.csv.gz")
        columns: dict[str, str] = {"accuracy": "acc_mean10", "train_time": "train_s_mean10"}
        told: dict[str, Any] = {"score": "accuracy", "missing": "drop-datasets", "missing_costs": "drop-datasets"}
        frame = frame.select("dataset", "algorithm", **columns)
    else:
        frame = pl.read_csv(folder / "tabarena_lite_results_per_split.csv.gz")
        columns = {"algorithm": "method", "error": "metric_error", "train_time": "time_train_s"}
        frame = frame.select("dataset", "metric", **columns)
        told = {"score": "error", "higher_is_better": False}
    table = Results.from_frame(frame)
    made = {**told, "cost": "train_time", "ties": "score"}
    check(opened, order(table, **made), lambda **asked: order(table, draws=0, **made, **asked), count=10)


@pytest.mark.parametrize(
    "table", [ULAS, generated(1), generated(5, (9, 4), gap=0.0)], ids=["published", "ties", "near"]
)
def test_the_rate_of_exchange(opened: Any, table: Results) -> None:
    found = order(table, score="accuracy", cost="train_time", ties="score")
    page, _ = opened(plain(found))
    shown = page.evaluate(
        """(count) => Array.from({ length: count }, (_, k) => {
          const each = document.getElementById("accd");
          each.value = k;
          each.dispatchEvent(new Event("input"));
          return Array.from(document.querySelectorAll("#rates li")).map((item) => item.textContent);
        })""",
        len(ACCDS),
    )
    rates = success_of(found)
    assert rates is not None
    for accd, names in zip(ACCDS, shown, strict=True):
        own = rank_by_a3r(rates, found.table.paid[0], accd=accd, algorithms=found.algorithms)
        assert tuple(names) == own.algorithms
    assert len({tuple(names) for names in shown}) > 1


def test_identical_algorithms_share_their_rate_and_stand_by_name(opened: Any) -> None:
    scores = np.tile(np.random.default_rng(0).uniform(0.5, 1, (8, 1)), (1, 3))
    table = Results.from_array(scores, score="accuracy", algorithms=["b", "c", "a"])
    costs = Results.from_array(np.full((8, 3), 2.0), score="train_time", algorithms=["b", "c", "a"])
    page, _ = opened(plain(order(with_costs(table, costs), score="accuracy", cost="train_time", ties="name")))
    assert page.locator("#rates li").all_text_contents() == ["a", "b", "c"]


def test_scores_that_are_no_success_rates_have_no_rate_of_exchange() -> None:
    names = list("abc")
    rng = np.random.default_rng(0)
    costs = Results.from_array(rng.random((12, 3)), score="train_time", algorithms=names)
    for scores, name in ((rng.random((12, 3)) * 50, "rmse"), (rng.normal(0, 1, (12, 3)), "r2")):
        table = with_costs(Results.from_array(scores, score=name, algorithms=names), costs)
        found = order(table, score=name, cost="train_time", draws=0)
        assert exchange(found) is None and name in ordered(found)["unrated"]
    free = Results.from_array(np.zeros((12, 3)), score="train_time", algorithms=names)
    table = with_costs(Results.from_array(rng.random((12, 3)), score="accuracy", algorithms=names), free)
    found = order(table, score="accuracy", cost="train_time", ties="name", draws=0)
    assert exchange(found) is None and ordered(found)["unrated"] == "Not offered: train_time is 0 everywhere."


def test_no_level_and_margin_is_offered_that_the_package_would_refuse() -> None:
    by_places = order(ULAS, score="accuracy", cost="train_time", over="places", alpha=0.2)
    assert decisions_at_settings(by_places)["levels"] == [0.01, 0.05, 0.1, 0.2]
    assert decisions_at_settings(by_places)["margins"] == []
    signs = order(ULAS, score="accuracy", cost="train_time", scale="sign")
    assert decisions_at_settings(signs)["margins"] == []
    assert json.dumps(decisions_at_settings(signs), allow_nan=False)


def test_equal_scores_are_offered_no_margin() -> None:
    """Means that tie while scores differ are another matter: there a margin has a size."""
    costs = Results.from_array(np.tile([1.0, 2.0, 3.0], (12, 1)), score="train_time", algorithms=list("abc"))
    flat, turned = np.full((12, 3), 0.8), np.tile([[0.7, 0.8, 0.9], [0.9, 0.8, 0.7]], (6, 1))
    for scores, words, count in ((flat, "Not offered: all have the same accuracy", 0), (turned, "", 12)):
        table = with_costs(Results.from_array(scores, score="accuracy", algorithms=list("abc")), costs)
        found = order(table, score="accuracy", cost="train_time", draws=0)
        data = decisions_at_settings(found)
        assert data["unmargined"].startswith(words) and len(data["margins"]) == count
    own = order(table, score="accuracy", cost="train_time", margin=0.3, draws=0)
    assert decisions_at_settings(own)["margins"][decisions_at_settings(own)["margin"]] == "0.3"


def test_downloads_hold_the_scores_that_were_given() -> None:
    """Scores of two metrics are compared as others; the table to keep holds both, and each metric."""
    rows: dict[str, Any] = {"dataset": [f"d{k}" for k in range(12) for _ in "ab"], "algorithm": ["a", "b"] * 12}
    rows |= {"metric": ["rmse" if k < 12 else "auc" for k in range(24)], "train_time": [1.0, 2.0] * 12}
    rows["error"] = np.random.default_rng(0).random(24).round(3).tolist()
    told = {"score": "error", "higher_is_better": False}
    table = Results.from_dict(rows)
    kept = _table([compare(table, **told), order(table, cost="train_time", draws=0, **told)])
    assert list(kept[0]) == ["dataset", "algorithm", "metric", "error", "normalised score", "train_time"]
    assert {row["dataset"]: row["metric"] for row in kept} == dict(zip(rows["dataset"], rows["metric"], strict=True))
    own = dict(zip(zip(rows["dataset"], rows["algorithm"], strict=True), rows["error"], strict=True))
    assert {(row["dataset"], row["algorithm"]): row["error"] for row in kept} == own
