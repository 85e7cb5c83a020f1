"""Measures of data with a number to predict: the target and its relation to the attributes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.attributes.catalogue import Measured, NotApplicable
from tiebreak.attributes.class_measures import NO_ATTRIBUTES, NO_NUMERIC, NO_ROWS, NO_SYMBOLIC, Summaries, decile_codes
from tiebreak.attributes.numeric_columns import linear_r2, numeric_columns, row_blocks, standardised
from tiebreak.datasets import DataSet

MOST_ROWS = 100_000
"""Deciles, symbols and the linear fit use at most this many rows; this affects the third digit at most."""
CONSTANT = NotApplicable(reason="the target is constant")
_NOTHING = NotApplicable(reason="no numeric attribute varies on rows with different targets")
_FEW = NotApplicable(reason="every attribute of the kind is empty or has a value per row")
_SHAPE = ("target_skewness", "target_kurtosis", "target_trimmed_spread")
_VALUES = ("target_distinct", "target_mode_share")
_CORRELATIONS = ("max_target_correlation", "mean_target_correlation")
_ATTRIBUTES = ("max_decile_share", "mean_symbolic_share", "linear_r2")
_NEGLIGIBLE = 1e-20  # a variance in units of the target's own: what rounding leaves of a constant


def target_measures(work: Summaries) -> Measured:
    """Return what describes a number to predict."""
    target = np.asarray(work.data.target, dtype=np.float64)
    if not len(target):
        return dict.fromkeys((*_SHAPE, *_VALUES, *_CORRELATIONS, *_ATTRIBUTES), NO_ROWS)
    counts = np.unique(target, return_counts=True)[1]
    values: Measured = {
        "target_distinct": len(counts) / len(target),
        "target_mode_share": int(counts.max()) / len(target),
    }
    if len(counts) < 2:
        return values | dict.fromkeys((*_SHAPE, *_CORRELATIONS, *_ATTRIBUTES), CONSTANT)
    whole = numeric_columns(target[:, None], np.zeros(1, dtype=bool))
    away = standardised(target[:, None], whole, slice(None), np.zeros(1, dtype=np.int64))[:, 0]
    away /= np.sqrt(np.mean(away**2))  # variance 1 with n, where `standardised` divides by n - 1
    shape = (float(np.mean(away**3)), float(np.mean(away**4)), float(whole.trimmed_ratio[0]))
    values |= dict(zip(_SHAPE, shape, strict=True))
    return values | _correlations(work, away) | _explained(work, away)


def _correlations(work: Summaries, away: FloatArray) -> Measured:
    """Each on the rows where the attribute is present, all at once: its gaps count 0 in the products."""
    if not len(work.columns.places):
        return dict.fromkeys(_CORRELATIONS, NO_NUMERIC)
    values = np.abs(target_correlations(work, away))
    if not values.size:
        return dict.fromkeys(_CORRELATIONS, _NOTHING)
    return dict(zip(_CORRELATIONS, (float(values.max()), float(values.mean())), strict=True))


def target_correlations(work: Summaries, away: FloatArray) -> FloatArray:
    """Return the correlations of the numeric attributes with the standardised target, where there are any."""
    places = np.flatnonzero(work.columns.varying).astype(np.int64)
    products, sums, squares = np.zeros((3, len(places)))
    for rows in row_blocks(len(away), len(places)):
        products += standardised(work.data.values, work.columns, rows, places).T @ away[rows]
        there = (~np.isnan(work.data.values[rows][:, work.columns.places[places]])).astype(np.float64)
        sums, squares = sums + there.T @ away[rows], squares + there.T @ away[rows] ** 2
    present = work.columns.present[places]
    variation = squares - sums**2 / np.maximum(present, 1)  # of the target on the rows where the attribute is present
    known = variation > _NEGLIGIBLE * len(away)
    spread = np.sqrt(variation[known] * (present[known] - 1))
    return np.asarray(np.clip(products[known] / spread, -1.0, 1.0))


def _explained(work: Summaries, away: FloatArray) -> Measured:
    """Say what single attributes and all together explain of the target, on a sample of the rows where they are many.

    The sample is drawn from the contents of the data, not evenly spaced: rows of long tables often come in turns.
    """
    drawn = shuffled(work.data)[:MOST_ROWS] if work.data.n_rows > MOST_ROWS else None
    rows = np.arange(work.data.n_rows) if drawn is None else np.sort(drawn)
    away = away[rows]
    numeric = [share for share in _shares(work, rows, away, symbolic=False) if share is not None]
    symbolic = [share for share in _shares(work, rows, away, symbolic=True) if share is not None]
    return {
        "max_decile_share": max(numeric) if numeric else _why_none(work, symbolic=False),
        "mean_symbolic_share": float(np.mean(symbolic)) if symbolic else _why_none(work, symbolic=True),
        "linear_r2": linear_r2(work.data, work.columns, rows, away) if work.data.n_attributes else NO_ATTRIBUTES,
    }


def shuffled(data: DataSet) -> IntArray:
    """Return the rows in an order drawn from the contents of the data."""
    digest = hashlib.sha256(f"{data.fingerprint}|0|target".encode()).digest()
    bits = np.random.PCG64(np.random.SeedSequence(int.from_bytes(digest[:16], "big")))
    return np.argsort(bits.random_raw(data.n_rows), kind="stable").astype(np.int64)


def _why_none(work: Summaries, *, symbolic: bool) -> NotApplicable:
    if (work.data.symbolic == symbolic).any():
        return _FEW
    return NO_SYMBOLIC if symbolic else NO_NUMERIC


def _shares(work: Summaries, rows: IntArray, away: FloatArray, *, symbolic: bool) -> Iterator[float | None]:
    for place in np.flatnonzero(work.data.symbolic == symbolic):
        column = work.data.values[rows, place]
        yield share_explained(column if symbolic else decile_codes(column), away)


def share_explained(codes: FloatArray, away: FloatArray) -> float | None:
    """Return the share of the variance of numbers that codes explain, adjusted for how many codes there are.

    Formula: 1 - (SSW / (n - k)) / (SST / (n - 1)), at least 0, over the n rows with a code, of which k occur. That is
    the squared correlation ratio, less what as many codes explain by chance. None where there are as many codes as
    rows, or the numbers do not vary.

    Examples
    --------
    >>> share_explained(np.array([0.0, 0.0, 1.0, 1.0, np.nan]), np.array([1.0, 2.0, 5.0, 6.0, 9.0])).__round__(4)
    0.9118
    """
    present = ~np.isnan(codes)
    whole = bool(present.all())
    current, values = (codes, away) if whole else (codes[present], away[present])
    places: IntArray = current.astype(np.int64)
    counts = np.bincount(places) if len(places) else np.empty(0)
    used, rows = int(np.count_nonzero(counts)), len(values)
    if rows <= used:
        return None
    values = values - values.mean()
    total = float(values @ values)
    if total <= _NEGLIGIBLE * rows:
        return None
    sums = np.bincount(places, weights=values)
    between = float((sums[counts > 0] ** 2 / counts[counts > 0]).sum())
    within = max(total - between, 0.0)
    return float(np.clip(1.0 - (within / (rows - used)) / (total / (rows - 1)), 0.0, 1.0))
