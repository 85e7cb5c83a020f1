"""Before anything runs: the data of a plan are loaded, every split and algorithm is checked, the cells are entered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import Caveat, Caveats, codes_of, distinct
from tiebreak.datasets import DataSet
from tiebreak.datasets.targets import TargetKind
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.lab.algorithms.learners import catalogue, describe
from tiebreak.lab.algorithms.specs import fingerprint, imported, unpacked
from tiebreak.lab.plans import Plan
from tiebreak.lab.provenance import check_libraries, described, difference
from tiebreak.lab.resampling import cells_of, resampling_key
from tiebreak.lab.splits import split
from tiebreak.lab.tasks import AlgorithmSpec
from tiebreak.stores.errors import renamed
from tiebreak.stores.records import FAILED, NUMBER_TARGET, AlgorithmRow, CellKey, DataSetRow
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.stores import Store


WORDS = {"classes": "classes", "number": "a number"}
_OTHER = {"classes": "number", "number": "classes"}


def kind_of(data: Iterable[DataSet]) -> TargetKind:
    """Return what the targets of a plan are; a plan that mixes them is refused, naming one of each."""
    first: dict[str, DataSet] = {}
    for item in data:
        first.setdefault(item.kind, item)
    if len(first) > 1:
        raise InputError(
            f"The plan mixes kinds of target: that of {_named(first['classes'])} is classes, that of"
            f" {_named(first['number'])} a number.",
            why="Scores of the two cannot be compared, and learners are of one kind or the other.",
            mend="Make two plans, each with a store of its own; or say what a target is: {source = ..., kind ="
            ' "classes"} or "number".',
        )
    return next(iter(first.values())).kind


def _named(data: DataSet) -> str:
    """Name a data set with the column that was taken for its target: often that is the mistake."""
    column = [repr(data.target_name), *([data.target_why] if data.target_why else [])]
    return f"{data.name!r}" + (f" ({', '.join(column)})" if data.target_name else "")


def specs_for(
    specs: Sequence[AlgorithmSpec], data: Sequence[DataSet], *, imports: bool = True
) -> tuple[AlgorithmSpec, ...]:
    """Return the algorithms of a plan as they are for the targets of its data; those of the other kind are refused."""
    kind = kind_of(data)
    for spec in specs:
        if spec.source == "named":
            _check_named(spec, kind, data[0])
        elif imports or spec.source == "object":
            _check_own(spec, kind, data[0])
    return tuple(replace(spec, kind=kind) for spec in specs)


def _check_named(spec: AlgorithmSpec, kind: TargetKind, data: DataSet) -> None:

    name, known = spec.path or spec.name, [entry.name for entry in catalogue(kind)]
    if name not in known:
        raise OptionError(
            f"The learner {name!r} predicts {WORDS[_OTHER[kind]]}, and the target of data set {data.name!r} is"
            f" {WORDS[kind]}.",
            why="It cannot be taught there.",
            mend=f"Use one of {', '.join(known)}{_reread(kind)}.",
        )
    describe(name, kind=kind).chosen(spec.settings)


def _check_own(spec: AlgorithmSpec, kind: TargetKind, data: DataSet) -> None:
    """Refuse an imported class or an object of the other kind before it fails in every cell."""
    result = predicts(unpacked(spec) if spec.source == "object" else imported(spec))
    if result is not None and result != kind:
        text = "regressor" if result == "number" else "classifier"
        raise OptionError(
            f"{spec.path or spec.name!r} is a {text}, and the target of data set {data.name!r} is {WORDS[kind]}.",
            why=f"A {text} predicts {WORDS[result]}.",
            mend=f"Give a {'classifier' if result == 'number' else 'regressor'}{_reread(kind)}.",
        )


def _reread(kind: TargetKind) -> str:
    return f", or say that the target is {WORDS[_OTHER[kind]]}: {option(kind=_OTHER[kind])}"


def predicts(learner: Any) -> TargetKind | None:
    """Say what a learner predicts, by scikit-learn's tags; None where it does not tell.

    Examples
    --------
    >>> from sklearn.svm import SVC, SVR
    >>> predicts(SVC()), predicts(SVR()), predicts(object())
    ('classes', 'number', None)
    """
    from sklearn.base import is_classifier, is_regressor

    try:
        return "number" if is_regressor(learner) else "classes" if is_classifier(learner) else None
    except Exception:  # a foreign estimator without tags says nothing about what it predicts
        return None


_SHOWN = 6
"""Targets that are named."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Prepared(Shown):
    """A checked plan with its data: what will run, and how much of it a store holds already.

    `data` and `specs` are the data sets and algorithms by fingerprint; `shard` is (i, n) where only every n-th cell is
    run, beginning with the i-th.
    """

    plan: Plan
    data: Mapping[str, DataSet]
    specs: Mapping[str, AlgorithmSpec]
    done: int = 0
    failed: int = 0
    caveats: Caveats = ()
    shard: tuple[int, int] = (1, 1)

    @property
    def cells(self) -> int:
        """How many cells are to be run: data sets x algorithms x replications x folds, or those of the shard."""
        number, count = self.shard
        return len(range(number - 1, len(self.data) * len(self.specs) * len(cells_of(self.plan.resampling)), count))

    @property
    def kind(self) -> str:
        """What the targets of the plan are, "classes" or "number"."""
        return next(iter(self.data.values())).kind

    def title(self) -> str:
        """Say in one line what the plan is and what is left of it."""
        scheme = self.plan.resampling
        parts = (
            _counted(len(self.data), "data set"),
            _counted(len(self.specs), "algorithm"),
            _counted(scheme.replications, "replication")
            + (f" of {scheme.folds} folds" if scheme.kind == "cv" else " of a hold-out"),
        )
        shard = f", shard {self.shard[0]} of {self.shard[1]}" if self.shard[1] > 1 else ""
        return (
            f"{self.plan.name}: {' x '.join(parts)}{shard} = {_counted(self.cells, 'cell')}: {self.done} done,"
            f" {self.failed} failed, {self.cells - self.done - self.failed} to run"
        )

    def rows(self) -> list[Row]:
        """Return one row per data set."""
        return [
            {
                "dataset": item.name,
                "rows": item.n_rows,
                "numeric": int((~item.symbolic).sum()),
                "symbolic": int(item.symbolic.sum()),
                **self._target(item),
                "cells": len(self.specs) * len(cells_of(self.plan.resampling)),
            }
            for item in self.data.values()
        ]

    def _target(self, data: DataSet) -> Row:
        """Say which column is the target, where one of the plan has a name, and what it is."""
        name = data.target_name + (f" ({data.target_why})" if data.target_why else "")
        if data.kind == "number":
            return {"target": f"{name}: a number" if name else "a number"}
        named = any(item.target_name for item in self.data.values())
        return {**({"target": name or None} if named else {}), "classes": len(data.classes)}

    def cell_keys(self) -> Iterator[CellKey]:
        """Yield the key of every cell: data set by data set, algorithm by algorithm, fold by fold.

        A shard has every N-th of them, so that each has its part of every data set and algorithm.
        """
        return islice(self._all_keys(), self.shard[0] - 1, None, self.shard[1])

    def _all_keys(self) -> Iterator[CellKey]:
        scheme = resampling_key(self.plan.resampling)
        for mark in self.data:
            for algorithm in self.specs:
                for replication, fold in cells_of(self.plan.resampling):
                    yield CellKey(mark, algorithm, scheme, self.plan.seed, replication, fold)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def shard_from(text: str | None) -> tuple[int, int]:
    """Read which part of a plan is run: "2/8" is the second of eight; None is all of it.

    Examples
    --------
    >>> shard_from("2/8"), shard_from(None)
    ((2, 8), (1, 1))
    """
    match = re.fullmatch(r"\s*(\d{1,6})\s*/\s*(\d{1,6})\s*", "1/1" if text is None else str(text))
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise OptionError(
            f"The shard is {text!r}.",
            why="It is the number of a part and the number of parts, both counted from 1.",
            mend=f"Use {option(shard='1/8')} to {option(shard='8/8')}.",
        )
    return int(match[1]), int(match[2])


