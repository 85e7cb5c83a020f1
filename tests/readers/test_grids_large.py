"""Large plain text is typed and coded while it is split; it must read as small text does, cell by cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tiebreak.readers import loading, read
from tiebreak.results import Results

from ..every import every

ROWS = 6000


def written(folder: Path, change: dict[int, str], *, repeats: int = 40) -> Path:
    """Write a table whose folds are numbers with a point, with some lines changed."""
    rng = np.random.default_rng(0)
    lines = ["dataset,algorithm,fold,accuracy,seconds"]
    for i in range(ROWS):
        fold = f"{i // repeats / 100:.2f}"
        lines.append(f"d{i % 8},a{i % 40 // 8},{fold},{rng.random()!r},{rng.integers(1, 10**6)}")
    for place, line in change.items():
        lines[place] = line
    file = folder / "t.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def both(file: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Results, Results]:
    """Read as it stands: an accuracy of 7 among shares would be refused."""
    small = read(file, plain=True)
    monkeypatch.setattr(loading, "SMALL", 0)
    return small, read(file, plain=True)


def same(small: Results, large: Results) -> None:
    for role in ("datasets", "algorithms", "folds"):
        assert getattr(small, role) == getattr(large, role)
    for name in ("accuracy", "seconds"):
        np.testing.assert_array_equal(small.values[name], large.values[name])
    for name in small.codes:
        np.testing.assert_array_equal(small.codes[name], large.codes[name])


@every("repeats", [40, 1])
@every("cell", ["0.5", "", "NA", " 0.5", "1e-3", "+0.25", "nan", "7", "0.1234567890123456789", "1", ".5", "5."])
def test_numbers_written_in_any_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cell: str, repeats: int) -> None:
    file = written(tmp_path, {ROWS - 1: f"d0,late name,9.90,{cell},3"}, repeats=repeats)
    small, large = both(file, monkeypatch)
    same(small, large)
    assert "9.90" in large.folds  # as written, not 9.9
    assert "late name" in large.algorithms


def test_text_beyond_the_first_rows_is_named_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, {ROWS - 1: "d0,a0,9.90,fast,3"})
    for size in (loading.SMALL, 0):
        monkeypatch.setattr(loading, "SMALL", size)
        with pytest.raises(ValueError, match=rf"column 'accuracy', line {ROWS} of t\.csv: 'fast' is not a number"):
            read(file, scores="accuracy")


@pytest.mark.parametrize("line", ["d0,a0,9.90,0.5", "d0,a0,9.90,0.5,3,4", '"d0",a0,9.90,0.5,3'])
def test_lines_that_are_not_plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    file = written(tmp_path, {ROWS - 1: line})
    text = []
    for size in (loading.SMALL, 0):
        monkeypatch.setattr(loading, "SMALL", size)
        try:
            text.append(str(read(file).means("accuracy").sum()))
        except ValueError as error:
            text.append(str(error))
    assert text[0] == text[1]


def test_blank_lines_do_not_shift_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, {})
    file.write_text(file.read_text().replace("\n", "\n\n", 50))
    same(*both(file, monkeypatch))
