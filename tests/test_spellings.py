"""`score` and `scores` are one option: whoever takes the name of a score takes it under both names."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tiebreak as tb
from tiebreak import advisor, figures
from tiebreak.errors import OptionError

from .every import every

OTHERS = {
    "permuted_pairs": "says what is permuted, values or ranks",
    "score_metrics": "checks what `order` was given",
    "directions": "asks for a column of a table that is there",
    "read_logs": "is what `read` calls for logs",
    "item_table": "asks for a column of a table that is there",
}
"""Functions to which the word means something else."""


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Go through the public functions, and the ways of public classes to make one."""
    for result in [None, *pkgutil.walk_packages(tb.__path__, "tiebreak.")]:
        name = "tiebreak" if result is None else result.name
        if "._" in name or name.startswith("tiebreak.cli") or not (result is None or result.ispkg):
            continue
        package = importlib.import_module(name)
        for item in getattr(package, "__all__", ()):
            value = getattr(package, item)
            if inspect.isfunction(value):
                yield item, value
            elif inspect.isclass(value):
                made = inspect.getmembers(value, inspect.ismethod)
                yield from ((f"{item}.{current}", method) for current, method in made if not current.startswith("_"))


def named() -> dict[str, Callable[..., Any]]:
    """Return those that take the name of a score."""
    result = {}
    for name, function in public():
        parameters = inspect.signature(function).parameters
        texts = [
            item for item in ("score", "scores") if item in parameters and "str" in str(parameters[item].annotation)
        ]
        if texts and name not in OTHERS:
            result[name] = function
    return result


@every("name", sorted(named()))
def test_both_spellings_are_taken(name: str) -> None:
    parameters = inspect.signature(named()[name]).parameters
    reading = next((item for item in parameters.values() if item.kind is item.VAR_KEYWORD), None)
    assert {"score", "scores"} <= set(parameters) or reading is not None


TABLE = {"iris": {"svm": 0.9, "tree": 0.8}, "wine": {"svm": 0.8, "tree": 0.7}, "glass": {"svm": 0.7, "tree": 0.6}}


@pytest.mark.parametrize("spelling", ["score", "scores"])
def test_they_mean_the_same(spelling: str, tmp_path: Any) -> None:
    options: Any = {spelling: "accuracy"}
    table = tb.as_results(TABLE, **options)
    assert table.scores == ("accuracy",)
    assert tb.as_results([[0.9, 0.8], [0.7, 0.6]], algorithms=["a", "b"], **options).scores == ("accuracy",)
    assert tb.as_results(table, **options).scores == (tb.compare(table, **options).score.name,)
    assert figures.score_distributions(table, **options).score_name == "accuracy"
    assert advisor.Knowledge.from_results(table, **options).score == "accuracy"
    with tb.open_store(tmp_path / "results.db") as store:
        store.import_results(table, origin="test")
        assert tb.read_store(store, **options).scores == ("accuracy",)
        assert advisor.store_knowledge(store, **options).score == "accuracy"
    (tmp_path / "a.csv").write_text("dataset,algorithm,accuracy\na,x,0.9\na,y,0.8\n", encoding="utf-8")
    assert advisor.read_knowledge(tmp_path / "a.csv", **options).score == "accuracy"
    rows = "".join(f"| d{i} | **{0.9 + i / 100:.2f}** | {0.7 + i / 90:.2f} |\n" for i in range(8))
    (tmp_path / "paper.md").write_text(f"| data set | ours | theirs |\n|---|---|---|\n{rows}", encoding="utf-8")
    assert tb.check(tmp_path / "paper.md", **options).claims[0].score == "accuracy"


def test_two_names_for_one_score_are_refused() -> None:
    table = tb.as_results(TABLE, score="accuracy")
    with pytest.raises(OptionError) as caught:
        figures.score_distributions(table, score="accuracy", scores="auc")
    assert str(caught.value) == ("score='accuracy' and scores='auc' were both given. Give one of them.")
    several: Any = ["accuracy", "auc"]
    with pytest.raises(OptionError, match=r"2 scores were named: 'accuracy', 'auc'\."):
        figures.score_distributions(table, scores=several)
