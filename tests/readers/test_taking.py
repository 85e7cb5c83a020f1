"""Whatever people hold in Python gives the same answer: a path, a frame, a dictionary, an array, results."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tiebreak as tb

from ..every import every

pd = pytest.importorskip("pandas", reason="pandas is not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

ALGORITHMS = ["knn", "svm", "tree"]
DATASETS = [f"d{i:02}" for i in range(12)]
SCORES = (0.7 + np.random.default_rng(3).normal(0, 0.03, (12, 3)) + [0.0, 0.08, 0.02]).round(4)
COSTS = np.array([1.0, 30.0, 4.0])
LONG = {
    "dataset": [d for d in DATASETS for _ in ALGORITHMS],
    "algorithm": ALGORITHMS * 12,
    "accuracy": SCORES.ravel().tolist(),
    "train_time": np.tile(COSTS, 12).tolist(),
}
WIDE = {"dataset": DATASETS, **{name: SCORES[:, place].tolist() for place, name in enumerate(ALGORITHMS)}}
NESTED = {d: dict(zip(ALGORITHMS, row.tolist(), strict=True)) for d, row in zip(DATASETS, SCORES, strict=True)}


def records() -> list[dict[str, Any]]:
    return [dict(zip(LONG, row, strict=True)) for row in zip(*LONG.values(), strict=True)]


HELD: dict[str, Callable[[], Any]] = {
    "results": lambda: tb.Results.from_dict(LONG),
    "pandas long": lambda: pd.DataFrame(LONG),
    "polars long": lambda: pl.DataFrame(LONG),
    "pyarrow long": lambda: pa.table(LONG),
    "dictionary of columns": lambda: LONG,
    "records": records,
    "pandas wide": lambda: pd.DataFrame(WIDE),
    "polars wide": lambda: pl.DataFrame(WIDE),
    "pandas index": lambda: pd.DataFrame(SCORES, index=DATASETS, columns=ALGORITHMS),
    "pandas named index": lambda: pd.DataFrame(WIDE).set_index("dataset"),
    "pandas index of another name": lambda: pd.DataFrame(WIDE).set_index("dataset").rename_axis("problem name"),
    "pivot": lambda: pd.DataFrame(LONG).pivot_table(index="dataset", columns="algorithm", values="accuracy"),
    "groupby": lambda: pd.DataFrame(LONG).groupby(["dataset", "algorithm"])["accuracy"].mean(),
    "long with an index": lambda: pd.DataFrame(LONG).set_index(["dataset", "algorithm"]),
    "filtered rows": lambda: pd.DataFrame({**LONG, "x": 1})[lambda f: f.x == 1].sample(frac=1, random_state=0)[[*LONG]],
    "nested": lambda: NESTED,
    "halves": lambda: [
        tb.Results.from_dict(LONG).only(datasets=DATASETS[:6]),
        tb.Results.from_dict(LONG).only(datasets=DATASETS[6:]),
    ],
}


@every("kind", HELD)
def test_every_form_gives_the_same_answer(kind: str) -> None:
    expected = tb.compare(tb.Results.from_dict(LONG), score="accuracy")
    compare = tb.compare(HELD[kind](), score="accuracy")
    assert compare.algorithms == expected.algorithms == ("svm", "tree", "knn")
    np.testing.assert_array_equal(compare.tests.pvalue, expected.tests.pvalue)
    np.testing.assert_array_equal(compare.significant, expected.significant)


@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist, lambda a: tuple(map(tuple, a))])
def test_an_array_with_names(form: Callable[[Any], Any]) -> None:
    compare = tb.compare(form(SCORES), algorithms=ALGORITHMS, datasets=DATASETS, score="accuracy")
    assert compare.algorithms == ("svm", "tree", "knn")
    assert compare.datasets == tuple(DATASETS)
    unnamed = tb.compare(form(SCORES), score="accuracy")
    assert len(unnamed.algorithms) == 3 and "inferred" in [note.code for note in unnamed.caveats]
    with pytest.raises(tb.OptionError, match=r"An array holds no cost 'train_time'.*prior=\[cheapest"):
        tb.order(form(SCORES), algorithms=ALGORITHMS, score="accuracy", cost="train_time")


def test_an_index_of_numbers_names_data_sets_only_under_a_name() -> None:
    """Numbers without a name are what filtering leaves of a row count: the rows are data sets without names."""
    wide = pd.DataFrame(SCORES, columns=ALGORITHMS)
    assert tb.compare(wide, score="accuracy").datasets[0] == "row 1"
    assert len(tb.compare(wide[wide.svm > 0.6], score="accuracy").datasets) == int((wide.svm > 0.6).sum())
    wide.index = pd.Index(range(100, 112), name="openml id")
    assert tb.compare(wide, score="accuracy").datasets[0] == "100"


def test_headers_of_several_levels() -> None:
    """Taken as they stand, every pair of a score and an algorithm was an algorithm of its own."""
    long = pd.DataFrame(LONG)
    keyed = long.set_index(["dataset", "algorithm"])
    wide = pd.DataFrame(SCORES, index=DATASETS, columns=ALGORITHMS)
    expected = tb.order(long, score="accuracy", cost="train_time")
    both = pd.concat({"accuracy": wide, "train_time": wide * 0 + COSTS}, axis=1)
    for held in (
        both,
        both.swaplevel(axis=1),
        keyed.unstack(),
        keyed.unstack(0),
        long.pivot(index="dataset", columns="algorithm", values=["accuracy", "train_time"]),
    ):
        order = tb.order(held, score="accuracy", cost="train_time")
        assert (order.order, order.datasets) == (expected.order, expected.datasets)
    twice = pd.concat([keyed - 0.01, keyed + 0.01]).groupby(level=[0, 1]).agg(["mean", "std"])
    table = tb.as_results(twice).only(algorithms=ALGORITHMS)
    assert {"accuracy", "accuracy_sd"} <= {metric.name for metric in table.metrics}
    np.testing.assert_allclose(table.means("accuracy"), SCORES)
    assert tb.compare(table, score="accuracy").algorithms == ("svm", "tree", "knn")
    with pytest.raises(tb.InputError, match="several levels of headers"):
        tb.Results.from_frame(twice)


def test_a_dictionary_may_be_turned_around() -> None:
    turned = pd.DataFrame(SCORES, index=DATASETS, columns=ALGORITHMS).to_dict()  # {algorithm: {data set: score}}
    results = tb.as_results(turned, scores="accuracy")
    assert (results.datasets, results.algorithms) == (tuple(DATASETS), tuple(ALGORITHMS))
    assert [caveat.code for caveat in results.caveats] == ["read-as"]
    assert tb.as_results(turned, scores="accuracy", transpose=False).algorithms == tuple(DATASETS)
    unknown = {"u": {"x": 0.1, "y": 0.2}, "v": {"x": 0.3, "y": 0.4}}
    assert tb.as_results(unknown, scores="accuracy").datasets == ("u", "v")  # as documented, where nothing tells
    assert tb.as_results(unknown, scores="accuracy", transpose=True).datasets == ("x", "y")


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_paths(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"scores.{ending}"
    if ending == "csv":
        pl.DataFrame(LONG).write_csv(file)
    elif ending == "parquet":
        pl.DataFrame(LONG).write_parquet(file)
    else:
        file.write_text(json.dumps(records()))
    expected = tb.order(tb.Results.from_dict(LONG), score="accuracy", cost="train_time")
    for held in (file, str(file), [file]):
        assert tb.order(held, score="accuracy", cost="train_time").to_dict() == expected.to_dict()


def test_a_store(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy", reason="the lab is not installed")
    path = tmp_path / "results.db"
    plan = tb.Plan.of(datasets=["builtin:monks1", "builtin:monks2"], algorithms=["nb", "5nn"], resampling="2x2cv")
    tb.run(plan, store=path, jobs=1)
    assert set(tb.compare(path, score="accuracy").algorithms) == {"nb", "5nn"}


def test_order_reads_the_costs_along_and_multivariate_makes_measures() -> None:
    frame = pd.DataFrame(LONG)
    order = tb.order(frame, score="accuracy", cost="train_time")
    assert order.order == tb.order(tb.Results.from_dict(LONG), score="accuracy", cost="train_time").order
    odd = frame.rename(columns={"train_time": "effort"})
    assert tb.order(odd, score="accuracy", cost="effort").prior == order.prior
    rng = np.random.default_rng(1)
    keys = [{"dataset": "d", "algorithm": a, "fold": k} for a in ("x", "y") for k in range(10)]
    cells = rng.integers(5, 40, (20, 4)).tolist()
    counts = pd.concat([pd.DataFrame(keys), pd.DataFrame(cells, columns=["tp", "fp", "tn", "fn"])], axis=1)
    both = tb.multivariate(counts, scores=["tpr", "fpr"])
    assert both.omnibus.pvalue == tb.multivariate(tb.Results.from_frame(counts), scores=["tpr", "fpr"]).omnibus.pvalue


def test_where_columns_and_choices() -> None:
    twice = pl.DataFrame({**LONG, "budget": [60] * 36}).vstack(pl.DataFrame({**LONG, "budget": [9] * 36}))
    rename = twice.rename({"dataset": "suite", "algorithm": "who"})
    compare = tb.compare(
        rename,
        score="accuracy",
        columns={"dataset": "suite", "algorithm": "who"},
        where="budget == 60",
        algorithms="svm tree".split(),
    )
    assert compare.algorithms == ("svm", "tree")
    assert "the frame: 36 of 72 rows left out; kept are those where budget == 60." in compare.caveats
    with pytest.raises(tb.OptionError, match=r"columns=\{'dataset': 'x'\} was given with Results"):
        tb.compare(tb.Results.from_dict(LONG), columns={"dataset": "x"})


def test_what_cross_validate_returned() -> None:
    runs = {
        d: {a: {"fit_time": [0.1], "score_time": [0.1], "test_accuracy": [s]} for a, s in row.items()}
        for d, row in NESTED.items()
    }
    assert tb.compare(runs, score="accuracy").algorithms == ("svm", "tree", "knn")
    assert tb.as_results(runs, scores="accuracy", costs="fit_time").costs == ("fit_time", "test_time")
    assert tb.read(runs["d00"], scores="accuracy").algorithms == ("knn", "svm", "tree")
    for reader in (tb.compare, tb.from_cross_validate):
        with pytest.raises(tb.InputError, match="What cross_validate returned was given without the names of algo"):
            reader(runs["d00"]["svm"], score="accuracy")
    columns = {"dataset": ["d", "e"], "algorithm": ["a", "a"], "fit_time": [1.0, 2.0], "test_accuracy": [0.5, 0.6]}
    assert tb.as_results(columns).scores == ("test_accuracy",)  # no run, although it has the names of one
    single = {"d": {"a": {"test_score": [0.9, 0.8], "fit_time": [0.1, 0.1]}}}
    with pytest.raises(tb.OptionError, match=r"2 scores were named: 'accuracy', 'auc'\. Name it"):
        tb.from_cross_validate(single, scores=["accuracy", "auc"])


def test_searches_by_data_set() -> None:
    """As columns, the parameters and ranks of a search would be algorithms."""
    search = {"params": [{"C": 1}, {"C": 2}], "param_C": [1, 2], "mean_fit_time": [0.1, 0.2], "rank_test_score": [1, 2]}
    search |= {"split0_test_score": [0.9, 0.8], "split1_test_score": [0.7, 0.6]}
    held = {"iris": search, "wine": search}
    results = tb.as_results(held, scores="accuracy")
    assert (results.datasets, results.algorithms) == (("iris", "wine"), ("C=1", "C=2"))
    np.testing.assert_allclose(results.means("accuracy"), [[0.8, 0.7]] * 2)

    class Search:
        cv_results_ = search

    alone = tb.read(Search(), score="accuracy")
    assert alone.means("accuracy").tolist() == results.means("accuracy")[:1].tolist()
    for part in (search, pd.DataFrame(search), Search()):
        read = tb.read(part, scores="accuracy")
        assert read.algorithms == ("C=1", "C=2") and len(read.datasets) == 1
        assert read.means("accuracy").tolist() == alone.means("accuracy").tolist()


def test_an_unknown_option_is_an_error_of_the_verb() -> None:
    with pytest.raises(TypeError, match=r"compare\(\) got an unexpected keyword argument 'alhpa'"):
        tb.compare(LONG, score="accuracy", alhpa=0.1)  # type: ignore[call-arg]


def test_a_study_of_optuna_is_sent_to_its_table() -> None:
    study = type("Study", (), {"trials_dataframe": None})()
    with pytest.raises(tb.InputError, match=r"compare was given a Study.*study\.trials_dataframe"):
        tb.compare(study, score="accuracy")


def test_what_holds_no_results() -> None:
    with pytest.raises(tb.InputError, match="compare was given a int"):
        tb.compare(7)
    with pytest.raises(tb.InputError, match=r"order was given a LazyFrame.*frame\.collect\(\)"):
        tb.order(pl.DataFrame(LONG).lazy())


def test_a_report_compares_and_orders_tables_first(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    pl.DataFrame({**LONG, "kind": ["x"] * 36}).write_csv(file)
    report = tb.report(file, score="accuracy", cost="train_time", where="kind == x", alpha=0.01)
    table = tb.read(file, where="kind == x")
    expected = tb.report(
        tb.compare(table, score="accuracy", alpha=0.01),
        tb.order(table, score="accuracy", cost="train_time", alpha=0.01),
    )
    assert report.to_dict() == expected.to_dict()
    assert [part.heading for part in tb.report(pd.DataFrame(WIDE), score="accuracy").parts] == [
        "Comparison by accuracy"
    ]


# ---- ways out


@pytest.mark.parametrize(("held", "kind"), [("pandas wide", "pandas"), ("polars wide", "polars"), ("nested", "polars")])
def test_frames_out_are_of_the_kind_that_came_in(held: str, kind: str) -> None:
    compare = tb.compare(HELD[held](), score="accuracy")
    frame = compare.to_frame()
    assert type(frame).__module__.split(".")[0] == kind
    assert list(frame.columns) == ["algorithm", "mean_rank", "mean accuracy", "group"]
    assert list(frame["algorithm"]) == ["svm", "tree", "knn"]
    assert compare.to_frame("pyarrow").num_rows == 3


def test_every_result_has_a_frame_and_a_repr_that_says_something() -> None:
    table = tb.Results.from_dict(LONG)
    compared = tb.compare(table, score="accuracy")
    ordered = tb.order(table, score="accuracy", cost="train_time")
    results = [table, compared, ordered, compared.omnibus, compared.tests, compared.effects(), compared.wins()]
    results += [compared.intervals(), compared.bayes(), compared.report()]
    for result in results:
        for kind in ("polars", "pandas", "pyarrow"):
            frame = result.to_frame(kind)
            assert len(frame) == len(result) if isinstance(result, tb.Results) else len(result.rows())
        assert repr(result).startswith(f"<{type(result).__name__}: {result.title()}")
        assert "\n" not in repr(result)
    assert repr(compared) == (
        "<Comparison: 3 algorithms on 12 data sets by accuracy (higher is better); first: svm, significantly"
        " different from all others>"
    )
    assert repr(ordered).endswith("by accuracy (higher is better) and train_time; svm > tree > knn>")
    one = tb.compare(table, score="accuracy", control="knn")
    assert repr(one).endswith("; control: knn, no significant difference from tree>")


def test_a_column_of_several_types_is_text() -> None:
    from tiebreak.results.frames import rows_frame

    frame = rows_frame([{"a": 1, "b": None}, {"a": 2.5, "b": "x"}, {"a": None, "b": 3}])
    assert frame["a"].to_list() == [1.0, 2.5, None]
    assert frame["b"].to_list() == [None, "x", "3"]


# ---- one option, two spellings


def test_score_and_scores_are_one_option() -> None:
    table = tb.Results.from_dict(LONG)
    assert tb.compare(table, scores="accuracy").to_dict() == tb.compare(table, score="accuracy").to_dict()
    assert tb.compare(WIDE, scores=["accuracy"]).algorithms == ("svm", "tree", "knn")
    assert tb.order(table, scores="accuracy", cost="train_time").order == ("svm", "tree", "knn")
    assert tb.report(WIDE, scores="accuracy").parts[0].heading == "Comparison by accuracy"
    assert tb.Results.from_dict(WIDE, score="accuracy").scores == ("accuracy",)
    assert tb.Results.from_frame(pl.DataFrame(WIDE), score="accuracy").scores == ("accuracy",)
    assert tb.Results.from_array(SCORES, scores="accuracy").scores == ("accuracy",)
    run = {"test_score": [0.9, 0.8], "fit_time": [0.1, 0.1]}
    assert tb.from_cross_validate({"iris": {"svm": run}}, scores="accuracy").scores == ("accuracy",)
    with pytest.raises(tb.OptionError, match="score='auc' and scores='accuracy' were both given"):
        tb.compare(table, score="auc", scores="accuracy")
    with pytest.raises(tb.OptionError, match=r"2 scores were named: 'accuracy', 'auc'\. Name one"):
        tb.compare(table, scores=["accuracy", "auc"])
    with pytest.raises(tb.OptionError, match="No measures were named"):
        tb.multivariate(table)


def test_frames_are_understood_as_files_are() -> None:
    sets = ["iris", "wine", "glass", "sonar", "Average"]
    rf, svm = [0.95, 0.9, 0.7, 0.8, 0.8375], [0.94, 0.8, 0.6, 0.7, 0.76]
    frame = pl.DataFrame({"Dataset": sets, "#inst": [150, 178, 214, 208, None], "RF": rf, "SVM": svm})
    for given in (frame, frame.to_pandas(), frame.to_dicts()):
        results = tb.as_results(given, scores="accuracy")
        assert (results.algorithms, results.datasets) == (("RF", "SVM"), ("glass", "iris", "sonar", "wine"))
        assert {"rows-left-out", "columns-left-out"} <= {caveat.code for caveat in results.caveats}
    assert tb.as_results(frame.to_pandas(), scores="accuracy").frame_kind == "pandas"
    assert len(tb.as_results(frame, scores="accuracy", keep_rows=True).datasets) == 5
    plain = tb.as_results(frame, scores="accuracy", plain=True)
    assert (len(plain.algorithms), len(plain.datasets)) == (3, 5)
    turned = frame.head(4).drop("#inst").transpose(include_header=True, header_name="", column_names="Dataset")
    assert tb.as_results(turned, scores="accuracy").algorithms == ("RF", "SVM")
    words = pl.DataFrame({"Dataset": ["iris", "wine"], "RF": ["95.1 ± 2", "OOM"], "SVM": ["**96**", "-"]})
    results = tb.as_results(words, scores="accuracy")
    assert results.means("accuracy")[0].tolist() == [95.1, 96.0]
    assert np.isnan(results.means("accuracy")[1]).all()
    assert tb.as_results(words[["RF"]], scores="accuracy", columns={"dataset": "#"}).datasets == ("row 1", "row 2")
