"""What the pairwise tests share: the check of the control, the quotient of a difference, the result."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_choice, readonly
from tiebreak.stats import posthoc
from tiebreak.stats.posthoc import PairwiseResult, check_control, pair_indices

ZERO_ERROR = (
    "The error of the differences is zero: a pair that differs at all gets an infinite statistic and the"
    " smallest p-value that can be written."
)


def check_adjust(adjust: str) -> str:
    """Return the name of a correction that is known when the test is called."""
    return check_choice("adjust", adjust, posthoc.ADJUSTMENTS)


def compared(
    values: FloatArray, error: float, control: int | None, *, noise: float = 0.0
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the pairs and (value of a - value of b) / error: 0/0 is 0, anything else over 0 is infinite.

    A difference over an error of 0 counts as 0 up to `noise`, the rounding error of the values.
    """
    a, b = pair_indices(len(values), check_control(control, len(values)))
    difference = values[a] - values[b]
    if error > 0:
        return a, b, np.asarray(difference / error)
    return a, b, np.where(np.abs(difference) <= noise, 0.0, np.copysign(np.inf, difference))


def pairs_result(
    pairs: tuple[IntArray, IntArray, FloatArray],
    pvalue: FloatArray,
    *,
    algorithms: tuple[str, ...],
    method: str,
    adjust: str | None = None,
    adjusted: FloatArray | None = None,
    critical_value: float | None = None,
    caveats: tuple[str, ...] = (),
) -> PairwiseResult:
    """Put a result together; either `adjusted` is given or `adjust` names the correction."""
    a, b, statistic = pairs
    if adjust is not None:
        adjusted = posthoc.ADJUSTMENTS[adjust](pvalue)
        method = f"{method} {posthoc.correction_name(adjust)}"
    return PairwiseResult(
        a=readonly(a),
        b=readonly(b),
        statistic=readonly(statistic),
        pvalue=readonly(pvalue),
        adjusted=readonly(pvalue if adjusted is None else adjusted),
        algorithms=algorithms,
        method=method,
        critical_value=critical_value,
        caveats=caveats,
    )