def check_plan(plan: Plan, *, shard: str | None = None, imports: bool = True) -> Prepared:
    """Load the data of a plan and check every split and every algorithm; no store is touched.

    Without `imports` nothing of the plan is imported, so that its learners are not checked.
    """
    part, data = shard_from(shard), load_data(plan)
    plan = replace(plan, algorithms=specs_for(plan.algorithms, list(data.values()), imports=imports))
    splits = {item.name: split(item, plan.resampling, seed=plan.seed).caveats for item in data.values()}
    notes = [*plan.caveats, *_not_named(list(data.values()))]
    notes += [note.prefixed(f"{item.name}: ") for item in data.values() for note in item.caveats]
    notes += [note.prefixed(f"{name}: ") for name, caveats in splits.items() for note in caveats]
    specs: dict[str, AlgorithmSpec] = {}
    for spec in plan.algorithms:
        twin = specs.setdefault(fingerprint(spec), spec)
        if twin is not spec:
            raise OptionError(
                f"The algorithms {twin.name!r} and {spec.name!r} are the same learner with the same settings.",
                why="Their results would be copies of each other.",
                mend="Leave one of them out, or change its settings.",
            )
    return Prepared(plan=plan, data=data, specs=specs, caveats=distinct(notes), shard=part)


_SAID = {"target-taken-for", "target-unsure", "target-not-last"}
"""Caveats of a data set that name its target."""


