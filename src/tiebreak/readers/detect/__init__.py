"""From the columns of any table of results to columns with known roles, and what had to be inferred."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tiebreak._checks import BoolArray, IntArray, check_choices
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import OptionError, quoted
from tiebreak.readers.detect.columns import (
    ConstantColumn,
    Outcome,
    Scores,
    cells_of,
    codes_of,
    count,
    groups_of,
    imputed_rows,
    is_binary,
    is_empty,
    is_missing,
    is_resample,
    is_rising,
    is_running,
    is_written,
    match_scores,
    outcomes_of,
    refines,
    repeated_metrics,
)
from tiebreak.readers.detect.shapes import (
    benchmarks_below,
    in_seconds,
    is_of_sklearn,
    one_column_per_metric,
    reshaped,
)
from tiebreak.readers.settings import Settings
from tiebreak.readers.understanding import words
from tiebreak.results.columns import NO_NUMBER, Column, Columns, LineOf, ListColumn, TextColumn, Where, take
from tiebreak.results.confusion import COUNTS, MEASURES
from tiebreak.results.items import ITEM_ROLES
from tiebreak.results.metrics import look_up, metric_named
from tiebreak.results.roles import METRIC, ROLES, SYNONYMS, WIDE_SCORE, word
from tiebreak.wording import option

_FEW_ROWS = 5
_MANY_ROWS = 20
"""So many rows of nothing but 0 and 1 are items, not data sets."""
_OF_DATA_SETS = frozenset("accuracy balanced_accuracy auc kappa mcc error".split())
_SETTING = re.compile(r"((hyper_?)?param(eter)?s?|hparams|config)[._/]\w", re.IGNORECASE)
"""Columns of the settings of a run, as trackers and searches write them."""
_FRACTION = re.compile(r"-?\d*\.\d+(\.\d+)?")
_RESAMPLE = re.compile(r"(fold|split|cv|resample|rep(eat)?)[ _.-]?\d+([ _.-](valid|test|score))?", re.IGNORECASE)
_MEAN = re.compile(r"[-_. ](mean|avg)$")
_SPREAD = re.compile(r"[-_. ](std|stdv|stdev|stddev|sd)$")
_OPTIONS = frozenset(
    "scheme_options options params parameters config hyperparameters settings variant setting args setup_id".split()
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Detected:
    """A table whose roles are known: its columns, which of them plays which role, and what was inferred."""

    columns: Columns
    roles: Mapping[str, str]
    line_of: LineOf | None
    facts: tuple[str, ...] = ()
    notes: Caveats = ()
    failures: frozenset[tuple[str, str]] = frozenset()
    upward: frozenset[str] = frozenset()
    """Scores that are better when higher by the convention of the tool that wrote them."""
    score: str = ""
    """The name of the one score of a wide table, where its values tell it."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Table:
    """The table while it is looked at."""

    columns: dict[str, Column]
    source: str
    stem: str
    line_of: LineOf | None
    roles: dict[str, str] = field(default_factory=dict)
    facts: list[str] = field(default_factory=list)
    notes: list[Caveat] = field(default_factory=list)
    score: str = ""
    shares: bool = False
    outcome: Outcome | None = None

    @property
    def length(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    @property
    def free(self) -> list[str]:
        return [header for header in self.columns if header not in self.roles.values()]

    def numbers(self) -> list[str]:
        return [header for header in self.free if self.columns[header].is_number()]

    def keep(self, rows: BoolArray) -> None:
        """Keep some rows."""
        places, line_of = np.flatnonzero(rows), self.line_of
        self.columns = dict(take(self.columns, places))
        self.line_of = None if line_of is None else lambda row: line_of(int(places[row]))

    def add(self, role: str, column: Column, header: str | None = None) -> None:
        name = header or role
        while name in self.columns:
            name += "_"
        self.columns[name], self.roles[role] = column, name

    def choose(self, header: str, name: str, fact: str) -> None:
        """Keep the rows that hold a name in a column, which then has done its work."""
        self.keep(np.array([cell == name for cell in cells_of(self.columns[header])]))
        del self.columns[header]
        self.facts.append(fact)

    def cells(self, *roles: str) -> IntArray:
        """Number the cells that rows belong to by some of the roles."""
        held = [self.columns[self.roles[role]] for role in roles if role in self.roles]
        return groups_of(held) if held else np.zeros(self.length, dtype=np.int64)


def detect(columns: Columns, settings: Settings, *, source: str, line_of: LineOf | None = None) -> Detected | None:
    """Return a table with known roles, or None where its header says everything or nothing can be inferred safely.

    Examples
    --------
    >>> table = {"model": TextColumn(["a", "b"]), "split": TextColumn(["0", "0"]), "test_acc": TextColumn(["1", "2"])}
    >>> result = detect(table, Settings(scores=["acc"], stem="t"), source="t.csv")
    >>> dict(result.roles), result.facts
    ({'algorithm': 'model', 'fold': 'split', 'dataset': 'dataset'}, ('acc is test_acc',))
    """
    options, names, also = dict(settings.columns), list(settings.scores or ()), settings.also
    unknown = any(header not in columns or header == "#" for header in options.values())
    if not columns or unknown or set(options) & set(ITEM_ROLES) or _is_totals(columns):
        return None
    if _says_everything(columns, [*names, *(also or ())]):
        return None
    table = _Table(columns=in_seconds(columns), source=source, stem=settings.stem, line_of=line_of)
    if not options:
        for shape in (reshaped(table.columns), one_column_per_metric(table.columns, names)):
            if shape is not None:
                table.columns, table.line_of = shape[0], None
                table.facts += shape[1]
                break
        _refuse_predictions(table)
        _take_part(table)
        _take_metric(table, names)
    table.roles |= options
    _find_roles(table)
    table.outcome = outcomes_of(table.columns, set(table.roles.values()) | set(names) | set(also or ()))
    scores = match_scores(table.columns, table.roles, names, also, table.outcome.header if table.outcome else "")
    if scores.measures:  # some are there: name the others, before the rest is left out
        _check_scores(table, scores, names)
    if not _settle(table, scores, names):
        return None
    if "algorithm" in table.roles:
        _check_scores(table, scores, names)
    _drop_empty_rows(table, scores.measures)
    _name_metrics(table, scores)
    _take_imputed(table, settings.algorithms or ())
    return _finished(table, scores, names, also, columns)


def _check_scores(table: _Table, scores: Scores, texts: Sequence[str]) -> None:
    """Refuse the name of a score that no column has, and no measure of counts."""
    lacking = [name for name in texts if name not in (*table.columns, *scores.renamed, *MEASURES)]
    derived = [name for name in MEASURES if name not in table.free] if set(COUNTS) <= set(table.columns) else []
    known = [*table.free, *derived]
    check_choices("column", lacking, known, mend=f"It was requested as a score of {table.source}.")


def _take_imputed(table: _Table, named: Sequence[str]) -> None:
    """Count results that the benchmark filled in as it did, but for algorithms that have hardly others."""
    if (imputed := imputed_rows(table.columns, table.roles, named)) is not None:
        table.facts += imputed[1]
        table.keep(imputed[0])
        table.outcome = outcomes_of(table.columns, set(table.roles.values()))


def _drop_empty_rows(table: _Table, measures: Sequence[str]) -> None:
    """Drop rows without a model and without a score, such as the workspace among the experiments of DVC."""
    if "algorithm" not in table.roles or not measures:
        return
    columns = [table.columns[header] for header in (table.roles["algorithm"], *measures) if header in table.columns]
    if not is_missing(columns[0]).any():
        return
    empty = np.logical_and.reduce([is_missing(column) for column in columns])
    if empty.any() and table.outcome is None:
        table.keep(~empty)


def _name_metrics(table: _Table, scores: Scores) -> None:
    """Give a score that repeats a known metric on every data set, such as `result`, a column of the metrics."""
    if len(scores.measures) != 1 or "dataset" not in table.roles or METRIC in table.roles or METRIC in table.columns:
        return
    score = scores.measures[0]
    if score not in table.columns:
        return
    names = repeated_metrics(table.columns, table.columns[table.roles["dataset"]], score, table.numbers())
    if names is not None:
        table.columns[METRIC] = TextColumn(names)
        table.facts.append(f"{score} is {' or '.join(sorted(set(names)))}, by data set")


def _refuse_predictions(table: _Table) -> None:
    """Refuse columns of predictions beside what was to be predicted, and summary statistics: they are no scores."""
    first = next(iter(table.columns))
    names = set() if table.columns[first].is_number() else set(table.columns[first].coded().names)
    if {"25%", "75%"} <= names or "macro avg" in names:
        raise OptionError(
            f"{table.source} holds summary statistics: its rows are quartiles, or classes of one model.",
            mend="Write a score for each data set and model.",
        )
    if table.length < _FEW_ROWS or any(
        metric_named(header).higher_is_better is not None or words.rank(header, "algorithm") is not None
        for header in table.columns
    ):
        return
    truths = (*words.TRUTHS, "y") if "ds" in table.columns else words.TRUTHS  # as frames of Nixtla have it
    truth = next((h for h in table.free if word(h) in truths and not is_written(table.columns[h])), None)
    rest = [header for header in table.numbers() if header != truth and word(header) not in words.ANY_ITEMS]
    if truth is not None and rest:
        raise OptionError(
            f"{table.source} holds predictions: column {truth!r} is what was to be predicted.",
            mend="Score them first, and write a score for each data set and model.",
        )


def _take_metric(table: _Table, texts: Sequence[str]) -> None:
    """Keep the rows of the metric that was asked for, where columns are models and another one names metrics."""
    if any(words.rank(header, "algorithm") is not None for header in table.columns) or set(texts) & set(table.columns):
        return
    for header, column in table.columns.items():
        names = () if column.is_number() else column.coded().names
        if len(names) < 2 or not (word(header) in words.METRICS or all(look_up(name) is not None for name in names)):
            continue
        named = [name for name in names if texts and metric_named(name).key == metric_named(texts[0]).key]
        if len(texts) == 1 == len(named):
            table.choose(header, named[0], f"the rows of {named[0]}")
            if table.length == 1 and not any(words.rank(other, "dataset") is not None for other in table.columns):
                table.add("dataset", ConstantColumn([table.stem] * 1))
        elif len(names) == table.length:
            raise _of_metrics(table.source, names)
        return


def _of_metrics(source: str, metrics: Sequence[str]) -> OptionError:
    return OptionError(
        f"{source} holds rows of {len(metrics)} metrics: {quoted(metrics)}.",
        mend=f"Name one: {option(score=metrics[0])}.",
    )


def _take_part(table: _Table) -> None:
    """Keep the scores on test data where others, such as those on training data, stand in rows beside them."""
    for header, column in table.columns.items():
        if column.is_number() or (
            word(header) not in (*words.PARTITIONS, *words.FOLDS) and words.rank(header, "fold") is None
        ):
            continue
        names = {name.strip().lower(): name for name in column.coded().names}
        if len(names) > 1 and names.keys() <= set(words.PARTS):
            part = next(names[part] for part in words.PARTS if part in names)
            table.choose(header, part, f"the rows of {header} {part}")
            return


def _find_roles(table: _Table) -> None:
    """Find the columns whose headers name a role; of several the one that divides the rows most finely."""
    for role in ROLES:
        if role in table.roles:
            continue
        matches = [
            header
            for header in table.free
            if words.rank(header, role) is not None and not _is_score(table.columns, header)
        ]
        if role in ("fold", "replication"):  # resampling_id of mlr3 is the same for all rows
            matches = [header for header in matches if count(codes_of(table.columns[header])) > 1] or matches[:1]
            constant = [header for header in matches if count(codes_of(table.columns[header])) == 1]
            matches = [] if constant and any(word(header) in words.RUNS for header in table.free) else matches
        if matches:
            table.roles[role] = _finest(table, role, matches)
    if "fold" not in table.roles:
        resamples = [
            header
            for header in table.free
            if word(header) in ("id", "id2", "resample") and is_resample(table.columns[header])
        ]
        if resamples:
            table.roles["fold"] = resamples[-1]
            if len(resamples) > 1 and "replication" not in table.roles:
                table.roles["replication"] = resamples[0]
    if "algorithm" not in table.roles:
        variants = [h for h in table.free if word(h) in words.VARIANTS and not table.columns[h].is_number()]
        if variants and len(table.columns[variants[0]].coded().names) > 1:
            table.roles["algorithm"] = variants[0]


def _is_score(columns: Columns, header: str) -> bool:
    """A header such as `model` over decimal fractions, or `data` over times, names no role."""
    if not columns[header].is_number():
        return is_empty(columns[header])
    return any("." in name.rstrip("0").rstrip(".") for name in columns[header].coded().names[:50])


def _finest(table: _Table, role: str, matches: Sequence[str]) -> str:
    """Choose among headers that could play a role: its own name, one that all others follow from, or ask."""
    if len(matches) == 1 or role in matches:
        return role if role in matches else matches[0]
    matches = sorted(matches, key=lambda header: (words.rank(header, role), table.columns[header].is_number()))
    groups = {header: codes_of(table.columns[header]) for header in matches}
    telling = [header for header in matches if count(groups[header]) > 1] or matches[:1]
    for header in telling:
        if all(refines(groups[header], groups[other]) for other in telling):
            return header
    raise OptionError(
        f"Columns {quoted(telling)} of {table.source} could all name the {role}.",
        mend=f"Say which: {option(columns={role: telling[0]})}.",
    )


def _says_everything(columns: Columns, texts: Sequence[str]) -> bool:
    """Say whether headers alone tell every role, so that no cell need be looked at: most large tables are so."""
    roles = {role: [h for h in columns if h.strip().lower() in SYNONYMS[role]] for role in ROLES}
    if any(len(role) > 1 for role in roles.values()) or not (roles["dataset"] and roles["algorithm"]):
        return False
    if "TT (Sec)" in columns:
        return False  # of PyCaret, whose shape is looked at
    taken = {header for role in roles.values() for header in role}
    if any(not columns[header].is_number() for header in roles["fold"]):
        return False  # a split may be that into training and test data
    rest = [header for header in columns if header not in taken]
    measures = [metric_named(header) for header in rest]
    known = all(metric.higher_is_better is not None or metric.is_cost for metric in measures)
    if any(metric_named(name).is_general for name in texts) and any(
        not measure.is_cost and measure.higher_is_better is not None for measure in measures
    ):
        return False  # the score may repeat one of the others
    plain = not any(word(header) in (*words.DOUBTFUL, *_OPTIONS) for header in rest)
    return plain and set(texts) <= set(rest) and (known or bool(texts))


def _is_totals(columns: Columns) -> bool:
    """Say whether a table counts how many items each model passed, which its own headers tell."""
    headers = {header.strip().lower() for header in columns}
    return "passed" in headers and bool(headers & {"n", "n_items", "test_cases"})


def _settle(table: _Table, scores: Scores, texts: Sequence[str]) -> bool:
    """Find out what rows and columns are where roles are missing; False where nothing can be said."""
    has = {role for role in ("dataset", "algorithm") if role in table.roles}
    if "algorithm" not in has and scores.measures and _named_rows(table, scores):
        has.add("algorithm")
    if "algorithm" in has:
        return _long(table, scores, texts)
    if scores.measures and "dataset" not in has and len(_settings(table)) > 0:
        table.add("algorithm", ConstantColumn([""] * table.length))
        return _long(table, scores, texts)
    if scores.measures:
        return _of_one_model(table, scores)
    return _wide(table, texts)


def _named_rows(table: _Table, scores: Scores) -> bool:
    """Take a nameless column of different texts for the models where the others are measures, as frames write it."""
    for header in table.free:
        column = table.columns[header]
        if not words.NAMELESS.fullmatch(header.strip()) or header in scores.measures or column.is_number():
            continue
        names = column.coded().names
        pairs = [groups_of([column, table.columns[h]]) for h in table.numbers() if words.NAMELESS.fullmatch(h.strip())]
        numbered = any(count(pair) == table.length for pair in pairs)  # two levels of an index: models and their rows
        alone = numbered or len(names) == table.length or "dataset" in table.roles
        if len(names) > 1 and alone and not is_resample(column):
            if is_binary(table.columns[scores.measures[0]]) and table.length >= _MANY_ROWS:
                continue  # answers to items
            table.roles["algorithm"] = header
            table.facts.append(f"models are the rows ({header or 'first column'})")
            return True
    return False


def _long(table: _Table, scores: Scores, texts: Sequence[str]) -> bool:
    """A row per run: what is missing is the data set, or what distinguishes the runs of a cell."""
    if "dataset" not in table.roles and not scores.measures:
        if _leaderboard(table, scores, texts):
            return True
        unknown = _unknown(table, scores)
        if len(unknown) != 1 or len(texts) > 1:
            known = [header for header in table.numbers() if metric_named(header).higher_is_better is not None]
            if known:
                check_choices("column", [name for name in texts if name not in (*table.columns, *MEASURES)], known)
            return False
        scores.measures.append(unknown[0])
        if texts and texts[0] not in table.columns:
            scores.renamed[texts[0]] = unknown[0]
    measures = scores.measures or _unknown(table, scores)
    if not measures:
        return False
    if not _items(table, measures):
        _distinguished(table)
        if "dataset" not in table.roles:
            table.add("dataset", ConstantColumn([table.stem] * table.length))
            if count(table.cells("algorithm", "fold", "replication")) < table.length:
                return False  # rows of a cell that nothing tells apart may be data sets, folds or items
            table.facts.append("")  # the size says it
    return True


def _unknown(table: _Table, scores: Scores) -> list[str]:
    """Return the columns of numbers of which nothing is known, but that they are no names, sizes or counts of rows."""
    return [
        header
        for header in table.numbers()
        if header not in scores.costs
        and not scores.describes(header)
        and word(header) not in (*words.RUNS, *words.ITEMS)
        and not is_running(table.columns[header])
    ]


def _leaderboard(table: _Table, scores: Scores, texts: Sequence[str]) -> bool:
    """Rows are models, columns benchmarks: averages, ranks, sizes and the like are left out."""
    model = table.roles["algorithm"]
    benchmarks = [h for h in table.numbers() if h not in scores.costs and not scores.describes(h)]
    benchmarks = _without_sizes(table.columns, benchmarks)
    rows = table.columns[model].coded()
    if len(benchmarks) < 2 or len(rows.names) < table.length or len(texts) > 1 or "fold" in table.roles:
        return False
    if sum(words.known_as(name) == "algorithm" for name in benchmarks) * 2 > len(benchmarks):
        return False
    score = texts[0] if texts else WIDE_SCORE
    table.columns = benchmarks_below(table.columns, model, benchmarks, scores.costs, score)
    table.roles = {"dataset": "dataset", "algorithm": "algorithm"}
    table.line_of = None
    scores.measures[:] = [score]
    known = [name for name in benchmarks if re.sub(r"[\W_]", "", name.lower()) in words.BENCHMARKS]
    table.shares = len(known) > 1 and len(known) * 2 >= len(benchmarks)
    table.facts.append(f"the {len(benchmarks)} columns from {benchmarks[0]} to {benchmarks[-1]} are data sets")
    return True


def _without_sizes(columns: Columns, headers: Sequence[str]) -> list[str]:
    """Leave out whole numbers far beyond the shares or percentages beside them: counts, contexts, ranks."""
    values = {header: columns[header].as_numbers(Where(column=header)) for header in headers}
    tops = {header: float(np.nanmax(np.abs(value), initial=0.0)) for header, value in values.items()}
    inside = [header for header in headers if tops[header] <= 100]
    if len(inside) * 2 <= len(headers):
        return list(headers)
    return inside


def _items(table: _Table, measures: Sequence[str]) -> bool:
    """Find the column of items of single answers: its header names items, or the scores are 0 and 1 alone."""
    single = any(is_binary(table.columns[header]) for header in measures)
    names = [header for header in table.free if word(header) in words.ITEMS]
    names += [header for header in table.free if single and word(header) in words.WEAK_ITEMS and header not in names]
    names = [header for header in names if header not in measures and not _is_score(table.columns, header)]
    done = ("dataset", "algorithm", "replication", "fold")
    if names and "dataset" not in table.roles and all(_is_of_data_set(table.columns[h], h) for h in measures):
        table.roles["dataset"], names = names[0], []
        table.facts.append(f"data sets are {table.roles['dataset']}")
    if names and count(table.cells(*done)) == table.length and not (single and "dataset" not in table.roles):
        names = []
    for header in names:
        keys = [table.columns[table.roles[role]] for role in done if role in table.roles]
        if count(groups_of([*keys, table.columns[header]])) == table.length:
            table.roles["item"] = header
            break
    if "item" not in table.roles and single and "dataset" in table.roles and "fold" not in table.roles:
        header = table.roles["dataset"]
        named = table.columns[header].coded().names
        if word(header) in (*words.ITEMS, "task", "problem") and len(named) >= _MANY_ROWS:
            del table.roles["dataset"]
            table.roles["item"] = header
    if "item" not in table.roles:
        return False
    table.facts.append("" if table.roles["item"] == "item" else f"items are {table.roles['item']}")
    if "fold" in table.roles and "epoch" not in table.roles:  # repeated answers
        table.roles["epoch"] = table.roles.pop("fold")
    return True


def _is_of_data_set(column: Column, header: str) -> bool:
    """Say whether scores are those of a whole data set: a single answer has no accuracy but 0 and 1, or few grades."""
    return metric_named(header).key in _OF_DATA_SETS and len(column.coded().names) > _MANY_ROWS


def _distinguished(table: _Table) -> None:
    """Find what distinguishes the runs of a cell where the usual roles do not: a seed, a run, a trial, options."""
    runs = [h for h in table.free if word(h) in words.RUNS and not is_empty(table.columns[h])]
    nameless = [h for h in table.numbers() if words.NAMELESS.fullmatch(h.strip()) and not is_running(table.columns[h])]
    runs += [h for h in nameless if h not in runs]
    options = [h for h in table.free if word(h) in _OPTIONS and count(codes_of(table.columns[h])) > 1]
    if not runs and not options and is_of_sklearn(table.columns):
        _number_rows(table)
        return

    def distinguish(*headers: str) -> bool:
        cells = table.cells("dataset", "algorithm", "fold", "replication")
        return count(groups_of([_of(cells), *map(table.columns.__getitem__, headers)])) == table.length

    if distinguish():
        return
    for header in options if runs else ():  # runs that repeat within settings are those of models of their own
        cells = table.cells("dataset", "algorithm", "fold", "replication")
        if np.bincount(groups_of([_of(cells), table.columns[header]])).min() > 1 and _join_option(table, header):
            break
    free = [role for role in ("fold", "replication") if role not in table.roles]
    for header in runs if free else ():
        if distinguish(header):
            counted = word(header) in ("iter", "iteration") or header in nameless
            _take_runs(table, header, free[0] if counted else free[-1])
            return
    for headers in (*([header] for header in options), _settings(table)):
        if headers and distinguish(*headers) and _join_option(table, *headers):
            return


def _settings(table: _Table) -> list[str]:
    """Return the columns of settings that differ between runs."""
    return [h for h in table.free if _SETTING.match(h.strip()) and count(codes_of(table.columns[h])) > 1]


def _join_option(table: _Table, *headers: str) -> bool:
    """Make every setting of a model a model of its own, where most settings are there on every data set."""
    columns = [table.columns[header] for header in headers]
    joined, sets = groups_of([table.columns[table.roles["algorithm"]], *columns]), table.cells("dataset")
    if count(groups_of([_of(joined), _of(sets)])) < 0.8 * count(joined) * count(sets):
        return False
    names = cells_of(table.columns[table.roles["algorithm"]])
    for header, column in zip(headers, columns, strict=True):
        key = f"{word(header)}=" if _SETTING.match(header.strip()) else ""
        names = [
            name if cell is None or str(cell).strip().lower() in NO_NUMBER else f"{name} {key}{cell}".strip()
            for name, cell in zip(names, cells_of(column), strict=True)
        ]
    table.add("algorithm", TextColumn(names))
    text = word(headers[0]) if len(headers) == 1 else "setting"
    table.facts.append(f"every {text} of a model is a model of its own")
    return True


def _of(groups: IntArray) -> Column:
    return ListColumn(groups)


def _take_runs(table: _Table, header: str, role: str) -> None:
    """Runs of the same name are one replication; where every model has names of its own they are numbered."""
    column, name = table.columns[header], word(header) or "number of a row"
    slots = groups_of([_of(table.cells("dataset", "fold", "replication")), column])
    if count(slots) * 2 <= table.length or count(table.cells("algorithm")) == 1:
        table.roles[role] = header
        table.facts.append(f"every {name} is a {role}")
        return
    cells = table.cells("dataset", "algorithm", "fold", "replication")
    table.add(role, ListColumn(_numbered(cells, codes_of(column))))
    table.facts.append(f"every {word(header)} is a {role}, numbered for each model by itself")


def _numbered(cells: IntArray, order_by: IntArray | None = None) -> IntArray:
    """Number the rows of each cell, in the order of the table or by another column."""
    order = np.argsort(cells, kind="stable") if order_by is None else np.lexsort((order_by, cells))
    start = np.flatnonzero(np.concatenate([[True], np.diff(cells[order]) != 0]))
    number = np.empty(len(cells), dtype=np.int64)
    number[order] = np.arange(len(cells)) - np.repeat(start, np.diff([*start, len(cells)])) + 1
    return number


def _number_rows(table: _Table) -> None:
    """Frames of cross_validate under one another: the rows of a model are its folds, in the order of the splits."""
    cells = table.cells("dataset", "algorithm", "replication")
    sizes = np.bincount(cells)
    if "fold" in table.roles or sizes.min() < 2 or sizes.min() < sizes.max():
        return
    table.add("fold", ListColumn(_numbered(cells)))
    table.facts.append("the rows of a model are its folds, in their order")


def _of_one_model(table: _Table, scores: Scores) -> bool:
    """No column names models: the whole table is one, named after its file, unless some column might name them."""
    measures = scores.measures
    single = any(is_binary(table.columns[header]) for header in measures)
    table.add("algorithm", ConstantColumn([table.stem] * table.length))
    if not _items(table, measures):
        texts = [h for h in table.free if h not in measures and not table.columns[h].is_number()]
        texts = [h for h in texts if len(table.columns[h].coded().names) > 1 and not is_binary(table.columns[h])]
        if texts and not (scores.status and set(texts) <= {scores.status}):
            return False
        if single and table.length >= _MANY_ROWS and "dataset" not in table.roles:
            table.add("item", TextColumn([str(place + 1) for place in range(table.length)]))
            table.facts.append("rows are items")
        elif "dataset" not in table.roles:
            if "fold" not in table.roles and table.length > 1:
                _refuse_steps(table, measures)
                table.add("fold", TextColumn([str(place + 1) for place in range(table.length)]))
            table.add("dataset", ConstantColumn(["one data set"] * table.length))
    table.facts.append("each file is a model")
    return True


def _refuse_steps(table: _Table, measures: Sequence[str]) -> None:
    """Ask for one step of a run of training, such as a round of boosting or an epoch: its steps are no folds."""
    columns = table.columns
    steps = [header for header in table.numbers() if word(header) in words.STEPS and is_rising(columns[header])]
    bases = [_MEAN.sub("", header) for header in measures]
    spread = {_SPREAD.sub("", header) for header in columns if _SPREAD.search(header)}
    twice = [header for header in columns if f"val_{header}" in columns]  # Keras
    if steps or twice or spread & set(bases):
        place = f"column {(steps or twice)[0]!r}" if steps or twice else "they have standard deviations of their own"
        last = float(columns[steps[0]].as_numbers(Where(column=steps[0]))[-1]) if steps else 0.0
        raise OptionError(
            f"The rows of {table.source} are steps of one training ({place}).",
            mend=f"Choose one: {option(where=f'{steps[0]} == {last:g}')}." if steps else "Leave only one row.",
        )


def _wide(table: _Table, texts: Sequence[str]) -> bool:
    """No column is a known score: columns are models, and rows items, folds or data sets."""
    numbers = [header for header in table.free if table.columns[header].is_number() or is_binary(table.columns[header])]
    answers = [header for header in numbers if is_binary(table.columns[header])]
    others = [header for header in numbers if header not in answers]
    names = [h for h in table.columns if h not in numbers and not is_empty(table.columns[h])]
    running = [
        h
        for h in others
        if is_running(table.columns[h]) and (words.NAMELESS.fullmatch(h.strip()) or word(h) in words.ANY_ITEMS)
    ]
    if len(answers) > 1 and table.length >= _MANY_ROWS and set(others) <= {*running, *_ids(others)}:
        return _wide_items(table, answers)
    models = [header for header in numbers if header not in running]
    others = [header for header in names if header not in table.roles.values()]
    folds = [header for header in models if _RESAMPLE.fullmatch(header.strip())]
    if len(folds) > 1 and table.facts:
        raise OptionError(
            f"The columns of {table.source} are folds ({quoted(folds, limit=3)}), no models.",
            mend="Write a row for each fold, with a column 'fold' and one for each metric.",
        )
    if _numbered_sets(table) and len(models) > 1 and not others:
        header = table.roles["dataset"]
        table.facts += [] if isinstance(table.columns[header], ConstantColumn) else [f"data sets are {header}"]
        return True
    if len(models) < 2 or others or ("dataset" in table.roles and not {"fold", "replication"} & set(table.roles)):
        return _repeated(table, models)
    ids = [header for header in models if word(header) in (*words.ITEMS, "id") and header == models[0]]
    models = [header for header in models if header not in ids]
    if len(models) < 2:
        return False
    if "dataset" not in table.roles and {"fold", "replication"} & set(table.roles):
        table.add("dataset", ConstantColumn([table.stem] * table.length))
    elif ids and word(ids[0]) in words.ITEMS and word(ids[0]) not in ("instance", "sample"):
        table.roles["item"] = ids[0]
        table.facts.append(f"items are {ids[0]}")
    elif "dataset" not in table.roles:
        if not _may_be_scores(table, models, texts):
            return False
        named = cells_of(table.columns[ids[0]]) if ids else range(1, table.length + 1)
        table.add("dataset", TextColumn([f"row {name}" for name in named]))
        table.facts.append(f"rows are data sets (if they are folds: {option(columns={'fold': '#'})}), columns models")
    for header in [*running, *ids]:
        if header not in table.roles.values():
            del table.columns[header]
    return True


def _may_be_scores(table: _Table, models: Sequence[str], texts: Sequence[str]) -> bool:
    """Say whether numbers without names beside them may be scores: no probabilities, and none impossible.

    A first row of decimal fractions is no header.
    """
    if sum(_FRACTION.fullmatch(header.strip()) is not None for header in models) * 2 > len(models):
        return False
    values = np.column_stack([table.columns[header].as_numbers(Where(column=header)) for header in models])
    if len(models) > 1 and len(values) > 1 and bool(np.allclose(values.sum(axis=1), 1, atol=0.01 * len(models))):
        return False
    share = bool(texts) and metric_named(texts[0]).is_share
    return not share or bool(np.nanmin(values) >= -1 and (np.nanmax(values) <= 100))


def _numbered_sets(table: _Table) -> bool:
    """Say whether a column of data sets names each once, where they are numbers or rows were chosen."""
    header = table.roles.get("dataset")
    if header is None or {"fold", "replication"} & set(table.roles):
        return False
    column = table.columns[header]
    return (column.is_number() or bool(table.facts)) and len(column.coded().names) == table.length


def _ids(headers: Collection[str]) -> list[str]:
    return [header for header in headers if word(header) in words.ANY_ITEMS]


def _wide_items(table: _Table, answers: Sequence[str]) -> bool:
    """Wide tables of 0 and 1 are answers of models, which stand in columns, to items."""
    table.roles = {
        role: header for role, header in table.roles.items() if role not in ("dataset", "replication", "fold")
    }
    names = [header for header in table.columns if header not in answers]
    unique = [h for h in names if len(table.columns[h].coded().names) == table.length]
    unique.sort(key=lambda h: word(h) not in words.ANY_ITEMS)
    if unique:
        table.roles["item"] = unique[0]
    else:
        table.add("item", TextColumn([str(place + 1) for place in range(table.length)]))
    keep = {*answers, table.roles["item"]}
    table.columns = {header: column for header, column in table.columns.items() if header in keep}
    table.score = "correct"
    table.facts.append(f"items are {unique[0] if unique else 'the rows'}, columns models; 1 is a right answer")
    return True


def _repeated(table: _Table, models: Sequence[str]) -> bool:
    """Rows that name each data set several times are its folds."""
    names = [header for header in table.columns if header not in models and not table.columns[header].is_number()]
    first = table.roles.get("dataset") or (names[0] if len(names) == 1 else "")
    if first and first not in table.roles.values() and not words.NAMELESS.fullmatch(first.strip()):
        return False  # it may as well be the class of the rows of a data set
    if not first or len(models) < 2 or {"fold", "replication", "algorithm"} & set(table.roles):
        return False
    codes = codes_of(table.columns[first])
    sizes = np.bincount(codes)[1:]
    if len(sizes) < 2 or sizes.min() < 2 or (np.unique(sizes).size > 1 and words.rank(first, "dataset") is None):
        return False
    for header in names:
        metrics = table.columns[header].coded().names if word(header) in words.METRICS else ()
        if len(metrics) > 1:
            raise _of_metrics(table.source, metrics)
    table.roles["dataset"] = first
    table.add("fold", ListColumn(_numbered(codes)))
    for header in [h for h in table.columns if h not in models and h not in table.roles.values()]:
        del table.columns[header]
    table.facts.append(f"the rows of a {word(first) or 'name'} are its folds")
    return True


def _finished(
    table: _Table,
    scores: Scores,
    texts: Sequence[str],
    also: Sequence[str] | None,
    before: Columns,
) -> Detected | None:
    """Keep the columns that play a role or are read, under the requested names."""
    columns = dict(table.columns)
    wide = "algorithm" not in table.roles
    if not wide:
        keep = [*table.roles.values()]
        values = scores.kept(columns, texts, also)
        columns = {header: columns[header] for header in columns if header in keep or header in values}
        for name, header in scores.renamed.items():
            if header in columns:
                columns[name] = columns[header] if header in keep else columns.pop(header)
                if name.lower() != header.lower():
                    table.facts.append(f"{name} is {header}")
    failures: frozenset[tuple[str, str]] = frozenset()
    if table.outcome is not None and not wide:
        columns, failures, notes = table.outcome.applied(columns, table.roles, table.source)
        table.notes += notes
    upward = frozenset(columns) - set(table.roles.values()) if is_of_sklearn(before) else frozenset()
    upward |= frozenset(scores.measures) if table.shares else frozenset()
    answers = [header for header in columns if header in scores.measures and is_binary(columns[header])]
    by_metric = METRIC in table.roles or METRIC in table.columns
    if "item" in table.roles and not by_metric and any(metric_named(header).is_general for header in answers):
        upward |= {header for header in answers if metric_named(header).is_general}
        table.facts.append("1 is a right answer")
    facts = [fact for fact in table.facts if fact]
    plain = not table.facts and not failures and not upward and not table.notes and list(columns) == list(before)
    usual = (role == METRIC or header.strip().lower() in SYNONYMS.get(role, ()) for role, header in table.roles.items())
    if plain and "item" not in table.roles and all(usual):
        return None
    return Detected(
        columns=columns,
        roles=table.roles,
        line_of=table.line_of,
        facts=tuple(facts) or (("",) if table.facts else ()),
        notes=tuple(table.notes),
        failures=failures,
        upward=upward,
        score=table.score,
    )
