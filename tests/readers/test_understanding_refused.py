"""What cannot be read, or can be read in two ways: one message that names everything, in the words of the interface."""

from __future__ import annotations

from pathlib import Path

import pytest

from tiebreak import InputError, read
from tiebreak.cli import main

from ..every import every


def refused(table: str, **how: object) -> str:
    with pytest.raises(InputError) as caught:
        read(table, **how)  # type: ignore[arg-type]
    return str(caught.value)


def test_all_problems_in_one_message() -> None:
    table = "dataset,RF,SVM\niris,0.95,abc\nwine,85,0.9\nglass,0.7,?x\nzoo,0.9,0.91\n"
    table += ",0.8,0.7\n"
    assert refused(table, scores="accuracy") == (
        "the text cannot be read as it stands, for 2 reasons:\n"
        "1. line 6 of the text: the name is missing. Fill it in, or delete it.\n"
        "2. 2 cells of the text are not numbers: column 'SVM', line 2: 'abc'; column 'SVM', line 4: '?x'. A score"
        " or cost must be one; a missing score is an empty cell, NA, NaN or -, a failed run OOM, timeout or error."
        " Correct the cells."
    )


def test_what_cannot_be_a_share_is_asked_about() -> None:
    table = "dataset,RF,SVM\niris,0.95,0.96\nwine,85,0.9\nglass,0.7,-0.85\nzoo,0.9,0.91\ncar,.8,.9\n"
    text = refused(table, scores="accuracy")
    assert "2 values of the text cannot be accuracy: -0.85 ('SVM' on 'glass'); 85 ('RF' on 'wine')" in text
    assert "plain=True" in text and "where=['accuracy >= 0', 'accuracy <= 1']" in text
    result = read(table)  # without a name nothing is impossible
    (note,) = (str(note) for note in result.caveats if note.code == "outside-its-range")
    assert "85 ('RF' on 'wine')" in note and result.means("score").max() == 85


