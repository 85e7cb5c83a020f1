"""Markdown, HTML and aligned text."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

from tiebreak.errors import InputError
from tiebreak.readers.grids import Grid, grids_of

from ..every import every


def texts(grid: Grid) -> list[list[str]]:
    return [[cell.text for cell in row] for row in grid.rows]


def bold(grid: Grid) -> list[str]:
    return [cell.text for row in grid.rows for cell in row if cell.bold]


PAGE = r"""# Results

Some words | with a bar.

Table 1: accuracy

| Data set | **RF** | [SVM](http://a.b/c_d) |
|:---------|:------:|----------------------:|
| iris     | **0.97** | $0.94 \pm 0.01$ |
| a\|b     | __0.5__ | `x` *y* my_own_name |
| short |

## Times

dataset | rf
--- | ---
wine | 1.5<br>s[^1]

<table><caption>In <i>HTML</i></caption>
<tr><th>d</th><th>x</th></tr><tr><td>iris</td><td><b>1</b></td></tr></table>
"""


def test_a_page_with_three_tables() -> None:
    first, second, third = grids_of(PAGE, name="page.md")
    assert (first.kind, first.caption) == ("markdown", "Table 1: accuracy")
    assert texts(first) == [
        ["Data set", "RF", "SVM"],
        ["iris", "0.97", "0.94 ± 0.01"],
        ["a|b", "0.5", "x y my_own_name"],
        ["short", "", ""],
    ]
    assert bold(first) == ["RF", "0.97", "0.5"]
    assert [row[0].line for row in first.rows] == [7, 9, 10, 11]
    assert (texts(second), second.caption) == ([["dataset", "rf"], ["wine", "1.5 s"]], "Times")
    assert (third.kind, texts(third), third.caption) == ("html", [["d", "x"], ["iris", "1"]], "In HTML")


def test_markdown_without_a_header_and_with_bars_too_many() -> None:
    [grid] = grids_of("| | |\n|---|---|\n| a | 1 |\n| b | 2 |\n")
    assert texts(grid) == [["a", "1"], ["b", "2"]]
    with pytest.raises(InputError, match="line 4 has more cells than the other rows, which have 2"):
        grids_of("| d | x |\n|---|---|\n| a | 1 |\n| b | 2 | 3 |\n| c | 2 |\n")


def test_bars_without_a_row_of_dashes() -> None:
    [grid] = grids_of("| d | x |\n| a | 1 |\n| b | 2 |\n")
    assert (texts(grid), grid.kind) == ([["d", "x"], ["a", "1"], ["b", "2"]], "csv")


def test_html_spans_scripts_and_weights() -> None:
    [grid] = grids_of(
        """<table><thead>
        <tr><th rowspan="2">d</th><th colspan="2">Trees &amp; co</th><th rowspan=2>x</th></tr>
        <tr><th>rf</th><th>et</th></tr></thead>
        <tbody><tr><td rowspan="2">iris<td>1<sup>*</sup><td>2<sub>0.1</sub><td style="font-weight: 700">3
        <tr><td>4&plusmn;1<td>5<sup>2</sup><td><strong>6</strong>&nbsp;%<!-- <td>7 --><script>var a = 1 < 2;</script>
        </table>"""
    )
    assert texts(grid) == [
        ["d", "Trees & co", "Trees & co", "x"],
        ["d", "rf", "et", "x"],
        ["iris", "1*", "2 (0.1)", "3"],
        ["iris", "4±1", "5^2", "6 %"],
    ]
    assert bold(grid) == ["3", "6 %"]
    assert [row[1].line for row in grid.rows] == [2, 3, 4, 5]


def test_html_as_pandas_writes_it() -> None:
    columns = pd.MultiIndex.from_product([["Trees", "Other"], ["a", "b"]])
    frame = pd.DataFrame([[0.1, 0.2, 0.3, 0.4]] * 2, index=["iris", "wine"], columns=columns)
    [grid] = grids_of(frame.to_html())
    assert texts(grid)[1:3] == [["", "a", "b", "a", "b"], ["iris", "0.1", "0.2", "0.3", "0.4"]]
    styled = frame.style.highlight_max(axis=None, props="font-weight: bold")
    assert texts(grids_of(styled.to_html(inline=True) if False else styled.to_html())[0])[2][0] == "iris"


FRAME = pd.DataFrame({"data set": ["iris", "wine all", "x"], "rf": [0.97, 1234.5, 0.5], "svm rbf": [0.5, None, 0.25]})


def test_frames_as_pandas_and_polars_print_them() -> None:
    wanted = [
        ["data set", "rf", "svm rbf"],
        ["iris", "0.97", "0.50"],
        ["wine all", "1234.50", "NaN"],
        ["x", "0.50", "0.25"],
    ]
    assert texts(grids_of(FRAME.to_string(index=False))[0]) == wanted
    assert texts(grids_of(FRAME.to_string())[0]) == [
        [number, *row] for number, row in zip(["", "0", "1", "2"], wanted, strict=True)
    ]
    [grid] = grids_of(str(pl.from_pandas(FRAME)))
    assert texts(grid)[0] == wanted[0]
    assert texts(grid)[1:] == [["iris", "0.97", "0.5"], ["wine all", "1234.5", "null"], ["x", "0.5", "0.25"]]


FRAMED = [
    # tabulate 0.9: tablefmt="grid", "psql", "simple", "outline", "presto", "rst", "github"
    "+-----+------+\n| d   |   rf |\n+=====+======+\n| a b |  0.5 |\n+-----+------+\n| c   |      |\n+-----+------+\n",
    "+-----+------+\n| d   |   rf |\n|-----+------|\n| a b |  0.5 |\n| c   |      |\n+-----+------+\n",
    "d      rf\n---  ----\na b   0.5\nc\n",
    "+-----+------+\n| d   |   rf |\n+=====+======+\n| a b |  0.5 |\n| c   |      |\n+-----+------+\n",
    " d   |   rf\n-----+------\n a b |  0.5\n c   |\n",
    "===  ====\nd      rf\n===  ====\na b   0.5\nc\n===  ====\n",
    "| d   |   rf |\n|-----|------|\n| a b |  0.5 |\n| c   |      |\n",
    # rich 13
    "┏━━━━━┳━━━━━┓\n┃ d   ┃  rf ┃\n┡━━━━━╇━━━━━┩\n│ a b │ 0.5 │\n│ c   │     │\n└─────┴─────┘\n",
]


@every("text", FRAMED)
def test_tables_drawn_with_letters(text: str) -> None:
    [grid] = grids_of(text)
    assert texts(grid) == [["d", "rf"], ["a b", "0.5"], ["c", ""]]


def test_aligned_columns_with_gaps_titles_and_single_blanks() -> None:
    [grid] = grids_of("Accuracy of all\ndata set     rf    svm\niris       0.97   0.94\nwine               0.5\n")
    assert (texts(grid), grid.caption) == (
        [["data set", "rf", "svm"], ["iris", "0.97", "0.94"], ["wine", "", "0.5"]],
        "Accuracy of all",
    )
    # R 4.3: print(data.frame(dataset = c("iris", "wine"), rf = c(0.97, 0.98), svm = c(0.94, NA)))
    [grid] = grids_of("  dataset   rf  svm\n1    iris 0.97 0.94\n2    wine 0.98   NA\n")
    assert texts(grid) == [["", "dataset", "rf", "svm"], ["1", "iris", "0.97", "0.94"], ["2", "wine", "0.98", "NA"]]
