"""Columns as tools write them: roles by their headers, how cells divide the rows, failed runs, scores and costs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.errors import OptionError, quoted
from tiebreak.readers.understanding import words
from tiebreak.results.cells import WORDS
from tiebreak.results.columns import NO_NUMBER, Column, Columns, ListColumn, Names, TextColumn, Where
from tiebreak.results.metrics import look_up, metric_named, plain
from tiebreak.results.roles import word
from tiebreak.wording import option

_BINARY = frozenset({"0", "1", "0.0", "1.0"}) | {text for pair in WORDS for text in pair}
_AROUND_NUMBER = re.compile(r"[\W_]*\d|\\\w+\{\W*\d")


class ConstantColumn(TextColumn):
    """A column of one name, for roles that the whole table plays."""

    __slots__ = ()

    def coded(self) -> Names:
        """Return the one name for all rows, none of which need be looked at."""
        return Names(codes=np.zeros(len(self), dtype=np.int32), names=tuple(self.values[:1]))


def cells_of(column: Column) -> list[Any]:
    """Return the cells of a column as Python objects."""
    if isinstance(column, ListColumn):
        return list(column.values)
    if hasattr(column, "objects"):
        return list(column.objects())
    named = column.coded()
    return [*map((*named.names, "").__getitem__, named.codes.tolist())]


def like(column: Column, cells: Sequence[Any]) -> Column:
    """Make a column of the same kind with other cells."""
    if hasattr(column, "like"):
        made: Column = column.like(cells)
        return made
    return TextColumn(cells) if isinstance(column, TextColumn) else ListColumn(cells)


def codes_of(column: Column) -> IntArray:
    """Number the rows by what the column holds; missing cells are a value of their own."""
    return column.coded().codes.astype(np.int64) + 1


def groups_of(columns: Sequence[Column]) -> IntArray:
    """Number the rows by what all columns hold together."""
    group = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        codes = codes_of(column)
        _, group = np.unique(group * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)
    return group.astype(np.int64)


def count(groups: IntArray) -> int:
    """Count different groups."""
    return len(np.unique(groups))


def refines(fine: IntArray, coarse: IntArray) -> bool:
    """Say whether rows that agree in the first agree in the second."""
    return count(fine * (int(coarse.max(initial=0)) + 1) + coarse) == count(fine)


def is_binary(column: Column) -> bool:
    """Say whether a column holds nothing but 0 and 1, true and false, or another pair of such words."""
    names = column.coded().names
    if len(names) > 12:
        return False
    there = {name.strip().lower() for name in names} - NO_NUMBER
    return bool(there) and there <= _BINARY


def is_written(column: Column) -> bool:
    """Say whether most cells of a text are numbers with something around them: commas, signs, deviations, marks."""
    if column.is_number():
        return False
    names = [name for name in column.coded().names[:200] if name.strip().lower() not in NO_NUMBER]
    return 2 * sum(_AROUND_NUMBER.match(name) is not None for name in names) > len(names)


def is_empty(column: Column) -> bool:
    """Say whether no cell holds anything."""
    return all(name.strip().lower() in NO_NUMBER for name in column.coded().names[:3]) and len(column.coded().names) < 4


def is_missing(column: Column) -> BoolArray:
    """Mark the cells that hold nothing."""
    named = column.coded()
    return np.array([*(name.strip().lower() in NO_NUMBER for name in named.names), True])[named.codes]


def is_running(column: Column) -> bool:
    """Say whether a column numbers the rows, from any number on."""
    if not column.is_number():
        return False
    values = column.as_numbers(Where(column=""))
    return len(values) > 0 and not np.isnan(values).any() and bool((np.diff(values) == 1).all())


def is_rising(column: Column) -> bool:
    """Say whether every number of a column is larger than the one above."""
    return bool((np.diff(column.as_numbers(Where(column=""))) > 0).all())


def is_resample(column: Column) -> bool:
    """Say whether a column holds the names of resamples, such as Fold01, Fold1.Rep1 or Bootstrap03."""
    names = column.coded().names
    pattern = re.compile(r"(fold|split|resample|bootstrap|repeat|rep|cv)[ _.-]?\d+([ _.-]?(rep|repeat|fold)\d+)?", re.I)
    return bool(names) and all(pattern.fullmatch(name.strip()) for name in names)


_SHOWN = 3
_TRUE = ("1", "1.0", "true", "yes")
_BOOLEAN = frozenset((*_TRUE, "0", "0.0", "false", "no", ""))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """The column that says how runs ended, and which rows failed or are not finished.

    A column of messages is not `stated`: a message beside a score is a warning.
    """

    header: str
    failed: BoolArray
    unfinished: BoolArray
    stated: bool

    def applied(
        self, columns: Mapping[str, Column], roles: Mapping[str, str], source: str
    ) -> tuple[dict[str, Column], frozenset[tuple[str, str]], list[Caveat]]:
        """Return the table without the scores of such runs, whose they are, and what was done."""
        values = [header for header in columns if header not in roles.values() and columns[header].is_number()]
        numbers = {header: columns[header].as_numbers(Where(column=header, source=source)) for header in values}
        scores = [header for header in values if not metric_named(header).is_cost] or values
        failed = self.failed
        if not self.stated:
            failed = failed & np.logical_and.reduce(
                [np.isnan(numbers[header]) for header in scores] or [np.zeros(len(failed), dtype=bool)]
            )
        gone = failed | self.unfinished
        out = {**columns, **{header: ListColumn(np.where(gone, np.nan, number)) for header, number in numbers.items()}}
        pairs = set[tuple[str, str]]()
        if {"dataset", "algorithm"} <= set(roles):
            datasets, algorithms = (columns[roles[role]].coded() for role in ("dataset", "algorithm"))
            pairs = {(datasets.at(row), algorithms.at(row)) for row in np.flatnonzero(failed).tolist()}
        notes = list[Caveat]()
        if self.unfinished.any():
            text = f"{source}: {int(self.unfinished.sum())} runs are not finished; they are gaps."
            notes.append(Caveat("runs-unfinished", text))
        sentences = [f"{a!r} failed on {d!r} (column {self.header!r})." for d, a in sorted(pairs)]
        return out if gone.any() else dict(columns), frozenset(pairs), notes + failure_notes(sentences, source)


def failure_notes(sentences: Sequence[str], source: str) -> list[Caveat]:
    """Name the first failed runs one by one, and count the rest."""
    more = [f"{len(sentences) - _SHOWN} more cells of {source} hold failed runs."] if len(sentences) > _SHOWN else []
    return [Caveat("run-failed", text) for text in (*sentences[:_SHOWN], *more)]


def imputed_rows(
    columns: Mapping[str, Column], roles: Mapping[str, str], named: Collection[str]
) -> tuple[BoolArray, list[str]] | None:
    """Return which rows to keep of a table whose benchmark filled in results, and what to say about them.

    What a benchmark fills in for a run that failed stands for what its users would fall back on, so it counts. Whose
    results are mostly those of another has none to compare, and is left out unless it was named.
    """
    marks = (
        _outcome(h, columns[h], words.FLAGS) for h in columns if h not in roles.values() and word(h) in words.IMPUTED
    )
    mark = next(filter(None, marks), None)
    if mark is None or "algorithm" not in roles:
        return None
    names = columns[roles["algorithm"]].coded()
    rows = np.bincount(names.codes, minlength=len(names.names))
    imputed = np.bincount(names.codes, weights=mark.failed, minlength=len(names.names))
    mostly = np.array([name not in named for name in names.names]) & (2 * imputed > rows)
    mostly &= not mostly.all()
    gone = [name for name, leave in zip(names.names, mostly, strict=True) if leave]
    keep = ~mostly[names.codes]
    facts = [f"{int((mark.failed & keep).sum())} results that the benchmark imputed count as it filled them in"]
    if gone:
        shown = ", ".join(gone[:_SHOWN]) + (f" and {len(gone) - _SHOWN} more" if len(gone) > _SHOWN else "")
        facts.append(f"left out, as most of their results are imputed: {shown}")
    return keep, facts


def outcomes_of(columns: Columns, taken: Collection[str]) -> Outcome | None:
    """Find the column that says how runs ended; None where there is none, or all ended well."""
    for kind in (words.STATUS, words.FLAGS, words.ERRORS):
        held = (_outcome(h, columns[h], kind) for h in columns if h not in taken and word(h) in kind)
        if (outcome := next(filter(None, held), None)) is not None:
            return outcome
    return None


def _outcome(header: str, column: Column, kind: Sequence[str]) -> Outcome | None:
    """Read a column of flags, of states, or of messages."""
    if kind is not words.FLAGS and column.is_number():
        return None
    named = column.coded()
    texts, unfinished = [name.strip().lower() for name in named.names], [False] * len(named.names)
    if kind is words.FLAGS:
        if not set(texts) <= _BOOLEAN:
            return None
        failed = [text in _TRUE for text in texts]
    elif kind is words.STATUS:
        if len(texts) > 20:
            return None
        unfinished = [text in words.UNFINISHED for text in texts]
        failed = [text not in words.FINISHED and words.FAILED_STATUS.fullmatch(text) is not None for text in texts]
    else:
        failed = [text not in NO_NUMBER or text == "missing" for text in texts]
    if not any(failed) and not any(unfinished):
        return None
    marks = [np.array([*flags, False])[named.codes] for flags in (failed, unfinished)]
    # a result that was filled in is there; where it is not, the run failed
    stated = kind is not words.ERRORS and word(header) not in words.IMPUTED
    return Outcome(header=header, failed=marks[0], unfinished=marks[1], stated=stated)


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
    """The columns of scores and costs of a table; `renamed` are the requested names with their columns."""

    measures: list[str]
    costs: list[str]
    renamed: dict[str, str] = field(default_factory=dict)
    status: str = ""

    def describes(self, header: str) -> bool:
        """Say whether a column describes models or runs, or sums up others, by its header."""
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
    """Find the columns of the requested scores and costs, and those that are known by their names."""
    free = [header for header in columns if header not in roles.values() and header != status]
    numbers = [header for header in free if (columns[header].is_number() or is_binary(columns[header]))]
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


def _is_known(header: str) -> bool:
    known = metric_named(header)
    return (
        known.higher_is_better is not None and not known.is_cost and not known.is_general and not _SPREAD.search(header)
    )


def _general(texts: Sequence[str], numbers: Sequence[str], scores: Scores) -> list[str]:
    """One column of a general name, such as test_score, is the one score requested."""
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
    """Return the header of a requested score or cost under another spelling; None where there is none.

    Examples
    --------
    >>> matched("accuracy", ["fit_time", "train_accuracy", "test_accuracy"]), matched("price", ["Price", "cost"])
    ('test_accuracy', 'Price')
    >>> matched("accuracy", ["metrics.accuracy", "metrics.f1"]), matched("latency", ["latency_ms"])
    ('metrics.accuracy', 'latency_ms')
    """
    key, text = metric_named(name).key, plain(name)
    tests: Sequence[Callable[[str], bool]] = (
        lambda header: header.strip().lower() == name.strip().lower(),
        lambda header: plain(header) == text,
        lambda header: plain(header.partition("(")[0]) == text,  # FLOPs (1E21), TT (Sec)
        lambda header: plain(re.split(r"[./:]", header.strip("./: "))[-1]) == text,  # the last part of a dotted name
        lambda header: _without_average(header) in (text, _without_average(name)),
        lambda header: metric_named(header).key == key and not _TRAIN.search(header),
        lambda header: _known_as(header) == _known_as(name) != "" and not _TRAIN.search(header),
        lambda header: _unitless(plain(header)) in (text, _unitless(text)) and metric_named(header).is_cost,
    )
    free = [header for header in headers if not _SPREAD.search(header) or _SPREAD.search(name)]
    names = next(filter(None, ([header for header in free if test(header)] for test in tests)), [])
    best = [header for header in names if not _PART.search(header)] or names
    means = [header for header in best if not header.lower().startswith("mean_")] or best
    if len(means) > 1:
        means = [header for header in means if re.search(r"(^|[_.])(mean|avg|average)", header.lower())] or means
    if len(means) > 1:
        raise OptionError(
            f"Columns {quoted(means)} could all be {name!r}.", mend=f"Name one: {option(score=means[0])}."
        )
    return means[0] if means else None


def _known_as(name: str) -> str:
    known = look_up(name)
    return "" if known is None or known.kind in ("general", "cost") else known.key


def _without_average(header: str) -> str:
    """Return a name without what mlr and tables of means put behind it: acc.test.mean, train_s_mean10."""
    key = plain(header).replace(".", "_")
    return re.sub(r"^(mean|avg|average)_|(_test)?_(mean|avg|average|median)\d*$", "", key)


def _unitless(name: str) -> str:
    return re.sub(r"_(s|sec|secs|seconds|ms|millis|min|h|hours|mb|gb|usd|\$|eur)$", "", name)
