"""Files in: what each holds is read as it stands where it is plain, and cell by cell where it is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.readers.detect import Detected, detect
from tiebreak.readers.detect.account import accounted, as_items, checked_ranges, inferred, upward
from tiebreak.readers.loading import (
    SEPARATORS,
    depth_of,
    ending_of,
    is_other,
    load_columns,
    turned,
)
from tiebreak.readers.published import costs_published, read_published
from tiebreak.readers.settings import Settings, is_published, kept, refuse_layout
from tiebreak.readers.understanding import words
from tiebreak.results import Results, stack, text, with_costs
from tiebreak.results.cells import NoDataset, cell_places, order_cells
from tiebreak.results.columns import Columns, LineOf, TextColumn, as_conditions
from tiebreak.results.items import FOLD, ImpossibleTotals, asked_clusters, without_clusters
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import METRIC, SYNONYMS, WIDE_SCORE, find_roles, score_names
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.readers.grids import Grid
    from tiebreak.readers.understanding.notes import Understood
    from tiebreak.readers.understanding.table import Choose

Read = tuple[Results, "Understood | None"]
"""A table, and the account of its cells where these had to be looked at."""


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
    was left out is said in the caveats; what can be read in two ways is refused. Names that differ by spaces or case
    alone are one, unless both have a result for the same cell. `tiebreak.readers.explain` shows how a file was
    understood.

    Parameters
    ----------
    path : str or Path, or a sequence of them
        The form of each file follows from its ending and its content; "-" is standard input, and a text that holds a
        line break is itself read. "published:ulas2012" and "published:demsar2006" are tables that the package carries.
        What Python holds is read as well: a frame, records, an array, what `cross_validate` returned, a fitted search.
        Logs of evaluations of language models, and folders of them, are read by `tiebreak.readers.logs.read_logs`; of a
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
        header "#" stands for the number of the row. "cluster": "none" ignores the clusters that items have.
    counts : bool, default False
        Where the file lacks one of `scores` but holds counts of confusion matrices, read those instead of refusing;
        `tiebreak.results.confusion.with_scores` makes the measures from them.
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
    plain : bool, default False
        Read the cells as they stand: every row and column counts, and nothing is understood or left out.
    where : str or sequence of str, optional
        Conditions that a row must meet to be read, all of them, such as "imputed == False" or "budget <= 60"; see
        `tiebreak.results.columns`. A file with costs is read whole.
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
    >>> result = read(file, scores="accuracy")
    >>> result.means("accuracy").tolist(), result.datasets
    ([[0.971, 0.94], [0.98, nan]], ('iris', 'wine'))
    >>> print(result.caveats[-1])
    'Tree' failed on 'wine': OOM.
    """
    options = {name: value for name, value in locals().items() if name != "path"}
    if not _are_paths(path):
        from tiebreak.readers.taking import as_results

        of_files = ("also", "costs", "counts", "sheet", "table", "metric", "prices")
        held = {name: value for name, value in options.items() if name not in of_files}
        return as_results(path, costs=also or None, **held)
    paths = [path] if isinstance(path, (str, Path)) or hasattr(path, "read") else list(path)
    return read_all([item for named in paths for item in tables_of(named)], **options)[0]


def read_all(
    paths: Sequence[Any],
    *,
    costs: str | Path | None = None,
    metric: str | None = None,
    prices: str | Path | None = None,
    score: str | None = None,
    scores: str | Sequence[str] | None = None,
    columns: Mapping[str, str] | None = None,
    where: str | Sequence[str] | None = None,
    **options: Any,
) -> Read:
    """Read files as `read` does; with the account of the first."""
    if not paths:
        raise OptionError("No file was named.", mend="Name at least one.")
    columns, clustered = asked_clusters(columns)
    settings = Settings(scores=score_names(scores, score), columns=columns or {}, where=as_conditions(where), **options)
    if all(map(is_published, paths)):
        refuse_layout(settings, "a published table")
    understood: Understood | None = None
    if are_logs(paths) or any(isinstance(path, (str, Path)) and is_folder(path) for path in paths):
        results = _from_logs(paths, settings, costs=costs, metric=metric, prices=prices)
        results = results if clustered else without_clusters(results)
    else:
        refuse_of_logs(metric, prices)
        sources = [source_of(path) for path in paths]
        tables = list[Results]()
        for source, stem in zip(sources, stems_of(sources), strict=True):
            table, account = read_source(source, replace(settings, stem=stem))
            understood = understood if tables else account
            tables.append(table if clustered else without_clusters(table))
        results = stack(tables, sources=[str(path) for path in paths])
        results = results if settings.plain else with_one_spelling(results, "the files" if len(paths) > 1 else "")
        results = accounted(results, next((str(source) for source in sources if isinstance(source, Path)), ""))
    if costs is not None:
        priced = costs_published(costs) if is_published(costs) else read_costs(Path(costs), columns)
        results = with_costs(results, priced)
    if settings.algorithms is None and settings.datasets is None:
        return results, understood
    return results.only(datasets=settings.datasets, algorithms=settings.algorithms), understood


