"""Random tables, written in random shapes by our writers and by others, are read back equal."""

from __future__ import annotations

import io
import string
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from tiebreak import Results, read
from tiebreak.documents.layout import html_table, latex_table, markdown_table, text_table
from tiebreak.readers.explaining import write
from tiebreak.readers.understanding import words
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import SYNONYMS

LETTERS = string.ascii_letters + string.digits + "-_.+"
TAKEN = {name for names in SYNONYMS.values() for name in names} | {"metric"}


def is_name(text: str) -> bool:
    """Names that say what they are, such as Average, are another test."""
    odd = words.is_summary(text) or words.is_description(text) or words.is_index(text) or words.is_sd(text)
    known = metric_named(text).higher_is_better is not None or text.lower() in TAKEN or words.is_data_set(text)
    small = text.lower()
    reserved = small in words.GAPS or small in words.FAILURES or bool(words.FAILED.fullmatch(small))
    return (
        text[0].isalpha()
        and text[-1].isalnum()
        and not (odd or known or reserved)
        and "__" not in text
        and "--" not in text
    )


NAMES = st.text(LETTERS, min_size=2, max_size=9).filter(lambda text: text.strip() == text).filter(is_name)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[str], np.ndarray[Any, Any]]:
    names = draw(st.lists(NAMES, min_size=7, max_size=10, unique_by=str.casefold))
    datasets, algorithms = names[:4], names[4:]
    assume(not any(f"{base}{mark}" in names for base in names for mark in ("_std", "_sd", "-sd", ".sd")))
    cells = st.integers(100, 999).map(lambda value: value / 1000)
    values = np.array(draw(st.lists(cells, min_size=4 * len(algorithms), max_size=4 * len(algorithms))))
    table = values.reshape(4, -1)
    others = (table.sum(axis=0) - table) / 3
    assume(not (np.abs(table - others) <= 0.01).all(axis=1).any())  # a row that is the mean of the others is left out
    for place in draw(st.sets(st.integers(0, 4 * len(algorithms) - 1), max_size=2)):
        table.flat[place] = np.nan
    return datasets, algorithms, table


def check(results: Results, datasets: list[str], algorithms: list[str], table: np.ndarray[Any, Any]) -> None:
    assert set(results.datasets) == set(datasets)
    assert set(results.algorithms) == set(algorithms)
    order = [datasets.index(name) for name in results.datasets], [algorithms.index(name) for name in results.algorithms]
    assert np.array_equal(results.means("accuracy"), table[np.ix_(*order)], equal_nan=True)


def texts(table: np.ndarray[Any, Any], gap: str, *, percent: bool) -> list[list[str]]:
    write = (lambda value: f"{100 * value:.1f}%") if percent else str
    return [[gap if np.isnan(value) else write(value) for value in row] for row in table.tolist()]


@pytest.mark.parametrize("writer", [markdown_table, latex_table, html_table, text_table])
@settings(max_examples=25)
@given(made=tables(), gap=st.sampled_from(["-", "n/a", "—", "OOM"]), percent=st.booleans(), turned=st.booleans())
def test_what_our_writers_write(writer: Any, made: Any, gap: str, percent: bool, turned: bool) -> None:
    datasets, algorithms, table = made
    cells = texts(table, gap, percent=percent)
    rows, columns, corner = (algorithms, datasets, "method") if turned else (datasets, algorithms, "dataset")
    lines = [list(row) for row in zip(*cells, strict=True)] if turned else cells
    body = [[name, *line] for name, line in zip(rows, lines, strict=True)]
    check(read(writer([corner, *columns], body) + "\n", scores="accuracy"), datasets, algorithms, table)


@settings(max_examples=25)
@given(made=tables(), long=st.booleans(), ending=st.sampled_from([".csv", ".parquet"]))
def test_what_results_are_written_as(made: Any, long: bool, ending: str) -> None:
    datasets, algorithms, table = made
    results = Results.from_array(table, score="accuracy", datasets=datasets, algorithms=algorithms)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t{ending}"
        write(results, path, long=long)
        check(read(path, scores="accuracy"), datasets, algorithms, table)


@settings(max_examples=25)
@given(made=tables(), separator=st.sampled_from([",", ";", "\t", "|"]), index=st.booleans())
def test_what_pandas_writes(made: Any, separator: str, index: bool) -> None:
    pd = pytest.importorskip("pandas")
    datasets, algorithms, table = made
    frame = pd.DataFrame(table, columns=algorithms, index=pd.Index(datasets, name="dataset"))
    frame = frame if index else frame.reset_index()
    decimal = "," if separator == ";" else "."
    check(
        read(frame.to_csv(sep=separator, index=index, decimal=decimal), scores="accuracy"), datasets, algorithms, table
    )
    check(read(frame.reset_index(drop=not index).to_csv(sep=separator), scores="accuracy"), datasets, algorithms, table)
    check(read(frame.reset_index(drop=not index).to_html(), scores="accuracy"), datasets, algorithms, table)


@settings(max_examples=15)
@given(made=tables())
def test_what_polars_writes(made: Any) -> None:
    pl = pytest.importorskip("polars")
    datasets, algorithms, table = made
    frame = pl.DataFrame({"dataset": datasets, **{name: table[:, i] for i, name in enumerate(algorithms)}})
    check(read(frame.write_csv(), scores="accuracy"), datasets, algorithms, table)
    check(read(frame.write_ndjson(), scores="accuracy"), datasets, algorithms, table)


@settings(max_examples=10)
@given(made=tables())
def test_what_openpyxl_writes(made: Any) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    datasets, algorithms, table = made
    book = openpyxl.Workbook()
    book.active.append(["dataset", *algorithms])
    for name, row in zip(datasets, table.tolist(), strict=True):
        book.active.append([name, *(None if np.isnan(value) else value for value in row)])
    out = io.BytesIO()
    book.save(out)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.xlsx"
        path.write_bytes(out.getvalue())
        check(read(path, scores="accuracy"), datasets, algorithms, table)
