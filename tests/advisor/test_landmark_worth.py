"""Landmarkers as an option: what they cost is measured and said, and what they are worth on data left out."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tiebreak.advisor import Advisor, Knowledge, landmark_worth, shipped_knowledge
from tiebreak.advisor.worth import Recipe
from tiebreak.cli import main
from tiebreak.datasets import load
from tiebreak.results import Results


def base_where_landmarkers_tell() -> Knowledge:
    """x is better where the stump does well, y elsewhere; the rows tell nothing."""
    rng = np.random.default_rng(0)
    scores, meta = {}, {}
    for place in range(12):
        good = place % 2 == 0
        name = f"d{place}"
        scores[name] = {"x": 0.9 if good else 0.6, "y": 0.6 if good else 0.9, "z": 0.7, "w": 0.7}
        meta[name] = {"n_examples": float(rng.integers(50, 500)), "landmark_stump": 0.9 if good else 0.2}
    return Knowledge.from_results(Results.from_dict(scores, scores="accuracy"), meta)


def test_landmarkers_that_tell_all_leave_no_loss() -> None:
    recipe = Recipe(method="mean-rank", neighbours=3, measures=("landmark_stump",))
    found = landmark_worth(base_where_landmarkers_tell(), recipe=recipe)
    assert found is not None
    (first, three), (plain, _) = found.means()
    assert first == three == 0.0 and plain > 0.05
    assert found.measures == ("landmark_stump",) and found.others == ("n_examples",)
    assert [row["first"] for row in found.rows()] == [first, plain]


def test_losses_by_hand() -> None:
    scores = {"a": {"x": 0.9, "y": 0.5, "z": 0.4, "w": 0.8}, "b": {"x": 0.5, "y": 0.9, "z": 0.4, "w": 0.8}}
    scores |= {"c": {"x": 0.5, "y": 0.6, "z": 0.9, "w": 0.4}}
    meta = {name: {"n_examples": n, "landmark_stump": s} for name, n, s in (("a", 1, 0), ("b", 2, 9), ("c", 9, 8))}
    known = Knowledge.from_results(Results.from_dict(scores, scores="accuracy"), meta)
    recipe = Recipe(method="mean-rank", neighbours=1, measures=("n_examples", "landmark_stump"))
    found = landmark_worth(known, recipe=recipe)
    assert found is not None
    # without: a learns from b (y first: 0.4 lost; y, w, x: none), b from a (x: 0.4; x, w, y: none), c from b (y: 0.3)
    assert found.without_them.tolist() == pytest.approx(np.array([[0.4, 0.0], [0.4, 0.0], [0.3, 0.3]]))
    # with: b is nearer to c, whose order is z, y, x
    assert found.with_them[1].tolist() == pytest.approx([0.5, 0.0])


def test_nothing_is_said_without_landmarkers_or_with_two_origins() -> None:
    base = base_where_landmarkers_tell()
    assert landmark_worth(base, recipe=Recipe(method="srr", measures=("n_examples",))) is None
    assert landmark_worth(base.only(datasets=["d1", "d2"])) is None


@pytest.mark.parametrize("kind", ["classes", "number"])
def test_what_landmarkers_cost_is_counted_and_printed(kind: str) -> None:
    data = load("builtin:iris") if kind == "classes" else load("sklearn:diabetes")
    found = Advisor().recommend(data, measures=["landmarkers"], exclude=["iris"] if kind == "classes" else [])
    spent = dict(found.spent_on)
    assert spent["landmarkers"] > 0 and found.spent_seconds == pytest.approx(sum(spent.values()))
    assert found.landmarkers is not None
    unit = "accuracy" if kind == "classes" else "relative_rmse"
    assert found.landmarkers.unit == unit
    line = next(text for text in str(found).splitlines() if text.startswith("Landmarkers took"))
    assert f"{unit} with them and" in line and " s. On known data left out" in line
    text = found.to_dict()
    assert (
        text["timing"]["describing"] == found.spent_seconds
        and text["timing"]["groups"]["landmarkers"] == spent["landmarkers"]
    )
    assert set(text["landmarkers"]) >= {"with", "without", "unit", "origins"}


def test_nobody_pays_for_landmarkers_who_did_not_ask() -> None:
    found = Advisor().recommend(load("builtin:iris"), exclude=["iris"])
    assert "landmarkers" not in dict(found.spent_on) and found.landmarkers is None
    assert "Landmarkers took" not in str(found)
    assert Advisor().recommend_known("iris").spent_seconds == 0.0  # known measures cost nothing


def test_the_command_line_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["recommend", "builtin:iris", "--exclude", "iris", "--measures", "n_examples,landmarkers", "--pilot", "0"])
        == 0
    )
    assert "Landmarkers took" in capsys.readouterr().out
    assert (
        main(["recommend", "builtin:iris", "--exclude", "iris", "--measures", "landmarkers", "--pilot", "0", "--json"])
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert (
        found["landmarkers"]["unit"] == "accuracy"
        and found["timing"]["groups"]["landmarkers"] <= found["timing"]["describing"]
    )


def test_the_comparison_is_that_of_the_base_alone() -> None:
    base = shipped_knowledge()
    one, two = (landmark_worth(base) for _ in range(2))
    assert one is not None and two is not None
    assert one.means() == two.means()
    origins = len(set(base.origins))
    title = f"Loss of accuracy with and without landmarkers on {origins} origins left out (portfolio, 5 neighbours)"
    assert str(one).startswith(title)