def _not_named(data: Sequence[DataSet]) -> Iterator[Caveat]:
    """Say in one sentence which columns were taken for targets that nobody named; numbers say it themselves."""
    taken = [item for item in data if item.target_why and not _SAID & {*codes_of(item.caveats)}]
    if taken:
        texts = [
            f"{item.target_name!r} of {item.name!r} ({item.target_why},"
            f" {f'{len(item.classes)} classes' if item.classes else 'a number'})"
            for item in taken[:_SHOWN]
        ]
        more = f" and {len(taken) - _SHOWN} more" if len(taken) > _SHOWN else ""
        text = f"No target was named; taken were {', '.join(texts)}{more}."
        yield Caveat("read-as", f'{text} For another column say target = "...".')


def load_data(plan: Plan) -> dict[str, DataSet]:
    """Load every data set of a plan, by fingerprint; two of one name, or the same rows twice, are refused."""
    result: dict[str, DataSet] = {}
    parts = [part for item in plan.datasets for part in ([item] if isinstance(item, DataSet) else item.expand())]
    for part in parts:
        data_set = part if isinstance(part, DataSet) else part.load()
        twin = result.get(data_set.fingerprint)
        namesake = data_set.name in (other.name for other in result.values())
        if twin is not None or namesake:
            raise InputError(
                f"The data sets {twin.name!r} and {data_set.name!r} of the plan hold the same rows."
                if twin is not None
                else f"Two data sets of the plan are called {data_set.name!r}.",
                why="Results are kept by data set, each once.",
                mend=f"Leave one of them out{'' if twin else ', or name it: {source = ..., name = ...}'}.",
            )
        result[data_set.fingerprint] = data_set
    if not result:
        raise InputError(
            "The data sets of the plan are an empty suite.", why="There is nothing to run.", mend="Name data sets."
        )
    return result


@as_came_in
def prepare(plan: Plan, store: Store) -> Prepared:
    """Check a plan whole and enter its cells into a store; those that are there keep their results."""
    return enter(check_plan(plan), store)