def _from_logs(paths: Sequence[Any], settings: Settings, *, costs: Any, metric: Any, prices: Any) -> Results:
    """Read logs of evaluations; what says how to understand a table is refused."""
    from tiebreak.readers.logs import read_logs

    refuse_layout(settings, "logs of evaluations")
    return read_logs(
        paths,
        scores=settings.scores,
        also=settings.also,
        metric=metric,
        prices=prices,
        where=settings.where,
        datasets=settings.datasets,
        elsewhere=costs is not None,
    )


def source_of(item: Any) -> Any:
    """Return a path, or what is no path: standard input, a text with lines, a published table, an open file."""
    if isinstance(item, Path) or hasattr(item, "read"):
        return item
    return item if item == "-" or "\n" in item or is_published(item) else Path(item)


def _are_paths(value: Any) -> bool:
    """Say whether a value is a path, an open file or several of them, not an object in memory."""
    if isinstance(value, (str, Path)) or callable(getattr(value, "read", None)):
        return True
    several = value if isinstance(value, (list, tuple)) else ()
    return isinstance(value, (list, tuple)) and all(isinstance(item, (str, Path)) for item in several)


def stems_of(sources: Sequence[Any]) -> list[str]:
    """Name each source by its file, by its folder where all files share a name, and by both where some do.

    Examples
    --------
    >>> stems_of([Path("old/answers.csv"), Path("new/answers.csv"), Path("c.csv.gz")])
    ['old/answers', 'new/answers', 'c']
    >>> stems_of([Path("bert/all_results.json"), Path("roberta/all_results.json")])
    ['bert', 'roberta']
    """
    paths = [source if isinstance(source, Path) else Path("table") for source in sources]
    stems = [path.name.removesuffix(".gz").rpartition(".")[0] or path.name for path in paths]
    folders = [path.resolve().parent.name for path in paths]
    if len(set(stems)) == 1 < len(set(folders)) == len(paths):
        return folders
    return [
        f"{path.resolve().parent.name}/{stem}" if stems.count(stem) > 1 else stem
        for path, stem in zip(paths, stems, strict=True)
    ]


def with_one_spelling(results: Results, source: str = "") -> Results:
    """Read names that differ by spaces or case alone as one, unless both have a result for the same cell."""
    for role in ("dataset", "algorithm"):
        first: dict[str, str] = {}
        for name in sorted(results.names[role], key=lambda name: (len(name), name)):
            first.setdefault(_key(name), name)
        if len(first) == len(results.names[role]):
            continue
        pairs = [f"{name!r} and {first[_key(name)]!r}" for name in results.names[role] if first[_key(name)] != name]
        keys = dict(results.key_columns)
        keys[role] = keys[role].renamed(lambda name, first=first: first[_key(name)])  # type: ignore[misc]
        if len(np.unique(cell_places(keys))) < len(keys[role].codes):
            continue
        cells = order_cells(keys, results.values, hosts=results.hosts, clusters=results.clusters, unit=results.unit)
        text = f"{f'{source}: ' if source else ''}{'; '.join(pairs)} are read as one {role}."
        metrics = {d: metric.name for d, metric in results.metric_of.items() if d in cells.keys["dataset"].names}
        made = replace(cells, notes=(*results.caveats, Caveat("read-as", text)), metrics=metrics)
        failures = frozenset(
            (first.get(_key(d), d), a) if role == "dataset" else (d, first.get(_key(a), a)) for d, a in results.failures
        )
        table = Results.from_cells(made, frame_kind=results.frame_kind, costs=results.costs)
        results = replace(table, failures=failures)
    return results


def _key(name: str) -> str:
    """Return what two names that differ by spaces or case alone have in common."""
    return "".join(name.split()).casefold()


LARGEST = 32_000_000
"""Text files beyond this many bytes are read as they stand: every cell of an understood one is an object of its own."""


