"""Data sets in spreadsheets: the sheet that holds a table, its first full row the names."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from tiebreak.datasets import load, read_data
from tiebreak.errors import InputError, OptionError

openpyxl = pytest.importorskip("openpyxl", reason="it writes the workbooks of these tests")
pytest.importorskip("python_calamine", reason="it reads spreadsheets (tiebreak[sheets])")

ROWS = [
    ["weight", "coat", "pet"],
    *([4.1 + i / 7, "short" if i % 3 else "long", "cat"] for i in range(6)),
    [None, "long", "dog"],
]


def written(path: Path, **sheets: list[list[Any]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        page = book.create_sheet(name)
        for row in rows:
            page.append(row)
    book.save(path)
    return path


def test_a_sheet_is_read_as_its_csv_is(tmp_path: Path) -> None:
    text = "\n".join(",".join("" if cell is None else str(cell) for cell in row) for row in ROWS)
    (tmp_path / "pets.csv").write_text(text + "\n")
    sheet, plain = read_data(written(tmp_path / "pets.xlsx", one=ROWS)), read_data(tmp_path / "pets.csv")
    assert sheet.name == plain.name == "pets" and sheet.attributes == plain.attributes == ("weight", "coat")
    assert (sheet.target == plain.target).all() and sheet.values.tolist()[0] == plain.values.tolist()[0]
    assert load(str(tmp_path / "pets.xlsx")).name == "pets"


def test_titles_and_empty_rows_stand_above_the_table(tmp_path: Path) -> None:
    path = written(tmp_path / "a.xlsx", one=[["Pets of our street"], [], *ROWS])
    assert read_data(path).attributes == ("weight", "coat")


def test_other_sheets_with_tables_are_named(tmp_path: Path) -> None:
    path = written(tmp_path / "a.xlsx", notes=[["only words"]], pets=ROWS, old=ROWS)
    result = read_data(path)
    assert "Sheet 'pets' was read; 'old' not. To read another, save it as csv." in map(str, result.caveats)


def test_dates_and_truths_are_told(tmp_path: Path) -> None:
    rows = [["born", "tame", "age", "pet"]]
    rows += [[datetime.date(2020, 1, 1 + i), bool(i % 2), i * 1.5, "cat" if i % 3 else "dog"] for i in range(12)]
    result = read_data(written(tmp_path / "a.xlsx", one=rows))
    assert result.attributes == ("tame", "age") and set(result.categories[0]) == {"true", "false"}


def test_what_is_no_spreadsheet_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no sheet with a row of names and a row of values"):
        read_data(written(tmp_path / "a.xlsx", one=[["a", "b"]]))
    (tmp_path / "b.xlsx").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"'b\.xlsx' cannot be read as a spreadsheet"):
        read_data(tmp_path / "b.xlsx")
    with pytest.raises(OptionError, match="There is no file"):
        read_data(tmp_path / "c.xlsx")


def test_bars_separate_cells_too(tmp_path: Path) -> None:
    text = "\n".join("|".join("" if cell is None else str(cell) for cell in row) for row in ROWS)
    (tmp_path / "pets.txt").write_text(text + "\n")
    assert read_data(tmp_path / "pets.txt").attributes == ("weight", "coat")
    (tmp_path / "e.csv").write_text(" \n\n")
    with pytest.raises(InputError, match=r"'e\.csv' is empty\. Give a file"):
        read_data(tmp_path / "e.csv")
