"""Files in: csv, tsv, json and parquet, one or several, and a second file with costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import Caveats
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.reading.boards import melted
from tiebreak.reading.eval_logs import are_logs, is_folder, read_logs, refuse_of_logs
from tiebreak.reading.json_files import depth_of, json_columns, turned
from tiebreak.reading.keeping import bytes_of
from tiebreak.reading.published_tables import check_alone, costs_published, is_published, read_published
from tiebreak.reading.raw_tables import by_metric, kept
from tiebreak.tables import MEASURES, Results, metric_named, stack, text, with_costs
from tiebreak.tables.columns import Columns, LineOf, TextColumn
from tiebreak.tables.conditions import as_conditions
from tiebreak.tables.confusion_table import COUNTS, is_count
from tiebreak.tables.metric_column import METRIC
from tiebreak.tables.roles import FRAME, WIDE_SCORE, find_roles, score_names

if TYPE_CHECKING:
    from tiebreak.reading.understanding.told import Understood

SMALL = 4_000_000
"""Text files up to this many bytes are parsed by Python's csv module: no other library need be loaded."""

LARGEST = 32_000_000
"""Text files beyond this many bytes are read as they stand: every cell of an understood one is an object of its own."""
_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": "\t"}
_PLAIN = (*_SEPARATORS, ".json", ".parquet", ".pq")


