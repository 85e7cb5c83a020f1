"""Does a comparison by several measures find more than one by a single measure? Counted over many pairs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha
from tiebreak.caveats import Caveat, distinct
from tiebreak.documents import Framed, Row, as_came_in
from tiebreak.errors import InputError
from tiebreak.results import Results
from tiebreak.stats import sign_test
from tiebreak.stats.multivariate.over_datasets import fitting_pairs
from tiebreak.studies.result import StudyResult
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.datasets import DataSet
    from tiebreak.lab.progress import Progress

QUESTIONS = (("error", ("tpr", "fpr")), ("f1", ("precision", "recall")))
"""The published questions: a single measure against the several that it sums up."""
SUITE = ("breast_cancer", "iris", "wine", "titanic")
"""The built-in sets of real data."""
LEARNERS = ("c45", "mdt", "lnp", "svl", "svr", "5nn", "nb", "lda")
"""Quick learners of the catalogue that err in different ways."""
OUTCOMES = ("both", "only_several", "only_single", "neither")
"""Which tests reject a pair."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Answer(Framed):
    """How often the tests agree over all pairs of algorithms on all data sets.

    `pvalue` is that of the sign test on the pairs of which only one test rejects. Pairs share algorithms and data, so
    it is a rough guide.
    """

    single: str
    several: tuple[str, ...]
    both: int
    only_several: int
    only_single: int
    neither: int
    pvalue: float

    @property
    def pairs(self) -> int:
        """The number of pairs tested on all data sets."""
        return sum(getattr(self, name) for name in OUTCOMES)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SingleSeveral(StudyResult):
    """The study: an answer for each question, and its counts on each data set (question, data set, outcome)."""

    STUDY = "measures"
    SETTINGS = ("algorithms", "alpha")
    PAPERS = ("yildiz2014", "nadeau2003")

    answers: tuple[Answer, ...]
    by_dataset: IntArray
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    alpha: float

    def title(self) -> str:
        """Say in one line what was counted."""
        return (
            f"Pairs of {len(self.algorithms)} algorithms on {len(self.datasets)} data sets: which test rejects at"
            f" alpha = {self.alpha:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row per question, with shares of all pairs."""
        return [
            {
                "single": answer.single,
                "several": ", ".join(answer.several),
                "pairs": answer.pairs,
                **{name.replace("_", " "): getattr(answer, name) / answer.pairs for name in OUTCOMES},
                "pvalue": answer.pvalue,
            }
            for answer in self.answers
        ]

    def measured(self) -> dict[str, Any]:
        """Return the answers, and the counts of each data set."""
        return {
            "answers": self.rows(),
            "datasets": [
                {"dataset": name, "single": answer.single} | dict(zip(OUTCOMES, counts.tolist(), strict=True))
                for answer, table in zip(self.answers, self.by_dataset, strict=True)
                for name, counts in zip(self.datasets, table, strict=True)
            ],
        }


@as_came_in
def single_or_several(
    results: Results, *, questions: Sequence[tuple[str, Sequence[str]]] = QUESTIONS, alpha: float = 0.05
) -> SingleSeveral:
    """Count over all pairs and data sets which test rejects: of a single measure, or of several at once.

    Each pair is tested on each data set by the test of the single measure that fits its folds (corrected resampled t or
    5x2 cv F) and by the same test of the several; neither is corrected for the number of pairs, so that the two are
    compared as they are. Both see the same folds: one on which an algorithm lacks any of the measures is left out, and
    a caveat counts them.

    Parameters
    ----------
    results : Results
        With the measures fold by fold.
    questions : sequence of (str, sequence of str)
        A single measure, and the several that it sums up.
    alpha : float, default 0.05

    Returns
    -------
    SingleSeveral

    References
    ----------
    yildiz2014
    There several measures reject where the single one does not in 15 % (error against tpr and fpr) and 24 % (F against
    precision and recall) of the pairs, and the reverse in less than 2 %.
    nadeau2003

    Examples
    --------
    >>> import numpy as np, polars
    >>> draw = np.random.default_rng(0).normal(0, 0.01, size=(10, 2, 2)) + [[0.9, 0.1], [0.8, 0.0]]
    >>> table = [{"dataset": "d", "algorithm": "ab"[i], "fold": k, "tpr": draw[k, i, 0], "fpr": draw[k, i, 1],
    ...           "error": (1 - draw[k, i, 0] + draw[k, i, 1]) / 2} for k in range(10) for i in range(2)]
    >>> result = single_or_several(Results.from_frame(polars.DataFrame(table)), questions=[("error", ("tpr", "fpr"))])
    >>> result.answers[0].only_several  # opposite faults, equal errors
    1
    """
    level = check_alpha(alpha)
    _check_two(len(results.algorithms))
    answers, tables, notes = [], [], list(results.caveats)
    for single, several in questions:
        rows = []
        for dataset in results.datasets:
            cube, replication = _folds(results, dataset, (single, *several), notes)
            alone, joint = (
                _rejected(cube[:, :, part], replication, names, level, dataset, notes)
                for part, names in ((slice(0, 1), (single,)), (slice(1, None), several))
            )
            outcomes = (alone & joint, joint & ~alone, alone & ~joint, ~joint & ~alone)
            rows.append([int(outcome.sum()) for outcome in outcomes])
        counts = dict(zip(OUTCOMES, np.sum(rows, axis=0).tolist(), strict=True))
        signs = np.repeat([1.0, -1.0], [counts["only_several"], counts["only_single"]])
        p = sign_test(signs, np.zeros(len(signs))).pvalue if len(signs) > 1 else 1.0  # McNemar's exact test
        answers.append(Answer(single=single, several=tuple(several), **counts, pvalue=float(p)))
        tables.append(rows)
    return SingleSeveral(
        answers=tuple(answers),
        by_dataset=np.array(tables),
        datasets=results.datasets,
        algorithms=results.algorithms,
        alpha=level,
        caveats=distinct(notes),
    )


def _check_two(count: int) -> None:
    """Refuse fewer than two algorithms."""
    if count < 2:
        raise InputError(
            f"There is {count} algorithm.",
            why="The study counts pairs of algorithms that differ.",
            mend=f"Name two or more: {either('algorithms=[...]', '--algorithm, once for each')}.",
        )


def _folds(results: Results, dataset: str, names: Sequence[str], notes: list[Caveat]) -> tuple[FloatArray, IntArray]:
    """Return the folds on which every algorithm has every measure, (folds, algorithms, measures), and replications."""
    one = results.only(datasets=[dataset])
    cube = np.stack([one.cube(name)[0] for name in names], axis=-1)  # (algorithms, replications, folds, measures)
    there = ~np.isnan(cube).all(axis=(0, 3))
    folds, replication = cube[:, there].transpose(1, 0, 2), np.nonzero(there)[0]
    whole = ~np.isnan(folds).any(axis=(1, 2))
    if not whole.all():
        lost = int((~whole).sum())
        text = f"{dataset}: {lost} of {len(folds)} fold(s) lack one of {', '.join(names)} and are left out."
        notes.append(Caveat("gaps-left-out", text))
    return folds[whole], replication[whole]


def _rejected(
    cube: FloatArray, replication: IntArray, names: Sequence[str], alpha: float, dataset: str, notes: list[Caveat]
) -> BoolArray:
    """Say for every pair whether the test that fits the folds rejects; what cannot be tested rejects nothing."""
    count = cube.shape[1]
    try:
        return np.asarray(fitting_pairs(cube, replication).pvalue <= alpha)
    except InputError as error:
        text = f"{dataset}: {error.what} No pair counts as rejected by {', '.join(names)}."
        notes.append(Caveat("method-left-out", text))
        return np.zeros(count * (count - 1) // 2, dtype=bool)


def of_two_classes(data: DataSet) -> list[DataSet]:
    """Return a data set of two classes as it is, and one of more as each class against all others.

    Examples
    --------
    >>> from tiebreak.datasets import load
    >>> [part.name for part in of_two_classes(load("builtin:iris"))]
    ['iris: setosa', 'iris: versicolor', 'iris: virginica']
    """
    if len(data.classes) <= 2:
        return [data]
    parts = {field.name: getattr(data, field.name) for field in fields(data) if field.init}
    result = []
    for code, name in enumerate(data.classes):
        one = {"name": f"{data.name}: {name}", "target": (data.target == code).astype(np.int64)}
        result.append(type(data)(**{**parts, "classes": ("other", "this"), **one}))
    return result


@as_came_in
def measure_study(
    *,
    data: Sequence[object] = (),
    algorithms: Sequence[object] = LEARNERS,
    resampling: str = "5x10cv",
    seed: int = 0,
    progress: Callable[[Progress], None] | None = None,
) -> SingleSeveral:
    """Run learners by cross-validation on sets of two classes, and count which test rejects.

    Parameters
    ----------
    data : sequence
        Data sets as in a plan; by default the built-in ones of real data. One with several classes becomes several
        data sets of two, each class against all others.
    algorithms : sequence
        As in a plan.
    resampling : str, default "5x10cv"
        With ten folds alone Hotelling's test pays dearly for its second measure; see docs/multivariate.md.
    seed, progress
        As in `tiebreak.run`.

    Returns
    -------
    SingleSeveral
    """
    from tiebreak.lab import Plan, run
    from tiebreak.lab.prepared import load_data
    from tiebreak.readers import read_store

    _check_two(len(algorithms))
    plan = Plan.of(datasets=data or [f"builtin:{name}" for name in SUITE], algorithms=algorithms)
    chosen = [part for item in load_data(plan).values() for part in of_two_classes(item)]
    scheme = {"scheme": resampling, "test": 0}
    binary = Plan.of(datasets=chosen, algorithms=algorithms, resampling=scheme, seed=seed, name="measures")
    names = sorted({name for single, several in QUESTIONS for name in (single, *several)})
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "study.db"
        run(binary, store=store, progress=progress)
        results = read_store(store, scores=names, datasets=[data_set.name for data_set in chosen])
    return single_or_several(results)
