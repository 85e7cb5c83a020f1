"""From rejections to error rates with their confidence intervals, and the tables that show them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from tiebreak._checks import BoolArray
from tiebreak.caveats import Caveat, Caveats, codes_of
from tiebreak.documents import Document, Framed, Row, Shown, Table, number
from tiebreak.studies._defaults import DEFAULT, FORMER, TIES, WITH_CONTROL
from tiebreak.studies._margins import GOOD

_MANY, _ONE = ("all pairs", "control", "omnibus", "intervals", "premises"), ("one data set",)
_RULES = tuple(f"{rule}{control}" for rule in (DEFAULT, FORMER, TIES) for control in ("", WITH_CONTROL))
_TWO = "The default and the former one"
TABLES = (
    (f"{_TWO}: family-wise error where all algorithms are equal", _RULES, "null", "error"),
    (f"{_TWO}: family-wise error where some algorithms are equal", _RULES, "partial", "error"),
    (f"{_TWO}: share of the real differences found where some are equal", _RULES, "partial", "found"),
    (f"{_TWO}: share of the real differences found where all are slight", _RULES, "different", "found"),
    ("Good enough: false claims where every candidate is worse by the margin", (GOOD,), "null", "error"),
    ("Good enough: false claims where some candidates are worse by the margin", (GOOD,), "partial", "error"),
    ("Good enough: share of the good ones found where some are worse by the margin", (GOOD,), "partial", "found"),
    ("Good enough: share of the good ones found where all are as good as the reference", (GOOD,), "different", "found"),
    ("Family-wise error where all algorithms are equal", _MANY, "null", "error"),
    ("Family-wise error where some algorithms are equal", _MANY, "partial", "error"),
    ("Share of false discoveries where some algorithms are equal", _MANY[:2], "partial", "fdr"),
    ("Share of the real differences found where some algorithms are equal", _MANY[:2], "partial", "found"),
    (
        "Share of the real differences found where no two are equal and differences are slight",
        _MANY,
        "different",
        "found",
    ),
    ("One data set: error where the two learners are equal", _ONE, "null", "error"),
    ("One data set: share of repetitions in which a real difference is found", _ONE, "different", "found"),
)
"""What is printed: heading, questions, truth, measure."""

_NAMED = frozenset(question for _, questions, _, _ in TABLES for question in questions)
_OTHERS = (
    ("error where nothing differs", "null", "error"),
    ("error where some are equal", "partial", "error"),
    ("share of the real differences found where some are equal", "partial", "found"),
    ("share of the real differences found", "different", "found"),
)
"""What is printed of every other question."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rate(Framed):
    """What one procedure did in one setting.

    `error` is the share of repetitions with a rejected true hypothesis (the family-wise error), `low` and `high` its
    confidence interval, `fdr` the mean share of true hypotheses among the rejected, `found` the mean share of false
    hypotheses that are rejected, `found_any` and `found_all` the shares of repetitions in which some or all of them
    are. What the setting does not define is None. `promised` says whether the error is meant to be at most alpha.
    """

    question: str
    procedure: str
    noise: str
    truth: str
    promised: bool
    error: float | None
    low: float | None
    high: float | None
    fdr: float | None
    found: float | None
    found_any: float | None
    found_all: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ErrorRates(Shown):
    """What the study of error rates found; `rates` has one entry per procedure, noise and truth."""

    rates: tuple[Rate, ...]
    n_datasets: int
    n_algorithms: int
    repetitions: int
    alpha: float
    confidence: float
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was simulated."""
        return (
            f"Error rates at alpha {self.alpha:g}: {self.n_algorithms} algorithms on {self.n_datasets} data sets,"
            f" {self.repetitions} repetitions"
        )

    def rows(self) -> list[Row]:
        """Return one row per procedure, noise and truth."""
        return [row for rate in self.rates for row in rate.rows()]

    def broken(self) -> list[Rate]:
        """Return the rates that break a promise: the whole confidence interval lies above alpha."""
        return [rate for rate in self.rates if rate.promised and rate.low is not None and rate.low > self.alpha]

    def to_dict(self) -> dict[str, object]:
        """Return plain data, as `tiebreak study error-rates --json` prints it."""
        names = ("n_datasets", "n_algorithms", "repetitions", "alpha", "confidence")
        settings = {name: getattr(self, name) for name in names}
        return {
            "study": "error-rates",
            **settings,
            "rates": self.rows(),
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }

    def document(self) -> Document:
        """Return the tables, each with its heading."""
        return Document(title=self.title(), tables=self.tables(), caveats=self.caveats)

    def tables(self) -> tuple[Table, ...]:
        """Return a table per truth and measure, procedures down and settings across."""
        others = [each for each in dict.fromkeys(r.question for r in self.rates) if each not in _NAMED]
        own = [(f"{each[0].upper()}{each[1:]}: {what}", (each,), t, m) for each in others for what, t, m in _OTHERS]
        made = []
        for heading, questions, truth, measure in (*TABLES, *own):
            asked = [each for each in self.rates if each.truth == truth and each.question in questions]
            header, body = _pivot(asked, measure, self)
            if body:
                made.append(Table(caption=heading, header=tuple(header), body=tuple(map(tuple, body)), left=2))
        return tuple(made)


def rate(
    rejected: BoolArray, real: BoolArray, *, confidence: float, promised: bool, labels: tuple[str, str, str, str]
) -> Rate:
    """Summarise (repetitions, hypotheses) of rejections; `real` marks the false hypotheses, the real differences."""
    question, procedure, noise, truth = labels
    wrong, right = rejected[:, ~real], rejected[:, real]
    errors, n = int(wrong.any(axis=1).sum()), len(rejected)
    low, high = interval(errors, n, confidence=confidence)
    share = wrong.sum(axis=1) / np.maximum(rejected.sum(axis=1), 1)
    has_true, has_real = not real.all(), bool(real.any())
    return Rate(
        question=question,
        procedure=procedure,
        noise=noise,
        truth=truth,
        promised=promised,
        error=errors / n if has_true else None,
        low=low if has_true else None,
        high=high if has_true else None,
        fdr=float(share.mean()) if has_true and has_real else None,
        found=float(right.mean()) if has_real else None,
        found_any=float(right.any(axis=1).mean()) if has_real else None,
        found_all=float(right.all(axis=1).mean()) if has_real else None,
    )


def interval(count: int, total: int, *, confidence: float) -> tuple[float, float]:
    """Return Clopper and Pearson's interval of a proportion (clopper1934).

    Examples
    --------
    >>> low, high = interval(5, 100, confidence=0.95)
    >>> round(low, 4), round(high, 4)
    (0.0164, 0.1128)
    """
    tail = (1 - confidence) / 2
    low = 0.0 if count == 0 else float(special.betaincinv(count, total - count + 1, tail))
    high = 1.0 if count == total else float(special.betaincinv(count + 1, total - count, 1 - tail))
    return low, high


def _pivot(rates: list[Rate], measure: str, whole: ErrorRates) -> tuple[list[str], list[list[str]]]:
    """Procedures down, noises across."""
    shown = [r for r in rates if getattr(r, measure) is not None]
    noises = list(dict.fromkeys(r.noise for r in shown))
    cells = {(r.question, r.procedure, r.noise): _cell(r, measure, whole) for r in shown}
    keys = list(dict.fromkeys((r.question, r.procedure) for r in shown))
    body = [[*key, *(cells.get((*key, noise), "-") for noise in noises)] for key in keys]
    return ["question", "procedure", *noises], body


def _cell(rate: Rate, measure: str, whole: ErrorRates) -> str:
    """Write a number; an error without a promise in brackets, one that is surely above alpha with a star."""
    text = f"{getattr(rate, measure):.3f}"
    if measure != "error":
        return text
    star = "*" if rate.low is not None and rate.low > whole.alpha else ""
    return text + star if rate.promised else f"({text}{star})"


def settings_caveats(repetitions: int, confidence: float) -> Caveats:
    """Say how the tables are to be read."""
    low, high = interval(repetitions // 20, repetitions, confidence=confidence)
    said = (
        f"A star marks an error whose whole {number(confidence * 100)} % confidence interval lies above alpha. The"
        f" interval of a rate of 0.05 is {low:.3f} to {high:.3f}.",
        "Brackets mark an error that the procedure does not promise to keep in that setting.",
        "Every number holds for the simulated settings, not for all settings.",
    )
    return tuple(Caveat("how-to-read", each) for each in said)
