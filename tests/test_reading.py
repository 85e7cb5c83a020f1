from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tiebreak import from_cross_validate, published, read
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.readers import loading
from tiebreak.results import text

from .every import every

CSV = "dataset,algorithm,fold,accuracy\niris,svm,1,0.9\niris,svm,2,0.8\niris,tree,1,0.7\niris,tree,2,\n"
WIDE = "dataset,svm,tree\niris,0.97,0.94\nwine,0.98,0.91\n"


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_csv_tsv_gz_json_parquet_are_one(tmp_path: Path) -> None:
    frame = pl.DataFrame({"dataset": ["iris", "wine"], "svm": [0.97, 0.98], "tree": [0.94, 0.91]})
    frame.write_parquet(tmp_path / "w.parquet")
    with gzip.open(tmp_path / "w.csv.gz", "wt") as stream:
        stream.write(WIDE)
    made = [
        put(tmp_path, "w.csv", WIDE),
        put(tmp_path, "bom.csv", "\ufeff" + WIDE),
        put(tmp_path, "crlf.csv", WIDE.replace("\n", "\r\n")),
        put(tmp_path, "w.tsv", WIDE.replace(",", "\t")),
        put(tmp_path, "records.json", json.dumps(frame.to_dicts())),
        put(tmp_path, "columns.json", json.dumps(frame.to_dict(as_series=False))),
        put(
            tmp_path,
            "nested.json",
            json.dumps({"iris": {"svm": 0.97, "tree": 0.94}, "wine": {"svm": 0.98, "tree": 0.91}}),
        ),
        tmp_path / "w.parquet",
        tmp_path / "w.csv.gz",
    ]
    with gzip.open(tmp_path / "w.json.gz", "wt") as stream:
        stream.write(json.dumps(frame.to_dicts()))
    made += [
        put(tmp_path, "semicolons.csv", WIDE.replace(",", ";")),
        put(tmp_path, "index.csv", WIDE.replace("dataset", "")),  # pandas: frame.to_csv() with named rows
        tmp_path / "w.json.gz",
    ]
    for path in made:
        results = read(path, scores="accuracy", plain=True)
        assert results.means("accuracy").tolist() == [[0.97, 0.94], [0.98, 0.91]], path.name


LONG = "dataset,algorithm,fold,accuracy\n"


@every("small", [0, loading.SMALL])
@every(
    ("text", "datasets", "values"),
    [
        (
            'dataset,algorithm,fold,accuracy,note\n"a, b",x,1,0.5,t\n"a, b",x,2,NA,t\nnaïve,x,1,1e-3,\nnaïve,x,2,7,t\n',
            ("a, b", "naïve"),
            [0.5, np.nan, 1e-3, 7.0],
        ),
        (LONG + "007,x,1,1\n7,x,1,2\n", ("007", "7"), [1, 2]),
        (LONG + "00000,x,1,1\n0,x,1,2\n", ("0", "00000"), [2, 1]),
        (LONG + "1.0,x,1,1\n1.50,x,1,2\n2e3,x,1,3\n", ("1.0", "1.50", "2e3"), [1, 2, 3]),
        (LONG + "true,x,1,1\nfalse,x,1,2\n", ("false", "true"), [2, 1]),
        (LONG + "NA,x,1,1\nnan,x,1,2\nnull,x,1,3\n", ("NA", "nan", "null"), [1, 2, 3]),
        (LONG + "2020-01-01,x,1,1\n", ("2020-01-01",), [1]),
        (LONG + "a,x,1, 1\na,x,2,+.5e1\na,x,3, NaN \na,x,4,?\n", ("a",), [1, 5, np.nan, np.nan]),
        (
            LONG + "a,x,1,\nb,x,1,123456789012345678901234567890\n",
            ("a", "b"),
            [np.nan, 123456789012345678901234567890.0],
        ),
        ("\n\n" + LONG + "a,x,1,1\n\n\nb,x,1,2\n\n", ("a", "b"), [1, 2]),
        ((LONG + "a,x,1,1\nb,x,1,2\n").replace("\n", "\r"), ("a", "b"), [1, 2]),
        ((LONG + "a,x,1,1\nb,x,1,2\n").replace("\n", "\r\n"), ("a", "b"), [1, 2]),
        ((LONG + "a,x,1,1\n\nb,x,1,2\n").replace("\n", "\r\n"), ("a", "b"), [1, 2]),
        ("\ufeff" + LONG + "a,x,1,1\nb,x,1,2", ("a", "b"), [1, 2]),
        (LONG + '"a\nb",x,1,1\n"c""d",x,1,2\n', ("a\nb", 'c"d'), [1, 2]),
        ((LONG + "a;x;1;1\nb;x;1;2\n").replace(",", ";"), ("a", "b"), [1, 2]),
        (LONG + " a,x,1,1\na ,x,1,2\n#,x,1,3\n", (" a", "#", "a "), [1, 3, 2]),
    ],
)
def test_both_parsers_of_text_agree(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    small: int,
    text: str,
    datasets: tuple[str, ...],
    values: list[float],
) -> None:
    monkeypatch.setattr(loading, "SMALL", small)
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    results = read(path, scores="accuracy", plain=True)
    assert results.datasets == datasets
    assert np.array_equal(results.values["accuracy"], values, equal_nan=True)


