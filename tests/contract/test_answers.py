"""The JSON of every verb on fixed tables is the stored one; `record.py` stores it anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .cases import CASES, CODES, SNAPSHOTS, STORE, answer, differences, pinned, snapshot, words


@pytest.mark.parametrize("name", [name for name in CASES if STORE not in CASES[name]])
def test_the_answer_is_the_stored_one(name: str, here: Path) -> None:
    _check(name, None)


@pytest.mark.parametrize("name", [name for name in CASES if STORE in CASES[name]])
def test_the_answer_from_a_store_is_the_stored_one(name: str, here: Path, store: Path) -> None:
    _check(name, store)


def _check(name: str, store: Path | None) -> None:
    code, out = answer([*words(CASES[name], store), "--json"])
    assert code == CODES.get(name, 0)
    result = differences(snapshot(name), pinned(name, json.loads(out)))
    assert not result, "\n".join(result[:20])


def test_every_snapshot_belongs_to_a_command() -> None:
    assert {path.stem for path in SNAPSHOTS.glob("*.json")} == set(CASES)


def test_a_changed_answer_is_noticed() -> None:
    before = {"rule": "worth", "pairs": [{"a": "x", "pvalue": 0.01}]}
    assert not differences(before, {"rule": "worth", "pairs": [{"a": "x", "pvalue": 0.01 + 1e-12}]})
    assert differences(before, {"rule": "worth", "pairs": [{"a": "x", "pvalue": 0.0101}]})
    assert differences(before, {"rule": "worth", "pairs": []})
    assert differences(before, {"pairs": before["pairs"]})
