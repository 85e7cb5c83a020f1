"""Which column is the target: by its name, the last one, or asked for where two names disagree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tiebreak.caveats import codes_of
from tiebreak.datasets import read_data
from tiebreak.datasets.targets import LAST, NAMED, NAMED_LAST, by_name, reading_of
from tiebreak.errors import InputError
from tiebreak.wording import on_the_command_line

from ..every import every


@every(
    ("headers", "target", "why"),
    [
        ("a b kind", "kind", LAST),
        ("a b class", "class", NAMED_LAST),
        ("class a b", "class", NAMED),
        ("a Class_Label b", "Class_Label", NAMED),
        ("x1 x2 y", "y", NAMED_LAST),
        ("x y kind", "kind", LAST),  # coordinates
        ("x1 y x2", "y", NAMED),
        ("PassengerId Survived Age Embarked", "Survived", NAMED),
        ("species length year", "species", NAMED),
        ("a outcome b class", "class", NAMED_LAST),  # horse: the outcome is an attribute
        ("a classes_taken b", "b", LAST),
    ],
)
def test_the_rule(headers: str, target: str, why: str) -> None:
    name = by_name(headers.split(), "'d.csv'")
    assert (name.name, name.why) == (target, why)


@pytest.mark.parametrize("headers", ["class a target", "target a label b", "Class Age Sex Survived", "y a class b"])
def test_two_names_that_disagree_are_asked_about(headers: str) -> None:
    with pytest.raises(InputError, match=r"Several columns of 'd.csv' have the name of a target"):
        by_name(headers.split(), "'d.csv'")


def test_the_question_gives_every_command() -> None:
    with on_the_command_line("recommend"), pytest.raises(InputError) as caught:
        by_name("class a target b".split(), "'d.csv'")
    assert str(caught.value) == (
        "Several columns of 'd.csv' have the name of a target: 'class', 'target'. Say"
        " --target class or --target target, or"
        " --target b for the last column; leave a second copy of the target out with --drop A,B."
    )


def test_a_target_that_is_not_last_is_said(tmp_path: Path) -> None:
    path = tmp_path / "credit.csv"
    path.write_text("class,age,foreign\n" + "".join(f"{'good' if i % 3 else 'bad'},{i % 7},no\n" for i in range(30)))
    data = read_data(path)
    assert (data.target_name, data.target_why, data.classes) == ("class", "by its name", ("bad", "good"))
    assert data.caveats[0] == (
        "target 'class' was taken by its name; the last column is 'foreign', for which say target='foreign'."
    )
    assert codes_of(data.caveats)[0] == "target-not-last"
    assert read_data(path, target="foreign").target_why == ""
    assert read_data(path, drop=["class"]).target_name == "foreign"


# ---- classes or a number

RNG = np.random.default_rng(3)
N = 800
NUMBERS = {
    "floats": RNG.normal(size=N),
    "progression": np.round(RNG.gamma(4, 38, 442)),  # of diabetes: 214 whole numbers in 442 rows
    "house values": np.minimum(np.round(RNG.gamma(3, 0.7, 5000), 3), 5.0),
    "many counts": RNG.negative_binomial(2, 0.01, N) * 1.0,
    "counts": RNG.poisson(8, N) * 1.0,
    "ages": RNG.integers(18, 80, N) * 1.0,
    "years": RNG.integers(1950, 2012, N) * 1.0,
    "prices": RNG.choice([99, 149, 199, 249, 299, 349, 399, 499, 599, 799, 999, 1299], N) * 1.0,
    "whole prices": RNG.integers(20_000, 900_000, N) * 1.0,
    "points": np.clip(np.round(RNG.normal(66, 15, N)), 0, 100),
    "grades": np.clip(np.round(RNG.normal(11, 4, 395)), 0, 20),
    "rings": np.clip(np.round(RNG.gamma(10, 1, 4177)), 1, 29),
    "days": RNG.geometric(0.05, N) - 1.0,
    "shares": np.round(RNG.uniform(0, 1, N), 1),
    "a few ages": RNG.integers(20, 60, 15) * 1.0,
}
ASKED = {
    "few counts": RNG.poisson(2, N) * 1.0,
    "ages of pupils": np.clip(np.round(RNG.normal(17, 1.3, N)), 15, 22),
    "few years": RNG.integers(2010, 2016, N) * 1.0,
    "few prices": RNG.choice([100, 150, 200, 250, 300], N) * 1.0,
    "half stars": RNG.integers(1, 11, N) / 2,
    "wine quality": RNG.choice([3.0, 4, 5, 6, 7, 8], 1599, p=np.array([10, 53, 681, 638, 199, 18]) / 1599),
    "one to thirty": RNG.integers(1, 31, N) * 1.0,
}
CLASSES = {
    "two": RNG.integers(0, 2, N) * 1.0,
    "two halves": RNG.integers(0, 2, N) - 0.5,
    "digits": RNG.integers(0, 10, N) * 1.0,
    "satellite": RNG.choice([1.0, 2, 3, 4, 5, 7], N),
    "stars": RNG.integers(1, 6, N) * 1.0,
    "feelings": RNG.integers(-2, 3, N) * 1.0,
    "cover": RNG.choice(range(1, 8), 5000, p=np.array([212, 283, 36, 3, 9, 17, 21]) / 581) * 1.0,
    "species": np.tile(np.arange(100.0), 50),
}


@every("name", NUMBERS)
def test_a_quantity_is_a_number(name: str) -> None:
    reading = reading_of(NUMBERS[name])
    assert (reading.kind, reading.asks) == ("number", False)


@pytest.mark.parametrize("name", ASKED)
def test_what_may_be_either_is_asked_about(name: str) -> None:
    reading = reading_of(ASKED[name])
    assert (reading.kind, reading.asks, reading.doubtful) == ("classes", True, True)


@every("name", CLASSES)
def test_codes_are_classes(name: str) -> None:
    reading = reading_of(CLASSES[name])
    assert (reading.kind, reading.asks) == ("classes", False)


def test_a_name_that_says_classes_counts() -> None:
    letters = RNG.integers(1, 27, 20_000) * 1.0
    assert reading_of(letters).asks and not reading_of(letters, says_classes=True).asks
    assert not reading_of(ASKED["wine quality"], says_classes=True).asks
    assert reading_of(NUMBERS["rings"], says_classes=True).asks  # abalone, whose column is called class
    assert reading_of(NUMBERS["floats"], says_classes=True).kind == "number"


# ---- targets in text


def written(folder: Path, values: list[object], header: str = "price") -> Path:
    path = folder / "d.csv"
    path.write_text(f"size,{header}\n" + "".join(f"{i % 7},{value}\n" for i, value in enumerate(values)))
    return path


def test_prices_with_a_currency_are_no_classes(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_data(written(tmp_path, [f"${i % 15}k" for i in range(90)]))
    assert str(caught.value) == (
        "The target of 'd.csv' is text that holds numbers, such as '$0k'. Each of its 15 different values would be a"
        " class of its own. Write plain numbers, without unit and thousands marks, or say kind='classes'."
    )
    assert read_data(tmp_path / "d.csv", kind="classes").kind == "classes"
    assert len(read_data(written(tmp_path, [f"{i % 13}{'abc'[i % 3]}" for i in range(390)])).classes) == 39


def test_dates_are_no_classes(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_data(written(tmp_path, [f"2020-01-{i % 28 + 1:02d}" for i in range(200)]))
    assert str(caught.value) == (
        "The target of 'd.csv' holds 28 different dates, such as '2020-01-01'. Name the class"
        " column with target=..., or turn the dates into days and say kind='number'."
    )


def test_numbers_with_a_few_texts_are_no_classes(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_data(written(tmp_path, ["n.k." if i % 40 == 1 else i % 50 for i in range(200)]))
    assert str(caught.value) == (
        "Column 'price', row 2 of 'd.csv': 'n.k.' is not a number (no numbers in 5 of 200 rows: 'n.k.'). Correct"
        " the cells, or leave them"
        " empty to drop the rows; if these are classes, say kind='classes'."
    )
    assert read_data(written(tmp_path, ["x" if i % 40 == 1 else i % 5 for i in range(200)])).classes[-1] == "x"


def test_classes_of_few_rows_are_asked_about(tmp_path: Path) -> None:
    path = written(tmp_path, [f"town{i % 50}" for i in range(200)])
    with pytest.raises(InputError) as caught:
        read_data(path)
    assert str(caught.value) == (
        "The class column of 'd.csv' has 50 different values in 200 rows. That is a quantity or a name, not a class:"
        " the classes would have fewer than five rows each. Name the class column with target=..., or put the quantity"
        " into intervals first; if these are classes, say kind='classes'."
    )
    assert len(read_data(path, kind="classes").classes) == 50
