"""Data sets that need no network: defined by a rule or a published table row by row, or drawn from a distribution."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.datasets.building import assemble
from tiebreak.datasets.dataset import DataSet
from tiebreak.errors import OptionError
from tiebreak.results.columns import Names

_DECIMALS = 6
"""Drawn values lie on a grid of six decimals, so that the last bit of a logarithm changes nothing."""
_WIDTH = 20
_SHIFT = 2 / np.sqrt(_WIDTH)
_SEGMENTS = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")
_DIGITS = ("1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011")
_NOISE = 0.1

_ROBOT = ("head", "body", "smiling", "holding", "jacket", "tie")
_ROBOT_SIZES = (3, 3, 2, 3, 4, 2)
_SQUARES = tuple(f"{row}_{column}" for row in ("top", "middle", "bottom") for column in ("left", "centre", "right"))
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

_TITANIC = {  # passage, age, sex: (survived, lost); Dawson 1995
    ("first", "child", "male"): (5, 0),
    ("first", "child", "female"): (1, 0),
    ("first", "adult", "male"): (57, 118),
    ("first", "adult", "female"): (140, 4),
    ("second", "child", "male"): (11, 0),
    ("second", "child", "female"): (13, 0),
    ("second", "adult", "male"): (14, 154),
    ("second", "adult", "female"): (80, 13),
    ("third", "child", "male"): (13, 35),
    ("third", "child", "female"): (14, 17),
    ("third", "adult", "male"): (75, 387),
    ("third", "adult", "female"): (76, 89),
    ("crew", "adult", "male"): (192, 670),
    ("crew", "adult", "female"): (20, 3),
}

_MONKS: dict[int, Callable[[tuple[int, ...]], bool]] = {
    1: lambda a: a[0] == a[1] or a[4] == 1,
    2: lambda a: sum(value == 1 for value in a) == 2,
    3: lambda a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3),
}


class Drawer:
    """Draws from the raw bits of one generator only, so that every version of every library draws the same."""

    def __init__(self, name: str, seed: int) -> None:
        digest = hashlib.sha256(f"tiebreak generated|{name}|{seed}".encode()).digest()
        self._bits = np.random.PCG64(np.random.SeedSequence(int.from_bytes(digest[:16], "little")))

    def uniform(self, *shape: int) -> FloatArray:
        """Return numbers strictly between 0 and 1."""
        raw = self._bits.random_raw(int(np.prod(shape)))
        return ((np.asarray(raw, dtype=np.uint64) >> np.uint64(11)).astype(np.float64) + 0.5).reshape(shape) / 2.0**53

    def normal(self, *shape: int) -> FloatArray:
        """Return standard normal numbers, by inversion."""
        from scipy.special import ndtri

        return np.asarray(ndtri(self.uniform(*shape)), dtype=np.float64)

    def integers(self, high: int, *shape: int) -> FloatArray:
        """Return whole numbers from 0 to below `high`, as floats."""
        return np.floor(self.uniform(*shape) * high)


def check_rows(rows: int, *, least: int) -> int:
    """Return the number of rows to draw."""
    if isinstance(rows, bool) or not isinstance(rows, (int, np.integer)) or rows < least:
        raise OptionError(
            f"rows is {rows!r}.", why=f"At least {least} rows are drawn.", mend="Leave it out for the usual number."
        )
    return int(rows)


def _of_names(name: str, attributes: Sequence[str], rows: Sequence[Sequence[str]], classes: Sequence[str]) -> DataSet:
    """Return a data set of symbolic attributes."""
    columns = {header: Names.of(row[place] for row in rows) for place, header in enumerate(attributes)}
    return assemble(columns, Names.of(classes), name=name, source=f"the generated set {name!r}")


def _of_numbers(name: str, values: FloatArray, classes: Sequence[str], attributes: Sequence[str] = ()) -> DataSet:
    """Return a data set of numeric attributes, called x1, x2, ... by default, on the grid of six decimals."""
    headers = attributes or [f"x{place + 1}" for place in range(values.shape[1])]
    columns = dict(zip(headers, np.round(values, _DECIMALS).T, strict=True))
    return assemble(columns, Names.of(classes), name=name, source=f"the generated set {name!r}")


# ---- drawn from a seed, the same on every machine


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
    breiman1996
    breiman1998

    Examples
    --------
    >>> twonorm(rows=500)
    DataSet('twonorm', 500 rows, 20 numeric and 0 symbolic attributes, 2 classes)
    """
    draw = Drawer("twonorm", seed)
    side = draw.integers(2, check_rows(rows, least=20))
    values = draw.normal(rows, _WIDTH) + _SHIFT * (1 - 2 * side[:, None])
    return _of_numbers("twonorm", values, _labels(side, first=1))


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
    breiman1996
    breiman1998

    Examples
    --------
    >>> ringnorm(rows=500)
    DataSet('ringnorm', 500 rows, 20 numeric and 0 symbolic attributes, 2 classes)
    """
    draw = Drawer("ringnorm", seed)
    inner = draw.integers(2, check_rows(rows, least=20))[:, None]
    values = draw.normal(rows, _WIDTH) * (2 - inner) + _SHIFT * inner
    return _of_numbers("ringnorm", values, _labels(inner[:, 0], first=1))


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
    breiman1984, pp. 49-55

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
    return _of_numbers(name, values, [str(code + 1) for code in kind])


def _waves() -> FloatArray:
    """Three triangles of height 6, at 11, 15 and 7 of 21 places."""
    place = np.arange(1, 22)
    return np.array([np.maximum(6 - np.abs(place - centre), 0) for centre in (11, 15, 7)], dtype=np.float64)


def led(*, rows: int = 2000, seed: int = 0) -> DataSet:
    """Draw LED: the seven segments of a digit on a display, each shown wrong with probability 0.1.

    The ten digits are equally likely; the best accuracy is about 74 %.

    Parameters
    ----------
    rows : int, default 2000
    seed : int, default 0

    Returns
    -------
    DataSet
        Symbolic attributes "on" and "off"; ten classes.

    References
    ----------
    breiman1984, pp. 43-49

    Examples
    --------
    >>> led(rows=300)
    DataSet('led', 300 rows, 0 numeric and 7 symbolic attributes, 10 classes)
    """
    draw = Drawer("led", seed)
    digit = draw.integers(10, check_rows(rows, least=200)).astype(np.int64)
    right = np.array([[mark == "1" for mark in digit_marks] for digit_marks in _DIGITS])
    lit = right[digit] ^ (draw.uniform(rows, 7) < _NOISE)
    return _of_names("led", _SEGMENTS, np.where(lit, "on", "off").tolist(), [str(code) for code in digit])


def _labels(codes: FloatArray, *, first: int) -> list[str]:
    return [str(int(code) + first) for code in codes]


# ---- nothing is drawn, so nothing can differ


def monks(problem: int) -> DataSet:
    """Return one of the three MONK's problems: all 432 robots, with the class the rule gives them.

    Problem 1: head and body have the same shape, or the jacket is red (its first value). Problem 2: exactly two
    of the six attributes have their first value. Problem 3: the jacket is green (third) and the robot holds a
    sword (first), or the jacket is not blue (fourth) and the body not octagonal (third). The training set of
    problem 3 had 5 % of its classes wrong on purpose; that noise is not reproduced: all classes here are right.

    Parameters
    ----------
    problem : {1, 2, 3}

    Returns
    -------
    DataSet
        Six symbolic attributes; class "1" where the rule holds, "0" elsewhere.

    References
    ----------
    thrun1991

    Examples
    --------
    >>> monks(1).class_counts
    array([216, 216])
    """
    if problem not in _MONKS:
        raise OptionError(f"problem is {problem!r}.", mend="Use problem=1, 2 or 3.")
    robots = list(product(*(range(1, size + 1) for size in _ROBOT_SIZES)))
    rows = [[f"v{value}" for value in robot] for robot in robots]
    return _of_names(f"monks{problem}", _ROBOT, rows, [str(int(_MONKS[problem](robot))) for robot in robots])


def balance() -> DataSet:
    """Return the balance scale: 625 pairs of weights and distances from 1 to 5; the larger product goes down.

    Returns
    -------
    DataSet
        Four numeric attributes; class "left" (288 rows), "balanced" (49) or "right" (288).

    References
    ----------
    siegler1976

    Examples
    --------
    >>> data = balance()
    >>> dict(zip(data.classes, data.class_counts.tolist()))
    {'balanced': 49, 'left': 288, 'right': 288}
    """
    values = np.array(list(product(range(1, 6), repeat=4)), dtype=np.float64)
    moment = values[:, 0] * values[:, 1] - values[:, 2] * values[:, 3]
    classes = np.select([moment > 0, moment < 0], ["left", "right"], "balanced").tolist()
    return _of_numbers("balance", values, classes, ("left_weight", "left_distance", "right_weight", "right_distance"))


def tictactoe() -> DataSet:
    """Return every final board of tic-tac-toe in which x moved first, found by playing all games.

    Returns
    -------
    DataSet
        Nine symbolic attributes (x, o, b for blank); class "positive" where x has won (626 boards), "negative"
        where o has won or nobody (332).

    References
    ----------
    aha1991

    Examples
    --------
    >>> data = tictactoe()
    >>> dict(zip(data.classes, data.class_counts.tolist()))
    {'negative': 332, 'positive': 626}
    """
    boards = sorted(set(_final_boards("b" * 9, "x")))
    classes = ["positive" if _won(board, "x") else "negative" for board in boards]
    return _of_names("tictactoe", _SQUARES, boards, classes)


def _won(board: str, player: str) -> bool:
    return any(all(board[square] == player for square in line) for line in _LINES)


def _final_boards(start: str, first: str) -> Iterator[str]:
    """Yield the boards on which a game ends, every position visited once."""
    stack, seen = [(start, first)], {start}
    while stack:
        board, player = stack.pop()
        if _won(board, "x") or _won(board, "o") or "b" not in board:
            yield board
            continue
        for square in (place for place, mark in enumerate(board) if mark == "b"):
            after = board[:square] + player + board[square + 1 :]
            if after not in seen:
                seen.add(after)
                stack.append((after, "o" if player == "x" else "x"))


def titanic() -> DataSet:
    """Return the 2201 people on board the Titanic by passage, age and sex, with their fate, from the published table.

    Returns
    -------
    DataSet
        Three symbolic attributes; class "yes" for the 711 who survived, "no" for the 1490 who did not.

    References
    ----------
    dawson1995

    Examples
    --------
    >>> titanic().class_counts
    array([1490,  711])
    """
    rows, fates = [], []
    for person, (survived, lost) in _TITANIC.items():
        rows += [person] * (survived + lost)
        fates += ["yes"] * survived + ["no"] * lost
    return _of_names("titanic", ("passage", "age", "sex"), rows, fates)


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


NUMBERS: dict[str, Callable[..., DataSet]] = {"friedman1": friedman1, "friedman2": friedman2, "friedman3": friedman3}


def _circuit(draw: Drawer, rows: int) -> FloatArray:
    low, high = np.array([0, 40 * np.pi, 0, 1]), np.array([100, 560 * np.pi, 1, 11])
    return np.asarray(low + draw.uniform(rows, 4) * (high - low))


def _reactance(x: FloatArray) -> FloatArray:
    return np.asarray(x[:, 1] * x[:, 2] - 1 / (x[:, 1] * x[:, 3]))


def _named(name: str, x: FloatArray, y: FloatArray) -> DataSet:
    return DataSet.from_arrays(x, y, name=name, attributes=[f"x{i + 1}" for i in range(x.shape[1])], kind="number")
