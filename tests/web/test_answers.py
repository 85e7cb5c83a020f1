"""The API says what the command line says, and the command and the call that it shows say it too."""

from __future__ import annotations

import io
import json
import shlex
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import tiebreak
from tiebreak.cli import main
from tiebreak.errors import OptionError
from tiebreak.verbs import verb_of as record_of
from tiebreak.web.messages import Problem, problem_of
from tiebreak.web.options import OFFERS, value_of, verb_of, written
from tiebreak.wording import any_of, on_the_command_line, option

from .conftest import Web
from .hostile import WIDE

ITEMS = "model,item,try,accuracy,price\n" + "".join(
    f"{model},q{item},{epoch},{int((item * 7 + place * 5 + epoch) % 10 < 5 + place)},{place + 1}\n"
    for place, model in enumerate(("small", "large"))
    for item in range(30)
    for epoch in (1, 2)
)
VOTES = "model_a,model_b,winner,price_a,price_b\n" + "".join(
    f"{a},{b},{('model_a', 'tie', 'model_b')[(vote + ord(a)) % 3]},{ord(a)},{ord(b)}\n"
    for vote in range(12)
    for a, b in (("x", "y"), ("y", "z"), ("z", "x"))
)
PILOTED = {"--pilot", "--variant", "--code"}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "compare": ("compare", {"file": "published:demsar2006", "score": "auc"}),
    "options": ("compare", {"file": "published:ulas2012", "score": "accuracy", "posthoc": "nemenyi", "alpha": 0.1,
                            "algorithms": "5nn,c45,svl"}),
    "control": ("compare", {"file": "published:ulas2012", "score": "accuracy", "control": "5nn",
                            "where": ["dataset != cmc"]}),
    "order": ("order", {"file": "published:ulas2012", "score": "accuracy", "cost": ["train_time", "space"],
                        "trade": "1%", "datasets": "iris,wine,zoo,glass,ecoli,cmc"}),
    "prior": ("order", {"file": "published:demsar2006", "score": "auc", "prior": "C4.5,C4.5+m,C4.5+cf,C4.5+m+cf"}),
    "text": ("compare", {"text": WIDE, "lower_is_better": True, "missing": "drop-datasets"}),
    "read": ("read", {"text": WIDE.replace("dataset", ""), "score": "auc"}),
    "items": ("order", {"text": ITEMS, "column": ["epoch=try"], "cost": ["price"], "score": "accuracy"}),
    "battles": ("battles", {"text": VOTES, "ties": "half", "cost": "price", "cluster": "none"}),
    "power": ("power", {"text": ITEMS, "column": ["epoch=try"], "score": "accuracy", "difference": 0.1}),
    "numbers": ("power", {"items": 500, "discordant": 0.2}),
    "gate": ("gate", {"text": ITEMS, "column": ["epoch=try"], "score": "accuracy", "base": "large",
                      "candidate": "small", "margin": 0.1, "cost": "price", "max_cost_ratio": 3}),
    "board": ("board", {"text": ITEMS, "column": ["epoch=try"], "score": "accuracy", "cost": ["price"],
                        "title": "Ours"}),
    "recommend": ("recommend", {"known": "wine", "neighbours": "5", "accd": 0.01}),
}  # fmt: skip


def said(*argv: str) -> Any:
    out = io.StringIO()
    with redirect_stdout(out):
        code = main(list(argv))
    data = json.loads(out.getvalue())
    assert code == (data["exit_code"] if argv[0] == "gate" else 0)
    return data


