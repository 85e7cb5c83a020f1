"""From results to a base: tables in any form that can be read, and stores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.advisor.bases import merge_knowledge
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.meta_table import MetaTable, names_of, read_meta
from tiebreak.advisor.success_rates import SCORES, WORDS, kind_of_score
from tiebreak.caveats import Caveat
from tiebreak.datasets.targets import TargetKind, check_kind
from tiebreak.errors import InputError, NothingFinished, OptionError, quoted
from tiebreak.readers.files import read
from tiebreak.readers.stores import read_store
from tiebreak.results import Results
from tiebreak.results.roles import one_name
from tiebreak.stores.records import NUMBER_TARGET
from tiebreak.wording import either, run_a_plan

if TYPE_CHECKING:
    from tiebreak.stores import Store
    from tiebreak.stores.records import DataSetRow, Environment


def kind_in(rows: Sequence[DataSetRow], score: str | None) -> TargetKind:
    """Return the kind of target: that of the named score, or numbers if every row has a number as its target."""
    if score is not None:
        return kind_of_score(score)
    return "number" if rows and all(NUMBER_TARGET in row.meta for row in rows) else "classes"


def described_row(row: DataSetRow) -> Mapping[str, object]:
    """Return the meta-attributes of a data set without the mark of its kind."""
    return {name: value for name, value in row.meta.items() if name != NUMBER_TARGET}


def of_kind(results: Results, rows: Sequence[DataSetRow], kind: str) -> Results | None:
    """Keep the data sets of a kind, and say how many were of the other; None where there are none.

    What nobody knows the kind of, such as imported results, is of the kind that is asked for.
    """
    numbers = {row.name for row in rows if NUMBER_TARGET in row.meta}
    others = numbers if kind == "classes" else {row.name for row in rows if row.classes} - numbers
    gone = [name for name in results.datasets if name in others]
    if not gone:
        return results
    if len(gone) == len(results.datasets):
        return None
    what = "a number to predict" if kind == "classes" else "classes"
    text = f"{len(gone)} data set(s) with {what} are left out: {quoted(gone, limit=3)}."
    without = results.without(datasets=gone)
    return replace(without, caveats=(*without.caveats, Caveat("datasets-left-out", text)))


def nothing_of(kind: str, rows: Sequence[DataSetRow], shown: str, shipped: str) -> InputError:
    """Make the error for a store without data sets of the kind that is asked for."""
    names = quoted([row.name for row in rows], limit=3)
    text, wanted = ("numbers", "classes") if kind == "classes" else ("classes", "a number")
    return InputError(
        f"The targets of the data sets in the store {shown} are {text} ({names}).",
        why=f"Recommendations for {wanted} are made from results on {WORDS[kind]}.",
        mend=f"Use a store of results on {WORDS[kind]}, or the base that ships with the package: {shipped}.",
    )


_SPLIT = re.compile(r"(cv\|folds|holdout\|share)=([\d.]+)\|test=([\d.]+)\|")


def train_share_of(resampling: str) -> float | None:
    """Return the share of all rows that a fold trains on, from the text by which a store names a resampling.

    Examples
    --------
    >>> train_share_of("cv|folds=2|test=0.0|stratified"), train_share_of("holdout|share=0.25|test=0.2|stratified")
    (0.5, 0.6000000000000001)
    >>> train_share_of("as imported") is None
    True
    """
    match = _SPLIT.match(resampling)
    if match is None:
        return None
    cut, test = float(match[2]), float(match[3])
    return (1 - test) * ((cut - 1) / cut if match[1].startswith("cv") else 1 - cut)


def made_in(store: Store, resampling: str, seed: int | None) -> dict[str, str]:
    """Say with which libraries, on which machine and when (the day of the last plan) results were run."""
    counts = store.cells_by_environment()
    used = [environment for key, environment in store.environments().items() if counts.get(key)]
    options = {
        "with": _with(used),
        "host": _distinct(_host(environment) for environment in used),
        "on": max((plan.created for plan in store.plans()), default="")[:10],
        "resampling": resampling + ("" if seed is None else f", seed {seed}"),
        "time": "CPU seconds of training and prediction" if used else "",
    }
    return {key: text for key, text in options.items() if text}


def _with(used: list[Environment]) -> str:
    """Name Python and every library; where several versions were used, all of them."""
    names = sorted({name for environment in used for name in environment.versions})
    python = _distinct(environment.python for environment in used)
    parts = [f"{name} {_distinct(environment.versions.get(name, '') for environment in used)}" for name in names]
    return ", ".join([*([f"Python {python}"] if python else []), *parts])


def _host(environment: Environment) -> str:
    """The name of a host says nothing to others: what it is made of does."""
    cores = f"{environment.cores} core{'s' * (environment.cores != 1)}" if environment.cores else ""
    return ", ".join(part for part in (environment.cpu, cores, environment.system) if part)


def _distinct(texts: Iterable[str]) -> str:
    return " and ".join(dict.fromkeys(text for text in texts if text))


_MARK = 8  # characters of a fingerprint that identify a version of a data set, as read_store writes them


def read_knowledge(
    results: str | Path | Sequence[str | Path],
    meta: str | Path | None = None,
    *,
    score: str | None = None,
    time: str | Sequence[str] | None = None,
    higher_is_better: bool | None = None,
    columns: Mapping[str, str] | None = None,
    where: Sequence[str] = (),
    scores: str | None = None,
) -> Knowledge:
    r"""Read a knowledge base from a table of results and a table of meta-attributes.

    Parameters
    ----------
    results : str or Path, or a sequence of them
        Files in any form that `tiebreak.read` takes, or "published:ulas2012". An empty score is a run that failed.
    meta : str or Path, optional
        A file with one row per data set; see `read_meta`. Without it all data sets count alike.
    score, time, higher_is_better
        As in `Knowledge.from_results`. Without `score`, the only score or accuracy; `scores` is the same.
    columns, where
        As in `tiebreak.read`.

    Returns
    -------
    Knowledge

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "r.csv").write_text("dataset,algorithm,error,time\na,x,0.1,1\na,y,0.3,9\nb,x,0.2,1\nb,y,,\n")
    >>> _ = (folder / "m.csv").write_text("dataset,n_examples\na,100\nb,500\n")
    >>> base = read_knowledge(folder / "r.csv", folder / "m.csv")
    >>> base.accuracy[:, :, 0, 0].tolist()
    [[0.9, 0.7], [0.8, nan]]
    """
    paths = [results] if isinstance(results, (str, Path)) else list(results)
    if not paths:
        raise OptionError("No file was named.", why="There is nothing to read.", mend="Name at least one.")
    score = one_name(score, scores)
    also = None if time is None else names_of(time)
    table = read(paths, scores=score, also=also, columns=columns, where=list(where) or None)
    described, notes = (None, ()) if meta is None else read_meta(meta, like=(columns or {}).get("dataset"))
    options: dict[str, Any] = {"score": score, "time": time, "higher_is_better": higher_is_better}
    knowledge = Knowledge.from_results(table, described, source=Path(paths[0]).name, **options)
    return replace(knowledge, caveats=(*notes, *knowledge.caveats))


def store_knowledge(
    store: str | Path | Store,
    *,
    score: str | None = None,
    time: str | Sequence[str] | None = None,
    resampling: str | Sequence[str] | None = None,
    seed: int | None = None,
    origin: str | Sequence[str] | None = None,
    meta: MetaTable | None = None,
    origins: Mapping[str, str] | None = None,
    scores: str | None = None,
    where: str | Sequence[str] | None = None,
    normalise_cost: str | None = None,
    kind: str | None = None,
) -> Knowledge:
    """Read a knowledge base from a store: what the lab ran there and what was imported, as it stands now.

    Results of different resamplings and seeds are kept apart, as rows of their own (see `merge_knowledge`), never
    averaged. What failed or was not run yet is a gap.

    Parameters
    ----------
    store : str, Path or Store
        An address or an open store.
    score, time
        As in `Knowledge.from_results`; by default accuracy, relative_rmse for numbers, and train_time + predict_time in
        CPU seconds. `scores` is the same as `score`.
    resampling, seed, origin
        As in `tiebreak.readers.read_store`; by default all.
    meta : MetaTable, optional
        Meta-attributes of data sets that the store does not describe, such as imported ones.
    origins : mapping, optional
        The origin of data sets.
    where : str or sequence of str, optional
        Conditions that a cell must meet, as in `tiebreak.readers.read_store`.
    normalise_cost : {"hosts", "none"}, optional
        As in `Knowledge.from_results`.
    kind : {"classes", "number"}, optional
        What is predicted: a store may hold data sets of both kinds, of which one is read. By default numbers where the
        store holds nothing else, otherwise classes.

    Returns
    -------
    Knowledge
    """
    from tiebreak.stores import open_store

    opening = open_store(store, create=False) if isinstance(store, (str, Path)) else nullcontext(store)
    bases, score = [], one_name(score, scores)
    lacking: NothingFinished | None = None
    with opening as opened:
        rows = opened.data_sets()
        kind = check_kind(kind) or kind_in(rows, score)
        wanted = _measures(opened, score or SCORES[kind], time, told=score is not None)
        for split, number in _splits(opened, resampling, seed, origin):
            part = {"resampling": split, "seed": number, "origin": origin, "unfinished": "drop", "where": where}
            try:
                results = of_kind(read_store(opened, scores=wanted, **part), rows, kind)  # type: ignore[arg-type]
            except NothingFinished as error:  # such as an imported table with another score
                lacking = error
                continue
            if results is None:
                continue
            options: dict[str, Any] = {
                "score": score,
                "time": time,
                "origins": origins,
                "normalise_cost": normalise_cost,
            }
            options |= {"train_share": train_share_of(split), "made": made_in(opened, split, number), "kind": kind}
            bases.append(_from_store(results, rows, meta, source=f"store {opened.shown}", **options))
        if not bases:
            raise lacking or nothing_of(kind, rows, opened.shown, _shipped())
    return merge_knowledge(bases)


def _measures(store: Store, score: str, time: str | Sequence[str] | None, *, told: bool) -> list[str] | None:
    """Return what to read from a store, None for everything."""
    known = store.measures()
    if not told and score not in known:
        return None
    usual = [name for name in ("train_time", "predict_time") if name in known]
    wanted = [score, *(usual if time is None else names_of(time))]
    return list(dict.fromkeys(wanted))


def _splits(
    store: Store, resampling: str | Sequence[str] | None, seed: int | None, origin: str | Sequence[str] | None
) -> list[tuple[str, int | None]]:
    """List the resamplings and seeds in a store, each of which is read by itself."""
    options, origins = (None if item is None else names_of(item) for item in (resampling, origin))
    result: dict[tuple[str, int | None], int] = {}
    for kind in store.tally():
        split, place = kind.resampling, kind.origin
        number = kind.seed if place == "lab" else None
        wanted = (options is None or split in options) and (origins is None or place in origins)
        if wanted and kind.status == "ok" and (seed is None or number in (seed, None)):
            result[split, number] = result.get((split, number), 0) + kind.cells
    if not result:
        raise InputError(
            f"The store {store.shown} holds no finished result of this kind.",
            why="There is nothing to learn from.",
            mend=f"Run a plan into it first ({run_a_plan()}), or use the base that ships with the package:"
            f" {_shipped()}.",
        )
    return sorted(result, key=lambda key: (-result[key], key[0], key[1] or 0))


def _shipped() -> str:
    return either("`tiebreak.advisor.shipped_knowledge()`", "leave --store out")


def _from_store(
    results: Results,
    rows: Sequence[DataSetRow],
    meta: MetaTable | None,
    **options: Any,
) -> Knowledge:
    """Describe data sets by the store first, then by a file; a digest identifies a version."""
    known: dict[str, dict[str, float | None]] = {}
    marks, versions = {}, set()
    if meta is not None:
        known |= {name: dict(zip(meta.measures, meta.matrix[i], strict=True)) for i, name in enumerate(meta.names)}
    for row in rows:
        label = f"{row.name} [{row.fingerprint[:_MARK]}]"
        for name in (row.name, label):
            if described_row(row) and name in results.datasets:
                known[name] = {key: _number(value) for key, value in described_row(row).items()}
                marks[name] = row.fingerprint
                versions |= {int(row.meta_version)} if row.meta_version.isdigit() else set()
    table = MetaTable.from_mapping(known)
    described = replace(table, versions=tuple(sorted(versions)))
    there = described if any(name in known for name in results.datasets) else None
    return Knowledge.from_results(results, there, fingerprints=marks, **options)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
