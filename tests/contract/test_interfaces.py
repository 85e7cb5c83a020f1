"""The REST API and the tools for assistants answer as the command line does.

Requests reach the application without a socket, and the work of its child processes is done in this process.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the server is built on starlette (tiebreak[web])")

from tiebreak.web.app import make_app
from tiebreak.web.settings import Settings

from .. import event_loop
from ..in_process import TOKEN, InProcess, post
from .cases import differences, pinned, snapshot

ASKED: dict[str, dict[str, Any]] = {
    "compare-control": {"score": "accuracy", "control": "5nn", "posthoc": "holm"},
    "order-worth": {"score": "accuracy", "cost": ["train_time"]},
    "order-multi2test": {"score": "accuracy", "cost": ["train_time"], "rule": "multi2test"},
    "gate-table": {"score": "accuracy", "base": "svr", "candidate": "mlp", "margin": "1%"},
    "multivariate": {"scores": "tpr,fpr"},
    "battles": {"cost": "price"},
    "power-items": {"items": 500, "discordant": 0.2},
    "board": {"score": "accuracy", "cost": ["train_time"], "date": "2026-11-17"},
    "recommend": {"known": "wine", "method": "mean-rank"},
}
"""What is asked of both interfaces, by the snapshot that must come back."""
FILES: dict[str, dict[str, str]] = {
    "multivariate": {"file": "examples/breast_cancer.csv"},
    "battles": {"file": "examples/votes.csv", "prices": "examples/prices.csv"},
    "power-items": {},
    "recommend": {},
}
"""Files to read; the published table of the others needs none."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The application, without children."""
    place = tmp_path_factory.mktemp("app")
    settings = Settings(store=str(place / "results.db"), folder=place / "state", change_token=TOKEN, workers=1, jobs=1)
    made = make_app(settings)
    server = made.state.server
    server.prepare()
    server.pool = server.answers.pool = InProcess()
    yield made
    server.folder.close()


@pytest.mark.parametrize("name", ASKED)
def test_the_api_answers_as_the_command_line(name: str, app: Any, here: Path) -> None:
    held = FILES.get(name, {"file": "published:ulas2012"})
    options = ASKED[name] | {slot: text for slot, text in held.items() if ":" in text}
    files = [
        (slot, Path(text).name, (here / text).read_text("utf-8")) for slot, text in held.items() if ":" not in text
    ]
    status, result = post(app, f"/api/{name.partition('-')[0]}", options, files)
    assert status == 200, result
    assert {"result", "command", "python", "page", "files"} <= set(result)
    wrong = differences(snapshot(name), pinned(name, result["result"]))
    assert not wrong, "\n".join(wrong[:20])


def test_the_api_refuses_an_unknown_option(app: Any, here: Path) -> None:
    status, result = post(app, "/api/compare", {"file": "published:ulas2012", "no_such_option": 1})
    assert (status, result["error"]["code"]) == (422, "unknown-field")


def test_the_api_passes_on_what_is_wrong(app: Any, here: Path) -> None:
    status, result = post(app, "/api/compare", {"file": "published:ulas2012", "score": "accuracy", "posthoc": "tucky"})
    assert (status, result["error"]["code"]) == (422, "option")


@pytest.mark.parametrize("name", ASKED)
def test_a_tool_answers_as_the_command_line(name: str, here: Path) -> None:
    pytest.importorskip("mcp", reason="tools are served with the official library of the protocol (tiebreak[mcp])")
    from mcp import Client

    from tiebreak.web.tools import Roots, make_server

    roots = Roots.of([str(here), str(here / "examples")])  # a link, which leads elsewhere
    held = FILES.get(name, {"file": "published:ulas2012"})
    options = {**ASKED[name], **held}

    async def called() -> Any:
        async with Client(make_server(InProcess(), roots)) as client:  # type: ignore[arg-type]
            return await client.call_tool(name.partition("-")[0], options)

    result = event_loop.run(called())
    assert not result.is_error, result.content
    wrong = differences(snapshot(name), pinned(name, result.structured_content["result"]))
    assert not wrong, "\n".join(wrong[:20])


def test_an_option_of_a_record_is_on_every_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    """To add an option is to add it to a record, beside its use."""
    from tiebreak.cli.completion import bash, fish
    from tiebreak.cli.parsing import parser_of
    from tiebreak.verbs import compare, groups, verb_of
    from tiebreak.web import options
    from tiebreak.web.openapi import description
    from tiebreak.web.pages import fields_of
    from tiebreak.web.tools import schema

    new = groups.CONTROL.but(name="another", flag="--another")
    monkeypatch.setattr(compare, "VERB", replace(compare.VERB, options=(*compare.VERB.options, new)))
    try:
        verb_of.cache_clear()
        options.verb_of.cache_clear()
        assert "--another NAME" in parser_of("compare", shown="all").format_help()
        assert "--another" in bash() and "-l another" in fish()
        body = description()["paths"]["/api/compare"]["post"]["requestBody"]["content"]["application/json"]
        assert "another" in body["schema"]["properties"] and "another" in schema("compare")["properties"]
        assert "another" in {option.key for options in fields_of("compare").values() for option in options}
    finally:
        verb_of.cache_clear()
        options.verb_of.cache_clear()
