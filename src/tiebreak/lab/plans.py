"""A plan: data sets x algorithms x resampling, a seed and limits; checked whole before anything runs."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tiebreak._checks import check_choice, check_choices
from tiebreak.caveats import Caveats, validation_scores
from tiebreak.datasets import DataSet, from_frame
from tiebreak.datasets.dataset import with_positive
from tiebreak.datasets.references import DataReference, check_seed, check_text
from tiebreak.documents import Framed, Row, as_came_in
from tiebreak.errors import InputError, OptionError, meant_file
from tiebreak.lab.algorithms.specs import spec_of, spec_text
from tiebreak.lab.resampling import Resampling, cells_of, check_resampling, resampling_from, resampling_key
from tiebreak.lab.tasks import AlgorithmSpec, Limits
from tiebreak.results.text import TooDeep, toml_of
from tiebreak.wording import shortened

_COSTS = [10.0**power for power in range(-5, 6)]
_WIDTHS = [10.0**power for power in range(-3, 4)]


def _searched(name: str, algorithm: str = "", **space: list[float]) -> dict[str, Any]:
    return {"algorithm": algorithm or name, "name": name, "settings": {"tune": {"on": "validation", "space": space}}}


_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "ulas2012": {
        "resampling": {"scheme": "5x2cv", "test": 1 / 3},
        "seed": 0,
        "algorithms": [
            "c45",
            "mdt",
            {"algorithm": "mlp-online", "name": "mlp"},
            {"algorithm": "lnp-online", "name": "lnp"},
            _searched("svl", C=_COSTS),
            _searched("sv2", "sv2-homogeneous", C=_COSTS),  # it fits the printed accuracies; (gamma x.y + 1)^2 does not
            _searched("svr", gamma=_WIDTHS, C=_COSTS),
            "5nn",
        ],
    },
}
PRESETS = tuple(_PRESETS)
"""The names of the protocols."""


def preset_of(name: object) -> Mapping[str, Any]:
    """Return what a plan takes from a protocol where it says nothing itself.

    Examples
    --------
    >>> [item if isinstance(item, str) else item["name"] for item in preset_of("ulas2012")["algorithms"]]
    ['c45', 'mdt', 'mlp', 'lnp', 'svl', 'sv2', 'svr', '5nn']
    """
    return _PRESETS[check_choice("preset", str(name), PRESETS)]


KEYS = ("name", "preset", "seed", "datasets", "algorithms", "resampling", "limits")
"""What a plan may hold."""
_MOST_NAMED = 8
"""Algorithms that a `repr` names."""
_SHARES = ("test", "holdout")
_UNITS = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Plan(Framed):
    """What to run. Make one with `Plan.of(...)`, from Python, or `read_plan("plan.toml")`.

    Examples
    --------
    >>> plan = Plan.of(datasets=["builtin:monks1"], algorithms=["c45", "5nn"], resampling="5x2cv", seed=1)
    >>> [item.name for item in plan.algorithms], plan.resampling.replications
    (['c45', '5nn'], 5)
    """

    datasets: tuple[DataReference | DataSet, ...]
    algorithms: tuple[AlgorithmSpec, ...]
    resampling: Resampling = field(default_factory=Resampling)
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    name: str = "plan"

    @classmethod
    @as_came_in
    def of(
        cls,
        *,
        datasets: Sequence[object] | str,
        algorithms: Sequence[object] | str | None = None,
        resampling: Resampling | str | Mapping[str, Any] | None = None,
        seed: int | None = None,
        limits: Limits | Mapping[str, Any] | None = None,
        name: str = "plan",
        preset: str | None = None,
        folder: Path | None = None,
        imports: bool = True,
    ) -> Plan:
        """Check every part and return the plan.

        Parameters
        ----------
        datasets : sequence
            Names such as "builtin:monks1", `"builtin:*"`, "sklearn:iris", "openml:61", paths of files and folders,
            tables with options ({"source": "a.csv", "target": "class"}), frames ({"frame": df, "name": "pets",
            "target": "kind"}), or `DataSet` objects.
        algorithms : sequence
            Names of the catalogue, {"import": "package.module:Class", "settings": {...}}, or estimators.
        resampling : str or mapping
            "5x2cv" (default), "10-fold", "10x10", "holdout", or {"scheme": "5x2cv", "test": 0.25}.
        seed : int
            From 0 (default); every split and every random choice of a learner follows from it.
        limits : mapping, optional
            {"seconds": 60, "memory": "2 GiB"} for each cell.
        name : str
            What the run is called where it is shown.
        preset : str, optional
            The protocol of a published experiment, "ulas2012": algorithms, resampling and seed where none are given.
        folder : Path, optional
            What relative paths are relative to; by default the current folder.
        imports : bool, default True
            Import the classes that are given by path and check their settings; False runs nothing of the plan.
        """
        filled = {} if preset is None else preset_of(preset)
        options = {"algorithms": algorithms, "resampling": resampling, "seed": seed}
        given = {"resampling": "5x2cv", "seed": 0, **filled, **{k: v for k, v in options.items() if v is not None}}
        return cls(
            datasets=tuple(_reference(item, folder) for item in _items(datasets, "data sets")),
            algorithms=_specs(given.get("algorithms", ()), None if imports else folder or Path()),
            resampling=_resampling(given["resampling"]),
            seed=check_seed(given["seed"], "seed"),
            limits=_limits(limits),
            name=check_text(name, "name"),
        )

    def with_seed(self, seed: int) -> Plan:
        """Return the same plan with another seed: other splits, other random choices."""
        return replace(self, seed=check_seed(seed, "seed"))

    @property
    def caveats(self) -> Caveats:
        """What is to be known about the results before there are any."""
        searched = [algorithm.name for algorithm in self.algorithms if searches_validation(algorithm)]
        return (validation_scores(searched),) if searched else ()

    def rows(self) -> list[Row]:
        """Return one row per data set, as the plan names it, and algorithm, with the number of cells."""
        cells = len(cells_of(self.resampling))
        return [
            {"dataset": getattr(data, "name", "") or getattr(data, "source", ""), "algorithm": spec.name}
            | {"replications": self.resampling.replications, "cells": cells, "seed": self.seed}
            for data in self.datasets
            for spec in self.algorithms
        ]

    def __repr__(self) -> str:
        names, scheme = [algorithm.name for algorithm in self.algorithms], self.resampling
        some = ", ".join(names[:_MOST_NAMED]) + f" and {len(names) - _MOST_NAMED} more" * (len(names) > _MOST_NAMED)
        sets = f"{len(self.datasets)} data set{'s' * (len(self.datasets) != 1)}"
        made = f"{scheme.replications} x {f'{scheme.folds} folds' if scheme.kind == 'cv' else 'hold-out'}"
        return shortened(f"<Plan: {self.name}: {sets} x {len(names)} algorithms ({some}) x {made}, seed {self.seed}>")

    def text(self) -> str:
        """Write the plan down for the store: the same plan gives the same text; pickled estimators are left out."""
        return json.dumps(
            {
                "name": self.name,
                "seed": self.seed,
                "datasets": [_reference_text(dataset) for dataset in self.datasets],
                "algorithms": [spec_text(algorithm) for algorithm in self.algorithms],
                "resampling": f"{self.resampling.replications} x {resampling_key(self.resampling)}",
                "limits": {"seconds": self.limits.seconds, "memory": self.limits.memory},
            },
            sort_keys=True,
            ensure_ascii=False,
        )

    def digest(self) -> str:
        """Return a short name for the text of the plan."""
        return hashlib.sha256(self.text().encode()).hexdigest()[:16]


def read_plan(path: str | Path, *, imports: bool = True) -> Plan:
    r"""Read a plan from a TOML file; paths of data in it are relative to its folder.

    Parameters
    ----------
    path : str or Path
    imports : bool, default True
        Import the classes that are given by path and check their settings: a plan is a program.

    Returns
    -------
    Plan

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "plan.toml"
    >>> _ = file.write_text('datasets = ["builtin:monks1"]\nalgorithms = ["c45", "5nn"]\n')
    >>> read_plan(file).name
    'plan'
    """
    file = Path(path)
    try:
        content = toml_of(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"The plan {str(file)!r} cannot be read: {error.strerror}.",
            mend=meant_file(file) if isinstance(error, FileNotFoundError) else "Give the path of a TOML file.",
        ) from None
    except ValueError as error:
        what = "cannot be read" if isinstance(error, TooDeep) else "is not TOML"
        raise InputError(
            f"The plan {str(file)!r} {what}: {error}.",
            why="A plan holds lists of data sets and of algorithms.",
            mend='Write lines such as `algorithms = ["c45", "5nn"]`.',
        ) from None
    return plan_from(content, where=str(file), name=file.stem, folder=file.parent, imports=imports)


def plan_from(
    content: Mapping[str, Any],
    *,
    where: str = "the plan",
    name: str = "plan",
    folder: Path | None = None,
    imports: bool = True,
) -> Plan:
    """Make a plan from the content of a file, naming what is unknown or absent."""
    check_choices("key of a plan", content, KEYS, mend=f"It stands in {where}.")
    for key in ("datasets", "algorithms"):
        if key not in content and not (key == "algorithms" and "preset" in content):
            raise _nothing(f"{where} names no {key}.")
    return Plan.of(**{"name": name, **content}, folder=folder, imports=imports)


def _nothing(what: str) -> InputError:
    return InputError(
        what,
        why="A plan runs algorithms on data sets.",
        mend='Add `datasets = ["builtin:*"]` and `algorithms = ["c45", "5nn"]`.',
    )


def searches_validation(spec: AlgorithmSpec) -> bool:
    """Say whether an algorithm chooses its settings on the rows it is measured on."""
    search = spec.settings.get("tune")
    return isinstance(search, Mapping) and search.get("on") == "validation"


def _items(value: object, kind: str) -> list[Any]:
    """Return the items of a list, or a list of the one thing given; an empty one is refused."""
    many = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    items: list[Any] = list(value) if many else [value]  # type: ignore[call-overload]
    if not items:
        raise _nothing(f"The list of {kind} is empty.")
    return items


def _reference(item: Any, folder: Path | None) -> DataReference | DataSet:
    """Read one item; a relative path is relative to the folder of the plan."""
    if isinstance(item, DataSet):
        return item
    if hasattr(item, "columns") or (isinstance(item, Mapping) and "frame" in item):
        return _framed(item)
    reference = DataReference.of(DataReference.of(item).as_dict())  # twice: one that was made by hand is unchecked
    return replace(reference, source=_located(reference.source, folder))


def _located(source: str, folder: Path | None) -> str:
    """Return a path as seen from here; names such as "builtin:monks1" stay as they are."""
    if ":" in source:
        return source
    path = (folder or Path()) / Path(source).expanduser()
    return str(path) if path.exists() or "/" in source or "\\" in source or path.suffix else source


def _framed(item: Any) -> DataSet:
    """Make a data set of a frame and its options; it needs a name of its own."""
    options = dict(item) if isinstance(item, Mapping) else {"frame": item}
    frame = options.pop("frame")
    if not options.get("name"):
        raise OptionError(
            "A frame among the data sets has no name.",
            why="Results are stored under the names of the data sets.",
            mend='Give it one: {"frame": frame, "name": "pets", "target": "kind"}.',
        )
    known = ("frame", "target", "name", "symbolic", "groups", "drop", "keep", "kind", "positive")
    check_choices("option of a frame", options, known)
    positive = options.pop("positive", None)
    data = from_frame(frame, **options)
    return data if positive is None else with_positive(data, str(positive))


def _reference_text(item: DataReference | DataSet) -> object:
    """Data in memory are known by their fingerprint: no reference could load them again."""
    return {"name": item.name, "fingerprint": item.fingerprint} if isinstance(item, DataSet) else item.as_dict()


def _specs(algorithms: object, beside: Path | None) -> tuple[AlgorithmSpec, ...]:
    """Names of algorithms are checked here: one learner with two settings easily gets one name twice."""
    items = _items(algorithms, "algorithms")
    for item in items:
        for key in ("name", "algorithm", "import") if isinstance(item, Mapping) else ():
            if key in item:
                check_text(item[key], f"{key} of an algorithm")
    specs = tuple(spec_of(entry, beside=beside) for entry in items)
    names = [spec.name for spec in specs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(
            f"Two algorithms of the plan are called {twice!r}.",
            why="Results are kept by name.",
            mend=f'Give one of them another name: {{name = "{twice}-2", ...}}.',
        )
    return specs


def _resampling(value: Resampling | str | Mapping[str, Any]) -> Resampling:

    if isinstance(value, Resampling):
        return check_resampling(value)
    options: dict[str, Any] = dict(value) if isinstance(value, Mapping) else {"scheme": value}
    check_choices("key of the resampling", options, ("scheme", *_SHARES, "stratified"))
    if not isinstance(options.get("stratified", True), bool):
        raise OptionError(
            f"stratified is {options['stratified']!r}.",
            why="It says whether every fold has the classes in their shares.",
            mend="Use stratified = true or stratified = false.",
        )
    return resampling_from(check_text(options.pop("scheme", "5x2cv"), "resampling"), **options)


def _limits(value: Limits | Mapping[str, Any] | None) -> Limits:
    """A limit of 0 or infinity is refused, not read as "none": that is said by leaving it out."""
    if value is None:
        return Limits()
    if isinstance(value, Limits):
        return value
    if not isinstance(value, Mapping):
        raise OptionError(
            f"The limits are {value!r}.",
            why="They are the most that one cell may take.",
            mend='Use limits = {seconds = 60, memory = "2 GiB"}.',
        )
    check_choices("limit", value, ("seconds", "memory"))
    seconds, memory = value.get("seconds"), value.get("memory")
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if seconds is not None and not (number and 0 < seconds < math.inf):
        raise OptionError(
            f"The limit of seconds is {seconds!r}.", why="It must be a positive number.", mend="Use seconds = 60."
        )
    return Limits(seconds=None if seconds is None else float(seconds), memory=bytes_of(memory))


def bytes_of(value: object) -> int | None:
    """Read an amount of memory.

    Examples
    --------
    >>> bytes_of("2 GiB"), bytes_of("300MB"), bytes_of(1000), bytes_of(None)
    (2147483648, 300000000, 1000, None)
    """
    if value is None:
        return None
    written = "" if isinstance(value, bool) else str(value)
    match = re.fullmatch(r"\s*([0-9]{1,15}(?:\.[0-9]+)?)\s*([a-zA-Z]*)\s*", written)
    unit = _UNITS.get((match.group(2) or "b").lower()) if match else None
    if match is None or unit is None or float(match.group(1)) * unit < 1:
        raise OptionError(
            f"The limit of memory is {value!r}.",
            why=f"It must be a number of bytes, or one with a unit ({', '.join(_UNITS)}).",
            mend='Use memory = "2 GiB".',
        )
    return int(float(match.group(1)) * unit)
