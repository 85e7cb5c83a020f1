"""Columns as tools write them: what headers say of their role, how cells divide the rows, which runs failed."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.results.cells import WORDS
from tiebreak.results.columns import NO_NUMBER, Column, Columns, ListColumn, Names, TextColumn, Where
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import word as word

_ID = re.compile(r"_?(id|ids|uid|key|hash)$")

DATASETS = (
    "dataset data_set data ds task tasks problem benchmark db database openml_task openml_dataset openml_data corpus"
    " domain did tid datasets eval_set test_set taskname validation unique_id"
).split()
ALGORITHMS = (
    "algorithm classifier learner wflow workflow method model framework estimator system pipeline scheme algo alg"
    " approach technique clf regressor forecaster agent llm flow strategy solver submission candidate tool library"
    " team participant"
).split()
FOLDS = "fold split cv_fold cv resample resampling fold_no fold_nr kfold outer_fold".split()
REPLICATIONS = "replication repetition repeat rep repeats idx_rep".split()
RUNS = "seed run run_id trial random_state random_seed iter iteration iterations iters bootstrap".split()
"""Columns that are replications where they are needed to distinguish runs."""
STEPS = "step steps global_step epoch epochs training_step train_size train_sizes n_train sample_size".split()
"""Columns that number the steps of one training, or sizes of training data."""
ITEMS = (
    "item item_id question question_id sample_id instance_id example example_id prompt_id query_id qid doc_id case"
    " case_id test_case test_case_id test_id task_id problem_id idx uid uuid sample instance prompt query input_id"
    " user_input input"
).split()
"""Columns that name items where the scores beside them are those of single answers."""
WEAK_ITEMS = ["id", "index", "key", "nr", "no", "number", "row", "task", "problem", "name"]
"""The same where scores are 0 or 1 alone."""
METRICS = "metric measure scorer metric_name metric_type eval_metric evaluation_metric score_name metrics".split()
VALUES = "value estimate mean score result metric_value val scores".split()
BENCHMARKS = frozenset(
    "mmlu mmlupro gsm8k math mathlvl5 humaneval mbpp hellaswag arc arcc arce arcchallenge arceasy truthfulqa winogrande"
    " gpqa ifeval bbh musr boolq piqa openbookqa triviaqa drop swebench livecodebench aime".split()
)
"""Benchmarks of language models on which shares of right answers are reported: higher is better."""
STATUS = "status state run_status runstatus job_status result_status finish_status".split()
ERRORS = "error_message exception traceback failure fail_reason failure_reason info error err message".split()
FLAGS = "imputed failed is_failed crashed timed_out timeout oom is_imputed has_failed".split()
PARTITIONS = "set subset part partition phase stage data_split".split()
"""Columns that say on which part of the data a score was made."""
PARTS = "test testing holdout eval evaluation val valid validation dev cv oof train training".split()
"""Parts of the data, those first whose scores count before others."""
VARIANTS = "experiment variant".split()
"""Columns that name models where no other does."""
TRUTHS = "y_true label target actual actuals observed truth ground_truth true_value true_label gold".split()
"""Columns of what was to be predicted, beside predictions."""
IMPUTED = ("imputed", "is_imputed")
NAMELESS = re.compile(r"|unnamed: \d+|index|name|run name|run_name|display_name|rowname|rownames", re.IGNORECASE)
"""Headers of a column that may name anything, as frames write their index."""

BY_ROLE: Mapping[str, list[str]] = {
    "dataset": DATASETS,
    "algorithm": ALGORITHMS,
    "fold": FOLDS,
    "replication": REPLICATIONS,
}

FINISHED = frozenset(
    "ok okay success successful succeeded finished complete completed done passed valid true terminated 1 active"
    " yes good normal ran ended none nan".split()
) | {"", "finished_ok", "trialstate.complete"}
UNFINISHED = frozenset(
    "running pending scheduled queued waiting pruned started created paused unfinished trialstate.pruned"
    " trialstate.running trialstate.waiting".split()
)
FAILED = re.compile(
    r".*(fail|error|crash|kill|time[ds]?[ _-]?out|time[ _-]?limit|abort|cancel|exception|diverg|did not|infeasible"
    r"|mem[ _-]?(out|limit|error)|out of|\boom\b|\boot\b|segfault|stopped).*|memout|other|dnf|nan|invalid|no",
    re.IGNORECASE,
)


def role_of(header: str) -> str | None:
    """Return the role that a header names, whatever its column holds: dataset, algorithm, fold or replication.

    Examples
    --------
    >>> [role_of(item) for item in ("openml_task_id", "learner.id", "Framework", "accuracy", "split")]
    ['dataset', 'algorithm', 'algorithm', None, 'fold']
    """
    return next((role for role in BY_ROLE if rank(header, role) is not None), None)


def rank(header: str, role: str) -> int | None:
    """Return the place of a header among the names of a role, from the most telling on; None where it is none."""
    name = word(header)
    known = BY_ROLE.get(role, [])
    for form in (name, _ID.sub("", name)):
        if form in known:
            return known.index(form)
    return None


_BINARY = frozenset({"0", "1", "0.0", "1.0"}) | {word for pair in WORDS for word in pair}
_AROUND_NUMBER = re.compile(r"[\W_]*\d|\\\w+\{\W*\d")


class ConstantColumn(Column):
    """A column of one name, for roles that the whole table plays."""

    __slots__ = ("length", "name")

    def __init__(self, name: str, length: int) -> None:
        self.name, self.length = name, length

    def __len__(self) -> int:
        return self.length

    def is_number(self) -> bool:
        """Say no: it is a name."""
        return False

    def coded(self) -> Names:
        """Return the one name for all rows."""
        return Names(codes=np.zeros(self.length, dtype=np.int32), names=(self.name,))

    def as_numbers(self, where: Where) -> FloatArray:
        """Return the name as numbers, which is an error where it is none."""
        return TextColumn([self.name] * self.length).as_numbers(where)

    def take(self, rows: IntArray) -> Column:
        """Return some rows."""
        return ConstantColumn(self.name, len(rows))


def cells_of(column: Column) -> list[Any]:
    """Return the cells of a column as Python objects."""
    if isinstance(column, ListColumn):
        return list(column.values)
    if hasattr(column, "objects"):
        return list(column.objects())
    named = column.coded()
    return [*map((*named.names, "").__getitem__, named.codes.tolist())]


def like(column: Column, cells: Sequence[Any]) -> Column:
    """Make a column of the same kind of other cells."""
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """The column that says how runs ended, and which rows failed or are not finished."""

    header: str
    failed: BoolArray
    unfinished: BoolArray
    told: bool

    def applied(
        self, columns: Mapping[str, Column], roles: Mapping[str, str], source: str
    ) -> tuple[dict[str, Column], frozenset[tuple[str, str]], list[Caveat]]:
        """Return the table without the scores of such runs, whose they are, and what was done."""
        values = [header for header in columns if header not in roles.values() and columns[header].is_number()]
        numbers = {header: columns[header].as_numbers(Where(column=header, source=source)) for header in values}
        failed = self.failed
        if not self.told:  # a message beside a score is a warning
            scores = [rows for header, rows in numbers.items() if not metric_named(header).is_cost] or [
                *numbers.values()
            ]
            empty = np.all([np.isnan(score) for score in scores], axis=0) if scores else np.zeros(0, dtype=bool)
            failed = failed & (empty if len(empty) else False)
        gone = failed | self.unfinished
        if not gone.any():
            return dict(columns), frozenset(), []
        out = dict(columns)
        for header, number in numbers.items():
            out[header] = ListColumn(np.where(gone, np.nan, number))
        pairs = self._pairs(columns, roles, failed)
        notes = [
            Caveat("runs-unfinished", f"{source}: {int(self.unfinished.sum())} runs are not finished; they are gaps.")
        ]
        notes = notes if self.unfinished.any() else []
        if pairs:
            shown = sorted(pairs)[:_SHOWN]
            notes += [Caveat("run-failed", f"{a!r} failed on {d!r} (column {self.header!r}).") for d, a in shown]
            if len(pairs) > _SHOWN:
                notes.append(Caveat("run-failed", f"{len(pairs) - _SHOWN} more cells of {source} hold failed runs."))
        return out, frozenset(pairs), notes

    def _pairs(self, columns: Columns, roles: Mapping[str, str], failed: BoolArray) -> set[tuple[str, str]]:
        if not failed.any() or not {"dataset", "algorithm"} <= set(roles):
            return set()
        rows = np.flatnonzero(failed)
        names = [columns[roles[role]].coded() for role in ("dataset", "algorithm")]
        codes = {(int(names[0].codes[row]), int(names[1].codes[row])) for row in rows.tolist()}
        return {(names[0].names[d], names[1].names[a]) for d, a in codes}


def imputed_rows(
    columns: Mapping[str, Column], roles: Mapping[str, str], header: str, named: Collection[str]
) -> tuple[BoolArray, list[str]]:
    """Return which rows to keep of a table whose benchmark filled in results, and what to say about them.

    What a benchmark fills in for a run that failed stands for what its users would fall back on, so it counts. Whose
    results are mostly those of another has none to compare, and is left out unless it was named.
    """
    marked = np.array([name.strip().lower() in _TRUE for name in columns[header].coded().names] + [False])
    imputed = marked[columns[header].coded().codes]
    names = columns[roles["algorithm"]].coded()
    rows = np.bincount(names.codes, minlength=len(names.names))
    filled = np.bincount(names.codes, weights=imputed, minlength=len(names.names))
    mostly = np.array([name not in named for name in names.names]) & (2 * filled > rows)
    if mostly.all():
        mostly[:] = False
    gone = [name for name, leave in zip(names.names, mostly, strict=True) if leave]
    keep = ~mostly[names.codes]
    facts = [f"{int((imputed & keep).sum())} results that the benchmark imputed count as it filled them in"]
    if gone:
        shown = ", ".join(gone[:_SHOWN]) + (f" and {len(gone) - _SHOWN} more" if len(gone) > _SHOWN else "")
        facts.append(f"left out, as most of their results are imputed: {shown}")
    return keep, facts


def imputed_header(columns: Columns, taken: Collection[str]) -> str:
    """Return the column that marks results which a benchmark filled in; empty where there is none."""
    for header in columns:
        if header not in taken and word(header) in IMPUTED and _outcome(header, columns[header], flag=True, told=True):
            return header
    return ""


def outcomes_of(columns: Columns, taken: Collection[str]) -> Outcome | None:
    """Find the column that says how runs ended; None where there is none, or all ended well."""
    for known, stated in ((STATUS, True), (FLAGS, True), (ERRORS, False)):
        for header in columns:
            if header in taken or word(header) not in known:
                continue
            column = columns[header]
            if known is not FLAGS and column.is_number():
                continue
            # a result that was filled in is there; where it is not, the run failed
            outcome = _outcome(header, column, flag=known is FLAGS, told=stated and word(header) not in IMPUTED)
            if outcome is not None:
                return outcome
    return None


def _outcome(header: str, column: Column, *, flag: bool, told: bool) -> Outcome | None:
    names = column.coded()
    words = [name.strip().lower() for name in names.names]
    if flag:
        if not set(words) <= {"0", "1", "0.0", "1.0", "true", "false", "yes", "no", ""}:
            return None
        failed = [name in _TRUE for name in words]
        unfinished = [False] * len(words)
    elif told:
        unfinished = [name in UNFINISHED for name in words]
        failed = [name not in FINISHED and FAILED.fullmatch(name) is not None for name in words]
        if len(words) > 20:
            return None
    else:
        failed = [name not in NO_NUMBER or name == "missing" for name in words]
        unfinished = [False] * len(words)
    if not any(failed) and not any(unfinished):
        return None
    mark = np.array([*failed, False])[names.codes], np.array([*unfinished, False])[names.codes]
    return Outcome(header=header, failed=mark[0], unfinished=mark[1], told=told)
