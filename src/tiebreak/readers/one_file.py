"""One file as results: as it stands, or understood where that fails or where something about it is odd."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import Caveats
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.readers.detect import Detected, detect
from tiebreak.readers.detect.account import as_items, inferred, upward
from tiebreak.readers.json_files import first_record, turned
from tiebreak.readers.loading import LINES, SEPARATORS, bytes_of, ending_of, is_other, json_depth, load_columns
from tiebreak.readers.published_tables import is_published, read_published
from tiebreak.readers.raw_tables import kept
from tiebreak.results import Results, text
from tiebreak.results.cells import NoDataset
from tiebreak.results.columns import Columns, TextColumn
from tiebreak.results.items import FOLD, ImpossibleTotals
from tiebreak.results.roles import METRIC, ROLES, WIDE_SCORE, find_roles

if TYPE_CHECKING:
    from tiebreak.readers.understanding.told import Understood

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
    results, found = _read_source(source, scores=scores, columns=columns, told=told, plain=plain, pick=pick)
    if plain or results.unit != FOLD:
        return results, found
    from tiebreak.readers.understanding.ranges import checked_ranges

    return as_items(checked_ranges(results, label(source))), found


def _read_source(
    source: Any,
    *,
    scores: list[str] | None,
    columns: Mapping[str, str],
    told: Mapping[str, Any],
    plain: bool,
    pick: Pick,
) -> tuple[Results, Understood | None]:
    understood = partial(_understood, source, scores=scores, columns=columns, told=told, pick=pick)
    needs = any(told[name] not in (None, False) for name in ("keep_rows", "decimal", "sheet", "table"))
    depth = json_depth(source)
    needs = needs or "#" in columns.values() or (told["transpose"] is not None and depth != 2)
    other = isinstance(source, Path) and is_other(source) and not _has_flat_records(source)
    if not plain and (not isinstance(source, Path) or needs or other):
        return understood()
    raw = None
    detected: Detected | None = None
    roles: dict[str, str] = {}
    said: Caveats = ()
    try:
        raw, line_of = load_columns(source, score=scores[0] if scores else WIDE_SCORE)
        if depth == 2 and (not plain or told["transpose"] is not None) and {"dataset", "algorithm"} <= set(raw):
            raw, said = turned(raw, source=source.name, transpose=told["transpose"])
        if not plain and _has_folds(raw):
            return _noted(understood(raw=raw), said)
        roles = _roles(raw, columns, source.name, plain=plain)
        asked = pick(raw, roles) or ()
        rows, line_of, notes = kept(raw, line_of, told["where"], source=source.name, roles=roles, asked=asked)
        if not plain and told["transpose"] is None:
            stem = told.get("stem") or _stem(source)
            detected = detect(
                rows,
                source=source.name,
                stem=stem,
                wanted=scores,
                also=told.get("also"),
                told=columns,
                line_of=line_of,
                named=told.get("algorithms"),
            )
        if detected is not None:
            rows, line_of, roles = detected.columns, detected.line_of, dict(detected.roles)
            notes = (*notes, *detected.notes)
        wanted = [detected.score] if detected and detected.score and scores is None else pick(rows, roles)
        results = Results.from_columns(
            rows, scores=wanted, roles=roles if detected else columns or None, source=source.name, line_of=line_of
        )
    except (InputError, OptionError) as error:
        named = {"item", "algorithm"} <= set(roles) or isinstance(error, ImpossibleTotals)
        if plain or named:  # items and totals are named as such: there is nothing to guess
            raise
        if detected is not None:
            return _noted(_detected(understood, detected), (*said, *notes))
        if not _may_be_understood(source, error, loaded=raw is not None, where=told["where"]):
            raise
        try:
            return _noted(understood(raw=raw, failed=error), said)
        except InputError as other:  # what stands there names more columns than what was understood
            raise (error if isinstance(error, NoDataset) else other) from None
    results = _noted((results, None), (*said, *notes))[0]
    if detected is not None:
        results = _settled(results, detected)
    if plain:
        return results, None
    from tiebreak.readers.understanding.guard import alike, is_odd

    close = [*alike(results.datasets), *alike(results.algorithms)]
    if close and (told["names"] is not None or any(one.strip() == other.strip() for one, other in close)):
        from tiebreak.readers.understanding.opening import settle_names  # a grid does not keep spaces at the ends

        return settle_names(results, told["names"], source.name), None
    if detected is not None and "algorithm" not in roles:  # its columns are known to be models
        return results, None
    if close or is_odd(results, wide="algorithm" not in roles, corner=roles.get("dataset") or next(iter(raw))):
        if detected is not None:
            return _noted(_detected(understood, detected), (*said, *notes))
        return _noted(understood(raw=raw, read=results), said)
    return results, None


def _detected(
    understood: Callable[..., tuple[Results, Understood | None]], detected: Detected
) -> tuple[Results, Understood | None]:
    """Understand the cells of a table whose roles are known."""
    results, found = understood(detected=detected)
    return _settled(results, detected), found


def _settled(results: Results, detected: Detected) -> Results:
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
    if len(numbered) < 2:
        return False
    from tiebreak.readers.understanding.known import fold_of

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
    from tiebreak.readers.understanding import opening
    from tiebreak.readers.understanding.told import Told

    name = label(source)
    rest: dict[str, Any] = {key: told[key] for key in ("transpose", "decimal", "names", "where")}
    rest |= {role: None if told[role] is None else tuple(told[role]) for role in ("algorithms", "datasets")}
    asked = opening.check_told(
        Told(scores=None if scores is None else tuple(scores), roles=columns, keep_rows=bool(told["keep_rows"]), **rest)
    )
    is_text = not isinstance(source, Path) or ending_of(source)[0] not in (".json", ".parquet", ".pq")
    if read is not None and is_text and source.stat().st_size > LARGEST:
        return opening.settle_names(read, told["names"], name), None
    if detected is not None:
        columns = {role: header for role, header in detected.roles.items() if role in (*ROLES, METRIC)}
        asked = replace(asked, roles=columns, where=())
        grid = opening.grid_of_columns(detected.columns, source=name, line_of=detected.line_of)
        found = opening.understand_one([grid], name=name, told=asked)
        results = opening.results_of(found, choose=pick, roles=columns)
        return opening.settle_names(results, told["names"], name), found
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
