"""No surprise in size: archives are inflated with a limit, JSON and TOML nest so deep and no deeper."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import polars as pl
import pytest

from tiebreak.datasets import read_data
from tiebreak.errors import InputError, OptionError
from tiebreak.lab.plans import read_plan
from tiebreak.readers import read
from tiebreak.readers.grids import MOST_CELLS, grids_of
from tiebreak.readers.understanding.layout import parse
from tiebreak.results import text as text_files

ROWS = b"dataset,algorithm,accuracy\n"


def zeros(path: Path, megabytes: int) -> Path:
    with gzip.open(path, "wb", compresslevel=9) as stream:
        stream.write(ROWS)
        for _ in range(megabytes):
            stream.write(b"iris,svm,0.000000000000000000\n" * 33_334)
    return path


@pytest.mark.parametrize("reader", [read, read_data, grids_of])
def test_a_gzip_bomb_is_refused_before_it_fills_the_memory(reader: object, tmp_path: Path) -> None:
    file = zeros(tmp_path / "zeros.csv.gz", 130)
    tracemalloc.start()
    try:
        with pytest.raises(InputError) as caught:
            reader(file)  # type: ignore[operator]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    size = file.stat().st_size
    assert str(caught.value) == (
        f"zeros.csv.gz unpacks to more than 100 MB (it has {size / 1000:.3g} kB; the limit is 2 GB, and 100 times its"
        " own size above 100 MB). Such a file would fill the memory. If that is right, unpack it and read the unpacked"
        " file, or allow more gigabytes: TIEBREAK_UNPACK_GB=20."
    )
    assert peak < 260e6  # the limit, and a buffer that grows by doubling


def test_the_limit_can_be_lifted_and_lowered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = zeros(tmp_path / "t.csv.gz", 1)
    monkeypatch.setenv(text_files.LIMIT_NAME, "0.0005")
    with pytest.raises(InputError, match="unpacks to more than 500 kB"):
        grids_of(file)
    monkeypatch.setenv(text_files.LIMIT_NAME, "0.002")
    assert len(grids_of(file)[0].rows) == 33_335
    monkeypatch.setenv(text_files.LIMIT_NAME, "much")
    with pytest.raises(OptionError, match=r"TIEBREAK_UNPACK_GB is 'much'\. .* TIEBREAK_UNPACK_GB=10\."):
        grids_of(file)


def test_archives_in_archives() -> None:
    data = b"a,b\n1,2\n"
    for _ in range(2):
        data = gzip.compress(data)
    assert len(grids_of(data)[0].rows) == 2
    with pytest.raises(OptionError, match="holds archives in archives"):
        grids_of(gzip.compress(data))


def test_a_small_parquet_of_endless_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "t.parquet"
    pl.DataFrame({"dataset": ["iris"] * 100_000, "svm": [0.5] * 100_000}).write_parquet(file)
    monkeypatch.setenv(text_files.LIMIT_NAME, "0.001")
    for reader in (lambda path: read(path, scores="accuracy"), read_data):
        with pytest.raises(InputError, match=r"t\.parquet unpacks to more than 1 MB"):
            reader(file)


def test_nested_json_and_toml_end_in_a_message(tmp_path: Path) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    for name, text in {"a.json": deep, "b.json": '{"a":' * 500 + "1" + "}" * 500}.items():
        (tmp_path / name).write_text(text)
        for reader in (read, grids_of):
            with pytest.raises(InputError, match="nests more than 100 levels deep"):
                reader(tmp_path / name)
    for text in (f"algorithms = {deep}", ".".join("a" * 3000) + " = 1", "[" + ".".join("a" * 3000) + "]\n"):
        (tmp_path / "plan.toml").write_text(text)
        with pytest.raises(InputError) as caught:
            read_plan(tmp_path / "plan.toml")
        assert "plan.toml' cannot be read: it nests more than 100 levels deep. A plan holds lists" in str(caught.value)
    (tmp_path / "plan.toml").write_text("#" * 5_000_000)
    with pytest.raises(InputError, match="it has 5,000,000 characters, and 4,000,000 are read"):
        read_plan(tmp_path / "plan.toml")
    (tmp_path / "t.csv").write_text("x,y\n1,a\n2,b\n")
    (tmp_path / "TYPES.json").write_text(deep)
    with pytest.raises(InputError, match="cannot be used: it nests more than 100 levels deep"):
        read_data(tmp_path / "t.csv")


@pytest.mark.parametrize(
    "text",
    [
        "<table>" + '<tr><td colspan="1000">x' * 4000,
        "<table><tr>" + '<td colspan="1000" rowspan="60000">x' * 10 + "<tr><td>y" * 4000,
        "a,b\n" + ",".join("x" * (MOST_CELLS // 2)) + "\n" + "x,y\n" * 3,
        "\\begin{tabular}{l}" + "\\multicolumn{99999}{c}{x} \\\\\n" * 40 + "\\end{tabular}",
    ],
)
def test_a_table_of_too_many_cells_is_refused(text: str) -> None:
    with pytest.raises(
        InputError, match=r"has more than 3,000,000 cells\. .* Save it as csv with decimal points|more cells"
    ):
        grids_of(text + "\n")


def test_a_number_of_many_figures_is_refused_at_once(tmp_path: Path) -> None:
    """Patterns are not tried on it: for 50,000 figures they took a minute."""
    (tmp_path / "a.json").write_text('{"a": {"b": ' + "9" * 50_000 + "}}")
    with pytest.raises(InputError, match=r"a\.json is not JSON: a number in it has thousands of figures\."):
        read(tmp_path / "a.json")
    parsed = parse("9" * 50_000)
    assert parsed.kind == "number" and len(parsed.value) == 50_000 and parse("9" * 200 + "x").kind == "text"
