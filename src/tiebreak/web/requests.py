"""What a request brings: JSON, or a form with files; and the call of a verb in it."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import time
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from tiebreak.datasets.references import suite_names
from tiebreak.readers.published import references
from tiebreak.results.text import json_of
from tiebreak.verbs import Option, verb_of as record_of
from tiebreak.web.messages import Problem, too_large
from tiebreak.web.options import FIELDS, OFFERS, Verb, arguments, checked
from tiebreak.web.settings import Limits
from tiebreak.web.uploads import Folder, Received, make, plain_name, received

MOST_FIELDS = 200
MOST_FILES = 20
LONGEST_FIELD = 20_000
"""Letters of a field of a form that is no file; pasted tables are longer, and come as files or JSON."""

SLOWEST = 10_000
"""Bytes a second that an upload may come at for long."""
MOST_PASSED, LONGEST_PASS = 50_000_000, 5.0
"""So many bytes, and so many seconds, of an upload that is too large are let pass before the connection ends."""


@dataclass(slots=True, kw_only=True)
class Body:
    """The fields of a request, each with its value or list of values, and its files by field."""

    fields: dict[str, Any] = field(default_factory=dict)
    files: dict[str, list[Received]] = field(default_factory=dict)


async def read_body(request: Request, folder: Path, limits: Limits, *, slots: Collection[str]) -> Body:
    """Read a body of either kind; files may come in the fields that are `slots`."""
    try:
        return await _read(request, folder, limits, slots=slots)
    except Problem as problem:
        if problem.status == 413 and _announced(request) <= MOST_PASSED:
            await _let_pass(request)
        raise


def _announced(request: Request) -> int:
    """Return how many bytes a request says that it has; 0 where it does not say."""
    length = request.headers.get("content-length", "")
    return int(length[:18]) if length.isascii() and length.isdigit() else 0  # what is cut off was too large anyhow


async def _let_pass(request: Request) -> None:
    """Let the rest of what is refused come in, unkept and within bounds: who is still sending does not read why."""
    passed = 0
    with contextlib.suppress(TimeoutError, ClientDisconnect, RuntimeError):
        async with asyncio.timeout(LONGEST_PASS):
            async for chunk in request.stream():
                passed += len(chunk)
                if passed > MOST_PASSED:
                    return


async def _read(request: Request, folder: Path, limits: Limits, *, slots: Collection[str]) -> Body:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if _announced(request) > limits.upload + LONGEST_FIELD:
        raise too_large(limits.upload)
    if kind == "multipart/form-data":
        return await _form(request, folder, limits, slots=slots)
    if kind not in ("application/json", ""):
        raise Problem(
            415,
            "unsupported-type",
            "A request is JSON or a form with files.",
            mend="Send application/json or multipart/form-data.",
        )
    return await _json(request, folder, limits)


async def _chunks(request: Request, limits: Limits) -> AsyncGenerator[bytes, None]:
    """Give what comes, until it is too much or comes too slowly: a byte now and then does not keep a connection."""
    total, stream, began = 0, request.stream().__aiter__(), time.monotonic()
    while True:
        try:
            left = limits.idle_seconds + total / SLOWEST - (time.monotonic() - began)
            chunk = await asyncio.wait_for(anext(stream), min(limits.idle_seconds, left))
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise Problem(408, "too-slow", "The upload stopped, or is too slow.", mend="Send it again.") from None
        except ClientDisconnect:
            raise _bad("The upload broke off.") from None
        total += len(chunk)
        if total > limits.upload + LONGEST_FIELD:
            raise too_large(limits.upload)
        yield chunk


async def _json(request: Request, folder: Path, limits: Limits) -> Body:
    """Read JSON; a pasted table in it becomes a file, as if it had been uploaded."""
    whole = b"".join([chunk async for chunk in _chunks(request, limits)])
    try:
        result = json_of(whole.decode("utf-8")) if whole.strip() else {}
    except (ValueError, RecursionError):
        raise _bad("The body is no JSON that can be read.", mend="Send one JSON object.") from None
    if not isinstance(result, dict):
        raise _bad("The body is not a JSON object.", mend='Send an object, such as {"score": "accuracy"}.')
    body = Body(fields=result)
    if "text" in result:
        options = result.pop("text")
        texts = options if isinstance(options, list) and 0 < len(options) <= MOST_FILES else [options]
        body.files["file"] = [_pasted(text, folder) for text in texts]
    return body


def _pasted(text: Any, folder: Path) -> Received:
    """Write a pasted table to a file."""
    if not isinstance(text, str) or not text.strip():
        raise _bad("The field 'text' holds no table.", mend="Paste the table as one text.")
    data = text.encode("utf-8", errors="replace")
    first = text.lstrip("\ufeff \r\n").partition("\n")[0]
    ending = "json" if first[0] in "[{" else "csv" if any(mark in first for mark in ",;\t") else "txt"
    return received(io.BytesIO(data), f"pasted.{ending}", folder)


class _Form(MultiPartParser):
    """Knows whether a form came to its end."""

    ended = False

    def on_end(self) -> None:
        """Note the last mark."""
        self.ended = True


async def _form(request: Request, folder: Path, limits: Limits, *, slots: Collection[str]) -> Body:
    """Read a form; its files lie in temporary ones until all of it is here."""

    async def whole() -> AsyncGenerator[bytes, None]:
        async for chunk in _chunks(request, limits):
            yield chunk
        if not parser.ended:
            raise MultiPartException("The form breaks off.")

    parser = _Form(
        request.headers,
        whole(),
        max_files=MOST_FILES,
        max_fields=MOST_FIELDS,
        max_part_size=limits.upload,
    )
    try:
        form = await parser.parse()
    except MultiPartException:
        raise _bad("The form cannot be read, or breaks off.", mend="Send multipart/form-data as browsers do.") from None
    body, fields = Body(), dict[str, list[str]]()
    try:
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                if name not in slots:
                    raise _bad(f"The field {name[:60]!r} takes no file.", code="unknown-field")
                file = await asyncio.to_thread(received, value.file, value.filename or "", folder)
                body.files.setdefault(name, []).append(file)
            elif name == "text":
                body.files.setdefault("file", []).append(_pasted(value, folder))
            elif len(value) > LONGEST_FIELD:
                raise _bad(f"The field {name[:60]!r} is longer than {LONGEST_FIELD} letters.")
            else:
                fields.setdefault(name, []).append(value)
    finally:
        await form.close()
    body.fields = {name: values[0] if len(values) == 1 else values for name, values in fields.items()}
    return body


def _bad(what: str, *, mend: str = "", code: str = "bad-request") -> Problem:
    return Problem(400, code, what, mend=mend)


# ---- the call of a verb


class Source(NamedTuple):
    """Something to read: a file in the folder of the job, told from others by the digest of its content, or a name."""

    name: str
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A checked call of a verb: its options, what to read by field, and what to write besides."""

    verb: Verb
    options: Mapping[str, Any]
    sources: Mapping[str, list[Source]] = field(default_factory=dict)
    store: str = ""
    form: str = "json"
    learn_from: tuple[str, ...] = ()
    writes: Mapping[str, str] = field(default_factory=dict)
    long: bool = False

    def values(self) -> dict[str, Any]:
        """Return the values of the verb, as a child runs it."""
        record = record_of(self.verb.name)
        place = next(option for option in record.options if not option.flag)
        names = [source.name for source in self.sources.get("file", [])]
        options: dict[str, Any] = dict(self.options)
        if names:
            options[place.key] = names if place.nargs in ("*", "+") else names[0]
        for slot, source in self._slots():
            several = getattr(record.keyed(slot), "kind", "") == "files"
            options[slot] = [*options.get(slot, []), source.name] if several else source.name
        options |= {"store": self.store} if self.store else {}
        options |= {"base": ["shipped"]} if "shipped" in self.learn_from and self.store else {}
        return options | ({"long": True} if self.long else {}) | dict(self.writes)

    def argv(self) -> list[str]:
        """Return the arguments of the command line, for what runs in the background."""
        names = [source.name for source in self.sources.get("file", [])]
        slots = [f"{self.verb.slots[slot]}={source.name}" for slot, source in self._slots()]
        return [*names, *slots, *arguments(self.verb, self.options), "--json"]

    def _slots(self) -> Iterable[tuple[str, Source]]:
        return ((slot, source) for slot, held in self.sources.items() if slot != "file" for source in held)

    @property
    def has_files(self) -> bool:
        """Whether it reads files in the folder of the job."""
        return any(source.digest for held in self.sources.values() for source in held)

    def key(self) -> tuple[str, ...] | None:
        """Return what tells this call from all others; None where the answer may change with the store."""
        if self.store:
            return None
        marks = [f"{slot}={source.name}#{source.digest}" for slot, held in self.sources.items() for source in held]
        return (self.verb.name, self.form, json.dumps(self.values(), sort_keys=True), *marks)


