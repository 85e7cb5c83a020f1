"""Results of statistics: what they hold, how they are listed, what tests of pairs and tests of all algorithms share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import lgamma
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import Row, Shown
from tiebreak.documents.words import finite
from tiebreak.errors import OptionError, unknown_name
from tiebreak.methods import of_kind
from tiebreak.stats.numeric.basics import floor_pvalue, normal_two_sided
from tiebreak.wording import option

CORRECTIONS: MappingProxyType[str, Callable[..., FloatArray]] = MappingProxyType(
    {record.name: record for record in of_kind("correction")}
)
"""Every correction by its name on the command line: a record that looks its function up when it is called."""

ALL_PAIRS = frozenset(method.name for method in of_kind("correction") if method.control == "never")
"""Those that use the logic of all pairs and make no sense against a control."""


def rows_of(**columns: Iterable[object]) -> list[Row]:
    """Turn columns of one length into rows of plain numbers and texts.

    Examples
    --------
    >>> rows_of(name=("a", "b"), value=np.array([1.5, 2.0]))
    [{'name': 'a', 'value': 1.5}, {'name': 'b', 'value': 2.0}]
    """
    lists = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values()]
    return [dict(zip(columns, values, strict=True)) for values in zip(*lists, strict=True)]


def frozen(**arrays: npt.NDArray[Any]) -> dict[str, Any]:
    """Return our own read-only copies of arrays, as fields of a result."""
    return {name: readonly(array) for name, array in arrays.items()}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Told(Shown):
    """A result that names its method; `COLUMNS` are the fields that its rows list."""

    COLUMNS: ClassVar[tuple[str, ...]] = ()

    method: str
    caveats: Caveats = ()

    def columns(self) -> dict[str, Any]:
        """Return the fields that the rows list, by name."""
        return {name: getattr(self, name) for name in self.COLUMNS}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OverPairs(Told):
    """A result whose arrays run over pairs of algorithms: `a` and `b` index `algorithms`."""

    a: IntArray
    b: IntArray
    algorithms: tuple[str, ...]

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        return self.pair_rows(**self.columns())

    def pair_rows(self, **columns: Iterable[object]) -> list[Row]:
        """Return rows of the two names and of these columns."""
        first, second = ([self.algorithms[i] for i in side] for side in (self.a, self.b))
        return rows_of(a=first, b=second, **columns)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OverDatasets(OverPairs):
    """A result whose arrays have shape (data sets, pairs)."""

    datasets: tuple[str, ...]

    def rows(self) -> list[Row]:
        """Return one row per data set and pair."""
        pairs = self.pair_rows()
        columns = rows_of(**{name: array.ravel() for name, array in self.columns().items()})
        places = [{"dataset": name, **pair} for name in self.datasets for pair in pairs]
        return [place | row for place, row in zip(places, columns, strict=True)]


Pairs = tuple[IntArray, IntArray, FloatArray]
"""The columns of the first and of the second algorithm of each pair, and its statistic."""

ZERO_ERROR = Caveat(
    "constant-difference",
    "The error of the differences is zero: a pair that differs at all gets an infinite statistic and the"
    " smallest p-value that can be written.",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairwiseResult(OverPairs):
    """Tests of pairs of algorithms; arrays run over the pairs, `a` and `b` index `algorithms`.

    `statistic` is positive where `b` is the better one of the pair (its mean rank is lower). `positions` are where the
    algorithms lie on the line, lower the better, if the p-values fall with distance on one; otherwise None.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = ("statistic", "pvalue", "adjusted")

    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    critical_value: float | None = None
    positions: FloatArray | None = None

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {len(self.a)} pair(s)"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DifferencePairs(PairwiseResult):
    """Tests of pairs that estimate the difference of each, the mean score of `a` less that of `b`.

    It lies from `low` to `high` each with `level` by itself, and from `low_together` to `high_together` all pairs at
    once (Bonferroni).
    """

    COLUMNS: ClassVar[tuple[str, ...]] = (*PairwiseResult.COLUMNS, "difference", "low", "high")

    difference: FloatArray
    low: FloatArray
    high: FloatArray
    low_together: FloatArray
    high_together: FloatArray
    level: float


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


