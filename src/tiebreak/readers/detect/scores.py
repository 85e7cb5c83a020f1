"""Which columns of numbers are scores and costs, and which of them was asked for under another spelling."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tiebreak.errors import OptionError, quoted
from tiebreak.readers.detect.columns import is_binary, is_written
from tiebreak.results.columns import Column, Columns, Where
from tiebreak.results.metrics import look_up, metric_named, plain
from tiebreak.wording import option

_TRAIN = re.compile(r"(^|[_./ -])(train|training|in_sample)([_./ -]|$)", re.IGNORECASE)
_PART = re.compile(r"(^|[_./ -])(val|valid|validation|dev|cv|oof|holdout|oob)([_./ -]|$)", re.IGNORECASE)
_SPREAD = re.compile(
    r"(^|[_. -])(std|sd|stdev|stderr|std_err|se|sem|var|min|max|median|lower|upper|ci|rank)([_. -]|$|\d+$)", re.I
)
_DESCRIBES = re.compile(
    r"rank.*|.*[_ ]rank|position|place|#|elo|votes|likes|downloads|year|version|release.*|models|pid|seed|nr|number"
    r"|.*(context|max|embedding|input|output)[_ ]?(window|length|tokens|size|dim\w*)"
    r"|(hidden|embedding|n|num|number of)?[_ ]?(layers|heads|dims?|dimensions?|votes|shots|folds|trials|runs|rows"
    r"|samples)|stack_level|fit_order|can_infer|n_?shot|training_iteration|epochs?|steps?|_?step"
    r"|(start|end|date|created|updated|submission)[_ ]?(time|at|date)?|timestamp|.*[_ ]?id"
    r"|.*param(eter)?s\b.*|.*memory.*|.*flops.*|max tokens"
    r"|(.*[_ ])?(costs?|price|emissions?|co2|likes)([_ (].*)?|hub.*"
    r"|mean.*win.*rate|zero.?shot|.*(size|instances|features|classes|attributes)",
    re.IGNORECASE,
)


@dataclass(slots=True, kw_only=True, eq=False)
class Scores:
    """The columns of scores and costs of a table; `renamed` are the names that were asked for with their columns."""

    measures: list[str]
    costs: list[str]
    renamed: dict[str, str] = field(default_factory=dict)
    status: str = ""

    def describes(self, header: str) -> bool:
        """Say whether a column describes models or runs, or sums up others, by its header."""
        from tiebreak.readers.understanding import words

        known = metric_named(header)
        if known.is_cost:
            return True
        return bool(
            words.is_summary(header)
            or words.is_index(header)
            or (words.is_description(header) and not words.is_weak(header))
            or _DESCRIBES.fullmatch(header.strip())
            or _SPREAD.search(header)
        )

    def kept(self, columns: Columns, asked: Sequence[str], also: Sequence[str] | None) -> set[str]:
        """Return the columns to read: those that were asked for and the costs, or all known ones."""
        held = {self.renamed.get(name, name) for name in asked} if asked else set(self.measures)
        if not held & set(columns):
            held |= {header for header in columns if columns[header].is_number() and not self.describes(header)}
        held |= set(self.costs) | {self.renamed.get(name, name) for name in also or ()}
        return {header for header in held if header in columns} | _beside(columns, held)


def _beside(columns: Columns, held: Collection[str]) -> set[str]:
    """Standard deviations, hosts, clusters and counts of confusion matrices stand beside what they belong to."""
    from tiebreak.results.confusion import is_count

    deviations = {f"{name}_sd" for name in held} & set(columns)
    return deviations | {
        header for header in columns if is_count(header) or header.lower() in ("host", "cluster", "metric")
    }


def match_scores(
    columns: Columns, roles: Mapping[str, str], texts: Sequence[str], also: Sequence[str] | None, status: str
) -> Scores:
    """Find the columns of the scores and costs that were asked for, and those that are known by their names."""
    free = [header for header in columns if header not in roles.values() and header != status]
    numbers = [header for header in free if _may_be_score(columns, header)]
    written = [header for header in free if is_written(columns[header])]
    scores = Scores(measures=[], costs=[h for h in numbers if _is_cost(h, columns[h])], status=status)
    for name in (*texts, *(also or ())):
        if name in free:
            continue
        header = matched(name, [*numbers, *written])
        if header is not None:
            scores.renamed[name] = header
    wanted = [scores.renamed.get(name, name) for name in texts]
    scores.measures = [header for header in wanted if header in free]
    if texts and not scores.measures:
        scores.measures = _general(texts, numbers, scores)
    if not texts:
        every = [header for header in free if header in numbers or header in written]
        scores.measures = [h for h in every if _is_known(h)] or [h for h in every if metric_named(h).is_general]
        tests = [h for h in scores.measures if not _PART.search(h) and not _TRAIN.search(h)]
        scores.measures = tests or scores.measures
    return scores


def _is_cost(header: str, column: Column) -> bool:
    """A wall time in seconds since 1970 says when something was written, not what it took."""
    if not metric_named(header).is_cost:
        return False
    values = column.as_numbers(Where(column=header)) if "time" in header.lower() and column.is_number() else np.zeros(1)
    return not float(np.fmin.reduce(values)) > 1e9


def _may_be_score(columns: Columns, header: str) -> bool:
    return columns[header].is_number() or is_binary(columns[header])


def _is_known(header: str) -> bool:
    known = metric_named(header)
    return (
        known.higher_is_better is not None and not known.is_cost and not known.is_general and not _SPREAD.search(header)
    )


def _general(texts: Sequence[str], numbers: Sequence[str], scores: Scores) -> list[str]:
    """One column of a general name, such as test_score, is the one score that was asked for."""
    general = [h for h in numbers if metric_named(h).is_general and not _SPREAD.search(h) and not _TRAIN.search(h)]
    tests = [header for header in general if not _PART.search(header)] or general
    if len(texts) == 1 and len(tests) == 1:
        scores.renamed[texts[0]] = tests[0]
        return [tests[0]]
    return []


def repeated_metrics(columns: Columns, dataset: Column, score: str, others: Sequence[str]) -> list[str] | None:
    """Name the metric of every row of a score that repeats, data set by data set, a column of a known metric.

    AMLB writes so: `result` is auc on two classes and log loss on more. None where it repeats none, or the same of all.
    """
    known = metric_named(score)
    telling = [h for h in others if h != score and _is_known(h) and not metric_named(h).is_general]
    if not known.is_general or known.higher_is_better is not None or not telling:
        return None
    values, sets = columns[score].as_numbers(Where(column=score)), dataset.coded()
    there = ~np.isnan(values)
    rows = np.bincount(sets.codes[there], minlength=len(sets.names))
    open_sets = rows > 0
    metrics = np.full(len(sets.names), "", dtype=object)
    for header in telling:
        column = columns[header].as_numbers(Where(column=header))
        for sign, name in ((1, header), (-1, f"neg_{header}")):
            close = np.isclose(values, sign * column, rtol=1e-12, atol=0, equal_nan=False)
            differs = np.bincount(sets.codes[there & ~close & ~np.isnan(column)], minlength=len(sets.names))
            equal = np.bincount(sets.codes[there & close], minlength=len(sets.names))
            # a run that a tool wrote into the wrong column leaves a gap, no contradiction
            metrics[open_sets & (differs == 0) & (equal >= 0.8 * rows) & (metrics == "")] = name
    if (metrics[open_sets] == "").any():
        return None
    metrics[metrics == ""] = next((name for name in metrics if name), "")
    return [str(name) for name in metrics[sets.codes]]


def matched(name: str, headers: Sequence[str]) -> str | None:
    """Return the header of a score or cost that was asked for in another spelling; None where there is none.

    Examples
    --------
    >>> matched("accuracy", ["fit_time", "train_accuracy", "test_accuracy"]), matched("price", ["Price", "cost"])
    ('test_accuracy', 'Price')
    >>> matched("accuracy", ["metrics.accuracy", "metrics.f1"]), matched("latency", ["latency_ms"])
    ('metrics.accuracy', 'latency_ms')
    """
    key = metric_named(name).key
    text = plain(name)
    groups = (
        [header for header in headers if header.strip().lower() == name.strip().lower()],
        [header for header in headers if plain(header) == text],
        [header for header in headers if plain(header.partition("(")[0]) == text],  # FLOPs (1E21), TT (Sec)
        [header for header in headers if _bare(header) == text],
        [header for header in headers if _without_average(header) in (text, _without_average(name))],
        [header for header in headers if metric_named(header).key == key and not _TRAIN.search(header)],
        [header for header in headers if _known_as(header) == _known_as(name) != "" and not _TRAIN.search(header)],
        [
            header
            for header in headers
            if _unitless(plain(header)) in (text, _unitless(text)) and metric_named(header).is_cost
        ],
    )
    for group in groups:
        names = [header for header in group if not _SPREAD.search(header) or _SPREAD.search(name)]
        if not names:
            continue
        best = [header for header in names if not _PART.search(header)] or names
        means = [header for header in best if not header.lower().startswith("mean_")] or best
        if len(means) > 1:
            means = [header for header in means if re.search(r"(^|[_.])(mean|avg|average)", header.lower())] or means
        if len(means) > 1:
            raise OptionError(
                f"Columns {quoted(means)} could all be {name!r}.",
                why="They hold different numbers.",
                mend=f"Name one: {option(score=means[0])}.",
            )
        return means[0]
    return None


def _known_as(name: str) -> str:
    known = look_up(name)
    return "" if known is None or known.kind in ("general", "cost") else known.key


def _bare(header: str) -> str:
    """Return the last part of a dotted or prefixed name."""
    return plain(re.split(r"[./:]", header.strip("./: "))[-1])


def _without_average(header: str) -> str:
    """Return a name without what mlr and tables of means put behind it: acc.test.mean, train_s_mean10."""
    key = plain(header).replace(".", "_")
    return re.sub(r"^(mean|avg|average)_|(_test)?_(mean|avg|average|median)\d*$", "", key)


def _unitless(name: str) -> str:
    return re.sub(r"_(s|sec|secs|seconds|ms|millis|min|h|hours|mb|gb|usd|\$|eur)$", "", name)