def read(
    path: str | Path | Sequence[str | Path],
    *,
    scores: str | Sequence[str] | None = None,
    also: Sequence[str] | None = (),
    costs: str | Path | None = None,
    columns: Mapping[str, str] | None = None,
    counts: bool = False,
    transpose: bool | None = None,
    keep_rows: bool = False,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    sheet: str | None = None,
    table: int | str | None = None,
    decimal: str | None = None,
    names: str | None = None,
    plain: bool = False,
    where: str | Sequence[str] | None = None,
    score: str | None = None,
    metric: str | None = None,
    prices: str | Path | None = None,
) -> Results:
    r"""Read results from files of any kind: csv, spreadsheets, json, parquet, LaTeX, Markdown, HTML or plain text.

    Long form has columns dataset, algorithm, optionally replication and fold, and one column per score or cost. Wide
    form has one row per data set and one column per algorithm, and holds one score, named by `scores`; or the other
    way round. In both a column `metric` may name the metric of the scores, one for each data set.

    A table that is not plain is understood: percent signs, decimal commas, `mean ± sd`, bold marks, gaps and failures
    written as words, two header rows. Rows that sum up others and columns that describe data sets are left out. What
    was left out is said in the caveats; what can be read in two ways is refused. `tiebreak.reading.explain` shows how
    a file was understood.

    Parameters
    ----------
    path : str or Path, or a sequence of them
        The form of each file follows from its ending and its content; "-" is standard input, and a text that holds a
        line break is itself read. "published:ulas2012" and "published:demsar2006" are tables that the package carries.
        Logs of evaluations of language models, and folders of them, are read by `tiebreak.evals.read_runs`.
    scores : str or sequence of str, optional
        The columns to read; by default all.
    also : sequence of str, optional
        Further columns to read where they are there, such as costs that may stand in the second file instead; None
        reads every column with the known name of a cost.
    costs : str or Path, optional
        A second file with costs per data set and algorithm, or per algorithm. The one cost of a file in wide form is
        named 'cost'.
    columns : mapping, optional
        Which header plays which role, such as {"dataset": "task", "algorithm": "framework", "metric": "scorer"}. The
        header "#" stands for the number of the row.
    counts : bool, default False
        Where the file lacks one of `scores` but holds counts of confusion matrices, read those instead of refusing;
        `tiebreak.tables.with_scores` makes the measures from them.
    transpose : bool, optional
        Whether the rows of a wide table are algorithms; by default names and titles tell it.
    keep_rows : bool, default False
        Keep rows that sum up others, such as averages, as data sets.
    algorithms, datasets : sequence of str, optional
        Only these; a row or column that is named here is never left out.
    sheet, table : str or int, optional
        Which sheet of a workbook, and which table of a file that holds several, by its number or caption.
    decimal : {".", ","}, optional
        The decimal mark, where numbers such as 1,234 leave it open.
    names : {"exact", "merge"}, optional
        Whether names that differ by spaces or by case alone are different or one; by default they are refused.
    plain : bool, default False
        Read the cells as they stand: every row and column counts, and nothing is understood or left out.
    where : str or sequence of str, optional
        Conditions that a row must meet to be read, all of them, such as "imputed == False" or "budget <= 60"; see
        `tiebreak.tables.conditions`. A file with costs is read whole.
    score : str, optional
        The same as `scores`, for one.
    metric, prices : str, optional
        Of logs of evaluations: the metric to take, and a csv of dollars per million tokens.

    Returns
    -------
    Results

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = file.write_text("dataset,svm,tree\niris,0.97,0.94\nwine,0.98,0.91\n")
    >>> read(file, scores="accuracy").algorithms
    ('svm', 'tree')
    >>> _ = file.write_text("Method;iris;wine;Average\nSVM;97,1%;98 %;97,6%\nTree;**94,0%**;OOM;\n")
    >>> found = read(file, scores="accuracy")
    >>> found.means("accuracy").tolist(), found.datasets
    ([[0.971, 0.94], [0.98, nan]], ('iris', 'wine'))
    >>> print(found.caveats[-1])
    'Tree' failed on 'wine': OOM.
    """
    paths = [path] if isinstance(path, (str, Path)) or hasattr(path, "read") else list(path)
    if not paths:
        raise OptionError("No file was named.", why="There is nothing to read.", mend="Name at least one.")
    asked = score_names(scores, score)
    told: dict[str, Any] = {
        "transpose": transpose, "keep_rows": keep_rows, "algorithms": algorithms, "datasets": datasets,
        "decimal": decimal, "names": names, "sheet": sheet, "table": table, "where": as_conditions(where),
    }  # fmt: skip
    check_alone(paths, columns, {**told, "plain": plain})
    if are_logs(paths) or any(isinstance(each, (str, Path)) and is_folder(each) for each in paths):
        told |= {"columns": columns, "elsewhere": costs is not None}
        results = _from_logs(paths, asked, also, told, metric, prices)
        return _finished(results, costs, columns, algorithms, datasets)
    refuse_of_logs(metric, prices)
    pick = partial(chosen, scores=asked, also=also, counts=counts)
    read_one = partial(read_source, scores=asked, columns=columns or {}, told=told, plain=plain, pick=pick)
    sources = [source_of(each) for each in paths]
    tables = [read_one(each)[0] for each in sources]
    results = stack(tables, sources=[str(each) for each in paths])
    if len(tables) > 1 or names is not None:
        results = _settled(results, names, plain=plain)
    return _finished(results, costs, columns, algorithms, datasets)


def _from_logs(
    paths: Sequence[Any],
    scores: list[str] | None,
    also: Sequence[str] | None,
    told: Mapping[str, Any],
    metric: str | None,
    prices: str | Path | None,
) -> Results:
    """Read logs of evaluations; what says how to understand a table is refused."""
    how = {name: value for name, value in told.items() if name not in ("where", "algorithms", "datasets", "elsewhere")}
    rest: dict[str, Any] = {"metric": metric, "prices": prices}
    rest |= {name: told[name] for name in ("where", "elsewhere", "datasets")}
    return read_logs(paths, scores=scores, also=also, told=how, **rest)


def _finished(
    results: Results,
    costs: str | Path | None,
    columns: Mapping[str, str] | None,
    algorithms: Sequence[str] | None,
    datasets: Sequence[str] | None,
) -> Results:
    """Join costs of a second file, and keep what was asked for."""
    if costs is not None:
        priced = costs_published(costs) if is_published(costs) else _read_costs(Path(costs), columns)
        results = with_costs(results, priced)
    if algorithms is None and datasets is None:
        return results
    return results.only(datasets=datasets, algorithms=algorithms)


