"""Files in: csv, tsv, json and parquet, one or several, and a second file with costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import Caveats
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.readers.detect import Detected, detect
from tiebreak.readers.detect.account import accounted, as_items, inferred, upward
from tiebreak.readers.eval_logs import are_logs, is_folder, read_logs, refuse_of_logs, tables_of
from tiebreak.readers.loading import (
    LINES,
    SEPARATORS,
    bytes_of,
    ending_of,
    first_record,
    is_other,
    json_depth,
    load_columns,
    turned,
)
from tiebreak.readers.published import check_alone, costs_published, is_published, read_published
from tiebreak.readers.raw_tables import kept
from tiebreak.results import Results, metric_named, stack, text, with_costs
from tiebreak.results.cells import NoDataset
from tiebreak.results.columns import Columns, LineOf, TextColumn
from tiebreak.results.conditions import as_conditions
from tiebreak.results.confusion import COUNTS, MEASURES, is_count
from tiebreak.results.items import FOLD, ImpossibleTotals, asked_clusters, without_clusters
from tiebreak.results.roles import METRIC, ROLES, SYNONYMS, WIDE_SCORE, find_roles, score_names

if TYPE_CHECKING:
    from tiebreak.readers.grids import Grid
    from tiebreak.readers.understanding.notes import Understood


def read(
    path: str | Path | Sequence[str | Path] | Any,
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
    was left out is said in the caveats; what can be read in two ways is refused. `tiebreak.readers.explain` shows how
    a file was understood.

    Parameters
    ----------
    path : str or Path, or a sequence of them
        The form of each file follows from its ending and its content; "-" is standard input, and a text that holds a
        line break is itself read. "published:ulas2012" and "published:demsar2006" are tables that the package carries.
        What Python holds is read as well: a frame, records, an array, what `cross_validate` returned, a fitted search.
        Logs of evaluations of language models, and folders of them, are read by `tiebreak.readers.logs.read_runs`; of a
        folder without logs all csv, tsv and parquet files are, as if they were named.
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
        header "#" stands for the number of the row. "cluster": "none" ignores the clusters that items have, "epoch":
        "none" keeps runs of logs apart that differ in their seed alone.
    counts : bool, default False
        Where the file lacks one of `scores` but holds counts of confusion matrices, read those instead of refusing;
        `tiebreak.results.with_scores` makes the measures from them.
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
        `tiebreak.results.conditions`. A file with costs is read whole.
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
    if not _are_paths(path):
        from tiebreak.readers.taking import as_results

        how: dict[str, Any] = {"transpose": transpose, "keep_rows": keep_rows, "decimal": decimal, "names": names}
        held: dict[str, Any] = {
            "scores": scores,
            "score": score,
            "costs": also or None,
            "columns": columns,
            "where": where,
        }
        held |= {"datasets": datasets, "algorithms": algorithms, "plain": plain}
        return as_results(path, **held, **how)
    paths = [path] if isinstance(path, (str, Path)) or hasattr(path, "read") else list(path)
    paths = [each for named in paths for each in tables_of(named)]
    if not paths:
        raise OptionError("No file was named.", why="There is nothing to read.", mend="Name at least one.")
    asked = score_names(scores, score)
    told: dict[str, Any] = {
        "transpose": transpose, "keep_rows": keep_rows, "algorithms": algorithms, "datasets": datasets,
        "decimal": decimal, "names": names, "sheet": sheet, "table": table, "where": as_conditions(where),
    }  # fmt: skip
    columns, clustered = asked_clusters(columns)
    check_alone(paths, columns, {**told, "plain": plain})
    if are_logs(paths) or any(isinstance(each, (str, Path)) and is_folder(each) for each in paths):
        told |= {"columns": columns, "elsewhere": costs is not None}
        results = _from_logs(paths, asked, also, told, metric, prices)
        return _finished(results if clustered else without_clusters(results), costs, columns, algorithms, datasets)
    refuse_of_logs(metric, prices)
    pick = partial(chosen, scores=asked, also=also, counts=counts)
    read_one = partial(read_source, scores=asked, columns=columns or {}, plain=plain, pick=pick)
    sources = [source_of(each) for each in paths]
    stems = stems_of(sources)
    tables = [
        read_one(each, told={**told, "stem": stem, "also": also})[0] for each, stem in zip(sources, stems, strict=True)
    ]
    tables = tables if clustered else [without_clusters(each) for each in tables]
    results = stack(tables, sources=[str(each) for each in paths])
    if len(tables) > 1 or names is not None:
        results = _settled(results, names, plain=plain)
    named = next((str(each) for each in sources if isinstance(each, Path)), "")
    return _finished(accounted(results, named), costs, columns, algorithms, datasets)


def _from_logs(
    paths: Sequence[Any],
    scores: list[str] | None,
    also: Sequence[str] | None,
    told: Mapping[str, Any],
    metric: str | None,
    prices: str | Path | None,
) -> Results:
    """Read logs of evaluations; what says how to understand a table is refused."""
    own = ("where", "elsewhere", "datasets")
    how = {name: value for name, value in told.items() if name not in (*own, "algorithms")}
    rest: dict[str, Any] = {"metric": metric, "prices": prices, **{name: told[name] for name in own}}
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
        priced = costs_published(costs) if is_published(costs) else read_costs(Path(costs), columns)
        results = with_costs(results, priced)
    if algorithms is None and datasets is None:
        return results
    return results.only(datasets=datasets, algorithms=algorithms)


def source_of(each: Any) -> Any:
    """Return a path, or what is no path: standard input, a text with lines, a published table, an open file."""
    if isinstance(each, Path) or hasattr(each, "read"):
        return each
    return each if each == "-" or "\n" in each or is_published(each) else Path(each)


def _are_paths(value: Any) -> bool:
    """Say whether something is a path, an open file, or several of them; anything else is what Python holds."""
    if isinstance(value, (str, Path)) or callable(getattr(value, "read", None)):
        return True
    several = value if isinstance(value, (list, tuple)) else ()
    return isinstance(value, (list, tuple)) and all(isinstance(each, (str, Path)) for each in several)


def stems_of(sources: Sequence[Any]) -> list[str]:
    """Name each source by its file, by its folder where all files share a name, and by both where some do.

    Examples
    --------
    >>> stems_of([Path("old/answers.csv"), Path("new/answers.csv"), Path("c.csv.gz")])
    ['old/answers', 'new/answers', 'c']
    >>> stems_of([Path("bert/all_results.json"), Path("roberta/all_results.json")])
    ['bert', 'roberta']
    """
    paths = [each if isinstance(each, Path) else Path("table") for each in sources]
    stems = [path.name.removesuffix(".gz").rpartition(".")[0] or path.name for path in paths]
    folders = [path.resolve().parent.name for path in paths]
    if len(set(stems)) == 1 < len(set(folders)) == len(paths):
        return folders
    return [
        f"{path.resolve().parent.name}/{stem}" if stems.count(stem) > 1 else stem
        for path, stem in zip(paths, stems, strict=True)
    ]


def _settled(results: Results, names: str | None, *, plain: bool) -> Results:
    """Look at the names of several files together; each was looked at alone before."""
    from tiebreak.readers.understanding.guard import alike

    if plain or not (alike(results.datasets) or alike(results.algorithms)):
        return results
    from tiebreak.readers.understanding.table import settle_names

    return settle_names(results, names, "the files")


def chosen(
    raw: Columns, roles: Mapping[str, str], *, scores: list[str] | None, also: Sequence[str] | None, counts: bool
) -> list[str] | None:
    """Costs come along unasked, as an order may need them; `also` narrows that to what was named."""
    if scores is not None and counts:
        scores = _or_counts(raw, scores, roles)
    if scores is not None and "algorithm" in (*roles, *raw):  # a wide table holds one score, whatever it is called
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


LARGEST = 32_000_000
"""Text files beyond this many bytes are read as they stand: every cell of an understood one is an object of its own."""

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
    options: dict[str, Any] = {"scores": scores, "columns": columns, "told": told, "pick": pick}
    understood = partial(_understood, source, **options)
    depth = json_depth(source)
    other = isinstance(source, Path) and is_other(source) and not _has_flat_records(source)
    if not plain and (not isinstance(source, Path) or other or needs_understanding(columns, told, nested=depth == 2)):
        return _looked_over(understood(), label(source))
    said: Caveats = ()
    try:
        raw, line_of = load_columns(source, score=scores[0] if scores else WIDE_SCORE)
        if depth == 2 and (not plain or told["transpose"] is not None) and {"dataset", "algorithm"} <= set(raw):
            raw, said = turned(raw, source=source.name, transpose=told["transpose"])
    except (InputError, OptionError) as error:
        if plain or not _may_be_understood(source, error, loaded=False, where=told["where"]):
            raise
        return _looked_over(understood(failed=error), label(source))
    told = {**told, "stem": told.get("stem") or _stem(source)}
    may_be = partial(_may_be_understood, source, loaded=True, where=told["where"])
    read = read_columns(
        raw, line_of, name=source.name, plain=plain, understood=partial(understood, raw=raw), may_be=may_be,
        **{**options, "told": told},
    )  # fmt: skip
    return _noted(read, said)


def needs_understanding(columns: Mapping[str, str], told: Mapping[str, Any], *, nested: bool = False) -> bool:
    """Say whether an option asks for what only understanding does; "#" stands for the number of a row."""
    needs = any(told.get(name) not in (None, False) for name in ("keep_rows", "decimal", "sheet", "table"))
    return needs or "#" in columns.values() or (told["transpose"] is not None and not nested)


def read_columns(
    raw: Columns,
    line_of: LineOf | None,
    *,
    name: str,
    scores: list[str] | None,
    columns: Mapping[str, str],
    told: Mapping[str, Any],
    plain: bool,
    pick: Pick,
    understood: Callable[..., tuple[Results, Understood | None]],
    may_be: Callable[[TiebreakError], bool],
) -> tuple[Results, Understood | None]:
    """Read columns as they stand, and understand them where that fails, and it may help, or where something is odd."""
    detected: Detected | None = None
    roles: dict[str, str] = {}
    notes: Caveats = ()
    try:
        if not plain and _has_folds(raw):
            return _looked_over(understood(), name)
        roles = _roles(raw, columns, name, plain=plain)
        asked = pick(raw, roles) or ()
        rows, line_of, notes = kept(raw, line_of, told["where"], source=name, roles=roles, asked=asked)
        if not plain and told["transpose"] is None:
            detected = detect(
                rows, source=name, stem=told["stem"], wanted=scores, also=told.get("also"), told=columns,
                line_of=line_of, named=told.get("algorithms"),
            )  # fmt: skip
        if detected is not None:
            rows, line_of, roles = detected.columns, detected.line_of, dict(detected.roles)
            notes = (*notes, *detected.notes)
        wanted = [detected.score] if detected and detected.score and scores is None else pick(rows, roles)
        results = Results.from_columns(
            rows, scores=wanted, roles=roles if detected else columns or None, source=name, line_of=line_of
        )
    except (InputError, OptionError) as error:
        named = {"item", "algorithm"} <= set(roles) or isinstance(error, ImpossibleTotals)
        if plain or named:  # items and totals are named as such: there is nothing to guess
            raise
        if detected is not None:
            return _looked_over(_noted(_detected(understood, detected), notes), name)
        if not may_be(error):
            raise
        try:
            return _looked_over(understood(failed=error), name)
        except InputError as other:  # what stands there names more columns than what was understood
            raise (error if isinstance(error, NoDataset) else other) from None
    results = _noted((results, None), notes)[0]
    if detected is not None:
        results = _with_detected(results, detected)
    if plain:
        return results, None
    from tiebreak.readers.understanding.guard import alike, is_odd

    close = [*alike(results.datasets), *alike(results.algorithms)]
    if close and (told["names"] is not None or any(one.strip() == other.strip() for one, other in close)):
        from tiebreak.readers.understanding.table import settle_names  # a grid does not keep spaces at the ends

        return _looked_over((settle_names(results, told["names"], name), None), name)
    wide = "algorithm" not in roles
    odd = close or is_odd(results, wide=wide, corner=roles.get("dataset") or next(iter(raw)))
    if not odd or (detected is not None and wide):  # its columns are known to be models
        return _looked_over((results, None), name)
    if detected is not None:
        return _looked_over(_noted(_detected(understood, detected), notes), name)
    return _looked_over(understood(read=results), name)


def _looked_over(read: tuple[Results, Understood | None], name: str) -> tuple[Results, Understood | None]:
    """Look at the range of the scores, and whether rows are items."""
    results, found = read
    if results.unit != FOLD:
        return read
    from tiebreak.readers.detect.account import checked_ranges

    return as_items(checked_ranges(results, name)), found


def _detected(
    understood: Callable[..., tuple[Results, Understood | None]], detected: Detected
) -> tuple[Results, Understood | None]:
    """Understand the cells of a table whose roles are known."""
    results, found = understood(detected=detected)
    return _with_detected(results, detected), found


def _with_detected(results: Results, detected: Detected) -> Results:
    """Note which runs failed, which scores are better when higher, and what was inferred."""
    found = replace(results, failures=results.failures | detected.failures)
    return inferred(upward(found, detected.upward), detected.facts)


def _roles(raw: Columns, columns: Mapping[str, str], source: str, *, plain: bool) -> dict[str, str]:
    """Find the roles that headers name; several for one role are looked at more closely, unless the table is plain."""
    try:
        return find_roles(raw, columns, source)[0]
    except OptionError:
        if plain or any(header not in raw for header in columns.values()):
            raise
        return dict(columns)


def label(source: Any) -> str:
    """Name what is read, in messages."""
    if isinstance(source, Path):
        return source.name
    return "standard input" if source == "-" else "the text"


def _stem(source: Path) -> str:
    return source.name.removesuffix(".gz").rpartition(".")[0] or source.name


def _has_flat_records(path: Path) -> bool:
    """Say whether lines of JSON hold values alone, so that they are read as they stand."""
    if ending_of(path)[0] not in LINES or not path.is_file():
        return False
    try:
        first = first_record(bytes_of(path), path.name)
    except (TiebreakError, OSError, text.UnsoundFile):
        return False
    return bool(first) and not any(isinstance(value, dict) for value in first.values())


def _noted(read: tuple[Results, Understood | None], notes: Caveats) -> tuple[Results, Understood | None]:
    results, found = read
    return (replace(results, caveats=(*notes, *results.caveats)) if notes else results), found


def _has_folds(raw: Columns) -> bool:
    """Say whether several columns are named fold1, fold2 and so on."""
    numbered = [header for header in raw if header[-1:].isdigit()]
    if len(numbered) < 2 or not any(header.strip().lower() in SYNONYMS["dataset"] for header in raw):
        return False
    from tiebreak.readers.understanding.guard import fold_of

    return sum(fold_of(header) is not None for header in numbered) > 1


def _may_be_understood(path: Path, error: TiebreakError, *, loaded: bool, where: Sequence[str]) -> bool:
    """Say whether a file that is not plain may still be a table; what is no sound file of its kind is not.

    A column that a condition names may be there once the file is split as it should be; other options are wrong anyhow.
    """
    if isinstance(error, OptionError) and not where and ending_of(path)[0] != ".json":
        return False
    unsplit = isinstance(error, text.UnsplitText) and path.suffix.lower() != ".txt"  # an ending that says nothing
    if not path.is_file() or unsplit or not 0 < path.stat().st_size <= LARGEST:
        return False
    kind, packed = ending_of(path)
    return loaded or kind == ".json" or (kind in SEPARATORS and (not packed or isinstance(error, text.RaggedText)))


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
    detected: Detected | None = None,
) -> tuple[Results, Understood | None]:
    """Understand a file; `failed` is why it could not be read as it stands, `read` what it gave that looked odd."""
    from tiebreak.readers.understanding import table as opening

    name = label(source)
    is_text = not isinstance(source, Path) or ending_of(source)[0] not in (".json", ".parquet", ".pq")
    if read is not None and is_text and source.stat().st_size > LARGEST:
        return opening.settle_names(read, told["names"], name), None
    grids: list[Grid] = []
    if detected is None:
        try:
            grids = opening.grids(source, raw if not is_text else None, name=name, sheet=told["sheet"])
        except InputError as error:
            raise (failed or error) from None
        if isinstance(failed, text.RaggedText):
            opening.check_ragged(grids, failed)
    try:
        return understood_grids(grids, detected, name=name, scores=scores, columns=columns, told=told, pick=pick)
    except InputError:
        if failed is not None and raw is None and not is_text:  # JSON of no known shape
            raise failed from None
        raise


def understood_grids(
    grids: Sequence[Grid],
    detected: Detected | None,
    *,
    name: str,
    scores: list[str] | None,
    columns: Mapping[str, str],
    told: Mapping[str, Any],
    pick: Pick,
) -> tuple[Results, Understood]:
    """Understand the one of some grids that holds results, or a table whose roles were detected."""
    from tiebreak.readers.understanding import table as opening
    from tiebreak.readers.understanding.notes import Told

    rest: dict[str, Any] = {key: told[key] for key in ("transpose", "decimal", "names")}
    rest |= {role: None if told[role] is None else tuple(told[role]) for role in ("algorithms", "datasets")}
    where = tuple(told["where"] or ())
    if detected is not None:
        columns = {role: header for role, header in detected.roles.items() if role in (*ROLES, METRIC)}
        grids, where = [opening.grid_of_columns(detected.columns, source=name, line_of=detected.line_of)], ()
    asked = opening.check_told(
        Told(scores=None if scores is None else tuple(scores), roles=columns, keep_rows=bool(told["keep_rows"]),
             where=where, **rest)
    )  # fmt: skip
    found = opening.understand_one(grids, name=name, told=asked, table=told["table"] if detected is None else None)
    results = opening.results_of(found, choose=pick, roles=columns)
    return opening.settle_names(results, told["names"], name), found


def read_costs(path: Path, columns: Mapping[str, str] | None) -> Results:
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
        raise (error if is_other(path) else failed) from None


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
