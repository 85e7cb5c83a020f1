"""Data sets that a rule or a published table defines row by row: nothing is drawn, so nothing can differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from tiebreak.datasets.dataset import DataSet
from tiebreak.datasets.generated._build import of_names, of_numbers
from tiebreak.errors import OptionError

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
    Thrun, S. B. et al. (1991). The MONK's problems: a performance comparison of different learning algorithms.
    Carnegie Mellon University, CMU-CS-91-197. (no DOI)

    Examples
    --------
    >>> monks(1).class_counts
    array([216, 216])
    """
    if problem not in _MONKS:
        raise OptionError(f"problem is {problem!r}.", why="There are three of them.", mend="Use problem=1, 2 or 3.")
    robots = list(product(*(range(1, size + 1) for size in _ROBOT_SIZES)))
    rows = [[f"v{value}" for value in robot] for robot in robots]
    return of_names(f"monks{problem}", _ROBOT, rows, [str(int(_MONKS[problem](robot))) for robot in robots])


def balance() -> DataSet:
    """Return the balance scale: 625 pairs of weights and distances from 1 to 5; the larger product goes down.

    Returns
    -------
    DataSet
        Four numeric attributes; class "left" (288 rows), "balanced" (49) or "right" (288).

    References
    ----------
    Siegler, R. S. (1976). Three aspects of cognitive development. doi:10.1016/0010-0285(76)90016-5

    Examples
    --------
    >>> data = balance()
    >>> dict(zip(data.classes, data.class_counts.tolist()))
    {'balanced': 49, 'left': 288, 'right': 288}
    """
    values = np.array(list(product(range(1, 6), repeat=4)), dtype=np.float64)
    moment = values[:, 0] * values[:, 1] - values[:, 2] * values[:, 3]
    classes = np.select([moment > 0, moment < 0], ["left", "right"], "balanced").tolist()
    data = of_numbers("balance", values, classes)
    return DataSet(
        name=data.name,
        values=data.values,
        symbolic=data.symbolic,
        attributes=("left_weight", "left_distance", "right_weight", "right_distance"),
        categories=data.categories,
        target=data.target,
        classes=data.classes,
    )


def tictactoe() -> DataSet:
    """Return every final board of tic-tac-toe in which x moved first, found by playing all games.

    Returns
    -------
    DataSet
        Nine symbolic attributes (x, o, b for blank); class "positive" where x has won (626 boards), "negative"
        where o has won or nobody (332).

    References
    ----------
    Aha, D. W. (1991). Incremental constructive induction: an instance-based approach. Proceedings of the Eighth
    International Workshop on Machine Learning, 117-121. (no DOI)

    Examples
    --------
    >>> data = tictactoe()
    >>> dict(zip(data.classes, data.class_counts.tolist()))
    {'negative': 332, 'positive': 626}
    """
    boards = sorted(set(_final_boards("b" * 9, "x")))
    classes = ["positive" if _won(board, "x") else "negative" for board in boards]
    return of_names("tictactoe", _SQUARES, boards, classes)


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
    Dawson, R. J. M. (1995). The "unusual episode" data revisited. doi:10.1080/10691898.1995.11910499

    Examples
    --------
    >>> titanic().class_counts
    array([1490,  711])
    """
    rows, fates = [], []
    for person, (survived, lost) in _TITANIC.items():
        rows += [person] * (survived + lost)
        fates += ["yes"] * survived + ["no"] * lost
    return of_names("titanic", ("passage", "age", "sex"), rows, fates)
