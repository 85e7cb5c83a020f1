"""Export and import: a store's own tables, and the results of others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tiebreak import published, read
from tiebreak.errors import InputError, OptionError
from tiebreak.readers.stores import read_store
from tiebreak.results import Results, with_costs
from tiebreak.stores import Store, reading
from tiebreak.stores.records import CellOutcome, CellRow

Fill = Callable[..., list[int]]


def ended(store: Store) -> list[CellOutcome | tuple[object, ...]]:
    """Everything about finished cells but their ids and attempts, which belong to one store."""
    names = [name for name in CellRow.__slots__ if name not in ("id", "attempts")]
    rows = [tuple(getattr(row, name) for name in names) for row in store.rows() if row.status != "waiting"]
    return sorted(rows, key=repr)


@pytest.fixture
def full(store: Store, fill: Fill) -> Store:
    ids = fill(store)
    for cell in ids[:-2]:
        values = {"error": cell / 3, "train_time": 1e-7 * cell} if cell % 2 else {"error": 0.1 + 0.2}
        store.finish([CellOutcome(cell=cell, status="ok", values=values, details={"confusion": [[cell, 1], [0, 2]]})])
    store.finish([CellOutcome(cell=ids[-2], status="crash", reason='comma, "quote"\nline é')])
    return store


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_an_export_in_parts_is_the_same(
    full: Store, tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, parts = (tmp_path / f"{name}.{ending}" for name in ("whole", "parts"))
    full.export(whole)
    monkeypatch.setattr(reading, "_PART", 3)
    assert full.export(parts) == 16
    load = pl.read_parquet if ending == "parquet" else pl.read_csv
    assert load(parts).equals(load(whole))
    assert load(parts)["error"].null_count() == 2, "of the failed cell and of the one that waits"
    rows = [{name: getattr(row, name) for name in ("dataset", "fold", "status", "reason")} for row in full.rows()]
    assert (
        load(parts).select("dataset", pl.col("fold").cast(pl.String), "status", "reason").fill_null("").to_dicts()
        == rows
    )
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_an_exported_table_is_a_table_of_results(full: Store, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"all.{ending}"
    full.export(path)
    stored = read_store(full, scores="error", unfinished="gaps")
    assert read(path, scores="error").to_frame("polars").equals(stored.to_frame("polars"))


def test_an_empty_store_is_exported_and_no_other_ending(store: Store, tmp_path: Path) -> None:
    assert store.export(tmp_path / "none.parquet") == 0
    with pytest.raises(OptionError, match=r"all.xlsx has an ending that is not known.*Use \.parquet or \.csv"):
        store.export(tmp_path / "all.xlsx")


def test_published_results_come_back_as_they_were(store: Store) -> None:
    paper = published.demsar2006()
    assert store.import_results(paper, origin="Demsar 2006") == len(paper)
    back = read_store(store)
    assert back.to_frame("polars").equals(paper.to_frame("polars"))
    assert store.import_results(paper, origin="Demsar 2006") == 0
    assert {row.origin for row in store.rows()} == {"Demsar 2006"}
    assert {row.fingerprint for row in store.algorithms()} == {f"Demsar 2006:{name}" for name in paper.algorithms}


def test_a_search_of_scikit_learn_is_imported(store: Store) -> None:
    result = {"params": [{"C": 1}, {"C": 10}], "split0_test_score": [0.9, 0.8], "split1_test_score": [0.7, 0.8]}
    table = read({"iris": result}, score="accuracy")
    store.import_results(table, origin="my search", suffix=" (search)")
    assert read_store(store).algorithms == ("C=1 (search)", "C=10 (search)")


def test_costs_stay_costs_whatever_their_name(store: Store) -> None:
    table = Results.from_dict({"iris": {"svm": 0.9, "tree": 0.8}}, scores="accuracy")
    priced = with_costs(table, Results.from_dict({"*": {"svm": 3.0, "tree": 1.0}}, scores="carbon"))
    store.import_results(priced, origin="me")
    assert read_store(store).costs == ("carbon",)


def test_a_row_without_scores_is_a_failure(store: Store) -> None:
    table = Results.from_dict({"iris": {"svm": 0.9, "tree": float("nan")}}, scores="accuracy")
    store.import_results(table, origin="A paper")
    assert read_store(store).caveats == ("'tree' failed on 'iris': 1 cell ended with error (A paper gives no score).",)


def test_other_values_under_one_origin_are_refused(store: Store) -> None:
    store.import_results(Results.from_dict({"iris": {"svm": 0.9}}, scores="accuracy"), origin="A paper")
    with pytest.raises(InputError) as error:
        store.import_results(Results.from_dict({"iris": {"svm": 0.8}}, scores="accuracy"), origin="A paper")
    assert str(error.value) == (
        "'svm' on data set 'iris' (replication 1, fold 1) was imported from 'A paper' before, with other values. A"
        " stored result is never overwritten. Import the new table under another origin."
    )
    with pytest.raises(OptionError, match="Imported results cannot have the origin 'lab'"):
        store.import_results(Results.from_dict({"iris": {"svm": 0.8}}, scores="accuracy"), origin="lab")


def test_every_metric_of_a_column_is_a_measure_of_its_own(store: Store) -> None:
    rows = {"dataset": ["iris", "cars"], "algorithm": ["svm", "svm"], "metric": ["auc", "rmse"], "score": [0.9, 1200.0]}
    assert store.import_results(Results.from_dict(rows), origin="others") == 2
    back = read_store(store)
    assert back.scores == ("score (auc)", "score (rmse)")
    assert back.means("score (rmse)").tolist()[0] == [1200.0]
