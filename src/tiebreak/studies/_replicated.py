"""What the study of replicability found, and how it is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat, Caveats, codes_of
from tiebreak.documents import Document, Row, Shown, Table
from tiebreak.studies._drawn_tests import CONTROL, PAIRS, QUESTIONS, TOGETHER, TWO
from tiebreak.studies._procedures import Key

if TYPE_CHECKING:
    from tiebreak.figures import Figure

MEASURES = ("mean_p", "rejections", "replicability_p", "replicability_e")
"""What is measured of every test at every bias; the last axis of `Replicability.values`."""

CAPTIONS = {
    TWO: "Two algorithms: tests of the pair alone",
    TOGETHER: "All algorithms together",
    PAIRS: "All pairs: what the post hoc test says of the pair",
    CONTROL: "With a control: what the post hoc test says of the pair",
}
SHORT = {TWO: "two", TOGETHER: "together", PAIRS: "pairs", CONTROL: "control"}
"""What each question is called where it is chosen and in the names of files."""
MOST_COLUMNS = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Replicability(Shown):
    """How often each test rejects, and how alike it decides, on data sets that were drawn over and over.

    `values` has the axes test, pair, bias and `MEASURES`: mean p-value, number of rejections, R(p) and R(e). A pair
    is (favoured, other); `favoured` says whether the draw favours it over the other one or over the mean of all
    others.
    """

    tests: tuple[Key, ...]
    biases: tuple[float, ...]
    pairs: tuple[tuple[str, str], ...]
    values: FloatArray
    n_datasets: int
    drawn: int
    repeats: int
    alpha: float
    by: str
    unit: str
    score: str
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was done."""
        who = "{} against {}".format(*self.pairs[0]) if len(self.pairs) == 1 else f"{len(self.pairs)} pairs"
        return (
            f"Power and replicability, {who} by {self.score}: {self.drawn} of {self.n_datasets} data sets drawn"
            f" {self.repeats} times, alpha {self.alpha:g}"
        )

    def means(self) -> FloatArray:
        """Return the values in the mean over pairs: test, bias, measure."""
        return np.asarray(self.values.mean(axis=1))

    def rows(self) -> list[Row]:
        """Return one row per test and bias, in the mean over pairs."""
        return [
            {"question": question, "test": name, "bias": bias, **dict(zip(MEASURES, cell.tolist(), strict=True))}
            for (question, name), line in zip(self.tests, self.means(), strict=True)
            for bias, cell in zip(self.biases, line, strict=True)
        ]

    def to_dict(self) -> dict[str, object]:
        """Return plain data, as `tiebreak study replicability --json` prints it."""
        names = ("n_datasets", "drawn", "repeats", "alpha", "by", "unit", "score")
        return {
            "study": "replicability",
            **{name: getattr(self, name) for name in names},
            "biases": list(self.biases),
            "pairs": [list(pair) for pair in self.pairs],
            "curves": self.rows(),
            "ranking": self.ranking(),
            "by_pair": list(self._of_pairs()),
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }

    def _of_pairs(self) -> Iterator[Row]:
        for (question, name), block in zip(self.tests, self.values, strict=True):
            for (first, second), line in zip(self.pairs, block, strict=True):
                lists = {measure: line[:, place].tolist() for place, measure in enumerate(MEASURES)}
                yield {"question": question, "test": name, "favoured": first, "other": second, **lists}

    def ranking(self) -> list[Row]:
        """Return the tests of each question, most rejections first, each in the mean over biases and pairs."""
        over_all = self.means().mean(axis=1)
        out: list[Row] = []
        for question in QUESTIONS:
            places = [i for i, (asked, _) in enumerate(self.tests) if asked == question]
            for i in sorted(places, key=lambda i: (-over_all[i, 1], over_all[i, 0])):
                cells = dict(zip(MEASURES, over_all[i].tolist(), strict=True))
                out.append({"question": question, "test": self.tests[i][1], **cells})
        return out

    def figures(self) -> dict[str, Figure]:
        """Return a figure for each question that was asked, by its first word; two algorithms ask the first alone."""
        asked = dict.fromkeys(question for question, _ in self.tests)
        return {SHORT[question]: self.figure(question=question) for question in asked}

    def document(self) -> Document:
        """Return for each question the tests in the mean over biases, and their rejections at each bias."""
        tables = []
        for question in QUESTIONS:
            ranked = [row for row in self.ranking() if row["question"] == question]
            if ranked:
                tables += [self._over_biases(question, ranked), self._by_bias(question, [r["test"] for r in ranked])]
        papers = ("demsar2006", "bouckaert2004")
        return Document(title=self.title(), tables=tuple(tables), caveats=self.caveats, papers=papers)

    def _over_biases(self, question: str, ranked: list[Row]) -> Table:
        body = tuple(
            (
                str(row["test"]),
                *(f"{row[name]:.{1 if name == 'rejections' else 3}f}" for name in MEASURES),
            )
            for row in ranked
        )
        header = ("test", "mean p", f"rejections of {self.repeats}", "R(p)", "R(e)")
        return Table(caption=f"{CAPTIONS[question]}, in the mean over biases", header=header, body=body)

    def _by_bias(self, question: str, names: list[object]) -> Table:
        """Show some of the biases where they are many; the figure and the rows have all."""
        count = min(MOST_COLUMNS, len(self.biases))
        shown = np.unique(np.linspace(0, len(self.biases) - 1, count).round().astype(int))
        lines = dict(zip(self.tests, self.means(), strict=True))
        digits = 0 if len(self.pairs) == 1 else 1
        body = tuple(
            (str(name), *(f"{lines[question, str(name)][place, 1]:.{digits}f}" for place in shown)) for name in names
        )
        header = ("test", *(f"k = {self.biases[place]:g}" for place in shown))
        return Table(caption=f"The same: rejections of {self.repeats}, by bias", header=header, body=body)


