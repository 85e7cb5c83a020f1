from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tiebreak import from_cross_validate, from_cv_results, published, read
from tiebreak.errors import InputError, OptionError
from tiebreak.sources import files

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
    for path in made:
        results = read(path, scores="accuracy")
        assert results.means("accuracy").tolist() == [[0.97, 0.94], [0.98, 0.91]], path.name


@pytest.mark.parametrize("small", [0, files.SMALL], ids=["polars", "csv module"])
def test_both_parsers_of_text_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int) -> None:
    monkeypatch.setattr(files, "SMALL", small)
    text = 'dataset,algorithm,fold,accuracy,note\n"a, b",x,1,0.5,t\n"a, b",x,2,NA,t\nnaïve,x,1,1e-3,t\nnaïve,x,2,7,t\n'
    results = read(put(tmp_path, "t.csv", text), scores="accuracy")
    assert results.datasets == ("a, b", "naïve")
    assert results.values["accuracy"] == pytest.approx([0.5, np.nan, 1e-3, 7.0], nan_ok=True)


@pytest.mark.parametrize("small", [0, files.SMALL], ids=["polars", "csv module"])
@pytest.mark.parametrize(
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
    ],
)
def test_bad_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int, text: str, words: str) -> None:
    monkeypatch.setattr(files, "SMALL", small)
    with pytest.raises(InputError) as caught:
        read(put(tmp_path, "t.csv", text), scores=None if "x,x" in text else "accuracy")
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("e.csv", "", "e.csv is empty. There is nothing to compare."),
        ("e.csv", "\n\n", "e.csv is empty."),
        ("e.json", "{", "e.json is not JSON:"),
        ("e.json", "3", "e.json is JSON of another shape."),
        ("e.parquet", "no", "e.parquet is not a parquet file:"),
        ("e.xlsx", "no", "e.xlsx has an ending that is not known."),
        ("e.csv", "dataset,a,b\nx,1\n", "Line 2 of e.csv has 2 cells, the header has 3."),
        ("e.csv", 'dataset,a\n"x,1\n', "e.csv is not proper delimited text:"),
    ],
)
def test_broken_files(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises((InputError, OptionError)) as caught:
        read(put(tmp_path, name, text))
    assert str(caught.value).startswith(words)


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere.csv cannot be read: there is no such file"):
        read(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match=r"cannot be read: it is no readable file"):
        read(tmp_path)
    (tmp_path / "latin.csv").write_bytes("dataset,a\nna\xefve,1\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin.csv is not UTF-8 text"):
        read(tmp_path / "latin.csv")
    with pytest.raises(OptionError, match="No file was named"):
        read([])


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
    ranks = published.ulas2012_ranks()
    means = dict(zip(ranks.algorithms, ranks.means("rank").mean(axis=0), strict=True))
    # technical report FBE/CMPE-01/2008-04, average ranks with training time as cost
    expected = {"c45": 3.66, "mdt": 5.21, "mlp": 4.53, "lnp": 3.39, "svl": 5.05, "sv2": 5.95, "svr": 5.00, "5nn": 3.21}
    assert means == pytest.approx(expected, abs=5e-3)


def test_published_accuracies_rank_as_printed_but_for_two_rows() -> None:
    from tiebreak.stats import rank_rows
    from tiebreak.stats.ranks import snap

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
    table = from_cv_results(search.cv_results_, dataset="iris", score="accuracy", replications=5)
    assert table.algorithms == ("max_depth=1", "max_depth=2")
    assert table.means("accuracy")[0] == pytest.approx(search.cv_results_["mean_test_score"])
    with pytest.raises(InputError, match=r"do not divide into 3 replication\(s\)"):
        from_cross_validate(runs, replications=3)
