"""Drawn data sets with a number to predict: Friedman's three, whose true functions are known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.datasets.dataset import DataSet
from tiebreak.datasets.generated import Drawer, check_rows


def friedman1(*, rows: int = 2000, seed: int = 0) -> DataSet:
    """Draw Friedman's first function: ten uniform attributes of which five matter, noise of standard deviation 1.

    Formula: y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 + e.

    Parameters
    ----------
    rows : int, default 2000
    seed : int, default 0

    Returns
    -------
    DataSet

    References
    ----------
    friedman1991

    Examples
    --------
    >>> friedman1(rows=100)
    DataSet('friedman1', 100 rows, 10 numeric and 0 symbolic attributes, a number to predict)
    """
    draw = Drawer("friedman1", seed)
    x = draw.uniform(check_rows(rows, least=20), 10)
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return _named("friedman1", x, y + draw.normal(rows))


def friedman2(*, rows: int = 2000, seed: int = 0) -> DataSet:
    """Draw Friedman's second function, the impedance of a circuit, with noise at a third of the signal's deviation.

    Formula: y = sqrt(x1^2 + (x2 x3 - 1 / (x2 x4))^2) + e, with x1 (resistance) from 0 to 100, x2 (angular frequency)
    from 40 pi to 560 pi, x3 (inductance) from 0 to 1 and x4 (capacitance) from 1 to 11.

    Parameters
    ----------
    rows : int, default 2000
    seed : int, default 0

    Returns
    -------
    DataSet

    References
    ----------
    friedman1991

    Examples
    --------
    >>> friedman2(rows=100).kind
    'number'
    """
    draw = Drawer("friedman2", seed)
    x = _circuit(draw, check_rows(rows, least=20))
    signal = np.sqrt(x[:, 0] ** 2 + _reactance(x) ** 2)
    return _named("friedman2", x, signal + signal.std() / 3 * draw.normal(rows))


def friedman3(*, rows: int = 2000, seed: int = 0) -> DataSet:
    """Draw Friedman's third function, the phase angle of the circuit of `friedman2`, with noise likewise.

    Formula: y = arctan((x2 x3 - 1 / (x2 x4)) / x1) + e.

    Parameters
    ----------
    rows : int, default 2000
    seed : int, default 0

    Returns
    -------
    DataSet

    References
    ----------
    friedman1991

    Examples
    --------
    >>> bool(abs(friedman3(rows=100).target).max() < 4)
    True
    """
    draw = Drawer("friedman3", seed)
    x = _circuit(draw, check_rows(rows, least=20))
    signal = np.arctan(_reactance(x) / x[:, 0])
    return _named("friedman3", x, signal + signal.std() / 3 * draw.normal(rows))


DRAWN: dict[str, Callable[..., DataSet]] = {"friedman1": friedman1, "friedman2": friedman2, "friedman3": friedman3}


def _circuit(draw: Drawer, rows: int) -> FloatArray:
    low, high = np.array([0, 40 * np.pi, 0, 1]), np.array([100, 560 * np.pi, 1, 11])
    return np.asarray(low + draw.uniform(rows, 4) * (high - low))


def _reactance(x: FloatArray) -> FloatArray:
    return np.asarray(x[:, 1] * x[:, 2] - 1 / (x[:, 1] * x[:, 3]))


def _named(name: str, x: FloatArray, y: FloatArray) -> DataSet:
    return DataSet.from_arrays(x, y, name=name, attributes=[f"x{i + 1}" for i in range(x.shape[1])], kind="number")