def read_source(source: Any, settings: Settings) -> Read:
    """Read one file as it stands, and cell by cell where that fails and where something about it is odd."""
    if is_published(source):
        return read_published(source, pick=settings.wanted, where=settings.where), None
    depth, plain, name = json_depth(source), settings.plain, label(source)
    other = not isinstance(source, Path) or is_other(source)
    if not plain and (other or settings.needs_cells(nested=depth == 2)):
        return read_grids(_grids(source, settings), settings, name=name)
    caveats: Caveats = ()
    raw: Columns | None = None
    try:
        raw, line_of = load_columns(source, score=settings.scores[0] if settings.scores else WIDE_SCORE)
        if depth == 2 and (not plain or settings.transpose is not None) and {"dataset", "algorithm"} <= set(raw):
            raw, caveats = turned(raw, source=source.name, transpose=settings.transpose)
    except (InputError, OptionError) as error:
        if plain or not _has_cells(source, error, settings, loaded=False):
            raise
        return read_grids(_grids(source, settings, failed=error), settings, name=name)

    def cells(error: TiebreakError | None) -> list[Grid] | None:
        return _grids(source, settings, raw=raw, failed=error) if _has_cells(source, error, settings) else None

    results, account = read_columns(raw, line_of, settings, name=name, cells=cells)
    return _noted(results, caveats), account


def read_columns(
    raw: Columns,
    line_of: LineOf | None,
    settings: Settings,
    *,
    name: str,
    cells: Callable[[TiebreakError | None], list[Grid] | None],
) -> Read:
    """Read columns as they stand, and cell by cell where that fails or where something is odd.

    `cells` returns the same as grids, or None where looking closer would not help.
    """
    roles: dict[str, str] = {}
    try:
        results, detected = _as_they_stand(raw, line_of, settings, name, roles)
    except (InputError, OptionError) as error:
        named = {"item", "algorithm"} <= set(roles) or isinstance(error, ImpossibleTotals)
        if settings.plain or named or (grids := cells(error)) is None:  # items and totals are named as such
            raise
        try:
            return read_grids(grids, settings, name=name)
        except InputError as other:  # what stands there names more columns than what was understood
            raise (error if isinstance(error, NoDataset) else other) from None
    if settings.plain:
        return results, None
    wide = "algorithm" not in roles
    odd = _is_odd(results, wide=wide, corner=roles.get("dataset") or next(iter(raw)))
    if odd and (detected is None or not wide) and (grids := cells(None)) is not None:
        return read_grids(grids, settings, name=name)
    return checked((results, None), name)


_SPREADS = frozenset("std sd stdev stddev se sem mean avg".split())


def _is_odd(results: Results, *, wide: bool, corner: str) -> bool:
    """Say whether a table that was read as it stands should be looked at again; `corner` heads its names."""
    if results.unit != FOLD:  # named as such, row by row: there is nothing to guess
        return False
    datasets = results.datasets if len(results.datasets) > 1 else ()  # one may be named after its file: ranks.csv
    columns = results.algorithms if wide else ()
    if any(map(words.is_summary, (*datasets, *results.replications, *results.folds, *columns))):
        return True
    return wide and _odd_wide(results, corner)


def _odd_wide(results: Results, corner: str) -> bool:
    """Look at what only a wide table can have: columns that are no algorithms, rows without results, a turned table."""
    if _holds_several(results.algorithms) or any(words.is_description(name) for name in results.algorithms):
        return True
    means = results.means(results.metrics[0].name)
    if np.isnan(means).all(axis=1).any():  # a row without results may be the title of those below
        return True
    whole = (np.isnan(means) | (means == np.rint(means))).all(axis=0)
    if whole.any() and not whole.all() and np.nanmax(means[:, whole]) > 1:  # columns of sizes among results
        return True
    if corner.strip().lower() not in SYNONYMS["dataset"]:
        return words.axes_of(corner=corner, rows=results.datasets, columns=results.algorithms).transposed is not False
    known = sum(map(words.is_data_set, results.algorithms))
    return known > 1 and known * 2 > len(results.algorithms)