@pytest.mark.parametrize("case", CASES)
def test_the_answer_is_that_of_the_command_that_it_shows(
    server: Web, case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verb, options = CASES[case]
    reply = server.post(f"/api/{verb}", options)
    assert reply.status == 200, reply.data
    monkeypatch.chdir(tmp_path)
    Path("pasted.csv").write_text(options.get("text", ""))
    program, *argv = shlex.split(reply.json["command"])
    assert program == "tiebreak"
    assert said(*argv, "--json") | {"seconds": None} == reply.json["result"] | {"seconds": None}


@pytest.mark.parametrize("case", [case for case in CASES if case not in ("read", "numbers")])
def test_the_python_call_gives_the_same(
    server: Web, case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    verb, options = CASES[case]
    reply = server.post(f"/api/{verb}", options).json
    monkeypatch.chdir(tmp_path)
    Path("pasted.csv").write_text(options.get("text", ""))
    names: dict[str, Any] = {}
    exec(reply["python"], names)
    result = names["found"].to_dict()
    wanted = ("order", "mean_ranks", "pairs", "groups", "ranking", "neighbours", "verdict", "tiers")
    keys = [key for key in wanted if key in result]
    assert keys and all(result[key] == reply["result"][key] for key in keys)
    assert capsys.readouterr().out.strip()


def test_a_file_a_kept_upload_and_a_text_are_one(server: Web, examples: Path) -> None:
    data = (examples / "demsar2006.csv").read_bytes()
    as_file = server.form("/api/compare", [("file", "d.csv", data)], score="auc").json
    reply = server.form("/api/uploads", [("file", "d.csv", data)])
    assert reply.status == 201 and reply.json["name"] == "d.csv" and reply.json["bytes"] == len(data)
    by_key = server.post("/api/compare", {"file": reply.json["upload"], "score": "auc"}).json
    as_text = server.post("/api/compare", {"text": data.decode(), "score": "auc"}).json
    assert as_file == by_key and as_file["result"]["pairs"] == as_text["result"]["pairs"]
    key = reply.json["upload"].removeprefix("upload:")
    assert server.ask("DELETE", f"/api/uploads/{key}", headers={"X-Tiebreak-Token": server.token}).status == 204
    gone = server.post("/api/compare", {"file": reply.json["upload"], "score": "auc"})
    assert gone.status == 404 and gone.error["mend"] == "Upload the file again."


def test_costs_and_groups_come_in_files_of_their_own(server: Web, examples: Path) -> None:
    costs = b"dataset,algorithm,cost\n" + b"".join(
        b"d%d,%s,%d\n" % (i, name, place) for i in range(9) for place, name in enumerate((b"bayes", b"svm", b"tree"), 1)
    )
    reply = server.form(
        "/api/order", [("file", "r.csv", WIDE.encode()), ("costs", "c.csv", costs)], score="auc", cost="cost"
    )
    assert reply.status == 200, reply.data
    assert reply.json["command"] == "tiebreak order r.csv --costs c.csv --score auc --cost cost"
    assert reply.json["result"]["order"][0] == "svm"


def test_other_formats_and_figures(server: Web) -> None:
    options = {"file": "published:demsar2006", "score": "auc"}
    latex = server.post("/api/compare", options | {"format": "latex"}).json
    assert "\\begin{tabular}" in latex["result"] and latex["command"].endswith("--latex")
    drawn = server.post("/api/compare", options | {"figure": "svg"}).json
    [file] = drawn["files"]
    assert file["name"] == "figure.svg" and file["text"].startswith("<svg") and "mean_ranks" in drawn["result"]
    assert drawn["python"].endswith("found.figure().save('figure.svg')")


def test_a_report_is_kept_as_a_page(server: Web) -> None:
    reply = server.post("/api/report", {"file": "published:ulas2012", "score": "accuracy", "cost": ["train_time"]})
    assert reply.json["result"]["parts"][0]["heading"] == "Comparison by accuracy"
    page = server.get(reply.json["page"])
    assert page.status == 200 and b"<!doctype html>" in page.data[:100].lower()
    again = server.get(reply.json["page"] + "?download=1")
    assert again.headers["content-disposition"] == 'attachment; filename="report.html"'
    assert server.get("/kept/nonsense").status == 404


def test_what_must_be_said_is_said_with_what_could_be_chosen(server: Web) -> None:
    gaps = server.post("/api/compare", {"text": WIDE.replace("0.81", ""), "score": "auc", "missing": "refuse"})
    assert gaps.status == 422 and gaps.error["text"].endswith(".")
    assert {"option": "missing", "values": ["drop-datasets"]} in [
        {"option": item["option"], "values": item["values"][:1]} for item in gaps.error["options"]
    ]
    direction = server.post("/api/compare", {"text": WIDE})
    assert direction.error["code"] == "not-said"
    assert {item["option"] for item in direction.error["options"]} >= {"higher_is_better", "lower_is_better"}


@pytest.mark.parametrize(
    ("told", "status", "code", "text"),
    [
        ({}, 422, "no-source", "The request brings no table."),
        ({"file": "/etc/passwd"}, 422, "unknown-source", "Files of the server are not read."),
        ({"file": "published:../x"}, 422, "unknown-source", "Files of the server are not read."),
        ({"file": ["upload:x"]}, 404, "not-found", "Upload the file again."),
        ({"file": 3}, 422, "option", "no name"),
        ({"file": "published:ulas2012", "scor": "auc"}, 422, "unknown-field", "Did you mean 'score'?"),
        ({"file": "published:ulas2012", "out": "/tmp/x"}, 422, "unknown-field", "no option 'out'"),
        ({"file": "published:ulas2012", "figure": "exe"}, 422, "option", "Use one of svg, tex, pdf, png."),
        ({"file": "published:ulas2012", "alpha": "x"}, 422, "option", "not a number"),
        ({"file": "published:ulas2012", "alpha": 2}, 422, "option", "--alpha"),
        ({"file": "published:ulas2012", "score": "accuracy", "seed": 1.5}, 422, "option", "not a whole number"),
        ({"file": "published:ulas2012", "transpose": "maybe"}, 422, "option", "neither true nor false"),
        ({"file": "published:ulas2012", "score": "a\0b"}, 422, "option", "letters that are none"),
        ({"file": "published:ulas2012", "score": {}}, 422, "option", "no text"),
        ({"file": "published:ulas2012", "score": "accuracy", "control": "-x"}, 422, "option", "'-x'"),
        ({"text": "   "}, 400, "bad-request", "no table"),
    ],
)
def test_a_wrong_request_is_refused_in_words(
    server: Web, told: dict[str, Any], status: int, code: str, text: str
) -> None:
    reply = server.post("/api/compare", told)
    assert (reply.status, reply.error["code"]) == (status, code) and text in reply.error["text"], reply.data


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b"[" * 5000 + b"]" * 5000, "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"x", "text/plain", 415),
        (b"x", "multipart/form-data", 400),
        (b"x", "multipart/form-data; boundary=m", 400),
        (b'--m\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nabc',
         "multipart/form-data; boundary=m", 400),
        (b'--m\r\nContent-Disposition: form-data; name="out"; filename="a.csv"\r\n\r\nabc\r\n--m--\r\n',
         "multipart/form-data; boundary=m", 400),
    ],
)  # fmt: skip
def test_a_body_that_cannot_be_read_is_refused_in_words(server: Web, body: bytes, kind: str, status: int) -> None:
    reply = server.ask("POST", "/api/compare", body, {"Content-Type": kind})
    assert reply.status == status and reply.error["text"]


