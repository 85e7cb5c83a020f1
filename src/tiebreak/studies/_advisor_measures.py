"""Measures for the study of the advisor: derived ones, distances without the data set itself, and an honest choice."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice
from tiebreak.advisor.evaluation import neighbour_weights, spearman
from tiebreak.advisor.meta_files import ALIASES
from tiebreak.advisor.metatable import MetaTable
from tiebreak.advisor.rankings.by_name import Scorer
from tiebreak.errors import InputError, OptionError, unknown_name

SCALES = ("range", "deviation")
GROUPS = 10
"""Parts of the data sets that take turns when measures are chosen."""

Say = Callable[[str], object]


def derived(table: MetaTable, measures: Sequence[str]) -> MetaTable:
    """Return the measures asked for; "a/b" and "log(a)" (to base 10) are computed, NaN where they do not exist.

    Names that other collections use for our meta-attributes are known too.

    Examples
    --------
    >>> table = MetaTable.from_mapping({"iris": {"rows": 150, "symbolic": 0, "columns": 4}})
    >>> derived(table, ["symbolic/columns", "log(rows)"]).matrix.round(3).tolist()
    [[0.0, 2.176]]
    """
    chosen = tuple(name.strip() for name in measures if name.strip())
    if not chosen or len(set(chosen)) < len(chosen):
        raise OptionError(
            f"The measures are {', '.join(chosen) or 'empty'}.",
            why="A distance needs at least one, and each of them once.",
            mend=f"Use some of {', '.join(table.measures[:5])}.",
        )
    matrix = np.column_stack([_column(table, name) for name in chosen])
    return MetaTable(names=table.names, measures=chosen, matrix=matrix, versions=table.versions)


def _column(table: MetaTable, name: str) -> FloatArray:
    ours = next((ours for ours, aliases in ALIASES.items() if name in aliases), name)
    for known in (name, ours):
        if known in table.measures:
            return table.matrix[:, table.measures.index(known)]
    inside = re.fullmatch(r"log\((.+)\)", name)
    if inside:
        x = _column(table, inside.group(1).strip())
        return np.asarray(np.log10(x, out=np.full(x.shape, np.nan), where=x > 0))
    above, sign, below = name.partition("/")
    if not sign:
        raise unknown_name("measure", name, table.measures, mend="Ratios 'a/b' and 'log(a)' are computed.")
    x, y = _column(table, above.strip()), _column(table, below.strip())
    return np.asarray(np.divide(x, y, out=np.full(x.shape, np.nan), where=y != 0))


def distances_of(matrix: FloatArray, origins: Sequence[str], *, scale: str = "range") -> FloatArray:
    """Return the distance of every data set to every other of another origin, infinity elsewhere.

    Formula: sum over measures of |difference| / scale, the scale (the range, or the standard deviation) over the data
    sets of other origins; a measure that does not apply to one of the two counts 1, to both counts 0.
    """
    check_choice("scale", scale, SCALES)
    labels = np.array(list(origins))
    out = np.full((len(matrix), len(matrix)), np.inf)
    for i, row in enumerate(matrix):
        others = labels != labels[i]
        if others.any():
            width = widths(matrix[others], scale)
            out[i, others] = sum_terms(row[None], matrix[others], width)[0]
    return out


def widths(matrix: FloatArray, scale: str) -> FloatArray:
    """Return the range or the standard deviation of every measure over what is there; 0 where nothing is."""
    there = ~np.isnan(matrix)
    if scale == "range":
        low = np.where(there, matrix, np.inf).min(axis=0, initial=np.inf)
        high = np.where(there, matrix, -np.inf).max(axis=0, initial=-np.inf)
        return np.where(high > low, high - low, 0.0)
    count = np.maximum(there.sum(axis=0), 1)
    mean = np.where(there, matrix, 0.0).sum(axis=0) / count
    return np.asarray(np.sqrt((np.where(there, matrix - mean, 0.0) ** 2).sum(axis=0) / count))


def sum_terms(rows: FloatArray, others: FloatArray, width: FloatArray) -> FloatArray:
    """Return rows x others: the sum over measures of the scaled differences."""
    out = np.zeros((len(rows), len(others)))
    for j in range(rows.shape[1]):
        out += one_term(rows[:, j], others[:, j], float(width[j]))
    return out


def one_term(rows: FloatArray, others: FloatArray, width: float) -> FloatArray:
    """Return rows x others for one measure; where all others share one value the term is 0 or 1."""
    gap = np.abs(rows[:, None] - others[None, :])
    term = gap / width if width > 0 else (gap > 0).astype(np.float64)
    absent = np.isnan(rows)[:, None].astype(np.int64) + np.isnan(others)[None, :]
    return np.where(absent == 0, term, (absent == 1).astype(np.float64))


def chosen_distances(
    table: MetaTable,
    origins: Sequence[str],
    score: Scorer,
    ideal: FloatArray,
    *,
    k: int,
    weighting: str,
    scale: str,
    seed: int,
    progress: Say,
) -> tuple[FloatArray, dict[str, int]]:
    """Choose measures for each tenth of the origins on the other nine, and return distances by them.

    No result of a data set, nor of another of its part, takes part in the choice of the measures by which its
    neighbours are found. Also returned: in how many of the parts each measure was chosen.
    """
    parts = _parts(origins, seed)
    out = np.full((len(table.names), len(table.names)), np.inf)
    counts = dict.fromkeys(table.measures, 0)
    for number, part in enumerate(parts):
        progress(f"choosing measures, part {number + 1} of {len(parts)}")
        inner = ~part
        width = widths(table.matrix[inner], scale)
        chosen = _backward(table.matrix, np.flatnonzero(inner), width, origins, score, ideal, k, weighting)
        for j in chosen:
            counts[table.measures[j]] += 1
        out[part] = sum_terms(table.matrix[part][:, chosen], table.matrix[:, chosen], width[chosen])
    labels = np.array(list(origins))
    return np.where(labels[:, None] == labels[None, :], np.inf, out), counts


def _parts(origins: Sequence[str], seed: int) -> list[BoolArray]:
    """Deal the origins out into parts."""
    labels = np.array(list(origins))
    known = np.random.default_rng(seed).permutation(np.unique(labels))
    if len(known) < 4:
        raise InputError(
            f"There are {len(known)} origin(s) of data sets.",
            why="Measures are chosen on some of them for the others.",
            mend="Name the measures, or add data sets.",
        )
    return [np.isin(labels, part) for part in np.array_split(known, min(GROUPS, len(known)))]


def _backward(
    matrix: FloatArray,
    inner: IntArray,
    width: FloatArray,
    origins: Sequence[str],
    score: Scorer,
    ideal: FloatArray,
    k: int,
    weighting: str,
) -> list[int]:
    """Drop the measure without which the mean Spearman is highest, leaving one origin out, until none raises it."""
    labels = [origins[i] for i in inner]
    terms = {j: one_term(matrix[inner, j], matrix[inner, j], float(width[j])) for j in range(matrix.shape[1])}

    def agreement(table: FloatArray) -> float:
        weights = np.zeros((len(inner), len(matrix)))
        weights[:, inner] = neighbour_weights(table, k=k, weighting=weighting, origins=labels)
        return float(np.nanmean(spearman(-score(weights)[:, None, :], ideal[inner])))

    total = np.sum(list(terms.values()), axis=0)
    best = agreement(total)
    while len(terms) > 1:
        tried = {j: agreement(np.maximum(total - term, 0.0)) for j, term in terms.items()}
        worst = max(tried, key=tried.__getitem__)
        if not tried[worst] > best:
            break
        best = tried[worst]
        total = np.maximum(total - terms.pop(worst), 0.0)
    return sorted(terms)
