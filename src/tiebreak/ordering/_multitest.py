"""MultiTest: a total order in which the cheaper comes first unless a costlier one is significantly better."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, IntArray, as_floats
from tiebreak.errors import InputError


def multitest(better: npt.ArrayLike, prior: npt.ArrayLike) -> IntArray:
    """Order algorithms by tests where they decide and by prior cost where they do not.

    Hypothesis: none of its own; it reads the decisions of tests of all pairs.

    Formula: for i cheaper than j draw the edge i -> j where j is significantly better. Repeat: among the nodes without
    an outgoing edge take the cheapest, output it, delete it and its edges. Edges lead from cheap to costly, so there
    is always such a node.

    Assumptions: the prior has no ties. Decisions need not be transitive.
    When not to use it: where cost does not matter; then compare, and leave ties as ties.

    Parameters
    ----------
    better : array_like of bool, shape (..., algorithms, algorithms)
        better[..., i, j]: whether j is significantly better than i. Only pairs with j costlier than i are read.
    prior : array_like, shape (..., algorithms)
        Costs or places; lower is preferred. All different within a row.

    Returns
    -------
    ndarray of int, shape (..., algorithms)
        Indices of the algorithms from best to worst.

    References
    ----------
    yildiz2006

    Examples
    --------
    B is better than A and C, D is better than C, and A is the cheapest:

    >>> better = np.zeros((4, 4), dtype=bool)
    >>> better[0, 1] = better[2, 1] = better[2, 3] = True
    >>> ["ABCD"[i] for i in multitest(better, [1, 2, 3, 4])]
    ['B', 'A', 'D', 'C']
    """
    costs = as_floats(prior, what="prior")
    edges = np.asarray(better, dtype=bool)
    count = costs.shape[-1] if costs.ndim else 0
    tied = count == 0 or not (np.diff(np.sort(costs, axis=-1), axis=-1) > 0).all()  # NaN compares as a tie
    if edges.shape[-2:] != (count, count) or tied:
        raise InputError(
            f"better has shape {edges.shape} and prior has shape {costs.shape}, or the prior has ties.",
            why="Every algorithm needs a place of its own in the prior, and a decision against every other.",
            mend="Pass better[..., i, j] and one distinct cost per algorithm.",
        )
    edges, costs = np.broadcast_arrays(edges, costs[..., None])
    costs = costs[..., 0]
    flat = edges.reshape(-1, count, count), costs.reshape(-1, count)
    return order_rows(*flat).reshape(costs.shape)


def order_rows(better: BoolArray, costs: npt.NDArray[np.float64] | IntArray) -> IntArray:
    """Order every row at once: O(algorithms^2) steps per row, none of them in Python per row."""
    rows, count = costs.shape
    edges = better & (costs[:, None, :] > costs[:, :, None])  # Yildiz and Alpaydin 2006: a test counts against cost
    waiting = edges.sum(axis=2, dtype=np.int64)  # how many better, costlier ones are still to be placed
    by_cost = np.argsort(costs, axis=1, kind="stable")
    waiting_by_cost = np.take_along_axis(waiting, by_cost, axis=1)
    edges_by_cost = np.take_along_axis(np.take_along_axis(edges, by_cost[:, :, None], 1), by_cost[:, None, :], 2)
    into = np.ascontiguousarray(edges_by_cost.transpose(0, 2, 1))  # into[row, j]: who waits for j
    order = np.empty((rows, count), dtype=np.int64)
    every = np.arange(rows)
    for place in range(count):
        chosen = np.argmax(waiting_by_cost == 0, axis=1)  # the cheapest that waits for nobody
        order[:, place] = chosen
        waiting_by_cost -= into[every, chosen]
        waiting_by_cost[every, chosen] = -1
    return np.take_along_axis(by_cost, order, axis=1)


def places_of(order: IntArray) -> IntArray:
    """Turn orders into places: places[..., i] is where algorithm i stands, 1 the first."""
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.broadcast_to(np.arange(1, order.shape[-1] + 1), order.shape), axis=-1)
    return places