def test_values_outside_are_read_as_they_stand_when_told(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("dataset,RF,SVM\niris,0.95,0.96\nwine,85,0.9\nglass,0.7,0.85\nzoo,0.9,0.91\n")
    assert "85 ('RF' on 'wine')" in refused(str(path), scores="accuracy")
    assert read(path, scores="accuracy", plain=True).means("accuracy").max() == 85
    assert read(path, scores="rmse").means("rmse").max() == 85  # no range is known
    path.write_text("dataset,algorithm,acc\niris,RF,0.95\nwine,RF,85\nglass,RF,0.7\nzoo,RF,0.9\n")
    assert read(path, scores="acc", where="acc <= 1").datasets == ("glass", "iris", "zoo")


def test_a_low_percentage_is_no_error() -> None:
    result = read("dataset,RF,SVM\niris,50.9,58.8\nwine,0.7,46.2\nglass,69.8,56.3\n", scores="accuracy")
    assert result.means("accuracy").min() == 0.7
    assert [note.code for note in result.caveats] == ["outside-its-range"]


@pytest.mark.parametrize(
    ("values", "metric"),
    [
        ("1,0,0.5,0.2,1", "accuracy"),
        ("97,95,0,100,12", "accuracy"),
        ("-0.1,0.2,0.9,0.5,-0.3", "mcc"),
        ("0.1,1.3,0.2,0.4,0.9", "log_loss"),
    ],
)
def test_sound_ranges_raise_no_alarm(values: str, metric: str) -> None:
    table = "dataset,RF,SVM\n" + "".join(f"d{i},{value},{value}\n" for i, value in enumerate(values.split(",")))
    assert len(read(table, scores=metric).datasets) == 5


def test_a_comma_that_can_be_two_things() -> None:
    table = 'dataset,RF,SVM\na,"1,234","2,345"\nb,"1,111","2,222"\n'
    text = refused(table, scores="rmse")
    assert text.startswith("4 cells of the text can be read in two ways: column 'RF', line 2: '1,234'; ")
    assert text.endswith("If it is a decimal comma: decimal=','. If it is a thousands mark: decimal='.'.")
    assert read(table, scores="rmse", decimal=",").means("rmse")[0, 0] == 1.234
    assert read(table, scores="rmse", decimal=".").means("rmse")[0, 0] == 1234
    assert read(table.replace("2,345", "2,345.5"), scores="rmse").means("rmse")[0].tolist() == [1234.0, 2345.5]


def test_names_that_differ_by_spaces_or_case_are_one_unless_both_have_a_result(tmp_path: Path) -> None:
    table = "dataset,algorithm,accuracy\niris,RF,0.9\nIris,SVM,0.8\nwine,RF,0.7\nwine,SVM,0.6\n"
    path, other = tmp_path / "t.csv", tmp_path / "u.csv"
    path.write_text(table)
    for source in (table, path):
        merged = read(source)
        assert merged.datasets == ("Iris", "wine")
        assert merged.means("accuracy").tolist() == [[0.9, 0.8], [0.7, 0.6]]
        assert "'iris' and 'Iris' are read as one dataset." in [str(note) for note in merged.caveats]
    assert read(table + "Iris,RF,0.5\niris,SVM,0.4\n").datasets == ("Iris", "iris", "wine")
    path.write_text("dataset,algorithm,accuracy\niris,RF,0.9\n iris,SVM,0.8\n")
    assert read(path).datasets == ("iris",)
    path.write_text("dataset,algorithm,accuracy\niris,RF,0.9\n")
    other.write_text("dataset,algorithm,accuracy\nIRIS,SVM,0.9\n")
    assert read([path, other]).datasets == ("IRIS",)


def test_an_x_among_numbers_is_named() -> None:
    text = refused("dataset,RF,SVM\niris,0.9,x\nwine,0.7,0.6\n", scores="accuracy")
    assert text.startswith("column 'SVM', line 2 of the text: 'x' is not a number.")


def test_names_and_titles_that_contradict_each_other() -> None:
    text = refused("Dataset,iris,wine,glass\nRF,0.9,0.8,0.7\nSVM,0.9,0.8,0.7\n")
    assert (
        "What there is speaks for both: the first column is called 'Dataset' (data sets in rows); 'RF', 'SVM'" in text
    )
    assert read("Dataset,iris,wine\nRF,0.9,0.8\nSVM,0.9,0.8\n", transpose=True).datasets == ("iris", "wine")


def test_rows_without_names_are_data_sets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("RF,SVM\n0.9,0.8\n0.7,0.6\n")
    assert main(["read", str(path)]) == 0
    assert (
        "Read as: 2 models, 2 data sets; rows are data sets (if they are folds: --column fold=#), columns models."
        in " ".join(capsys.readouterr().out.split())
    )
    assert main(["read", str(path), "--column", "fold=#", "--json"]) == 0
    assert '"datasets": [\n    "all rows"\n  ]' in capsys.readouterr().out


def test_a_table_without_a_header() -> None:
    assert refused("iris,0.95,0.9\nwine,0.85,0.9\n") == (
        "The first row of the text (line 1) holds numbers: 'iris', '0.95', '0.9'. Add a first line"
        " with names, such as dataset,RF,SVM."
    )


def test_a_column_of_sizes_that_may_be_an_algorithm() -> None:
    table = "Dataset,n,RF,SVM\niris,50,95,90\nwine,78,85,92\nzoo,91,90,91\n"
    text = refused(table, scores="accuracy")
    assert (
        "If it describes them: algorithms=['RF', 'SVM']. If all are algorithms: algorithms=['n', 'RF', 'SVM']" in text
    )
    assert read(table, scores="accuracy", algorithms=["RF", "SVM"]).algorithms == ("RF", "SVM")
    assert read(table, scores="accuracy", algorithms=["RF", "SVM", "n"]).algorithms == ("RF", "SVM", "n")
    assert read(
        table.replace("50", "150").replace("78", "178").replace("91,90", "191,90"), scores="accuracy"
    ).algorithms == ("RF", "SVM")


@pytest.mark.parametrize("how", [{"decimal": ";"}])
def test_options_that_mean_nothing(how: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="Use decimal"):
        read("dataset,RF\niris,0.9\n", **how)  # type: ignore[arg-type]


@every(
    "table", ["", "\n", "a", "a,b", "dataset,RF\n", "dataset\niris\n", ",,\n,,\n", "RF\n0.9\n", "-,-\n-,-\n", "|\n|\n"]
)
def test_poor_tables_end_in_a_message(tmp_path: Path, table: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table)
    with pytest.raises(InputError):
        read(path)


def test_every_missing_option_is_named_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("dataset,RF,SVM\niris,0.9,-\nwine,0.7,0.6\n")
    for verb in ("compare", "report"):
        assert main([verb, str(path)]) == 2
        assert capsys.readouterr().err == (
            f"tiebreak {verb}: 2 options are missing:\n"
            "1. Nothing says whether a higher 'score' is better. Say --higher-is-better or --lower-is-better, or name"
            " the score by a known word: --score accuracy.\n"
            "2. 'SVM' has no score on data set 'iris' (1 gap in all). Name a policy: --missing drop-datasets,"
            " drop-algorithms, worst-rank or skillings-mack. drop-datasets leaves 1 of 2 data sets;"
            " drop-algorithms 1 of 2 algorithms; worst-rank all; skillings-mack all.\n"
        )
    path.write_text("dataset,RF,SVM\niris,0.9,abc\nwine,0.7,0.6\n")
    assert main(["compare", str(path)]) == 2
    assert capsys.readouterr().err.endswith(
        "Correct the cell.\nThe score has no name either: say --score accuracy, or whatever it is.\n"
    )
    path.write_text("dataset,algorithm,acc,zeal\niris,RF,0.9,1\nwine,RF,0.9,1\niris,SVM,0.9,\nwine,SVM,0.9,1\n")
    assert main(["compare", str(path)]) == 0  # nobody named zeal
    capsys.readouterr()


def test_a_data_set_on_a_scale_of_its_own_is_no_slip() -> None:
    rows = "".join(f"d{i},0.9{i},0.8{i},0.7{i}\n" for i in range(8))
    assert read(f"dataset,RF,SVM,NB\n{rows}houses,120.5,130.1,122.0\n").means("score").max() == 130.1
    odd = read(f"dataset,RF,SVM,NB\n{rows}houses,120.5,0.5,0.6\n")
    assert [note.code for note in odd.caveats] == ["outside-its-range"]
    metric = (
        "dataset,metric,RF,SVM\n" + "".join(f"d{i},auc,0.9{i},0.8{i}\n" for i in range(8)) + "houses,rmse,120.5,1.1\n"
    )
    assert read(metric).means("score").max() == 120.5
