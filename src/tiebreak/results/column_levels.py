"""Pandas frames with several levels of headers, as pivot tables, unstack and agg make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from tiebreak.errors import InputError, quoted
from tiebreak.results.metric_column import METRIC
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import FRAME, ROLES, SYNONYMS

_STATISTIC = "statistic"
_MEANS = ("mean", "avg", "average")
_SHORT = {"std": "sd"}
"""As standard deviations are called beside their score, `Results.spreads`."""
_STATISTICS = (*_MEANS, *"std sd sem se var median min max count size".split())


def one_level(frame: Any, *, told: Mapping[str, str], score: str) -> Any:
    """Return a frame with one level of headers: scores stay columns, algorithms and whatever else is named become rows.

    A level is what its name says. One without such a name holds scores if all its words are known as such, statistics
    if they are mean, std and the like, and else the algorithms, if no other place does.

    Examples
    --------
    >>> import pandas as pd
    >>> wide = pd.DataFrame([[0.9, 0.8, 3.0, 1.0]], index=["iris"], columns=pd.MultiIndex.from_product(
    ...     [["accuracy", "train_time"], ["svm", "tree"]]))
    >>> one_level(wide, told={}, score="accuracy").reset_index().to_dict("list")
    {'algorithm': ['svm', 'tree'], 'dataset': ['iris', 'iris'], 'accuracy': [0.9, 0.8], 'train_time': [3.0, 1.0]}
    """
    kinds = _kinds(frame, told, score)
    rows = [place for place, kind in enumerate(kinds) if kind in ROLES]
    if len(rows) == len(kinds):  # without a level of scores the frame is a wide one, of algorithms
        rows.remove(kinds.index("algorithm") if "algorithm" in kinds else len(kinds) - 1)
    out = frame
    if out.index.nlevels == 1 and out.index.name is None and "dataset" not in kinds:
        out = out.rename_axis(index="dataset") if all(isinstance(each, str) for each in out.index) else out
    for place in sorted(rows, reverse=True):
        names = list(dict.fromkeys(out.columns.get_level_values(place)))
        parts = {str(name): out.xs(name, axis=1, level=place) for name in names}
        header = frame.columns.names[place]
        out = import_module("pandas").concat(parts, names=[str(header) if header is not None else kinds[place]])
    kept = [kind for place, kind in enumerate(kinds) if place not in rows]
    out.columns = [_header(cells, kept, score) for cells in _cells(out.columns)]
    return out


def _cells(columns: Any) -> list[tuple[str, ...]]:
    return [tuple(map(str, each)) if isinstance(each, tuple) else (str(each),) for each in columns]


def _header(cells: Sequence[str], kinds: Sequence[str], score: str) -> str:
    """Name a column by its score; that of a mean is the score itself."""
    held = dict(zip(kinds, cells, strict=True))
    if not held.keys() & {METRIC, _STATISTIC}:
        return cells[0]
    name, statistic = held.get(METRIC, score), held.get(_STATISTIC, "mean")
    return name if statistic.lower() in _MEANS else f"{name}_{_SHORT.get(statistic.lower(), statistic)}"


def _kinds(frame: Any, told: Mapping[str, str], score: str) -> list[str]:
    """Say what each level of the headers holds."""
    levels = [list(dict.fromkeys(map(str, frame.columns.get_level_values(i)))) for i in range(frame.columns.nlevels)]
    pairs = zip(frame.columns.names, levels, strict=True)
    kinds = [_role(name, told) or _content(words, score) for name, words in pairs]
    taken = {*kinds, *(_role(name, told) for name in frame.index.names)}
    open_levels = [place for place, kind in enumerate(kinds) if not kind]
    if len(open_levels) == 1 and "algorithm" not in taken:
        kinds[open_levels[0]] = "algorithm"
    if "" in kinds or len(set(kinds)) < len(kinds):
        shown = "; ".join(quoted(words, limit=3) for words in levels)
        raise InputError(
            f"The headers of {FRAME} have {len(levels)} levels, and it is not clear what each of them holds: {shown}.",
            why="Scores, algorithms and data sets would be taken for each other.",
            mend='Name the levels, such as frame.columns.names = ["metric", "algorithm"].',
        )
    return kinds


def _role(name: object, told: Mapping[str, str]) -> str:
    """Return what the name of a level says."""
    word = "" if name is None else str(name).strip().lower()
    role = next((each for each in ROLES if word and (told.get(each) == str(name) or word in SYNONYMS[each])), "")
    return METRIC if not role and word in (METRIC, "score", "measure") else role


def _content(words: Sequence[str], score: str) -> str:
    """Return what the words of a level say."""
    if all(word.strip().lower() in _STATISTICS for word in words):
        return _STATISTIC
    known = [metric_named(word) for word in words if word != score]
    return METRIC if all(each.higher_is_better is not None or each.is_general for each in known) else ""
