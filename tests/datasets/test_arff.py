"""The ARFF reader: quoting, declared values, and what it refuses."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tiebreak.datasets import read_data
from tiebreak.datasets.text_files import split_row
from tiebreak.errors import InputError

HEAD = """% a comment
@RELATION 'two words'
@ATTRIBUTE 'sepal length' REAL   % in cm
@attribute colour {red, 'light blue', "o'k", 'it\\'s', 100%}
@attribute n integer
@attribute note string
@attribute class {no,yes,never}
"""


def written(home: Path, text: str, name: str = "d.arff") -> Path:
    (home / name).write_text(text, encoding="utf-8")
    return home / name


def test_quotes_comments_and_missing_values(tmp_path: Path) -> None:
    rows = (
        "@Data\n% rows\n5.1, 'light blue', 3, 'a, b', yes\n\n?,red,?,?,no\n1e2,\"o'k\",-1,'?',yes\n0,'it\\'s',0,x,no\n"
    )
    data = read_data(written(tmp_path, HEAD + rows))
    assert data.attributes == ("sepal length", "colour", "n", "note")
    assert data.symbolic.tolist() == [False, True, False, True]
    assert data.categories[1] == ("it's", "light blue", "o'k", "red")
    assert data.categories[3] == ("?", "a, b", "x")
    assert data.classes == ("no", "yes")
    np.testing.assert_array_equal(data.values[:, 0], [5.1, np.nan, 100, 0])
    assert np.isnan(data.values[1]).tolist() == [True, False, True, True]


def test_plain_rows_take_the_fast_way_and_agree_with_the_slow_one(tmp_path: Path) -> None:
    head = "@relation r\n@attribute a numeric\n@attribute s {u,NA}\n@attribute c {p,q}\n@data\n"
    fast = read_data(written(tmp_path, head + "1,u,p\n?,NA,q\n-2.5,?,p\n"))
    slow = read_data(written(tmp_path, head + "1, u, p\n?,'NA', q\n-2.5,?,p\n"))
    assert fast.fingerprint == slow.fingerprint
    assert fast.categories[1] == ("NA", "u")
    packed = tmp_path / "d.arff.gz"
    packed.write_bytes(gzip.compress((tmp_path / "d.arff").read_bytes()))
    assert read_data(packed).fingerprint == fast.fingerprint


def test_a_numeric_attribute_can_be_read_as_symbolic_and_any_can_be_the_class(tmp_path: Path) -> None:
    head = "@relation r\n@attribute a numeric\n@attribute s {u,v}\n@attribute c {p,q}\n@data\n1,u,p\n2,v,q\n"
    assert read_data(written(tmp_path, head), symbolic=["a"]).categories[0] == ("1", "2")
    assert read_data(written(tmp_path, head), target="a").classes == ("1", "2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "@attribute when date 'yyyy'\n@attribute c {p,q}\n@data\n1999,p\n",
            "'d.arff' has no attribute to learn from; left out were 'when' (dates). Add attributes,"
            " or keep some of these with keep=['when'].",
        ),
        (
            "@attribute a numeric\n@attribute c date\n@data\n1,1999\n",
            "Attribute 'c' of 'd.arff' has the type date. Turn"
            " it into numbers first (into days, for example), or leave it out with drop=[...].",
        ),
        (
            "@attribute a relational\n@attribute c {p,q}\n@data\n1,p\n",
            "'d.arff': attribute 'a' has the type 'relational'. Turn"
            " it into numbers first, or take it out of the file.",
        ),
        (
            "@attribute a numeric\n@attribute c {p,q}\n@data\n1,p\nx,q\n",
            "Column 'a', data row 2 of 'd.arff': 'x' is not a number. The column is declared numeric. Correct the "
            "cell or leave it empty; if the column holds names, say symbolic=['a']; leave it out with drop=['a'].",
        ),
        (
            "@attribute a numeric\n@attribute c {p,q}\n@data\n1,p\n2,r\n",
            "Column 'c', data row 2 of 'd.arff': 'r' is not among the declared values. Correct"
            " the cell, or add the value to the line of the attribute.",
        ),
        (
            "@attribute a numeric\n@attribute c {p,q}\n@data\n1,p\n2,p,q\n",
            "Data row 2 of 'd.arff' does not hold 2 values: '2,p,q'. Every row has one value per attribute; sparse "
            "rows and weights of rows are not read. Correct the row; values with commas, blanks or quotes stand in "
            "quotes.",
        ),
    ],
)
def test_refusals(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_data(written(tmp_path, "@relation r\n" + text))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@attribute a numeric\n", "has no line '@data'"),
        ("@attribute a numeric\n@data\n1\n", "declares 1 attribute"),
        ("@attribute a\n@attribute c {p,q}\n@data\n1,p\n", "declares no type"),
        ("@attribute a numeric\n@attribute c {p,q}\n@data\n1\n", "Data row 1"),
        ("@attribute a numeric\n@attribute c {p,q}\n@data\n{0 1, 1 q}\n", "sparse rows and weights of rows are not"),
        ("@attribute a numeric\n@attribute c {p,q}\n@data\n1,'p\n", "Data row 1|declared values"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_data(written(tmp_path, text))


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=0, max_size=6), min_size=1, max_size=5))
def test_quoted_cells_come_back(cells: list[str]) -> None:
    line = ",".join("'" + cell.replace("\\", "\\\\").replace("'", "\\'") + "'" for cell in cells)
    assert split_row(line) == cells
