"""A second look at a table that was read as it stands: is it worth understanding?

It runs on every plain file, so it looks at little but names; whatever it finds odd is settled by reading the file again
with understanding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.readers.understanding.known import is_data_set, is_telling
from tiebreak.results import Results
from tiebreak.results.items import FOLD
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import SYNONYMS

_SPREADS = frozenset("std sd stdev stddev se sem mean avg".split())


def is_odd(results: Results, *, wide: bool, corner: str) -> bool:
    """Say whether a table that was read as it stands should be looked at again; `corner` heads its names."""
    if results.unit != FOLD:  # named as such, row by row: there is nothing to guess
        return False
    if any(map(_is_summary, (*results.datasets, *results.replications, *results.folds))):
        return True
    return wide and _odd_wide(results, corner)


def alike(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of names that differ by spaces or by case alone."""
    seen: dict[str, str] = {}
    out = []
    for name in names:
        first = seen.setdefault("".join(name.split()).casefold(), name)
        if first is not name:
            out.append((first, name))
    return out


def _is_summary(name: str) -> bool:
    if not is_telling(name):
        return False
    from tiebreak.readers.understanding import words

    return words.is_summary(name)


def _odd_wide(results: Results, corner: str) -> bool:
    """Look at what only a wide table can have: columns that are no algorithms, a mean as a row, a turned table."""
    if any(is_telling(name) for name in results.algorithms):
        from tiebreak.readers.understanding import words

        if any(words.is_summary(name) or words.is_description(name) for name in results.algorithms):
            return True
    if _holds_several(results.algorithms):
        return True
    means = results.means(results.metrics[0].name)
    if np.isnan(means).all(axis=1).any():  # a row without results may be the title of those below
        return True
    whole = (np.isnan(means) | (means == np.rint(means))).all(axis=0)
    if whole.any() and not whole.all() and np.nanmax(means[:, whole]) > 1:  # columns of sizes among results
        return True
    if corner.strip().lower() not in SYNONYMS["dataset"]:
        return not _lies_usual(corner, results.datasets, results.algorithms)
    known = sum(map(is_data_set, results.algorithms))
    return (known > 1 and known * 2 > len(results.algorithms)) or _holds_mean(means)


def _holds_several(algorithms: Sequence[str]) -> bool:
    """Say whether columns hold several things of one algorithm, as RF beside RF_std; or whether numbers name them."""
    if sum(re.fullmatch(r"-?\d*\.\d+", name) is not None for name in algorithms) * 2 > len(algorithms):
        return True
    parts = [re.split(r"[ _.:/-]+", name) for name in algorithms]
    edges = {word.strip("()").lower() for part in parts if len(part) > 1 for word in (part[0], part[-1])}
    if edges & _SPREADS:
        return True
    bases = {
        re.sub(r"[ _.:/-]+[^ _.:/-]*$", "", name) for name, part in zip(algorithms, parts, strict=True) if len(part) > 1
    }
    if bases & set(algorithms):
        return True
    measured = [
        part[-1] for part in parts if len(part) > 1 and metric_named(part[-1].strip("()")).higher_is_better is not None
    ]
    return len(measured) == len(algorithms) and len(set(measured)) > 1


def _holds_mean(table: FloatArray) -> bool:
    """Say whether some row comes near the mean of the others in every column; its digits are looked at later."""
    if table.shape[0] < 4 or table.shape[1] < 2 or np.isnan(table).any():
        return False
    others = (table.sum(axis=0) - table) / (table.shape[0] - 1)
    near = np.abs(table - others) <= 0.006 * np.abs(table).max()
    return bool(near.all(axis=1).any())


def _lies_usual(corner: str, rows: Sequence[str], columns: Sequence[str]) -> bool:
    from tiebreak.readers.understanding.axes import axes_of

    return axes_of(corner=corner, rows=rows, columns=columns).transposed is False
