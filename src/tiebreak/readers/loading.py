"""Plain files into columns: separated text, parquet, and JSON as records, columns or nested dictionaries."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.readers.understanding import words
from tiebreak.results import text
from tiebreak.results.cells import dict_columns, record_columns
from tiebreak.results.columns import Columns, LineOf
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import FRAME
from tiebreak.results.text import TooDeep, json_of
from tiebreak.wording import option

SMALL = 4_000_000
"""Text files up to this many bytes are parsed by Python's csv module: no other library need be loaded."""

SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": "\t"}
LINES = (".jsonl", ".ndjson")
_PLAIN = (*SEPARATORS, *LINES, ".json", ".arff", ".parquet", ".pq")
_kept: ContextVar[dict[Path, bytes] | None] = ContextVar("kept", default=None)


def load_columns(path: Path, *, score: str) -> tuple[Columns, LineOf | None]:
    """Read a file into columns, and say how to find the line of a row; `score` names what nested JSON holds."""
    kind, packed = ending_of(path)
    try:
        if path.is_dir():
            raise IsADirectoryError
        if path.stat().st_size == 0:
            raise text.empty_file(path.name)
        if kind in SEPARATORS:
            data = bytes_of(path)
            return text.text_columns(data, separator=SEPARATORS[kind], source=path.name, large=len(data) > SMALL)
        if kind == ".arff":
            data = _arff_as_csv(bytes_of(path))
            return text.text_columns(data, separator=",", source=path.name, large=False)[0], None
        if kind == ".json":
            return json_columns(bytes_of(path), score, path.name), None
        if kind in LINES:
            return line_columns(bytes_of(path), path.name), None
        if kind in (".parquet", ".pq"):
            return text.parquet_columns(path, source=FRAME), None
    except OSError as error:
        raise text.unreadable(path, error, "it is no readable file", why="Results come from a file.") from None
    except text.UnsoundFile as error:
        raise text.unsound(path.name, error, packed=packed) from None
    raise OptionError(
        f"{path.name} has an ending that is not known.",
        mend="Use .csv, .tsv, .json or .parquet (.csv.gz, .tsv.gz and .json.gz are read too).",
    )


def _arff_as_csv(data: bytes) -> bytes:
    """Write ARFF, as the experimenter of WEKA keeps results, as csv: its attributes are the header."""
    lines = iter(data.decode(errors="replace").splitlines())
    names = list[str]()
    for line in lines:
        if match := re.match(r"""\s*@attribute\s+('[^']*'|"[^"]*"|\S+)""", line, re.IGNORECASE):
            names.append(match[1].strip("'\""))
        if line.strip().lower() == "@data":
            break
    out = io.StringIO()
    rows = csv.reader(
        (line for line in lines if line.strip() and not line.lstrip().startswith("%")),
        quotechar="'", escapechar="\\", skipinitialspace=True,
    )  # fmt: skip
    csv.writer(out).writerows([names, *rows])
    return out.getvalue().encode()


def ending_of(path: Path) -> tuple[str, bool]:
    """Return the ending that tells how to read a file, and whether it is compressed."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = suffixes[-1:] == [".gz"] and len(suffixes) > 1
    return (suffixes[-2 if packed else -1] if suffixes else ""), packed


def is_other(path: Path) -> bool:
    """Say whether a file is there, or a pipe, that is of no plain kind."""
    return ending_of(path)[0] not in _PLAIN and path.exists() and not path.is_dir()


@contextmanager
def read_once() -> Iterator[None]:
    """Keep what files hold: once is quicker, and a file that changes in between would give two answers."""
    before = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(before)


def bytes_of(path: Path) -> bytes:
    """Return what a file holds, from where it is kept or from the disk."""
    options = _kept.get()
    if options is None:
        return text.file_bytes(path)
    if path not in options:
        options[path] = text.file_bytes(path)
    return options[path]


def json_columns(data: bytes, score: str, source: str) -> Columns:
    """Read a list of records, a dictionary of columns, or {data set: {algorithm: score or list of fold scores}}."""
    try:
        content = json_of(data.decode(), object_pairs_hook=partial(distinct, source=source))
    except UnicodeDecodeError:
        raise text.not_utf8(source) from None
    except InputError:
        raise
    except TooDeep as error:
        raise _no_table(source, f"is no table: {error}") from None
    except ValueError as error:
        raise _no_json(source, error) from None
    content = _table_in(_code_evaluation(content) or content)
    if isinstance(content, dict) and content:
        flat = not any(isinstance(value, (Mapping, list)) for value in content.values())
        if flat and _is_record(content):  # what `evaluate` of Hugging Face saves: the measures of one model
            return record_columns([content])
        named = named_records(content)
        return dict_columns(content, score=score, source=source) if named is None else named
    if _are_records(content):
        return record_columns([_flat(row) for row in content])
    raise _no_table(source, "is JSON of another shape")


def _no_table(source: str, what: str) -> InputError:
    return InputError(
        f"{source} {what}.",
        why="Read are a list of records, a dictionary of columns, or {data set: {algorithm: score}}.",
        mend="Write it as [{'dataset': ..., 'algorithm': ..., 'accuracy': ...}, ...].",
    )


def _no_json(source: str, error: object) -> InputError:
    return InputError(f"{source} is not JSON: {error}.", mend="Correct it.")


def _table_in(content: Any) -> Any:
    """Return the table that JSON holds beside other things, or in one of the ways of pandas."""
    inner = content
    while isinstance(inner, dict) and len(inner) == 1:  # {"evaluations": {"evaluation": [{...}, ...]}}
        inner = next(iter(inner.values()))
    if not isinstance(content, dict) or _are_records(inner):
        return inner if _are_records(inner) else content
    frame = [[*value] for value in content.values() if isinstance(value, dict) and not _holds_dicts(value)]
    if len(frame) == len(content) and all(keys == [str(i) for i in range(len(frame[0]))] for keys in frame):
        return {name: list(column.values()) for name, column in content.items()}  # orient="columns"
    return next(filter(_are_records, content.values()), content)


def _holds_dicts(value: Mapping[Any, Any]) -> bool:
    return any(isinstance(item, Mapping) for item in value.values())


def _are_records(rows: Any) -> bool:
    return isinstance(rows, list) and bool(rows) and all(isinstance(row, dict) for row in rows)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Put {"metrics": {"accuracy": 0.9}} beside the other values of a record, unless a name would be there twice."""
    inner = [key for value in row.values() if isinstance(value, dict) for key in value]
    outer = [key for key, value in row.items() if not isinstance(value, dict)]
    if not inner or len({*inner, *outer}) < len(inner) + len(outer):
        return row
    pairs = (value.items() if isinstance(value, dict) else [(key, value)] for key, value in row.items())
    return {key: value for pair in pairs for key, value in pair}


