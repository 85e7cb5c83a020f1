"""Tools for assistants, called with the official client of the protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="tools are served with the official library of the protocol (tiebreak[mcp])")

from mcp import Client

from tiebreak.cli import main
from tiebreak.errors import OptionError
from tiebreak.web.tools import TOOLS, Roots, listing, make_server, schema

from .. import event_loop
from ..in_process import InProcess

ROOT = Roots(folders=(Path("/"),))


def called(name: str, options: dict[str, Any], roots: Roots = ROOT) -> Any:
    async def one() -> Any:
        async with Client(make_server(InProcess(), roots)) as client:  # type: ignore[arg-type]
            return await client.call_tool(name, options)

    return event_loop.run(one())


def test_an_assistant_is_told_what_there_is() -> None:
    async def listed() -> Any:
        async with Client(make_server(InProcess())) as client:  # type: ignore[arg-type]
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in event_loop.run(listed())}
    names = "read compare order multivariate power battles gate recommend board"
    assert list(tools) == list(TOOLS) == names.split()
    properties = tools["order"].input_schema["properties"]
    assert {"file", "cost", "trade", "rule", "costs", "store"} <= set(properties)
    assert not {"out", "figure", "json"} & set(properties) and all(item["description"] for item in properties.values())


def test_a_tool_answers_as_the_command_line(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(examples / "demsar2006.csv")
    result = called("compare", {"file": file, "score": "auc"})
    assert not result.is_error and json.loads(result.content[0].text) == result.structured_content
    assert main(["compare", file, "--score", "auc", "--json"]) == 0
    assert result.structured_content["result"] == json.loads(capsys.readouterr().out)
    assert result.structured_content["command"] == f"tiebreak compare {file} --score auc"


def test_votes_items_and_logs_are_read_by_their_paths(examples: Path, tmp_path: Path) -> None:
    fought = called("battles", {"file": str(examples / "votes.csv"), "prices": str(examples / "prices.csv")})
    assert fought.structured_content["result"]["order"][0] == "aster"
    options = {
        "file": str(examples / "items.csv"),
        "cluster": "document",
        "column": ["epoch=answer"],
        "score": "accuracy",
    }
    ordered = called("order", options | {"cost": ["price"]}).structured_content["result"]
    assert ordered["order"][0] == "large" and ordered["headline"].startswith("Use large: 84.2 accuracy")
    assert ordered["other_rules"] == {"multitest": "medium"}
    paths = []
    for place, model in enumerate(("small", "large")):
        samples = [{"id": f"q{k}", "epoch": 1, "input": "x", "target": "y",
                    "scores": {"match": {"value": "C" if k % 3 < 1 + place else "I"}}} for k in range(30)]  # fmt: skip
        spec = {"task": "sums", "model": model, "created": "2026-01-01"}
        paths.append(tmp_path / f"{model}.json")
        paths[-1].write_text(json.dumps({"version": 2, "status": "success", "eval": spec, "samples": samples}))
    result = called("compare", {"file": [str(path) for path in paths]}).structured_content["result"]
    folder = called("compare", {"file": str(tmp_path)}).structured_content["result"]
    assert result["pairs"] == folder["pairs"] and result["pairs"][0]["better"] == "large"


def test_a_gate_and_a_board_write_nothing(
    examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sides = [str(examples / f"gate_{side}.csv") for side in ("base", "candidate")]
    for options, verdict in (({"margin": 0.02, "cost": "price"}, "pass"), ({"margin": "0.01"}, "undecided")):
        result = called("gate", {"file": sides, **options})
        assert not result.is_error and result.structured_content["result"]["verdict"] == verdict
    turned = called("gate", {"file": sides[::-1], "margin": 0.02}).structured_content
    assert (
        turned["result"]["base"] == "v1.5" and turned["command"] == f"tiebreak gate {sides[1]} {sides[0]} --margin 0.02"
    )
    options = {"file": "published:ulas2012", "score": "accuracy", "cost": ["train_time"]}
    board = called("board", options).structured_content
    assert board["result"]["tiers"][0] == ["svr", "svl"] and not list(tmp_path.iterdir())
    assert main(["board", "published:ulas2012", "--score", "accuracy", "--cost", "train_time", "--json"]) == 0
    assert board["result"] == json.loads(capsys.readouterr().out)
    since = called(
        "board", options | {"since": str(tmp_path / "site" / "board.json"), "datasets": "iris,zoo,wine,cmc,pima"}
    )
    assert since.structured_content["result"]["changes"]["since"] == board["result"]["id"]


def test_tools_take_what_the_package_carries() -> None:
    order = called("order", {"file": "published:ulas2012", "score": "accuracy", "cost": ["train_time"]})
    assert order.structured_content["result"]["order"][0] == "svr"
    plan = called("power", {"items": 500, "discordant": 0.2})
    assert plan.structured_content["result"]["text"].startswith("500 items show a difference of 0.0574")
    advice = called("recommend", {"known": "wine"})
    assert advice.structured_content["result"]["ranking"]


@pytest.mark.parametrize(
    ("name", "told", "text"),
    [
        ("compare", {"file": "missing.csv"}, "missing.csv cannot be read: there is no such file."),
        ("order", {"file": "published:ulas2012", "score": "accuracy"}, "The table holds 2 costs"),
        ("compare", {"file": "published:ulas2012", "nonsense": 1}, "There is no option 'nonsense' of compare."),
        ("compare", {"file": 3}, "The field 'file' is no path."),
        ("delete", {}, "There is no tool 'delete'."),
        ("gate", {"file": "published:ulas2012", "score": "accuracy"}, "No margin was given."),
        ("gate", {"file": ["a.csv", "b.csv", "c.csv"], "margin": 1}, "The field 'file' is no path."),
        ("board", {"file": "published:ulas2012", "out": "/tmp/x"}, "There is no option 'out' of board."),
    ],
)
def test_a_refusal_is_said_where_an_assistant_reads_it(name: str, told: dict[str, Any], text: str) -> None:
    result = called(name, told)
    assert result.is_error and text in result.content[0].text


def test_the_tools_can_be_listed_without_an_assistant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--list"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("compare: Say which learning algorithms differ")
    assert json.loads(listing(as_json=True))["tools"][0]["inputSchema"] == json.loads(json.dumps(schema("read")))


def test_nothing_is_read_outside_the_roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By no path, link, setting, slot or store; and a refusal is the same whether the file is there or not."""
    (tmp_path / "open").mkdir()
    table = "dataset,a,b\n" + "".join(f"d{k},0.{k + 1},0.{k}\n" for k in range(1, 8))
    for place in ("open/mine.csv", "secret.csv"):
        (tmp_path / place).write_text(table)
    (tmp_path / "open" / "link.csv").symlink_to(tmp_path / "secret.csv")
    (tmp_path / "open" / "all").mkdir()
    (tmp_path / "open" / "all" / "out").symlink_to(tmp_path)
    roots = Roots.of([str(tmp_path / "open"), "postgresql://host/mine"])
    assert not called("compare", {"file": "mine.csv", "score": "auc"}, roots).is_error
    assert not called("compare", {"file": str(tmp_path / "open" / "mine.csv"), "score": "auc"}, roots).is_error
    secret = str(tmp_path / "secret.csv")
    missing = called("read", {"file": str(tmp_path / "missing.csv")}, roots).content[0].text
    for options in (
        *(
            {"file": item}
            for item in (secret, "../secret.csv", "link.csv", "link.csv?plain", "all", "file://" + secret)
        ),
        {"file": "mine.csv?/../../secret.csv"},
        {"file": ["mine.csv", secret]},
        {"file": "mine.csv", "costs": secret, "cost": ["c"]},
        *({"store": item} for item in (f"{tmp_path}/r.db", f"sqlite:///{tmp_path}/r.db", "postgresql://host/others")),
    ):
        result = called("order", options, roots)
        assert result.is_error and result.structured_content["error"]["code"] == "outside", options
        assert "0.1" not in result.content[0].text
    assert called("read", {"file": secret}, roots).content[0].text == missing.replace("missing", "secret")
    with pytest.raises(OptionError, match="There is no folder"):
        Roots.of([str(tmp_path / "nowhere")])
    monkeypatch.chdir("/")
    with pytest.raises(OptionError, match="every file of this machine"):
        Roots.of([])
