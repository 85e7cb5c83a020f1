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
    "item_table": "asks for a column of a table that is there",
}
"""Functions to which the word means something else."""


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Go through the public functions, and the ways of public classes to make one."""
    for found in [None, *pkgutil.walk_packages(tb.__path__, "tiebreak.")]:
        name = "tiebreak" if found is None else found.name
        if "._" in name or name.startswith("tiebreak.cli") or not (found is None or found.ispkg):
            continue
        package = importlib.import_module(name)
        for each in getattr(package, "__all__", ()):
            value = getattr(package, each)
            if inspect.isfunction(value):
                yield each, value
            elif inspect.isclass(value):
                made = inspect.getmembers(value, inspect.ismethod)
                yield from ((f"{each}.{own}", method) for own, method in made if not own.startswith("_"))


def named() -> dict[str, Callable[..., Any]]:
    """Return those that take the name of a score."""
    found = {}
    for name, function in public():
        told = inspect.signature(function).parameters
        texts = [each for each in ("score", "scores") if each in told and "str" in str(told[each].annotation)]
        if texts and name not in OTHERS:
            found[name] = function
    return found


@every("name", sorted(named()))
def test_both_spellings_are_taken(name: str) -> None:
    told = inspect.signature(named()[name]).parameters
    reading = next((each for each in told.values() if each.kind is each.VAR_KEYWORD), None)
    assert {"score", "scores"} <= set(told) or reading is not None


TABLE = {"iris": {"svm": 0.9, "tree": 0.8}, "wine": {"svm": 0.8, "tree": 0.7}, "glass": {"svm": 0.7, "tree": 0.6}}


@pytest.mark.parametrize("spelling", ["score", "scores"])
def test_they_mean_the_same(spelling: str, tmp_path: Any) -> None:
    told: Any = {spelling: "accuracy"}
    table = tb.as_results(TABLE, **told)
    assert table.scores == ("accuracy",)
    assert tb.as_results([[0.9, 0.8], [0.7, 0.6]], algorithms=["a", "b"], **told).scores == ("accuracy",)
    assert tb.as_results(table, **told).scores == (tb.compare(table, **told).score.name,)
    assert figures.score_distributions(table, **told).score_name == "accuracy"
    assert advisor.Knowledge.from_results(table, **told).score == "accuracy"
    with tb.open_store(tmp_path / "results.db") as store:
        store.import_results(table, origin="test")
        assert tb.read_store(store, **told).scores == ("accuracy",)
        assert advisor.store_knowledge(store, **told).score == "accuracy"
    (tmp_path / "a.csv").write_text("dataset,algorithm,accuracy\na,x,0.9\na,y,0.8\n", encoding="utf-8")
    assert advisor.read_knowledge(tmp_path / "a.csv", **told).score == "accuracy"
    rows = "".join(f"| d{i} | **{0.9 + i / 100:.2f}** | {0.7 + i / 90:.2f} |\n" for i in range(8))
    (tmp_path / "paper.md").write_text(f"| data set | ours | theirs |\n|---|---|---|\n{rows}", encoding="utf-8")
    assert tb.check(tmp_path / "paper.md", **told).claims[0].score == "accuracy"


def test_two_names_for_one_score_are_refused() -> None:
    table = tb.as_results(TABLE, score="accuracy")
    with pytest.raises(OptionError) as caught:
        figures.score_distributions(table, score="accuracy", scores="auc")
    assert str(caught.value) == (
        "score='accuracy' and scores='auc' were both given. They are two spellings of one option. Give one of them."
    )
    several: Any = ["accuracy", "auc"]
    with pytest.raises(
        OptionError, match=r"2 scores were named: 'accuracy', 'auc'\. One score is compared at a time\."
    ):
        figures.score_distributions(table, scores=several)
