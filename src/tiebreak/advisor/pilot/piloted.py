"""The answer after a pilot: which algorithm to use, how good it is on held-out rows, and what it may lose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.advisor import Recommendation
from tiebreak.advisor.budget_plan import duration
from tiebreak.advisor.pilot.fits import JudgedBy
from tiebreak.caveats import Caveats, codes_of
from tiebreak.documents import Answer, Document, Framed, Row, Shown, Table, listed
from tiebreak.documents.layout import text_table
from tiebreak.documents.words import amount, finite
from tiebreak.errors import InputError
from tiebreak.stats.items.proportions import wilson_interval
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.lab.fitting import FittingCode

WIDTH = 80
SHOWN = 9
"""Rows of the table on a screen; the long answer has all."""
CHEAPER = 5.0
"""A rival is worth a line if it is so many times faster, and at most `NEAR` behind."""
NEAR = 0.02
WORTH = "after trade"
"""The column of the score less what the seconds cost, against the answer."""
_SERIOUS = ("known-itself", "target-given-away", "data-suspicious")
"""Caveats that the short answer holds; the others are in the long one."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Piloted(Framed):
    """One algorithm of a pilot.

    `expected` is the score that past results and the pilot together lead one to expect, `score` the mean of its
    finished folds, `held_out` its score on rows that the choice did not see. `seconds` are CPU seconds of one fit as
    measured, `predicted` as predicted from the base. `after_trade` is how far the algorithm is ahead of the
    answer in score less what the seconds cost, None without a trade.
    """

    algorithm: str
    expected: float
    score: float | None
    folds: int
    held_out: float | None
    seconds: float | None
    predicted: float | None
    after_trade: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PilotedRecommendation(Shown):
    """A recommendation that was piloted on the data themselves.

    Parameters
    ----------
    recommendation : Recommendation
        What past results alone say.
    best : str or None
        The algorithm to use; None where nothing that was fitted is better than the trivial answer.
    algorithms : tuple of Piloted
        Best first: those that were fitted, then those that could be.
    trivial : float
        The expected score of the trivial answer: the most frequent class, or the mean.
    held_out, held_out_rows, trivial_held_out
        The score of the answer on rows that the choice did not see, how many they are, and that of the trivial answer;
        None and 0 where too few rows allowed none.
    expected_loss, loss_at_most : float
        What the answer is expected to lose against the best of the list, in the unit of the score, and the 90 % point.
    fits : int
        Finished fits.
    n_rows : int
        Rows that were piloted; fewer than the data have where these are large.
    known : int
        Other data sets whose results the expected scores rest on.
    limited : bool
        Whether the time ended the pilot.
    untried : tuple of str
        Algorithms of the base that can be fitted here and were not.
    missing : tuple of str
        Algorithms whose libraries are not installed, and in `install` the command that installs them.
    code : FittingCode or None
        The lines that fit the answer on all rows.
    judged : JudgedBy
    seconds, budget : float
        What the pilot took by the clock, and what it was allowed.
    caveats : tuple of Caveat
    """

    recommendation: Recommendation
    best: str | None
    algorithms: tuple[Piloted, ...]
    trivial: float
    held_out: float | None
    held_out_rows: int
    trivial_held_out: float | None
    expected_loss: float
    loss_at_most: float
    fits: int
    n_rows: int
    known: int
    limited: bool
    untried: tuple[str, ...]
    missing: tuple[str, ...]
    install: str
    failed: Mapping[str, str]
    code: FittingCode | None
    judged: JudgedBy
    seconds: float
    budget: float
    caveats: Caveats = ()

    @property
    def dataset(self) -> str:
        """The data set that it is for."""
        return self.recommendation.dataset

    def fit(self, X: Any = None, y: Any = None) -> Any:
        """Run `code` and return the learner, fitted on all rows; it takes raw new rows.

        `X` and `y` are needed where the data came as a frame or as arrays: `X` a frame with their columns.
        """
        if self.code is None:
            raise InputError(
                self.title(), why="There is nothing to fit.", mend="Give it more time, or other algorithms."
            )
        return self.code.fit(X, y)

    @property
    def traded(self) -> bool:
        """Whether time counted: there was a trade, and the pilot followed it."""
        return any(algorithm.after_trade is not None for algorithm in self.algorithms)

    @property
    def tried(self) -> tuple[Piloted, ...]:
        """The algorithms with a finished fit, best first."""
        return tuple(algorithm for algorithm in self.algorithms if algorithm.folds)

    def title(self) -> str:
        """Say in one line what to use."""
        score, trivial, _ = self.judged.words
        if self.best is None:
            beside = "" if self.trivial_held_out is None else f" ({score} {_number(self.trivial_held_out)})"
            return f"Use none of the {len(self.tried)} tried: none is better than the {trivial}{beside}."
        if self.held_out is None:
            piloted = next(algorithm for algorithm in self.algorithms if algorithm.algorithm == self.best)
            expected = f"{score} {_number(piloted.expected)} in {self._measured()}"
            return f"Use {self.best}: {expected} ({trivial} {_number(self.trivial)})."
        return (
            f"Use {self.best}: {score} {_number(self.held_out)}{self._interval()} on {self.held_out_rows:,} held-out"
            f" rows ({trivial} {_number(self.trivial_held_out)})."
        )

    def _measured(self) -> str:
        """How the score of the answer was measured where no rows were held out."""
        return "cross-validation, a little optimistic"

    def _interval(self) -> str:
        """The 95 % interval of an accuracy; other scores have none that is known to hold."""
        if self.judged.score != "accuracy" or self.held_out is None:
            return ""
        low, high = wilson_interval(round(self.held_out * self.held_out_rows), self.held_out_rows).tolist()
        return f" (95% CI {low:.2f} to {high:.2f})"

    def rows(self) -> list[Row]:
        """Return one row per algorithm tried and the trivial answer, by expected score; by what counts with a trade."""
        score = self.judged.words[0]
        trivial: Row = {"tried": self.judged.words[1], score: self.trivial, "folds": None, "seconds": None}
        out: list[Row] = [
            {"tried": piloted.algorithm, score: piloted.expected, "folds": piloted.folds, "seconds": piloted.seconds}
            | ({WORTH: piloted.after_trade} if self.traded else {})
            for piloted in self.tried
        ]
        if self.traded:
            return [*sorted(out, key=lambda row: -float(row[WORTH])), trivial | {WORTH: None}]  # type: ignore[arg-type]
        return sorted([*out, trivial], key=lambda row: -self.judged.ahead(float(row[score]), 0.0))  # type: ignore[arg-type]

    @property
    def answer(self) -> Answer:
        """Which algorithm to use, what a faster one loses, and what is expected to be lost."""
        return Answer(
            headline=self.title(),
            use=self.best or "",
            saves=" ".join(self._cheaper()),
            sure=" ".join(self._loss()),
            next_best=next((piloted.algorithm for piloted in self.tried if piloted.algorithm != self.best), ""),
            rests_on=f"Expected from the folds and from results on {self.known} other data sets.",
            table=self.printed_table(),
            facts=(*self._sure(), *self._data()),
            notes=tuple(self._notes()),
            more=(self._more(),),
        )

    def __str__(self) -> str:
        table = self.printed_table(most=SHOWN)
        lines = [fill(item, WIDTH, subsequent_indent="  ") for item in (*self._sure(), *self._data(), *self._notes())]
        parts = [fill(self.title(), WIDTH), *[fill(name, WIDTH) for name in self._cheaper()], ""]
        if self.tried:
            parts += [text_table(table.header, table.body, texts=table.words), ""]
        return "\n".join([*parts, *lines, self._more()])

    def printed_table(self, caption: str = "", *, most: int | None = None, **options: Any) -> Table:
        """Return the table of the answer; with `most` no more rows than that, and that of the trivial answer."""
        score = self.judged.words[0]
        rows = [row for i, row in enumerate(self.rows()) if most is None or i < most or row["folds"] is None]
        body = tuple(
            (
                str(row["tried"]),
                _number(row[score]),
                "-" if row["folds"] is None else str(row["folds"]),
                "-" if row["seconds"] is None else _seconds(row["seconds"]),
                *(("-" if row[WORTH] is None else f"{row[WORTH]:+.3f}",) if self.traded else ()),
            )
            for row in rows
        )
        header = ("tried", f"expected {score}", "folds", "seconds", *((WORTH,) if self.traded else ()))
        return Table(caption=caption, header=header, body=body, left=1, **options)

    def _cheaper(self) -> list[str]:
        """Name the fastest algorithm that is nearly as good, by predicted seconds, which no clock changes."""
        if self.best is None:
            return []
        current = next(piloted for piloted in self.tried if piloted.algorithm == self.best)
        beaten = [
            piloted
            for piloted in self.tried
            if piloted.predicted
            and current.predicted
            and current.predicted >= CHEAPER * piloted.predicted
            and 0 <= self.judged.ahead(current.expected, piloted.expected) <= NEAR
            and self.judged.ahead(piloted.expected, self.trivial) > 0
        ]
        if not beaten:
            return []
        near = min(beaten, key=lambda item: self.judged.ahead(current.expected, item.expected))
        assert current.predicted and near.predicted
        ratio = current.predicted / near.predicted
        behind = self.judged.ahead(current.expected, near.expected)
        way = "lower" if self.judged.ahead(1.0, 0.0) > 0 else "higher"
        apart = self.judged.difference(current.expected, near.expected)
        how = f"be {apart} {way}" if behind >= 5e-4 else "be as good"
        return [f"{near.algorithm} is expected to {how} in {_fraction(ratio)} of the time."]

    def _sure(self) -> list[str]:
        """Say what the answer may lose, and how it was measured."""
        why = "; the time ended it" if self.limited else ""
        more = f" {len(self.untried)} more were not tried: {either('try_out', '--run 5min')}." if self.untried else ""
        sample = "" if self.n_rows >= (self._all_rows() or 0) else f" of a sample of {self.n_rows:,} rows"
        count = f"{self.fits} fit{'' if self.fits == 1 else 's'}{sample}"
        return [
            f"Expected from the folds and from results on {self.known} other data sets.",
            *self._doubts(),
            *self._trade(),
            *self._loss(),
            f"{count} in {self.seconds:.1f} of {self.budget:g} s{why}.{more}",
            *self._on_all_rows(),
        ]

    def _loss(self) -> list[str]:
        """Say what the answer may lose against the best of the list."""
        expecteds = [algorithm.expected for algorithm in self.algorithms if algorithm.algorithm == self.best]
        return [self.judged.lost(self.expected_loss, self.loss_at_most, score) for score in expecteds]

    def _trade(self) -> list[str]:
        """Say what was traded, with what seconds."""
        if not self.traded:
            return []
        return [
            f"{self.recommendation.sentence}: {WORTH} is the score less that, against the answer; by measured seconds"
            " of a fit, before one by predicted ones. The expected loss is of it."
        ]

    def _on_all_rows(self) -> list[str]:
        """Say how long the answer takes on all rows, where only a sample was fitted."""
        rows, times = self._all_rows() or 0, self.recommendation.times
        if self.best is None or times is None or rows <= self.n_rows:
            return []
        seconds, _, high = times.of(self.best)
        piloted = next(algorithm for algorithm in self.algorithms if algorithm.algorithm == self.best)
        here = (
            piloted.seconds / piloted.predicted if piloted.seconds and piloted.predicted else 1.0
        )  # faster or slower than predicted
        about, most = duration(here * seconds), duration(here * high)
        return [f"To fit {self.best} on all {rows:,} rows takes about {about} (at most {most})."]

    def _doubts(self) -> list[str]:
        """Say where the trivial answer is level, with the answer or with others of which more is expected."""
        trivial, out = self.judged.words[1], []
        above = self._above_the_answer()
        if above:
            out.append(f"{listed(above)}: no better than the {trivial} on the same folds.")
        known = self.best is not None and self.held_out is not None and self.trivial_held_out is not None
        if known and self.judged.ahead(self.held_out, self.trivial_held_out) <= 0:  # type: ignore[arg-type]
            out.append(f"On the held-out rows {self.best} is no better than the {trivial}.")
        return out

    def _above_the_answer(self) -> list[str]:
        """Name algorithms of which more is expected, and whose folds do not show it."""
        names = [piloted.algorithm for piloted in self.tried]
        if self.best is None:
            return [n.algorithm for n in self.tried if self.judged.ahead(n.expected, self.trivial) > 0]
        return names[: names.index(self.best)]

    def _all_rows(self) -> int | None:
        return None if self.recommendation.about is None else self.recommendation.about.rows

    def _data(self) -> list[str]:
        about = self.recommendation.about
        return [] if about is None else [about.brief()]

    def _notes(self) -> list[str]:
        out = [f"Failed: {name} ({why[:60]})." for name, why in list(self.failed.items())[:2]]
        out += [str(caveat) for caveat in self.caveats if getattr(caveat, "code", "") in _SERIOUS][:4]
        if self.missing:
            out.append(f"Not installed: {listed(self.missing, most=4)}: {self.install}")
        return out

    def _more(self) -> str:
        return either("More: .recommendation   Code: .code", "More: --full   Code: --code fit.py")

    def document(self) -> Document:
        """Return the answer, its table, and what past results say."""
        sentences = (*self._cheaper(), *self._sure(), *self._data(), *self._notes())
        before = self.recommendation.document()
        fits = f"{self.fits} fits on {self.n_rows:,} rows were chosen by the knowledge gradient per second."
        return Document(
            title=self.title(),
            heading=f"Which algorithm to use on {self.dataset!r}",
            said=(*sentences, *before.first, f"By past results alone: {before.title}."),
            answer=(self.title(),),
            decided=sentences,
            tables=(self.printed_table("Pilot"), *before.tables),
            notes=before.notes,
            method=(fits, *before.method),
            papers=("frazier2009", *before.papers),
            caveats=self.caveats,
            code="" if self.code is None else self.code.text,
            code_heading=f"To fit {self.best} on all rows",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data: clock times stand in `timing` alone."""
        base = self.recommendation.to_dict()
        before = {row["algorithm"]: row for row in base["ranking"]}
        ranking = [
            {
                **before.get(algorithm.algorithm, {"algorithm": algorithm.algorithm}),
                "rank": float(place),
                "expected": finite(algorithm.expected),
                "pilot_score": algorithm.score,
                "pilot_folds": algorithm.folds,
                "held_out": algorithm.held_out,
                **(
                    {"after_trade": finite(algorithm.after_trade)}
                    if self.traded and algorithm.after_trade is not None
                    else {}
                ),
            }
            for place, algorithm in enumerate(self.algorithms, start=1)
        ]
        algorithms = {algorithm.algorithm for algorithm in self.algorithms}
        rest = [row for name, row in before.items() if name not in algorithms]
        ranking += [row | {"rank": float(len(ranking) + i)} for i, row in enumerate(rest, start=1)]
        pilot = {
            "best": self.best,
            "score": self.judged.score,
            "held_out": self.held_out,
            "held_out_rows": self.held_out_rows,
            "trivial": {"answer": self.judged.answer, "expected": self.trivial, "held_out": self.trivial_held_out},
            "fits": self.fits,
            "rows": self.n_rows,
            "untried": list(self.untried),
            "missing": list(self.missing),
            "failed": dict(self.failed),
            "code": None if self.code is None else self.code.text,
        }
        clock = {
            "pilot_seconds": self.seconds,
            "pilot_budget": self.budget,
            "limited": self.limited,
            "fit_seconds": {piloted.algorithm: finite(piloted.seconds) for piloted in self.tried},
        }
        return base | {
            "answer": self.answer.to_dict(),
            "ranking": ranking,
            "portfolio": list(self.recommendation.algorithms),
            "pilot": pilot,
            "expected_loss": {"mean": finite(self.expected_loss), "high": finite(self.loss_at_most), "level": 0.9},
            "timing": base["timing"] | clock,
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }


def _number(value: object) -> str:
    return "-" if value is None or not np.isfinite(float(value)) else f"{float(value):.3f}"  # type: ignore[arg-type]


def _seconds(value: object) -> str:
    return f"{float(value):.2f}" if float(value) < 10 else amount(float(value))  # type: ignore[arg-type]


def _fraction(ratio: float) -> str:
    """Say what share of the time a faster algorithm takes."""
    words = {5: "a fifth", 10: "a tenth", 20: "a twentieth", 50: "a fiftieth", 100: "a hundredth"}
    nearest = max((word for word in words if word <= ratio * 1.05), default=5)
    return words[nearest]
