"""Judgements that are kept: found again by another process, never for another question, base or program."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tiebreak.advisor import Knowledge, cache, judging
from tiebreak.advisor.judging import judge_recipes
from tiebreak.results import Results


def base(seed: int = 0) -> Knowledge:
    rates = 0.7 + np.random.default_rng(seed).normal(0, 0.02, (12, 4))
    return Knowledge.from_results(Results.from_array(rates, score="accuracy", algorithms=list("abcd")))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep files in a folder of the test, and forget what this process knows."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kept"))
    monkeypatch.setattr(cache, "_HERE", {})
    return tmp_path / "kept"


def another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_HERE", {})


def count_work(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count how often the losses are worked out."""
    calls: list[int] = []
    real = judging.orders_left_out

    def counted(*args: object) -> object:
        calls.append(1)
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(judging, "orders_left_out", counted)
    return calls


def test_the_next_process_finds_what_was_worked_out(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_work(monkeypatch)
    first = judge_recipes(base())
    again = judge_recipes(base())
    another_process(monkeypatch)
    other = judge_recipes(base())
    assert len(calls) == 1
    assert len(list(place.glob("*.npz"))) == 1
    assert not list(place.glob("*.part"))
    for each in (again, other):
        assert each.to_dict() == first.to_dict()
        np.testing.assert_array_equal(each.loss, first.loss)


def test_another_base_question_or_program_is_judged_anew(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_work(monkeypatch)
    judge_recipes(base())
    judge_recipes(base(1))
    judge_recipes(base(), most=2)
    judge_recipes(base(), seed=1)
    assert len(calls) == 4
    monkeypatch.setattr(cache, "_program", lambda: "a later version")
    judge_recipes(base())
    assert len(calls) == 5


@pytest.mark.parametrize("damage", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_a_damaged_file_counts_as_none(place: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes) -> None:
    calls = count_work(monkeypatch)
    first = judge_recipes(base())
    next(place.glob("*.npz")).write_bytes(damage)
    another_process(monkeypatch)
    assert judge_recipes(base()).to_dict() == first.to_dict()
    assert len(calls) == 2


def test_arrays_of_objects_are_not_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_work(monkeypatch)
    judge_recipes(base())
    np.savez(next(place.glob("*.npz")), loss=np.array([{}], dtype=object))
    another_process(monkeypatch)
    judge_recipes(base())
    assert len(calls) == 2


def test_a_file_of_other_arrays_counts_as_none(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_work(monkeypatch)
    first = judge_recipes(base())
    path = next(place.glob("*.npz"))
    with np.load(path) as opened:
        arrays = dict(opened)
    for wrong in ({**arrays, "more": np.zeros(1)}, {**arrays, "loss": arrays["loss"][:, :3]}):
        np.savez(path, **wrong)
        another_process(monkeypatch)
        assert judge_recipes(base()).to_dict() == first.to_dict()
    assert len(calls) == 3


def test_nothing_is_written_where_it_is_switched_off_or_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_HERE", {})
    monkeypatch.setenv(cache.VARIABLE, "off")
    assert cache.folder() is None
    assert judge_recipes(base()).chosen == 0
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file"))
    another_process(monkeypatch)
    assert judge_recipes(base()).chosen == 0
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_the_oldest_files_go(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_KEPT", 2)
    for seed in range(2):
        judge_recipes(base(seed))
        for age, each in enumerate(sorted(place.glob("*.npz"), key=lambda file: file.stat().st_mtime)):
            os.utime(each, (1000 + age, 1000 + age))
    old = min(place.glob("*.npz"), key=lambda file: file.stat().st_mtime)
    judge_recipes(base(2))
    assert len(list(place.glob("*.npz"))) == 2
    assert not old.exists()
