"""On which host a row was measured: seconds of different machines are not the same, unless put on one scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, check_choice
from tiebreak.caveats import Caveat
from tiebreak.errors import InputError, OptionError
from tiebreak.results.columns import NO_NUMBER, Columns, Names
from tiebreak.results.metrics import Metric, metric_named
from tiebreak.wording import Brief, option

if TYPE_CHECKING:
    from tiebreak.results.table import Results

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
    numbers = np.array([*(_number(text) for text in options.names), np.nan])[options.codes]
    result = []
    for code in range(len(names.names)):
        number = numbers[(names.codes == code) & np.isfinite(numbers)]
        result.append(float(np.median(number)) if number.size else float("nan"))
    return tuple(result)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def joined_hosts(tables: Sequence[Results]) -> Hosts | None:
    """Return the hosts of tables under one another; None where none is known."""
    if all(table.hosts is None for table in tables):
        return None
    known: dict[str, float] = {}
    parts = []
    for table in tables:
        hosts = table.hosts
        if hosts is None:
            parts.append(np.full(len(table), -1, dtype=np.int32))
            continue
        for name, seconds in zip(hosts.names, hosts.kernels, strict=True):
            known[name] = seconds if np.isnan(known.get(name, np.nan)) else known[name]
        places = list(known)
        parts.append(np.array([*(places.index(name) for name in hosts.names), -1], dtype=np.int32)[hosts.codes])
    return Hosts(codes=np.concatenate(parts), names=tuple(known), kernels=tuple(known.values()))


def measured_on(results: Results, names: Iterable[str]) -> dict[str, int]:
    """Count the rows with a time among the named measures by host, where hosts are known."""
    timed = [name for name in names if is_time(results.metric(name))]
    if results.hosts is None or not timed:
        return {}
    there = np.any([~np.isnan(results.values[name]) for name in timed], axis=0)
    return results.hosts.counts(there)


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
            "Costs are to be normalised by host, and no host is known.",
            why="Every row must say where it was measured, and how fast that host is.",
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
    timed = [name for name in names if is_time(results.metric(name))]
    if results.hosts is None or not timed:
        return []
    there = np.any([~np.isnan(results.values[name]) for name in timed], axis=0) & (results.hosts.codes >= 0)
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
    timed = [name for name in names if is_time(results.metric(name))]
    most = max(counts, key=lambda name: (counts[name], name))
    raise OptionError(
        f"{', '.join(timed)} {'comes' if len(timed) == 1 else 'come'} from {len(counts)} hosts: {said(counts)}.",
        why="A second of one machine is not a second of another: machines would be compared, not algorithms.",
        mend=f"Put them on one scale with {option(normalise_cost='hosts')}, or keep one host with"
        f" {option(where=f'host == {most}')}; {option(normalise_cost='none')} takes them as they are.",
    )
