"""The study of wins: who beats whom on how many data sets, and is that more than chance?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, IntArray, check_alpha
from tiebreak.caveats import Caveat, distinct
from tiebreak.comparison.gaps import check_measured
from tiebreak.comparison.groups import promise_caveats
from tiebreak.comparison.scales import scaled
from tiebreak.documents import Row, Table, as_came_in
from tiebreak.documents.layout import Bold
from tiebreak.methods import find
from tiebreak.stats import SignPairs, sign_pairs, significant_win_pairs
from tiebreak.studies.result import StudyResult, complete_table

AVERAGES, SIGNIFICANT = "averages", "significant"
CAPTIONS = {AVERAGES: "Wins by the average", SIGNIFICANT: "Significant wins"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WinMatrices(StudyResult):
    """On how many data sets each algorithm beats each other one, by averages and significantly, with sign tests.

    `significant` is None where there are no folds, so that nothing can be significant inside a data set.
    """

    STUDY = "wins"
    SETTINGS = ("n_datasets", "alpha", "win_ties", "posthoc", "score", "algorithms")
    PAPERS = ("demsar2006", "ulas2012")

    averages: SignPairs
    significant: SignPairs | None
    n_datasets: int
    alpha: float
    win_ties: str
    posthoc: str
    score: str

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms, in the order of rows and columns."""
        return self.averages.algorithms

    @property
    def kinds(self) -> dict[str, SignPairs]:
        """The sign tests, by the kind of wins."""
        return {AVERAGES: self.averages} | ({} if self.significant is None else {SIGNIFICANT: self.significant})

    def title(self) -> str:
        """Say in one line what was counted."""
        return (
            f"Wins of {len(self.algorithms)} algorithms over {self.n_datasets} data sets by {self.score}, ties"
            f" {'split' if self.win_ties == 'split' else 'dropped'}, alpha {self.alpha:g}"
        )

    def counts(self, kind: str = AVERAGES) -> IntArray:
        """Return the matrix of wins: [i, j] is on how many data sets i beats j; `kind` is averages or significant."""
        pairs, count = self.kinds[kind], len(self.algorithms)
        out = np.zeros((count, count), dtype=np.int64)
        out[pairs.a, pairs.b], out[pairs.b, pairs.a] = pairs.wins_a, pairs.wins_b
        return out

    def bold(self, kind: str = AVERAGES) -> BoolArray:
        """Return where the sign test says that the row beats the column more often than chance would."""
        pairs, wins = self.kinds[kind], self.counts(kind)
        significant = np.zeros(wins.shape, dtype=bool)
        significant[pairs.a, pairs.b] = significant[pairs.b, pairs.a] = pairs.adjusted <= self.alpha
        return significant & (wins > wins.T)

    def rows(self) -> list[Row]:
        """Return one row per kind of win and pair."""
        return [
            {
                "wins_by": kind,
                "a": self.algorithms[pairs.a[i]],
                "b": self.algorithms[pairs.b[i]],
                "wins_a": int(pairs.wins_a[i]),
                "ties": int(pairs.ties[i]),
                "wins_b": int(pairs.wins_b[i]),
                "pvalue": float(pairs.pvalue[i]),
                "adjusted": float(pairs.adjusted[i]),
                "better": None
                if pairs.adjusted[i] > self.alpha
                else self.algorithms[(pairs.a if pairs.wins_a[i] > pairs.wins_b[i] else pairs.b)[i]],
            }
            for kind, pairs in self.kinds.items()
            for i in range(len(pairs.a))
        ]

    def measured(self) -> dict[str, Any]:
        """Return the matrices and the pairs of each."""
        matrices: dict[str, Any] = {AVERAGES: None, SIGNIFICANT: None}
        for kind, pairs in self.kinds.items():
            rows = [row for row in self.rows() if row["wins_by"] == kind]
            matrices[kind] = {
                "method": pairs.method,
                "wins": self.counts(kind).tolist(),
                "bold": self.bold(kind).tolist(),
                "pairs": [{name: value for name, value in row.items() if name != "wins_by"} for row in rows],
            }
        return matrices

    def tables(self) -> Iterator[Table]:
        """Return the matrices, rows against columns, in bold where the sign test rejects."""
        names = self.algorithms
        for kind, pairs in self.kinds.items():
            counts, bold = self.counts(kind), self.bold(kind)
            cells = [
                [Bold(n) if flag else str(n) for n, flag in zip(*row, strict=True)]
                for row in zip(counts, bold, strict=True)
            ]
            body = tuple(
                (name, *("" if i == j else cell for j, cell in enumerate(cells[i]))) for i, name in enumerate(names)
            )
            caption = f"{CAPTIONS[kind]}: data sets on which the row beats the column. {pairs.method}"
            yield Table(caption=caption, header=("wins", *names), body=body)


