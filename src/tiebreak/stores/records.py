"""The rows that go into a store and come out of it: frozen, plain, without a database in sight."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from tiebreak.errors import InputError
from tiebreak.wording import Brief

FAILED = ("error", "timeout", "memory", "crash", "killed")
"""How a cell can fail."""
OPEN = ("waiting", "running")
"""The statuses of a cell that has not been run to its end."""
STATUSES = (*OPEN, "ok", *FAILED)
"""Every status a cell can have."""
LAB = "lab"
"""The origin of results that were run here."""


class CellKey(NamedTuple):
    """What tells one cell from every other: the same key is never run twice.

    `dataset` and `algorithm` are fingerprints that the store already knows. `resampling` is a text that names the way
    of splitting; it must not hold the number of replications if a plan is to be extended by more of them.
    """

    dataset: str
    algorithm: str
    resampling: str
    seed: int
    replication: int | str
    fold: int | str


NUMBER_TARGET = "number_target"
"""The mark among the meta-attributes of a data set whose target is a number."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DataSetRow(Brief):
    """A data set as the store knows it: its size and its meta-attributes, never its rows."""

    name: str
    fingerprint: str
    rows: int | None = None
    attributes: int | None = None
    classes: tuple[str, ...] = ()
    meta: Mapping[str, object] = field(default_factory=dict)
    meta_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AlgorithmRow(Brief):
    """An algorithm with its settings, for display: nothing here is ever turned back into an estimator."""

    name: str
    fingerprint: str
    spec: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PlanRow(Brief):
    """A plan that was run into this store: the digest that names it, and its text."""

    digest: str
    text: str
    created: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedCell:
    """A cell that one runner, and no other, is to run; `attempts` counts this time too."""

    id: int
    dataset: str
    algorithm: str
    resampling: str
    seed: int
    replication: str
    fold: str
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Environment(Brief):
    """Where a cell was run, and with what: `cores` are those of the machine, `versions` those of the libraries."""

    host: str
    cpu: str = ""
    cores: int | None = None
    system: str = ""
    python: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Tell one environment from every other.

        Examples
        --------
        >>> Environment(host="a").digest == Environment(host="b").digest
        False
        """
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How long a fixed piece of work took on a host: CPU seconds and seconds on the clock, when, under which load."""

    environment: Environment
    cpu: float
    wall: float
    load: float | None = None
    taken: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellOutcome:
    """What became of one cell; `finished` is a time in UTC as text, now where it is empty.

    `environment` says where it was run, `load` how busy that host was then; `calibration` is how fast it was found to
    be shortly before, where it was measured.
    """

    cell: int
    status: str
    reason: str = ""
    values: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, object] = field(default_factory=dict)
    finished: str = ""
    environment: Environment | None = None
    load: float | None = None
    calibration: Calibration | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CellRow(Brief):
    """One cell with all that is known about it.

    `host`, `host_load`, `environment` and `host_kernel`, the CPU seconds of the calibrating kernel on that host, are
    empty where nobody recorded them.
    """

    id: int
    dataset: str
    algorithm: str
    replication: str
    fold: str
    dataset_fingerprint: str
    algorithm_fingerprint: str
    resampling: str
    seed: int
    status: str
    reason: str
    attempts: int
    origin: str
    finished: str
    details: Mapping[str, object]
    values: Mapping[str, float]
    host: str = ""
    host_load: float | None = None
    host_kernel: float | None = None
    environment: Mapping[str, object] = field(default_factory=dict)


COLUMNS = tuple(item.name for item in fields(CellRow) if item.name not in ("id", "values"))
"""The columns of an exported table beside the measures; no measure may take one of these names."""


