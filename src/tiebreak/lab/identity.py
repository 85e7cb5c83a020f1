"""What produced a score: whether a learner, or a library, is still the one whose results a store holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tiebreak._checks import check_choice
from tiebreak.errors import OptionError
from tiebreak.lab.environment import environment
from tiebreak.lab.tasks import AlgorithmSpec
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.store import Store
    from tiebreak.store.records import AlgorithmRow, Environment

CHANGED = ("refuse", "rename")
"""What may be done about a learner that has changed under its name."""
_SHOWN = 4
_MARK = 8
_RECORDED_ONLY = "tiebreak"
"""Kept with every cell; but an update of the program that runs cells must not stop a plan."""


def described(spec: AlgorithmSpec) -> dict[str, object]:
    """Return what a store keeps of an algorithm: its text, and where it is local the digests of its modules."""
    from tiebreak.lab.algorithms.specs import spec_text

    told: dict[str, object] = {"text": spec_text(spec)}
    return told | ({"source": spec.code.digest, "files": dict(spec.code.files)} if spec.code.digest else {})


def difference(stored: Mapping[str, object], now: Mapping[str, object]) -> tuple[str, str]:
    """Say what differs between two algorithms of one name, as `described`: settings or source, and how.

    Examples
    --------
    >>> difference({"text": "x = named 1 nb {}"}, described(AlgorithmSpec(name="nb")))
    ('settings', 'named 1 nb {} -> named 1 nb {"smoothing": 1.0}')
    """
    before, after = _bare(stored), _bare(now)
    if before != after or not now.get("source"):
        return "settings", f"{before} -> {after}" if before else ""
    if not stored.get("source"):
        return "source", "it was run before sources were recorded, so that nobody can tell whether they are the same"
    old, new = _files(stored), _files(now)
    names = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    changed = [f"{name} {old.get(name, 'none')} -> {new.get(name, 'none')}" for name in names]
    more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
    return "source", ", ".join(changed[:_SHOWN]) + more


def _files(spec: Mapping[str, object]) -> Mapping[str, str]:
    found = spec.get("files")
    return found if isinstance(found, Mapping) else {}


def _bare(spec: Mapping[str, object]) -> str:
    """Return the text of an algorithm without its name and its source."""
    text = str(spec.get("text", ""))
    return text.partition(" = ")[2].rpartition(" source ")[0] if spec.get("source") else text.partition(" = ")[2]


def versions_of_one(rows: Sequence[AlgorithmRow]) -> list[dict[str, str]]:
    """List the algorithms that stand in a store in several versions, each beside the first, with what differs."""
    found: dict[str, list[AlgorithmRow]] = {}
    for row in rows:
        if ":" not in row.fingerprint:  # the marks of imported results hold a colon
            found.setdefault(row.name.removesuffix(f" [{row.fingerprint[:_MARK]}]"), []).append(row)
    out = []
    for own in found.values():
        last = min(own, key=lambda row: (len(row.name), row.fingerprint))
        for row in own:
            if row is not last:
                what, how = difference(row.spec, last.spec)
                out.append({"algorithm": last.name, "other": row.name, "differs": what, "how": how})
    return out


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
        + f" another store, or run on with {option(mix_versions=True)}: comparisons will then say so.",
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
