"""Answers without a server: from the bytes of a table and options to the JSON, the text and the report page.

This is what the static pages run in a browser, through Pyodide. It imports numpy, scipy and the standard library alone,
starts no thread and no process, and reads nothing but what it is given.
"""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from tiebreak.errors import TiebreakError
from tiebreak.readers.published import references
from tiebreak.web.calls import command_of, python_of
from tiebreak.web.files import PASTED, as_field, make_harmless, pasted_name, plain_name
from tiebreak.web.problems import Problem
from tiebreak.web.questions import OFFERS, Asked, Source, checked, problem_of, told_apart, verb_of
from tiebreak.web.view import run_verb

VERBS = tuple(name for name, offer in OFFERS.items() if offer.alone)
_FILES = ("figure.svg", "figure.tex", "clean.csv", "gate.md", "gate.xml")
_OWN = frozenset({"file", "format", "figure", "page", "clean"})


def answer(verb: str, options: Mapping[str, Any], files: Mapping[str, tuple[str, bytes]]) -> dict[str, Any]:
    """Answer a question of the comparison page.

    Parameters
    ----------
    verb : str
        One of VERBS.
    options : mapping
        What the API takes: options, and in `file`, `costs`, `prices` and `groups` names of files.
    files : mapping
        What those names stand for: the name that people know, and the bytes.

    Returns
    -------
    dict
        As the API: result, command, python, page (here the page itself) and files; or error.

    Examples
    --------
    >>> answer("compare", {"file": "a"}, {})["error"]["what"]
    'This page no longer has that file.'
    >>> answer("compare", {"file": "published:demsar2006"}, {})["command"]
    'tiebreak compare published:demsar2006'
    """
    if verb not in VERBS:
        return {"error": Problem(404, "not-found", f"There is no verb {verb!r} here.").to_dict()["error"]}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        try:
            os.chdir(folder)
            return _answered(_asked(verb, options, files), options)
        except Problem as problem:
            return problem.to_dict()
        except TiebreakError as error:
            return problem_of(error, verb_of(verb)).to_dict()
        except ModuleNotFoundError as error:
            text = f"{error.name} is needed for this, and is not in the browser."
            return Problem(422, "not-installed", text, mend="Use csv, or the program itself.").to_dict()
        finally:
            os.chdir(before)


def answer_json(verb: str, text: str, files: Mapping[str, tuple[str, bytes]]) -> str:
    """Do the same with JSON in and out, for scripts."""
    return json.dumps(answer(verb, json.loads(text), files))


def _asked(name: str, settings: Mapping[str, Any], files: Mapping[str, tuple[str, bytes]]) -> Asked:
    """Write the files into the folder, and check the options."""
    verb, sources = verb_of(name), {}
    for slot in ("file", *verb.slots):
        names = settings.get(slot) or []
        held = [_source(key, files) for key in ([names] if isinstance(names, str) else names)]
        if held:
            sources[slot] = held
    if "file" not in sources and not set(OFFERS[name].unless) & set(settings):
        raise Problem(422, "no-source", f"There is no {OFFERS[name].brings} yet.", mend="Choose a file.")
    options = checked(verb, dict(settings), own=_OWN | frozenset(verb.slots))
    return Asked(
        verb=verb,
        options=options,
        sources=told_apart(sources),
        form=str(settings.get("format", "json")),
        figure=str(settings.get("figure") or ""),
        more=_written(name, settings),
    )


def _source(key: str, files: Mapping[str, tuple[str, bytes]]) -> Source:
    if key in references():
        return Source(argument=key, label=key, digest="")
    if key not in files:
        raise Problem(404, "not-found", "This page no longer has that file.", mend="Choose it again.")
    label, data = files[key]
    if label == PASTED:
        label = pasted_name(data.decode("utf-8", errors="replace"))
    name = plain_name(label, lambda text: Path(text).exists())
    Path(name).write_bytes(data)
    return Source(argument=name, label=label, digest="")


def _written(verb: str, options: Mapping[str, Any]) -> dict[str, str]:
    return OFFERS[verb].writing() | ({"page": "page.html"} if options.get("page") else {})


def _answered(options: Asked, settings: Mapping[str, Any]) -> dict[str, Any]:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        out = run_verb(options.verb.name, options.values(), options.form)
    result: Any = json.loads(out) if options.form in ("json", "page") else f"{out}\n"
    if settings.get("clean") == "csv":
        _clean(result["rows"])
    pages = [name for name in ("report.html", "page.html", "site/index.html") if Path(name).exists()]
    return {
        "result": result,
        "command": command_of(options),
        "python": python_of(options),
        "page": Path(pages[0]).read_text(encoding="utf-8") if pages else None,
        "files": [
            as_field(path.name, path.read_bytes()) for path in sorted(Path.cwd().iterdir()) if path.name in _FILES
        ],
    }


def _clean(rows: list[dict[str, Any]]) -> None:
    """Write the table as it was understood; the program itself writes it by polars, which is not here."""
    place = Path("clean.csv")
    with place.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]) if rows else ["dataset"])
        writer.writeheader()
        writer.writerows(rows)
    make_harmless(place)
