"""The lines that fit a learner: they run as they are, and give the model that the lab gives."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tiebreak.datasets import DataSet, load
from tiebreak.datasets.references import DataReference
from tiebreak.lab.algorithms import catalogue
from tiebreak.lab.algorithms.building import build
from tiebreak.lab.algorithms.specs import spec_of
from tiebreak.lab.fitting_code import fitting_code
from tiebreak.lab.python_calls import Imports, laid_out, written
from tiebreak.lab.tasks import AlgorithmSpec

HOSTILE = ["size [m]", "a'b\"c", 'kind\\"""', "{colour}", "n\tm"]
"""Names that would end a text, a line or a comment, were they not written as literals."""


def table(rows: int = 160, seed: int = 0) -> list[list[str]]:
    """Rows of mixed columns with gaps: two numbers, two symbols (one of numbers), a whole number, and the class."""
    rng = np.random.default_rng(seed)
    one, two, whole = rng.normal(size=rows), rng.normal(size=rows), rng.integers(0, 5, rows)
    kind, colour = rng.choice(["red", "gr'een", 'blue "x"'], rows), rng.choice(["1", "2", "3"], rows)
    good = one + (kind == "red") + 0.5 * (colour == "2") + rng.normal(scale=0.4, size=rows)
    label = np.where(good > 0.9, "yes", np.where(good < 0, "no", "it's"))
    out = []
    for i in range(rows):
        row = [f"{one[i]:.4f}", f"{two[i]:.4f}", str(kind[i]), str(colour[i]), str(whole[i]), str(label[i])]
        for place in range(5):
            if rng.random() < 0.08:
                row[place] = str(rng.choice(["", "?", "NA", "NaN"]))
        out.append(row)
    out[7][5] = ""  # a row without a class
    return out


def file_of(folder: Path, names: list[str], *, separator: str = ",", name: str = 'it\'s "odd".csv') -> DataReference:
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=separator)
        writer.writerow([*names, "class"])
        writer.writerows(table())
    return DataReference.of({"source": str(path), "target": "class", "symbolic": [names[3]]})


def executed(code: str, **given: Any) -> dict[str, Any]:
    space: dict[str, Any] = dict(given)
    exec(compile(code, "code", "exec"), space)
    return space


def answers(space: dict[str, Any], rows: Any = None) -> list[str]:
    found = np.asarray(space["model"].predict(space["X"] if rows is None else rows)).ravel()
    return [str(each) for each in found]


def quick(name: str) -> AlgorithmSpec:
    """The learner as it is, but for the one whose thousand trees take longer than all others together."""
    return spec_of({"name": name, "settings": {"trees": 60}} if name == "catboost" else name)


def of_the_lab(data: DataSet, name: str) -> list[str]:
    fitted = build(quick(name), data, seed=0).fit(data.values, data.target)
    return [data.classes[int(each)] for each in np.asarray(fitted.predict(data.values)).ravel()]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> tuple[DataReference, DataSet]:
    reference = file_of(tmp_path_factory.mktemp("mixed"), HOSTILE)
    return reference, reference.load()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # the lab's perceptron stops early too
@pytest.mark.parametrize("name", [entry.name for entry in catalogue()])
def test_the_code_of_every_learner_predicts_what_the_lab_predicts(
    name: str, mixed: tuple[DataReference, DataSet]
) -> None:
    reference, data = mixed
    assert np.isnan(data.values).any() and data.symbolic.sum() == 2
    found = fitting_code(quick(name), data, source=reference)
    assert found.missing == ()
    own, lab = answers(executed(found.text)), of_the_lab(data, name)
    if name == "mlp":  # its sums run in another order on the columns of a frame: the last bits decide some rows
        truth = [data.classes[int(each)] for each in data.target]
        assert np.mean(np.equal(own, truth)) == pytest.approx(np.mean(np.equal(lab, truth)), abs=0.03)
    else:
        assert own == lab


def test_names_are_literals_whatever_they_hold(mixed: tuple[DataReference, DataSet]) -> None:
    reference, data = mixed
    text = fitting_code(spec_of("xgboost"), data, source=reference).text
    assert "symbolic = ['kind\\\\\"\"\"', '{colour}']" in text
    assert executed(text)["X"].columns.tolist() == HOSTILE  # what the library refuses in names, the model replaces


def test_one_object_predicts_raw_new_rows(mixed: tuple[DataReference, DataSet]) -> None:
    """Rows without a value, and with one that was never seen, are rows like others; columns come in any order."""
    reference, data = mixed
    for name in ("rf", "nb", "boost", "xgboost", "lightgbm", "catboost"):
        space = executed(fitting_code(quick(name), data, source=reference).text)
        new = space["frame"][space["columns"]].head(3).reset_index(drop=True)
        new.loc[0, new.columns[2]], new.loc[1, new.columns[2]] = "never seen", None
        found = space["model"].predict(new[space["columns"]])
        assert set(map(str, np.ravel(found))) <= set(data.classes), name
        shares = space["model"].predict_proba(new) if hasattr(space["model"], "predict_proba") else None
        if shares is not None:
            assert np.allclose(np.asarray(shares).sum(axis=1), 1), name
            assert [*map(str, space["model"].classes_)] == list(data.classes), name
        if name in ("xgboost", "lightgbm", "catboost"):
            assert (space["model"].predict(new[new.columns[::-1]]) == found).all()