def enter(ready: Prepared, store: Store, *, mix_versions: bool = False) -> Prepared:
    """Enter a checked plan into a store: data sets with their meta-attributes, algorithms, cells.

    `mix_versions` says what is done about libraries that are not those of the stored cells; see `tiebreak.lab.run`.
    """
    _check_versions(ready, store)
    known = {row.fingerprint: row.meta_version for row in store.data_sets()}
    for item in ready.data.values():
        row = _data_row(item, known.get(item.fingerprint))
        if row is not None:
            store.add_data_set(row)
    there = {(row.name, row.fingerprint) for row in store.algorithms()}
    for mark, spec in ready.specs.items():
        if (spec.name, mark) not in there:
            store.add_algorithm(AlgorithmRow(name=spec.name, fingerprint=mark, spec=described(spec)))
    digest = ready.plan.digest()
    known_plan = digest in (row.digest for row in store.plans())
    if not known_plan or ready.cells != sum(store.counts(plan=digest).values()):  # a run may have ended while adding
        store.add_plan(digest, ready.plan.text())
        store.add_cells(list(ready.cell_keys()), plan=digest)
    counts = store.counts(plan=digest)
    if not mix_versions and counts["waiting"] + counts["running"]:
        check_libraries(ready.specs, list(ready.data), store)
    return replace(ready, done=counts["ok"], failed=sum(counts[status] for status in FAILED))


def _check_versions(ready: Prepared, store: Store) -> None:
    """Refuse a name under which the store holds something else, and a thing the store holds under another name."""

    def other(kind: str, name: str, what: str, given: str) -> OptionError:
        return OptionError(
            f"The store {store.shown} holds another {kind} {name!r}, with other {what}.",
            why="Under one name their results could not be distinguished.",
            mend=f'Give this one another name, {{{given}, name = "{name}-2"}}, or use another store.',
        )

    def other_algorithm(stored: AlgorithmRow, mark: str) -> OptionError:
        spec = ready.specs[mark]
        what, how = difference(stored.spec, described(spec))
        given = "algorithm = ..., settings = ..." if spec.source == "named" else f"{spec.source} = ..."
        return other("algorithm", spec.name, f"{what}{f': {how}' if how else ''}", given)

    sets = {mark: item.name for mark, item in ready.data.items()}
    _check_names(
        "data set", sets, store.data_sets(), lambda row, _: other("data set", row.name, "rows", "source = ...")
    )
    specs = {mark: spec.name for mark, spec in ready.specs.items()}
    _check_names("algorithm", specs, store.algorithms(), other_algorithm)


def _check_names(
    kind: str, named: Mapping[str, str], rows: Sequence[Any], other: Callable[[Any, str], OptionError]
) -> None:
    stored = {row.fingerprint: row.name for row in rows}
    for mark, name in named.items():
        if stored.get(mark, name) != name:
            raise renamed(kind, name, stored[mark])
    marks = {name: mark for mark, name in named.items()}
    for row in rows:  # the marks of imported results hold a colon
        if marks.get(row.name, row.fingerprint) != row.fingerprint and ":" not in row.fingerprint:
            raise other(row, marks[row.name])


def _data_row(data: DataSet, known: str | None) -> DataSetRow | None:
    """Describe a data set for the store; None where it is known with its meta-attributes."""
    from tiebreak.attributes.catalogue import META_VERSION, NUMBER_META_VERSION
    from tiebreak.attributes.measuring import characterise

    version = str(NUMBER_META_VERSION if data.kind == "number" else META_VERSION)
    if known == version:
        return None
    return DataSetRow(
        name=data.name,
        fingerprint=data.fingerprint,
        rows=data.n_rows,
        attributes=data.n_attributes,
        classes=data.classes,
        meta={**({NUMBER_TARGET: 1} if data.kind == "number" else {}), **characterise(data, groups=("all",))},
        meta_version=version,
    )


def standing(ready: Prepared, store: Store, *, mix_versions: bool = False) -> Prepared:
    """Count which cells of a checked plan a store holds, done or failed, without writing to it."""
    _check_versions(ready, store)
    wanted = {(*key[:4], str(key.replication), str(key.fold)) for key in ready.cell_keys()}
    key = attrgetter("dataset_fingerprint", "algorithm_fingerprint", "resampling", "seed", "replication", "fold")
    ended = [row.status == "ok" for row in store.rows(statuses=("ok", *FAILED)) if key(row) in wanted]
    if not mix_versions and len(ended) < ready.cells:
        check_libraries(ready.specs, list(ready.data), store)
    return replace(ready, done=sum(ended), failed=len(ended) - sum(ended))
