"""Measures of data with a number to predict: the target and its relation to the attributes."""

from __future__ import annotations

import hashlib

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.attributes.catalogue import Measured, NotApplicable
from tiebreak.attributes.class_measures import NO_ATTRIBUTES, NO_NUMERIC, NO_ROWS, Summaries, decile_codes
from tiebreak.attributes.numeric_columns import linear_r2, numeric_columns, standardised
from tiebreak.datasets import DataSet

MOST_ROWS = 100_000
"""Deciles, symbols and the linear fit use at most this many rows; this affects the third digit at most."""
CONSTANT = NotApplicable(reason="the target is constant")
_FEW = NotApplicable(reason="every attribute of the kind is empty or has a value per row")
_MEASURES = ("target_kurtosis", "max_decile_share", "linear_r2")
_NEGLIGIBLE = 1e-20  # a variance in units of the target's own: what rounding leaves of a constant


def target_measures(work: Summaries) -> Measured:
    """Return what describes a number to predict."""
    target = np.asarray(work.data.target, dtype=np.float64)
    if not len(target):
        return dict.fromkeys(_MEASURES, NO_ROWS)
    if len(np.unique(target)) < 2:
        return dict.fromkeys(_MEASURES, CONSTANT)
    whole = numeric_columns(target[:, None], np.zeros(1, dtype=bool))
    away = standardised(target[:, None], whole, slice(None), np.zeros(1, dtype=np.int64))[:, 0]
    away /= np.sqrt(np.mean(away**2))  # variance 1 with n, where `standardised` divides by n - 1
    return {"target_kurtosis": float(np.mean(away**4)), **_explained(work, away)}


def _explained(work: Summaries, away: FloatArray) -> Measured:
    """Say what single attributes and all together explain of the target, on a sample of the rows where they are many.

    The sample is drawn from the contents of the data, not evenly spaced: rows of long tables often come in turns.
    """
    data = work.data
    rows = np.sort(shuffled(data)[:MOST_ROWS]) if data.n_rows > MOST_ROWS else np.arange(data.n_rows)
    away, places = away[rows], np.flatnonzero(~data.symbolic)
    shares = [share_explained(decile_codes(data.values[rows, place]), away) for place in places]
    known = [share for share in shares if share is not None]
    return {
        "max_decile_share": max(known) if known else _FEW if len(places) else NO_NUMERIC,
        "linear_r2": linear_r2(data, work.columns, rows, away) if data.n_attributes else NO_ATTRIBUTES,
    }


def shuffled(data: DataSet) -> IntArray:
    """Return the rows in an order drawn from the contents of the data."""
    digest = hashlib.sha256(f"{data.fingerprint}|0|target".encode()).digest()
    bits = np.random.PCG64(np.random.SeedSequence(int.from_bytes(digest[:16], "big")))
    return np.argsort(bits.random_raw(data.n_rows), kind="stable").astype(np.int64)


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