def test_both_parsers_read_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    numbers = rng.random(2000) * 10.0 ** rng.integers(-320, 150, 2000)
    written = [repr(number) for number in numbers[:1000].tolist()] + [f"{number:.25g}" for number in numbers[1000:]]
    path = put(tmp_path, "t.csv", LONG + "".join(f"a,x,{i},{text}\n" for i, text in enumerate(written)))
    expected = read(path, plain=True).values["accuracy"]
    monkeypatch.setattr(loading, "SMALL", 0)
    assert np.array_equal(read(path, plain=True).values["accuracy"], expected)


def test_large_text_with_quotes_is_gathered_in_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "SMALL", 0)
    monkeypatch.setattr(text, "_CHUNK", 3)
    path = put(tmp_path, "t.csv", LONG + "".join(f'"a",x,{i},{i}\n' for i in range(10)))
    assert read(path).values["accuracy"].tolist() == list(range(10))


@every("small", [0, loading.SMALL])
@every(
    ("text", "words"),
    [
        (
            "dataset,algorithm,accuracy\n" + "a,x,0.5\n" + "b,x,abc\n",
            "column 'accuracy', line 3 of t.csv: 'abc' is not a number.",
        ),
        ("dataset,algorithm,accuracy\na,x,inf\n", "column 'accuracy', line 2 of t.csv: accuracy is inf."),
        ("dataset,algorithm,accuracy\na,x,0.5\n,x,0.5\n", "column 'dataset', line 3 of t.csv: the name is missing."),
        (
            "dataset,algorithm,accuracy\na,x,0.5\na,x,0.6\n",
            "Two scores for one cell (dataset 'a', algorithm 'x'): column 'dataset', line 2 of t.csv and column"
            " 'dataset', line 3 of t.csv (1 repeated in all).",
        ),
        ("dataset,x,x\na,1,2\n", "Two columns of t.csv are named 'x'."),
        ("dataset,algorithm,accuracy\n", "t.csv holds no rows."),
        ("\n\n", "t.csv is empty."),
        ("dataset,a,b\n\n\nd1,1,2\n\nd2,oops,3\n", "column 'a', line 6 of t.csv: 'oops' is not a number."),
        ('dataset,a\n"d\n1",1\nd2,oops\n', "column 'a', line 4 of t.csv: 'oops' is not a number."),
        ("dataset,a,b\n\n\nd1,1,2\nd2,3\n", "Line 5 of t.csv has 2 cells, the header has 3."),
        ("dataset,a,b\nd1,1,2,3\n", "Line 2 of t.csv has 4 cells, the header has 3."),
        ("dataset,a,b\nd1,1,2,3\nd2,1\n", "Line 2 of t.csv has 4 cells, the header has 3."),
        ('dataset,a\n"d1,1\nd2,2\n', "t.csv is not proper delimited text: unexpected end of data."),
        ("dataset,a\nd1,1_000\n", "column 'a', line 2 of t.csv: '1_000' is not a number."),
        (
            "dataset;a\nd1;0,5\n",
            "column 'a', line 2 of t.csv: '0,5' is not a number. A score or cost must be one, with",
        ),
        (
            ",dataset,a,b\n0,d1,.1,.2\n",
            "Column 1 of t.csv has no name (its header is ''). Name it or"
            " delete it; pandas writes its index as such a column unless told frame.to_csv(..., index=False).",
        ),
        ("dataset,a,b,\nd1,.1,.2,\n", "Column 4 of t.csv has no name"),
    ],
)
def test_bad_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int, text: str, words: str) -> None:
    monkeypatch.setattr(loading, "SMALL", small)
    with pytest.raises(InputError) as caught:
        read(put(tmp_path, "t.csv", text), scores=None if "x,x" in text else "accuracy", plain=True)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize("small", [0, loading.SMALL], ids=["polars", "csv module"])
