"""Does a comparison by several measures find more than one by a single measure? Counted over many pairs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha
from tiebreak.caveats import Caveat, Caveats, codes_of, distinct
from tiebreak.documents import Document, Row, Shown
from tiebreak.errors import InputError
from tiebreak.stats import sign_test
from tiebreak.stats.multivariate import hotelling_pairs
from tiebreak.tables import Results

if TYPE_CHECKING:
    from tiebreak.datasets import DataSet
    from tiebreak.lab import Progress

QUESTIONS = (("error", ("tpr", "fpr")), ("f1", ("precision", "recall")))
"""The published questions: a single measure against the several that it sums up."""
SUITE = ("breast_cancer", "iris", "wine", "titanic")
"""The built-in sets of real data."""
LEARNERS = ("c45", "mdt", "lnp", "svl", "svr", "5nn", "nb", "lda")
"""Quick learners of the catalogue that err in different ways."""
OUTCOMES = ("both", "only_several", "only_single", "neither")
"""Which tests reject a pair."""
_SHARED = Caveat("folds-share-training-data", "Folds share training data: both tests reject too often, alike.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
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
        """The number of pairs tested."""
        return sum(getattr(self, name) for name in OUTCOMES)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SingleSeveral(Shown):
    """The study: one answer for each question, and the counts on each data set (question, data set, outcome)."""

    answers: tuple[Answer, ...]
    by_dataset: IntArray
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    alpha: float
    caveats: Caveats = ()

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
                "single": each.single,
                "several": ", ".join(each.several),
                "pairs": each.pairs,
                **{name.replace("_", " "): getattr(each, name) / each.pairs for name in OUTCOMES},
                "pvalue": each.pvalue,
            }
            for each in self.answers
        ]

    def document(self) -> Document:
        """Return the table, and the paper whose question it answers."""
        cited = ("yildiz2014",)
        return Document(title=self.title(), tables=(self.printed_table(),), papers=cited, caveats=self.caveats)

    def to_dict(self) -> dict[str, Any]:
        """Return the study as plain data."""
        return {
            "answers": self.rows(),
            "datasets": [
                {"dataset": name, "single": each.single, **dict(zip(OUTCOMES, counts.tolist(), strict=True))}
                for each, table in zip(self.answers, self.by_dataset, strict=True)
                for name, counts in zip(self.datasets, table, strict=True)
            ],
            "algorithms": list(self.algorithms),
            "alpha": self.alpha,
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }


def single_or_several(
    results: Results,
    *,
    questions: Sequence[tuple[str, Sequence[str]]] = QUESTIONS,
    alpha: float = 0.05,
) -> SingleSeveral:
    """Count over all pairs and data sets which test rejects: of a single measure, or of several at once.

    Each pair is tested on each data set by the paired t test of the single measure over the folds and by Hotelling's
    paired test of the several; neither is corrected, so that the two are compared as they are. Both see the same folds:
    one on which an algorithm lacks any of the measures is left out, and a caveat counts them.

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

    Examples
    --------
    >>> import numpy as np, polars
    >>> draw = np.random.default_rng(0).normal(0, 0.01, size=(10, 2, 2)) + [[0.9, 0.1], [0.8, 0.0]]
    >>> table = [{"dataset": "d", "algorithm": "ab"[i], "fold": k, "tpr": draw[k, i, 0], "fpr": draw[k, i, 1],
    ...           "error": (1 - draw[k, i, 0] + draw[k, i, 1]) / 2} for k in range(10) for i in range(2)]
    >>> found = single_or_several(Results.from_frame(polars.DataFrame(table)), questions=[("error", ("tpr", "fpr"))])
    >>> found.answers[0].only_several  # opposite faults, equal errors
    1
    """
    level = check_alpha(alpha)
    _check_two(len(results.algorithms))
    answers, tables, notes = [], [], list(results.caveats)
    for single, several in questions:
        counts = np.zeros((len(results.datasets), 4), dtype=np.int64)
        for place, name in enumerate(results.datasets):
            folds = _folds(results, name, (single, *several), notes)
            told: dict[str, Any] = {"algorithms": results.algorithms, "alpha": level, "where": name, "notes": notes}
            alone = _rejected(folds[:, :, :1], (single,), **told)
            joint = _rejected(folds[:, :, 1:], tuple(several), **told)
            outcomes = (alone & joint, joint & ~alone, alone & ~joint, ~joint & ~alone)
            counts[place] = [int(each.sum()) for each in outcomes]
        total = counts.sum(axis=0)
        answers.append(_answer(single, tuple(several), total))
        tables.append(counts)
    return SingleSeveral(
        answers=tuple(answers),
        by_dataset=np.array(tables),
        datasets=results.datasets,
        algorithms=results.algorithms,
        alpha=level,
        caveats=distinct([*notes, _SHARED]),
    )


def _answer(single: str, several: tuple[str, ...], total: IntArray) -> Answer:
    """A sign test on the discordant cases alone: those on which both answers agree say nothing."""
    counts = dict(zip(OUTCOMES, total.tolist(), strict=True))
    signs = np.concatenate([np.ones(counts["only_several"]), -np.ones(counts["only_single"])])
    p = sign_test(signs, np.zeros(len(signs))).pvalue if len(signs) > 1 else 1.0  # McNemar's exact test
    return Answer(single=single, several=several, **counts, pvalue=float(p))


def _check_two(count: int) -> None:
    """Refuse fewer than two algorithms."""
    if count < 2:
        raise InputError(
            f"There is {count} algorithm.",
            why="The study counts pairs of algorithms that differ.",
            mend="Name two or more (--algorithm, once for each).",
        )


def _folds(results: Results, dataset: str, names: Sequence[str], notes: list[Caveat]) -> FloatArray:
    """Return (folds, algorithms, measures) of the folds on which every algorithm has every measure."""
    one = results.only(datasets=[dataset])
    cube = np.stack([one.cube(name)[0].reshape(len(results.algorithms), -1) for name in names], axis=-1)
    folds = cube.transpose(1, 0, 2)
    folds = folds[~np.isnan(folds).all(axis=(1, 2))]
    whole = ~np.isnan(folds).any(axis=(1, 2))
    if not whole.all():
        lost = int((~whole).sum())
        text = f"{dataset}: {lost} of {len(folds)} fold(s) lack one of {', '.join(names)} and are left out."
        notes.append(Caveat("gaps-drop-folds", text))
    return np.asarray(folds[whole])


def _rejected(
    folds: FloatArray, names: Sequence[str], *, algorithms: Sequence[str], alpha: float, where: str, notes: list[Caveat]
) -> BoolArray:
    """Say for every pair whether the test rejects; a data set that cannot be tested rejects nothing, with a note."""
    count = len(algorithms)
    try:
        found = hotelling_pairs(folds, adjust="none", algorithms=algorithms)
    except InputError as error:
        text = f"{where}: {error.what} No pair counts as rejected by {', '.join(names)}."
        notes.append(Caveat("not-testable", text))
        return np.zeros(count * (count - 1) // 2, dtype=bool)
    return np.asarray(found.pvalue <= alpha)


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
    parts = {each.name: getattr(data, each.name) for each in fields(data) if each.init}
    found = []
    for code, name in enumerate(data.classes):
        one = {"name": f"{data.name}: {name}", "target": (data.target == code).astype(np.int64)}
        found.append(type(data)(**{**parts, "classes": ("other", "this"), **one}))
    return found


def measure_study(
    *,
    data: Sequence[object] = (),
    algorithms: Sequence[object] = LEARNERS,
    resampling: str = "5x10cv",
    store: str | Path | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    jobs: int | None = None,
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
    store : str or Path, optional
        Keep the runs there; without it they are thrown away.
    alpha, seed, jobs, progress
        As in `tiebreak.run`.

    Returns
    -------
    SingleSeveral
    """
    from tiebreak.lab import Plan, load_data, run
    from tiebreak.reading import read_store

    check_alpha(alpha)
    _check_two(len(algorithms))
    plan = Plan.of(datasets=data or [f"builtin:{name}" for name in SUITE], algorithms=algorithms)
    chosen = [part for each in load_data(plan).values() for part in of_two_classes(each)]
    binary = Plan.of(
        datasets=chosen, algorithms=algorithms, resampling={"scheme": resampling, "test": 0}, seed=seed, name="measures"
    )
    names = sorted({name for single, several in QUESTIONS for name in (single, *several)})
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "study.db" if store is None else store
        run(binary, store=place, jobs=jobs, progress=progress)
        results = read_store(place, scores=names, datasets=[each.name for each in chosen])
    return single_or_several(results, alpha=alpha)
