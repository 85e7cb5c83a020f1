"""What stopping early costs: runs that stop when an answer is settled, beside looks that are paid for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha, check_choice
from tiebreak.caveats import Caveat, Caveats
from tiebreak.comparison import compare
from tiebreak.documents import Document, Framed, Row, Table, as_came_in
from tiebreak.documents.tabling import table_of
from tiebreak.lab.early_stopping import UNTIL, Settling
from tiebreak.stats.numeric.differences import check_count
from tiebreak.studies.error_rates import Rate, in_own_setting
from tiebreak.studies.procedures import NOISES, TRUTHS, Own, differing
from tiebreak.studies.result import StudyResult
from tiebreak.studies.special_procedures import PEEKING, peeking_rejections


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Replayed:
    """What one run decided, better[i, j] where j is better than i, and on how many data sets it ran each algorithm."""

    better: BoolArray
    runs: IntArray


def by_bets(errors: FloatArray, until: str, alpha: float, bet: str) -> Replayed:
    """Run by `Settling`, which looks after every data set."""
    names = [str(i) for i in range(errors.shape[1])]
    run = Settling(names, alpha=alpha, until=until, total=len(errors), bet=bet)
    for row in errors:
        if not run.take(dict(zip(names, row.tolist(), strict=True))):
            break
    return Replayed(better=run.better, runs=run.found().runs)


RULES = ("ranks", "signs")
"""What is bet on."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Saving(Framed):
    """What one rule saved on one table, in the mean over orders of its data sets.

    `saved` is the share of fits that were not made. Of the significant differences in the whole table,
    `found` is the share that the run decided alike; `more` counts pairs that only the run decided,
    `contrary` those decided the other way. `lost` is the share of orders in which the run called an
    algorithm worse that no other one beats on the
    whole table, `left` how many algorithms the run left unbeaten, `left_by_all` how many the whole table does, and
    `same` the share of orders in which these are the same.
    """

    table: str
    n_datasets: int
    n_algorithms: int
    rule: str
    until: str
    saved: float
    found: float
    more: float
    contrary: float
    lost: float
    left: float
    left_by_all: int
    same: float


def saving(
    table: str, errors: FloatArray, whole: BoolArray, rule: str, until: str, *, orders: list[IntArray],
    alpha: float,
) -> Saving:  # fmt: skip
    """Replay a rule in each order and hold it against what the whole table decides, whole[i, j] where j is better."""
    found = [by_bets(errors[order], until, alpha, rule) for order in orders]
    better = np.stack([each.better for each in found])
    unbeaten = np.logical_not(better.any(axis=2))
    best = np.logical_not(whole.any(axis=1))
    decided = max(1, int(whole.sum()))
    return Saving(
        table=table,
        n_datasets=len(errors),
        n_algorithms=errors.shape[1],
        rule=f"bets on {rule}",
        until=until,
        saved=1 - float(np.mean([each.runs.sum() for each in found])) / errors.size,
        found=float((better & whole).sum(axis=(1, 2)).mean()) / decided,
        more=float((better & ~whole & ~whole.T).sum(axis=(1, 2)).mean()),
        contrary=float((better & whole.T).sum(axis=(1, 2)).mean()),
        lost=float(np.any(best & ~unbeaten, axis=1).mean()),
        left=float(unbeaten.sum(axis=1).mean()),
        left_by_all=int(best.sum()),
        same=float(np.all(unbeaten == best, axis=1).mean()),
    )


