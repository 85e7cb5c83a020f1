"""What questions about one base share is worked out once, and changes no digit of an answer."""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

from tiebreak.advisor import Advisor, Knowledge, cache, shipped_knowledge, worth as recipes
from tiebreak.advisor.rankings.portfolios import Portfolios, _first, filled


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Forget what this process holds."""
    forget(monkeypatch)
    return monkeypatch


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_HELD", OrderedDict())


def base() -> Knowledge:
    known = shipped_knowledge()
    return known.only(datasets=known.datasets[:24], algorithms=known.algorithms[:6])


def answer(known: Knowledge, **options: Any) -> str:
    return json.dumps(Advisor(known).recommend_known(known.datasets[0], **options).to_dict())


def test_the_exchange_asked_for_before_changes_no_digit(forgotten: pytest.MonkeyPatch) -> None:
    known = base()
    options = [{"accd": 0.05, "budget": "10min"}, {"accd": 0.01, "budget": "1min"}, {"budget": "1h"}]
    alone = []
    for item in options:
        forget(forgotten)
        alone.append(answer(known, **item))
    forget(forgotten)
    assert [answer(known, **entry) for entry in options] == alone
    assert [answer(known, **entry) for entry in reversed(options)] == alone[::-1]


def test_a_new_exchange_measures_no_distances_anew(forgotten: pytest.MonkeyPatch) -> None:
    calls, real = [], recipes.distance_table

    def counted(*args: Any, **options: Any) -> Any:
        calls.append(1)
        return real(*args, **options)

    forgotten.setattr(recipes, "distance_table", counted)
    known = base()
    answer(known)
    count = len(calls)
    assert count
    for exchange in (0.01, 0.05):
        answer(known, accd=exchange)
    assert len(calls) == count


def test_another_base_is_another_question(forgotten: pytest.MonkeyPatch) -> None:
    known = base()
    other = known.without(datasets=[known.datasets[-1]])
    first = answer(other, accd=0.05)
    forget(forgotten)
    answer(known, accd=0.05)
    assert answer(other, accd=0.05) == first


def test_what_is_held_has_an_end_and_cannot_be_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_HELD", OrderedDict())
    monkeypatch.setattr(cache, "MOST_BYTES", 4000)
    for number in range(5):
        result = cache.held((number,), lambda: np.zeros(100))
        assert not result.flags.writeable
    assert list(cache._HELD) == [(0,), (1,), (2,), (3,), (4,)]
    cache.held((0,), lambda: np.ones(100))
    cache.held((5,), lambda: np.zeros(100))
    assert list(cache._HELD) == [(2,), (3,), (4,), (0,), (5,)]
    large = cache.held(("large",), lambda: np.zeros(200))
    assert large.flags.writeable and ("large",) not in cache._HELD


@pytest.mark.parametrize("logarithm", [False, True])
def test_several_tables_are_filled_as_each_is(logarithm: bool) -> None:
    rng = np.random.default_rng(3)
    tables = rng.uniform(0.1, 5.0, (4, 9, 5))
    tables[rng.uniform(size=tables.shape) < 0.2] = np.nan
    tables[2, 4] = np.nan
    np.testing.assert_array_equal(
        filled(tables, logarithm=logarithm), [filled(table, logarithm=logarithm) for table in tables]
    )


def test_portfolios_on_several_tables_are_those_on_each() -> None:
    rng = np.random.default_rng(5)
    tables = rng.uniform(0.5, 0.9, (3, 12, 6))
    weights = rng.uniform(0.1, 1.0, (20, 12)) * (rng.uniform(size=(20, 12)) < 0.5)
    which = rng.integers(0, 3, 20)
    scores = Portfolios(success=tables).scores(weights, table=which)
    for row, place in enumerate(which.tolist()):
        np.testing.assert_array_equal(scores[[row]], Portfolios(success=tables[place]).scores(weights[[row]]))


def test_the_first_is_that_of_a_sort_by_all_keys() -> None:
    rng = np.random.default_rng(7)
    value, mean = rng.integers(0, 3, (200, 6)) / 2, rng.integers(0, 2, (200, 6)) / 2
    value[rng.uniform(size=value.shape) < 0.3] = -np.inf
    gone = rng.uniform(size=value.shape) < 0.3
    gone[gone.all(axis=1), 0] = False
    columns = np.broadcast_to(np.arange(6), value.shape)
    np.testing.assert_array_equal(_first(value, mean, gone), np.lexsort((columns, -mean, -value, gone), axis=1)[:, 0])
