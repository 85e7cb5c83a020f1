"""The obvious verb for some files: what `tiebreak FILE` does, and what the web page offers first.

Results with a cost, or with one score of each algorithm, are ordered, others are compared, votes are fought out, two
files of answers of one model each stand at a gate with margin 0, a data set gets a recommendation, a plan is run, a
document is checked.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from tiebreak.checking import is_document
from tiebreak.errors import InputError, OptionError, meant_file
from tiebreak.evals.battles import VOTE_HEADERS, VOTE_SIDES
from tiebreak.readers.taking import as_results
from tiebreak.readers.understanding.words import known_as
from tiebreak.results import Results
from tiebreak.results.items import FOLD, ITEM, NAMED, TOTAL
from tiebreak.results.metrics import Known, look_up
from tiebreak.results.roles import SYNONYMS
from tiebreak.wording import Brief, on_the_command_line, shell

LOOKED_FOR = (
    "results (csv, xlsx, json, parquet, LaTeX, Markdown, HTML; logs of evaluations), two files of answers of one model"
    " each, votes (model_a, model_b, winner), a data set (features and a target), a plan (.toml), a store (.db) or a"
    " document with tables and prose (.tex, .md, .html)"
)
"""What a file may be."""
STORES = (".db", ".sqlite", ".sqlite3")
DATA = (".arff", ".data")
SCORES = ("accuracy", "balanced_accuracy", "auc", "roc_auc", "f1", "passed", "resolved", "correct", "score", "error")
"""Of several scores the first of these is taken, else the first whose direction is known."""
COSTS = ("price", "total_cost", "cost", "train_time", "fit_time", "total_time", "time", "seconds", "latency", "tokens")
"""Of several costs the first of these is taken, else the first one."""
PEEK = 300
"""So many rows are looked at."""
FEWEST_EXAMPLES = 20
"""With fewer rows a table of numbers alone is taken for results."""
_COUNTS = {"tp", "fp", "tn", "fn"}
_NUMBER = re.compile(r"[^A-Za-z0-9]*\d")
_GAPS = frozenset(("", "-", "–", "—", "?", "na", "n/a", "nan", "none", "null", "oom", "timeout", "error", "failed"))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Obvious(Brief):
    """A verb with its files and options (under the names of its Python arguments); `about` says what was seen."""

    verb: str
    files: tuple[str, ...]
    about: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The line that names the verb, as in "order (8 algorithms, 38 data sets, accuracy against train_time)"."""
        return f"{self.verb} ({self.about})"

    def arguments(self) -> list[str]:
        """Return the arguments of the command line, the verb first."""
        named = [part for name, value in self.options.items() for part in (f"--{name.replace('_', '-')}", value)]
        return [self.verb, *self.files, *named]

    def command(self) -> str:
        """Return the whole command, as it can be typed."""
        return " ".join(["tiebreak", *map(shell, self.arguments())])


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Peek(Brief):
    """The first rows of a text with columns."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The headers in small letters, without prefixes such as params."""
        return tuple(header.strip().lower().rpartition(".")[2] for header in self.headers)

    def column(self, at: int) -> list[str]:
        """Return the cells of a column that are no gaps."""
        return [row[at] for row in self.rows if at < len(row) and row[at].strip().lower() not in _GAPS]

    def is_text(self, at: int) -> bool:
        """Whether most cells of a column are no numbers."""
        cells = self.column(at)
        return bool(cells) and 2 * sum(_NUMBER.match(cell) is None for cell in cells) > len(cells)


def obvious(files: str | Path | Sequence[str | Path], **reading: Any) -> Obvious:
    r"""Say what is obviously meant by some files.

    Parameters
    ----------
    files : str, path or sequence of them
    **reading : optional
        How to read results, as for `tiebreak.as_results`: score, columns, where, ...

    Returns
    -------
    Obvious

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "votes.csv"
    >>> _ = file.write_text("model_a,model_b,winner\nelm,fir,model_a\n")
    >>> obvious(file).verb
    'battles'
    """
    named = [str(file) for file in ([files] if isinstance(files, (str, Path)) else files)]
    for name in named:
        _check_there(name)
    if len(named) == 1:
        kinds: tuple[Callable[[str], Obvious | None], ...] = (_plan, _document, _votes, _data)
        for kind in kinds:
            if (result := kind(named[0])) is not None:
                return result
    elif len(named) == 2 and (gate := _gate(named, reading)) is not None:
        return gate
    return _results(named, reading)


