"""Generated sets: the counts their definitions imply, second routes, and fingerprints that pin them for ever."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tiebreak.datasets import DataSet, generated as g, load
from tiebreak.datasets.references import DataReference, suite_names
from tiebreak.errors import OptionError

from ..every import every

# Fixed when the generators were written: a data set that changes would silently change every stored result.
FINGERPRINTS = {
    "monks1": "551833680c3ece7687330b6a67cb1ff3",
    "monks2": "358c6d80ff8162abb1566da7e787f905",
    "monks3": "0f6fb9ffccfdee2630204b3363374254",
    "balance": "2df273b7a2e1756308361a113589c900",
    "tictactoe": "000ad8e60c8d490b8131453d6ddb5f99",
    "titanic": "e188b0c3aac829b4960da48d38d94b63",
    "twonorm": "b7cc72be9bcf9b9ad9253a9c8b585361",
    "ringnorm": "3bed72b6bc557bae00f9847fc06db4f2",
    "waveform": "a4cea5dbcb8f53e36cca7f031135002d",
    "waveform40": "be85a807751482b05e312e95281986ce",
    "led": "547cd543d0c9a96de0df5236dccce2f0",
}


def counts(data: DataSet) -> dict[str, int]:
    return dict(zip(data.classes, data.class_counts.tolist(), strict=True))


@every("name", FINGERPRINTS)
def test_fingerprints_never_change(name: str) -> None:
    assert load(f"builtin:{name}").fingerprint == FINGERPRINTS[name]


def test_monks_counts() -> None:
    # Thrun et al. 1991, test sets: 216, 142 and 228 of the 432 robots are positive.
    assert [counts(g.monks(problem))["1"] for problem in (1, 2, 3)] == [216, 142, 228]
    assert all(len({tuple(row) for row in g.monks(p).values.tolist()}) == 432 for p in (1, 2, 3))
    with pytest.raises(OptionError, match="problem is 4"):
        g.monks(4)


def test_balance_counts() -> None:
    # UCI balance-scale.names: 288 L, 49 B, 288 R.
    data = g.balance()
    assert counts(data) == {"left": 288, "balanced": 49, "right": 288}
    assert not data.symbolic.any()


def test_tictactoe_against_a_search_of_all_boards() -> None:
    # UCI tic-tac-toe.names: 958 boards, 626 positive. Second route: no game is played; each of the 3^9 boards is
    # checked for what makes it final and legal (two lines of x must share the square of the last move).
    data = g.tictactoe()
    assert counts(data) == {"negative": 332, "positive": 626}
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    legal = set()
    for code in range(3**9):
        board = [code // 3**place % 3 for place in range(9)]  # 0 blank, 1 x, 2 o
        wins = {mark: [line for line in lines if all(board[s] == mark for s in line)] for mark in (1, 2)}
        lead = board.count(1) - board.count(2)
        x_won = bool(wins[1]) and not wins[2] and lead == 1 and bool(set.intersection(*map(set, wins[1])))
        o_won = bool(wins[2]) and not wins[1] and lead == 0
        drawn = not wins[1] and not wins[2] and 0 not in board and lead == 1
        if x_won or o_won or drawn:
            legal.add((*("bxo"[mark] for mark in board), "positive" if x_won else "negative"))
    values = {
        (*(data.categories[j][int(v)] for j, v in enumerate(row)), data.classes[data.target[i]])
        for i, row in enumerate(data.values)
    }
    assert values == legal


def test_titanic_margins() -> None:
    # Dawson 1995, Table 1: 325 first, 285 second, 706 third class, 885 crew; 470 women, 109 children, 711 survivors.
    data = g.titanic()
    assert counts(data) == {"no": 1490, "yes": 711}
    margins = [
        dict(zip(names, np.bincount(column.astype(int)).tolist(), strict=True))
        for names, column in zip(data.categories, data.values.T, strict=True)
    ]
    assert margins == [
        {"crew": 885, "first": 325, "second": 285, "third": 706},
        {"adult": 2092, "child": 109},
        {"female": 470, "male": 1731},
    ]


def test_twonorm_moments_and_best_error() -> None:
    data = g.twonorm(rows=20000)
    x, side = data.values, data.target == 0
    np.testing.assert_allclose(x[side].mean(axis=0), 2 / math.sqrt(20), atol=0.05)
    np.testing.assert_allclose(x[~side].mean(axis=0), -2 / math.sqrt(20), atol=0.05)
    np.testing.assert_allclose(np.cov(x[side].T), np.eye(20), atol=0.06)
    best = 0.5 * math.erfc(2 / math.sqrt(2))  # the normal tail beyond |mean| = 2
    assert abs(((x.sum(axis=1) > 0) != side).mean() - best) < 0.004


def test_ringnorm_moments_and_best_error() -> None:
    data = g.ringnorm(rows=20000)
    x, wide = data.values, data.target == 0
    np.testing.assert_allclose(np.cov(x[wide].T), 4 * np.eye(20), atol=0.25)
    np.testing.assert_allclose(np.cov(x[~wide].T), np.eye(20), atol=0.06)
    np.testing.assert_allclose(x[~wide].mean(axis=0), 2 / math.sqrt(20), atol=0.05)
    shift = 2 / math.sqrt(20)
    log_ratio = -20 * math.log(2) - (x**2).sum(axis=1) / 8 + ((x - shift) ** 2).sum(axis=1) / 2
    assert abs(((log_ratio > 0) != wide).mean() - 0.012) < 0.003  # Breiman 1996 reports 1.3 %


def test_waveform_means() -> None:
    # CART, p. 49: class means are the means of their two waves; var = 1 + (difference of the waves)^2 / 12.
    data = g.waveform(rows=30000)
    waves = [[max(6 - abs(i - centre), 0) for i in range(1, 22)] for centre in (11, 15, 7)]
    for code, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        rows = data.values[data.target == code]
        np.testing.assert_allclose(rows.mean(axis=0), (np.array(waves[a]) + waves[b]) / 2, atol=0.08)
        spread = 1 + (np.array(waves[a]) - waves[b]) ** 2 / 12
        np.testing.assert_allclose(rows.var(axis=0), spread, atol=0.25)
    wide = g.waveform(rows=30000, irrelevant=19).values
    np.testing.assert_array_equal(wide[:, :21], data.values)
    np.testing.assert_allclose(np.cov(wide[:, 21:].T), np.eye(19), atol=0.05)


def test_led_noise_and_best_accuracy() -> None:
    data = g.led(rows=20000)
    assert data.n_attributes == 7
    lit = data.values == [names.index("on") for names in data.categories]
    modes = np.array([lit[data.target == digit].mean(axis=0) > 0.5 for digit in range(10)])
    assert len({tuple(mode) for mode in modes.tolist()}) == 10
    wrong = (lit != modes[data.target]).mean(axis=0)
    np.testing.assert_allclose(wrong, 0.1, atol=0.01)
    assert modes.sum(axis=1).tolist() == [6, 2, 5, 5, 4, 5, 6, 3, 7, 6]  # segments of the digits on a display
    likelihood = -np.array([(lit != mode).sum(axis=1) for mode in modes])
    assert abs((likelihood.argmax(axis=0) == data.target).mean() - 0.74) < 0.03


def test_seeds_and_rows() -> None:
    assert g.twonorm(rows=100, seed=1).fingerprint != g.twonorm(rows=100).fingerprint
    assert g.twonorm().n_rows == g.ringnorm().n_rows == 7400
    assert g.waveform().n_rows == 5000
    for rows in (0, 2.5, True):
        with pytest.raises(OptionError, match="rows is"):
            g.led(rows=rows)  # type: ignore[arg-type]


def test_the_suite_is_whole_and_every_set_has_its_name() -> None:
    pytest.importorskip("sklearn", reason="scikit-learn carries four sets of the suite and is not installed")
    parts = [part.load() for part in DataReference.of("builtin:*").expand()]
    assert [data.name for data in parts] == list(suite_names())
    assert len(parts) >= 12
    assert len({data.fingerprint for data in parts}) == len(parts)
    assert max(data.n_rows for data in parts) <= 2201
    assert not any(data.caveats for data in parts)
    shapes = {data.name: (data.n_rows, data.n_attributes, len(data.classes)) for data in parts[:4]}
    assert shapes == {
        "iris": (150, 4, 3),
        "wine": (178, 13, 3),
        "breast_cancer": (569, 30, 2),
        "digits": (1797, 64, 10),
    }
