"""The rows that go into a store and come out of it: frozen, plain, without a database in sight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import NamedTuple

FAILED = ("error", "timeout", "memory", "crash")
"""How a cell can fail."""
STATUSES = ("waiting", "running", "ok", *FAILED)
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
"""The one meta-attribute of a data set whose target is a number: the others describe classes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSetRow:
    """A data set as the store knows it: its size and its meta-attributes, never its rows."""

    name: str
    fingerprint: str
    rows: int | None = None
    attributes: int | None = None
    classes: tuple[str, ...] = ()
    meta: Mapping[str, object] = field(default_factory=dict)
    meta_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlgorithmRow:
    """An algorithm with its settings, for display: nothing here is ever turned back into an estimator."""

    name: str
    fingerprint: str
    spec: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRow:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CellOutcome:
    """What became of one cell; `finished` is a time in UTC as text, now where it is empty."""

    cell: int
    status: str
    reason: str = ""
    values: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, object] = field(default_factory=dict)
    finished: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRow:
    """One cell with all that is known about it."""

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


COLUMNS = tuple(each.name for each in fields(CellRow) if each.name not in ("id", "values"))
"""The columns of an exported table beside the measures; no measure may take one of these names."""
