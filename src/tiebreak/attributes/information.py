"""What the attributes, symbolic and numeric, tell about the class, in bits: entropies, and measures made of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray
from tiebreak.attributes._summaries import NO_ATTRIBUTES, Summaries
from tiebreak.attributes.catalogue import Measured, NotApplicable

_MEANS = ("attribute_entropy", "joint_entropy", "mutual_information_all")
_RATIOS = ("equivalent_attributes", "noise_signal_ratio")
_NEGLIGIBLE = 1e-12  # bits: what rounding leaves of none


def information_measures(work: Summaries) -> Measured:
    """Return the information-theoretic meta-attributes; attributes without any value are left out of the means."""
    found = list(_shared(work))
    if not found:
        refusal = work.why_empty("every attribute is empty") if work.data.n_attributes else NO_ATTRIBUTES
        return dict.fromkeys((*_MEANS, *_RATIOS), refusal)
    parts = [(one.attribute, one.joint, one.information) for one in found]
    attribute, joint, information = (float(np.mean(part)) for part in zip(*parts, strict=True))
    values: Measured = dict(zip(_MEANS, (attribute, joint, information), strict=True))
    if information <= _NEGLIGIBLE:
        nothing = NotApplicable(reason="no attribute tells anything of the class")
        return values | dict.fromkeys(_RATIOS, nothing)
    ratios = (
        entropy(work.class_counts) / information,  # Michie, Spiegelhalter and Taylor 1994, section 7.3.3: EN.attr
        (attribute - information) / information,  # the same: NS.ratio
    )
    return values | dict(zip(_RATIOS, ratios, strict=True))


def _shared(work: Summaries) -> Iterator[Shared]:
    """Numbers are cut at their deciles: entropy is defined for codes only."""
    for column, symbolic in zip(work.data.values.T, work.data.symbolic, strict=True):
        codes = column if symbolic else decile_codes(column)
        found = shared_entropies(codes, work.codes, work.class_counts)
        if found is not None:
            yield found


BINS = 10
"""Into how many equally frequent parts a numeric attribute is cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """Entropies of an attribute, of the class on the rows where the attribute is present, and of both together."""

    attribute: float
    target: float
    joint: float

    @property
    def information(self) -> float:
        """The mutual information, H(X) + H(C) - H(X, C), never below 0."""
        return max(self.attribute + self.target - self.joint, 0.0)


def entropy(counts: npt.NDArray[np.integer]) -> float:
    """Return the entropy in bits of a distribution given by counts; 0 for one that has a single value.

    Examples
    --------
    >>> entropy(np.array([2, 2])), entropy(np.array([3, 0]))
    (1.0, 0.0)
    """
    found = np.sort(counts[counts > 0]).astype(np.float64)  # sorted: the order of the values leaves no trace
    if len(found) < 2:
        return 0.0
    shares = found / found.sum()
    return float(-(shares * np.log2(shares)).sum())


def shared_entropies(column: FloatArray, target: IntArray, class_counts: IntArray) -> Shared | None:
    """Return the entropies of a column of codes and the class, or None where the column has no value at all."""
    present = ~np.isnan(column)
    if present.all():
        codes, classes, counts = column.astype(np.int64), target, class_counts
    else:
        codes, classes = column[present].astype(np.int64), target[present]
        counts = np.bincount(classes, minlength=len(class_counts)).astype(np.int64)
    if not len(codes):
        return None
    pairs = _pair_counts(codes, classes, len(class_counts))
    return Shared(attribute=entropy(np.bincount(codes)), target=entropy(counts), joint=entropy(pairs))


def _pair_counts(codes: IntArray, classes: IntArray, n_classes: int) -> npt.NDArray[np.integer]:
    """Count the pairs of code and class; where most of them do not occur, without a table of all."""
    pairs = codes * n_classes + classes
    if (int(codes.max()) + 1) * n_classes <= 4 * len(codes) + 1024:
        return np.bincount(pairs)
    return np.asarray(np.unique(pairs, return_counts=True)[1])


def decile_codes(column: FloatArray) -> FloatArray:
    """Cut numbers into ten parts of equal frequency, equal values kept together; gaps stay gaps.

    A value's part is the number of tenths of the values that lie below it.

    Examples
    --------
    >>> decile_codes(np.array([5.0, 1.0, 1.0, np.nan, 7.0]))
    array([ 5.,  0.,  0., nan,  7.])
    """
    present = ~np.isnan(column)
    values = column if present.all() else column[present]
    codes = np.full(len(column), np.nan)
    if len(values):
        ordered = np.sort(values)
        firsts = -(-np.arange(1, BINS) * len(values) // BINS)  # values that lie below part 1, 2, ..
        codes[present] = np.searchsorted(ordered[firsts - 1], values, side="left")
    return codes
