"""Files in: csv, tsv, json and parquet, one or several, and a second file with costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tiebreak.errors import OptionError
from tiebreak.readers.detect.account import accounted
from tiebreak.readers.eval_logs import are_logs, asked_seeds, is_folder, read_logs, refuse_of_logs, tables_of
from tiebreak.readers.one_file import read_costs, read_source
from tiebreak.readers.published_tables import check_alone, costs_published, is_published
from tiebreak.results import Results, metric_named, stack, with_costs
from tiebreak.results.columns import Columns
from tiebreak.results.conditions import as_conditions
from tiebreak.results.confusion import COUNTS, MEASURES, is_count
from tiebreak.results.items import asked_clusters, without_clusters
from tiebreak.results.roles import score_names


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
        columns, apart = asked_seeds(columns)
        told |= {"columns": columns, "elsewhere": costs is not None, "seeds_apart": apart}
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
    own = ("where", "elsewhere", "datasets", "seeds_apart")
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
    """Name each source by its file, and by its folder too where files of several folders share a name.

    Examples
    --------
    >>> stems_of([Path("old/answers.csv"), Path("new/answers.csv"), Path("c.csv.gz")])
    ['old/answers', 'new/answers', 'c']
    """
    paths = [each if isinstance(each, Path) else Path("table") for each in sources]
    stems = [path.name.removesuffix(".gz").rpartition(".")[0] or path.name for path in paths]
    return [
        f"{path.resolve().parent.name}/{stem}" if stems.count(stem) > 1 else stem
        for path, stem in zip(paths, stems, strict=True)
    ]


def _settled(results: Results, names: str | None, *, plain: bool) -> Results:
    """Look at the names of several files together; each was looked at alone before."""
    from tiebreak.readers.understanding.guard import alike

    if plain or not (alike(results.datasets) or alike(results.algorithms)):
        return results
    from tiebreak.readers.understanding.opening import settle_names

    return settle_names(results, names, "the files")


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
