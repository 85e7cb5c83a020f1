"""What a request brings: JSON, or a form with files that are written while they come; and the question in it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from tiebreak.datasets.references import suite_names
from tiebreak.readers.published import references
from tiebreak.results.text import json_of
from tiebreak.web.files import pasted_name, plain_name
from tiebreak.web.problems import Problem, bad_request, too_large
from tiebreak.web.questions import Asked, Source, Verb, checked, told_apart
from tiebreak.web.settings import Limits, Settings
from tiebreak.web.uploads import Folder, Received, label_of, made

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


async def read_body(request: Request, folder: Path, limits: Limits, *, slots: frozenset[str]) -> Body:
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


async def _read(request: Request, folder: Path, limits: Limits, *, slots: frozenset[str]) -> Body:
    kind, told = parse_options_header(request.headers.get("content-type", ""))
    if _announced(request) > limits.upload + LONGEST_FIELD:
        raise too_large(limits.upload)
    if kind == b"multipart/form-data":
        return await _form(request, folder, limits, boundary=told.get(b"boundary", b""), slots=slots)
    if kind not in (b"application/json", b""):
        raise Problem(
            415,
            "unsupported-type",
            "A request is JSON or a form with files.",
            mend="Send application/json or multipart/form-data.",
        )
    return await _json(request, folder, limits)


async def _chunks(request: Request, limits: Limits) -> AsyncIterator[bytes]:
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
            raise bad_request("The upload broke off.") from None
        total += len(chunk)
        if total > limits.upload + LONGEST_FIELD:
            raise too_large(limits.upload)
        yield chunk


async def _json(request: Request, folder: Path, limits: Limits) -> Body:
    """Read JSON; a pasted table in it becomes a file, as if it had been uploaded."""
    whole = b"".join([chunk async for chunk in _chunks(request, limits)])
    try:
        found = json_of(whole.decode("utf-8")) if whole.strip() else {}
    except (ValueError, RecursionError):
        raise bad_request("The body is no JSON that can be read.", mend="Send one JSON object.") from None
    if not isinstance(found, dict):
        raise bad_request("The body is not a JSON object.", mend='Send an object, such as {"score": "accuracy"}.')
    body = Body(fields=found)
    if "text" in found:
        told = found.pop("text")
        texts = told if isinstance(told, list) and 0 < len(told) <= MOST_FILES else [told]
        body.files["file"] = [pasted(each, folder) for each in texts]
    return body


def pasted(text: Any, folder: Path) -> Received:
    """Write a pasted table to a file."""
    if not isinstance(text, str) or not text.strip():
        raise bad_request("The field 'text' holds no table.", mend="Paste the table as one text.")
    data = text.encode("utf-8", errors="replace")
    name = pasted_name(text)
    place = made(folder) / plain_name(name, lambda each: (folder / each).exists())
    place.write_bytes(data)
    return Received(path=place, label=place.name, size=len(data), digest=hashlib.sha256(data).hexdigest())


async def _form(request: Request, folder: Path, limits: Limits, *, boundary: bytes, slots: frozenset[str]) -> Body:
    """Read a form part by part; no part is ever held in memory whole unless it is a short field."""
    if not boundary:
        raise bad_request("The form has no boundary.", mend="Send multipart/form-data as browsers do.")
    form = _Form(folder, limits, slots)
    try:
        parser = MultipartParser(boundary, form.callbacks())  # type: ignore[arg-type]
        async for chunk in _chunks(request, limits):
            parser.write(chunk)
        parser.finalize()
    except (MultipartParseError, UnicodeDecodeError):
        raise bad_request("The form cannot be read.", mend="Send multipart/form-data as browsers do.") from None
    finally:
        form.close()
    if not form.ended:
        raise bad_request("The form breaks off.", mend="Send it again.")
    return form.body


class _Form:
    """Takes what the parser finds: the heads of parts, and their bytes to a file or to a short field."""

    def __init__(self, folder: Path, limits: Limits, slots: frozenset[str]) -> None:
        self.folder, self.limits, self.slots = folder, limits, slots
        self.body, self.ended = Body(), False
        self._head: dict[str, bytes] = {}
        self._name, self._value = b"", b""
        self._open: _Writing | None = None
        self._field, self._text = "", bytearray()
        self._parts = 0

    def callbacks(self) -> dict[str, Any]:
        """Return what the parser calls."""
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._header_name,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers,
            "on_part_data": self._data,
            "on_part_end": self._end,
            "on_end": self._all,
        }

    def close(self) -> None:
        """Close the file of a part that broke off."""
        if self._open is not None:
            self._open.stream.close()

    def _begin(self) -> None:
        self._head, self._name, self._value = {}, b"", b""
        self._parts += 1
        if self._parts > MOST_FIELDS:
            raise bad_request(f"The form has more than {MOST_FIELDS} parts.")

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        self._head[self._name.decode("latin-1").lower()] = self._value
        self._name = self._value = b""

    def _headers(self) -> None:
        _, told = parse_options_header(self._head.get("content-disposition", b""))
        self._field = told.get(b"name", b"").decode("utf-8", errors="replace")
        self._text = bytearray()
        name = told.get(b"filename")
        if name is None:
            return
        if self._field not in self.slots:
            raise bad_request(f"The field {self._field[:60]!r} takes no file.", code="unknown-field")
        if sum(map(len, self.body.files.values())) >= MOST_FILES:
            raise bad_request(f"The form has more than {MOST_FILES} files.")
        self._open = _Writing(self.folder, name.decode("utf-8", errors="replace"))

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._open is not None:
            self._open.write(data[start:end], self.limits.upload)
            return
        self._text += data[start:end]
        if len(self._text) > LONGEST_FIELD and self._field != "text":
            raise bad_request(f"The field {self._field[:60]!r} is longer than {LONGEST_FIELD} letters.")

    def _end(self) -> None:
        if self._open is not None:
            self.body.files.setdefault(self._field, []).append(self._open.done())
            self._open = None
            return
        text = self._text.decode("utf-8", errors="replace")
        if self._field == "text":
            self.body.files.setdefault("file", []).append(pasted(text, self.folder))
            return
        held = self.body.fields.get(self._field)
        if held is None:
            self.body.fields[self._field] = text
        else:
            self.body.fields[self._field] = [*(held if isinstance(held, list) else [held]), text]

    def _all(self) -> None:
        self.ended = True


class _Writing:
    """A file that is being written, with what is known of it so far."""

    def __init__(self, folder: Path, name: str) -> None:
        self.label = label_of(name)
        self.path = made(folder) / plain_name(self.label, lambda each: (folder / each).exists())
        self.stream: IO[bytes] = self.path.open("wb")
        self._size, self._digest = 0, hashlib.sha256()

    def write(self, data: bytes, limit: int) -> None:
        """Write a piece; stop before the file is larger than it may be."""
        self._size += len(data)
        if self._size > limit:
            raise too_large(limit)
        self._digest.update(data)
        self.stream.write(data)

    def done(self) -> Received:
        """Close it and say what came."""
        self.stream.close()
        return Received(path=self.path, label=self.label, size=self._size, digest=self._digest.hexdigest())


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
