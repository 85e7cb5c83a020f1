"""The positive class, and answers that are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tiebreak.lab as lab
from tiebreak.datasets import DataSet, from_frame, load
from tiebreak.datasets.dataset import with_positive
from tiebreak.errors import InputError, OptionError
from tiebreak.lab.algorithms.specs import spec_of
from tiebreak.lab.one_cell import measure_cell
from tiebreak.lab.plans import Plan
from tiebreak.lab.splits import Split, split
from tiebreak.readers import read_store


def three_classes() -> DataSet:
    frame = pd.DataFrame({"kind": ["cat", "dog", "eel"] * 4, "size": range(12), "class": ["a", "b", "c"] * 4})
    return from_frame(frame, name="pets", target="class")


def test_the_positive_class_of_a_plan_is_the_one_of_its_measures(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    size = rng.normal(size=90)
    frame = pd.DataFrame({"size": size, "kind": np.where(size + rng.normal(size=90) > 1, "ill", "well")})
    frame.to_csv(tmp_path / "people.csv", index=False)
    file = str(tmp_path / "people.csv")
    result = {}
    for positive in ("ill", "well"):
        data = load({"source": file, "positive": positive})
        assert data.classes[-1] == positive
        plan = Plan.of(datasets=[{"source": file, "positive": positive}], algorithms=["nb"], resampling="1x2cv")
        lab.run(plan, store=tmp_path / f"{positive}.db", jobs=1)
        result[positive] = read_store(tmp_path / f"{positive}.db", scores=["precision", "auc"])
    notes = {key: [str(n) for n in item.caveats if n.code == "read-as"] for key, item in result.items()}
    assert "for the class 'ill', the positive one of the data set" in notes["ill"][0]
    assert "for the class 'well', the last by name" in notes["well"][0]
    with pytest.raises(OptionError, match="has 3 classes and the positive class 'a'"):
        with_positive(three_classes(), "a")


class Answers:
    """A learner whose answers are what it is told."""

    def __init__(self, answers: Any = None) -> None:
        self.answers = answers

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        return {"answers": self.answers}

    def set_params(self, **options: Any) -> Answers:
        self.answers = options["answers"]
        return self

    def fit(self, X: Any, y: Any) -> Answers:  # noqa: ARG002
        return self

    def predict(self, X: Any) -> Any:
        return self.answers(len(X))


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (lambda n: np.array([pd.NA] * n, dtype=object), "predicted '<NA>'"),
        (lambda n: np.array([None] * n, dtype=object), "predicted 'None'"),
        (lambda n: np.full(n, np.nan), "predicted 'nan'"),
        (lambda n: np.array(["a"] * n, dtype=object), "predicted 'a'"),
        (lambda n: np.zeros((n, 2)), r"predicted an array of shape \(\d+, 2\)"),
        (lambda n: np.zeros(n - 1), "predicted an array of shape"),
        (lambda n: np.full(n, 0.5), "predicted '0.5'"),
    ],
)
def test_answers_that_are_none_are_refused(answers: Any, words: str) -> None:
    data = DataSet.from_arrays([[float(i % 7)] for i in range(60)], [i % 2 for i in range(60)])
    fold = split(data, Plan.of(datasets=[data], algorithms=["nb"]).resampling, seed=0).folds[0]
    spec = spec_of({"object": Answers(answers), "settings": {"encode": False}})
    with pytest.raises(InputError, match=words):
        measure_cell(data, Split(folds=(fold,), test=np.arange(0)), fold, spec, seed=1)