def _holds_several(algorithms: Sequence[str]) -> bool:
    """Say whether columns hold several things of one algorithm, as RF beside RF_std; or whether numbers name them."""
    if sum(re.fullmatch(r"-?\d*\.\d+", name) is not None for name in algorithms) * 2 > len(algorithms):
        return True
    parts = [re.split(r"[ _.:/-]+", name) for name in algorithms]
    edges = {text.strip("()").lower() for part in parts if len(part) > 1 for text in (part[0], part[-1])}
    if edges & _SPREADS:
        return True
    bases = {
        re.sub(r"[ _.:/-]+[^ _.:/-]*$", "", name) for name, part in zip(algorithms, parts, strict=True) if len(part) > 1
    }
    if bases & set(algorithms):
        return True
    measured = [
        part[-1] for part in parts if len(part) > 1 and metric_named(part[-1].strip("()")).higher_is_better is not None
    ]
    return len(measured) == len(algorithms) and len(set(measured)) > 1


def _as_they_stand(
    raw: Columns, line_of: LineOf | None, settings: Settings, name: str, roles: dict[str, str]
) -> tuple[Results, Detected | None]:
    """Detect what columns are, and make the table; `roles` are filled on the way, as errors depend on them."""
    try:
        roles |= find_roles(raw, settings.columns, name)[0]
    except OptionError:  # several for one role are looked at more closely, unless the table is plain
        if settings.plain or any(header not in raw for header in settings.columns.values()):
            raise
        roles |= settings.columns
    options = settings.wanted(raw, roles) or ()
    rows, line_of, notes = kept(raw, line_of, settings.where, source=name, roles=roles, asked=options)
    detected: Detected | None = None
    if not settings.plain and settings.transpose is None:
        detected = detect(rows, settings, source=name, line_of=line_of)
    held = detected or Detected(columns=rows, roles=settings.columns, line_of=line_of)
    if detected is not None:
        roles.clear()
        roles |= detected.roles
    single = held.score and settings.scores is None
    results = Results.from_columns(
        held.columns,
        scores=[held.score] if single else settings.wanted(held.columns, roles),
        roles=held.roles or None,
        source=name,
        line_of=held.line_of,
    )
    return _with_detected(_noted(results, notes), detected), detected


def _noted(results: Results, notes: Caveats) -> Results:
    return replace(results, caveats=(*notes, *results.caveats)) if notes else results


def _with_detected(results: Results, detected: Detected | None) -> Results:
    """Note which runs failed, which scores are better when higher, and what was inferred."""
    if detected is None:
        return results
    failures = results.failures | detected.failures
    results = replace(results, failures=failures, caveats=(*detected.notes, *results.caveats))
    return inferred(upward(results, detected.upward), detected.facts)


def checked(read: Read, name: str) -> Read:
    """Look at the range of the scores, and whether rows are items."""
    results, account = read
    return read if results.unit != FOLD else (as_items(checked_ranges(results, name)), account)


def label(source: Any) -> str:
    """Name what is read, in messages."""
    return source.name if isinstance(source, Path) else "standard input" if source == "-" else "the text"


def _has_cells(path: Path, error: TiebreakError | None, settings: Settings, *, loaded: bool = True) -> bool:
    """Say whether a file that is not plain may still be a table; what is no sound file of its kind is not.

    A column that a condition names may be there once the file is split as it should be; other options are wrong anyhow.
    """
    kind, packed = ending_of(path)
    if isinstance(error, OptionError) and not settings.where and kind != ".json":
        return False
    unsplit = isinstance(error, text.UnsplitText) and path.suffix.lower() != ".txt"  # an ending that says nothing
    if not path.is_file() or unsplit or not 0 < path.stat().st_size <= LARGEST:
        return False
    return loaded or kind == ".json" or (kind in SEPARATORS and (not packed or isinstance(error, text.RaggedText)))


def _grids(
    source: Any, settings: Settings, *, raw: Columns | None = None, failed: TiebreakError | None = None
) -> list[Grid]:
    """Return the grids of a file; `failed` is why it could not be read as it stands."""
    from tiebreak.readers.grids import grid_of_columns, grids_of

    name = label(source)
    if raw is not None and ending_of(source)[0] in (".json", ".parquet", ".pq"):
        return [grid_of_columns(raw, source=name)]
    try:
        grids = grids_of(source, name=name, sheet=settings.sheet)
    except InputError as error:
        raise (failed or error) from None
    if isinstance(failed, text.RaggedText):  # titles above the header and notes below may be shorter
        lengths = [max((i for i, cell in enumerate(row, 1) if cell.text.strip()), default=0) for row in grids[0].rows]
        if len(grids) > 1 or len({length for length in lengths if length > 1}) > 1:
            raise failed
    return grids


