"""Data sets that a distribution defines: drawn from a seed, the same on every machine."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.datasets.dataset import DataSet
from tiebreak.datasets.generated._build import Drawer, check_rows, of_names, of_numbers

_WIDTH = 20
_SHIFT = 2 / np.sqrt(_WIDTH)
_SEGMENTS = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")
_DIGITS = ("1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011")
_NOISE = 0.1


def twonorm(*, rows: int = 7400, seed: int = 0) -> DataSet:
    """Draw twonorm: two normal clouds in twenty dimensions, with unit variances, around (a, ..., a) and -(a, ..., a).

    a = 2 / sqrt(20); the classes are equally likely. The best error is 2.3 % (the normal tail beyond 2), and the
    best border is a plane across all attributes, so a tree that asks for one attribute at a time needs many splits.

    Parameters
    ----------
    rows : int, default 7400
    seed : int, default 0

    Returns
    -------
    DataSet

    References
    ----------
    Breiman, L. (1996). Bias, variance, and arcing classifiers. University of California, Berkeley, report 460.
    (no DOI); revised as Arcing classifiers (1998), doi:10.1214/aos/1024691079

    Examples
    --------
    >>> twonorm(rows=500)
    DataSet('twonorm', 500 rows, 20 numeric and 0 symbolic attributes, 2 classes)
    """
    draw = Drawer("twonorm", seed)
    side = draw.integers(2, check_rows(rows, least=20))
    values = draw.normal(rows, _WIDTH) + _SHIFT * (1 - 2 * side[:, None])
    return of_numbers("twonorm", values, _labels(side, first=1))


def ringnorm(*, rows: int = 7400, seed: int = 0) -> DataSet:
    """Draw ringnorm: a wide normal cloud (mean 0, variance 4) and a narrow one (mean a, variance 1) inside it.

    a = 2 / sqrt(20), as in the copies in circulation (their second class has mean 0.45), where the best error is
    1.2 %; the border is a sphere, which planes cannot follow.

    Parameters
    ----------
    rows : int, default 7400
    seed : int, default 0

    Returns
    -------
    DataSet

    References
    ----------
    Breiman, L. (1996). Bias, variance, and arcing classifiers. University of California, Berkeley, report 460.
    (no DOI); revised as Arcing classifiers (1998), doi:10.1214/aos/1024691079

    Examples
    --------
    >>> ringnorm(rows=500)
    DataSet('ringnorm', 500 rows, 20 numeric and 0 symbolic attributes, 2 classes)
    """
    draw = Drawer("ringnorm", seed)
    inner = draw.integers(2, check_rows(rows, least=20))[:, None]
    values = draw.normal(rows, _WIDTH) * (2 - inner) + _SHIFT * inner
    return of_numbers("ringnorm", values, _labels(inner[:, 0], first=1))


def waveform(*, rows: int = 5000, seed: int = 0, irrelevant: int = 0) -> DataSet:
    """Draw waveform: every row is a random mixture of two of three triangular waves, with unit normal noise.

    The waves are h1(i) = max(6 - |i - 11|, 0), h2(i) = h1(i - 4), h3(i) = h1(i + 4) for i = 1..21; class 1 mixes
    h1 and h2, class 2 h1 and h3, class 3 h2 and h3, all equally likely, numbered as in the book. The best error is
    about 14 %.

    Parameters
    ----------
    rows : int, default 5000
    seed : int, default 0
    irrelevant : int, default 0
        How many attributes of pure noise follow the twenty-one; 19 in the variant called waveform40.

    Returns
    -------
    DataSet

    References
    ----------
    Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984). Classification and regression trees,
    pp. 49-55. doi:10.1201/9781315139470

    Examples
    --------
    >>> waveform(rows=300, irrelevant=19)
    DataSet('waveform40', 300 rows, 40 numeric and 0 symbolic attributes, 3 classes)
    """
    draw = Drawer("waveform", seed)
    kind = draw.integers(3, check_rows(rows, least=30)).astype(np.int64)
    share = draw.uniform(rows)[:, None]
    first, second = _waves()[np.array([0, 0, 1])[kind]], _waves()[np.array([1, 2, 2])[kind]]
    values = share * first + (1 - share) * second + draw.normal(rows, 21)
    if irrelevant:
        values = np.hstack([values, draw.normal(rows, irrelevant)])
    name = f"waveform{21 + irrelevant}" if irrelevant else "waveform"
    return of_numbers(name, values, [str(code + 1) for code in kind])


def _waves() -> FloatArray:
    place = np.arange(1, 22)
    return np.array([np.maximum(6 - np.abs(place - centre), 0) for centre in (11, 15, 7)], dtype=np.float64)


def led(*, rows: int = 2000, seed: int = 0, irrelevant: int = 0) -> DataSet:
    """Draw LED: the seven segments of a digit on a display, each shown wrong with probability 0.1.

    The ten digits are equally likely; the best accuracy is about 74 %.

    Parameters
    ----------
    rows : int, default 2000
    seed : int, default 0
    irrelevant : int, default 0
        How many random on/off attributes follow the seven; 17 in the variant called LED24.

    Returns
    -------
    DataSet
        Symbolic attributes "on" and "off"; ten classes.

    References
    ----------
    Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984). Classification and regression trees,
    pp. 43-49. doi:10.1201/9781315139470

    Examples
    --------
    >>> led(rows=300)
    DataSet('led', 300 rows, 0 numeric and 7 symbolic attributes, 10 classes)
    """
    draw = Drawer("led", seed)
    digit = draw.integers(10, check_rows(rows, least=200)).astype(np.int64)
    right = np.array([[mark == "1" for mark in digit_marks] for digit_marks in _DIGITS])
    lit = right[digit] ^ (draw.uniform(rows, 7) < _NOISE)
    if irrelevant:
        lit = np.hstack([lit, draw.uniform(rows, irrelevant) < 0.5])
    attributes = (*_SEGMENTS, *(f"noise{place + 1}" for place in range(irrelevant)))
    cells = np.where(lit, "on", "off").tolist()
    return of_names(f"led{7 + irrelevant}" if irrelevant else "led", attributes, cells, [str(code) for code in digit])


def _labels(codes: FloatArray, *, first: int) -> list[str]:
    return [str(int(code) + first) for code in codes]
