"""Files to data sets: what becomes numeric, symbolic, missing or refused, and that all formats agree."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from tiebreak.datasets import DataSet, read_data
from tiebreak.datasets.files import data_files
from tiebreak.errors import InputError, OptionError

from ..every import every

PETS = "weight,coat,tail,pet\n4.1,short,true,cat\n?,long,false,dog\n3,,true,cat\n"


def written(home: Path, text: str | bytes, name: str = "pets.csv") -> Path:
    path = home / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_csv_file_is_typed_column_by_column(tmp_path: Path) -> None:
    data = read_data(written(tmp_path, PETS))
    assert data.name == "pets"
    assert data.attributes == ("weight", "coat", "tail")
    assert data.symbolic.tolist() == [False, True, True]
    assert data.categories == ((), ("long", "short"), ("false", "true"))
    assert data.classes == ("cat", "dog")
    np.testing.assert_array_equal(data.values, [[4.1, 1, 1], [np.nan, 0, 0], [3, np.nan, 1]])
    assert data.caveats == ()


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators_and_gzip_give_the_same_data(tmp_path: Path, separator: str) -> None:
    plain = read_data(written(tmp_path, PETS))
    packed = gzip.compress(PETS.replace(",", separator).encode())
    other = read_data(written(tmp_path, packed, "pets.csv.gz"))
    assert other.fingerprint == plain.fingerprint
    assert other.name == "pets"


def test_parquet_gives_the_same_data(tmp_path: Path) -> None:
    import polars as pl

    path = tmp_path / "pets.parquet"
    columns = {"weight": [4.1, None, 3.0], "coat": ["short", "long", None], "tail": [True, False, True]}
    pl.DataFrame({**columns, "pet": ["cat", "dog", "cat"]}).write_parquet(path)
    assert read_data(path).fingerprint == read_data(written(tmp_path, PETS)).fingerprint


def test_every_mark_of_a_missing_value_is_known(tmp_path: Path) -> None:
    text = "x,s,y\n1,a,p\n,,p\nNA,NA,q\nNaN,nan,q\n?,?,q\nnull,NULL,q\n 2 , b ,p\n"
    data = read_data(written(tmp_path, text))
    assert np.isnan(data.values).sum(axis=0).tolist() == [5, 5]
    assert data.categories[1] == ("a", "b")
    assert data.values[-1, 0] == 2


def test_whole_numbers_stay_numeric_unless_told_otherwise(tmp_path: Path) -> None:
    path = written(tmp_path, "code,y\n10,a\n2,b\n2,a\n")
    assert not read_data(path).symbolic[0]
    data = read_data(path, symbolic=["code"])
    assert data.symbolic[0]
    assert data.categories == (("2", "10"),)


def test_types_beside_the_file_are_honoured(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b,y\n1,2,p\n3,4,q\n")
    written(tmp_path, json.dumps({"pets": {"a": "symbolic", "b": "symbolic"}, "other": {}}), "TYPES.json")
    assert read_data(path).symbolic.tolist() == [True, True]


def test_a_wrong_type_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, PETS)
    types = written(tmp_path, json.dumps({"pets": {"weight": "ordinal"}}), "TYPES.json")
    with pytest.raises(InputError) as caught:
        read_data(path)
    assert str(caught.value) == (
        f"The types in {str(tmp_path / 'TYPES.json')!r} cannot be used: {{'weight': 'ordinal'}} for 'pets'. "
        'Every attribute is "numeric" or "symbolic". Write {"data set": {"attribute": "numeric"}} in TYPES.json.'
    )
    types.write_text('{"pets": {"wait": "numeric"}}')
    with pytest.raises(OptionError, match=r"There is no column in 'pets\.csv' 'wait'"):
        read_data(path)
    types.write_text("[")
    with pytest.raises(InputError, match="cannot be used"):
        read_data(path)


def test_one_word_among_numbers_is_refused_with_its_place(tmp_path: Path) -> None:
    rows = "".join(f"{i}.5,{'pq'[i % 2]}\n" for i in range(1000)).replace("700.5", "abc")
    with pytest.raises(InputError) as caught:
        read_data(written(tmp_path, "x,y\n" + rows))
    assert str(caught.value) == (
        "Column 'x', row 701 of 'pets.csv': 'abc' is not a number. The other values of the column are mostly "
        "numbers. Correct the cell or leave it empty; if the column holds names, say symbolic=['x']; "
        "leave it out with drop=['x']."
    )


def test_a_column_declared_numeric_may_hold_no_word(tmp_path: Path) -> None:
    path = written(tmp_path, "x,y\na,p\nb,q\n")
    written(tmp_path, '{"pets": {"x": "numeric"}}', "TYPES.json")
    with pytest.raises(InputError, match=r"'a' is not a number \(no numbers in 2 of 2 rows: 'a', 'b'\)"):
        read_data(path)


def test_mostly_words_is_symbolic(tmp_path: Path) -> None:
    data = read_data(written(tmp_path, "doors,y\n2,p\nmore,q\nmany,q\n"))
    assert data.categories == (("2", "many", "more"),)


def test_target_groups_and_dropped_columns(tmp_path: Path) -> None:
    path = written(tmp_path, "id,who,x,kind\n1,ann,1,a\n2,ben,2,b\n3,ann,3,a\n")
    data = read_data(path, target="kind", groups="who", drop=["id"], name="n")
    assert (data.name, data.attributes) == ("n", ("x",))
    assert data.groups is not None
    assert data.groups.tolist() == [0, 1, 0]
    assert read_data(path, target="who").attributes == ("id", "x", "kind")


def test_a_row_without_group_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Column 'g', row 2 of 'pets.csv' is empty\."):
        read_data(written(tmp_path, "g,x,y\na,1,p\n,2,q\n"), groups="g")


def test_rows_without_class_go_and_empty_columns_stay_with_a_caveat(tmp_path: Path) -> None:
    data = read_data(written(tmp_path, "x,e,s,y\n1,,a,p\n2,,b,\n3,?,a,q\n"))
    assert data.n_rows == 2
    assert data.categories == ((), (), ("a",))
    assert data.caveats == ("1 row(s) without a class were dropped.", "Without a single value: 'e'.")
    assert not data.symbolic[1]


def test_one_class_constant_columns_and_one_row_can_be_loaded(tmp_path: Path) -> None:
    data = read_data(written(tmp_path, "x,y\n1,p\n1,p\n"))
    assert data.classes == ("p",)
    assert read_data(written(tmp_path, "x,y\n1,p\n")).n_rows == 1


def test_many_categories_are_mentioned(tmp_path: Path) -> None:
    rows = "".join(f"name{i},{i / 3},{'pq'[i % 2]}\n" for i in range(30))
    data = read_data(written(tmp_path, "who,x,y\n" + rows))
    assert data.attributes == ("x",)
    assert data.caveats == ("Left out: 'who' (30 different names or codes in 30 rows). It stays with keep=['who'].",)
    remaining = read_data(tmp_path / "pets.csv", keep=["who"])
    assert remaining.caveats == ("Symbolic, with more different values than half the rows: 'who' (identifiers?).",)


def test_a_quantity_is_no_class(tmp_path: Path) -> None:
    rows = "".join(f"{i},{i / 7}\n" for i in range(40))
    with pytest.raises(InputError) as caught:
        read_data(written(tmp_path, "x,y\n" + rows), kind="classes")
    assert str(caught.value) == (
        "The class column of 'pets.csv' has 40 different values in 40 rows. That is a quantity or a name, not a "
        "class: most classes would have one row. Name the class column with target=..., or say kind='number' for a "
        "regression, or put the quantity into intervals first."
    )
    names = "".join(f"{i},n{i}\n" for i in range(40))
    with pytest.raises(InputError, match=r"has 40 different values in 40 rows.*target=\.\.\., or put the quantity"):
        read_data(written(tmp_path, "x,y\n" + names))


@every(
    ("text", "message"),
    [
        ("", "is empty"),
        ("a\n1\n", "names 1 column"),
        ("x,y\n", "has no row with a class"),
        ("x,y\n1,2,3\n", "is not a table"),
        ("x,x,y\n1,2,a\n", "Two columns of 'pets.csv' are named 'x'"),
        ("5.1,3.5,1.4,setosa\n1,2,3,a\n", "first line of 'pets.csv' holds numbers"),
        ("x,,y\n1,2,a\n", "Column 2 of 'pets.csv' has no name"),
        ("x,y\ninf,a\n", "infinite"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_data(written(tmp_path, text))


def test_row_numbers_of_data_frames_are_left_out(tmp_path: Path) -> None:
    data = read_data(written(tmp_path, ",x,y\n0,5,a\n1,6,b\n"))
    assert data.attributes == ("x",)
    assert data.caveats == ("The unnamed first column holds row numbers and was left out.",)


def test_numbered_headers_are_headers(tmp_path: Path) -> None:
    assert read_data(written(tmp_path, "0,1,2\n5,6,a\n7,8,b\n")).attributes == ("0", "1")


def test_encodings(tmp_path: Path) -> None:
    text = "größe,y\nklein,a\ngroß,b\n"
    utf8 = read_data(written(tmp_path, b"\xef\xbb\xbf" + text.encode()))
    latin = read_data(written(tmp_path, text.encode("latin-1")))
    assert utf8.fingerprint == latin.fingerprint
    assert latin.caveats == ("The file is not UTF-8 and was read as Latin-1.",)


def test_decimal_commas_in_semicolon_files(tmp_path: Path) -> None:
    data = read_data(written(tmp_path, "x;y\n0,5;a\n1,25;b\n"))
    assert data.values[:, 0].tolist() == [0.5, 1.25]


def test_quoted_cells_may_hold_the_separator(tmp_path: Path) -> None:
    assert read_data(written(tmp_path, 's,y\n"a,b",p\nc,q\n')).categories == (("a,b", "c"),)


def test_folders_list_their_data_files(tmp_path: Path) -> None:
    for name in ("b.csv", "a.arff", "index.csv", "note.md"):
        written(tmp_path, PETS, name)
    assert [path.name for path in data_files(tmp_path)] == ["a.arff", "b.csv", "index.csv"]
    written(tmp_path, '{"a": {}, "b": {}}', "TYPES.json")
    assert [path.name for path in data_files(tmp_path)] == ["a.arff", "b.csv"]


def test_paths_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="There is no file"):
        read_data(tmp_path / "none.csv")
    with pytest.raises(OptionError, match="There is no file"):
        read_data(tmp_path / "none.parquet")
    with pytest.raises(OptionError, match="is a folder"):
        read_data(tmp_path)
    with pytest.raises(OptionError, match="has none of the endings"):
        read_data(written(tmp_path, PETS, "pets.docx"))
    with pytest.raises(OptionError, match="There is no folder"):
        data_files(tmp_path / "none")
    with pytest.raises(OptionError, match="holds no data file"):
        data_files(empty_folder(tmp_path))
    with pytest.raises(InputError, match="cannot be read"):
        read_data(written(tmp_path, b"no gzip", "pets.csv.gz"))
    with pytest.raises(InputError, match="cannot be read as parquet"):
        read_data(written(tmp_path, b"no parquet", "pets.parquet"))


def empty_folder(home: Path) -> Path:
    (home / "empty").mkdir()
    return home / "empty"


def test_options_are_checked(tmp_path: Path) -> None:
    path = written(tmp_path, PETS)
    with pytest.raises(OptionError) as caught:
        read_data(path, symbolic="coat")
    assert str(caught.value) == "symbolic is the text 'coat'. Use symbolic=['coat']."
    for options in ({"target": "pat"}, {"symbolic": ["coaat"]}, {"groups": "who"}, {"drop": ["id"]}):
        with pytest.raises(OptionError, match=r"There is no column in 'pets\.csv'"):
            read_data(path, **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="has no attribute beside the class column 'pet'"):
        read_data(path, drop=["weight", "coat", "tail"])
    with pytest.raises(InputError, match="has no attribute beside the class column 'pet'"):
        read_data(path, drop=["weight", "coat", "tail", "pet"])


def test_windows_line_ends_and_quoted_names(tmp_path: Path) -> None:
    data = read_data(written(tmp_path, '"size, cm",y\r\n1,a\r\n2,b\r\n'))
    assert (data.attributes, data.classes) == (("size, cm",), ("a", "b"))


def test_data_sets_are_frozen_and_survive_pickling(tmp_path: Path) -> None:
    data = read_data(written(tmp_path, PETS))
    again = pickle.loads(pickle.dumps(data))
    assert again.fingerprint == data.fingerprint
    for copy in (data, again):
        with pytest.raises(ValueError, match="read-only"):
            copy.values[0, 0] = 1


def test_the_fingerprint_does_not_depend_on_the_bits_of_nan_or_the_sign_of_zero() -> None:
    odd = np.array([[np.nan], [0.0], [1.0]])
    odd.view(np.uint64)[0] |= 1
    plain = DataSet.from_arrays([[np.nan], [-0.0], [1.0]], ["a", "b", "a"])
    assert DataSet.from_arrays(odd, ["a", "b", "a"]).fingerprint == plain.fingerprint


def test_arrays_name_their_numbers_fully_and_drop_rows_without_class() -> None:
    values = [[1234567.0], [1234568.0], [0.5]]
    data = DataSet.from_arrays(values, [10, 9, None], symbolic=[True], groups=["u", "v", "u"])
    assert data.categories == (("1234567", "1234568"),)
    assert data.classes == ("9", "10")
    assert data.caveats == ("1 row(s) without a class were dropped.",)
    with pytest.raises(InputError, match=r"has 3 rows and 2 classes\."):
        DataSet.from_arrays(values, [1, 2])
    with pytest.raises(InputError, match="has 3 rows and 2 group numbers"):
        DataSet.from_arrays(values, [1, 2, 1], groups=[1, 2])
    with pytest.raises(InputError, match="has 1 columns, 2 names and 1 kinds"):
        DataSet.from_arrays(values, [1, 2, 1], attributes=["a", "b"])
    with pytest.raises(InputError, match="1 dimension"):
        DataSet.from_arrays([1.0, 2.0], [1, 2])


ROWS = "".join(f"{i / 2},{'ab'[i % 2]},{'yn'[i % 2]}\n" for i in range(30))


@pytest.mark.parametrize(
    "content",
    [
        ("size,kind,class\n" + ROWS).replace("\n", "\r").encode(),
        ("size,kind,class\n" + ROWS).encode("utf-16"),
        ("size,kind,class\n" + ROWS).encode("utf-16-be").join([b"\xfe\xff", b""]),
    ],
    ids=["old line ends", "utf-16", "utf-16-be"],
)
def test_other_line_ends_and_encodings_read_alike(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.csv").write_bytes(content)
    (tmp_path / "b.csv").write_text("size,kind,class\n" + ROWS)
    assert read_data(tmp_path / "a.csv").fingerprint == read_data(tmp_path / "b.csv").fingerprint


def test_a_name_in_quotes_may_run_over_two_lines(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('"size, in\ncm","the ""kind""",class\n' + ROWS)
    assert read_data(tmp_path / "a.csv").attributes == ("size, in\ncm", 'the "kind"')


def test_a_first_line_that_is_a_row_is_not_lost(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(ROWS)
    with pytest.raises(InputError) as caught:
        read_data(tmp_path / "a.csv")
    assert str(caught.value) == (
        "The first line of 'a.csv' looks like the rows below it: '0.0, a, y'. Add a line with the names of the columns."
    )


def test_a_quote_that_is_never_closed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('"size,kind,class\n' + ROWS * 2000)
    with pytest.raises(InputError):
        read_data(tmp_path / "a.csv")