def source_of(each: Any) -> Any:
    """Return a path, or what is no path: standard input, a text with lines, a published table, an open file."""
    if isinstance(each, Path) or hasattr(each, "read"):
        return each
    return each if each == "-" or "\n" in each or is_published(each) else Path(each)


def _settled(results: Results, names: str | None, *, plain: bool) -> Results:
    """Look at the names of several files together; each was looked at alone before."""
    from tiebreak.reading.understanding.guard import alike

    if plain or not (alike(results.datasets) or alike(results.algorithms)):
        return results
    from tiebreak.reading.understanding.opening import settle_names

    return settle_names(results, names, "the files")


Pick = Callable[[Columns, Mapping[str, str]], list[str] | None]
"""Which columns to read, given what there is and which of them are keys."""


def read_source(
    source: Any,
    *,
    scores: list[str] | None,
    columns: Mapping[str, str],
    told: Mapping[str, Any],
    plain: bool,
    pick: Pick,
) -> tuple[Results, Understood | None]:
    """Read one file as it stands, and understand it where that fails or where something about it is odd."""
    if is_published(source):
        return read_published(source, pick=pick, where=told["where"]), None
    understood = partial(_understood, source, scores=scores, columns=columns, told=told, pick=pick)
    needs = any(told[name] not in (None, False) for name in ("keep_rows", "decimal", "sheet", "table"))
    depth = _depth(source)
    needs = needs or depth == 3 or "#" in columns.values() or (told["transpose"] is not None and depth != 2)
    if not plain and (not isinstance(source, Path) or needs or _is_other(source)):
        return understood()
    raw = None
    roles: dict[str, str] = {}
    said: Caveats = ()
    try:
        raw, line_of = load_columns(source, score=scores[0] if scores else WIDE_SCORE)
        if depth == 2 and (not plain or told["transpose"] is not None):
            raw, said = turned(raw, source=source.name, transpose=told["transpose"])
        if not plain and _has_folds(raw):
            return _noted(understood(raw=raw), said)
        roles = find_roles(raw, columns, source.name)[0]
        if not plain and told["transpose"] is None and not columns:
            board = melted(raw, roles, score=scores[0] if scores else None, source=source.name)
            if board is not None:
                raw, line_of, said = board[0], None, (*said, *board[1])
                roles = find_roles(raw, columns, source.name)[0]
        raw, where = by_metric(raw, roles, scores, told["where"])
        asked = pick(raw, roles) or ()
        rows, line_of, notes = kept(raw, line_of, where, source=source.name, roles=roles, asked=asked)
        results = Results.from_columns(
            rows, scores=pick(rows, roles), roles=columns or None, source=source.name, line_of=line_of
        )
    except (InputError, OptionError) as error:
        if plain or {"item", "algorithm"} <= set(roles):  # items are named as such: there is nothing to guess
            raise
        if not _may_be_understood(source, error, loaded=raw is not None, where=told["where"]):
            raise
        return _noted(understood(raw=raw, failed=error), said)
    results = _noted((results, None), (*said, *notes))[0]
    if plain:
        return results, None
    from tiebreak.reading.understanding.guard import alike, is_odd

    close = [*alike(results.datasets), *alike(results.algorithms)]
    if close and (told["names"] is not None or any(one.strip() == other.strip() for one, other in close)):
        from tiebreak.reading.understanding.opening import settle_names  # a grid does not keep spaces at the ends

        return settle_names(results, told["names"], source.name), None
    if close or is_odd(results, wide="algorithm" not in roles, corner=roles.get("dataset") or next(iter(raw))):
        return _noted(understood(raw=raw, read=results), said)
    return results, None


