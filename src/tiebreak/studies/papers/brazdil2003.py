"""Brazdil, Soares and Costa (2003), rankings by accuracy and time with meta-learning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise, permutations
from math import log10
from typing import Any

import numpy as np
from scipy.special import chdtri, ndtri

from tiebreak._checks import FloatArray
from tiebreak.advisor.agreement import compare_rankers, rank_penalty, spearman
from tiebreak.advisor.neighbours import nearest
from tiebreak.advisor.rankings import rank_by_arr
from tiebreak.studies.advisor_evaluation import evaluate_advisor
from tiebreak.studies.papers.ledger import printed

SETTINGS = ("0.1%", "1%", "10%")
TABLE_VI = ((0.357, -0.171, 0.630), (0.314, -0.086, 0.577), (0.301, -0.214, 0.552), (0.295, -0.401, 0.218))
BLOCKS = 530


def _table_vi(*, tied: bool = False) -> FloatArray:
    """Blocks by methods; `tied` with the ties that section 5 supposes."""
    values = np.array(TABLE_VI).T.copy()
    if tied:
        values[0, 1:] = 0.314
        values[1, 2:] = -0.401
    return values


def _friedman() -> dict[str, float]:
    comparison = compare_rankers(_table_vi())
    return {"S": float(comparison.spread), "M": float(comparison.m)}


def _friedman_tied() -> dict[str, float]:
    comparison = compare_rankers(_table_vi(tied=True))
    return {"M": float(comparison.m), "corrected M": float(comparison.m_corrected)}


def _exact_critical() -> dict[str, float]:
    """The smallest M with P(M or more) of 0.05 at most, over all ranks of four methods on three data sets."""
    rows = np.array(list(permutations(range(1, 5))))
    second, third = np.meshgrid(np.arange(24), np.arange(24))
    sums = rows[0] + rows[second.ravel()] + rows[third.ravel()]
    m = np.round(12 * 3 / 20 * ((sums / 3 - 2.5) ** 2).sum(axis=1), 9)
    return {"M": float(min(value for value in set(m.tolist()) if (m >= value).mean() <= 0.05))}


def _dunn() -> dict[str, float]:
    comparison = compare_rankers(_table_vi())
    return {"T12": float(comparison.t[0, 1]), "T14": float(comparison.t[0, 3]), "sd": (3 * 4 * 5 / 6) ** 0.5}


def _dunn_critical(k: int) -> float:
    return float(-ndtri(0.25 / (k * (k - 1))))


def _spearman_critical() -> dict[str, float]:
    """The largest squared distance of two random rankings of ten whose share below is 5 per cent at most."""
    rng = np.random.default_rng(0)
    squares = ((rng.permuted(np.tile(np.arange(10), (400_000, 1)), axis=1) - np.arange(10)) ** 2).sum(axis=1)
    limit = max(d for d in range(0, 330, 2) if (squares <= d).mean() <= 0.05)
    return {"r": 1 - 6 * limit / 990}


def _arr(sr: tuple[float, float], t: tuple[float, float], accd: float) -> float:
    return (sr[0] / sr[1]) / (1 + accd * log10(t[0] / t[1]))


def _reciprocal() -> dict[str, bool]:
    """Does ARR(p, q) times ARR(q, p) give 1?"""
    product = _arr((0.9, 0.8), (10.0, 1.0), 0.1) * _arr((0.8, 0.9), (1.0, 10.0), 0.1)
    return {"ARR(p, q) = 1 / ARR(q, p)": abs(product - 1) < 1e-9}


@cache
def _made_up() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(1)
    return rng.uniform(0.6, 0.99, (7, 5)), 10 ** rng.uniform(-1, 2, (7, 5))


def _our_arr() -> list[float]:
    ranking = rank_by_arr(*_made_up(), accd=0.01)
    return [float(value) for value in ranking.scores]


def _mean_ranks() -> dict[str, list[float]]:
    """Mean ranks of 1-NN, 5-NN and all data in Table VII."""
    return {name: values[:3] for name, values in printed("brazdil2003/table-7").items()}


def _m_from_ranks() -> dict[str, float]:
    """M of Table VII from its own mean ranks."""
    return {name: BLOCKS * sum((rank - 2) ** 2 for rank in ranks) for name, ranks in _mean_ranks().items()}


def _m_from_t() -> dict[str, float]:
    """M of Table VII from the T of Table VIII: two thirds of the sum of their squares, with three methods."""
    return {name: 2 / 3 * sum(t**2 for t in values) for name, values in printed("brazdil2003/table-8").items()}


def _t_from_ranks() -> dict[str, list[float]]:
    """T of Table VIII from the mean ranks of Table VII: 1-NN over ARR, 5-NN over ARR, 1-NN over 5-NN."""
    unit = BLOCKS / (BLOCKS * 3 * 4 / 6) ** 0.5
    return {
        name: [unit * (all_ - one), unit * (all_ - five), unit * (five - one)]
        for name, (one, five, all_) in _mean_ranks().items()
    }


def _decisions() -> dict[str, str]:
    names = ("1-NN > ARR", "5-NN > ARR", "1-NN > 5-NN")
    return {
        key: ", ".join(name for name, value in zip(names, values, strict=True) if value >= 1.73)
        for key, values in printed("brazdil2003/table-8").items()
    }


def _falls(table: str) -> bool:
    values = [float(part.split()[1]) for part in table.split(", ")]
    return all(a >= b for a, b in pairwise(values))


def _faster() -> dict[str, str]:
    """Which way four algorithms move in Table I as time counts more."""
    places = {
        key: [part.split()[0] for part in values.split(", ")] for key, values in printed("brazdil2003/table-1").items()
    }
    return {
        name: "rises" if places["10%"].index(name) < places["0.1%"].index(name) else "falls"
        for name in ("Ltree", "LD", "boosted", "RIPPER")
    }


@cache
def _evaluation() -> dict[str, Any]:
    result: dict[str, Any] = evaluate_advisor(methods=["arr"], accds=[0.001, 0.01, 0.1]).to_dict()
    return result


def _agreement() -> dict[str, list[float]]:
    """Mean correlation on our base: 1 neighbour, 5 neighbours, all data."""
    return {
        name: [float(row["mean spearman"]) for row in run["agreement"][:3]]
        for name, run in zip(SETTINGS, _evaluation()["runs"], strict=True)
    }


def _helps() -> dict[str, bool]:
    return {
        f"{k}-NN, {name}": values[i] > values[2] for name, values in _agreement().items() for i, k in enumerate((1, 5))
    }


def _advantage() -> dict[str, bool]:
    """Does what neighbours add grow as time counts less? From Table V."""
    return {
        name: all(a > b for a, b in pairwise(row[column] - row[6] for row in printed("brazdil2003/table-5").values()))
        for name, column in (("1-NN", 0), ("5-NN", 3))
    }


def _added_signs() -> dict[str, list[int]]:
    """Data sets better and worse than by all data, added up, from Table V."""
    rows = printed("brazdil2003/table-5").values()
    return {"1-NN": [row[1] + row[2] for row in rows], "5-NN": [row[4] + row[5] for row in rows]}


def _significant() -> dict[str, bool]:
    """Is each M of Table VII above the critical value?"""
    return {name: bool(values[3] >= chdtri(2, 0.01)) for name, values in printed("brazdil2003/table-7").items()}


def _loses_more() -> dict[str, bool]:
    """By five neighbours and AccD 0.1%: do the first one, two and three lose more than the single best?"""
    rows = _evaluation()["runs"][0]["top_n"]
    lost = {(row["method"], row["n"]): float(row["mean loss"]) for row in rows}
    single = lost["single best on average", 1]
    return {name: lost["5 neighbours", n] > single for n, name in enumerate(("first", "top 2", "top 3"), 1)}


def _our_distance() -> dict[str, float]:
    """Three data sets with two measures, the second not there on the query and on one of them."""
    base = {
        "a": {"n_examples": 100.0, "prop_outliers": float("nan")},
        "b": {"n_examples": 300.0, "prop_outliers": 0.5},
    }
    query = {"n_examples": 200.0, "prop_outliers": float("nan")}
    neighbours = nearest(query, base, measures=("n_examples", "prop_outliers"), k=None, scaling="plain")
    return dict(zip(neighbours.names, map(float, neighbours.distance), strict=True))


def _table_4() -> dict[str, float]:
    recommended, ideal = np.array([4, 1, 6, 2, 5, 3]), np.array([4, 1, 6, 2.5, 2.5, 5])
    return {"sum": float(((recommended - ideal) ** 2).sum()), "r": float(spearman(recommended, ideal))}


def _swap() -> dict[str, float]:
    r = float(spearman([1, 2, 5, 4, 3, 6, 7, 8, 9, 10], range(1, 11)))
    return {"loss": 1 - r, "r": r}


def _interpretation() -> dict[str, float]:
    loss = [float(value) for value in rank_penalty(10)]
    return {"2 and 4": 2 * (loss[-8] + loss[-6]), "3 and 1": 4 * (loss[-7] + loss[-9])}


def _range() -> dict[str, float]:
    baseline = [row[6] for row in printed("brazdil2003/table-5").values()]
    return {"low": min(baseline), "high": max(baseline)}


OURS: Mapping[str, Callable[[], Any]] = {
    "brazdil2003/table-2-order": lambda: {"falls": _falls(printed("brazdil2003/table-2"))},
    "brazdil2003/distance": _our_distance,
    "brazdil2003/table-1-order": lambda: {key: _falls(row) for key, row in printed("brazdil2003/table-1").items()},
    "brazdil2003/table-1-faster": _faster,
    "brazdil2003/formula-1-2": _our_arr,
    "brazdil2003/reciprocal": _reciprocal,
    "brazdil2003/table-4": _table_4,
    "brazdil2003/table-3": lambda: [float(value) for value in rank_penalty(10)][-9:],
    "brazdil2003/swap": _swap,
    "brazdil2003/critical-spearman": _spearman_critical,
    "brazdil2003/interpretation": _interpretation,
    "brazdil2003/central-claim": _helps,
    "brazdil2003/baseline": lambda: {"better": all(values[2] > 0.3 for values in _agreement().values())},
    "brazdil2003/advantage": _advantage,
    "brazdil2003/range": _range,
    "brazdil2003/table-5-signs": _added_signs,
    "brazdil2003/figure-3-tie": lambda: {"ties of 1-NN with all data": 53 - _added_signs()["1-NN"][0]},
    "brazdil2003/dunn-levels": lambda: {"four": 100 * 0.25 / (4 * 3), "three": 100 * 0.25 / (3 * 2)},
    "brazdil2003/table-7-significant": _significant,
    "brazdil2003/table-6": _friedman,
    "brazdil2003/table-6-critical": _exact_critical,
    "brazdil2003/table-6-ties": _friedman_tied,
    "brazdil2003/table-7-from-ranks": _m_from_ranks,
    "brazdil2003/table-7-critical": lambda: {"M": float(chdtri(2, 0.01))},
    "brazdil2003/dunn-example": _dunn,
    "brazdil2003/dunn-critical-4": lambda: {"T": _dunn_critical(4)},
    "brazdil2003/dunn-critical-3": lambda: {"T": _dunn_critical(3)},
    "brazdil2003/table-8-from-ranks": _t_from_ranks,
    "brazdil2003/table-8-and-7": _m_from_t,
    "brazdil2003/table-8-decisions": _decisions,
    "brazdil2003/figure-2-here": _loses_more,
    "brazdil2003/figure-2-margin": lambda: {"points": 89.93 - 87.94},
    "brazdil2003/figure-3-groups": lambda: {"data sets": 22 + 13 + 19 - 1},
}