def call_of(
    verb: Verb, body: Body, folder: Path, uploads: Folder, store: str, *, fields: Collection[str], anything: bool = True
) -> Call:
    """Check a request and put its files in place.

    `fields` are those beside options that the route takes, "file" among them; with `anything` something to read is
    required, as the record of the verb says.
    """
    taken = [slot for slot in ("file", *verb.slots) if slot != "file" or "file" in fields]
    rest = {name: value for name, value in body.fields.items() if name not in taken}
    named = {slot: _listed(body.fields.get(slot), slot) for slot in taken}
    sources = {slot: _sources(slot, body, named[slot], folder, uploads, verb) for slot in taken}
    known: dict[str, Option] = {name: FIELDS[name] for name in fields if name in FIELDS}
    options, others = checked(verb, rest, known)
    learn_from = tuple(others.get("learn_from", ()))
    call = Call(
        verb=verb,
        options=options,
        sources={slot: held for slot, held in sources.items() if held},
        store=store if others.get("store") or "store" in learn_from else "",
        form=others.get("format", "json"),
        learn_from=learn_from,
        writes=_writes(verb, others),
        long="clean" in others and "long" in others,
    )
    if anything:
        _check_source(call)
    return call


def _writes(verb: Verb, fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the files that a verb is to write, by the option that names each."""
    writes = dict(OFFERS[verb.name].writes) if verb.name in OFFERS else {}
    writes |= {"figure": f"figure.{fields['figure']}"} if "figure" in fields else {}
    writes |= {"page": "page.html"} if "page" in fields else {}
    return writes | ({"out": f"clean.{fields['clean']}"} if "clean" in fields else {})


def _check_source(call: Call) -> None:
    """Refuse a request that brings nothing to read, in the words of a page rather than of the command line."""
    files, offer = call.sources.get("file", []), OFFERS[call.verb.name]
    if not files and not call.store and not set(offer.unless) & set(call.options):
        instead = f"; or say {' or '.join(offer.unless)}" if offer.unless else ""
        raise Problem(
            422,
            "no-source",
            f"The request brings no {offer.brings}.",
            mend=f"Send a file in the field 'file', a pasted table in 'text', or name one in 'file'{instead}.",
        )
    if len(files) > offer.most:
        most = "one file" if offer.most == 1 else f"{offer.most} files at most"
        raise Problem(422, "option", f"{call.verb.name} takes {most}.", mend="Send fewer.")


def _sources(slot: str, body: Body, names: list[str], folder: Path, uploads: Folder, verb: Verb) -> list[Source]:
    """Return what a field names: files that came with the request, kept uploads, or what the package carries."""
    files = body.files.get(slot, [])
    if files and names:
        raise Problem(
            422,
            "option",
            f"The field {slot!r} holds files, and names of others.",
            why="Their order may mean something, as with the two sides of a gate, and nothing says which comes first.",
            mend="Send all as files, all in 'text', or keep all as uploads and name them.",
        )
    carried = tuple(f"builtin:{name}" for name in suite_names()) if verb.name == "recommend" else references()
    sources = [Source(file.path.name, file.digest) for file in files]
    for name in names:
        if name.startswith("upload:"):
            sources.append(_linked(uploads.find(name.removeprefix("upload:")).file, folder))
        elif name in carried and slot in ("file", "results"):
            sources.append(Source(name))
        else:
            raise Problem(
                422,
                "unknown-source",
                f"{name[:60]!r} is nothing that can be read here.",
                why="Files of the server are not read.",
                mend=f"Upload a file, or use one of {', '.join(carried)}.",
            )
    return sources


def _linked(file: Received, folder: Path) -> Source:
    """Put a kept upload into the folder of a job, under the name that it came with."""
    name = plain_name(file.name, lambda text: (folder / text).exists())
    os.link(file.path, make(folder) / name)
    return Source(name, file.digest)


def _listed(value: Any, name: str = "") -> list[str]:
    """Return one name or several as a list."""
    values = value if isinstance(value, list) else [] if value in (None, "") else [value]
    if not all(isinstance(item, str) for item in values) or len(values) > MOST_FILES:
        raise Problem(422, "option", f"The field {name!r} is no name, and no short list of names.")
    return values