def _noted(read: tuple[Results, Understood | None], notes: Caveats) -> tuple[Results, Understood | None]:
    results, found = read
    return (replace(results, caveats=(*notes, *results.caveats)) if notes else results), found


def _depth(source: Any) -> int:
    """Return how deep the dictionaries of a JSON file nest; 0 for other sources."""
    if not isinstance(source, Path) or _kind(source)[0] != ".json" or not source.is_file():
        return 0
    with source.open("rb") as stream:
        head = stream.read(100_000)
    return depth_of(text.file_bytes(source) if head.startswith(b"\x1f\x8b") else head)


def _has_folds(raw: Columns) -> bool:
    """Say whether several columns are named fold1, fold2 and so on."""
    numbered = [header for header in raw if header[-1:].isdigit()]
    if len(numbered) < 2:
        return False
    from tiebreak.reading.understanding.known import fold_of

    return sum(fold_of(header) is not None for header in numbered) > 1


def _is_other(path: Path) -> bool:
    """Say whether a file is there, or a pipe, that is of no plain kind."""
    return _kind(path)[0] not in _PLAIN and path.exists() and not path.is_dir()


def _may_be_understood(path: Path, error: TiebreakError, *, loaded: bool, where: Sequence[str]) -> bool:
    """Say whether a file that is not plain may still be a table; what is no sound file of its kind is not.

    A column that a condition names may be there once the file is split as it should be; other options are wrong anyhow.
    """
    if isinstance(error, OptionError) and not where and _kind(path)[0] != ".json":
        return False
    unsplit = isinstance(error, text.UnsplitText) and path.suffix.lower() != ".txt"  # an ending that says nothing
    if not path.is_file() or unsplit or not 0 < path.stat().st_size <= LARGEST:
        return False
    kind, packed = _kind(path)
    return loaded or kind == ".json" or (kind in _SEPARATORS and (not packed or isinstance(error, text.RaggedText)))


def _understood(
    source: Any,
    *,
    scores: list[str] | None,
    columns: Mapping[str, str],
    told: Mapping[str, Any],
    pick: Pick,
    raw: Columns | None = None,
    failed: TiebreakError | None = None,
    read: Results | None = None,
) -> tuple[Results, Understood | None]:
    """Understand a file; `failed` is why it could not be read as it stands, `read` what it gave that looked odd."""
    from tiebreak.reading.understanding import opening
    from tiebreak.reading.understanding.told import Told

    name = opening.label(source)
    rest: dict[str, Any] = {key: told[key] for key in ("transpose", "decimal", "names", "where")}
    rest |= {role: None if told[role] is None else tuple(told[role]) for role in ("algorithms", "datasets")}
    asked = opening.check_told(
        Told(scores=None if scores is None else tuple(scores), roles=columns, keep_rows=bool(told["keep_rows"]), **rest)
    )
    is_text = not isinstance(source, Path) or _kind(source)[0] not in (".json", ".parquet", ".pq")
    if read is not None and is_text and source.stat().st_size > LARGEST:
        return opening.settle_names(read, told["names"], name), None
    try:
        grids = opening.grids(source, raw if not is_text else None, name=name, sheet=told["sheet"])
    except InputError as error:
        raise (failed or error) from None
    if isinstance(failed, text.RaggedText):
        opening.check_ragged(grids, failed)
    try:
        found = opening.understand_one(grids, name=name, told=asked, table=told["table"])
    except InputError:
        if failed is not None and raw is None and not is_text:  # JSON of no known shape
            raise failed from None
        raise
    results = opening.results_of(found, choose=pick, roles=columns)
    return opening.settle_names(results, told["names"], name), found


