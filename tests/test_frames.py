"""Every result makes a data frame of the kind that came in, and says in a few words what it is.

Which classes are results is found from what public functions, methods, properties and fields say they return. A new
one must be a `Framed` and be made here, or be named in `NO_RESULTS` as what it is.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tiebreak as tb
from tiebreak import advisor, lab, stats, studies
from tiebreak.advisor import pilot
from tiebreak.advisor.budget_plan import plan_budget
from tiebreak.advisor.judging import judge_recipes
from tiebreak.attributes import characterise
from tiebreak.documents import Framed
from tiebreak.errors import OptionError
from tiebreak.evals.board.previous import Before, Previous
from tiebreak.evals.planning import plan_items
from tiebreak.figures.curves import replicability_curves, share_curves
from tiebreak.lab.algorithms.regressors import catalogue
from tiebreak.lab.splits import split
from tiebreak.readers.explaining import explain
from tiebreak.results.items import item_table
from tiebreak.stats import multivariate as several
from tiebreak.studies.single_several import single_or_several
from tiebreak.studies.ulas2012 import beside

from .every import every

NO_RESULTS = {
    "what is asked for": "Budget Choice DataReference Limits Margin Range Recipe Resampling Setting Sheet Told Trade"
    " Trial Tuning Words",
    "what things are": "AlgorithmSpec Attribute BaseRecord Caveat Metric RankingMethod Source",
    "data to work on": "DataSet Sizes TwoParts Failure Fold FoldTable Hosts ItemTable LeftOut Names Read"
    " StoreColumns Understood Votes Facts Previous Before PredictedTimes",
    "what does the work": "Advisor DaskEngine FittedLearner LocalEngine TimeModel Procedure Runner Scorer Server Store",
    "what became of a store that was read into another": "Merge",
    "a printed number beside its table, behind a check": "Printed",
    "rows of a store": "AlgorithmRow Calibration CellKey CellOutcome CellRow ClaimedCell Counted DataSetRow Environment"
    " PlanRow",
    "news of a run": "CellNow Event Progress",
    "what a drawing or a page is made of": "Arrow Cell Cloud Difference Digits Drawn MeasureOrder Node Odds PairP"
    " Page Panels Part Priced Scale Scene Spread Text",
    "what is known of every pair, behind an ordering": "ScoreUnit Standing",
    "what worth is computed from, behind an ordering": "Certainty Losses Moments Sample ScoreScale Valuation",
    "what is expected, behind a recommendation": "Expected",
    "a row of the ledger of a paper": "PaperRow",
}
BASES = {"Framed", "Shown", "Figure", "OmnibusResult"}
"""What results are made of; nothing returns one that is no more than that."""
VOCABULARY = ("tiebreak.cli", "tiebreak.documents", "tiebreak.methods", "tiebreak.lab.processes", "tiebreak.readers.")
MOST = 2000


# ---- which classes there are


def packages() -> Iterator[Any]:
    yield tb
    for package in pkgutil.walk_packages(tb.__path__, "tiebreak."):
        if package.ispkg and "._" not in package.name and not package.name.startswith(VOCABULARY):
            yield importlib.import_module(package.name)


@cache
def imported(module: str) -> dict[str, str]:
    """Where the names of a module come from, those for the type checker too."""
    tree = ast.parse(Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8"))
    lines = [line for node in tree.body for line in (node, *(node.body if isinstance(node, ast.If) else ()))]
    nodes = (node for node in lines if isinstance(node, ast.ImportFrom) and node.module)
    return {alias.asname or alias.name: str(node.module) for node in nodes for alias in node.names}


def classes_in(annotation: object, module: str) -> Iterator[type]:
    """Return our classes that an annotation names."""
    for room, word in re.findall(r"(?:([A-Za-z_]\w*)\.)?([A-Za-z_]\w*)", str(annotation)):
        value = getattr(getattr(sys.modules[module], room, None) if room else sys.modules[module], word, None)
        home = imported(module).get(word, "")
        if value is None and home.startswith("tiebreak"):
            value = getattr(importlib.import_module(home), word, None)
        if inspect.isclass(value) and value.__module__.startswith("tiebreak."):
            yield value


def returned(value: Any) -> Iterator[type]:
    """Return the classes that a function returns, or that the methods, properties and fields of a class do."""
    if inspect.isfunction(value):
        yield from classes_in(value.__annotations__.get("return", ""), inspect.unwrap(value).__module__)
        return
    for name, member in inspect.getmembers(value):
        part = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(part) and part.__module__.startswith("tiebreak."):
            yield from returned(part)
    for field in fields(value) if is_dataclass(value) else ():
        if not field.name.startswith("_"):
            yield from classes_in(field.type, value.__module__)


@cache
def results() -> tuple[type, ...]:
    """Return every public class of results."""
    todo: list[Any] = [getattr(package, name) for package in packages() for name in getattr(package, "__all__", ())]
    result: set[type] = set()
    while todo:
        value = todo.pop()
        if inspect.isclass(value) and value.__module__.startswith("tiebreak."):
            if value in result:
                continue
            result.add(value)
        if inspect.isclass(value) or inspect.isfunction(value):
            todo += returned(value)
    no = {name for names in NO_RESULTS.values() for name in names.split()} | BASES
    remaining = (
        item
        for item in result
        if (item.__name__ not in no or (issubclass(item, Framed) and item.__name__ not in BASES))
        and not item.__module__.startswith(VOCABULARY)
        and not issubclass(item, Exception)
        and not hasattr(item, "fit")
    )
    return tuple(sorted(remaining, key=lambda entry: (entry.__module__, entry.__name__)))


# ---- one of each


def scores(seed: int = 0, folds: int = 10) -> dict[str, list[Any]]:
    """Columns of results of three algorithms on six data sets, with two measures and a cost."""
    rng = np.random.default_rng(seed)
    rows = [(d, a, f) for d in range(6) for a in range(3) for f in range(folds)]
    return {
        "dataset": [f"d{d}" for d, _, _ in rows],
        "algorithm": ["knn svm tree".split()[a] for _, a, _ in rows],
        "fold": [f for _, _, f in rows],
        "tpr": [0.7 + 0.05 * a + rng.normal(0, 0.02) for _, a, _ in rows],
        "fpr": [0.3 - 0.05 * a + rng.normal(0, 0.02) for _, a, _ in rows],
        "train_time": [1.0 + a for _, a, _ in rows],
    }


def frame(kind: str, columns: Mapping[str, Any]) -> Any:
    return {"pandas": pd, "polars": pl}[kind].DataFrame(dict(columns))


def matrix(kind: str, rows: int = 12, seed: int = 1) -> Any:
    drawn = np.random.default_rng(seed).normal([0.7, 0.75, 0.8], 0.03, size=(rows, 3))
    return frame(kind, {name: drawn[:, i] for i, name in enumerate("abc")})


def decided(kind: str) -> Iterator[Any]:
    """What the verbs answer."""
    table = frame(kind, scores())
    compare = tb.compare(table, score="tpr")
    yield from (compare, tb.compare(table, score="tpr", control="svm").figure("control"), tb.report(compare))
    yield from (compare.figure(name) for name in ("cd", "matrix", "scores", "forest"))
    yield compare.bayes().figure()
    battles = tb.battles(table, score="tpr", cost="train_time", pseudo_votes=1)
    yield from (battles, *(battles.figure(name) for name in ("strengths",)))
    gate = tb.gate(table, base_name="knn", candidate_name="svm", score="tpr", cost="train_time", margin=0.1)
    yield from (gate, gate.judged, gate.cost)
    published = tb.order(table, score="tpr", cost="train_time", rule="multi2test")
    yield from (published, published.figure("order"))
    by_worth = tb.order(table, score="tpr", cost="train_time")
    yield from (by_worth, *by_worth.frontier, by_worth.figure("frontier"))
    board = tb.board(table, score="tpr", cost="train_time")
    older = tuple(Before(algorithm=entry.algorithm, place=9 - entry.place, tier=1) for entry in board.entries)
    yield board.since(Previous(id="0", date="", asked=board.asked, entries=older))
    whole = tb.multivariate(table, scores=["tpr", "fpr"], cost="train_time")
    yield from (whole, *(whole.figure(name) for name in ("contours", "learned")))
    two = tb.as_results(table, scores=["tpr", "fpr"]).only(algorithms=["svm", "tree"])
    yield tb.multivariate(two, scores=["tpr", "fpr"]).sets[0]
    rows = {"model": ["a", "b"] * 20, "item": np.repeat(np.arange(20), 2).tolist(), "accuracy": [1, 0, 1, 1] * 10}
    items = frame(kind, rows)
    yield from (tb.compare(items), plan_items(item_table(tb.as_results(items))))
    gappy = frame(kind, {name: column[1:] for name, column in scores().items()})
    yield from tb.as_results(gappy).gaps("tpr")


def studied(kind: str) -> Iterator[Any]:
    """What the studies of a table find."""
    columns = scores()
    table = frame(kind, {**columns, "test_tpr": columns["tpr"][::-1]})
    replicability = studies.replicability(table, score="tpr", biases=[0.0, 1.0], drawn=4, repeats=10)
    wins = studies.win_matrices(table, score="tpr")
    yield from (replicability, replicability_curves(replicability), wins)
    held_out = studies.validation_study(table, score="tpr", tests=["corrected-t"], inner_adjust=["none"])
    yield from (held_out,)


def of_papers() -> Iterator[Any]:
    """What the ledger of the papers holds; nothing comes in, so it is the same for every kind."""
    yield from (studies.paper(), studies.paper("yildiz2014"))


def of_stats(kind: str) -> Iterator[Any]:
    """What the functions of `stats` return."""
    table, a, b = matrix(kind), matrix(kind)["a"], matrix(kind)["b"]
    named = "friedman aligned_ranks quade skillings_mack rm_anova wilcoxon_pairs sign_pairs paired_t_pairs rank_tests"
    named += " anytime_pairs win_tie_loss effect_sizes difference_intervals"
    named += " simultaneous_intervals"
    yield from (getattr(stats, name)(table) for name in named.split())
    yield stats.non_inferiority_pairs(table, [[0, 1], [0, 2]], margin=0.01)
    yield stats.bayesian_signed_rank_pairs(table, rope=0.01)
    yield stats.significant_win_pairs([matrix(kind, seed=seed) for seed in range(6)])
    named = "wilcoxon sign_test paired_t anytime_test bayesian_sign effect_size"
    yield from (getattr(stats, name)(a, b) for name in named.split())
    right = frame(kind, {name: (np.arange(12) % k > 0) * 1.0 for k, name in ((2, "a"), (3, "b"), (4, "c"))})
    yield from (stats.item_pairs(right), stats.item_non_inferiority(right, [[0, 1]], margin=0.1))
    yield stats.anytime_items(right["a"], right["b"], margin=0.1)
    yield from (stats.proportion_pairs(table["a"] * 10 // 1, table["a"] * 0 + 20), stats.items_needed(0.1, sd=0.5))
    yield from (stats.anderson_darling(table), stats.mcnemar_from_predictions(a > 0.7, a > 0.6, b > 0.7))


def from_arrays() -> Iterator[Any]:
    """What no data frame leads to: arrays of folds, predictions, sizes, simulations."""
    rng = np.random.default_rng(0)
    cube, whole = rng.normal(0.8, 0.03, (5, 3, 5, 2)), rng.normal(0.8, 0.03, (12, 3, 2))
    yield from (
        stats.fold_pairs(cube.reshape(5, 3, 10)),
        stats.folds_together(cube),
        stats.five_by_two_f(cube[0, 0], cube[0, 1]),
    )
    yield stats.datasets_needed(0.5)
    folds = np.moveaxis(cube.reshape(5, 3, 10), 1, 2)
    yield stats.bayesian_correlated_t_pairs(folds)
    yield stats.bayesian_hierarchical_pairs(folds, chains=4, draws=20, warmup=20)
    yield from (several.manova(whole), several.mardia(whole[:, 0]))
    yield from (several.hotelling(whole[:, 0], whole[:, 1]), several.hotelling_pairs(whole))
    yield from (several.learned_measures(whole), several.anova_per_measure(whole), several.permuted_manova(whole))
    yield from (several.permuted_pairs(whole), several.five_by_two_pairs(rng.normal(0.8, 0.03, (5, 2, 3, 2))))
    yield several.combine_datasets([[0.1, 0.2], [0.3, 0.4]])
    yield studies.error_rates(repetitions=4, n_algorithms=3, n_datasets=12, noises=["normal"])
    yield single_or_several(tb.Results.from_dict(scores()), questions=[("tpr", ("tpr", "fpr"))])
    chosen = studies.study_choices({"ulas2012": "published:ulas2012"}, score="accuracy", sizes=[12], repetitions=2)
    yield from (chosen, chosen.cells[0], chosen.growth[0])
    shares = studies.order_shares(repeats=4, steps=2, n_datasets=5)
    again = printed_again()
    yield from (shares, share_curves(shares), again)


def printed_again() -> studies.Ulas2012Study:
    """What was printed beside itself, which needs no run."""
    table = tb.published.ulas2012().only(datasets=["iris", "wine"], algorithms=["c45", "5nn"])
    return beside(table, table, table.means("accuracy"), alpha=0.05, n_printed=38)


def advised(kind: str) -> Iterator[Any]:
    """What the advisor knows and recommends, and how good that is."""
    rng = np.random.default_rng(2)
    x = rng.uniform(size=12)
    rows = [(d, a, f) for d in range(12) for a in range(3) for f in range(4)]
    table = frame(
        kind,
        {
            "dataset": [f"d{d:02}" for d, _, _ in rows],
            "algorithm": ["abc"[a] for _, a, _ in rows],
            "fold": [f for _, _, f in rows],
            "accuracy": [0.7 + (x[d] - 0.5) * (a - 1) / 5 + rng.normal(0, 0.01) for d, a, _ in rows],
            "train_time": [float(np.exp(a)) for _, a, _ in rows],
        },
    )
    known = advisor.Knowledge.from_results(tb.as_results(table), {f"d{d:02}": {"x": x[d]} for d in range(12)})
    recommend = advisor.Advisor(known).recommend({"x": 0.4}, neighbours=3)
    study = studies.evaluate_advisor(known, accds=(0.01, 0.1), neighbours=[3])
    yield studies.study_advice(known, methods=["portfolio"])
    yield from (known, recommend, study, judge_recipes(known))
    yield from (run.top.figure() for run in study.runs[:1])
    sized = {f"d{d:02}": {"n_examples": 100.0 + d, "n_attributes": 4.0, "n_classes": 2.0} for d in range(12)}
    timed = advisor.Knowledge.from_results(tb.as_results(table), sized)
    plan = plan_budget(timed, sized["d00"], "10min")
    yield plan
    yield characterise(tb.DataSet.from_arrays([[0.0], [1.0], [2.0], [3.0]] * 5, ["a", "b"] * 10))


def from_lab(kind: str, folder: Path) -> Iterator[Any]:
    """What the lab plans and runs."""
    data = frame(kind, {"x": [0.0, 1.0, 0.1, 0.9] * 6, "class": ["a", "b"] * 12})
    plan = lab.Plan.of(
        datasets=[{"frame": data, "name": "tiny", "target": "class"}], algorithms=["nb", "lda"], resampling="1x2cv"
    )
    yield from (plan, lab.dry_run(plan), lab.run(plan, store=folder / "results.db", jobs=1))
    yield split(tb.DataSet.from_arrays([[0.0]] * 20, ["a", "b"] * 10), plan.resampling, seed=0)
    yield catalogue()[0]
    options = {"target": "class", "algorithms": ["nb", "lda"], "stop_below": 0.0, "jobs": 1}
    yield advisor.Advisor().try_out(data, time="30min", store=folder / "tried.db", **options)
    yield pilot.recommend_piloted(None, data, target="class", pilot="30min", algorithms=["nb", "lda"])


PAPER = """| data set | ours | theirs | other |
|---|---|---|---|
""" + "\n".join(f"| d{i} | **{0.9 + i / 100:.2f}** | {0.7 + i / 90:.2f} | {0.6 + i / 80:.2f} |" for i in range(8))


def from_files(folder: Path) -> Iterator[Any]:
    (folder / "paper.md").write_text(PAPER + "\n", encoding="utf-8")
    yield tb.check(folder / "paper.md", higher_is_better=True)
    (folder / "a.csv").write_text("dataset,svm,tree\niris,0.9,0.8\nwine,0.8,0.7\n", encoding="utf-8")
    yield explain(folder / "a.csv", scores="accuracy")
    yield tb.store(folder / "contents.db", source=folder / "a.csv", origin="here", score="accuracy")


def around(value: Any, seen: list[Any]) -> None:
    """Gather a result and all that is reached from it, and from the first of each class, without an argument."""
    if isinstance(value, (tuple, list)):
        for field in value[:3]:
            around(field, seen)
    known = any(type(value) is type(item) for item in seen)
    if isinstance(value, Framed):
        seen.append(value)
    if known or not isinstance(value, Framed):
        return
    for name, member in inspect.getmembers(type(value)):
        is_method = inspect.isfunction(member) and not name.startswith("_") and name not in ("figure", "report")
        needed = [p for p in inspect.signature(member).parameters.values() if p.default is p.empty] if is_method else []
        if isinstance(member, property) and not name.startswith("_"):
            around(getattr(value, name), seen)
        elif is_method and len(needed) == 1 and any(issubclass(item, Framed) for item in returned(member)):
            with suppress(OptionError):  # over data sets only
                around(getattr(value, name)(), seen)
    for field in fields(value):
        around(getattr(value, field.name), seen)


@pytest.fixture(scope="module", params=["pandas", "polars"])
def came_in(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[Any]]:
    """Everything that is reached from frames of one kind."""
    seen: list[Any] = []
    for made in (decided, studied, of_stats, advised, lambda kind: from_lab(kind, tmp_path_factory.mktemp("lab"))):
        for item in made(request.param):
            around(item, seen)
    return request.param, seen


@cache
def of_any_kind(folder: Path) -> tuple[Any, ...]:
    return (*from_arrays(), *from_files(folder))


@pytest.fixture(scope="module")
def made(came_in: tuple[str, list[Any]], tmp_path_factory: pytest.TempPathFactory) -> dict[type, Any]:
    """One result of each class."""
    seen = [*came_in[1], *of_papers()]
    for entry in of_any_kind(tmp_path_factory.getbasetemp()):
        around(entry, seen)
    return {type(item): item for item in seen}


# ---- what is asked of them


def test_every_public_result_is_made_here(made: dict[type, Any]) -> None:
    assert [result for result in results() if not issubclass(result, Framed)] == []
    assert [result for result in results() if result not in made] == []


def test_what_came_in_goes_out(came_in: tuple[str, list[Any]]) -> None:
    kind, result = came_in
    no_frame = {
        "Entry",
        "ItemPlan",
        "MetaAttributes",
        "Split",
    }  # made from other things here
    other = {type(item).__name__ for item in result if not type(item.to_frame()).__module__.startswith(kind)}
    assert other <= no_frame


def test_the_named_kind_is_made_with_the_same_values(made: dict[type, Any]) -> None:
    for item in made.values():
        one, other = item.to_frame("pandas"), item.to_frame("polars")
        assert isinstance(one, pd.DataFrame) and isinstance(other, pl.DataFrame)
        assert list(one.columns) == other.columns and len(one) == len(other), type(item)
        for name in other.columns:
            for a, b in zip(one[name].tolist(), other[name].to_list(), strict=True):
                assert a == b or (pd.isna(a) and (b is None or pd.isna(b))), (type(item), name, a, b)


def test_frames_hold_something(made: dict[type, Any]) -> None:
    for item in made.values():
        cells = [cell for row in item.rows() for cell in row.values()]
        assert cells or isinstance(item, several.OutlierResult), type(item)  # nothing need lie far out
        plain = (str, bool, int, float, list, np.generic, type(None))
        assert all(isinstance(cell, plain) for cell in cells), (type(item), item.rows()[:1])


def test_a_repr_says_something_in_a_few_words(made: dict[type, Any]) -> None:
    for item in made.values():
        repr_ = repr(item)
        assert len(repr_) <= MOST and type(item).__name__ in repr_ and len(repr_) > len(type(item).__name__) + 4
        assert "array(" not in repr_ and " at 0x" not in repr_, repr_
        assert repr_.count("\n") < 5 and item._repr_html_().strip().startswith("<")
        for part in vars(type(item)).get("__dataclass_fields__", ()):
            held = repr(getattr(item, part))
            assert not is_dataclass(getattr(item, part)) or (len(held) <= MOST and "array(" not in held), (item, part)


@every("each", results())
def test_no_result_has_the_repr_of_a_plain_dataclass(each: type) -> None:
    assert each.__repr__.__qualname__ != f"{each.__qualname__}.__repr__" or "__create_fn__" not in str(each.__repr__)
    assert not each.__dataclass_params__.repr  # type: ignore[attr-defined]


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(OptionError) as caught:
        stats.sign_test([0.9, 0.8, 0.7], [0.8, 0.6, 0.4]).to_frame("pandas")
    assert str(caught.value) == (
        "pandas is not installed. Install it with: pip install 'tiebreak[frames]'; or use to_frame('polars')."
    )


def test_many_names_are_cut_in_a_repr() -> None:
    rng, names = np.random.default_rng(0), [f"algorithm number {i}" for i in range(120)]
    table = tb.Results.from_array(rng.normal(size=(5, 120)), score="accuracy", algorithms=names)
    assert len(repr(tb.compare(table, posthoc="nemenyi"))) < 500
    order = tb.order(table, score="accuracy", prior=names, pairwise="score")
    assert "(100 more)" in repr(order) and len(repr(order)) < 1000 and len(repr(order.table)) < MOST


def test_a_store_has_a_frame(tmp_path: Path) -> None:
    with tb.open_store(tmp_path / "results.db") as store:
        store.import_results(tb.Results.from_dict(scores()), origin="paper")
        result = store.to_frame("pandas")
        assert isinstance(result, pd.DataFrame) and isinstance(store.to_frame(), pl.DataFrame)
        assert result["cells"].sum() == 180 and set(result["algorithm"]) == {"knn", "svm", "tree"}


def test_a_new_class_without_a_frame_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from tiebreak.stats import results as telling

    new = type("NewResult", (), {"__module__": telling.__name__})

    def new_test() -> None: ...

    new_test.__module__, new_test.__annotations__ = telling.__name__, {"return": "NewResult | None"}
    monkeypatch.setattr(telling, "NewResult", new, raising=False)
    monkeypatch.setattr(stats, "new_test", new_test, raising=False)
    monkeypatch.setattr(stats, "__all__", [*stats.__all__, "new_test"])
    assert set(results.__wrapped__()) - set(results()) == {new} and not issubclass(new, Framed)
