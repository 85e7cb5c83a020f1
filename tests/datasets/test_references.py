"""References as a plan writes them: parsing, expanding, loading, travelling."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from tiebreak.datasets import load
from tiebreak.datasets.references import DataReference, suite_names
from tiebreak.errors import OptionError

from ..every import every


def test_a_file_with_options(tmp_path: Path) -> None:
    path = tmp_path / "pets.csv"
    path.write_text("kind,code,x\na,1,5\nb,2,6\n")
    data = load(path, target="kind", symbolic=["code"], name="p", drop=["x"])
    assert repr(data) == "DataSet('p', 2 rows, 0 numeric and 1 symbolic attributes, 2 classes)"
    assert load({"source": str(path), "target": "kind"}).attributes == ("code", "x")


def test_a_folder_expands_to_its_files(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.csv").write_text("x,y\n1,p\n2,q\n")
    parts = DataReference.of({"source": f"{tmp_path}/", "target": "y"}).expand()
    assert [part.load().name for part in parts] == ["a", "b"]
    assert {part.target for part in parts} == {"y"}
    with pytest.raises(OptionError, match="stands for 2 data sets and has the name 'n'"):
        DataReference(source=str(tmp_path), name="n").expand()
    with pytest.raises(OptionError, match="stands for several data sets"):
        load(tmp_path)


def test_references_travel() -> None:
    reference = DataReference.of({"source": "pets.csv", "symbolic": ["a", "b"], "drop": ["c"], "rows": 5})
    data = json.loads(json.dumps(reference.as_dict()))
    assert data == {"source": "pets.csv", "symbolic": ["a", "b"], "drop": ["c"], "rows": 5}
    assert DataReference.of(data) == pickle.loads(pickle.dumps(reference)) == reference
    assert hash(DataReference.of(data)) == hash(reference)
    assert DataReference.of(reference) is reference


def test_the_suite_expands_by_name() -> None:
    parts = DataReference.of("builtin:*").expand()
    assert [part.source for part in parts] == [f"builtin:{name}" for name in suite_names()]
    assert DataReference.of("builtin:led").expand() == [DataReference(source="builtin:led")]
    assert len(DataReference.of("sklearn:*").expand()) == 4


def test_drawn_sets_take_rows_and_a_seed_and_say_so_in_their_name() -> None:
    assert load("builtin:led").n_rows == 2000
    assert load("builtin:led", rows=300, seed=4).name == "led-300-seed4"
    assert load("builtin:led", name="mine").name == "mine"


@every(
    ("item", "message"),
    [
        (
            "iris",
            "There is no data set 'iris'. It is no file and no folder, and does not begin with builtin:, "
            "sklearn:, "
            "openml: or openml-suite:. Did you mean 'builtin:iris'?",
        ),
        (
            "builtin:monk1",
            "There is no data set in 'builtin' 'monk1'. Known here: 'iris', 'wine', 'breast_cancer', "
            "'digits', 'monks1', 'monks2', 'monks3', 'balance' and 10 more. Did you mean 'monks1'?",
        ),
        ("openml:iris", "'openml:iris' has no number. Write 'openml:61'."),
        (
            {"source": "builtin:led", "target": "y"},
            "'builtin:led' takes no option target, which is 'y'. Leave it out.",
        ),
        (
            {"source": "builtin:monks1", "rows": 10},
            "'builtin:monks1' takes no option rows, which is 10. Leave it out.",
        ),
        (
            {"source": "x.csv", "tarjet": "y"},
            "There is no option of a data set 'tarjet'. Known here: 'source', "
            "'target', "
            "'name', 'symbolic', 'groups', 'drop', 'rows', 'seed' and 4 more. Did you mean 'target'?",
        ),
        (
            {"target": "y"},
            "{'target': 'y'} names no data set. Write 'builtin:iris', 'data.csv' or {source ="
            " 'data.csv', target = 'kind'}.",
        ),
        (
            {"source": "x.csv", "symbolic": "a"},
            "symbolic is the text 'a'. Use symbolic=['a'].",
        ),
        (
            {"source": "x.csv", "drop": 5},
            "drop is 5. Use drop=['NAME', ...].",
        ),
        ({"source": 5}, "The source of a data set is 5. Write it in quotes."),
        (
            {"source": "builtin:led", "name": ["a"]},
            "The name of a data set is ['a']. Write it in quotes.",
        ),
        *(
            (
                {"source": "builtin:led", "seed": seed},
                f"The seed of a data set is {seed!r}. It must be a whole number from 0 to 2^63 - 1. "
                "Use 1, for instance.",
            )
            for seed in ("x", -1, 1.5, True)
        ),
    ],
)
def test_refusals(item: object, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        DataReference.of(item).load()  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_an_unknown_bundled_set() -> None:
    with pytest.raises(OptionError, match="There is no data set in 'sklearn' 'monks1'"):
        load("sklearn:monks1")