def chosen(
    raw: Columns, roles: Mapping[str, str], *, scores: list[str] | None, also: Sequence[str] | None, counts: bool
) -> list[str] | None:
    """Costs come along unasked, as an order may need them; `also` narrows that to what was named."""
    if scores is not None and counts:
        scores = _or_counts(raw, scores, roles)
    if scores is not None:
        more = [name for name in raw if metric_named(name).is_cost] if also is None else [n for n in also if n in raw]
        scores = [*scores, *(name for name in more if name not in scores)]
    return scores


def _or_counts(raw: Columns, scores: list[str], roles: Mapping[str, str]) -> list[str] | None:
    """Choose the columns to read where a name that no column has may be a measure of counts that the file holds.

    Then all are read (None), as the caller may want any of them; where one is text, the counts and what else was named.
    """
    free = {header: column for header, column in raw.items() if header not in roles.values()}
    lacking = "algorithm" in roles and any(name not in free for name in scores)  # in wide form the name is free
    if not lacking or not any(map(is_count, free)):
        return scores
    if not set(COUNTS) <= set(free) or all(column.is_number() for column in free.values()):
        return None
    return [*(name for name in scores if name not in MEASURES), *COUNTS]


def _read_costs(path: Path, columns: Mapping[str, str] | None) -> Results:
    """Read costs as they stand, or as understanding reads them where that fails."""
    try:
        return _plain_costs(path, columns)
    except (InputError, OptionError) as error:
        if not path.is_file():
            raise
        failed = error
    told = dict.fromkeys(("transpose", "keep_rows", "decimal", "names", "sheet", "table", "algorithms", "datasets"))
    told |= {"where": ()}  # conditions choose among runs
    try:
        return _understood(
            path, scores=["cost"], columns={}, told=told, pick=lambda raw, _: ["cost"] if "cost" in raw else None
        )[0]
    except InputError as error:
        raise (error if _is_other(path) else failed) from None


def _plain_costs(path: Path, columns: Mapping[str, str] | None) -> Results:
    """A file without a data set column holds for every data set."""
    raw, line_of = load_columns(path, score="cost")
    told = {role: header for role, header in (columns or {}).items() if header in raw}
    metric = told.pop(METRIC, None)  # a cost is no score of any metric
    raw, roles = {header: column for header, column in raw.items() if header != metric}, told
    found, _ = find_roles(raw, roles, path.name)
    if "algorithm" in found and "dataset" not in found:
        raw = {**raw, "dataset": TextColumn(["*"] * len(raw[found["algorithm"]]))}
    wide = None if "algorithm" in found else "cost"
    return Results.from_columns(raw, scores=wide, roles=roles, source=path.name, line_of=line_of)


def load_columns(path: Path, *, score: str) -> tuple[Columns, LineOf | None]:
    """Read a file into columns, and say how to find the line of a row; `score` names what nested JSON holds."""
    kind, packed = _kind(path)
    try:
        if path.is_dir():
            raise IsADirectoryError
        if path.stat().st_size == 0:
            raise text.empty_file(path.name)
        if kind in _SEPARATORS:
            data = bytes_of(path)
            return text.text_columns(data, separator=_SEPARATORS[kind], source=path.name, large=len(data) > SMALL)
        if kind == ".json":
            return json_columns(bytes_of(path), score, path.name), None
        if kind in (".parquet", ".pq"):
            return text.parquet_columns(path, source=FRAME), None
    except OSError as error:
        raise text.unreadable(path, error, "it is no readable file", why="Results come from a file.") from None
    except text.UnsoundFile as error:
        raise text.unsound(path.name, error, packed=packed) from None
    raise OptionError(
        f"{path.name} has an ending that is not known.",
        why="The ending tells how to read a file.",
        mend="Use .csv, .tsv, .json or .parquet (.csv.gz, .tsv.gz and .json.gz are read too).",
    )


def _kind(path: Path) -> tuple[str, bool]:
    """Return the ending that tells how to read a file, and whether it is compressed."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = suffixes[-1:] == [".gz"] and len(suffixes) > 1
    return (suffixes[-2 if packed else -1] if suffixes else ""), packed