@pytest.mark.parametrize(
    ("separator", "ending", "change", "told"),
    [
        (";", "csv", lambda text: text.replace(".", ","), "decimal=','"),
        ("\t", "tsv", lambda text: text, "sep='\\t'"),
        (",", "csv", lambda text: text.replace(",", ", "), "skipinitialspace=True"),
        (",", "txt", lambda text: text.replace("red", "r\xf6t"), "encoding='latin-1'"),
    ],
)
def test_files_of_every_kind_are_read_as_the_lab_read_them(
    separator: str, ending: str, change: Any, told: str, tmp_path: Path
) -> None:
    names = ["one", "two", "kind", "colour", "whole"]
    reference = file_of(tmp_path, names, separator=separator, name=f"data.{ending}")
    path = Path(reference.source)
    text = change(path.read_text(encoding="utf-8"))
    path.write_bytes(text.encode("latin-1" if "latin" in told else "utf-8"))
    data = reference.load()
    code = fitting_code(spec_of("c45"), data, source=reference).text
    assert told in code
    assert answers(executed(code)) == of_the_lab(data, "c45")


def test_what_pandas_does_not_read_is_read_by_tiebreak(tmp_path: Path) -> None:
    frame = pd.DataFrame({"size": [0.5, None, 0.1, 0.9] * 10, "kind": ["a", "b", None, "b"] * 10, "y": ["u", "v"] * 20})
    frame.to_parquet(tmp_path / "data.parquet")
    for source in (str(tmp_path / "data.parquet"), "builtin:monks1"):
        reference = DataReference.of(source)
        data = reference.load()
        for name in ("rf", "lightgbm"):
            code = fitting_code(spec_of(name), data, source=reference)
            assert "from tiebreak.datasets import load" in code.text and "tiebreak" in code.packages
            assert answers(executed(code.text)) == of_the_lab(data, name)


def test_data_in_memory_are_where_they_are() -> None:
    data = load("builtin:iris")
    code = fitting_code(spec_of("svr"), data)
    assert "# X: a pandas frame of 'iris' with these columns; y: the classes of its rows" in code.text
    rows = pd.DataFrame(data.values, columns=list(data.attributes))
    space = executed(code.text, X=rows, y=np.array(data.classes)[data.target])
    assert answers(space) == of_the_lab(data, "svr")


def test_a_name_cannot_break_out_of_the_comment() -> None:
    data = DataSet.from_arrays([[0.0], [1.0]] * 5, ["a", "b"] * 5, name="x\nimport os")
    assert "# X: a pandas frame of 'x\\nimport os' with" in fitting_code(spec_of("rf"), data).text


def test_settings_and_searches_are_written_too(mixed: tuple[DataReference, DataSet]) -> None:
    reference, data = mixed
    code = fitting_code(spec_of({"algorithm": "rf", "settings": {"trees": 7}}), data, source=reference, seed=5)
    assert "RandomForestClassifier(n_estimators=7, random_state=5)" in code.text
    tuned = {"tune": {"space": {"C": [0.1, 1.0]}}}
    own = fitting_code(spec_of({"algorithm": "svl", "name": "mine", "settings": tuned}), data, source=reference)
    space = executed(own.text)  # a search of ours has no call: the lab builds it
    assert "build(" in own.text and space["model"].predict(data.values).shape == (data.n_rows,)


def test_numbers_are_predicted_too(mixed: tuple[DataReference, DataSet]) -> None:
    """Learners that differ in what their code holds: nothing before them, a scaled target, frames of boosters."""
    source = {"source": mixed[0].source, "target": HOSTILE[0], "symbolic": [HOSTILE[3]]}
    reference = DataReference.of(source)
    data = reference.load()
    assert data.kind == "number" and data.n_rows < 160  # rows without a number are left out
    for name in ("mean", "ridge", "c45", "xgboost", "catboost"):
        space = executed(fitting_code(quick(name), data, source=reference).text)
        own = build(quick(name), data, seed=0).fit(data.values, data.target).predict(data.values)
        assert np.allclose(space["model"].predict(space["X"]), own), name


def test_a_column_without_any_value_is_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("size,gone,y\n" + "".join(f"{i % 7},,{'ab'[i % 2]}\n" for i in range(40)))
    reference = DataReference.of(str(path))
    data = reference.load()
    for name in ("boost", "rf", "svr", "catboost"):
        assert answers(executed(fitting_code(quick(name), data, source=reference).text)) == of_the_lab(data, name)


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    found = fitting_code(spec_of("rf"), load("builtin:iris"))
    assert found.packages == ("pandas", "scikit-learn") and found.missing == ("pandas",)


def test_calls_are_short_and_lines_are_not_wide() -> None:
    imports = Imports()
    assert written([None, True, 0.5, float("nan"), ("a",), {"b": [1]}, np.float64(2)], imports) == (
        "[None, True, 0.5, np.nan, ('a',), {'b': [1]}, 2.0]"
    )
    assert imports.lines() == ["import numpy as np"]
    lines = laid_out("columns", repr([f"column [{i}], 'x'" for i in range(100)]))
    assert max(map(len, lines)) <= 110 and eval("\n".join(lines).removeprefix("columns = "))[99] == "column [99], 'x'"