@as_came_in
def win_matrices(
    results: Any = None,
    *,
    score: str | None = None,
    win_test: str = "auto",
    win_ties: str = "split",
    posthoc: str = "none",
    alpha: float = 0.05,
    higher_is_better: Any = None,
    **reading: Any,
) -> WinMatrices:
    """Count who beats whom on how many data sets, by averages and significantly, and test the counts.

    Hypothesis: for each pair, that each of the two is as likely as the other to win on a data set.

    Formula: wins by the average of the folds, and wins that a test of the folds of the data set calls significant at
    `alpha`; each followed by the sign test, exact binomial, two-sided.

    Assumptions: data sets are independent; of the significant wins, that the test of the folds errs as often in favour
    of one as of the other.

    When not to use it: to test differences; `tiebreak.compare` has more power. The matrices are for reading and
    for reproducing papers that print them.

    Parameters
    ----------
    results : optional
        Any table that `tiebreak.compare` takes; data sets with gaps are left out. By default the published one of 38
        data sets and 8 algorithms.
    score : str, optional
        The score to compare; needed where there are several.
    win_test : {"auto", "5x2cv-f", "5x2cv-t", "corrected-t", "kfold-t"}
        What calls a win significant; "auto" takes the test that fits the folds.
    win_ties : {"split", "drop"}
        Ties are split between both as in the journal paper, or dropped as in the report before it.
    posthoc : str, default "none"
        A correction for the number of pairs; none in the papers.
    alpha : float, default 0.05
        Of wins inside data sets, and of the sign tests.
    higher_is_better : bool or mapping, optional
    **reading : optional
        How to read what is no Results yet; see `tiebreak.compare`.

    Returns
    -------
    WinMatrices

    References
    ----------
    ulas2012
    demsar2006, section 3.1.4

    Examples
    --------
    >>> result = win_matrices(algorithms=["5nn", "mdt", "svr"])
    >>> result.counts("significant")
    array([[ 0,  4,  1],
           [ 7,  0,  0],
           [16, 14,  0]])
    """
    level = check_alpha(alpha)
    remaining, name, notes = complete_table(results, score, reading)
    means = remaining.means(name)
    check_measured(means, remaining.algorithms, name)
    result = scaled(remaining, name, higher_is_better=higher_is_better, scale="as-is", scores=means)
    shared: dict[str, Any] = {"ties": win_ties, "adjust": posthoc, "algorithms": remaining.algorithms}
    averages = sign_pairs(result.turned(means), **shared)
    cube, test = result.turned(remaining.cube(name)), None if win_test == "auto" else win_test
    folds = cube[0, 0].size > 1
    significant = significant_win_pairs(cube, test=test, alpha=level, **shared) if folds else None
    caveats = [*_of_matrix(AVERAGES, averages), *([] if significant is None else _of_matrix(SIGNIFICANT, significant))]
    return WinMatrices(
        averages=averages,
        significant=significant,
        n_datasets=len(remaining.datasets),
        alpha=level,
        win_ties=win_ties,
        posthoc=posthoc,
        score=name,
        caveats=distinct([*notes, *caveats, *_how_to_read(averages, posthoc, folds=folds)]),
    )


def _of_matrix(kind: str, pairs: SignPairs) -> list[Caveat]:
    """Counts of pairs differ from matrix to matrix, so each caveat says of which one it speaks."""
    return [Caveat(note.code, f"{CAPTIONS[kind]}: {str(note)[0].lower()}{str(note)[1:]}") for note in pairs.caveats]


def _how_to_read(averages: SignPairs, posthoc: str, *, folds: bool) -> list[Caveat]:
    text = "Bold (a star in plain text): the sign test says that the row beats the column more often than chance would."
    none = "There is one score for each data set and algorithm, so that no win can be significant inside a data set."
    caveats = [Caveat("how-to-read", text), *([] if folds else [Caveat("no-folds", none)])]
    return [*caveats, *promise_caveats(find(posthoc, "correction"), len(averages.a))]