@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_text_in_another_encoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int, encoding: str) -> None:
    monkeypatch.setattr(loading, "SMALL", small)
    (tmp_path / "t.csv").write_bytes("dataset,a\nna\xefve,1\n".encode(encoding))
    with pytest.raises(InputError, match=r"t\.csv is not UTF-8 text"):
        read(tmp_path / "t.csv", plain=True)
    assert read(tmp_path / "t.csv").datasets == ("na\xefve",)


def test_the_index_of_a_long_table_is_left_out_where_scores_are_named(tmp_path: Path) -> None:
    path = put(tmp_path, "t.csv", ",dataset,algorithm,accuracy\n0,a,x,0.5\n1,b,x,0.6\n")
    assert read(path, scores="accuracy").means("accuracy").tolist() == [[0.5], [0.6]]
    with pytest.raises(InputError, match=r"Column 1 of t\.csv has no name"):
        read(path, plain=True)
    assert read(path).scores == ("accuracy",)


@every(
    ("name", "text", "words"),
    [
        ("e.csv", "", "e.csv is empty."),
        ("e.csv", "\n\n", "e.csv is empty."),
        ("e.json", "{", "e.json is not JSON:"),
        ("e.json", "3", "e.json is JSON of another shape."),
        ("e.json", "[" * 100_000, "e.json is no table: it nests more than 100 levels deep"),
        ("e.json", '{"a": {"x": 1' + "0" * 5000 + "}}", "e.json is not JSON: a number in it has thousands of figures."),
        ("e.json", '{"a": {"x": 1' + "0" * 400 + "}}", "column 'score', row 1 of e.json: score is inf."),
        ("e.json", '{"dataset": ["a", "b"], "x": [1]}', "The columns of e.json have different lengths: {'dataset': 2,"),
        ("e.json", '{"d\\ud800": {"x": 1}}', "The name 'd\\ud800' is not proper text."),
        (
            "e.json",
            '{"d": {"x": 1}, "d": {"x": 2}}',
            "The key 'd' occurs twice in one object of e.json.",
        ),
        ("e.json", '{"d": {"dataset": 1, "y": 2}}', "e.json is nested, but 'd' does not hold scores by algorithm."),
        ("e.json", '{"d": {"x": []}}', "e.json holds an empty list of scores for 'x' on 'd'."),
        ("e.json", '{"d": 3}', "e.json holds a value of type int under 'd', which is no column."),
        ("e.csv.gz", "dataset,a\n", "e.csv.gz is not a sound gzip file: Not a gzipped file"),
        ("e.parquet", "no", "e.parquet is not a parquet file:"),
        ("e.xlsx", "no", "No table was found in e.xlsx."),
        ("e.csv", "dataset,a,b\nx,1\n", "Line 2 of e.csv has 2 cells, the header has 3."),
        ("e.csv", 'dataset,a\n"x,1\n', "e.csv is not proper delimited text:"),
    ],
)
def test_broken_files(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises((InputError, OptionError)) as caught:
        read(put(tmp_path, name, text))
    assert str(caught.value).startswith(words)


def test_a_folder_of_tables_is_read_as_if_its_files_were_named(tmp_path: Path) -> None:
    for model in ("b", "a"):
        put(tmp_path, f"{model}.csv", f"model,item,accuracy\n{model},q1,1\n{model},q2,0\n")
    put(tmp_path, "notes.txt", "nothing to read")
    put(tmp_path, ".hidden.csv", "nothing,to\nread,1\n")
    named = read([tmp_path / "a.csv", tmp_path / "b.csv"])
    for folder in (tmp_path, str(tmp_path)):
        assert read(folder).algorithms == named.algorithms == ("a", "b")
        assert read(folder).means("accuracy").tolist() == named.means("accuracy").tolist()


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere.csv cannot be read: there is no such file"):
        read(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match=r"holds no log of an evaluation. Read are those of Inspect"):
        read(tmp_path)
    (tmp_path / "latin.csv").write_bytes("dataset,a\nna\xefve,1\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin.csv is not UTF-8 text"):
        read(tmp_path / "latin.csv", plain=True)
    with pytest.raises(OptionError, match="No file was named"):
        read([])


def test_damaged_gzip(tmp_path: Path) -> None:
    whole = bytearray(gzip.compress("".join(f"d{i},{i * 7919}\n" for i in range(3000)).encode()))
    (tmp_path / "short.csv.gz").write_bytes(whole[:40])
    with pytest.raises(InputError, match=r"short\.csv\.gz is not a sound gzip file: Compressed file ended"):
        read(tmp_path / "short.csv.gz")
    for place in (30, len(whole) // 2):
        whole[place] ^= 255
    (tmp_path / "bad.csv.gz").write_bytes(whole)
    with pytest.raises(InputError, match=r"bad\.csv\.gz is not a sound gzip file"):
        read(tmp_path / "bad.csv.gz")


def test_json_with_folds_and_with_numbers_as_text(tmp_path: Path) -> None:
    folds = put(tmp_path, "f.json", '{"d1": {"x": [0.1, 0.3], "y": 0.5}, "d2": {"x": ["0.1", 0.2], "y": [1, null]}}')
    results = read(folds, scores="error")
    assert results.cube("error")[:, :, 0].tolist()[0][0] == [0.1, 0.3]
    assert [str(gap) for gap in results.gaps("error")] == [
        "'y' on 'd1' (replication 1, fold 2)",
        "'y' on 'd2' (replication 1, fold 2)",
    ]
    with pytest.raises(OptionError, match=r"There is no column 'auc'\. Known here: 'error'"):
        read(folds, scores=["error", "auc"])


def test_repeated_cells_name_their_files(tmp_path: Path) -> None:
    one, two = (put(tmp_path, name, "dataset,algorithm,error\na,x,0.1\n") for name in ("1.csv", "2.csv"))
    with pytest.raises(InputError) as caught:
        read([one, two])
    assert str(caught.value).startswith(
        f"Two scores for one cell (dataset 'a', algorithm 'x'): {one} and {two} (1 repeated in all)."
    )


def test_wide_costs_are_named_cost(tmp_path: Path) -> None:
    scores = put(tmp_path, "s.csv", "dataset,x,y\na,1,2\nb,3,4\n")
    results = read(scores, costs=put(tmp_path, "c.csv", "dataset,x,z\na,7,9\nb,8,9\n"))
    assert (results.scores, results.costs) == (("score",), ("cost",))
    assert results.means("cost")[:, 0].tolist() == [7, 8]
    assert results.caveats == (
        "The costs name algorithms that the results do not hold: 'z'.",
        "cost is missing in 2 of 4 cells, such as 'y' on 'a'.",
    )
    nested = read(scores, costs=put(tmp_path, "c.json", '{"a": {"x": 7, "y": 9}, "b": {"x": 8, "y": 9}}'))
    assert nested.means("cost").tolist() == [[7, 9], [8, 9]] and nested.caveats == ()


def test_several_files_and_costs(tmp_path: Path) -> None:
    one = put(tmp_path, "1.csv", "dataset,algorithm,error\na,x,0.1\na,y,0.2\n")
    two = put(tmp_path, "2.csv", "dataset,algorithm,error\nb,x,0.3\nb,y,0.4\n")
    per_cell = put(tmp_path, "c.csv", "dataset,algorithm,train_time\na,x,1\na,y,2\nb,x,3\nb,y,4\n")
    per_algorithm = put(tmp_path, "d.csv", "algorithm,price\nx,10\ny,20\n")
    results = read([one, two], costs=per_cell)
    assert results.means("train_time").tolist() == [[1, 2], [3, 4]]
    assert read([one, two], costs=per_algorithm).means("price").tolist() == [[10, 20], [10, 20]]


def test_published_tables() -> None:
    ulas = published.ulas2012()
    assert (len(ulas.datasets), len(ulas.algorithms), len(ulas)) == (38, 8, 3040)
    assert not ulas.gaps("accuracy") and not ulas.gaps("train_time")
    assert len(published.demsar2006().datasets) == 14
    with pytest.raises(OptionError, match=r"There is no ranking by 'zz'\. Known here: 'train_time', 'accuracy'"):
        published.ulas2012_ranks("zz")
    ranks = published.ulas2012_ranks()
    means = dict(zip(ranks.algorithms, ranks.means("rank").mean(axis=0), strict=True))
    # technical report FBE/CMPE-01/2008-04, average ranks with training time as cost
    expected = {"c45": 3.66, "mdt": 5.21, "mlp": 4.53, "lnp": 3.39, "svl": 5.05, "sv2": 5.95, "svr": 5.00, "5nn": 3.21}
    assert means == pytest.approx(expected, abs=5e-3)


def test_published_accuracies_rank_as_printed_but_for_two_rows() -> None:
    from tiebreak.stats import rank_rows
    from tiebreak.stats.numeric.basics import snap

    ulas, printed = published.ulas2012(), published.ulas2012_ranks("accuracy")
    ranks = rank_rows(snap(ulas.means("accuracy")), higher_is_better=True)
    assert ulas.algorithms == printed.algorithms
    different = [
        d for d, row in zip(ulas.datasets, ranks - printed.means("rank"), strict=True) if np.abs(row).max() > 0
    ]
    assert different == ["australian", "ionosphere"]


def test_cross_validate_of_scikit_learn() -> None:
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, cross_validate
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    x, y = load_iris(return_X_y=True)
    splits = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
    runs = {
        "iris": {
            "nb": cross_validate(GaussianNB(), x, y, cv=splits, scoring=["accuracy", "neg_log_loss"]),
            "tree": cross_validate(
                DecisionTreeClassifier(random_state=0), x, y, cv=splits, scoring=["accuracy", "neg_log_loss"]
            ),
        }
    }
    results = from_cross_validate(runs, replications=5)
    assert results.cube("accuracy").shape == (1, 2, 5, 2)
    assert results.scores == ("accuracy", "neg_log_loss")
    assert results.means("accuracy")[0, 0] == pytest.approx(runs["iris"]["nb"]["test_accuracy"].mean())
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, cv=splits).fit(x, y)
    table = read(search, score="accuracy")
    assert table.algorithms == ("max_depth=1", "max_depth=2")
    assert table.means("accuracy")[0] == pytest.approx(search.cv_results_["mean_test_score"])
    with pytest.raises(InputError, match=r"cannot be divided evenly into 3 replication\(s\)"):
        from_cross_validate(runs, replications=3)


def test_bad_cross_validate_results() -> None:
    with pytest.raises(OptionError) as caught:
        from_cross_validate({"d": {"x": {"test_score": [1, 2]}}}, replications=0)
    assert str(caught.value) == ("replications is 0. Use replications=5 for RepeatedKFold(n_repeats=5).")
    with pytest.raises(InputError, match=r"The run of 'x' on 'd' holds no 'test_score'"):
        from_cross_validate({"d": {"x": {"fit_time": [1, 2]}}})


@pytest.mark.parametrize("out", ["file", "file/below"])
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, out: str, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path, "file", "")
    assert main(["demo", "--out", str(tmp_path / out)]) == 2
    assert f"{tmp_path / out}/report.html cannot be written: " in capsys.readouterr().err