def with_correction(method: str, adjust: str, pairs: int) -> str:
    """Name a test of pairs with its correction; one pair that is not corrected needs no word about it.

    Examples
    --------
    >>> with_correction("Sign test, exact", "holm", 3), with_correction("Sign test, exact", "none", 1)
    ("Sign test (exact) with Holm's correction", 'Sign test (exact)')
    """
    head, comma, details = method.partition(", ")
    name = f"{head} ({details})" if comma else method
    return name if adjust == "none" and pairs == 1 else f"{name} {correction_name(adjust)}"


def check_correction(method: str, control: int | None = None, *, every_pair: bool = True) -> str:
    """Return the name of a correction that fits: those for all pairs take no control."""
    check_choice("adjust", method, CORRECTIONS)
    if not every_pair and method in ALL_PAIRS:
        raise OptionError(
            f"The correction {method} is for two-sided tests of all pairs.", mend=f"Use {option(adjust='holm')}."
        )
    if control is not None and method in ALL_PAIRS:
        raise OptionError(f"The correction {method} takes no control.", mend="Use 'holm', or drop the control.")
    return method


def pair_indices(count: int, control: int | None = None) -> tuple[IntArray, IntArray]:
    """Index all pairs of `count` algorithms, or the pairs of the control, as `a`, with each other one."""
    if control is None:
        a, b = np.triu_indices(count, 1)
        return a.astype(np.int64), b.astype(np.int64)
    if control not in range(count):
        raise unknown_name("control column", str(control), [str(i) for i in range(count)])
    others = np.delete(np.arange(count, dtype=np.int64), control)
    return np.full(len(others), control, dtype=np.int64), others


def decided(a: IntArray, b: IntArray, significant: BoolArray, toward_b: FloatArray, count: int) -> BoolArray:
    """Return better[..., i, j], whether j is significantly better than i; `toward_b` is positive where b is better."""
    better = np.zeros((*significant.shape[:-1], count, count), dtype=bool)
    better[..., a, b] = significant & (toward_b > 0)
    better[..., b, a] = significant & (toward_b < 0)
    return better


def corrected(pvalue: FloatArray, adjust: str, positions: FloatArray | None = None) -> FloatArray:
    """Correct p-values by a named correction.

    Where they fall with the distance on a line, Bergmann and Hommel's takes polynomial time and any number of
    algorithms; for p-values of any origin it ends at 14.
    """
    if adjust == "bergmann-hommel" and positions is not None:
        return CORRECTIONS[adjust](pvalue, positions=positions)
    return CORRECTIONS[adjust](pvalue)


def compared(values: FloatArray, error: float, control: int | None, *, noise: float = 0.0) -> Pairs:
    """Return the pairs and (value of a - value of b) / error: 0/0 is 0, anything else over 0 is infinite.

    A difference over an error of 0 counts as 0 up to `noise`, the rounding error of the values.
    """
    a, b = pair_indices(len(values), control)
    difference = values[a] - values[b]
    # An error of zero is no reason to refuse: perfect agreement is an answer, and gets a caveat.
    if error > 0:
        return a, b, np.asarray(difference / error)
    return a, b, np.where(np.abs(difference) <= noise, 0.0, np.copysign(np.inf, difference))