def kernels(given: Iterable[Calibration]) -> dict[str, float]:
    """Return the CPU seconds of the kernel on every host: the median, as single ones are disturbed upwards.

    Examples
    --------
    >>> kernels([Calibration(environment=Environment(host="a"), cpu=item, wall=item) for item in (1.0, 1.2, 5.0)])
    {'a': 1.2}
    """
    result: dict[str, list[float]] = {}
    for calibration in given:
        result.setdefault(calibration.environment.host, []).append(calibration.cpu)
    return {host: median(seconds) for host, seconds in sorted(result.items())}


def plain(environment: Environment | None) -> dict[str, Any]:
    """Return an environment as plain data, empty for none."""
    return {} if environment is None else {**asdict(environment), "versions": dict(environment.versions)}


def from_plain(given: Mapping[str, Any]) -> Environment | None:
    """Read what `plain` wrote; None where there is no host in it."""
    if not given.get("host"):
        return None
    texts = {name: str(given.get(name) or "") for name in ("host", "cpu", "system", "python")}
    versions = {str(name): str(text) for name, text in dict(given.get("versions") or {}).items()}
    cores = given.get("cores")
    return Environment(**texts, cores=None if cores is None else int(cores), versions=versions)


# ---- text, numbers and JSON as every database can keep them


_LONGEST_REASON = 4000


def now() -> str:
    """Return the time in UTC, as text."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def clean(text: str) -> str:
    r"""Replace what a database cannot keep (NUL, half characters); cut what is too long for a reason.

    Examples
    --------
    >>> clean("bad\x00byte")
    'bad\ufffdbyte'
    """
    whole = str(text).replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    return whole if len(whole) <= _LONGEST_REASON else f"{whole[:_LONGEST_REASON]} ..."


def check_name(kind: str, name: str) -> str:
    """Return a name that is text, not empty, and can be stored as it is."""
    if not isinstance(name, str) or not name or clean(name) != name:
        raise InputError(
            f"A {kind} cannot be stored as {name!r}.",
            why="Results are identified by it, so it must be text that every database keeps unchanged.",
            mend="Use a name of letters, digits and signs, at most 4000 of them.",
        )
    return name


def check_measures(names: Iterable[str]) -> None:
    """Refuse the names of measures that an exported table has other columns for."""
    for name in names:
        check_name("measure", name)
        if name in COLUMNS:
            raise InputError(
                f"A measure cannot be named {name!r}.",
                why="An exported table has a column of that name already.",
                mend="Rename it.",
            )


def to_json(value: Mapping[str, object], what: str) -> str:
    """Write JSON; numbers that are not finite become null, arrays become lists.

    Examples
    --------
    >>> to_json({"confusion": np.eye(2, dtype=int), "auc": float("nan")}, "details")
    '{"confusion": [[1, 0], [0, 1]], "auc": null}'
    """
    try:
        return json.dumps(_plain(value), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"{what} cannot be written as JSON: {error}.",
            why="A store keeps text and numbers only, so that reading it never runs a program.",
            mend="Use dictionaries, lists, text, numbers, true, false and None.",
        ) from None


def _plain(value: Any) -> Any:
    """NaN and infinity are not JSON, although Python writes them: other programs would refuse the text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def from_json(text: str) -> dict[str, Any]:
    """Read what `to_json` wrote; anything else raises ValueError."""
    try:
        data = json.loads(text) if text else {}
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not isinstance(data, dict):
        raise ValueError(f"expected an object of names and values, not {type(data).__name__}")
    return data


def split_finite(values: Mapping[str, float]) -> tuple[dict[str, float], dict[str, str]]:
    """Part the finite numbers from the others; the latter as text. Minus zero becomes zero, as in SQLite.

    Examples
    --------
    >>> split_finite({"error": 0.25, "log_loss": float("inf")})
    ({'error': 0.25}, {'log_loss': 'inf'})
    """
    numbers = {name: float(value) + 0.0 for name, value in values.items() if value is not None}
    finite = {name: value for name, value in numbers.items() if math.isfinite(value)}
    return finite, {name: str(value) for name, value in numbers.items() if name not in finite}
