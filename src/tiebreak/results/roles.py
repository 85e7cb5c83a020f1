"""The roles of columns: data set, algorithm, replication, fold and metric; and the scores named by the user."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiebreak._checks import check_choice
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.columns import NO_NUMBER, Columns, Names, Where
from tiebreak.results.items import ITEM_ROLES, with_item_roles
from tiebreak.results.metrics import metric_named
from tiebreak.wording import option

METRIC = "metric"
"""The role of the column, and the header that is recognised by itself."""


def metric_header(columns: Columns, taken: Sequence[str]) -> str | None:
    """Find the column of metrics by its name; one of numbers is a score that happens to be called so.

    Examples
    --------
    >>> from tiebreak.results.columns import TextColumn
    >>> metric_header({"Metric": TextColumn(["auc", "rmse"])}, []), metric_header({"metric": TextColumn(["0.5"])}, [])
    ('Metric', None)
    """
    named = [header for header in columns if header.strip().lower() == METRIC and header not in taken]
    return named[0] if len(named) == 1 and not columns[named[0]].is_number() else None


def metrics_by_dataset(columns: Columns, header: str, datasets: Names, where: Where) -> dict[str, str]:
    """Return the metric of every data set; two on one data set are refused, and a data set without any.

    A cell may be empty, as failed runs often have nothing but their keys.

    Examples
    --------
    >>> from tiebreak.results.columns import TextColumn
    >>> table = {"metric": TextColumn(["auc", "", "rmse"])}
    >>> metrics_by_dataset(table, "metric", Names.of(["iris", "iris", "wine"]), Where(column="metric"))
    {'iris': 'auc', 'wine': 'rmse'}
    """
    names = _one_spelling(columns[header].coded().renamed(_named))
    there = np.flatnonzero(names.codes >= 0)
    metric = np.full(len(datasets.names), -1, dtype=np.int64)
    metric[datasets.codes[there]] = names.codes[there]
    other = there[metric[datasets.codes[there]] != names.codes[there]]
    if len(other):
        raise _several(datasets, names, int(other[0]), where)
    if (metric < 0).any():
        name = datasets.names[int(np.argmax(metric < 0))]
        raise InputError(
            f"Data set {name!r} has no metric: column {header!r} of {where.source or 'the table'} is empty there.",
            why="Nothing says by which metric its scores are, nor whether higher is better.",
            mend="Fill the column in.",
        )
    return {name: names.names[int(code)] for name, code in zip(datasets.names, metric, strict=True)}


def _one_spelling(names: Names) -> Names:
    """Give all spellings of a metric the code of one: 'AUC' and 'roc_auc' on a data set are no two metrics."""
    keys = [metric_named(name).key for name in names.names]
    one = np.array([*(keys.index(key) for key in keys), -1], dtype=names.codes.dtype)  # the last is that of no metric
    return replace(names, codes=one[names.codes])


def _named(text: str) -> str | None:
    return None if text.strip().lower() in NO_NUMBER else text.strip()


def _several(datasets: Names, result: Names, row: int, where: Where) -> InputError:
    """A table with a row for every metric is the usual reason, so the error tells what to do with one."""
    current = result.codes[(datasets.codes == datasets.codes[row]) & (result.codes >= 0)]
    names = [result.names[int(code)] for code in np.unique(current)]
    return InputError(
        f"Data set {datasets.at(row)!r} has {len(names)} metrics in {where.at(row)}: {quoted(names)}.",
        why="Scores of one data set are compared with each other, so they must be by one metric.",
        mend=f"Keep the rows of one metric for each data set, or give every metric a column of its own and name one"
        f" ({option(scores=names[0])}).",
    )


def joined(parts: Sequence[Mapping[str, str]], sources: Sequence[str]) -> dict[str, str]:
    """Put the metrics of several tables into one; all tables must tell them or none, and none another than the rest."""
    telling = [bool(part) for part in parts]
    if any(telling) and not all(telling):
        silent, text = sources[telling.index(False)], sources[telling.index(True)]
        raise InputError(
            f"{text} has a column of metrics, {silent} has none.",
            why="Nothing says by which metric the scores of the second are.",
            mend=f"Add the column to {silent}.",
        )
    out: dict[str, str] = {}
    for part, source in zip(parts, sources, strict=True):
        for name, metric in part.items():
            if metric_named(out.setdefault(name, metric)).key != metric_named(metric).key:
                raise InputError(
                    f"Data set {name!r} has the metric {metric!r} in {source} and {out[name]!r} elsewhere.",
                    why="Scores of one data set are compared with each other, so they must be by one metric.",
                    mend="Correct the column, or give one of the data sets another name.",
                )
    return out


ROLES = ("dataset", "algorithm", "replication", "fold")
SYNONYMS = {
    "dataset": "dataset, data_set, data set, dataset_name, data, task, problem".split(", "),
    "algorithm": "algorithm, algorithm_name, classifier, classifier_name, learner, method, model, framework".split(
        ", "
    ),
    "replication": "replication repetition repeat rep".split(),
    "fold": "fold split".split(),
}
WIDE_SCORE = "score"
"""The name of the one score of a wide table when nobody named it."""
FRAME = "the frame"
"""What a data frame is called in messages."""


def find_roles(
    columns: Iterable[str], options: Mapping[str, str], source: str, *, word: Callable[[str], str] = str.strip
) -> tuple[dict[str, str], Caveats]:
    """Find which header plays which role: as told, by its own name, or by a synonym; `word` is what of it counts."""
    headers = list(columns)
    result: dict[str, str] = {}
    for role, header in options.items():
        check_choice("role", role, (*ROLES, *ITEM_ROLES, METRIC))
        result[role] = check_choice(f"column (for the {role})", header, headers)
    result, more = with_item_roles(result, headers, options, word)
    notes = list(more)
    for role in ROLES:
        if role in result:
            continue
        free = [header for header in headers if header not in result.values()]
        matches = [header for header in free if word(header).lower() in SYNONYMS[role]]
        exact = [header for header in matches if header == role]
        if not exact and len(matches) > 1:
            raise OptionError(
                f"Columns {quoted(matches)} of {source} could all name the {role}.",
                why="Only one can, and guessing would mix up results.",
                mend=f"Say which: {option(columns={role: matches[0]})}.",
            )
        if matches:
            result[role] = (exact or matches)[0]
            if result[role] != role:
                notes.append(Caveat("read-as", f"Column {result[role]!r} was read as the {role}."))
    return result, tuple(notes)


def score_names(scores: str | Sequence[str] | None, score: str | None = None) -> list[str] | None:
    """Return the scores asked for as a list, None where all are; `score` is the same for one."""
    if score is not None and scores is not None and ([scores] if isinstance(scores, str) else list(scores)) != [score]:
        raise OptionError(
            f"score={score!r} and scores={scores!r} were both given.",
            why="They are two spellings of one option.",
            mend="Give one of them.",
        )
    scores = score if scores is None else scores
    names = [scores] if isinstance(scores, str) else None if scores is None else list(scores)
    for name in names or ():
        if not isinstance(name, str) or name in ROLES:
            raise OptionError(
                f"A score cannot be named {name!r}.",
                why=f"A name is text, and {quoted(ROLES)} are the keys of the table.",
                mend=f"Use a name such as {option(scores='accuracy')}.",
            )
    return names


def one_name(score: str | None, scores: str | Sequence[str] | None = None) -> str | None:
    """Return the one score asked for, whichever way it was spelled; None where none was named."""
    names = score_names(scores, score)
    if names is not None and len(names) != 1:
        raise OptionError(
            f"{len(names)} scores were named: {quoted(names)}.",
            why="One score is compared at a time.",
            mend=f"Name one (score={names[0]!r}), or use tiebreak.multivariate for several together."
            if names
            else "Name one.",
        )
    return names[0] if names else None
