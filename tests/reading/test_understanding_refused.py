"""What cannot be read, or can be read in two ways: one message that names everything, in the words of the interface."""

from __future__ import annotations

from pathlib import Path

import pytest

from tiebreak import InputError, read
from tiebreak.cli import main
from tiebreak.reading.understanding.problems import UnclearTable


def refused(table: str, **how: object) -> str:
    with pytest.raises(InputError) as caught:
        read(table, **how)  # type: ignore[arg-type]
    return str(caught.value)


def test_all_problems_in_one_message() -> None:
    table = "dataset,RF,SVM\niris,0.95,abc\nwine,85,0.9\nglass,0.7,?x\nzoo,0.9,0.91\nZoo,.8,.9\n"
    assert refused(table, scores="accuracy") == (
        "the text cannot be read as it stands, for 3 reasons:\n"
        "1. 2 cells of the text are not numbers: column 'SVM', line 2: 'abc'; column 'SVM', line 4: '?x'. A score"
        " or cost must be one; a missing score is an empty cell, NA, NaN or -, a failed run OOM, timeout or error."
        " Correct the cells.\n"
        "2. column 'RF', line 3 of the text: '85' is far outside the range of the metric. All values of 'accuracy' lie"
        " between 0 and 1, or all between 0 and 100: the two cannot be mixed, and none is negative. Correct it. If the"
        " values are right, save the table as plain csv first: plain=True.\n"
        "3. The data sets 'zoo' (line 5) and 'Zoo' (line 6) of the text differ by spaces or case alone. As one or as"
        " two they give different answers. If they are one: names='merge'. If they are different: names='exact'."
    )


@pytest.mark.parametrize("scores", ["accuracy", None])
def test_percent_among_shares_and_a_lost_sign(scores: str | None) -> None:
    table = "dataset,RF,SVM\niris,0.95,0.96\nwine,85,0.9\nglass,0.7,-0.85\nzoo,0.9,0.91\ncar,.8,.9\n"
    said = refused(table, scores=scores)
    assert "2 cells of the text are far outside the range of the" in said
    assert "column 'RF', line 3: '85'; column 'SVM', line 4: '-0.85'" in said
    with pytest.raises(InputError):
        read(table, scores=scores, keep_rows=True)


