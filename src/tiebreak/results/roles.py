"""The roles of columns (data set, algorithm, replication, fold, metric, host) and the scores named by the user."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, check_choice
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.columns import NO_NUMBER, Columns, Names, Where, stacked, to_number
from tiebreak.results.items import ITEM_ROLES, with_item_roles
from tiebreak.results.metrics import Metric, metric_named
from tiebreak.wording import Brief, option

if TYPE_CHECKING:
    from tiebreak.results.table import Results

METRIC = "metric"
"""The role of the column, and the header that is recognised by itself."""


def metric_header(columns: Columns, taken: Sequence[str]) -> str | None:
    """Find the column of metrics by its name; one of numbers is a score that happens to be called so.

    Examples
    --------
    >>> from tiebreak.results.columns import TextColumn
    >>> metric_header({"Metric": TextColumn(["auc", "rmse"])}, []), metric_header({"metric": TextColumn(["0.5"])}, [])
    ('Metric', None)
    """
    named = [header for header in columns if header.strip().lower() == METRIC and header not in taken]
    return named[0] if len(named) == 1 and not columns[named[0]].is_number() else None


def metrics_by_dataset(columns: Columns, header: str, datasets: Names, where: Where) -> dict[str, str]:
    """Return the metric of every data set; two on one data set are refused, and a data set without any.

    A cell may be empty, as failed runs often have nothing but their keys.

    Examples
    --------
    >>> from tiebreak.results.columns import TextColumn
    >>> table = {"metric": TextColumn(["auc", "", "rmse"])}
    >>> metrics_by_dataset(table, "metric", Names.of(["iris", "iris", "wine"]), Where(column="metric"))
    {'iris': 'auc', 'wine': 'rmse'}
    """
    names = _one_spelling(columns[header].coded().renamed(_named))
    there = np.flatnonzero(names.codes >= 0)
    metric = np.full(len(datasets.names), -1, dtype=np.int64)
    metric[datasets.codes[there]] = names.codes[there]
    other = there[metric[datasets.codes[there]] != names.codes[there]]
    if len(other):
        raise _several(datasets, names, int(other[0]), where)
    if (metric < 0).any():
        name = datasets.names[int(np.argmax(metric < 0))]
        raise InputError(
            f"Data set {name!r} has no metric: column {header!r} of {where.source or 'the table'} is empty there.",
            mend="Fill the column in.",
        )
    return {name: names.names[int(code)] for name, code in zip(datasets.names, metric, strict=True)}


def _one_spelling(names: Names) -> Names:
    """Give all spellings of a metric the code of one: 'AUC' and 'roc_auc' on a data set are no two metrics."""
    keys = [metric_named(name).key for name in names.names]
    one = np.array([*(keys.index(key) for key in keys), -1], dtype=names.codes.dtype)  # the last is that of no metric
    return replace(names, codes=one[names.codes])


def _named(text: str) -> str | None:
    return None if text.strip().lower() in NO_NUMBER else text.strip()


def _several(datasets: Names, result: Names, row: int, where: Where) -> InputError:
    """A table with a row for every metric is the usual reason, so the error tells what to do with one."""
    current = result.codes[(datasets.codes == datasets.codes[row]) & (result.codes >= 0)]
    names = [result.names[int(code)] for code in np.unique(current)]
    return InputError(
        f"Data set {datasets.at(row)!r} has {len(names)} metrics in {where.at(row)}: {quoted(names)}.",
        mend=f"Keep the rows of one metric for each data set, or give every metric a column of its own and name one"
        f" ({option(scores=names[0])}).",
    )


def joined(parts: Sequence[Mapping[str, str]], sources: Sequence[str]) -> dict[str, str]:
    """Put the metrics of several tables into one; all tables must tell them or none, and none another than the rest."""
    telling = [bool(part) for part in parts]
    if any(telling) and not all(telling):
        silent, text = sources[telling.index(False)], sources[telling.index(True)]
        raise InputError(f"{text} has a column of metrics, {silent} has none.", mend=f"Add the column to {silent}.")
    out: dict[str, str] = {}
    for part, source in zip(parts, sources, strict=True):
        for name, metric in part.items():
            if metric_named(out.setdefault(name, metric)).key != metric_named(metric).key:
                raise InputError(
                    f"Data set {name!r} has the metric {metric!r} in {source} and {out[name]!r} elsewhere.",
                    mend="Correct the column, or give one of the data sets another name.",
                )
    return out


ROLES = ("dataset", "algorithm", "replication", "fold")
SYNONYMS = {
    "dataset": "dataset, data_set, data set, dataset_name, data, task, problem".split(", "),
    "algorithm": "algorithm, algorithm_name, classifier, classifier_name, learner, method, model, framework".split(
        ", "
    ),
    "replication": "replication repetition repeat rep".split(),
    "fold": "fold split".split(),
}
WIDE_SCORE = "score"
"""The name of the one score of a wide table when nobody named it."""
FRAME = "the frame"
"""What a data frame is called in messages."""


def find_roles(
    columns: Iterable[str], options: Mapping[str, str], source: str, *, word: Callable[[str], str] = str.strip
) -> tuple[dict[str, str], Caveats]:
    """Find which header plays which role: as told, by its own name, or by a synonym; `word` is what of it counts."""
    headers = list(columns)
    result: dict[str, str] = {}
    for role, header in options.items():
        check_choice("role", role, (*ROLES, *ITEM_ROLES, METRIC))
        result[role] = check_choice(f"column (for the {role})", header, headers)
    result, more = with_item_roles(result, headers, options, word)
    notes = list(more)
    for role in ROLES:
        if role in result:
            continue
        free = [header for header in headers if header not in result.values()]
        matches = [header for header in free if word(header).lower() in SYNONYMS[role]]
        exact = [header for header in matches if header == role]
        if not exact and len(matches) > 1:
            raise OptionError(
                f"Columns {quoted(matches)} of {source} could all name the {role}.",
                mend=f"Say which: {option(columns={role: matches[0]})}.",
            )
        if matches:
            result[role] = (exact or matches)[0]
            if result[role] != role:
                notes.append(Caveat("read-as", f"Column {result[role]!r} was read as the {role}."))
    return result, tuple(notes)


def score_names(scores: str | Sequence[str] | None, score: str | None = None) -> list[str] | None:
    """Return the scores asked for as a list, None where all are; `score` is the same for one."""
    if score is not None and scores is not None and ([scores] if isinstance(scores, str) else list(scores)) != [score]:
        raise OptionError(f"score={score!r} and scores={scores!r} were both given.", mend="Give one of them.")
    scores = score if scores is None else scores
    names = [scores] if isinstance(scores, str) else None if scores is None else list(scores)
    for name in names or ():
        if not isinstance(name, str) or name in ROLES:
            raise OptionError(
                f"A score cannot be named {name!r}.", mend=f"Use a name such as {option(scores='accuracy')}."
            )
    return names


def one_name(score: str | None, scores: str | Sequence[str] | None = None) -> str | None:
    """Return the one score asked for, whichever way it was spelled; None where none was named."""
    names = score_names(scores, score)
    if names is not None and len(names) != 1:
        raise OptionError(
            f"{len(names)} scores were named: {quoted(names)}.",
            mend=f"Name one (score={names[0]!r}), or use tiebreak.multivariate for several together."
            if names
            else "Name one.",
        )
    return names[0] if names else None


_PREFIX = re.compile(
    r"^(param(eter)?s?|tags?|config|hparams|hyper_?parameters?|key|attrs?|user_attrs|meta(data)?|args?|settings?)"
    r"(\.(ya?ml|json|toml|py):|[./_])(?=\w)",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def word(header: str) -> str:
    """Return what of a header says which role it plays, in small letters.

    Examples
    --------
    >>> [word(item) for item in ("params.model", "learner.id", "Key_Dataset", "datasetName", "Model Name", ".metric")]
    ['model', 'learner_id', 'dataset', 'dataset', 'model', 'metric']
    """
    text = header.strip().strip("\ufeff")
    bare = _PREFIX.sub("", text)
    text = re.sub(r"(?<=[a-z\d])(?=[A-Z])", "_", bare)
    text = re.sub(r"[\s.\-/:#]+", "_", text).strip("_").lower()
    return re.sub(r"_?(names?|title|label)$", "", text) or text


HEADERS = ("host", "hostname", "host_name", "machine")
"""Headers of a column that says where a row was measured."""
KERNEL = "host_kernel"
"""The header of the seconds that the calibrating kernel takes on the host of a row, as a store exports it."""
SCALES = ("hosts", "none")
TIMES = ("s", "ms", "us", "min", "h")
_SHOWN = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Hosts(Brief):
    """The host of every row, -1 where nobody knows; `kernels` are the CPU seconds of one fixed piece of work there.

    NaN stands for a host that was not measured.
    """

    codes: npt.NDArray[np.int32]
    names: tuple[str, ...]
    kernels: tuple[float, ...]

    def take(self, keep: BoolArray) -> Hosts:
        """Return the hosts of some of the rows."""
        return replace(self, codes=self.codes[keep])

    def counts(self, measured: BoolArray) -> dict[str, int]:
        """Count the rows of each host among those that are marked; hosts without any are left out."""
        code = self.codes[measured]
        tolist = np.bincount(code[code >= 0], minlength=len(self.names)).tolist()
        return {name: int(count) for name, count in zip(self.names, tolist, strict=True) if count}


def is_time(metric: Metric) -> bool:
    """Say whether a measure is a time, which depends on the machine; bytes and counts do not.

    Examples
    --------
    >>> is_time(metric_named("train_time")), is_time(metric_named("model_bytes"))
    (True, False)
    """
    return metric.is_cost and metric.unit in TIMES


def hosts_in(columns: Columns, free: Sequence[str], wanted: Sequence[str]) -> Hosts | None:
    """Read the column of hosts, if there is one and a time is read."""
    header = next((name for name in free if name.strip().lower() in HEADERS and name not in wanted), None)
    if header is None or not any(is_time(metric_named(name)) for name in wanted):
        return None
    names = columns[header].coded()
    blank = np.array([*(name.strip().lower() in NO_NUMBER for name in names.names), True])
    codes = np.where(blank[names.codes], -1, names.codes).astype(np.int32)
    return Hosts(codes=codes, names=names.names, kernels=_kernels(columns, names))


def _kernels(columns: Columns, names: Names) -> tuple[float, ...]:
    """Return the median of what the rows of a host say; NaN where they say nothing."""
    if KERNEL not in columns:
        return (float("nan"),) * len(names.names)
    options = columns[KERNEL].coded()
    numbers = np.array([*map(to_number, options.names), np.nan], dtype=np.float64)[options.codes]
    result = []
    for code in range(len(names.names)):
        number = numbers[(names.codes == code) & np.isfinite(numbers)]
        result.append(float(np.median(number)) if number.size else float("nan"))
    return tuple(result)


def joined_hosts(tables: Sequence[Results]) -> Hosts | None:
    """Return the hosts of tables under one another; None where none is known."""
    if all(table.hosts is None for table in tables):
        return None
    parts = [
        Hosts(codes=np.full(len(table), -1, dtype=np.int32), names=(), kernels=())
        if table.hosts is None
        else table.hosts
        for table in tables
    ]
    kernels: dict[str, float] = {}
    for part in parts:
        for name, seconds in zip(part.names, part.kernels, strict=True):
            kernels[name] = seconds if np.isnan(kernels.get(name, np.nan)) else kernels[name]
    names = stacked([Names(codes=part.codes, names=part.names) for part in parts])
    return Hosts(codes=names.codes, names=names.names, kernels=tuple(kernels[name] for name in names.names))


def _timed(results: Results, names: Iterable[str]) -> tuple[list[str], BoolArray]:
    """Return the times among the named measures, and mark the rows that hold one; none where no host is known."""
    timed = [name for name in names if results.hosts is not None and is_time(results.metric(name))]
    there = np.zeros(len(results), dtype=bool)
    for name in timed:
        there |= ~np.isnan(results.values[name])
    return timed, there


def measured_on(results: Results, names: Iterable[str]) -> dict[str, int]:
    """Count the rows with a time among the named measures by host, where hosts are known."""
    return {} if results.hosts is None else results.hosts.counts(_timed(results, names)[1])


def on_one_scale(results: Results, how: str | None) -> Results:
    """Put the times of several hosts on the scale of the one with most rows, or take them as they are.

    Parameters
    ----------
    results : Results
        Whose rows know their hosts.
    how : {"hosts", "none"}, optional
        "hosts" divides every time by the seconds that a fixed piece of work takes on its host, relative to the host
        with most rows; "none" takes times of different hosts for comparable. None leaves everything as it is.

    Returns
    -------
    Results
    """
    if how is None:
        return results
    check_choice("way to normalise costs", how, SCALES)
    times = [metric.name for metric in results.metrics if is_time(metric)]
    counts = measured_on(results, times)
    if how == "hosts" and results.hosts is None:
        raise OptionError(
            "Costs cannot be normalised by host: no host is known.",
            why="Every row needs the host that it was measured on, and its speed.",
            mend="Read a store, or a table with the columns host and host_kernel; or leave"
            f" {option('normalise_cost')} out.",
        )
    if len(counts) < 2 or results.hosts is None:
        return results
    if how == "none":
        text = f"Times of {len(counts)} hosts ({', '.join(times)}) were taken as they are, as told: {said(counts)}."
        return replace(results, hosts=None, caveats=(*results.caveats, Caveat("hosts-mixed", text)))
    speed = dict(zip(results.hosts.names, results.hosts.kernels, strict=True))
    unknown = [name for name in counts if not speed[name] > 0]
    if unknown:
        raise InputError(
            f"How fast host {unknown[0]!r} is was never measured ({len(unknown)} such of {len(counts)} hosts).",
            why="Times of hosts are put on one scale by a fixed piece of work that each of them did.",
            mend="Measure it there: `tiebreak store URL --calibrate`; or keep one host:"
            f" {option(where=f'host == {max(counts, key=lambda name: counts[name])}')}.",
        )
    base = max(counts, key=lambda name: (counts[name], name))
    factor = np.array([*(speed[base] / seconds for seconds in results.hosts.kernels), 1.0])[results.hosts.codes]
    factor = np.where(np.isnan(factor), 1.0, factor)
    values = {name: column * factor if name in times else column for name, column in results.values.items()}
    lost = int((results.hosts.codes < 0).sum())
    rest = f" {lost} rows whose host is not known were left as they are." if lost else ""
    text = (
        f"Times of {len(counts)} hosts ({', '.join(times)}) were put on the scale of {base!r} by how long a fixed piece"
        f" of work takes on each ({said({name: f'{speed[name]:.3g} s' for name in counts})}).{rest}"
    )
    return replace(results, values=values, hosts=None, caveats=(*results.caveats, Caveat("hosts-mixed", text)))


def said(hosts: Mapping[str, object]) -> str:
    """Name hosts with something about each, such as their number of rows; a few of them."""
    texts = [f"{name!r} ({f'{what} rows' if isinstance(what, int) else what})" for name, what in hosts.items()]
    return ", ".join(texts[:_SHOWN]) + (f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else "")


def _on_several(results: Results, names: Sequence[str]) -> list[str]:
    """Name the data sets on which times come from more than one host."""
    if results.hosts is None:
        return []
    there = _timed(results, names)[1] & (results.hosts.codes >= 0)
    pairs = np.unique(np.stack([results.codes["dataset"][there], results.hosts.codes[there]]), axis=1)
    sets, hosts = np.unique(pairs[0], return_counts=True)
    return [results.datasets[place] for place in sets[hosts > 1].tolist()]


def check_one_host(results: Results, names: Sequence[str], *, on_each: bool = False) -> None:
    """Refuse to compare times of several hosts, with every way on; `on_each`: only where one data set has several."""
    if on_each:
        results = results.only(datasets=_on_several(results, names))
    counts = measured_on(results, names)
    if len(counts) < 2:
        return
    timed, _ = _timed(results, names)
    most = max(counts, key=lambda name: (counts[name], name))
    raise OptionError(
        f"{', '.join(timed)} {'comes' if len(timed) == 1 else 'come'} from {len(counts)} hosts: {said(counts)}.",
        why="A second of one machine is not a second of another: machines would be compared, not algorithms.",
        mend=f"Put them on one scale with {option(normalise_cost='hosts')}, or keep one host with"
        f" {option(where=f'host == {most}')}; {option(normalise_cost='none')} takes them as they are.",
    )