def _check_there(name: str) -> None:
    if "://" in name or name.startswith("published:") or name == "-" or Path(name).exists():
        return
    raise OptionError(f"There is no file {name!r}.", mend=meant_file(name))


# ---- one file


def _plan(name: str) -> Obvious | None:
    if Path(name).suffix.lower() != ".toml":
        return None
    from tiebreak.lab import read_plan

    plan = read_plan(name, imports=False)  # nobody has asked to run it yet
    about = f"{_count(len(plan.datasets), 'data set')}, {_count(len(plan.algorithms), 'algorithm')}"
    return Obvious(verb="run", files=(name,), about=about)


def _document(name: str) -> Obvious | None:
    path = Path(name)
    return Obvious(verb="check", files=(name,), about=f"the tables of {path.name}") if is_document(path) else None


def _votes(name: str) -> Obvious | None:
    about = f"votes of {Path(name).name}"
    return Obvious(verb="battles", files=(name,), about=about) if holds_votes(name) else None


def holds_votes(name: str) -> bool:
    """Say whether a file has the columns of votes on pairs."""
    if (seen := peek(Path(name))) is None:
        return False
    words = {re.sub(r"[\W_]+", "_", word).strip("_") for word in seen.words}
    sides = any(set(side) <= words for side in VOTE_SIDES)
    return sides and not words.isdisjoint(VOTE_HEADERS["winner"]) and words.isdisjoint(SYNONYMS["algorithm"])


def _data(name: str) -> Obvious | None:
    path = Path(name)
    about = f"the data set {path.name.partition('.')[0]}"
    if path.suffix.lower() in DATA or path.name.lower().endswith(".arff.gz"):
        if "@attribute key_dataset" in "".join(_lines(path)[:50]).lower():
            return None  # of the experimenter of WEKA
        return Obvious(verb="recommend", files=(name,), about=about)
    seen = peek(path)
    if seen is not None and _is_one_model(seen):
        raise _one_side(name, "")
    return Obvious(verb="recommend", files=(name,), about=about) if seen is not None and holds_examples(seen) else None


def holds_examples(seen: Peek) -> bool:
    """Say whether the rows are examples to learn from: features and a target, and not results of algorithms.

    Results name algorithms or known scores, or are numbers of one kind beside one column of names. Examples have
    several columns of words, or names that repeat themselves, or numbers on different scales or with few classes.
    """
    words = set(seen.words)
    roles = {*SYNONYMS["algorithm"], *SYNONYMS["dataset"], *NAMED["item"], "fold"} - {"data"}
    scores = [header for header in seen.headers if (known := look_up(header)) and _is_score(known)]
    if words & roles or scores or len(seen.rows) < FEWEST_EXAMPLES or len(seen.headers) < 2:
        return False
    texts = [at for at in range(len(seen.headers)) if seen.is_text(at)]
    columns = [header for at, header in enumerate(seen.headers) if at not in texts]
    if 2 * sum(known_as(header) == "algorithm" for header in columns) > len(columns):
        return False
    if len(texts) > 1 or (texts and texts[0] != 0):
        return True
    if texts:
        names = seen.column(0)
        return 10 * len(set(names)) < 9 * len(names)
    return _few_classes(seen.column(len(seen.headers) - 1)) or _scales_differ(seen)


def _is_score(known: Known) -> bool:
    return known.kind != "cost" and known.higher_is_better is not None


def _few_classes(cells: list[str]) -> bool:
    return len(cells) >= FEWEST_EXAMPLES and 2 <= len(set(cells)) <= 10


