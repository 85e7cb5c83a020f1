"""Grids of text cells from every format; what others wrote (pandas, polars, openpyxl) is read back as it was."""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st

from tiebreak.errors import InputError
from tiebreak.readers.grids import Grid, grids_of

from ..every import every

TABLE = [["Dataset", "RF", "SVM-RBF"], ["iris", "0.97", "0.94"], ["wine", "0.985", "1"], ["a_b c", "", "0.5"]]


def texts(grid: Grid) -> list[list[str]]:
    return [[cell.text for cell in row] for row in grid.rows]


def only(source: object, **options: str) -> Grid:
    [grid] = grids_of(source, **options)  # type: ignore[arg-type]
    assert len({len(row) for row in grid.rows}) == 1
    return grid


def frame() -> pd.DataFrame:
    return pd.DataFrame(TABLE[1:], columns=TABLE[0])


@every("separator", [",", ";", "\t", "|"])
@every("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
@every("end", ["\n", "\r\n", "\r"])
def test_separated_text_in_any_encoding(separator: str, encoding: str, end: str, tmp_path: Path) -> None:
    table = [["Dataset", "RF", "Größe"], ["iris", "0,97", "0,94"], ["Å & b", "0,5", ""]]
    text = end.join(
        separator.join(f'"{cell}"' if separator in cell else cell for cell in row) for row in table
    )  # a comma in a cell is quoted where it separates
    file = tmp_path / "t.csv"
    file.write_bytes((text + end).encode(encoding))
    grid = only(file)
    assert texts(grid) == table
    assert [note.code for note in grid.notes] == (["read-as"] if encoding == "cp1252" else [])
    assert [row[0].line for row in grid.rows] == [1, 2, 3]
    assert grid.rows[1][2].column == "3"


def test_a_decimal_comma_is_no_separator() -> None:
    assert texts(only("0,85;0,90\n0,80;0,70\n")) == [["0,85", "0,90"], ["0,80", "0,70"]]
    assert texts(only("d;rf\niris;0,85\n", name="x.csv")) == [["d", "rf"], ["iris", "0,85"]]
    with pytest.raises(InputError) as caught:
        grids_of("d,rf,svm\niris,0,85,0,90\nwine,0,80,0,70\n", name="x.csv")
    assert str(caught.value) == (
        "x.csv: lines 2, 3 have more cells than the header, which has 3. It is not clear which cell belongs to which"
        " column. A decimal comma splits a number where commas separate cells too. Save it with semicolons, or with"
        " decimal points."
    )


def test_titles_short_rows_and_the_line_for_excel() -> None:
    grid = only("Accuracy, 2024\n\nd;rf;svm\niris;1;2\nwine;3\n")
    assert (texts(grid), grid.caption) == (
        [["d", "rf", "svm"], ["iris", "1", "2"], ["wine", "3", ""]],
        "Accuracy, 2024",
    )
    assert [note.code for note in grid.notes] == ["read-as"]
    assert grid.rows[0][0].line == 3
    grid = only("sep=|\nd|rf\niris|1\n")
    assert (texts(grid), grid.rows[0][0].line) == ([["d", "rf"], ["iris", "1"]], 2)


def test_rows_that_end_in_gaps_are_whole() -> None:
    grid = only("Trees,,,\nd,rf,et,x\niris,1,2,\nwine,1,2,\n")
    assert texts(grid) == [["d", "rf", "et", "x"], ["iris", "1", "2", ""], ["wine", "1", "2", ""]]
    grid = only(",Trees,,\nd,rf,et,x\niris,1,2,\nwine,1,2,\n")
    assert [len(row) for row in texts(grid)] == [4] * 4
    assert not grid.notes


def test_quoted_cells_hold_separators_quotes_and_line_breaks() -> None:
    grid = only('d,"a ""b"", c"\n"two\nlines",1\nlast,2\n')
    assert texts(grid) == [["d", 'a "b", c'], ["two lines", "1"], ["last", "2"]]
    assert [row[0].line for row in grid.rows] == [1, 2, 4]
    with pytest.raises(InputError, match="not proper delimited text"):
        grids_of('d,a\n"open,1\n', name="x.csv")


def test_a_header_without_its_first_name_as_r_writes_it() -> None:
    # R 4.3: write.table(data.frame(rf = c(0.97, 0.98), svm = c(0.94, NA), row.names = c("iris", "wine set")))
    text = '"rf" "svm"\n"iris" 0.97 0.94\n"wine set" 0.98 NA\n'
    assert texts(only(text)) == [["", "rf", "svm"], ["iris", "0.97", "0.94"], ["wine set", "0.98", "NA"]]


def test_rows_with_too_many_cells_are_named_together() -> None:
    with pytest.raises(InputError, match=r"^x\.csv: lines 3, 5 have more cells than the header, which has 2\. "):
        grids_of("d,rf\na,1\nb,1,2,3\nc,2\nd,1,2,3,4\n", name="x.csv")
    with pytest.raises(InputError, match=r"line 5 has more cells than the other rows, which have 2\."):
        grids_of("\\begin{tabular}{ll}\nd & rf \\\\\na & 1 \\\\\nb & 2 \\\\\nx & y & 3 \\\\\n\\end{tabular}\n")


def test_archives(tmp_path: Path) -> None:
    data = frame().to_csv(index=False).encode()
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(data))
    assert texts(only(tmp_path / "t.csv.gz")) == TABLE
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("t.csv", data)
    with pytest.raises(InputError, match=r"t\.zip is an archive\. Unpack it first"):
        grids_of(tmp_path / "t.zip")