# ---- a column that names the metric of each data set

MIXED = """task,framework,type,fold,result,duration
iris,svm,binary,0,0.9,1
iris,tree,binary,0,0.8,2
wine,svm,multiclass,0,1.5,3
wine,tree,multiclass,0,0.5,4
"""


@pytest.mark.parametrize("small", [0, loading.SMALL])
def test_a_column_of_metrics_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int) -> None:
    monkeypatch.setattr(loading, "SMALL", small)
    path = put(tmp_path, "amlb.csv", MIXED)
    results = read(path, scores="result", also=None, columns={"metric": "type"})
    assert {name: metric.name for name, metric in results.metric_of.items()} == {"iris": "binary", "wine": "multiclass"}
    assert read(path, scores="result").dataset_metrics == ()  # nobody said that the type tells the metric
    current = put(tmp_path, "own.csv", MIXED.replace("type", "Metric"))
    assert read(current, scores="result").metric_of["wine"].name == "multiclass"


def test_a_metric_that_changes_is_found_with_its_line(tmp_path: Path) -> None:
    path = put(tmp_path, "amlb.csv", MIXED.replace("tree,multiclass", "tree,binary"))
    with pytest.raises(InputError, match=r"Data set 'wine' has 2 metrics in column 'type', line 4 of amlb\.csv"):
        read(path, scores="result", columns={"metric": "type"})


