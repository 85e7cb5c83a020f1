"""Spreadsheets that openpyxl and odfpy (through pandas) wrote."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from tiebreak.errors import InputError, OptionError
from tiebreak.readers.grids import Grid, grids_of

pytest.importorskip("python_calamine")
openpyxl = pytest.importorskip("openpyxl")


def texts(grid: Grid) -> list[list[str]]:
    return [[cell.text for cell in row] for row in grid.rows]


FRAME = pd.DataFrame({"Dataset": ["iris", "wine"], "RF": [0.97, 70.0], "note": ["**x**", None], "n": [150, 178]})
WANTED = [["Dataset", "RF", "note", "n"], ["iris", "0.97", "x", "150"], ["wine", "70", "", "178"]]


@pytest.mark.parametrize(("kind", "library"), [("xlsx", "openpyxl"), ("ods", "odf")])
def test_what_pandas_wrote(kind: str, library: str, tmp_path: Path) -> None:
    pytest.importorskip(library)
    file = tmp_path / f"t.{kind}"
    FRAME.to_excel(file, index=False, sheet_name="All", engine=library)
    [grid] = grids_of(file)
    assert (texts(grid), grid.kind, grid.caption) == (WANTED, "sheet", "All")
    assert (grid.rows[1][1].line, grid.rows[1][1].column) == (2, "B")
    assert grid.rows[1][2].bold
    assert texts(grids_of(file.read_bytes())[0]) == WANTED
    assert texts(grids_of(file, sheet="All")[0]) == WANTED
    with pytest.raises(OptionError, match=r"There is no sheet 'Al'\. Known here: 'All'\. Did you mean 'All'\?"):
        grids_of(file, sheet="Al")


def book(tmp_path: Path) -> Path:
    made = openpyxl.Workbook()
    first = made.active
    first.title = "scores"
    first["B2"] = "Accuracy of all"
    for place, row in enumerate([["", "Trees", None, "Other"], ["d", "rf", "et", "svm"], ["iris", 0.9, 0.3, True]]):
        for column, value in enumerate(row):
            first.cell(row=4 + place, column=2 + column, value=value)
    first.merge_cells("C4:D4")
    second = made.create_sheet("times")
    second.append(["d", "rf"])
    second.append(["iris", 12])
    hidden = made.create_sheet("old")
    hidden.append(["d", "rf"])
    hidden.sheet_state = "hidden"
    made.create_sheet("empty")
    file = tmp_path / "b.xlsx"
    made.save(file)
    return file


def test_sheets_titles_merged_cells_and_empty_margins(tmp_path: Path) -> None:
    scores, times = grids_of(book(tmp_path))
    assert texts(scores) == [
        ["", "Trees", "Trees", "Other"],
        ["d", "rf", "et", "svm"],
        ["iris", "0.9", "0.3", "true"],
    ]
    assert scores.caption == "scores: Accuracy of all"
    assert (scores.rows[2][1].line, scores.rows[2][1].column) == (6, "C")
    assert (texts(times), times.caption) == ([["d", "rf"], ["iris", "12"]], "times")
    assert [str(note) for note in times.notes] == ["b.xlsx: hidden sheets were not read ('old')."]
    assert texts(grids_of(book(tmp_path), sheet="old")[0]) == [["d", "rf"]]


def test_a_workbook_that_would_fill_the_memory_is_not_opened(tmp_path: Path) -> None:
    file = book(tmp_path)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet9.xml", b" " * 150_000_000)
    with pytest.raises(InputError, match=r"b\.xlsx unpacks to more than 100 MB"):
        grids_of(file)


def test_broken_workbooks_and_a_missing_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = book(tmp_path).read_bytes()
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name)[:100])
    with pytest.raises(InputError, match=r"^b\.xlsx cannot be read as a spreadsheet: "):
        grids_of(out.getvalue(), name="b.xlsx")
    with pytest.raises(InputError, match=r"^b\.xlsx is not a sound zip file: "):
        grids_of(whole[:3000], name="b.xlsx")
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(OptionError) as caught:
        grids_of(whole, name="b.xlsx")
    assert str(caught.value) == (
        "b.xlsx is a spreadsheet, and the library python-calamine is not installed. Install it with `pip "
        "install 'tiebreak[sheets]'`, or save the sheet as csv."
    )