def never_rejects(count: int, drawn: int, corrections: Sequence[str], alpha: float) -> list[Caveat]:
    """Say where signed ranks cannot reject whatever the scores: n signs have a smallest p-value of 2^(1 - n)."""
    least = 2.0 ** (1 - drawn)
    if least > alpha:
        text = (
            f"With {drawn} data sets the p-values of Wilcoxon's and the sign test are at least {least:.2g}: neither"
            f" can reject at {alpha:g}, whatever the scores. Draw at least {int(np.ceil(1 - np.log2(alpha)))}."
        )
        return [Caveat("least-pvalue", text)]
    out = []
    for what, tests in (("all pairs", count * (count - 1) // 2), ("a control", count - 1)):
        named = [name for name in corrections if name in TIMES_ALL and (what == "all pairs" or name in TIMES_ALL[:2])]
        if count > 2 and named and tests * least > alpha:
            text = (
                f"With {drawn} data sets Wilcoxon's p-value is at least {least:.2g}; corrected for {tests} tests of"
                f" {what} ({', '.join(named)}) it can never reject, whatever the scores."
            )
            out.append(Caveat("least-pvalue", text))
    return out


TIMES_ALL = ("bonferroni", "holm", "shaffer", "bergmann-hommel")
"""Corrections that multiply the smallest p-value by the number of all tests."""


def how_to_read(found: dict[str, Any], n_datasets: int) -> Caveats:
    """Say what bias and replicability mean, and that draws overlap."""
    drawn: int = found["drawn"]
    shared = drawn**2 / n_datasets
    whom = "the other one" if found["by"] == "pair" else "the mean of all others"
    unit = (
        "in shares of 1 (a percentage is divided by 100)" if found["unit"] == "share" else "in its standard deviations"
    )
    said = (
        f"A data set is drawn with a probability proportional to 1 / (1 + exp(-k d)), d being by how much the first of"
        f" the pair is better than {whom}, {unit}. Choosing data sets by their results is a simulation, not a way to"
        " compare.",
        "Rejections are of the two-sided test, whichever of the two is better; no post hoc test waits for the omnibus"
        " test. Against a control, the first of the pair is the control.",
        "R(p) is 1 less twice the variance of p, R(e) the share of pairs of draws that decide alike. A test that"
        " always or never rejects has R(e) = 1 as well: read it beside the rejections.",
    )
    overlap = (
        f"Without bias two draws of {drawn} from {n_datasets} data sets share {shared:.1f} in the mean, so p-values"
        " vary less than they would over new data sets, and less still as the bias grows."
    )
    return (*(Caveat("how-to-read", each) for each in said), Caveat("dependent-blocks", overlap))