def _scales_differ(seen: Peek) -> bool:
    """Whether typical sizes of columns lie further apart than those of scores by one measure."""
    sizes = []
    for at in range(len(seen.headers)):
        numbers = sorted(abs(value) for cell in seen.column(at) if (value := _as_number(cell)) is not None)
        sizes += [numbers[len(numbers) // 2]] if numbers else []
    positive = [size for size in sizes if size > 0]
    return len(positive) > 1 and max(positive) > 20 * min(positive)


def _as_number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


# ---- results


def _results(files: list[str], reading: Mapping[str, Any]) -> Obvious:
    """Order results that have a cost, compare others."""
    results = _read(files, reading)
    store = len(files) == 1 and _is_store(files[0])
    options: dict[str, str] = {"store": files[0]} if store else {}
    named = () if store else tuple(files)
    if len(results.algorithms) < 2 and len(results.datasets) < 2:
        raise _one_side(files[0], f", {results.algorithms[0]!r}")
    score, cost = _score_of(results), _cost_of(results)
    if score and (len(results.scores) > 1 or not results.scores):
        options["score"] = score
    if cost is not None:
        options["cost"] = cost
    about = [
        _count(len(results.algorithms), "model" if results.unit in (ITEM, TOTAL) else "algorithm"),
        _units(results),
    ]
    by = score or "the score"
    about.append(f"{by} against {cost}" if cost is not None else by)
    untested = results.unit == FOLD and len(results) == len(results.algorithms)  # one score of each: nothing varies
    return Obvious(
        verb="order" if cost is not None or untested else "compare",
        files=named,
        about=", ".join(about),
        options=options,
    )


def _one_side(file: str, model: str) -> InputError:
    return InputError(
        f"{file} holds results of one model{model}.",
        why="It takes two to differ.",
        mend=f"Name the file of the other one, too: tiebreak {shell(file)} OTHER.",
    )


def _read(files: list[str], reading: Mapping[str, Any]) -> Results:
    """Read results; what is no table at all gets an error that lists what was looked for."""
    source = files[0] if len(files) == 1 else files
    try:
        with on_the_command_line("compare"):
            return as_results(source, **reading)
    except InputError as error:
        if len(files) == 1 and not _has_columns(Path(files[0])):
            raise InputError(
                f"{Path(files[0]).name} is nothing that was looked for: {LOOKED_FOR}.",
                mend=f"If it is one of these, name the verb to see what is wrong, as in tiebreak compare"
                f" {shell(files[0])}.",
            ) from error
        raise


def _is_store(name: str) -> bool:
    return "://" in name or Path(name).suffix.lower() in STORES


def _has_columns(path: Path) -> bool:
    """Whether a file looks like a table, whose own error tells more than a list of what was looked for."""
    if path.is_dir() or path.suffix.lower() in (".xlsx", ".ods", ".parquet", ".pq", ".json", ".zip"):
        return True
    if not path.exists() or path.stat().st_size == 0:
        return True
    seen = peek(path)
    named = path.suffix.lower() in (".csv", ".tsv")
    return seen is not None and len(seen.headers) > 1 and (named or bool(seen.rows))


def _score_of(results: Results) -> str:
    """Choose among the scores; empty where none is obvious."""
    names = results.scores
    if set(names) >= _COUNTS:
        return "accuracy"
    if len(names) < 2:
        return names[0] if names else ""
    directed = [name for name in names if results.metric(name).higher_is_better is not None]
    return _first(directed or names, SCORES)


def _cost_of(results: Results) -> str | None:
    return _first(results.costs, COSTS) if results.costs and results.scores else None


def _first(names: Iterable[str], usual: Sequence[str]) -> str:
    """Return the name that stands first among the usual ones, by its spelling or by its key, else the first of all."""
    listed = list(names)
    for wanted in usual:
        for name in listed:
            known = look_up(name)
            if wanted == name.lower() or (known is not None and wanted in (known.name, known.key)):
                return name
    return listed[0]


def _units(results: Results) -> str:
    if results.unit == ITEM:
        return _count(len(results.folds), "item")
    if results.unit == TOTAL:
        return "totals"
    if len(results.datasets) > 1:
        return _count(len(results.datasets), "data set")
    folds = max(len(results) // max(len(results.algorithms), 1), 1)
    return f"one data set, {_count(folds, 'fold')}" if folds > 1 else "one data set"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


# ---- two files


def _gate(files: list[str], reading: Mapping[str, Any]) -> Obvious | None:
    """Take two files of answers of one model each for the old version and the new one."""
    seen = [peek(Path(name)) for name in files]
    plain = [item is not None and _is_one_model(item) for item in seen]
    sides = [None if alone else _one_model(name, reading) for name, alone in zip(files, plain, strict=True)]
    if not all(alone or side is not None for alone, side in zip(plain, sides, strict=True)):
        return None
    options = {"margin": "0"}
    read = [side for side in sides if side is not None]
    if len(read) == 2:
        shared = [name for name in read[0].costs if name in read[1].costs]
        options |= {"cost": _first(shared, COSTS)} if shared else {}
        scores = [name for name in read[0].scores if name in read[1].scores]
        options |= {"score": _first(scores, SCORES)} if len(scores) > 1 else {}
        about = f"is {_named(read[1], files[1])} better than {_named(read[0], files[0])}?"
    else:
        about = f"is {Path(files[1]).name} better than {Path(files[0]).name}?"
    return Obvious(verb="gate", files=tuple(files), about=about, options=options)


def _named(side: Results, file: str) -> str:
    return side.algorithms[0] or Path(file).name


def _one_model(name: str, reading: Mapping[str, Any]) -> Results | None:
    """Read a file as the answers, or the totals, of one model; None where it holds something else."""
    try:
        results = as_results(name, **reading)
    except InputError:
        return None
    return results if len(results.algorithms) == 1 and results.unit in (ITEM, TOTAL) else None


def _is_one_model(seen: Peek) -> bool:
    """Whether rows are answers of a model that is not named: a key that never repeats, and a score."""
    words = seen.words
    if set(words) & {*SYNONYMS["algorithm"], *SYNONYMS["dataset"]}:
        return False
    keys = [at for at, word in enumerate(words) if word in ("id", "idx", *NAMED["item"])]
    scores = [word for word in words if word in SCORES or ((known := look_up(word)) and known.kind == "share")]
    return any(len(set(cells := seen.column(at))) == len(cells) > 1 for at in keys) and bool(scores)


# ---- the first rows of a file


def peek(path: Path) -> Peek | None:
    r"""Return the first rows of a text with columns; None for files of other kinds.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "s.csv"
    >>> _ = file.write_text("a;b\n1;2\n")
    >>> peek(file)
    Peek(headers=('a', 'b'), rows=(('1', '2'),))
    """
    if not path.is_file():
        return None
    try:
        lines = _lines(path)
    except (OSError, EOFError, UnicodeError):
        return None
    if not lines or "\0" in lines[0]:
        return None
    if lines[0].lstrip().startswith("{"):
        return _records(lines)
    kind = path.name.lower().removesuffix(".gz")
    if not kind.endswith((".csv", ".tsv", ".tab", ".txt", ".data")):
        return None
    mark = max(",;\t|", key=lines[0].count)
    if mark not in lines[0]:
        return None
    try:
        rows = [tuple(cell.strip() for cell in row) for row in csv.reader(lines, delimiter=mark) if row]
    except csv.Error:
        return None
    return Peek(headers=rows[0], rows=tuple(rows[1:]))


def _lines(path: Path) -> list[str]:
    packed = path.suffix.lower() == ".gz"
    with (gzip.open if packed else open)(path, "rt", encoding="utf-8-sig", errors="replace") as stream:
        return [line[:100_000] for line in islice(stream, PEEK + 1)]


def _records(lines: list[str]) -> Peek | None:
    """Read lines of JSON; a text that is one JSON object as a whole is another thing."""
    try:
        records = [json.loads(line) for line in lines if line.strip()]
    except (ValueError, RecursionError):
        return None
    if len(records) < 2 or not all(isinstance(item, dict) for item in records):
        return None
    headers = tuple(dict.fromkeys(str(key) for item in records for key in item))
    rows = tuple(tuple("" if item.get(key) is None else str(item[key]) for key in headers) for item in records)
    return Peek(headers=headers, rows=rows)