def test_values_outside_are_read_as_they_stand_when_told(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("dataset,RF,SVM\niris,0.95,0.96\nwine,85,0.9\nglass,0.7,0.85\nzoo,0.9,0.91\n")
    assert "'85' is far outside" in refused(str(path), scores="accuracy")
    assert read(path, scores="accuracy", plain=True).means("accuracy").max() == 85
    assert read(path, scores="rmse").means("rmse").max() == 85  # no range is known


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
    said = refused(table, scores="rmse")
    assert said.startswith("4 cells of the text can be read in two ways: column 'RF', line 2: '1,234'; ")
    assert said.endswith("If it is a decimal comma: decimal=','. If it is a thousands mark: decimal='.'.")
    assert read(table, scores="rmse", decimal=",").means("rmse")[0, 0] == 1.234
    assert read(table, scores="rmse", decimal=".").means("rmse")[0, 0] == 1234
    assert read(table.replace("2,345", "2,345.5"), scores="rmse").means("rmse")[0].tolist() == [1234.0, 2345.5]


def test_names_that_differ_by_spaces_or_case(tmp_path: Path) -> None:
    table = "dataset,algorithm,accuracy\niris,RF,0.9\nIris,SVM,0.8\nwine,RF,0.7\nwine,SVM,0.6\n"
    path = tmp_path / "t.csv"
    path.write_text(table)
    for source in (table, path):
        assert "'iris' (line 2) and 'Iris' (line 3)" in refused(source)  # type: ignore[arg-type]
        assert read(source, names="exact").datasets == ("Iris", "iris", "wine")
        merged = read(source, names="merge")
        assert merged.datasets == ("Iris", "wine")
        assert merged.means("accuracy").tolist() == [[0.9, 0.8], [0.7, 0.6]]
        assert merged.caveats[-1].code == "read-as"
    path.write_text("dataset,algorithm,accuracy\niris,RF,0.9\n iris,SVM,0.8\n")
    assert "'iris' and ' iris'" in refused(str(path)).replace("' iris' and 'iris'", "'iris' and ' iris'")
    other = tmp_path / "u.csv"
    path.write_text("dataset,algorithm,accuracy\niris,RF,0.9\n")
    other.write_text("dataset,algorithm,accuracy\nIRIS,SVM,0.9\n")
    with pytest.raises(UnclearTable, match="'IRIS' and 'iris'"):
        read([path, other])
    assert read([path, other], names="merge").datasets == ("IRIS",)


def test_names_and_titles_that_contradict_each_other() -> None:
    said = refused("Dataset,iris,wine,glass\nRF,0.9,0.8,0.7\nSVM,0.9,0.8,0.7\n")
    assert (
        "What there is speaks for both: the first column is called 'Dataset' (data sets in rows); 'RF', 'SVM'" in said
    )
    assert read("Dataset,iris,wine\nRF,0.9,0.8\nSVM,0.9,0.8\n", transpose=True).datasets == ("iris", "wine")


def test_rows_without_names_are_asked_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("RF,SVM\n0.9,0.8\n0.7,0.6\n")
    assert main(["read", str(path)]) == 2
    assert capsys.readouterr().err == (
        "tiebreak read: No column of t.csv names the data sets: the first one, 'RF', holds numbers. Rows are identified"
        " by the name of their data set. Add a first column 'dataset'. If every row is a data set: --column dataset=#."
        " If rows are folds of one data set: --column fold=#. If the numbers are the names: --column dataset=RF.\n"
    )


def test_a_table_without_a_header() -> None:
    assert refused("iris,0.95,0.9\nwine,0.85,0.9\n") == (
        "The first row of the text (line 1) holds numbers: 'iris', '0.95', '0.9'. It must name the columns: nothing"
        " says which algorithms these are. Add a first line with names, such as dataset,RF,SVM."
    )


def test_a_column_of_sizes_that_may_be_an_algorithm() -> None:
    table = "Dataset,n,RF,SVM\niris,50,95,90\nwine,78,85,92\nzoo,91,90,91\n"
    said = refused(table, scores="accuracy")
    assert (
        "If it is a description: algorithms=['RF', 'SVM']. If it is an algorithm: algorithms=['n', 'RF', 'SVM']" in said
    )
    assert read(table, scores="accuracy", algorithms=["RF", "SVM"]).algorithms == ("RF", "SVM")
    assert read(table, scores="accuracy", algorithms=["RF", "SVM", "n"]).algorithms == ("RF", "SVM", "n")
    assert read(
        table.replace("50", "150").replace("78", "178").replace("91,90", "191,90"), scores="accuracy"
    ).algorithms == ("RF", "SVM")


def test_lines_of_other_lengths_are_named_together(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("dataset,RF,SVM\niris,0.9,0.8\nwine,0.7\nglass,0.6\nzoo,0.5,0.4\n")
    assert refused(str(path)).startswith(
        "2 lines of t.csv have another number of cells than the header (3): line 3 (2), line 4 (2).".replace(
            ", line 4", "; line 4"
        )
    )


@pytest.mark.parametrize("how", [{"decimal": ";"}, {"names": "guess"}])
def test_options_that_mean_nothing(how: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="It is one of"):
        read("dataset,RF\niris,0.9\n", **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
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
            " drop-algorithms, drop-folds, worst-rank or skillings-mack.\n"
        )
    path.write_text("dataset,RF,SVM\niris,0.9,abc\nwine,0.7,0.6\n")
    assert main(["compare", str(path)]) == 2
    assert capsys.readouterr().err.endswith(
        "Correct the cell.\nThe score has no name either: say --score accuracy, or whatever it is.\n"
    )
    path.write_text("dataset,algorithm,acc,zeal\niris,RF,0.9,1\nwine,RF,0.9,1\niris,SVM,0.9,\nwine,SVM,0.9,1\n")
    assert main(["compare", str(path)]) == 2
    assert "The table holds 2 scores" in capsys.readouterr().err


def test_a_data_set_on_a_scale_of_its_own_is_no_slip() -> None:
    rows = "".join(f"d{i},0.9{i},0.8{i},0.7{i}\n" for i in range(8))
    assert read(f"dataset,RF,SVM,NB\n{rows}houses,120.5,130.1,122.0\n").means("score").max() == 130.1
    assert "'120.5' is far outside" in refused(f"dataset,RF,SVM,NB\n{rows}houses,120.5,0.5,0.6\n")
    metric = (
        "dataset,metric,RF,SVM\n" + "".join(f"d{i},auc,0.9{i},0.8{i}\n" for i in range(8)) + "houses,rmse,120.5,1.1\n"
    )
    assert read(metric).means("score").max() == 120.5
