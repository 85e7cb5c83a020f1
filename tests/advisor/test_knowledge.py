"""The knowledge base: from results, files and stores; merged, written and read; whatever is missing in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import tiebreak
from tiebreak.advisor import (
    Advisor,
    Knowledge,
    MetaTable,
    knowledge_text,
    merge_knowledge,
    read_knowledge,
    read_meta,
    shipped_knowledge,
    store_knowledge,
)
from tiebreak.advisor.bases import knowledge_from_text
from tiebreak.advisor.leave_one_out import leave_one_out
from tiebreak.advisor.neighbours import nearest
from tiebreak.advisor.success_rates import shown_rates
from tiebreak.attributes import ATTRIBUTES
from tiebreak.errors import InputError, OptionError
from tiebreak.lab.algorithms import catalogue
from tiebreak.results import Metric, Results

RESULTS = """dataset,algorithm,fold,accuracy,train_time
a,x,1,0.9,1
a,x,2,0.8,3
a,y,1,0.7,10
a,y,2,,20
b,x,1,0.6,1
b,x,2,0.6,1
b,y,1,0.5,2
b,y,2,0.7,2
"""
META = "dataset,n_examples,class_entropy,comment\na,100,1.0,small\nb,500,0.5,large\nc,9,0.1,unknown\n"


def files(folder: Path, results: str = RESULTS, meta: str = META) -> tuple[Path, Path]:
    (folder / "r.csv").write_text(results)
    (folder / "m.csv").write_text(meta)
    return folder / "r.csv", folder / "m.csv"


def base_of(scores: dict[str, dict[str, float]], source: str = "mine", **options: object) -> Knowledge:
    table = Results.from_dict(scores, scores="accuracy")
    return Knowledge.from_results(table, source=source, **options)  # type: ignore[arg-type]


# ---- from files


def test_files_are_joined_by_the_name_of_the_data_set(tmp_path: Path) -> None:
    base = read_knowledge(*files(tmp_path))
    assert (base.datasets, base.algorithms, base.meta.measures) == (
        ("a", "b"),
        ("x", "y"),
        ("n_examples", "class_entropy"),
    )
    success, seconds = base.means()
    np.testing.assert_allclose(success, [[0.85, 0.7], [0.6, 0.6]])
    assert seconds is not None
    np.testing.assert_allclose(seconds, [[2, 10], [1, 2]])  # the time of the failed fold does not count
    assert "m.csv: no number for each data set: 'comment'." in base.caveats


def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    lines = RESULTS.strip().split("\n")
    one = read_knowledge(*files(tmp_path))
    two = read_knowledge(*files(tmp_path, results="\n".join([lines[0], *lines[:0:-1]]) + "\n"))
    np.testing.assert_array_equal(one.accuracy, two.accuracy)


def test_errors_become_success_rates(tmp_path: Path) -> None:
    paths = files(tmp_path, results="dataset,algorithm,error\na,x,0.1\na,y,0.3\nb,x,0.2\nb,y,\n")
    base = read_knowledge(*paths)
    np.testing.assert_allclose(base.accuracy[:, :, 0, 0], [[0.9, 0.7], [0.8, np.nan]])
    assert base.score == "1 - error"
    assert "Success rates are 1 - 'error'." in base.caveats


def test_losses_beyond_one_are_refused(tmp_path: Path) -> None:
    paths = files(tmp_path, results="dataset,algorithm,rmse\na,x,2\na,y,8\nb,x,0\nb,y,0.4\n")
    with pytest.raises(InputError, match="'rmse' is 2 on data set 'a'"):
        read_knowledge(*paths)
    assert read_knowledge(*paths, where=["dataset != a"]).datasets == ("b",)  # as the message proposes


def test_the_direction_is_never_guessed(tmp_path: Path) -> None:
    paths = files(tmp_path, results="dataset,algorithm,zeal\na,x,0.1\na,y,0.3\n")
    with pytest.raises(OptionError, match="Nothing says whether a higher 'zeal' is better"):
        read_knowledge(*paths, score="zeal")
    base = read_knowledge(*paths, score="zeal", higher_is_better=True)
    assert base.accuracy[0, :, 0, 0].tolist() == [0.1, 0.3]


def test_a_score_is_named_where_several_are_there(tmp_path: Path) -> None:
    paths = files(tmp_path, results="dataset,algorithm,auc,f1\na,x,0.1,1\na,y,0.3,1\n")
    with pytest.raises(OptionError, match=r"auc.*f1"):
        read_knowledge(*paths)


def test_rows_are_kept_by_conditions(tmp_path: Path) -> None:
    text = "dataset,method,metric_error,imputed,info\na,x,0.1,False,\na,y,0.3,True,bad\na,y,0.2,False,\nb,x,0.3,0,\n"
    options = {"score": "metric_error", "higher_is_better": False}
    base = read_knowledge(*files(tmp_path, results=text), where=["imputed!=True"], **options)  # type: ignore[arg-type]
    np.testing.assert_allclose(base.accuracy[:, :, 0, 0], [[0.9, 0.8], [0.7, np.nan]])
    assert "r.csv: 1 of 4 rows left out; kept are those where imputed != True." in base.caveats
    with pytest.raises(OptionError, match=r"There is no column \(for where\) 'imputd'"):
        read_knowledge(*files(tmp_path, results=text), where=["imputd=False"], **options)  # type: ignore[arg-type]


def test_repeated_cells_are_refused(tmp_path: Path) -> None:
    text = "dataset,algorithm,accuracy,time\na,x,0.5,1\na,x,0.7,9\na,y,0.6,2\nb,x,0.5,1\nb,y,0.5,1\n"
    with pytest.raises(InputError, match="Two scores for one cell"):
        read_knowledge(*files(tmp_path, results=text))


def test_several_times_are_added_up(tmp_path: Path) -> None:
    paths = files(tmp_path, results="dataset,algorithm,accuracy,fit_s,predict_s\na,x,0.5,1,2\na,y,0.6,3,4\n")
    base = read_knowledge(*paths, time=["fit_s", "predict_s"])
    assert base.time is not None
    assert base.time[0, :, 0, 0].tolist() == [3, 7]


def test_no_data_set_in_common(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_knowledge(*files(tmp_path, meta="dataset,n\nq,1\n"))
    assert str(caught.value) == (
        "No data set has both results and meta-attributes: results are on 'a', 'b', meta-attributes of 'q'. The two are"
        " joined by the name of the data set. Name the column that holds the same names in both (columns={'dataset':"
        " ...})."
    )


def test_numbers_as_names_may_differ_in_their_point(tmp_path: Path) -> None:
    text = "task,algorithm,accuracy\nk,x,0.5\nk,y,0.6\n7,x,0.5\n7,y,0.5\n"
    base = read_knowledge(*files(tmp_path, results=text, meta="id,size\nk,1\n7.0,2\n"))
    assert base.datasets == ("7", "k")


# ---- meta-attributes


def test_what_varies_within_a_data_set_is_no_property_of_it(tmp_path: Path) -> None:
    file = tmp_path / "m.csv"
    file.write_text("name,N,error\na,10,0.1\na,10,0.2\nb,20,0.3\n")
    table, notes = read_meta(file)
    assert table.measures == ("N",)
    assert "m.csv: no number for each data set: 'error'." in notes


# ---- merging


def test_the_same_data_set_of_two_bases_stays_two_rows_of_one_origin() -> None:
    one = base_of({"iris": {"x": 0.9, "y": 0.8}})
    two = base_of({"iris": {"x": 0.9, "z": 0.7}, "wine": {"x": 0.5, "z": 0.4}}, "theirs")
    both = merge_knowledge([one, two])
    assert both.datasets == ("iris", "iris (theirs)", "wine")
    assert both.origins == ("iris", "iris", "wine")
    assert both.algorithms == ("x", "y", "z")
    assert np.isfinite(both.means()[0]).tolist() == [[True, True, False], [True, False, True], [True, False, True]]


def test_what_is_known_already_is_not_added_again() -> None:
    one = base_of({"iris": {"x": 0.9, "y": 0.8, "z": 0.1}})
    two = base_of({"iris": {"x": 0.2, "y": 0.3}, "wine": {"x": 0.5, "y": 0.4}}, "theirs")
    both = merge_knowledge([one, two])
    assert both.datasets == ("iris", "wine")
    assert both.means()[0][0].tolist() == [0.9, 0.8, 0.1]
    assert "1 data set(s) of theirs are known already with all their algorithms." in both.caveats
    assert merge_knowledge([one, one]).datasets == one.datasets


def test_one_name_for_different_data_is_told_apart_by_the_digest() -> None:
    one = base_of({"iris": {"x": 0.9, "y": 0.8}}, fingerprints={"iris": "1"})
    two = base_of({"iris": {"x": 0.2, "y": 0.3}}, "theirs", fingerprints={"iris": "2"})
    assert merge_knowledge([one, two]).datasets == ("iris", "iris (theirs)")


def test_seconds_of_another_machine_are_shown_as_measured() -> None:
    def timed(seconds: list[list[float]], names: list[str], source: str) -> Knowledge:
        scores = Results.from_array(
            np.full((len(names), 2), 0.5), score="accuracy", algorithms=["x", "y"], datasets=names
        )
        known = Knowledge.from_results(scores, source=source)
        return Knowledge(
            **{**{f: getattr(known, f) for f in known.__slots__}, "time": np.array(seconds)[:, :, None, None]}
        )

    one = timed([[1, 2]], ["a"], "mine")
    two = timed([[3, 6], [30, 60]], ["a", "b"], "theirs")
    both = merge_knowledge([one, two])
    assert both.datasets == ("a", "b")
    assert both.time is not None
    assert both.time[1, :, 0, 0].tolist() == [30, 60]
    apart = merge_knowledge([one, timed([[30, 60]], ["b"], "theirs")])
    assert any("shown as measured there" in note for note in apart.caveats) == (one.machines != two.machines)


@given(st.permutations(range(4)))
@settings(derandomize=True, deadline=None, max_examples=10)
def test_merging_disjoint_bases_keeps_every_result(order: list[int]) -> None:
    bases = [base_of({f"d{i}": {"x": 0.1 * i + 0.1, f"y{i}": 0.5}}, f"s{i}") for i in range(4)]
    whole = merge_knowledge([bases[i] for i in order])
    success = whole.means()[0]
    for i in range(4):
        row = success[whole.datasets.index(f"d{i}")]
        assert row[whole.algorithms.index("x")] == pytest.approx(0.1 * i + 0.1)
        assert np.isfinite(row).sum() == 2


# ---- the text and what ships


def costly() -> Knowledge:
    """A base in which every part is there: costs, shares, sources, one gap, one pair of fewer replications."""
    rates = np.array([[[[0.9, 0.8], [0.7, 0.6]], [[0.5, 0.25], [np.nan, np.nan]]]] * 2)
    rates[1, 1, 0, 1] = np.nan
    return Knowledge(
        datasets=("a", "b"),
        algorithms=("x", "y"),
        accuracy=rates,
        time=rates * 2,
        meta=MetaTable(names=("a", "b"), measures=("n_examples", "x"), matrix=np.array([[5, np.nan], [1 / 3, 2]])),
        origins=("a", "a"),
        machines=("here", "there"),
        sources=("mine", "theirs"),
        fingerprints=("1", ""),
        score="auc",
        train_share=(0.5, float("nan")),
        data_from=("somewhere", ""),
        made={"with": "Python 3"},
        notices=("A licence.",),
    )


@pytest.mark.parametrize("base", [shipped_knowledge(), costly()], ids=["shipped", "costly"])
def test_the_text_gives_the_base_back(base: Knowledge) -> None:
    again = knowledge_from_text(knowledge_text(base))
    for part in ("datasets", "algorithms", "origins", "machines", "sources", "fingerprints", "score", "data_from"):
        assert getattr(again, part) == getattr(base, part)
    for part in ("accuracy", "time", "train_share"):
        np.testing.assert_array_equal(getattr(again, part), getattr(base, part))
    assert again.notices == base.notices and dict(base.made).items() <= dict(again.made).items()
    np.testing.assert_array_equal(again.meta.matrix, base.meta.matrix)
    assert knowledge_text(again) == knowledge_text(base)


def test_costs_shares_and_sources_go_with_their_data_sets() -> None:
    base = costly()
    part = base.only(datasets="b", algorithms=["x", "y"])
    assert part.train_share[0] != part.train_share[0] and part.data_from == ("",) and part.time is not None
    assert part.time.shape == part.accuracy.shape == (1, 2, 2, 2)
    both = merge_knowledge([base, base_of({"c": {"x": 0.5, "z": 0.6}}, "third", train_share=0.9, made={"with": "R"})])
    assert both.time is not None and both.time.shape == both.accuracy.shape == (3, 3, 2, 2)
    assert both.train_share[::2] == (0.5, 0.9) and both.notices == ("A licence.",)
    assert dict(both.made) == {"with": "Python 3", "with (third)": "R"}
    with pytest.raises(InputError, match="time has shape"):
        Knowledge(**{**{name: getattr(base, name) for name in base.__slots__}, "time": np.ones((1, 1, 1, 1))})


def test_a_broken_text_is_named() -> None:
    with pytest.raises(InputError) as caught:
        knowledge_from_text('{"format": 7}')
    assert str(caught.value) == (
        "the text holds no knowledge base (ValueError: format 7, not 2). It is read from what knowledge_text(...)"
        " wrote. Make it again with tools/knowledge/build.py."
    )


def test_the_shipped_base_is_whole() -> None:
    base = shipped_knowledge(artificial=True)
    assert {name for name, about in ATTRIBUTES.items() if "classes" in about.kinds} == set(base.meta.measures)
    assert len(base.datasets) == 62 and len(base.algorithms) == 20 and "abalone" not in base.datasets
    pairs = np.isfinite(base.means()[0])
    assert pairs.mean() > 0.98 and (pairs.sum(axis=0) >= 40).all()  # the slowest learner ran out of time on some
    there = np.isfinite(base.accuracy)
    assert there[:, :, 0][pairs].all()  # a pair that was run has the first replication
    assert base.accuracy[there].min() >= 0 and base.accuracy[there].max() <= 1
    assert base.time is not None and (base.time[there] > 0).all()
    assert set(base.train_share) == {0.5} and all(base.data_from) and all(base.fingerprints)


def test_the_shipped_base_says_how_it_was_made_and_is_small() -> None:
    base = shipped_knowledge()
    assert {"with", "host", "on", "resampling", "time", "by", "limits", "load"} <= set(base.made)
    assert all(name in base.made["with"] for name in ("scikit-learn", "xgboost", "lightgbm", "catboost"))
    file = Path(tiebreak.__file__).parent / "advisor" / "data" / "knowledge.json"
    assert file.stat().st_size < 1_000_000


def test_whoever_changes_what_was_shipped_changes_it_for_nobody_else() -> None:
    for artificial in (False, True):
        mine = shipped_knowledge(artificial=artificial)
        mine.made["by"] = "me"  # type: ignore[index]
        assert shipped_knowledge(artificial=artificial).made["by"] == "tools/knowledge/build.py"
        with pytest.raises(ValueError, match="read-only"):
            mine.accuracy[0, 0] = 1.0


@pytest.mark.parametrize("kind", ["classes", "number"])
def test_the_shipped_bases_say_what_their_learners_are(kind: str) -> None:
    known = shipped_knowledge(kind)
    assert dict(known.meanings) == {e.name: e.description for e in catalogue(kind) if e.name in known.algorithms}
    assert set(known.meanings) == set(known.algorithms)
    first = Advisor(known).recommend_known(known.datasets[0], neighbours="all", method="mean-rank")
    assert f"\n{first.algorithms[0]}: {known.meanings[first.algorithms[0]]}\n" in str(first.document())
    assert first.to_dict()["meanings"] == {name: known.meanings[name] for name in first.algorithms}


def test_shipped_data_sets_of_one_origin_share_it() -> None:
    base = shipped_knowledge(artificial=True)
    origin = dict(zip(base.datasets, base.origins, strict=True))
    for kin in (
        ("monks", "monks2", "monks3"),
        ("waveform", "waveform40"),
        ("hypothyroid", "sick", "thyroid"),
        ("flare", "flare2"),
        ("australian", "credit"),
        ("breast", "breast_cancer"),
    ):
        assert len({origin[name] for name in kin}) == 1
    assert len(set(base.origins)) == 54


def test_shipped_meta_attributes_are_those_of_the_data() -> None:
    pytest.importorskip("sklearn", reason="the bundled data sets come with scikit-learn")
    from tiebreak.attributes import characterise
    from tiebreak.datasets import load

    base = shipped_knowledge(artificial=True)
    led = load({"source": "builtin:led", "rows": 500, "seed": 1})
    for name, data in (("breast_cancer", load("builtin:breast_cancer")), ("led", led)):
        place = base.datasets.index(name)
        assert base.fingerprints[place] == data.fingerprint
        for measure, value in characterise(data).items():
            remaining = base.meta.matrix[place, base.meta.measures.index(measure)]
            assert np.isnan(remaining) if value is None else remaining == pytest.approx(value, rel=1e-9)


# ---- distances and measures


def test_distances_are_those_of_nearest() -> None:
    base = shipped_knowledge()
    table = base.distances()
    query = dict(zip(base.meta.measures, base.meta.matrix[3], strict=True))
    kin = [n for n, origin in zip(base.datasets, base.origins, strict=True) if origin == base.origins[3]]
    neighbours = nearest({k: float(v) for k, v in query.items()}, base.meta, exclude=kin, k=None)
    for name, distance in zip(neighbours.names, neighbours.distance, strict=True):
        assert table[3, base.datasets.index(name)] == pytest.approx(float(distance))
    assert np.isinf(table[3, 3])


def test_leave_one_out_takes_a_base() -> None:
    base = shipped_knowledge()
    evaluation = leave_one_out(base.accuracy, base.time, distances=base.distances(), origins=base.origins)
    mean = {str(row["method"]): float(str(row["mean spearman"])) for row in evaluation.rows()}
    assert mean["5 neighbours"] > mean["random"] and mean["all data"] > mean["random"]


# ---- checks


def test_parts_must_fit() -> None:
    base = base_of({"a": {"x": 0.5, "y": 0.6}, "b": {"x": 0.5, "y": 0.6}})
    parts = {name: getattr(base, name) for name in base.__slots__}
    with pytest.raises(InputError, match="accuracy has shape"):
        Knowledge(**{**parts, "accuracy": base.accuracy[0]})
    with pytest.raises(InputError, match="time has shape"):
        Knowledge(**{**parts, "time": np.ones((1, 1, 1, 1))})
    with pytest.raises(InputError, match="are not those of the 2 data sets"):
        Knowledge(**{**parts, "origins": ("a",)})
    with pytest.raises(InputError, match="fewer than two algorithms are left"):
        base.without(algorithms=["x"])
    with pytest.raises(InputError, match="no data set is left"):
        base.without(datasets=["a", "b"])
    with pytest.raises(OptionError, match="There is no data set 'c'"):
        base.only(datasets="c")
    with pytest.raises(ValueError, match="read-only"):
        base.accuracy[0] = 1


def test_scores_without_direction_are_refused() -> None:
    from tiebreak.advisor.success_rates import success_rates

    with pytest.raises(InputError, match="No success rate can be made of a negative error"):
        success_rates(np.array([[-0.5, 0.1]]), Metric(name="error", higher_is_better=False), datasets=("a",))


# ---- from a store


def test_a_store_of_imported_results(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy", reason="stores need SQLAlchemy")
    from tiebreak.stores import open_store

    table = Results.from_dict({"a": {"x": 0.9, "y": 0.8}, "b": {"x": 0.7, "y": 0.75}}, scores="accuracy")
    with open_store(tmp_path / "results.db") as store:
        store.import_results(table, origin="elsewhere")
        base = store_knowledge(store)
        meta = MetaTable.from_mapping({"a": {"n_examples": 10.0}, "b": {"n_examples": 20.0}})
        described = store_knowledge(store, meta=meta)
    assert base.datasets == ("a", "b") and base.time is None and base.meta.measures == ()
    assert np.isnan(base.train_share).all()
    assert described.meta.measures == ("n_examples",)


def test_an_empty_store_is_named(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy", reason="stores need SQLAlchemy")
    from tiebreak.stores import open_store

    with open_store(tmp_path / "results.db") as store, pytest.raises(InputError, match="holds no finished result"):
        store_knowledge(store)


def test_a_store_says_how_its_results_came_about(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy", reason="stores need SQLAlchemy")
    from tiebreak.stores import open_store
    from tiebreak.stores.records import AlgorithmRow, CellKey, CellOutcome, DataSetRow, Environment

    where = Environment(host="h", cpu="Z80", cores=1, system="CP/M", python="3.11", versions={"numpy": "2.0"})
    with open_store(tmp_path / "results.db") as store:
        store.add_data_set(DataSetRow(name="a", fingerprint="a", meta={"n_examples": 5}, meta_version="1"))
        for name in ("x", "y"):
            store.add_algorithm(AlgorithmRow(name=name, fingerprint=name))
        keys = [CellKey("a", name, "cv|folds=4|test=0.2|stratified", 7, 1, 1) for name in ("x", "y")]
        values = {"accuracy": 0.5, "train_time": 1.0, "predict_time": 0.5, "model_bytes": 100.0}
        cells = store.add_cells(keys)
        store.finish([CellOutcome(cell=cell, status="ok", values=values, environment=where) for cell in cells])
        base = store_knowledge(store)
    assert base.train_share == pytest.approx((0.6,))
    assert base.time is not None and base.time[0, 0, 0, 0] == 1.5
    assert dict(base.made) == {
        "with": "Python 3.11, numpy 2.0",
        "host": "Z80, 1 core, CP/M",
        "resampling": "cv|folds=4|test=0.2|stratified, seed 7",
        "time": "CPU seconds of training and prediction",
    }


def test_the_base_that_ships_knows_auc_and_log_loss_beside_accuracy() -> None:
    """Advice by accuracy loses twice as much log loss as advice by log loss: a forest is too sure."""
    usual, loss, area = (shipped_knowledge(by=score) for score in (None, "log_loss", "auc"))
    assert loss.score == "exp(-log_loss)" and area.score == "auc" and len(loss.datasets) == len(area.datasets) == 48
    assert not {"svl", "sv2", "svr"} & set(loss.algorithms) and set(area.algorithms) == set(usual.algorithms)
    assert ((loss.means()[0] > 0) | np.isnan(loss.means()[0])).all()
    mean = np.nanmean(-np.log(loss.means()[0]), axis=0)
    assert mean[loss.algorithms.index("logistic")] < mean[loss.algorithms.index("qda")]
    for known, score in ((loss, "log_loss"), (area, "auc")):
        place, other = known.datasets.index("sonar"), usual.datasets.index("sonar")
        assert known.origins[place] == usual.origins[other] and known.fingerprints[place] == usual.fingerprints[other]
        assert shown_rates(known.score, known.means()[0])[0] == score
    with pytest.raises(OptionError, match="There is no score 'brier'"):
        shipped_knowledge(by="brier")
