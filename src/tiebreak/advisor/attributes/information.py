"""What the attributes, symbolic and numeric, tell about the class, in bits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tiebreak.advisor.attributes import shared_parts as why
from tiebreak.advisor.attributes.catalogue import Measured, NotApplicable
from tiebreak.advisor.attributes.entropies import Shared, decile_codes, entropy, shared_entropies
from tiebreak.advisor.attributes.shared_parts import Workings

_MEANS = ("attribute_entropy", "joint_entropy", "mutual_information_all")
_RATIOS = ("equivalent_attributes", "noise_signal_ratio")
_NEGLIGIBLE = 1e-12  # bits: what rounding leaves of none


def information_measures(work: Workings) -> tuple[Measured, tuple[str, ...]]:
    """Return the information-theoretic meta-attributes; attributes without any value are left out of the means."""
    found = list(_shared(work))
    if not found:
        refusal = NotApplicable(reason=_why_none(work))
        return dict.fromkeys((*_MEANS, *_RATIOS), refusal), ()
    attribute = float(np.mean([one.attribute for one in found]))
    joint = float(np.mean([one.joint for one in found]))
    information = float(np.mean([one.information for one in found]))
    values: Measured = dict(zip(_MEANS, (attribute, joint, information), strict=True))
    if information <= _NEGLIGIBLE:
        return {
            **values,
            **dict.fromkeys(_RATIOS, NotApplicable(reason="no attribute tells anything of the class")),
        }, ()
    ratios = (entropy(work.class_counts) / information, (attribute - information) / information)
    return {**values, **dict(zip(_RATIOS, ratios, strict=True))}, ()


def _shared(work: Workings) -> Iterator[Shared]:
    for column, symbolic in zip(work.data.values.T, work.data.symbolic, strict=True):
        codes = column if symbolic else decile_codes(column)
        found = shared_entropies(codes, work.data.target, work.class_counts)
        if found is not None:
            yield found


def _why_none(work: Workings) -> str:
    if not work.data.n_attributes:
        return why.NO_ATTRIBUTES
    return "every attribute is empty" if work.data.n_rows else why.NO_ROWS