def test_what_is_not_here_is_said(server: Web) -> None:
    assert server.get("/api/nonsense").error["what"] == "There is no such page."
    assert server.get("/api/compare").status == 405
    page = server.get("/nonsense", Accept="text/html")
    assert page.status == 404 and b"<h1>There is no such page.</h1>" in page.data


# ---- options are those of the command line


@pytest.mark.parametrize("name", OFFERS)
def test_only_options_that_name_no_place_are_offered(name: str) -> None:
    """A new option of the command line is looked at here before the network can use it."""
    route = verb_of(name, without=OFFERS[name].without)
    left = {flag.flag for flag in record_of(name).flags} - {option.flag for option in route.options.values()}
    named = {
        "--store",
        "--json",
        "--latex",
        "--out",
        "--figure",
        "--base",
        "--long",
        "--junit",
        "--summary",
        "--strict",
    }
    assert left <= named | {
        "--run",
        "--stop-below",
        "--jobs",
        "--progress",
        "--pilot",
        "--variant",
        "--code",
        "--full",
    } | set(route.slots.values())
    assert not {"out", "figure", "store", "junit", "summary"} & set(route.options)


def test_values_are_held_against_their_kind() -> None:
    options = verb_of("order").options
    assert value_of(options["transpose"], "false") is False and value_of(options["seed"], "7") == 7
    assert written(options["transpose"], False) == ["--no-transpose"]
    assert written(options["prior"], "-a,b") == ["--prior=-a,b"]
    with pytest.raises(Problem, match="more than 1000 values"):
        value_of(options["cost"], ["x"] * 1001)
    with pytest.raises(Problem, match="too large"):
        value_of(options["seed"], 10**30)


def test_an_error_brings_its_options_and_its_words_for_pages() -> None:
    with on_the_command_line("compare", source="t.csv"):
        mend = f"Use {any_of('missing', ['drop-datasets', 'worst-rank'])}; or {option(transpose=False)}. See --nothing."
        error = OptionError(f"{option('alpha')} is 2.", mend=mend)
        bare = OptionError(f"{option('alpha')} is 2.")
    problem = problem_of(error, verb_of("compare").options)
    assert problem.options == [
        {"option": "missing", "values": ["drop-datasets", "worst-rank"]},
        {"option": "transpose", "values": [False]},
    ]
    assert problem.page["what"] == "“Alpha” is 2."
    assert problem.page["mend"] == "Use “Gaps: drop-datasets or worst-rank”; or “rows are data sets”. See --nothing."
    assert problem_of(bare, verb_of("compare").options).options == [{"option": "alpha", "values": []}]
    assert problem_of(bare, verb_of("store").options).options == []


def test_what_is_wrong_is_not_offered_as_what_mends_it(server: Web) -> None:
    for options, values in ({"items": -3}, ["1000"]), ({"items": 500}, ["0.2", "0.4"]):
        answer = server.post("/api/power", options | ({"discordant": 0.2} if options["items"] < 0 else {}))
        assert [value for item in answer.error["options"] for value in item["values"]] == values


def test_the_version_is_that_of_the_package(server: Web) -> None:
    assert server.get("/health").json["version"] == tiebreak.__version__