def named_records(content: Mapping[Any, Any]) -> Columns | None:
    """Read {model: {measure: value or list}} and {model: {item: {measure: value}}}; None where names are no measures.

    What the outer names are, and the inner ones between them and the measures, their number and the measures tell.

    Examples
    --------
    >>> list(named_records({"svm": {"test_accuracy": [0.9, 0.8], "fit_time": [1, 2]}}))
    ['algorithm', 'fold', 'test_accuracy', 'fit_time']
    >>> list(named_records({"m": {f"q{i}": {"resolved": i % 3 == 0} for i in range(30)}}))
    ['algorithm', 'item', 'resolved']
    """
    if len(content) > 1 and all(isinstance(value, (int, float)) for value in content.values()):
        return record_columns([{"algorithm": str(name), "score": value} for name, value in content.items()])
    if not all(isinstance(inner, Mapping) and inner for inner in content.values()):
        return None
    if all(_PART_OF_TRAINING.fullmatch(str(name)) for name in content):
        raise InputError(
            f"The values of {quoted(content, limit=3)} are rounds of one training, on parts of the data.",
            why="Rounds are not repetitions and do not show how the scores vary.",
            mend="Give the score of the round that is used: {'model': 0.9}.",
        )
    if all(map(_is_record, content.values())):
        return _record_columns([((("algorithm", name),), inner) for name, inner in content.items()])
    inner = [record for item in content.values() for record in item.values()]
    if not all(isinstance(record, Mapping) and _is_record(record) for record in inner):
        return None
    outer, names = list(content), list(dict.fromkeys(name for item in content.values() for name in item))
    first, second = _sides([str(name) for name in outer], [str(name) for name in names], inner)
    return _record_columns(
        [(((first, a), (second, b)), record) for a, item in content.items() for b, record in item.items()]
    )


_MANY = 20
"""So many names of nothing but right and wrong answers are items."""
_PART_OF_TRAINING = re.compile(r"(d?train|training|d?test|d?valid|validation|d?eval|learn)[_ -]?\d*", re.IGNORECASE)
"""What boosters call the data that they are watched on, as in `evals_result` of XGBoost."""


def _code_evaluation(content: Any) -> list[dict[str, Any]] | None:
    """Return the answers of a file of EvalPlus or BigCodeBench: {"eval": {task: [{"status": "pass"}, ...]}}.

    Of EvalPlus those to its own, larger set of tests count, as on its board.
    """
    tasks = content.get("eval") if isinstance(content, dict) else None
    if not isinstance(tasks, dict) or not tasks or not all(isinstance(runs, list) for runs in tasks.values()):
        return None
    rows = list[dict[str, Any]]()
    most = max(map(len, tasks.values()))
    for task, runs in tasks.items():
        for place, run in enumerate(runs, start=1):
            marks = {n: v for n, v in run.items() if n.endswith("status")} if isinstance(run, dict) else {}
            if not marks:
                return None
            held = marks.get("plus_status", [*marks.values()][-1])
            passed = None if held is None else held == "pass"
            rows.append({"task_id": task, **({"run": place} if most > 1 else {}), "passed": passed})
    return rows


