"""The answer after a pilot: which algorithm to use, how good it is on held-out rows, and what it may lose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tiebreak.advisor import Recommendation
from tiebreak.advisor.budget_plan import duration
from tiebreak.advisor.pilot.fits import JudgedBy
from tiebreak.caveats import Caveats, codes_of
from tiebreak.documents import Answer, Document, Framed, Row, Shown, Table, listed
from tiebreak.documents.words import amount, finite
from tiebreak.errors import InputError
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.lab.fitting import FittingCode

CHEAPER = 5.0
"""A rival is worth a line if it is so many times faster, and at most `NEAR` behind."""
NEAR = 0.02
SAME = 5e-4
"""Scores that differ by less are written alike."""
WORTH = "behind after trade"
"""The column of how far the score less what the seconds cost is behind that of the answer."""
SECONDS = "seconds"
"""The column of what all fits of an algorithm took together: CPU seconds of a pilot, those of the clock of a run."""
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
    measured_rows : int
        Rows that finished folds of the answer were measured on, each once.
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
    measured_rows: int
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
        if self.best is None:
            return self._none()
        score, trivial, _ = self.judged.words
        value, beside, where = self._answer.score, self.trivial, self._measured()
        if self.held_out is not None and self.trivial_held_out is not None:
            value, beside, where = self.held_out, self.trivial_held_out, f"on {self.held_out_rows:,} held-out rows"
        mean = f"mean of {self._answer.folds} fits; " if self._answer.folds > 1 else ""
        written = self.judged.written
        return f"Use {self.best}: {score} {written(value)} {where} ({mean}{trivial} {written(beside)})."

    def _none(self) -> str:
        """Say that nothing is better than the trivial answer, and by which rows."""
        score, trivial, _ = self.judged.words
        first, held = self.tried[0], self.trivial_held_out
        alone = len(self.tried) == 1
        few = f"Use none: only {first.algorithm} was tried" if alone else f"Use none of the {len(self.tried)} tried"
        if held is None or first.held_out is None or self.judged.ahead(first.held_out, held) >= -SAME:
            beside = "" if held is None else f" ({score} {self.judged.written(held)})"
            return f"{few}{', which is no' if alone else ': none is'} better than the {trivial}{beside}."
        name = "it" if alone else f"{first.algorithm}, the most promising,"
        value, beside = self.judged.written(first.held_out), self.judged.written(held)
        rows = f"{self.held_out_rows:,} held-out rows"
        return f"{few}{', and' if alone else ':'} on {rows} {name} has {score} {value}, the {trivial} {beside}."

    @property
    def _answer(self) -> Piloted:
        return next(algorithm for algorithm in self.algorithms if algorithm.algorithm == self.best)

    def _measured(self) -> str:
        """How the score of the answer was measured where no rows were held out."""
        return f"on {self.measured_rows:,} rows of cross-validation, a little optimistic"

    def rows(self) -> list[Row]:
        """Return one row per algorithm tried: how far it is expected to be behind the answer, best first.

        Where nothing is better than the trivial answer, that answer is the first row, and the algorithms are behind it
        on the held-out rows, or by their folds without these. With a trade the order is by what is behind once time is
        charged.
        """
        judged, none, held = self.judged, self.best is None, self.trivial_held_out
        reference = self._answer.expected if not none else self.trivial if held is None else held
        out: list[Row] = [
            {
                "tried": piloted.algorithm,
                judged.unit: judged.behind(
                    reference,
                    piloted.expected
                    if not none
                    else float((piloted.score if held is None else piloted.held_out) or 0.0),
                ),
                "folds": piloted.folds,
                SECONDS: None if piloted.seconds is None else piloted.seconds * piloted.folds,
                **(
                    {WORTH: judged.behind_by(reference, -piloted.after_trade)}
                    if piloted.after_trade is not None
                    else {}
                ),
            }
            for piloted in self.tried
        ]
        last = WORTH if self.traded and not none else judged.unit
        out.sort(key=lambda row: float(row[last]))  # type: ignore[arg-type]
        nothing = {WORTH: None} if self.traded else {}
        trivial: Row = {"tried": judged.words[1], judged.unit: 0.0, "folds": None, SECONDS: None, **nothing}
        return [trivial, *out] if none else out

    @property
    def answer(self) -> Answer:
        """Which algorithm to use, what a faster one loses, and what is expected to be lost."""
        others = [piloted.algorithm for piloted in self.tried if piloted.algorithm != self.best]
        return Answer(
            headline=self.title(),
            use=self.best or "",
            saves=" ".join(self._cheaper()),
            sure=self._loss(),
            next_best=others[0] if self.best is not None and others else "",
            rests_on=self._rests_on(),
            table=self.printed_table() if self.tried else None,
            facts=(*self._cheaper(), *self._sure(), *self._data()),
            notes=tuple(self._notes()),
            more=(self._more(),),
        )

    def printed_table(self, caption: str = "", **options: Any) -> Table:
        """Return the table of the answer; it is sorted by its second column, with a trade by its last."""
        unit, behind = self.judged.unit, self.judged.written_behind
        body = tuple(
            (
                str(row["tried"]),
                behind(row[unit]),
                "-" if row["folds"] is None else str(row["folds"]),
                "-" if row[SECONDS] is None else _seconds(row[SECONDS]),
                *(("-" if row[WORTH] is None else behind(row[WORTH]),) if self.traded else ()),
            )
            for row in self.rows()
        )
        header = ("tried", unit, "folds", SECONDS, *((WORTH,) if self.traded else ()))
        return Table(caption=caption, header=header, body=body, left=1, **options)

    def _cheaper(self) -> list[str]:
        """Name the fastest algorithm that is nearly as good, by predicted seconds, which no clock changes."""
        if self.best is None:
            return []
        current = self._answer
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
        apart = self.judged.difference(current.expected, near.expected)
        how = f"{apart} behind" if self.judged.ahead(current.expected, near.expected) >= 5e-4 else "as good"
        return [f"{near.algorithm} is expected to be {how} in {_fraction(ratio)} of the time."]

    def _sure(self) -> list[str]:
        """Say what the answer may lose, and how it was measured."""
        why = ", which ended it" if self.limited else ""
        more = f" {len(self.untried)} more were not tried: {either('try_out', '--run 5min')}." if self.untried else ""
        return [
            *self._doubts(),
            *([f"How sure: {self._loss()}"] if self._loss() else []),
            *self._trade(),
            self._rests_on(),
            f"{self._fitted()}; the pilot took {self.seconds:.1f} of {self.budget:g} s{why}.{more}",
            *self._on_all_rows(),
        ]

    def _fitted(self) -> str:
        """Say how many fits were made, on which rows, and what they took."""
        sample = "" if self.n_rows >= (self._all_rows() or 0) else f" of a sample of {self.n_rows:,} rows"
        spent = sum(piloted.seconds * piloted.folds for piloted in self.tried if piloted.seconds)
        return f"{self.fits} fit{'' if self.fits == 1 else 's'}{sample}, {_seconds(spent)} s in all"

    def _rests_on(self) -> str:
        return f"Expected from the folds and from results on {self.known} other data sets."

    def _loss(self) -> str:
        """Say how sure the answer is: what it may lose against the best of all learners."""
        if self.best is None or len(self.algorithms) < 2:
            return ""
        judged, score = self.judged, self._answer.expected
        most = judged.difference(score, judged.score_of(judged.success(score) + self.loss_at_most))
        return f"90% sure that {self.best} is at most {most} behind the best of {len(self.algorithms)} learners."

    def _trade(self) -> list[str]:
        """Say what was traded, with what seconds."""
        if not self.traded:
            return []
        return [
            f"{self.recommendation.sentence}: {WORTH!r}, and how sure it is, count that, by measured seconds of a fit,"
            " before one by predicted ones."
        ]

    def _on_all_rows(self) -> list[str]:
        """Say how long the answer takes on all rows, where only a sample was fitted."""
        rows, times = self._all_rows() or 0, self.recommendation.times
        if self.best is None or times is None or rows <= self.n_rows:
            return []
        seconds, _, high = times.of(self.best)
        piloted = self._answer
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
        held, beside = self.held_out, self.trivial_held_out
        if held is not None and beside is not None and self.judged.ahead(held, beside) <= SAME:
            out.append(f"On the held-out rows {self.best} is no better than the {trivial}.")
        if self.best is None and self.judged.score == "accuracy":
            out.append(f"Where the rarer classes matter, judge by {option(score='auc')}.")
        return out

    def _above_the_answer(self) -> list[str]:
        """Name algorithms of which more is expected, and whose folds do not show it."""
        names = [piloted.algorithm for piloted in self.tried]
        return [] if self.best is None else names[: names.index(self.best)]

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


def _seconds(value: object) -> str:
    return f"{float(value):.2f}" if float(value) < 10 else amount(float(value))  # type: ignore[arg-type]


def _fraction(ratio: float) -> str:
    """Say what share of the time a faster algorithm takes."""
    words = {5: "a fifth", 10: "a tenth", 20: "a twentieth", 50: "a fiftieth", 100: "a hundredth"}
    nearest = max((word for word in words if word <= ratio * 1.05), default=5)
    return words[nearest]
