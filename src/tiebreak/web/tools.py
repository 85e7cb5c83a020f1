"""The verbs as tools for assistants, over the Model Context Protocol: a file by its path, options as in the API.

Files are read only under the roots that the server was started with, whatever links lead out of them. Of a path
elsewhere nothing is told, not even whether a file is there.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from tiebreak import __version__
from tiebreak.errors import OptionError
from tiebreak.web.commands import command_of, python_of
from tiebreak.web.messages import Problem
from tiebreak.web.options import OFFERS, Verb, checked, schema_of, verb_of
from tiebreak.web.pool import Job, Pool
from tiebreak.web.requests import Call, Source
from tiebreak.web.settings import Limits

TOOLS = {name: offer.tool for name, offer in OFFERS.items() if offer.tool}
"""Every tool, with what an assistant is told of it."""
_TABLES = (
    "The path of a file: csv, xlsx, json, LaTeX, Markdown or HTML; of a log of an evaluation, or a folder of them; or"
    " published:ulas2012."
)
_INSTRUCTIONS = (
    "Tiebreak compares and orders learning algorithms and language models by significance tests, and recommends"
    " algorithms for new data."
    " Files are named by their paths. When a tool refuses, its text says which option mends it. Report caveats."
)


def tool_verb(name: str) -> Verb:
    """Return a verb with the options that a tool takes: it runs nothing."""
    return verb_of(name, without=OFFERS[name].without)


def schema(name: str) -> dict[str, Any]:
    """Describe what a tool takes.

    Examples
    --------
    >>> result = schema("order")
    >>> result["properties"]["cost"]["type"], result["properties"]["file"]["description"][:20]
    ('array', 'The path of a file: ')
    """
    verb, path = tool_verb(name), {"type": "string"}
    several = {"anyOf": [path, {"type": "array", "items": path, "maxItems": OFFERS[name].most}]}
    file = (path if OFFERS[name].most == 1 else several) | {
        "description": (OFFERS[name].file or "{table}").format(table=_TABLES)
    }
    slots = {
        slot: {"type": "string", "description": f"The path of a file for {flag}."} for slot, flag in verb.slots.items()
    }
    store = {"type": "string", "description": "A store to read, such as results.db."}
    needed = [key for key, option in verb.options.items() if option.required or key in OFFERS[name].needs]
    return {
        "type": "object",
        "properties": {"file": file, "store": store, **slots}
        | {key: schema_of(option) for key, option in verb.options.items()},
        "required": needed,
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Roots:
    """What may be read: folders with all that lies in them, and the addresses of databases.

    Examples
    --------
    >>> roots = Roots(folders=(Path("/srv/data"),), addresses=("postgresql://host/results",))
    >>> roots.allowed("a.xlsx?sheet=May"), roots.allowed("postgresql://host/results?seed=1")
    ('/srv/data/a.xlsx?sheet=May', 'postgresql://host/results?seed=1')
    >>> roots.allowed("../etc/passwd")
    Traceback (most recent call last):
    tiebreak.web.messages.Problem: ../etc/passwd lies outside the folders that this server may read.
    """

    folders: tuple[Path, ...]
    addresses: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Sequence[str]) -> Roots:
        """Read the values of `--root`; the working directory without any, unless that is the whole file system."""
        here = Path.cwd()
        if not given and here == here.parent:
            raise OptionError(
                f"The tools would read every file of this machine: they were started in {here}.",
                mend="Name what they may read: tiebreak mcp --root FOLDER.",
            )
        folders = [Path(item).expanduser().resolve() for item in given if "://" not in item]
        if missing := [folder for folder in folders if not folder.is_dir()]:
            raise OptionError(f"There is no folder {missing[0]}.", mend="Name one with --root FOLDER.")
        addresses = tuple(item for item in given if "://" in item)
        return cls(folders=tuple(folders) if given else (here,), addresses=addresses)

    def allowed(self, name: str) -> str:
        """Return the address of a file or store that may be read; relative paths begin in the first folder."""
        if name.partition("?")[0] in [address.partition("?")[0] for address in self.addresses]:
            return name
        base = self.folders[0] if self.folders else Path.cwd()
        path = base / Path(name).expanduser()
        named = base / Path(name.rpartition("?")[0] or name).expanduser()  # what is opened where settings follow
        if "://" in name or not all(self._holds(item) for item in (path, named)):
            raise Problem(
                403,
                "outside",
                f"{name[:200]} lies outside the folders that this server may read.",
                mend="Use a file in one of them, or start it with tiebreak mcp --root FOLDER.",
            )
        return str(path.resolve())

    def _holds(self, path: Path) -> bool:
        """Whether a path lies under a root; of a folder, also all that links in it lead to."""
        if not any(path.resolve().is_relative_to(root) for root in self.folders):
            return False
        inside = (Path(place, folder) for place, folders, files in os.walk(path) for folder in (*folders, *files))
        return all(self._holds(item.resolve()) for item in inside if item.is_symlink())


def call_of(name: str, arguments: dict[str, Any], roots: Roots) -> Call:
    """Turn the arguments of a tool into the call of a verb."""
    verb, fields, most = tool_verb(name), dict(arguments), OFFERS[name].most
    sources = {
        slot: _sources(slot, fields.pop(slot), most if slot == "file" else 1, roots)
        for slot in ("file", *verb.slots)
        if fields.get(slot)
    }
    store = fields.pop("store", "")
    if not isinstance(store, str):
        raise Problem(422, "option", "The store is no text.", mend="Use a path, such as results.db.")
    options, _ = checked(verb, fields, {})
    return Call(verb=verb, options=options, sources=sources, store=roots.allowed(store) if store else "")


def _sources(slot: str, value: Any, most: int, roots: Roots) -> list[Source]:
    """Return what a field names: a path, or several where the verb takes them."""
    paths = value if isinstance(value, list) and 0 < len(value) <= most else [value]
    if any(not isinstance(path, str) or "\0" in path or "\n" in path for path in paths):
        raise Problem(422, "option", f"The field {slot!r} is no path.", mend="Give the path of a file.")
    return [Source(path if path.startswith(("published:", "builtin:")) else roots.allowed(path)) for path in paths]


async def run_tool(pool: Pool, name: str, arguments: dict[str, Any], roots: Roots) -> dict[str, Any]:
    """Run a tool and return the JSON of the verb with the command and the call that give the same."""
    call = call_of(name, arguments, roots)
    with tempfile.TemporaryDirectory() as place:  # what a verb writes beside its answer nobody asked for
        values = replace(call, writes=OFFERS[name].writing(f"{place}/")).values()
        out = await pool.run(Job(verb=name, values=values, folder=Path.cwd()))
    more = {"command": command_of(call, store=call.store), "python": python_of(call, store=call.store)}
    return {"result": json.loads(out)} | more


def make_server(pool: Pool, roots: Roots | None = None) -> Server[None]:
    """Make the server of tools over a pool of children, which starts with the first call."""
    readable = roots or Roots.of(())

    @asynccontextmanager
    async def living(_: Server[None]) -> AsyncIterator[None]:
        try:
            yield None
        finally:
            await pool.stop()

    return Server(
        "tiebreak",
        version=__version__,
        instructions=_INSTRUCTIONS,
        lifespan=living,
        on_list_tools=_listed,
        on_call_tool=lambda _, options: _called(pool, readable, options),
    )


async def _listed(_: ServerRequestContext[Any], __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    tools = [{"name": name, "description": text, "inputSchema": schema(name)} for name, text in TOOLS.items()]
    result = [tool | {"annotations": {"readOnlyHint": True, "openWorldHint": False}} for tool in tools]
    return types.ListToolsResult.model_validate({"tools": result})


async def _called(pool: Pool, roots: Roots, params: types.CallToolRequestParams) -> types.CallToolResult:
    """Answer a call; what is wrong is said in the text of the answer, where an assistant reads it."""
    try:
        if params.name not in TOOLS:
            raise Problem(404, "not-found", f"There is no tool {params.name[:60]!r}.", mend=f"Use {', '.join(TOOLS)}.")
        result, wrong = await run_tool(pool, params.name, params.arguments or {}, roots), False
    except Problem as problem:
        result, wrong = problem.to_dict(), True
    text = result["error"]["text"] if wrong else json.dumps(result, ensure_ascii=False)
    return types.CallToolResult.model_validate(
        {"content": [{"type": "text", "text": text}], "structuredContent": result, "isError": wrong}
    )


def mcp(root: Sequence[str] = ()) -> None:
    """Serve the verbs as tools for assistants, on standard input and output until they end.

    Parameters
    ----------
    root : sequence of str, optional
        Folders whose files may be read, and addresses of stores; by default the working directory.
    """
    asyncio.run(_serve(Roots.of(root)))


async def _serve(roots: Roots) -> None:
    limits = Limits(seconds=600.0, memory=8_000_000_000)
    server = make_server(Pool(1, limits, lambda *_, **__: None), roots)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def listing(*, as_json: bool = False) -> str:
    """Say which tools there are, for people or with what each takes."""
    if as_json:
        tools = [{"name": name, "description": text, "inputSchema": schema(name)} for name, text in TOOLS.items()]
        return json.dumps({"tools": tools}, ensure_ascii=False, indent=2)
    return "\n".join(f"{name}: {text}" for name, text in TOOLS.items())
