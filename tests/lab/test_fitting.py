"""The lines that fit a learner: they run as they are, and give the model that the lab gives."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tiebreak.datasets import DataSet
from tiebreak.datasets.references import DataReference
from tiebreak.errors import InputError
from tiebreak.lab.algorithms import catalogue
from tiebreak.lab.algorithms.building import build
from tiebreak.lab.algorithms.specs import spec_of
from tiebreak.lab.fitting import fit_learner, fitting_code
from tiebreak.lab.tasks import AlgorithmSpec

HOSTILE = ["size [m]", "a'b\"c", 'kind\\"""', "{colour}", "n\tm"]
"""Names that would end a text, a line or a comment, were they not written as literals."""


def table(rows: int = 120) -> list[list[str]]:
    """Rows of mixed columns with gaps: two numbers, two symbols (one of numbers), a whole number, and the class."""
    rng = np.random.default_rng(0)
    one, two, whole = rng.normal(size=rows), rng.normal(size=rows), rng.integers(0, 5, rows)
    kind, colour = rng.choice(["red", "gr'een", 'blue "x"'], rows), rng.choice(["1", "2", "3"], rows)
    good = one + (kind == "red") + 0.5 * (colour == "2") + rng.normal(scale=0.4, size=rows)
    label = np.where(good > 0.9, "yes", np.where(good < 0, "no", "it's"))
    out = []
    for i in range(rows):
        row = [f"{one[i]:.4f}", f"{two[i]:.4f}", str(kind[i]), str(colour[i]), str(whole[i]), str(label[i])]
        out.append([cell if rng.random() > 0.08 or place == 5 else "" for place, cell in enumerate(row)])
    return out


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> tuple[DataReference, DataSet, pd.DataFrame]:
    path = tmp_path_factory.mktemp("mixed") / 'it\'s "odd".csv'
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[*HOSTILE, "class"], *table()])
    reference = DataReference.of({"source": str(path), "target": "class", "symbolic": [HOSTILE[3]]})
    return reference, reference.load(), pd.read_csv(path, dtype={HOSTILE[2]: str, HOSTILE[3]: str})


def quick(name: str) -> AlgorithmSpec:
    return spec_of({"name": name, "settings": {"trees": 20}} if name in ("catboost", "rf", "extratrees") else name)


def of_the_lab(data: DataSet, name: str) -> list[str]:
    fitted = build(quick(name), data, seed=0).fit(data.values, data.target)
    return [data.classes[int(item)] for item in np.asarray(fitted.predict(data.values)).ravel()]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # the lab's perceptron stops early too
def test_the_code_of_every_learner_predicts_what_the_lab_predicts(mixed: tuple[Any, DataSet, pd.DataFrame]) -> None:
    """Raw rows of the file, and new ones: without a value, with one never seen, with columns in another order."""
    reference, data, frame = mixed
    assert np.isnan(data.values).any() and data.symbolic.sum() == 2
    new = frame.head(3).copy()
    new.loc[0, HOSTILE[2]], new.loc[1, HOSTILE[2]] = "never seen", None
    for name in [entry.name for entry in catalogue()]:
        model = fitting_code(quick(name), data, source=reference).fit()
        assert model.predict(frame).tolist() == of_the_lab(data, name), name
        predict = model.predict(new[new.columns[::-1]])
        assert predict.tolist() == model.predict(pl.from_pandas(new)).tolist() and set(predict) <= set(data.classes), (
            name
        )
        if hasattr(model.pipeline, "predict_proba"):
            shares = model.predict_proba(new)
            assert shares.shape == (3, len(model.classes_)) and np.allclose(shares.sum(axis=1), 1), name


def test_new_rows_without_a_column_are_rejected(mixed: tuple[DataReference, DataSet, pd.DataFrame]) -> None:
    model = fit_learner(mixed[1], "nb")
    with pytest.raises(InputError, match="no column 'size"):
        model.predict(mixed[2].drop(columns=HOSTILE[0]))


def test_data_in_memory_are_where_they_are(mixed: tuple[DataReference, DataSet, pd.DataFrame]) -> None:
    _, data, frame = mixed
    model = fitting_code(spec_of("c45"), data).fit(frame, frame["class"])
    assert model.predict(frame).tolist() == of_the_lab(data, "c45") and model.columns == HOSTILE


def test_settings_searches_seeds_and_drawn_data_are_written_too() -> None:
    settings = {"trees": 7}
    reference = DataReference.of({"source": "builtin:twonorm", "rows": 60, "seed": 3})
    code = fitting_code(spec_of({"algorithm": "rf", "settings": settings}), reference.load(), source=reference, seed=5)
    learner = code.fit().pipeline.named_steps["learn"]
    assert (learner.n_estimators, learner.random_state) == (7, 5)
    tuned = {"tune": {"space": {"C": [0.1, 1.0]}}}
    spec = spec_of({"algorithm": "svl", "name": "mine", "settings": tuned})
    assert fitting_code(spec, reference.load(), source=reference).fit().pipeline.tuned_["settings"]["C"] in (0.1, 1.0)
    path = spec_of({"import": "sklearn.naive_bayes:GaussianNB", "name": "own"})
    assert "GaussianNB" in repr(fitting_code(path, reference.load(), source=reference).fit().pipeline)


def test_numbers_are_predicted_too(mixed: tuple[DataReference, DataSet, pd.DataFrame]) -> None:
    reference = DataReference.of({"source": mixed[0].source, "target": HOSTILE[0], "symbolic": [HOSTILE[3]]})
    data, rows = reference.load(), mixed[2].dropna(subset=[HOSTILE[0]])
    assert data.kind == "number" and data.n_rows == len(rows) < 120  # rows without a number are left out
    for name in ("mean", "ridge", "c45", "xgboost", "catboost"):
        model = fitting_code(quick(name), data, source=reference).fit()
        predict = build(quick(name), data, seed=0).fit(data.values, data.target).predict(data.values)
        assert np.allclose(model.predict(rows), predict), name
