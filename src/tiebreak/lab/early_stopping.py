"""Which algorithms a run can stop early: pairs are judged after every data set, by tests that allow it.

Data sets are taken in random order. After each, every pair that was run on it adds to its evidence
(`tiebreak.stats.two.anytime`), corrected for all pairs (`tiebreak.stats.closed_evalues`); what is decided once stays
decided. An algorithm about which nothing is open is not run on further data sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import isnan

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha, check_choice, check_names, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import Document, Row, Shown, Table
from tiebreak.errors import InputError, quoted
from tiebreak.ordering import multitest
from tiebreak.stats import closed_evalues
from tiebreak.stats.results import pair_indices
from tiebreak.stats.two.anytime import Evidence, undecided
from tiebreak.stats.two.wilcoxon import differences, grid
from tiebreak.wording import option

UNTIL = {
    "settled": "every pair is decided",
    "best": "it is decided which algorithms are not the best",
}
"""What a run can go on until."""


def random_order(datasets: Iterable[str], seed: int = 0) -> tuple[str, ...]:
    """Put data sets into an order that depends on the seed and their names alone, not on how they were listed.

    Examples
    --------
    >>> random_order(["iris", "wine", "glass"]) == random_order(["glass", "iris", "wine"])
    True
    """
    return tuple(sorted(datasets, key=lambda name: sha256(f"{seed}\n{name}".encode()).digest()))


class Settling:
    """Says after every data set which algorithms still have to be run.

    The probability of any false difference, at any time of the run, over all pairs, is at most alpha.

    Parameters
    ----------
    algorithms : sequence of str
    alpha : float, default 0.05
    until : {"settled", "best"}
        "settled": an algorithm is run until each of its pairs is decided, so that its place can change no more. "best":
        until some other algorithm is decided to be better than it; those that are left are run until all pairs among
        them are decided. Cost decides nothing here; afterwards it orders those without a significant difference.
    higher_is_better : bool, default False
    total : int, optional
        How many data sets there are, to say what was saved.
    bet : {"ranks", "signs"}
        "signs" where sizes of differences cannot be compared between data sets; see `tiebreak.stats.anytime_test`.

    Examples
    --------
    >>> run = Settling(["a", "b", "c"], until="best")
    >>> for i in range(12):
    ...     active = run.take({"a": 0.1, "b": 0.1 + (i % 2 - 0.5) / 100, "c": 0.5 + i / 100})
    >>> active, run.taken
    (('a', 'b'), 12)
    """

    def __init__(
        self,
        algorithms: Sequence[str],
        *,
        alpha: float = 0.05,
        until: str = "settled",
        higher_is_better: bool = False,
        total: int | None = None,
        bet: str = "ranks",
    ) -> None:
        self.algorithms = check_names(algorithms, len(algorithms), kind="algorithm")
        self.alpha = check_alpha(alpha)
        self.until = check_choice("until", until, UNTIL)
        self.total = total
        check_choice("bet", bet, ("ranks", "signs"))
        if len(self.algorithms) < 2:
            raise InputError(
                f"{len(self.algorithms)} algorithm(s) were given.",
                why="What is settled is who of two is better.",
                mend=f"Name at least two, or run without {option('until')}.",
            )
        self._sign = -1.0 if higher_is_better else 1.0
        self._a, self._b = pair_indices(len(self.algorithms))
        self.bet = bet
        self._evidence = Evidence(len(self._a), bet=bet)
        self._after = np.zeros(len(self._a), dtype=np.int64)  # data sets until decided; 0: not decided
        self._b_better = np.zeros(len(self._a), dtype=bool)
        self._runs = np.zeros(len(self.algorithms), dtype=np.int64)
        self._active = np.ones(len(self.algorithms), dtype=bool)
        self.taken = 0

    @property
    def active(self) -> tuple[str, ...]:
        """The algorithms to run on the next data set; none when all is settled."""
        return tuple(name for name, runs in zip(self.algorithms, self._active, strict=True) if runs)

    @property
    def after(self) -> IntArray:
        """For each pair, in the order of `numpy.triu_indices`, the data sets it took to decide; 0 where undecided."""
        return readonly(self._after)

    @property
    def better(self) -> BoolArray:
        """better[i, j]: whether algorithm j was decided to be better than i."""
        out = np.zeros((len(self.algorithms),) * 2, dtype=bool)
        decided = self._after > 0
        out[self._a, self._b], out[self._b, self._a] = decided & self._b_better, decided & ~self._b_better
        return out

    def take(self, scores: Mapping[str, float | None]) -> tuple[str, ...]:
        """Judge by the scores on one more data set, and return the algorithms to run on the next.

        Scores of algorithms that are not active any more are not read. A failed run (None or NaN) is worse than any
        score, and as bad as another failed run.
        """
        missing = [name for name in self.active if name not in scores]
        if missing:
            raise InputError(
                f"The data set has no score of {', '.join(map(repr, missing))}.",
                why="Pairs are compared on data sets where both were run.",
                mend="Pass a score for every active algorithm, None where the run failed.",
            )
        self.taken += 1
        self._runs += self._active
        self._evidence.take(self._differences(self._errors(scores)))
        values = closed_evalues(self._evidence.both, all_pairs=True)
        fresh = ~undecided(values, self.alpha) & (self._after == 0)
        self._after[fresh] = self.taken
        self._b_better[fresh] = self._evidence.toward_b()[fresh] > 0
        self._active = still_needed(self._active, self.better, self._after == 0, self.until)
        return self.active

    def _errors(self, scores: Mapping[str, float | None]) -> FloatArray:
        """Lower is better, a failed run infinitely bad, NaN where an algorithm is not run any more."""
        given = (scores.get(name) if runs else None for name, runs in zip(self.algorithms, self._active, strict=True))
        values = np.array([np.inf if x is None or isnan(x) else self._sign * x for x in given])
        return np.where(self._active, values, np.nan)

    def _differences(self, errors: FloatArray) -> FloatArray:
        """Positive where b is better; 0 where both failed, NaN for pairs that are not run any more."""
        finite = np.where(np.isfinite(errors), errors, 0.0)
        fine = grid(finite)
        d = differences(finite[self._a], finite[self._b], fine[self._a], fine[self._b])
        a, b = np.isposinf(errors)[self._a], np.isposinf(errors)[self._b]
        d = np.where(a & b, 0.0, np.where(a, np.inf, np.where(b, -np.inf, d)))
        return np.where(self._active[self._a] & self._active[self._b], d, np.nan)

    def order(self, costs: Mapping[str, float]) -> tuple[str, ...]:
        """Order by what is decided, and by cost where nothing is; of equal costs the one named first comes first."""
        prior = np.empty(len(self.algorithms))
        prior[np.argsort([costs[name] for name in self.algorithms], kind="stable")] = np.arange(len(prior))
        return tuple(self.algorithms[i] for i in multitest(self.better, prior))

    def found(self) -> Settled:
        """Return what is settled so far."""
        return Settled(
            algorithms=self.algorithms,
            better=readonly(self.better),
            after=self.after,
            runs=readonly(self._runs),
            taken=self.taken,
            active=self.active,
            total=self.total,
            until=self.until,
            alpha=self.alpha,
            bet=self.bet,
            caveats=_caveats(self),
        )


def still_needed(active: BoolArray, better: BoolArray, open_pairs: BoolArray, until: str) -> BoolArray:
    """Say which of the active algorithms have a pair left to decide with another one that is run.

    `better[i, j]` says that j was decided to be better than i; `open_pairs` are in the order of `numpy.triu_indices`.
    """
    a, b = pair_indices(len(active))
    runs = active & ~better.any(axis=1) if until == "best" else active
    left = open_pairs & runs[a] & runs[b]
    out = np.zeros_like(active)
    out[a[left]] = out[b[left]] = True
    return out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Settled(Shown):
    """What a run settled: who is better than whom, on how many data sets each was run, and how many runs that saved.

    `better[i, j]` says whether j was decided to be better than i, `after` after how many data sets a pair was decided
    (0: not), `runs` on how many each algorithm was run, `active` who would be run next.
    """

    algorithms: tuple[str, ...]
    better: BoolArray
    after: IntArray
    runs: IntArray
    taken: int
    active: tuple[str, ...]
    total: int | None
    until: str
    alpha: float
    bet: str
    caveats: Caveats = ()

    @property
    def saved(self) -> float:
        """The share of runs that were not made, of all algorithms on all data sets."""
        whole = (self.total or self.taken) * len(self.algorithms)
        return 1 - float(self.runs.sum()) / whole if whole else 0.0

    def title(self) -> str:
        """Say in one line what was found."""
        decided = int((self.after > 0).sum())
        return f"{decided} of {len(self.after)} pairs are decided after {self.taken} data sets"

    def rows(self) -> list[Row]:
        """Return one row per algorithm: data sets it was run on, and whom it is worse and better than."""
        return [
            {
                "algorithm": name,
                "datasets": int(self.runs[i]),
                "stopped": name not in self.active,
                "worse_than": self._named(self.better[i]),
                "better_than": self._named(self.better[:, i]),
            }
            for i, name in enumerate(self.algorithms)
        ]

    def _named(self, which: BoolArray) -> list[str]:
        return [name for name, one in zip(self.algorithms, which, strict=True) if one]

    def reasons(self) -> dict[str, str]:
        """Say of every algorithm that is not run further why.

        Examples
        --------
        >>> run = Settling(["a", "b"])
        >>> for i in range(8):
        ...     _ = run.take({"a": 0.1, "b": 0.5 + i / 100})
        >>> run.found().reasons()
        {'a': 'better than all others, after 7 data sets', 'b': "worse than 'a', after 7 data sets"}
        """
        stopped = [(i, name) for i, name in enumerate(self.algorithms) if self.taken and name not in self.active]
        return {name: f"{self._standing(i)}, after {self.runs[i]} data sets" for i, name in stopped}

    def _standing(self, i: int) -> str:
        """Whoever is worse than some was stopped for that; of the others every pair is decided."""
        worse = self._named(self.better[i])
        if worse:
            return f"worse than {quoted(worse, limit=3)}"
        alone = int(self.better[:, i].sum()) == len(self.algorithms) - 1
        return "better than all others" if alone else "significantly different from all that were still run"

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain data."""
        about = {"until": self.until, "alpha": self.alpha, "bet": self.bet, "taken": self.taken, "total": self.total}
        return about | {"saved": self.saved, "active": list(self.active), "algorithms": self.rows()}

    def document(self) -> Document:
        """Say what is settled, and list the algorithms, those with the fewest better ones first."""
        beaten, beats = self.better.sum(axis=1), self.better.sum(axis=0)
        body = [
            (
                self.algorithms[i],
                str(self.runs[i]),
                "no" if self.algorithms[i] in self.active else "yes",
                ", ".join(self._named(self.better[i])) or "none",
                str(beats[i]),
            )
            for i in np.lexsort((-beats, beaten))
        ]
        header = ("algorithm", "data sets", "stopped", "worse than", "better than (number)")
        whole = (self.total or self.taken) * len(self.algorithms)
        text = (
            f"{self.title()}. {int(self.runs.sum())} of {whole} runs were made, {self.saved:.0%} were saved.",
            f"The pairs were looked at after every data set, by bets on {WORDS[self.bet]} with the closed test of their"
            f" mean evidence: the probability of any false difference, at any time, is at most {self.alpha:g}.",
        )
        table = Table(header=header, body=tuple(body), texts=frozenset({0, 2, 3}))
        return Document(title="Settled early", tables=(table,), said=text, caveats=self.caveats, papers=PAPERS)


WORDS = {"ranks": "signed ranks", "signs": "who is better"}
PAPERS = ("ville1939", "vovk2021", "vovk2024")


def _caveats(run: Settling) -> Caveats:
    """Say what the table that such a run leaves must not be used for."""
    stopped = [name for name in run.algorithms if name not in run.active]
    if not stopped or not run.taken:
        return ()
    text = (
        "Algorithms were stopped by what their scores showed. Tests of a fixed number of data sets (compare, order) do"
        " not know that: on this table their p-values are too small."
    )
    return (Caveat("stopped-early", text),)