def test_streams_bytes_standard_input_and_pasted_text(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join("\t".join(row) for row in TABLE)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(text.encode()))))
    for source in (text, text.encode(), io.StringIO(text), io.BytesIO(text.encode()), "-"):
        assert texts(only(source)) == TABLE


@every(
    ("source", "words"),
    [
        (b"", "the data is empty."),
        (b" \n ", "the data is empty."),
        (b'"\n"\n"\n"\n', "No table was found in the data."),
        (b"%PDF-1.4", "the data is a PDF."),
        (b"\x00\x01\x02\x03abc", "the data is neither text nor a kind of file that is known."),
        ("only\nprose here\n", "No table was found in the text."),
        ("no/such/file.csv", "no/such/file.csv cannot be read: there is no such file."),
        (".", ". cannot be read: it is a folder."),
        (b"\x1f\x8b123", "the data is not a sound gzip file: "),
        (b"PK\x03\x04123", "the data is not a sound zip file: "),
    ],
)
def test_what_is_no_table(source: bytes | str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        grids_of(source)
    assert str(caught.value).startswith(words)


def test_marks_of_other_formats_inside_a_csv() -> None:
    grid = only("d,a,b,c\nx,**0.7**,<b>0.8</b>,\\textbf{0.9}$\\pm$0.1\ny,0.5*,a_b_c,5 \\%\n")
    assert texts(grid)[1:] == [["x", "0.7", "0.8", "0.9±0.1"], ["y", "0.5*", "a_b_c", "5 %"]]
    assert [cell.bold for cell in grid.rows[1]] == [False, True, True, True]


NAMES = (
    st.text(alphabet="abcXYZ _-+.äß", min_size=1, max_size=8)
    .map(str.strip)
    .filter(lambda name: len(name) > 1 and "--" not in name)
)  # LaTeX prints -- as a dash
NUMBERS = st.floats(min_value=-1000, max_value=1000, allow_nan=False).map(lambda value: f"{value:.4g}")


@st.composite
def tables(draw: st.DrawFn) -> pd.DataFrame:
    columns = draw(st.lists(NAMES, min_size=2, max_size=5, unique=True))
    rows = draw(st.lists(NAMES, min_size=2, max_size=6, unique=True))
    values = {column: draw(st.lists(NUMBERS, min_size=len(rows), max_size=len(rows))) for column in columns}
    return pd.DataFrame({"Dataset": rows, **values})


WRITERS = {
    "comma": lambda table: table.to_csv(index=False),
    "semicolon": lambda table: table.to_csv(index=False, sep=";"),
    "tab": lambda table: table.to_csv(index=False, sep="\t"),
    "polars": lambda table: pl.from_pandas(table).write_csv(separator=";", quote_style="always"),
    "latex": lambda table: table.to_latex(index=False, escape=True),
    "longtable": lambda table: table.to_latex(index=False, escape=True, longtable=True),
    "html": lambda table: table.to_html(index=False),
}


@pytest.mark.parametrize("shape", WRITERS)
@given(table=tables())
def test_any_table_that_another_program_wrote_is_read_back(shape: str, table: pd.DataFrame) -> None:
    wanted = [list(table.columns), *table.values.tolist()]
    result = texts(only(WRITERS[shape](table) + "\n"))
    assert result == [[" ".join(cell.split()) for cell in row] for row in wanted]
