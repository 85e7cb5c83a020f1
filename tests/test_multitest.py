"""MultiTest on decisions alone: shapes, broadcasting, and small graphs whose order can be read off."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tiebreak.errors import InputError
from tiebreak.ordering import multitest

from .every import every


def graph(count: int, *edges: tuple[int, int]) -> np.ndarray:
    """better[i, j] for each (i, j): j is significantly better than i."""
    better = np.zeros((count, count), dtype=bool)
    for i, j in edges:
        better[i, j] = True
    return better


def test_one_algorithm_is_an_order() -> None:
    assert multitest([[False]], [7.0]).tolist() == [0]


def test_nobody_is_costlier_than_itself() -> None:
    assert multitest(np.eye(3, dtype=bool), [2.0, 1.0, 3.0]).tolist() == [1, 0, 2]


def test_without_decisions_cost_orders() -> None:
    assert multitest(np.zeros((4, 4)), [3.0, 1.0, 4.0, 2.0]).tolist() == [1, 3, 0, 2]


def test_decisions_for_the_cheaper_one_move_nothing() -> None:
    """Everybody is worse than the cheapest: it stands first anyway."""
    assert multitest(graph(3, (1, 0), (2, 0), (2, 1)), [1, 2, 3]).tolist() == [0, 1, 2]


def test_a_decision_for_the_costliest_moves_it_before_whom_it_beats_alone() -> None:
    """2 is better than 0, not than 1: 0 waits for it, so 1 comes first, then 2, then 0."""
    assert multitest(graph(3, (0, 2)), [1, 2, 3]).tolist() == [1, 2, 0]
    assert multitest(graph(3, (1, 2)), [1, 2, 3]).tolist() == [0, 2, 1]
    assert multitest(graph(3, (0, 2), (1, 2)), [1, 2, 3]).tolist() == [2, 0, 1]


def test_a_chain_turns_round() -> None:
    """Each is beaten by the next costlier one: the costliest first, the cheapest last."""
    chain = [(i, i + 1) for i in range(5)]
    assert multitest(graph(6, *chain), range(6)).tolist() == [5, 4, 3, 2, 1, 0]


def test_one_waits_until_all_that_beat_it_are_placed() -> None:
    """0 waits for 1 and 3; when 1 is placed it still waits, so 2 goes before it, and then 3."""
    assert multitest(graph(4, (0, 1), (0, 3)), [1, 2, 3, 4]).tolist() == [1, 2, 3, 0]


def test_costs_count_by_their_order_alone() -> None:
    better = graph(4, (0, 2), (3, 1), (1, 0))
    for costs in itertools.permutations([1.0, 2.0, 3.0, 4.0]):
        places = multitest(better, costs)
        assert multitest(better, np.array(costs) * 1e9 - 5).tolist() == places.tolist()
        assert multitest(better, np.exp(costs)).tolist() == places.tolist()


def test_many_graphs_meet_one_prior_and_many_priors_one_graph() -> None:
    graphs = np.array([graph(3), graph(3, (0, 2)), graph(3, (1, 2))])
    result = multitest(graphs, [1, 2, 3])
    assert result.tolist() == [[0, 1, 2], [1, 2, 0], [0, 2, 1]]
    priors = [[1, 2, 3], [3, 2, 1]]
    assert multitest(graph(3, (0, 2)), priors).tolist() == [[1, 2, 0], [2, 1, 0]]
    both = multitest(graphs[1:], priors)
    assert both.tolist() == [[1, 2, 0], [2, 1, 0]]


def test_leading_axes_keep_their_shape() -> None:
    graphs = np.zeros((2, 5, 3, 3), dtype=bool)
    graphs[1, 4] = graph(3, (0, 2))
    result = multitest(graphs, [1, 2, 3])
    assert result.shape == (2, 5, 3)
    assert result[1, 4].tolist() == [1, 2, 0] and result[0, 0].tolist() == [0, 1, 2]


@every(
    ("better", "prior"),
    [
        ([[False]], 3.0),  # a prior that is no vector
        (np.zeros((0, 0)), []),
        (np.zeros((2, 2)), [1.0, 1.0]),
        (np.zeros((2, 2)), [1.0, float("nan")]),
        (np.zeros((3, 2)), [1.0, 2.0]),
        (np.zeros((2, 3)), [1.0, 2.0]),
        (np.zeros(2), [1.0, 2.0]),
        (np.zeros((3, 3)), [[1.0, 2.0, 3.0], [1.0, 2.0, 2.0]]),  # one row of two has a tie
    ],
)
def test_what_multitest_refuses(better: object, prior: object) -> None:
    with pytest.raises(InputError, match="or the prior has ties"):
        multitest(better, prior)  # type: ignore[arg-type]
