"""What a request brings: JSON, or a form with files; and the question in it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
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
            raise bad_request("The upload broke off.") from None
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
        raise bad_request("The body is no JSON that can be read.", mend="Send one JSON object.") from None
    if not isinstance(result, dict):
        raise bad_request("The body is not a JSON object.", mend='Send an object, such as {"score": "accuracy"}.')
    body = Body(fields=result)
    if "text" in result:
        options = result.pop("text")
        texts = options if isinstance(options, list) and 0 < len(options) <= MOST_FILES else [options]
        body.files["file"] = [pasted(text, folder) for text in texts]
    return body


def pasted(text: Any, folder: Path) -> Received:
    """Write a pasted table to a file."""
    if not isinstance(text, str) or not text.strip():
        raise bad_request("The field 'text' holds no table.", mend="Paste the table as one text.")
    data = text.encode("utf-8", errors="replace")
    name = pasted_name(text)
    place = made(folder) / plain_name(name, lambda word: (folder / word).exists())
    place.write_bytes(data)
    return Received(path=place, label=place.name, size=len(data), digest=hashlib.sha256(data).hexdigest())


class _Form(MultiPartParser):
    """Knows whether a form came to its end."""

    ended = False

    def on_end(self) -> None:
        """Note the last mark."""
        self.ended = True


async def _form(request: Request, folder: Path, limits: Limits, *, slots: frozenset[str]) -> Body:
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
        raise bad_request(
            "The form cannot be read, or breaks off.", mend="Send multipart/form-data as browsers do."
        ) from None
    body = Body()
    try:
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                if name not in slots:
                    raise bad_request(f"The field {name[:60]!r} takes no file.", code="unknown-field")
                body.files.setdefault(name, []).append(await asyncio.to_thread(_received, value, folder, limits.upload))
            elif name == "text":
                body.files.setdefault("file", []).append(pasted(value, folder))
            elif len(value) > LONGEST_FIELD:
                raise bad_request(f"The field {name[:60]!r} is longer than {LONGEST_FIELD} letters.")
            else:
                held = body.fields.get(name)
                body.fields[name] = value if held is None else [*(held if isinstance(held, list) else [held]), value]
    finally:
        await form.close()
    return body


def _received(upload: UploadFile, folder: Path, limit: int) -> Received:
    """Put a file of a form into a folder."""
    if (upload.size or 0) > limit:
        raise too_large(limit)
    label = label_of(upload.filename or "")
    path = made(folder) / plain_name(label, lambda name: (folder / name).exists())
    with path.open("wb") as stream:
        shutil.copyfileobj(upload.file, stream)
    upload.file.seek(0)
    digest = hashlib.file_digest(upload.file, "sha256").hexdigest()  # type: ignore[arg-type]
    return Received(path=path, label=label, size=upload.size or 0, digest=digest)


UPLOAD = "upload:"
FORMATS = ("json", "text", "markdown", "latex", "page")
FIGURES = ("svg", "tex", "pdf", "png")
BASES = ("shipped", "store")


def asked(verb: Verb, body: Body, folder: Path, remaining: Folder, settings: Settings, *, own: frozenset[str]) -> Asked:
    """Check a request and put its files in place; `own` are the fields beside options that this route takes."""
    fields = dict(body.fields)
    taken = own | frozenset(verb.slots) if verb.slots else own
    slots = [slot for slot in ("file", *verb.slots) if slot in taken]
    sources = {slot: _sources(slot, body, fields.pop(slot, None), folder, remaining, verb) for slot in slots}
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


def _sources(slot: str, body: Body, options: Any, folder: Path, remaining: Folder, verb: Verb) -> list[Source]:
    """Return what a field names: files that came with the request, kept uploads, or what the package carries."""
    sources = [
        Source(argument=received.path.name, label=received.label, digest=received.digest)
        for received in body.files.get(slot, [])
    ]
    for name in _listed(slot, options):
        if name.startswith(UPLOAD):
            sources.append(_linked(remaining.find(name.removeprefix(UPLOAD)).file, folder))
        elif name in _carried(verb) and slot in ("file", "results"):
            sources.append(Source(argument=name, label=name, digest=""))
        else:
            raise Problem(
                422,
                "unknown-source",
                f"{name[:60]!r} is nothing that can be read here.",
                why="Files of the server are not read.",
                mend=f"Upload a file, or use one of {', '.join(_carried(verb))}.",
            )
    return sources


def _linked(file: Received, folder: Path) -> Source:
    """Put a kept upload into the folder of a job, under the name that an upload would have."""
    name = plain_name(file.label, lambda text: (folder / text).exists())
    os.link(file.path, made(folder) / name)
    return Source(argument=name, label=file.label, digest=file.digest)


def _carried(verb: Verb) -> tuple[str, ...]:
    """Return what the package carries for a verb: tables of results, or data sets."""
    return tuple(f"builtin:{name}" for name in suite_names()) if verb.name == "recommend" else references()


def _listed(name: str, options: Any) -> list[str]:
    values = options if isinstance(options, list) else [] if options in (None, "") else [options]
    if not all(isinstance(value, str) for value in values) or len(values) > 20:
        raise Problem(422, "option", f"The field {name!r} is no name, and no short list of names.")
    return values


def _flag(name: str, options: Any) -> bool:
    if options in (None, False, True):
        return bool(options)
    if options in ("true", "false", "1", "0", ""):
        return options in ("true", "1")
    raise Problem(422, "option", f"The field {name!r} is neither true nor false.")


def _one_of(name: str, options: Any, known: tuple[str, ...]) -> str:
    if not isinstance(options, str) or options not in known:
        raise Problem(422, "option", f"The field {name!r} is {str(options)[:60]!r}.", mend=f"Use {', '.join(known)}.")
    return options
