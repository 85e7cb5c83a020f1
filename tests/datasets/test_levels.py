"""Numbers with texts among them: levels are names, strays are named and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tiebreak.datasets import read_data
from tiebreak.errors import InputError
from tiebreak.wording import on_the_command_line


def written(folder: Path, values: list[object]) -> Path:
    path = folder / "d.csv"
    path.write_text("x,size,kind\n" + "".join(f"{v},{i / 7},{'pq'[i % 2]}\n" for i, v in enumerate(values)))
    return path


@pytest.mark.parametrize("end", ["3+", ">2", "3 or more", "5more", "more than 2", "3-5", "<1"])
def test_levels_with_an_open_end_are_names(tmp_path: Path, end: str) -> None:
    data = read_data(written(tmp_path, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, end, 1]))
    assert data.symbolic.tolist() == [True, False]
    assert set(data.categories[0]) == {"0", "1", "2", end}
    assert data.caveats == (
        f"Symbolic, as levels: 'x' ({end!r} among numbers). Where the texts mean that nothing is known, leave the cells"
        " empty.",
    )
    assert data.caveats[0].code == "read-as"
    assert read_data(tmp_path / "d.csv", symbolic=["x"]).caveats == ()


def test_a_text_as_frequent_as_the_numbers_is_a_level(tmp_path: Path) -> None:
    data = read_data(written(tmp_path, [1, 2, 3, "more"] * 10))
    assert data.categories[0] == ("1", "2", "3", "more")


def test_strays_are_named_with_the_options(tmp_path: Path) -> None:
    path = written(tmp_path, ["n.k." if i == 9 else "x" if i in (3, 30) else i % 4 for i in range(60)])
    with on_the_command_line("recommend"), pytest.raises(InputError) as caught:
        read_data(path)
    assert str(caught.value) == (
        "Column 'x', row 4 of 'd.csv': 'x' is not a number (no numbers in 3 of 60 rows: 'n.k.', 'x'). The other values"
        " of the column are mostly numbers. Correct the cell or leave it empty; if the column holds names, say"
        " symbolic=['x'] in Python; leave it out with --drop x."
    )
    assert read_data(path, drop=["x"]).attributes == ("size",)
    assert "n.k." in read_data(path, symbolic=["x"]).categories[0]


def test_an_open_end_after_many_numbers_is_asked_about(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'90\+' is not a number.*say symbolic=\['x'\]; leave it out with"):
        read_data(written(tmp_path, ["90+" if i % 50 == 0 else i % 80 for i in range(200)]))
