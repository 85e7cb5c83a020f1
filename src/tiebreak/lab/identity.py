"""What produced a score: whether a learner, or a library, is still the one whose results a store holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tiebreak._checks import check_choice
from tiebreak.errors import OptionError
from tiebreak.lab.environment import environment
from tiebreak.lab.tasks import AlgorithmSpec
from tiebreak.store.records import AlgorithmRow

if TYPE_CHECKING:
    from tiebreak.store import Store
    from tiebreak.store.records import Environment

CHANGED = ("refuse", "rename")
"""What may be done about a learner that has changed under its name."""
_SHOWN = 4
_MARK = 8
_RECORDED_ONLY = "tiebreak"
"""Kept with every cell; but an update of the program that runs cells must not stop a plan."""


def described(spec: AlgorithmSpec) -> dict[str, object]:
    """Return what a store keeps of an algorithm: its text, and where it is local the digests of its modules."""
    from tiebreak.lab.algorithms import spec_text

    told: dict[str, object] = {"text": spec_text(spec)}
    return told | ({"source": spec.code.digest, "files": dict(spec.code.files)} if spec.code.digest else {})


def difference(stored: AlgorithmRow, spec: AlgorithmSpec) -> tuple[str, str]:
    """Say what differs between a stored algorithm and one of the same name: settings or source, and how.

    Examples
    --------
    >>> stored = AlgorithmRow(name="x", fingerprint="1", spec={"text": "x = named 1 nb {}"})
    >>> difference(stored, AlgorithmSpec(name="nb"))
    ('settings', 'stored is named 1 nb {}, the plan has named 1 nb {"smoothing": 1.0}')
    """
    now = described(spec)
    before, after = _bare(stored.spec), _bare(now)
    if before != after or not spec.code.digest:
        return "settings", f"stored is {before}, the plan has {after}" if before else ""
    if not stored.spec.get("source"):
        return "source", "it was run before sources were recorded, so that nobody can tell whether they are the same"
    old, new = (each.get("files") for each in (stored.spec, now))
    assert isinstance(old, Mapping)
    assert isinstance(new, Mapping)
    changed = [f"{name} {old.get(name, 'none')} -> {new.get(name, 'none')}" for name in sorted({*old, *new})]
    changed = [text for text, name in zip(changed, sorted({*old, *new}), strict=True) if old.get(name) != new.get(name)]
    more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
    return "source", ", ".join(changed[:_SHOWN]) + more


def _bare(spec: Mapping[str, object]) -> str:
    """Return the text of an algorithm without its name and its source."""
    text = str(spec.get("text", ""))
    return text.partition(" = ")[2].rpartition(" source ")[0] if spec.get("source") else text.partition(" = ")[2]


def make_way(specs: Mapping[str, AlgorithmSpec], store: Store, changed: str) -> None:
    """Where a name stands for another learner in the store, give that one a name with its fingerprint, if so told."""
    if check_choice("what to do about changed learners", changed, CHANGED) == "refuse":
        return
    rows = {row.fingerprint: row.name for row in store.algorithms() if ":" not in row.fingerprint}
    own = {spec.name: mark for mark, spec in specs.items()}
    for mark, name in rows.items():
        if own.get(name, mark) != mark:
            store.rename_algorithm(mark, f"{name} [{mark[:_MARK]}]")
    for name, mark in own.items():  # one that had to make way before, and is back
        if rows.get(mark) == f"{name} [{mark[:_MARK]}]":
            store.rename_algorithm(mark, name)


def check_libraries(specs: Mapping[str, AlgorithmSpec], datasets: Sequence[str], store: Store) -> None:
    """Refuse to run cells beside those of other versions of a library; the third number of a version may differ."""
    ours: dict[str, str] = {}
    for spec in specs.values():
        here = environment(spec.packages)
        ours |= {**here.versions, "python": here.python}
    known = store.environments()
    unlike = {key: found for key, each in known.items() if (found := _unlike(each, ours))}
    if not unlike:
        return
    cells: dict[tuple[str, str], int] = {}
    for dataset, _, key, count in store.run_where():
        for pair in unlike.get(key, ()) if dataset in datasets else ():
            cells[pair] = cells.get(pair, 0) + count
    if not cells:
        return
    told = [f"{name} {text} ({cells[name, text]} cells; here {ours[name]})" for name, text in sorted(cells)]
    back = " ".join(f"'{name}=={text}'" for name, text in sorted(cells) if name != "python")
    raise OptionError(
        f"The store {store.shown} holds results on these data sets that were run with {', '.join(told)}.",
        why="Scores and times of different versions would stand side by side in one order.",
        mend=(f"Go back (pip install {back}), use" if back else "Use")
        + " another store, or run on with --mix-versions (mix_versions=True): comparisons will then say so.",
    )


def _unlike(there: Environment, ours: Mapping[str, str]) -> list[tuple[str, str]]:
    versions = {**there.versions, "python": there.python}
    return [
        (name, text)
        for name, text in versions.items()
        if name != _RECORDED_ONLY and text and ours.get(name) and _minor(text) != _minor(ours[name])
    ]


def _minor(version: str) -> list[str]:
    """The first two numbers: what has the same ones is meant to behave the same."""
    return version.split(".")[:2]
