"""Tests of pairs: the result they all return, and what they share to get there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_choice, readonly
from tiebreak._show import Row, Shown
from tiebreak.errors import OptionError, unknown_name
from tiebreak.stats.adjust import ALL_PAIRS, CORRECTIONS

ZERO_ERROR = (
    "The error of the differences is zero: a pair that differs at all gets an infinite statistic and the"
    " smallest p-value that can be written."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairwiseResult(Shown):
    """Tests of pairs of algorithms; arrays run over the pairs, `a` and `b` index `algorithms`.

    `statistic` is positive where `b` is the better one of the pair (its mean rank is lower).
    """

    a: IntArray
    b: IntArray
    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    algorithms: tuple[str, ...]
    method: str
    critical_value: float | None = None
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {len(self.a)} pair(s)"

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        return [
            {
                "a": self.algorithms[i],
                "b": self.algorithms[j],
                "statistic": float(s),
                "pvalue": float(p),
                "adjusted": float(q),
            }
            for i, j, s, p, q in zip(self.a, self.b, self.statistic, self.pvalue, self.adjusted, strict=True)
        ]


def correction_name(method: str) -> str:
    """Say the name of a correction in words.

    Examples
    --------
    >>> correction_name("holm"), correction_name("bergmann-hommel"), correction_name("none")
    ("with Holm's correction", "with Bergmann and Hommel's correction", 'without correction')
    """
    if method == "none":
        return "without correction"
    people = [part.capitalize() for part in method.split("-")]
    return f"with {' and '.join(people)}'s correction"


def check_control(control: int | None, count: int) -> int | None:
    """Return the column of the control, or None for all pairs."""
    if control is not None and not 0 <= control < count:
        raise unknown_name("control column", str(control), [str(i) for i in range(count)])
    return control


def check_correction(method: str, control: int | None) -> str:
    """Return the name of a correction that fits: those for all pairs take no control."""
    check_choice("adjust", method, CORRECTIONS)
    if control is not None and method in ALL_PAIRS:
        raise OptionError(
            f"The correction {method} takes no control.",
            why="It uses that the hypotheses of all pairs are tied together; against a control they are not.",
            mend="Use 'holm', or drop the control.",
        )
    return method


def pair_indices(count: int, control: int | None = None) -> tuple[IntArray, IntArray]:
    """Index all pairs of `count` algorithms, or the pairs of the control with each other one."""
    if control is None:
        a, b = np.triu_indices(count, 1)
        return a.astype(np.int64), b.astype(np.int64)
    others = np.delete(np.arange(count, dtype=np.int64), control)
    return np.full(len(others), control, dtype=np.int64), others


def check_adjust(adjust: str) -> str:
    """Return the name of a correction that is known when the test is called."""
    return check_choice("adjust", adjust, CORRECTIONS)


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
        adjusted = CORRECTIONS[adjust](pvalue)
        method = f"{method} {correction_name(adjust)}"
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