def pair_fields(
    pairs: Pairs,
    pvalue: FloatArray,
    *,
    method: str,
    adjust: str | None = None,
    adjusted: FloatArray | None = None,
    positions: FloatArray | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return what every result of pairs holds; either `adjusted` is given or `adjust` names the correction."""
    a, b, statistic = pairs
    if adjust is not None:
        adjusted = corrected(pvalue, adjust, positions)
        method = with_correction(method, adjust, len(a))
    arrays = {"a": a, "b": b, "statistic": statistic, "pvalue": pvalue}
    return {
        **{name: readonly(array) for name, array in arrays.items()},
        "adjusted": readonly(pvalue if adjusted is None else adjusted),
        "method": method,
        "positions": None if positions is None else readonly(positions),
        **more,
    }


def pairs_result(pairs: Pairs, pvalue: FloatArray, **fields: Any) -> PairwiseResult:
    """Put a result together from what `pair_fields` takes, its names and its caveats."""
    return PairwiseResult(**pair_fields(pairs, pvalue, **fields))


def normal_pairs(positions: FloatArray, error: float, control: int | None, **fields: Any) -> PairwiseResult:
    """Compare positions by z tests, `error` being that of a difference; `fields` as for `pairs_result`."""
    pairs = compared(positions, error, control)
    return pairs_result(pairs, normal_two_sided(pairs[2]), positions=positions, **fields)


# ---- tests of all algorithms at once

ALL_TIED = ("no-difference", "Every data set ties all algorithms: nothing distinguishes them.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OmnibusResult(Told):
    """The result of a test of whether any algorithm differs; each test adds what it alone knows.

    `mean_ranks` are the ranks that the test compares, 1 the best, in the order of `algorithms`. `locations` are what
    the test compares, ranks or not, lower the better, and `location_name` says what they are.
    """

    RANK_NAME: ClassVar[str] = "mean_rank"
    EXTRAS: ClassVar[tuple[str, ...]] = ()  # what the test alone knows and plain data show

    statistic: float
    pvalue: float
    df: tuple[float, ...]
    mean_ranks: FloatArray
    algorithms: tuple[str, ...]
    n_datasets: int

    @property
    def locations(self) -> FloatArray:
        """Return what the test compares, lower the better."""
        return self.mean_ranks

    @property
    def location_name(self) -> str:
        """Say what the locations are."""
        return self.RANK_NAME.replace("_", " ")

    @property
    def symbol(self) -> str:
        """The letter of the statistic, as a sentence writes it."""
        return "F" if len(self.df) == 2 else "chi2"

    def to_dict(self) -> dict[str, Any]:
        """Return the test as plain data; numbers that are not finite are None."""
        plain = {"method": self.method, "statistic": self.statistic, "pvalue": self.pvalue, "df": list(self.df)}
        return {key: finite(value) for key, value in plain.items()} | {
            name: finite(float(getattr(self, name))) for name in self.EXTRAS
        }

    def title(self) -> str:
        """Say in one line which statistic was computed and what it is."""
        df = ", ".join(f"{d:.5g}" for d in self.df)
        return f"{self.method}: statistic {self.statistic:.5g}, df ({df}), p = {self.pvalue:.4g}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first."""
        order = np.argsort(self.mean_ranks, kind="stable")
        return [{"algorithm": self.algorithms[i], self.RANK_NAME: float(self.mean_ranks[i])} for i in order]


def counted_note(mask: BoolArray | np.bool_, code: str, text: str, *, of: str = "pair(s)") -> tuple[int, str, str]:
    """Say of how many pairs something holds, as `caveats_of` takes it."""
    count = int(np.count_nonzero(mask))
    return count, code, f"{count} of {np.size(mask)} {of} {text}"


def tie_label(tie_correction: bool) -> str:
    """Say whether a test was corrected for ties."""
    return f"{'' if tie_correction else 'not '}corrected for ties"


def few_datasets(count: int, approximation: str) -> tuple[bool, str, str]:
    """Say whether an approximation is rough because there are fewer than ten data sets."""
    return count < 10, "few-datasets", f"{count} data sets: the {approximation} approximation is rough below ten."


def agreement_pvalue(row: FloatArray, n_datasets: int) -> float:
    """Return the probability that all data sets agree on the order of this row.

    A row with groups of t ties has L! / product of t! distinct orders, all as likely; the F of perfect agreement is
    infinite, and its p-value would be 0 though such a table can arise by chance.
    """
    groups = np.unique(row, return_counts=True)[1]
    log_orders = lgamma(len(row) + 1) - sum(lgamma(size + 1) for size in groups)
    return float(floor_pvalue(np.exp(-(n_datasets - 1) * log_orders)))