def test_costs_have_no_metric(tmp_path: Path) -> None:
    path = put(tmp_path, "amlb.csv", MIXED.replace(",duration", ",other"))
    costs = put(
        tmp_path, "costs.csv", "dataset,algorithm,type,memory\niris,svm,binary,5\niris,tree,x,6\nwine,svm,y,7\n"
    )
    results = read(path, scores="result", costs=costs, columns={"metric": "type"})
    assert results.costs == ("memory",) and results.metric_of["iris"].name == "binary"


def test_several_files_with_metrics(tmp_path: Path) -> None:
    first, second = (
        put(tmp_path, f"{i}.csv", MIXED.replace("fold", "seed").replace("iris", f"iris{i}")) for i in (1, 2)
    )
    second.write_text(second.read_text().replace("wine", "beer"))
    results = read([first, second], scores="result", columns={"metric": "type"})
    assert [metric.name for metric in results.dataset_metrics] == ["multiclass", "binary", "binary", "multiclass"]


def test_directions_are_told_by_name_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(put(tmp_path, "odd.csv", "dataset,svm,tree\niris,3,2\nwine,5,4\nbeer,7,1\n"))
    assert main(["order", path, "--score", "zeal", "--direction", "zeal=lower", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["order"] == ["tree", "svm"]
    assert main(["order", path, "--direction", "zeal=down"]) == 2
    assert "--direction 'zeal=down' is not of the form NAME=higher or NAME=lower." in capsys.readouterr().err
    assert main(["order", path, "--direction", "zeal=lower", "--lower-is-better"]) == 2
    assert "--direction and a direction for all measures were both given." in capsys.readouterr().err
