"""From a request to the arguments of a verb: files by names of our own, options as the parser takes them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tiebreak.datasets.references import suite_names
from tiebreak.readers.published import references
from tiebreak.web.asked import Asked, Source, told_apart
from tiebreak.web.bodies import Body
from tiebreak.web.checking import checked
from tiebreak.web.endings import plain_name
from tiebreak.web.problems import Problem
from tiebreak.web.settings import Settings
from tiebreak.web.uploads import Folder, Received, made
from tiebreak.web.verbs import Verb

UPLOAD = "upload:"
FORMATS = ("json", "text", "markdown", "latex", "page")
FIGURES = ("svg", "tex", "pdf", "png")
BASES = ("shipped", "store")


def asked(verb: Verb, body: Body, folder: Path, kept: Folder, settings: Settings, *, own: frozenset[str]) -> Asked:
    """Check a request and put its files in place; `own` are the fields beside options that this route takes."""
    fields = dict(body.fields)
    taken = own | frozenset(verb.slots) if verb.slots else own
    slots = [slot for slot in ("file", *verb.slots) if slot in taken]
    sources = {slot: _sources(slot, body, fields.pop(slot, None), folder, kept, verb) for slot in slots}
    bases = tuple(_listed("learn_from", fields.get("learn_from"))) if "learn_from" in own else ()
    for name in bases:
        _one_of("learn_from", name, BASES)
    reads = _flag("store", fields.get("store")) if "store" in own else False
    return Asked(
        verb=verb,
        options=checked(verb, fields, own=taken),
        sources=told_apart({slot: held for slot, held in sources.items() if held}),
        store=settings.store if reads or "store" in bases else "",
        form=_one_of("format", fields.get("format", "json"), FORMATS) if "format" in own else "json",
        figure=_one_of("figure", fields["figure"], FIGURES) if fields.get("figure") else "",
        bases=bases,
    )


def _sources(slot: str, body: Body, told: Any, folder: Path, kept: Folder, verb: Verb) -> list[Source]:
    """Return what a field names: files that came with the request, kept uploads, or what the package carries."""
    found = [Source(argument=each.path.name, label=each.label, digest=each.digest) for each in body.files.get(slot, [])]
    for name in _listed(slot, told):
        if name.startswith(UPLOAD):
            found.append(_linked(kept.find(name.removeprefix(UPLOAD)).file, folder))
        elif name in _carried(verb) and slot in ("file", "results"):
            found.append(Source(argument=name, label=name, digest=""))
        else:
            raise Problem(
                422,
                "unknown-source",
                f"{name[:60]!r} is nothing that can be read here.",
                why="Files of the server are not read.",
                mend=f"Upload a file, or use one of {', '.join(_carried(verb))}.",
            )
    return found


def _linked(file: Received, folder: Path) -> Source:
    """Put a kept upload into the folder of a job, under the name that an upload would have."""
    name = plain_name(file.label, lambda each: (folder / each).exists())
    os.link(file.path, made(folder) / name)
    return Source(argument=name, label=file.label, digest=file.digest)


def _carried(verb: Verb) -> tuple[str, ...]:
    """Return what the package carries for a verb: tables of results, or data sets."""
    return tuple(f"builtin:{name}" for name in suite_names()) if verb.name == "recommend" else references()


def _listed(name: str, told: Any) -> list[str]:
    values = told if isinstance(told, list) else [] if told in (None, "") else [told]
    if not all(isinstance(each, str) for each in values) or len(values) > 20:
        raise Problem(422, "option", f"The field {name!r} is no name, and no short list of names.")
    return values


def _flag(name: str, told: Any) -> bool:
    if told in (None, False, True):
        return bool(told)
    if told in ("true", "false", "1", "0", ""):
        return told in ("true", "1")
    raise Problem(422, "option", f"The field {name!r} is neither true nor false.")


def _one_of(name: str, told: Any, known: tuple[str, ...]) -> str:
    if not isinstance(told, str) or told not in known:
        raise Problem(422, "option", f"The field {name!r} is {str(told)[:60]!r}.", mend=f"Use {', '.join(known)}.")
    return told