CONFIDENCE = 0.99
USUAL_NOISES = ("normal", "heavy", "tied", "unequal", "0/1")
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SettledEarly(StudyResult):
    """What the study of early ends found: error rates where one looks all the time, and fits saved on real tables."""

    STUDY = "settled"
    SETTINGS = ("n_datasets", "n_algorithms", "repetitions", "orders", "alpha")

    rates: tuple[Rate, ...]
    savings: tuple[Saving, ...]
    n_datasets: int
    n_algorithms: int
    repetitions: int
    orders: int
    alpha: float

    def title(self) -> str:
        """Say in one line what was done."""
        return (
            f"Runs that end early, alpha {self.alpha:g}: {self.repetitions} simulated tables of {self.n_datasets} data"
            f" sets x {self.n_algorithms} algorithms, and {self.orders} orders of each given table"
        )

    def rows(self) -> list[Row]:
        """Return one row per table, rule and goal."""
        return [row for each in self.savings for row in each.rows()]

    def measured(self) -> dict[str, Any]:
        """Return the error rates, and what was saved."""
        return {"rates": [row for each in self.rates for row in each.rows()], "savings": self.rows()}

    def document(self) -> Document:
        """Return the tables, each with its heading."""
        tables = (*self._simulated(), *(self._saved(until) for until in UNTIL if self.savings))
        return Document(title=self.title(), tables=tables, caveats=self.caveats)

    def _simulated(self) -> list[Table]:
        """Family-wise error and power: procedures down, noises across."""
        made = []
        shown = (
            ("Family-wise error where all are equal, at any look", "null", "error"),
            ("Family-wise error where some are equal, at any look", "partial", "error"),
            ("Share of the real differences found where some are equal", "partial", "found"),
        )
        for caption, truth, measure in shown:
            asked = [each for each in self.rates if each.truth == truth]
            noises = list(dict.fromkeys(each.noise for each in asked))
            cells = {(each.procedure, each.noise): f"{getattr(each, measure):.3f}" for each in asked}
            procedures = dict.fromkeys(each.procedure for each in asked)
            body = tuple((name, *(cells[name, noise] for noise in noises)) for name in procedures)
            header = ("procedure", *(noise.removeprefix(f"{PEEKING}, ") for noise in noises))
            made += [Table(caption=caption, header=header, body=body)] if body else []
        return made

    def _saved(self, until: str) -> Table:
        shown = [row for each in self.savings if each.until == until for row in each.rows()]
        rows = [{name.replace("_", " "): row[name] for name in row if name != "until"} for row in shown]
        return table_of(rows, f"Fits saved, until {UNTIL[until]}", texts=frozenset({0, 3}))


@as_came_in
def settled_early(
    tables: Mapping[str, Any] | None = None,
    *,
    score: str | None = None,
    orders: int = 20,
    n_datasets: int = 30,
    n_algorithms: int = 6,
    repetitions: int = 1000,
    noises: Sequence[str] = USUAL_NOISES,
    alpha: float = 0.05,
    rng: int | np.random.Generator = 0,
    progress: Say | None = None,
    **reading: Any,
) -> SettledEarly:
    """Measure what a run that looks after every data set gets wrong, and how many fits it saves.

    Hypothesis: of every procedure but the last, that the probability of any false difference at any look is at most
    alpha.

    Formula: tables are simulated as in `error_rates`, and looked at after every data set by bets on signed ranks with
    `tiebreak.stats.closed_evalues`, by bets on signs with Shaffer's correction, and by Wilcoxon's test that is simply
    repeated; once by Wilcoxon's test. Given tables are put into random orders of their data sets and replayed by each
    rule, algorithms stopped as `tiebreak.lab.early_stopping.Settling` says. What a run decided is held against what
    `tiebreak.compare` decides from the whole table.

    Assumptions: those of the simulated settings. The whole table is what a run would have led to, not the truth.
    When not to use it: to plan an experiment (use `tiebreak.stats.datasets_needed_by_simulation`).

    Parameters
    ----------
    tables : mapping, optional
        Tables of results by name, of any kind that `tiebreak.compare` takes. By default the published one of 38 data
        sets and 8 algorithms. Data sets with gaps are left out.
    score : str, optional
        The score to compare; needed where tables hold several.
    orders : int, default 20
        Random orders of each table.
    n_datasets, n_algorithms, repetitions : int
        Sizes and number of the simulated tables.
    noises : sequence of str
        Some of those of `error_rates`.
    alpha : float, default 0.05
    rng : int or numpy.random.Generator, default 0
    progress : callable, optional
        Called with a line of text before each step.
    **reading : optional
        How to read what is no Results yet; see `tiebreak.compare`.

    Returns
    -------
    SettledEarly

    References
    ----------
    armitage1969
    maurer2013
    vovk2021
    waudbysmith2024

    Examples
    --------
    >>> found = settled_early(orders=2, repetitions=20, noises=["normal"])
    >>> sorted({each.until for each in found.savings}), max(each.contrary for each in found.savings)
    (['best', 'settled'], 0.0)
    """
    from tiebreak.readers import published

    level = check_alpha(alpha)
    sizes = (
        check_count("n_datasets", n_datasets, least=10, usual=30),
        check_count("n_algorithms", n_algorithms, least=3, usual=6),
    )
    check_count("repetitions", repetitions, usual=1000)
    check_count("orders", orders, usual=20)
    chosen = [check_choice("noise", noise, NOISES) for noise in noises]
    say = progress or (lambda _: None)
    given = {"ulas2012": published.ulas2012()} if tables is None else tables
    first, second = np.random.default_rng(rng).spawn(2)
    rates = _simulated(chosen, (repetitions, *sizes), first, level, say)
    asked = {"score": score or ("accuracy" if tables is None else None), "alpha": level, **reading}
    savings = [
        each
        for (name, table), stream in zip(given.items(), second.spawn(len(given)), strict=True)
        for each in _on_table(name, table, asked, orders, stream, say)
    ]
    return SettledEarly(
        rates=tuple(rates),
        savings=tuple(savings),
        n_datasets=sizes[0],
        n_algorithms=sizes[1],
        repetitions=int(repetitions),
        orders=int(orders),
        alpha=level,
        caveats=_how_to_read(),
    )


