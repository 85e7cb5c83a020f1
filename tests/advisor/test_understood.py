"""What a recommendation understood of the data comes first; data that allow no answer are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tiebreak as tb
from tiebreak.advisor import Advisor, Knowledge
from tiebreak.advisor.new_data import understood_of
from tiebreak.cli import main
from tiebreak.datasets import DataSet, load
from tiebreak.errors import InputError
from tiebreak.results import Results

RNG = np.random.default_rng(5)
ROWS = 80
FIRST = {
    "class": ["good", "good", "bad", "good"] * 20,
    "id": list(range(ROWS)),
    "age": RNG.normal(40, 9, ROWS).round(2).tolist(),
    "children": ["0", "1", "2", "3+"] * 20,
    "foreign": ["yes", "no"] * 40,
}
VISITS = [0] * 70 + [1] * 60 + [2] * 40 + [3] * 20 + [4] * 8 + [5] * 2
SENTENCES = (
    "Target 'class', by its name: 2 classes, 'bad' with 20 rows and 'good' with 60 rows.",
    "credit: 80 rows, 1 numeric and 2 symbolic attributes.",
)


@pytest.fixture
def credit(tmp_path: Path) -> Path:
    path = tmp_path / "credit.csv"
    pl.DataFrame(FIRST).write_csv(path)
    return path


def told(*arguments: object, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["recommend", *map(str, arguments), "--pilot", "0", "--full"])
    heard = capsys.readouterr()
    return code, heard.out, heard.err


def test_the_first_lines_say_what_was_understood(credit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, text, _ = told(credit, capsys=capsys)
    lines = text.splitlines()
    assert tuple(lines[:2]) == SENTENCES
    assert lines[2] == (
        "Target 'class' was taken by its name; the last column is 'foreign', for which say --target foreign."
    )
    assert lines[3] == "Left out: 'id' (it counts the rows, 0 to 79). It stays with --keep id."
    assert lines[4].startswith("Symbolic, as levels: 'children' ('3+' among numbers).")
    assert lines[5] == "" and "Try first on 'credit'" in text
    assert text.count("It stays with --keep id") == 1


def test_every_form_holds_it(credit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    told(credit, "-o", page, capsys=capsys)
    html = page.read_text()
    assert html.index('class="answer"') < html.index("Target &#x27;class&#x27;, by its name")
    recommend = Advisor().recommend(credit)
    assert recommend._repr_html_().startswith("<p>Target &#x27;class&#x27;, by its name")
    assert "Target 'class', by its name" in recommend.to_latex().split("\\begin{tabular}")[0]


def test_json_holds_it_in_parts(credit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = json.loads(told(credit, "--json", "--drop", "foreign", capsys=capsys)[1])["understood"]
    sentences = result.pop("sentences")
    assert sentences[0] == SENTENCES[0] and "Left out as told: 'foreign'." in sentences
    assert result == {
        "target": "class",
        "target_why": "by its name",
        "kind": "classes",
        "classes": {"bad": 20, "good": 60},
        "rows": 80,
        "numeric": 1,
        "symbolic": 1,
        "left_out": [
            {"column": "id", "reason": "row-numbers", "why": "it counts the rows, 0 to 79"},
            {"column": "foreign", "reason": "told", "why": "as told"},
        ],
    }


def test_the_last_column_is_one_option_away(credit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(credit, "--target", "foreign", capsys=capsys)[1]
    assert text.startswith("Target 'foreign', named by the user: 2 classes with 40 rows each.")


def test_columns_are_kept_dropped_and_symbolic_as_told(credit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = str(tb.recommend(credit, keep=["id"], symbolic=["id"], drop=["age", "children"], pilot=0).document())
    assert "credit: 80 rows, 0 numeric and 2 symbolic attributes.\nLeft out as told: 'age', 'children'." in text
    assert "credit: 80 rows, 2 numeric and 2 symbolic" in told(credit, "--keep", "all", capsys=capsys)[1]
    assert told(credit, "--keep", "aeg", capsys=capsys)[0] == 2


def test_what_is_left_out_has_no_part_in_the_measures(credit: Path) -> None:
    plain = Advisor().recommend(credit)
    dropped = Advisor().recommend(pl.DataFrame(FIRST).drop("id"), name="credit")
    assert plain.meta_attributes == dropped.meta_attributes
    recommend = Advisor().recommend(credit, keep=["id"])
    assert recommend.meta_attributes["prop_symbolic"] != plain.meta_attributes["prop_symbolic"]


def test_pairs_data_sets_and_measures() -> None:
    x = np.column_stack([RNG.normal(size=40), np.arange(40)])
    y = np.array([0, 1] * 20)
    recommend = Advisor().recommend(x, y)
    assert recommend.understood[0] == "Target, given beside the attributes: 2 classes with 20 rows each."
    assert recommend.understood[2] == "Left out: 'a2' (it counts the rows, 0 to 39). It stays with keep=['a2']."
    assert Advisor().recommend(x, y, drop=["a2"]).understood[2] == "Left out as told: 'a2'."
    assert Advisor().recommend(DataSet.from_arrays(x, y), drop=["a1"]).about.numeric == 1  # type: ignore[union-attr]
    assert Advisor().recommend(load("builtin:iris")).understood[1].startswith("iris: 150 rows, 4 numeric")
    measured = Advisor().recommend({"n_examples": 100.0})
    assert measured.understood == () and measured.to_dict()["understood"] is None


def test_many_numbered_classes_are_said() -> None:
    frame = pl.DataFrame({"x": RNG.normal(size=600), "label": np.arange(600) % 20})
    assert Advisor().recommend(frame).understood == (
        "Target 'label', by its name, and the last column: 20 classes with 30 rows each.",
        "data: 600 rows, 1 numeric and 0 symbolic attribute.",
        "The classes are whole numbers; where they measure something, say kind='number'.",
    )


# ---- refusals


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"x": [0.1 * i for i in range(30)], "class": ["a"] * 30},
            "The target 'class', by its name, and the last column, of data set 'd' holds one class, 'a', in all 30"
            " rows. There is nothing to learn: every algorithm would predict the same. Name another target with"
            " --target NAME, or give rows of another class too.",
        ),
        (
            {"x": [0.1, 0.2], "class": ["a", "b"]},
            "Data set 'd' has 2 rows with a class. Nothing can be learned from so few, and no known data set is like"
            " them. Give at least 10 rows.",
        ),
        (
            {"x": [0.1 * i for i in range(9)], "class": list("ababababa")},
            "Data set 'd' has 9 rows with a class. Nothing can be learned from so few, and no known data set is like"
            " them. Give at least 10 rows.",
        ),
        (
            {
                "x": [0.1 * i for i in range(200)],
                "visits": ([0] * 70 + [1] * 60 + [2] * 40 + [3] * 20 + [4] * 8 + [5] * 2),
            },
            "The target 'visits', the last column, of data set 'd' holds 6 different numbers from 0 to 5; the rarest,"
            " 5, has 2 rows. These may be classes, or a count, a rating or another number to predict: the algorithms to"
            " try differ. Say --kind classes or --kind number; for another column --target NAME.",
        ),
    ],
)
def test_no_order_is_made_up(
    tmp_path: Path, columns: dict[str, list[Any]], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pl.DataFrame(columns).write_csv(tmp_path / "d.csv")
    code, out, err = told(tmp_path / "d.csv", capsys=capsys)
    assert (code, out, err) == (2, "", f"tiebreak recommend: {message}\n")


def test_ten_rows_are_answered(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": RNG.normal(size=10), "class": list("ababababab")})
    assert Advisor().recommend(frame).understood[0].endswith("2 classes with 5 rows each.")


def test_either_answer_to_the_question_is_taken(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": RNG.normal(size=500), "visits": RNG.poisson(2, 500)})
    assert Advisor().recommend(frame, kind="classes").about.kind == "classes"  # type: ignore[union-attr]
    assert Advisor().recommend(frame, kind="number").about.kind == "number"  # type: ignore[union-attr]


@pytest.mark.parametrize("values", [RNG.normal(size=300), RNG.integers(18, 80, 300), RNG.poisson(8, 300)])
def test_a_number_is_no_class(values: np.ndarray) -> None:
    recommend = Advisor().recommend(pl.DataFrame({"x": RNG.normal(size=300), "y": values}))
    assert recommend.kind == "number" and "mean" in recommend.algorithms
    assert recommend.understood[0] == "Target 'y', by its name, and the last column: a number to predict."
    doubt = "The target holds many different numbers; where they are names, say kind='classes'."
    assert doubt in recommend.understood


# ---- scales of what is known


def known(rates: list[list[float]], score: str = "accuracy", **options: Any) -> Knowledge:
    sets = ["wine", "iris", "zoo"][: len(rates)]
    table = {name: dict(zip("pq", row, strict=True)) for name, row in zip(sets, rates, strict=True)}
    return Knowledge.from_results(Results.from_dict(table, scores=score), **options)


def test_percentages_throughout_are_read_as_such() -> None:
    base = known([[90, 80], [55.5, 60], [0, 99]])
    by_name = dict(zip(base.datasets, base.accuracy[:, :, 0, 0].tolist(), strict=True))
    assert by_name["wine"] == [0.9, 0.8] and by_name["zoo"] == [0.0, 0.99]
    assert "'accuracy' holds percentages, which were divided by 100." in base.caveats
    assert known([[0.9, 1.0], [0.0, 1.0 + 1e-9]]).accuracy.max() <= 1 + 1e-6
    assert known([[8.0, 12.5]], "error_rate").accuracy[0, :, 0, 0].tolist() == [0.92, 0.875]


def test_mixed_scales_are_refused_by_name() -> None:
    with pytest.raises(InputError) as caught:
        known([[90, 80], [0.8, 0.7], [95, 99]])
    assert str(caught.value) == (
        "'accuracy' is from 0 to 1 on 1 data set ('iris') and beyond 1, as percentages are, on 2 data sets ('wine',"
        " 'zoo'). Shares of 1 and percentages cannot be averaged, nor one divided by the other. Divide the percentages"
        " by 100, or leave those data sets out (where='dataset != wine')."
    )
    with pytest.raises(InputError) as caught:
        known([[90, 80], [0.8, 70], [95, 99]])
    assert str(caught.value) == (
        "'accuracy' is from 0.8 to 70 on data set 'iris'. Shares of 1 and percentages cannot be averaged, nor one"
        " divided by the other. Divide the percentages by 100, or leave those data sets out (where='dataset != iris')."
    )
    with pytest.raises(InputError, match="'score' is from 0 to 1 on 1 data set"):
        known([[90, 80], [0.8, 0.7]], "score", higher_is_better=True)


def test_scores_of_other_kinds_are_left_alone() -> None:
    assert known([[0.8, 700.0], [3.0, 0.2]], "elo", higher_is_better=True).accuracy.max() == 700
    assert known([[-3.0, 0.7], [0.2, 20.0]], "score", higher_is_better=True).accuracy.max() == 20


def test_where_one_class_is_nearly_all_the_trivial_answer_stands_among_the_first_lines() -> None:
    values = np.random.default_rng(0).normal(size=(60, 2))
    rare = DataSet.from_arrays(values, ["no"] * 57 + ["yes"] * 2 + ["maybe"], name="rare")
    sentences = understood_of(rare).sentences()
    assert "Always answering 'no' is right on 95.0% of the rows: read every accuracy beside that." in sentences
    assert "Class 'maybe' has a single row, which is either learned from or predicted, never both." in sentences
    even = DataSet.from_arrays(values, ["no"] * 40 + ["yes"] * 20, name="even")
    assert len(understood_of(even).sentences()) == 2


def test_rows_without_a_target_are_among_the_first_lines(tmp_path: Path) -> None:
    lines = [f"{i * 37 % 11},{i * 17 % 7},{'ab'[i % 2] if i < 20 else ''}" for i in range(60)]
    (tmp_path / "few.csv").write_text("\n".join(["x,z,y", *lines]))
    recommend = Advisor().recommend(tmp_path / "few.csv", neighbours=5)
    assert "40 row(s) without a class were dropped." in str(recommend.document()).split("Try first")[0]


def test_a_target_that_is_a_formula_of_the_attributes_is_pointed_out() -> None:
    rng = np.random.default_rng(0)
    parts = rng.uniform(1, 9, (60, 3))
    for noise, options in ((0.0, True), (3.0, False)):
        total = parts.sum(axis=1) + rng.normal(0, 1, 60) * noise
        notes = {note.code: note for note in Advisor().recommend(parts, total, kind="number", neighbours=5).caveats}
        assert ("target-given-away" in notes) == options
