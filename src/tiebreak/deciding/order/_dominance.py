"""Several scores at once inside a data set: who dominates whom, by Hotelling's test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiebreak._checks import FloatArray, check_choice
from tiebreak.deciding.order._inner_tests import Inner
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.stats.multivariate import hotelling_pairs
from tiebreak.stats.numeric.ranks import snap
from tiebreak.stats.pairwise import pair_indices
from tiebreak.tables import MEASURES, Metric, Results, with_measures
from tiebreak.tables.confusion import AVERAGES
from tiebreak.tables.confusion_table import COUNTS

JOINT_TEST = "hotelling"
"""The pairwise test of several scores."""


def score_metrics(
    results: Results, score: str | Sequence[str] | None, higher_is_better: bool | Mapping[str, bool] | None
) -> tuple[Metric, ...]:
    """Return the metrics that were named, each with its direction."""
    names = (results.only_score(),) if score is None else (score,) if isinstance(score, str) else tuple(score)
    if not names or len(set(names)) != len(names):
        raise OptionError(
            "No score was named." if not names else f"A score was named twice: {', '.join(names)}.",
            why="Each measure counts once.",
            mend="Name each score once, such as score=['tpr', 'fpr'].",
        )
    told: Mapping[str, bool] = higher_is_better if isinstance(higher_is_better, Mapping) else {}
    for name in told:
        if name not in names:
            raise unknown_name("score (in higher_is_better)", str(name), names)
    out = []
    for name in names:
        if name not in results.values and name in MEASURES and has_counts(results):
            raise unknown_name(
                "score",
                name,
                results.values,
                mend="It can be made from the counts: tiebreak.tables.with_measures(results).",
            )
        metric = results.metric(name)
        said = told.get(name) if isinstance(higher_is_better, Mapping) else higher_is_better
        known = metric.higher_is_better is not None
        direction = metric.direction(None if known and len(names) > 1 and not told else said)
        out.append(Metric(name=name, higher_is_better=direction, unit=metric.unit))
    return tuple(out)


def has_counts(results: Results) -> bool:
    """Say whether measures can be made from the counts of the table."""
    lower = {name.lower() for name in results.values}
    return set(COUNTS) <= lower or any(name.startswith("confusion[") for name in lower)


def with_scores(
    results: Results,
    names: Sequence[str],
    *,
    positive: str | Mapping[str, str] | None = None,
    average: str = "binary",
) -> Results:
    """Return the table with the measures that are named, made from its counts where it lacks them.

    Examples
    --------
    >>> table = Results.from_dict({"dataset": ["d", "d"], "algorithm": ["svm", "svm"], "fold": [1, 2],
    ...                            "tp": [8, 9], "fp": [2, 1], "tn": [18, 19], "fn": [2, 1]})
    >>> with_scores(table, ["tp", "tpr"]).means("tpr")
    array([[0.85]])
    """
    _check_known(results, names)
    absent = [name for name in names if name not in results.values]
    if absent:
        made = with_measures(results, measures=absent, positive=positive, average=average)
        held = [name for name in names if name in results.values and name in MEASURES and name not in COUNTS]
        note = f"{listed(held)} stand(s) in the table as such; {listed(absent)} made from its counts." if held else ""
        return replace(made, caveats=(*made.caveats, note)) if note else made
    check_choice("average", average, AVERAGES)
    if positive is not None:
        raise OptionError(
            f"The positive class {positive!r} was named.",
            why="The table holds the measures already; they were made for some positive class.",
            mend="Leave positive out, or give the counts instead of the measures.",
        )
    if average != "binary":
        raise OptionError(
            f"average is {average!r}.",
            why="The table holds the measures already; they were averaged over classes, or not, when they were made.",
            mend="Leave average out (--average), or give the counts instead of the measures.",
        )
    return results


def _check_known(results: Results, names: Sequence[str]) -> None:
    """Refuse a name that is neither in the table nor a measure that its counts give."""
    counts = has_counts(results)
    known = (*results.values, *(name for name in MEASURES if counts and name not in results.values))
    for name in names:
        if name not in known:
            more = "" if counts else "Measures such as tpr are made where the table holds tp, fp, tn and fn."
            raise unknown_name("score", name, known, mend=more)


def place_metric(metrics: Sequence[Metric]) -> Metric:
    """Return what an order by several scores goes by: the place on each data set."""
    return Metric(name=f"place in {listed([each.name for each in metrics])}", higher_is_better=False)


def listed(names: Sequence[str]) -> str:
    """Join names as a sentence does.

    Examples
    --------
    >>> listed(["tpr", "fpr"]), listed(["tp", "fp", "fn"])
    ('tpr and fpr', 'tp, fp and fn')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def dominance(means: FloatArray) -> FloatArray:
    """Return for all pairs of the first axis who dominates: -1 the first, 1 the second, 0 neither.

    `means` is (algorithms, measures), lower the better; noise of rounding makes no difference. One dominates where it
    is nowhere worse and somewhere better.

    Examples
    --------
    >>> import numpy as np
    >>> dominance(np.array([[0.1, 0.2], [0.1, 0.3], [0.0, 0.9]]))
    array([-1.,  0.,  0.])
    """
    a, b = pair_indices(len(means))
    levels = np.stack([snap(column) for column in means.T], axis=1)
    difference = np.sign(levels[a] - levels[b])
    first = (difference <= 0).all(axis=1) & (difference < 0).any(axis=1)
    second = (difference >= 0).all(axis=1) & (difference > 0).any(axis=1)
    return np.asarray(second.astype(np.float64) - first.astype(np.float64))


def joint_tests(measures: FloatArray, *, adjust: str, datasets: Sequence[str], names: Sequence[str]) -> Inner:
    """Test all pairs on every data set; `measures` is (data sets, algorithms, replications, folds, measures).

    The `difference` of a pair is its dominance, so that no decision is made where neither dominates. Data sets may
    have different numbers of folds: one that a data set lacks is NaN throughout.
    """
    sets, algorithms, replications, folds, count = measures.shape
    full = measures.transpose(0, 2, 3, 1, 4).reshape(sets, replications * folds, algorithms, count)
    cells = [each[~np.isnan(each).all(axis=(1, 2))] for each in full]
    found = []
    for name, each in zip(datasets, cells, strict=True):
        try:
            found.append(hotelling_pairs(each, adjust=adjust, algorithms=tuple(names)))
        except InputError as error:
            raise InputError(f"Data set {name!r}: {error.what}", why=error.why, mend=error.mend) from None
    a, b = pair_indices(algorithms)
    sides = np.array([dominance(each.mean(axis=0)) for each in cells])
    notes = [f"Data set {name!r}: {note}" for name, each in zip(datasets, found, strict=True) for note in each.caveats]
    return Inner(
        a=a,
        b=b,
        statistic=np.array([each.statistic for each in found]),
        pvalue=np.array([each.pvalue for each in found]),
        adjusted=np.array([each.adjusted for each in found]),
        difference=sides,
        method=found[0].method,
        caveats=(
            "One algorithm is preferred on a data set where Hotelling's test rejects and it dominates (no mean worse,"
            " one better); where neither dominates, cost decides.",
            "Folds of one data set share training data, so the test finds differences too often.",
            *few(notes),
        ),
    )


def few(notes: Sequence[str], most: int = 5) -> list[str]:
    """Keep the first of many notes, and say how many there are."""
    rest = len(notes) - most
    return list(notes) if rest <= 0 else [*notes[:most], f"... and {rest} more notes of this kind."]
