"""Shape of the numeric attributes: moments and covariances within classes, discriminants, principal components.

Missing values count as the attribute's mean. Classes and attributes on which a measure cannot be computed (a class
of one row, an attribute constant within the class) are left out of its mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.attributes._summaries import ONE_CLASS, Summaries
from tiebreak.attributes.catalogue import Measured, NotApplicable
from tiebreak.attributes.scatter import principal_variances, row_blocks, standardised

_WITHIN = ("sd_ratio", "mean_abs_correlation", "mean_abs_skewness", "mean_kurtosis")
_DISCRIMINANTS = ("canonical_correlation_2", "discriminant_share", "discriminant_functions")
_COMPONENTS = ("first_component", "components_95")
_NEGLIGIBLE = 1e-20  # a variance in units of the attribute's own: what rounding leaves of a constant
_ENOUGH = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class _Class:
    """The numeric attributes within one class."""

    count: int
    log_determinant: float
    correlations: FloatArray
    skewness: FloatArray
    kurtosis: FloatArray


def statistical_measures(work: Summaries) -> Measured:
    """Return the statistical meta-attributes."""
    refusal = work.why_no_scatter(classes=False)
    if refusal is not None:
        return dict.fromkeys((*_WITHIN, *_DISCRIMINANTS, *_COMPONENTS), refusal)
    return {**_within(work), **_discriminants(work), **_components(work)}


def _within(work: Summaries) -> Measured:
    """Describe every class of two rows or more; a single row has no spread."""
    order = np.argsort(work.scatter.target, kind="stable")
    ends = np.cumsum(work.scatter.class_counts)
    pooled = np.zeros((int(np.count_nonzero(work.columns.varying)),) * 2)
    parts = [rows.astype(np.int64) for rows in np.split(order, ends[:-1]) if len(rows) > 1]
    classes = [_one_class(work, rows, pooled) for rows in parts]
    few = "no class has two rows between which a numeric attribute varies"
    return {
        "sd_ratio": _sd_ratio(classes, pooled, work),
        "mean_abs_correlation": _mean_or([one.correlations for one in classes], "no pair of attributes varies"),
        "mean_abs_skewness": _mean_or([one.skewness for one in classes], few),
        "mean_kurtosis": _mean_or([one.kurtosis for one in classes], few),
    }


def _one_class(work: Summaries, rows: IntArray, pooled: FloatArray) -> _Class:
    """Describe one class, block by block, and add its scatter to the pooled one."""
    places = np.flatnonzero(work.columns.varying).astype(np.int64)
    blocks = [rows[cut] for cut in row_blocks(len(rows), len(places))]
    mean = work.scatter.class_sums[work.scatter.target[rows[0]]] / len(rows)
    sums, scatter = np.zeros((2, len(places))), np.zeros((len(places),) * 2)
    for block in blocks:
        part = standardised(work.data.values, work.columns, block, places)
        part -= mean
        squares = part * part
        scatter += part.T @ part
        sums += [np.einsum("ij,ij->j", squares, part), np.einsum("ij,ij->j", squares, squares)]
    pooled += scatter
    second = np.diag(scatter) / (len(rows) - 1)
    varies = second > _NEGLIGIBLE
    third, fourth = sums[:, varies] / len(rows)
    return _Class(
        count=len(rows),
        log_determinant=_log_determinant(scatter / (len(rows) - 1), len(rows)),
        correlations=_pair_correlations(scatter[np.ix_(varies, varies)]),
        skewness=np.abs(third) / second[varies] ** 1.5,
        kurtosis=fourth / second[varies] ** 2,
    )


def _log_determinant(covariance: FloatArray, count: int) -> float:
    """Return the logarithm of the determinant, minus infinity where the matrix is singular to working precision."""
    spread = np.sqrt(np.diag(covariance))
    if count <= len(spread) or (spread**2 <= _NEGLIGIBLE).any():
        return float("-inf")
    roots = np.linalg.eigvalsh(covariance / spread / spread[:, None])
    if roots[0] <= count * np.finfo(np.float64).eps * roots[-1]:
        return float("-inf")
    return float(np.log(roots).sum() + 2.0 * np.log(spread).sum())


def _pair_correlations(scatter: FloatArray) -> FloatArray:
    """Divided twice, not by the product: the product of two tiny spreads may be zero."""
    spread = np.sqrt(np.diag(scatter))
    return np.abs((scatter / spread / spread[:, None])[np.triu_indices(len(scatter), 1)])


def _sd_ratio(classes: list[_Class], pooled: FloatArray, work: Summaries) -> float | NotApplicable:
    """Return exp(M / (p sum(n_c - 1))) with Box's M and its correction factor (Michie et al. 1994, section 7.3.2)."""
    if work.n_classes < 2:
        return ONE_CLASS
    singular = any(not np.isfinite(one.log_determinant) for one in classes)
    if singular or len(classes) < work.n_classes:
        return NotApplicable(reason="the covariance matrix of a class is singular")
    p, q = len(pooled), len(classes)
    df = np.array([one.count - 1 for one in classes], dtype=np.float64)
    logs = np.array([one.log_determinant for one in classes])
    gamma = 1 - (2 * p**2 + 3 * p - 1) / (6 * (p + 1) * (q - 1)) * ((1 / df).sum() - 1 / df.sum())  # section 7.3.2
    whole = _log_determinant(pooled / df.sum(), int(df.sum()) + 1)
    return float(np.exp(gamma * (df * (whole - logs)).sum() / (p * df.sum())))


def _mean_or(parts: list[FloatArray], reason: str) -> float | NotApplicable:
    found = np.concatenate(parts) if parts else np.empty(0)
    return float(found.mean()) if found.size else NotApplicable(reason=reason)


def _discriminants(work: Summaries) -> Measured:
    """Return the measures of the canonical correlations beyond the first, which is among the paper's."""
    refusal = work.why_no_scatter(classes=True)
    if refusal is not None:
        return dict.fromkeys(_DISCRIMINANTS, refusal)
    found = work.canonical
    second = float(found[1]) if len(found) > 1 else NotApplicable(reason="a single discriminant function")
    squares = np.cumsum(found**2)
    none = NotApplicable(reason="the class means coincide")
    rest = (float(squares[0] / squares[-1]), _needed(squares)) if squares[-1] > 0 else (none, none)
    return dict(zip(_DISCRIMINANTS, (second, *rest), strict=True))


def _components(work: Summaries) -> Measured:
    """The number of components is divided by the attributes: else it would only measure the width."""
    shares = principal_variances(work.scatter)
    attributes = work.scatter.class_sums.shape[1]
    return {"first_component": float(shares[0]), "components_95": _needed(np.cumsum(shares)) / attributes}


def _needed(cumulated: FloatArray) -> float:
    """Count the leading terms that make up 95 % of the sum."""
    enough = _ENOUGH * cumulated[-1] * (1 - 1e-12)
    return float(np.searchsorted(cumulated, enough, side="left") + 1)