def read_grids(grids: Sequence[Grid], settings: Settings, *, name: str, choose: Choose | None = None) -> Read:
    """Read the one of some grids that holds results."""
    from tiebreak.readers.understanding.table import results_of, understand_one

    account = understand_one(grids, name=name, settings=settings)
    return checked((_with_detected(results_of(account, choose or settings.wanted), account.detected), account), name)


def read_costs(path: Path, columns: Mapping[str, str] | None) -> Results:
    """Read costs as they stand, or as understanding reads them where that fails.

    A file without a data set column holds for every data set.
    """
    try:
        raw, line_of = load_columns(path, score="cost")
        roles = {role: header for role, header in (columns or {}).items() if header in raw}
        metric = roles.pop(METRIC, None)  # a cost is no score of any metric
        raw = {header: column for header, column in raw.items() if header != metric}
        known, _ = find_roles(raw, roles, path.name)
        if "algorithm" in known and "dataset" not in known:
            raw = {**raw, "dataset": TextColumn(["*"] * len(raw[known["algorithm"]]))}
        wide = None if "algorithm" in known else "cost"
        return Results.from_columns(raw, scores=wide, roles=roles, source=path.name, line_of=line_of)
    except (InputError, OptionError) as error:
        if not path.is_file():
            raise
        failed = error
    try:
        settings = Settings(scores=["cost"], stem=path.stem)
        choose: Choose = lambda raw, _: ["cost"] if "cost" in raw else None  # noqa: E731
        return read_grids(_grids(path, settings), settings, name=path.name, choose=choose)[0]
    except InputError as error:
        raise (error if is_other(path) else failed) from None


def json_depth(source: Any) -> int:
    """Return how deep the dictionaries of a JSON file nest; 0 for other sources."""
    if not isinstance(source, Path) or ending_of(source)[0] != ".json" or not source.is_file():
        return 0
    with source.open("rb") as stream:
        head = stream.read(100_000)
    return depth_of(text.file_bytes(source) if head.startswith(b"\x1f\x8b") else head)


_LOGS = (".eval", ".json", ".jsonl", ".yml", ".yaml")


_OF_FOLDERS = (".csv", ".tsv", ".parquet", ".pq")
"""Tables that are read where a folder is named; json and text beside them may be anything."""


def are_logs(paths: Sequence[Any]) -> bool:
    """Say whether paths are logs or folders of logs; a table beside them is refused."""
    places = [path for path in paths if isinstance(path, Path) or (isinstance(path, str) and _may_be_path(path))]
    held = [place for place in places if _is_log(Path(place))]
    if held and len(held) < len(paths):
        other = next(path for path in paths if path not in held)
        raise InputError(
            f"{held[0]} holds evaluation logs, {str(other)[:80]} does not.", mend="Read one kind at a time."
        )
    return bool(held)


def _is_log(path: Path) -> bool:
    """Look closer only where the name does not tell: most files are tables."""
    try:
        if not path.name.lower().removesuffix(".gz").endswith(_LOGS) and not path.is_dir():
            return False
    except (OSError, ValueError):
        return False
    from tiebreak.readers.logs import holds_logs

    return holds_logs(path)


def is_folder(path: str | Path) -> bool:
    """Say whether a path is a folder; one that holds tables is read by these."""
    try:
        return (isinstance(path, Path) or _may_be_path(path)) and Path(path).is_dir()
    except (OSError, ValueError):
        return False


def tables_of(path: Any) -> list[Any]:
    """Return the tables in a folder that holds no log, by name; anything else as it is."""
    if not isinstance(path, (str, Path)) or not is_folder(path) or _is_log(Path(path)):
        return [path]
    folder = Path(path)
    held = [item for item in sorted(folder.rglob("*")) if ending_of(item)[0] in _OF_FOLDERS and item.is_file()]
    shown = [item for item in held if not any(part.startswith(".") for part in item.relative_to(folder).parts)]
    if not shown:  # a folder for each model, as trainers of Hugging Face write them
        shown = sorted(folder.glob("*/all_results.json")) or sorted(folder.glob("*/eval_results.json"))
    return list(shown) or [path]


def _may_be_path(text: str) -> bool:
    return text != "-" and "\n" not in text and "://" not in text and not text.startswith("published:")


def refuse_of_logs(metric: str | None, prices: object) -> None:
    """Refuse options of logs where there are none."""
    for name, value in {"metric": metric, "prices": prices}.items():
        if value is not None:
            what = f"{option(**{name: str(value)})} was given, but no log of an evaluation."
            raise OptionError(what, mend=f"Leave it out; a table is read by {option(score=...)}, {option(costs=...)}.")