def _simulated(
    noises: list[str], shape: tuple[int, int, int], rng: np.random.Generator, alpha: float, say: Say
) -> list[Rate]:
    """Every noise and truth has a stream of its own."""
    repetitions, *sizes = shape
    looks = partial(peeking_rejections, shape=(sizes[0], sizes[1]), at_the_end=True)
    out = []
    for noise, noise_stream in zip(NOISES, rng.spawn(len(NOISES)), strict=True):
        for truth, stream in zip(TRUTHS[:2], noise_stream.spawn(2), strict=True):
            if noise in noises:
                say(f"{noise} noise, {truth}")
                setting = (f"{PEEKING}, {noise}", truth)
                own = Own((setting,), looks, differing(sizes[1]))
                out += in_own_setting(own, setting, repetitions, stream, alpha=alpha, confidence=CONFIDENCE)
    return out


def _on_table(
    name: str, table: Any, asked: Mapping[str, Any], orders: int, rng: np.random.Generator, say: Say
) -> list[Saving]:
    """Let the whole table decide first; what it compares is what the runs are replayed on."""
    whole = compare(table, missing="drop-datasets", **asked)
    errors, count = whole.compared, len(whole.algorithms)
    better = np.zeros((count, count), dtype=bool)
    tests = whole.tests
    better[tests.a, tests.b] = whole.significant & (tests.statistic > 0)
    better[tests.b, tests.a] = whole.significant & (tests.statistic < 0)
    sequences = [rng.permutation(len(errors)) for _ in range(orders)]
    out = []
    for until in UNTIL:
        for rule in RULES:
            say(f"{name}: bets on {rule}, until {until}")
            out.append(saving(name, errors, better, rule, until, orders=sequences, alpha=asked["alpha"]))
    return out


def _how_to_read() -> Caveats:
    said = (
        "Bets look after every data set and need no plan.",
        "found: share of the significant differences in the whole table that the run found alike; more, contrary:"
        " pairs that the run alone decided, or the other way round; left, left by all: algorithms that no other one"
        " beats, in the run and on the whole table; lost: share of orders in which the run dropped one of the latter;"
        " same: share in which these are the same.",
    )
    return tuple(Caveat("how-to-read", each) for each in said)