def _is_record(value: Mapping[Any, Any]) -> bool:
    """Say whether a dictionary holds measures by their names: most are known, and none is a dictionary."""
    known = [name for name in value if metric_named(str(name)).higher_is_better is not None]
    return len(known) * 2 >= len(value) > 0 and not any(isinstance(item, Mapping) for item in value.values())


def _sides(outer: Sequence[str], inner: Sequence[str], records: Sequence[Mapping[Any, Any]]) -> tuple[str, str]:
    """Say what outer and inner names are: models and items where answers are right or wrong, else as names tell."""
    answers = {name for name in records[0] if all(record.get(name) in (None, 0, 1) for record in records)}
    if answers and max(len(outer), len(inner)) >= _MANY:
        return ("algorithm", "item") if len(inner) >= len(outer) else ("item", "algorithm")
    turned = words.axes_of(corner="", rows=outer, columns=inner).transposed
    return ("algorithm", "dataset") if turned else ("dataset", "algorithm")


def _record_columns(rows: Sequence[tuple[tuple[tuple[str, Any], ...], Mapping[Any, Any]]]) -> Columns | None:
    """Lay records out with a row each, or one per fold where they hold lists."""
    out = list[dict[str, Any]]()
    for keys, record in rows:
        lists = {
            name: value for name, value in record.items() if hasattr(value, "__len__") and not isinstance(value, str)
        }
        lengths = {len(value) for value in lists.values()}
        named = {role: str(name) for role, name in keys}
        if not lists:
            out.append({**named, **{str(name): value for name, value in record.items()}})
            continue
        if len(lengths) != 1 or {"fold", *named} & set(record):
            return None
        for place in range(lengths.pop()):
            values = {str(name): value[place] if name in lists else value for name, value in record.items()}
            out.append({**named, "fold": str(place + 1), **values})
    return record_columns(out) if out else None


def line_columns(data: bytes, source: str) -> Columns:
    """Read a record a line; what a record lacks is missing."""
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise text.not_utf8(source) from None
    return record_columns(
        [_flat(_record(line, number, source)) for number, line in enumerate(lines, start=1) if line.strip()]
    )


def _record(line: str, number: int, source: str) -> dict[str, Any]:
    try:
        result = json_of(line, object_pairs_hook=partial(distinct, source=source))
    except InputError:
        raise
    except ValueError as error:
        raise _no_json(source, f"line {number}: {error}") from None
    if not isinstance(result, dict):
        raise InputError(
            f"Line {number} of {source} is no record.", mend='Write it as {"model": ..., "item": ..., "accuracy": ...}.'
        )
    return result


_KEY = r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:'


def depth_of(data: bytes) -> int:
    """Count the dictionaries that JSON begins with, one in the other, up to three; 2 is {data set: {algorithm: ...}}.

    Examples
    --------
    >>> depth_of(b'{"iris": {"svm": 0.9}}'), depth_of(b'[{"dataset": "iris"}]'), depth_of(b'{"a": {"b": {"c": 1}}}')
    (2, 0, 3)
    """
    match = re.match(f"(?:{_KEY}){{0,3}}", data[:100_000].decode(errors="replace"))
    return len(re.findall(_KEY, match[0])) if match else 0


def turned(
    columns: Columns, *, source: str, transpose: bool | None, documented: bool = False
) -> tuple[Columns, Caveats]:
    """Tell whether {name: {name: score}} has data sets first, as documented, or algorithms, as pandas may write it.

    What a caller wrote as `documented` needs no word where no name speaks against it.

    Examples
    --------
    >>> columns = dict_columns({"RF": {"iris": 0.9, "wine": 0.8}, "SVM": {"iris": 0.7}}, score="auc", source="t")
    >>> turned(columns, source="t", transpose=None)[0]["dataset"].coded().names
    ('iris', 'wine')
    """
    rows, others = (list(dict.fromkeys(columns[role].coded().names)) for role in ("dataset", "algorithm"))
    axes = words.axes_of(corner="", rows=rows, columns=others)
    turn = axes.transposed if transpose is None else transpose
    if turn:
        columns = {**columns, "dataset": columns["algorithm"], "algorithm": columns["dataset"]}
    if transpose is not None or turn is False or (documented and not turn):
        return columns, ()
    why = f", because {'; '.join(axes.said(transposed=True))}" if turn else " (no name tells which)"
    first, inner, other = ("algorithms", "data sets", False) if turn else ("data sets", "algorithms", True)
    sentence = (
        f"{source}: the outer names were read as {first} and the inner ones as {inner}{why}. If it is the other way"
    )
    sentence += f" round: {option(transpose=other)}."
    return columns, (Caveat("read-as", sentence),)


def distinct(pairs: list[tuple[str, Any]], *, source: str) -> dict[str, Any]:
    """Make a dictionary, or name the key that would overwrite another."""
    out = dict(pairs)
    if len(out) < len(pairs):
        keys = [key for key, _ in pairs]
        raise InputError(
            f"The key {next(key for key in keys if keys.count(key) > 1)!r} occurs twice in one object of {source}.",
            mend="Rename or delete one of them.",
        )
    return out
