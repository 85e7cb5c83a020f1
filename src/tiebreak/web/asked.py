"""What a request asks of a verb, checked: plain data, which needs no server."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tiebreak.verbs import verb_of as record_of
from tiebreak.web.checking import arguments
from tiebreak.web.verbs import Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Something to read: how the child names it, how it is called for people, and what tells its content."""

    argument: str
    label: str
    digest: str

    @property
    def is_file(self) -> bool:
        """Whether it lies in the folder of the job."""
        return ":" not in self.argument


def told_apart(sources: dict[str, list[Source]]) -> dict[str, list[Source]]:
    """Return what to read with labels that differ: two files of one name are called as they lie beside each other.

    Examples
    --------
    >>> held = [Source(argument=name, label="run.csv", digest="") for name in ("run.csv", "run-2.csv")]
    >>> [each.label for each in told_apart({"file": held})["file"]]
    ['run.csv', 'run-2.csv']
    """
    labels = [each.label for held in sources.values() for each in held if each.is_file]
    return {
        slot: [replace(each, label=each.argument) if labels.count(each.label) > 1 else each for each in held]
        for slot, held in sources.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a request asks of a verb, checked: options, what to read by field, and what else to write."""

    verb: Verb
    options: dict[str, Any]
    sources: dict[str, list[Source]] = field(default_factory=dict)
    store: str = ""
    form: str = "json"
    figure: str = ""
    bases: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    def values(self) -> dict[str, Any]:
        """Return the values of the verb, as the child runs it."""
        record = record_of(self.verb.name)
        place = next(each for each in record.options if not each.flag)
        own = [each.argument for each in self.sources.get("file", [])]
        found: dict[str, Any] = dict(self.options)
        if own:
            found[place.key] = own if place.nargs in ("*", "+") else own[0]
        for slot, each in self._slots():
            several = getattr(record.keyed(slot), "kind", "") == "files"
            found[slot] = [*found.get(slot, []), each.argument] if several else each.argument
        found |= {"store": self.store} if self.store else {}
        found |= {"base": ["shipped"]} if "shipped" in self.bases and self.store else {}
        found |= {"figure": f"figure.{self.figure}"} if self.figure else {}
        return found | dict(self.more)

    def argv(self) -> list[str]:
        """Return the arguments of the command line, for what runs in the background."""
        own = [each.argument for each in self.sources.get("file", [])]
        slots = [f"{self.verb.slots[slot]}={each.argument}" for slot, each in self._slots()]
        form = ["--json"] if self.form == "json" else []
        return [*own, *self.places(self.store), *slots, *arguments(self.verb, self.options), *form]

    def places(self, store: str) -> list[str]:
        """Return the options that name the store and the bases; for people the store has another name."""
        found = [f"--store={store}"] if store else []
        return found + (["--base=shipped"] if "shipped" in self.bases and store else [])

    def _slots(self) -> Iterable[tuple[str, Source]]:
        return ((slot, each) for slot, held in self.sources.items() if slot != "file" for each in held)

    def files(self) -> list[str]:
        """Return the names of the files in the folder of the job."""
        return [each.argument for held in self.sources.values() for each in held if each.is_file]

    def key(self) -> tuple[str, ...] | None:
        """Return what tells this request from all others; None where the answer may change with the store."""
        if self.store:
            return None
        marks = [f"{slot}={each.argument}#{each.digest}" for slot, held in self.sources.items() for each in held]
        return (self.verb.name, self.form, json.dumps(self.values(), sort_keys=True), *marks)
