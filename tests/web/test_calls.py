"""The Python call that pages show, for every option: it runs, and says what the command line says."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import tiebreak
from tiebreak.cli import main
from tiebreak.web.app import make_app
from tiebreak.web.commands import python_of
from tiebreak.web.options import checked, verb_of
from tiebreak.web.requests import Call
from tiebreak.web.settings import Settings

from ..in_process import TOKEN, InProcess, post

ULAS = {"file": "published:ulas2012", "score": "accuracy"}
FEW = {"datasets": "iris,wine,zoo,glass,ecoli,cmc,pima,heart"}
ORDER = ULAS | {"cost": ["train_time"]}
MULTI = {"file": "published:ulas2012", "scores": "accuracy,train_time", "algorithms": "svl,5nn,c45", "dataset": "pima"}
LONG = "Task;Method;AUROC;rmse;secs;split\n" + "".join(
    f"t{task};{method};0,{70 + 3 * place + (task * (place + 2)) % 7 + fold};{9 - place};{place + task % 3};{fold}\n"
    for task in range(9)
    for place, method in enumerate(("tree", "svm", "bayes"))
    for fold in range(2)
)
WIDE = "foo,a,b,c\n" + "".join(f"d{k},{k % 3},{k % 4 + 1},{k % 5}\n" for k in range(8)) + "Average,1,2,3\n"
GAPS = "dataset,a,b,c\n" + "".join(
    f"d{k},{'' if k == 3 else 0.5 + k / 50},0.{60 + k},0.{55 + 2 * k}\n" for k in range(9)
)
ITEMS = "model,question,page,answer,accuracy,price\n" + "".join(
    f"{model},q{item},p{item // 3},{epoch},{int((item * 7 + place * 5 + epoch) % 10 < 5 + place)},{place + 1}\n"
    for place, model in enumerate(("small", "medium", "large"))
    for item in range(30)
    for epoch in (1, 2)
)
VOTES = "question,rater,model_a,model_b,price_a,price_b,said\n" + "".join(
    f"q{vote % 9},r{vote % 5},{a},{b},{ord(a) - 96},{ord(b) - 96},{'ABT'[(vote * (ord(a) + 2 * ord(b))) % 3]}\n"
    for vote in range(60)
    for a, b in (("a", "b"), ("b", "c"), ("c", "a"))
)
LOG = json.dumps(
    [
        {"version": 2, "status": "success", "eval": {"task": "sums", "model": model, "created": "2026-01-01"},
         "samples": [
             {"id": f"q{item}", "epoch": 1, "input": f"{item}", "target": "x",
              "scores": {"match": {"value": "CI"[(item * 7 + place) % (place + 2) > 0]}},
              "model_usage": {model: {"input_tokens": 100 + item, "output_tokens": 10 * place + 5}}}
             for item in range(30)]}
        for place, model in enumerate(("one", "two", "three"))
    ]
)  # fmt: skip
LOGS = {f"log{place}.json": json.dumps(load) for place, load in enumerate(json.loads(LOG))}
FILES = {"long.csv": LONG, "wide.csv": WIDE, "gaps.csv": GAPS, "items.csv": ITEMS, "votes.csv": VOTES} | LOGS
FOUGHT = {"file": "votes.csv", "label": ["A=left", "B=right", "T=tie"], "column": ["winner=said"]}
ON_ITEMS = {"file": "items.csv", "item": "question", "cluster": "page", "column": ["epoch=answer"], "score": "accuracy"}
COLUMNS = {"column": ["item=question", "cluster=page", "epoch=answer"]}

COMPARE: list[dict[str, Any]] = [
    {"alpha": 0.1},
    {"datasets": "iris,wine,zoo,glass,ecoli"},
    {"algorithms": "5nn,c45,svl"},
    {"where": ["dataset != cmc", "accuracy > 10"]},
    {"omnibus": "quade"},
    {"omnibus": "none", "pairwise": "sign"},
    {"posthoc": "nemenyi"},
    {"pairwise": "wins"},
    {"pairwise": "significant-wins"},
    {"posthoc": "bergmann-hommel", "algorithms": "5nn,c45,svl,mlp"},
    {"control": "5nn", "posthoc": "finner"},
    {"control": "c45", "posthoc": "bonferroni-dunn"},
    {"scale": "distance"},
    {"scale": "as-is"},
    {"full": True},
    {"over": "scores"},
    {"rope": 0.5, "seed": 3, **FEW},
    {"missing": "drop-datasets"},
    {"higher_is_better": True},
    {"direction": ["accuracy=higher"]},
]
OF_ORDER: list[dict[str, Any]] = [
    {},
    {"cost": ["train_time", "space"]},
    {"cost": ["space"], "trade": "2%"},
    {"cost": ["train_time=1%", "space=0.5pt"]},
    {"accd": 0.02},
    {"prior": "c45,5nn,lnp,mdt,mlp,sv2,svl,svr", "cost": None},
    {"rule": "multitest", "trade": "1%"},
    {"rule": "multi2test"},
    {"variant": "2008"},
    {"dataset": "pima"},
    {"dataset": "pima", "pairwise": "5x2cv-t"},
    {"pairwise": "sign", "posthoc": "holm"},
    {"trade": "0.5pt", "seed": 2},
    {"explain": "svl,svr"},
    {"algorithms": "svl,svr,5nn"},
    {"full": True},
    {"missing_costs": "drop-datasets"},
    {"dataset": "pima", "pairwise": "corrected-t", "test_share": 0.5},
    {"rule": "multi2test", "inner_adjust": "holm"},
    {"rule": "multitest", "dataset": "pima"},
]
OF_MULTI: list[dict[str, Any]] = [
    {},
    {"test": "permutation", "seed": 4, "resampling_correction": "none"},
    {"one_way": True},
    {"statistic": "wilks"},
    {"posthoc": "bonferroni"},
    {"cost": "space"},
    {"prior": "c45,5nn,svl"},
    {"resampling_correction": "none"},
    {"test_share": 0.5},
    {"direction": ["accuracy=higher", "train_time=lower"]},
    {"alpha": 0.01},
    {"dataset": None, "algorithms": "svl,5nn"},
]
OF_BATTLES: list[dict[str, Any]] = [
    {},
    {"cost": "price"},
    {"prices": "prices.csv", "trade": "2%", "explain": "a,c"},
    {"ties": "half", "cluster": "voter", "posthoc": "holm"},
    {"ties": "half", "cluster": "none", "alpha": 0.1},
    {"both_bad": "drop"},
    {"where": ["question != q1"], "pseudo_votes": 1, "disconnected": "largest"},
    {"label": ["A=left", "B=right", "T=drop"]},
    {"column": ["winner=said", "voter=question"]},
]
GATED = {"margin": "0.1", "base": "small", "candidate": "large"}
OF_GATE: list[dict[str, Any]] = [
    ON_ITEMS | GATED,
    ON_ITEMS | GATED | {"cost": "price", "max_cost_ratio": 2, "alpha": 0.1, "power": 0.9, "unanswered": "wrong"},
    ON_ITEMS | GATED | {"anytime": True, "bound": 1.0, "where": ["question != q1"]},
    {"file": ["old.csv", "new.csv"], "margin": "0.05", "cost": "price"},
    {"file": ["new.csv", "old.csv"], "margin": "0.05", "higher_is_better": True, "score": "accuracy"},
    {"file": ["log0.json", "log1.json"], "margin": 0.2, "metric": "match", "prices": "tokens.csv", "cost": "price"},
    ULAS | {"base": "svr", "candidate": "svl", "margin": "5%", "cost": "train_time", "datasets": "iris,wine,zoo,cmc"},
    {"file": "wide.csv", "lower_is_better": True, "base": "a", "candidate": "b", "margin": 1},
]
OF_BOARD: list[dict[str, Any]] = [
    ORDER | {"title": "Ours", "date": "2026-11-17"},
    ORDER | {"cost": ["train_time=1%", "space=2%"], **FEW},
    ORDER | {"trade": "1%", "rule": "multitest", "alpha": 0.1, **FEW},
    ULAS | {"cost": ["space"], "algorithms": "c45,5nn,svl", "since": "board.json"},
    COLUMNS | {"file": "items.csv", "score": "accuracy", "cost": ["price"]},
    {"file": list(LOGS), "prices": "tokens.csv", "cost": ["price"], "title": "Logs"},
    {"file": "gaps.csv", "score": "auc", "missing": "drop-datasets"},
]
SCORED = {"file": "long.csv", "score": "AUROC", "cost": "secs"}
OF_POWER: list[dict[str, Any]] = [
    {"items": 500, "discordant": 0.2},
    {"items": 500, "sd": 0.4, "pairs": 3, "design_effect": 2.0, "power": 0.9, "alpha": 0.1},
    {"difference": 0.02, "discordant": 0.1},
    COLUMNS | {"file": "items.csv", "score": "accuracy"},
    COLUMNS | {"file": "items.csv", "difference": 0.05, "power": 0.9, "alpha": 0.1, "algorithms": "small,large"},
    {"file": list(LOGS), "difference": 0.05, "metric": "match"},
]
OF_FILES: list[tuple[str, dict[str, Any]]] = [
    *(("battles", FOUGHT | battle) for battle in OF_BATTLES),
    ("battles", SCORED | {"tie_within": 0.01}),
    ("battles", SCORED | {"lower_is_better": True, "score": "rmse", "cost": None, "pseudo_votes": 1}),
    ("battles", {"file": "wide.csv", "score": "auc", "pseudo_votes": 1}),
    *(("power", item) for item in OF_POWER),
    *(("gate", item) for item in OF_GATE),
    *(("board", item) for item in OF_BOARD),
    ("read", {"file": "log0.json"}),
    ("read", {"file": "log0.json", "prices": "tokens.csv"}),
    ("compare", {"file": list(LOGS)}),
    ("order", {"file": list(LOGS), "prices": "tokens.csv", "cost": ["price"]}),
    ("order", {"file": list(LOGS), "costs": "watts.csv", "prices": "tokens.csv", "cost": ["watts"]}),
    ("compare", ON_ITEMS),
    ("order", ON_ITEMS | {"cost": ["price"]}),
    ("compare", {"file": "long.csv", "score": "AUROC"}),
    ("compare", {"file": "long.csv", "score": "rmse", "column": ["dataset=Task", "algorithm=Method"]}),
    ("compare", {"file": "long.csv", "score": "AUROC", "decimal": ","}),
    ("compare", {"file": "wide.csv", "lower_is_better": True}),
    ("compare", {"file": "wide.csv", "higher_is_better": True, "keep_rows": True}),
    ("compare", {"file": "wide.csv", "higher_is_better": True, "transpose": True}),
    ("compare", {"file": "wide.csv", "score": "accuracy", "transpose": False}),
    ("compare", {"file": "gaps.csv", "score": "auc", "missing": "drop-algorithms"}),
    ("compare", {"file": "gaps.csv", "score": "auc", "missing": "worst-rank"}),
    ("compare", {"file": "gaps.csv", "score": "auc", "missing": "skillings-mack"}),
    ("compare", {"file": ["gaps.csv", "more.csv"], "score": "auc", "missing": "drop-datasets"}),
    ("order", {"file": "long.csv", "score": "AUROC", "cost": ["secs"]}),
    ("order", {"file": "wide.csv", "score": "auc", "costs": "costs.csv", "cost": ["seconds"]}),
    ("order", {"file": "wide.csv", "costs": "costs.csv", "lower_is_better": True, "datasets": "d1,d2,d3,d4,d5"}),
    (
        "order",
        {"file": "long.csv", "score": "AUROC", "costs": "costs2.csv", "cost": ["watts"], "column": ["fold=split"]},
    ),
    ("order", {"file": "wide.csv", "score": "auc", "prior": "a,b,c"}),
    ("read", {"file": "long.csv"}),
    ("read", {"file": "long.csv", "score": "AUROC", "column": ["fold=split"]}),
    ("read", {"file": "wide.csv", "keep_rows": True, "plain": False}),
    ("read", {"file": "gaps.csv", "score": "auc", "algorithms": "a,b", "datasets": "d1,d2,d3"}),
]
OLD, NEW = (
    "model,item,accuracy,price\n"
    + "".join(f"{name},q{item},{int(item % 10 < 7 + place)},{place + 1}\n" for item in range(80))
    for place, name in enumerate(("v1", "v2"))
)
_BOARD = {"algorithm": "c45", "place": 1, "tier": 1, "cost": None, "beats": []}
BOARD = {
    "generator": "tiebreak board", "format": 1, "id": "0", "date": "2026-01-01", "history": [], "changes": None,
    "entries": [_BOARD, _BOARD | {"algorithm": "5nn", "place": 2}, _BOARD | {"algorithm": "gone", "place": 3}],
    "asked": {"score": "accuracy", "higher_is_better": True, "cost": None, "over": "scores", "alpha": 0.05,
              "rule": "worth", "trades": []},
}  # fmt: skip
MORE = {
    "old.csv": OLD,
    "new.csv": NEW,
    "board.json": json.dumps(BOARD),
    "prices.csv": "model,price\na,3\nb,1\nc,2\n",
    "tokens.csv": "model,input,output\none,1,5\ntwo,2,4\nthree,3,3\n",
    "watts.csv": "algorithm,watts\none,3\ntwo,1\nthree,2\n",
    "more.csv": GAPS.replace("\nd", "\nm"),
    "costs.csv": "algorithm,seconds\na,3\nb,1\nc,2\n",
    "costs2.csv": "algorithm,watts\ntree,3\nsvm,1\nbayes,2\n",
}
TEXTS = FILES | MORE
SLOTS = ("file", "costs", "prices", "since")
CASES = [
    *(("compare", ULAS | item) for item in COMPARE),
    *(("order", ORDER | item) for item in OF_ORDER),
    *(("multivariate", MULTI | item) for item in OF_MULTI),
    *OF_FILES,
]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The application, without children."""
    place = tmp_path_factory.mktemp("app")
    made = make_app(Settings(store=str(place / "results.db"), folder=place / "state", change_token=TOKEN, jobs=1))
    server = made.state.server
    server.prepare()
    server.pool = server.answers.pool = InProcess()
    yield made
    server.folder.close()


def asked(app: Any, verb: str, options: dict[str, Any]) -> dict[str, Any]:
    """Send a request with its files and return the answer."""
    names = {slot: value if isinstance(value, list) else [value] for slot, value in options.items() if slot in SLOTS}
    files = [(slot, name, TEXTS[name]) for slot, held in names.items() for name in held if name in TEXTS]
    rest = {name: value for name, value in options.items() if not {*names.get(name, ())} & set(TEXTS)}
    status, result = post(app, f"/api/{verb}", rest, files)
    assert status == 200, result["error"]["text"]
    return dict(result)


@pytest.mark.parametrize(("verb", "told"), CASES, ids=lambda item: item if isinstance(item, str) else _id(item))
def test_the_call_says_what_the_command_says(
    app: Any,
    verb: str,
    told: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = asked(app, verb, {name: value for name, value in told.items() if value is not None})
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        Path(name).write_text(text)
    names: dict[str, Any] = {}
    exec(result["python"], names)
    again = _plain(names["found"])
    assert capsys.readouterr().out.strip()
    keys = _keys(verb, again)
    assert keys and {key: again[key] for key in keys} == {key: result["result"][key] for key in keys}, result["python"]


def _plain(result: Any) -> dict[str, Any]:
    """Return a result as JSON has it; a table that was read has names."""
    if isinstance(result, tiebreak.Results):
        return {"datasets": list(result.datasets), "algorithms": list(result.algorithms)}
    plain = result.rows()[0] if isinstance(result, tiebreak.stats.ItemPlan) else result.to_dict()
    return json.loads(json.dumps(plain, default=str))  # type: ignore[no-any-return]


def _id(options: dict[str, Any]) -> str:
    if options.get("file") == "votes.csv" or "file" not in options:
        return "-".join(
            f"{name}={value}" for name, value in options.items() if name not in FOUGHT or value != FOUGHT[name]
        )
    return "-".join(
        f"{name}={value}" for name, value in options.items() if name not in (*MULTI, *ORDER) or name == "file"
    )


def _keys(verb: str, options: dict[str, Any]) -> list[str]:
    """What is held against each other: whatever both say, without times and words about the interface."""
    wanted = {
        "read": ("datasets", "algorithms", "measures", "rows", "gaps"),
        "compare": ("mean_ranks", "pairs", "omnibus", "groups", "alpha", "algorithms", "datasets"),
        "order": ("order", "reasons", "groups", "tests", "places", "prior", "alpha", "dataset"),
        "multivariate": ("pairs", "statistic", "pvalue", "order", "test", "groups", "means"),
        "battles": ("order", "algorithms", "pairs", "groups", "reasons", "method", "votes", "clusters"),
        "gate": (
            "verdict",
            "headline",
            "pvalue",
            "pvalue_worse",
            "datasets",
            "cost",
            "needed",
            "caught",
            "caveat_codes",
        ),
        "board": ("id", "title", "date", "order", "tiers", "entries", "changes", "history", "asked"),
        "power": ("difference", "n_items", "pairs", "shown", "needed", "power"),
    }[verb]
    return [key for key in wanted if key in options]


def test_every_option_that_changes_an_answer_is_among_the_cases() -> None:
    """Left are what only stores know, how a figure looks, and what tables of other kinds have."""
    left = {
        *("resampling", "run_seed", "origin", "unfinished", "normalise_cost", "positive", "average"),
        *("sheet", "table", "metric"),
    }
    for name in ("compare", "order", "multivariate", "battles", "power", "gate", "board"):
        tried = {option for verb, options in CASES if verb == name for option in options}
        reading = {option for _, options in CASES for option in options}
        assert set(verb_of(name).options) - tried - reading <= left, name


# ---- reports and recommendations

REPORTS: list[dict[str, Any]] = [
    {},
    {"cost": ["train_time"]},
    {"title": "Ours", "alpha": 0.1},
    {"control": "5nn"},
    {"posthoc": "nemenyi"},
    {"cost": ["train_time"], "trade": "1%"},
    {"cost": ["space"], "rule": "multitest"},
    {"pairwise": "sign"},
    {"missing": "drop-datasets", "cost": ["train_time"]},
]


@pytest.mark.parametrize("told", REPORTS, ids=str)
def test_the_call_of_a_report_says_what_the_command_says(
    app: Any, told: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = asked(app, "report", ULAS | FEW | told)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(result["python"], names)
    again = json.loads(json.dumps(names["found"].to_dict(), default=str))
    assert [item["heading"] for item in again["parts"]] == [item["heading"] for item in result["result"]["parts"]]
    for mine, theirs in zip(again["parts"], result["result"]["parts"], strict=True):
        same = {"order", "pairs", "mean_ranks"} & set(mine)
        assert {key: mine[key] for key in same} == {key: theirs[key] for key in same}, result["python"]
    assert Path("report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


ADVICE: list[dict[str, Any]] = [
    {},
    {"trade": "10% for 10x"},
    {"neighbours": "5"},
    {"neighbours": "all", "method": "arr"},
    {"measures": "n_examples,class_entropy"},
    {"exclude": ["iris", "glass"]},
    {"algorithms": "lda,rf,5nn"},
    {"budget": "1min"},
    {"budget": "10min"},
]


@pytest.mark.parametrize("told", ADVICE, ids=str)
def test_the_call_of_a_recommendation_says_what_the_command_says(told: dict[str, Any]) -> None:
    verb = verb_of("recommend")
    options = Call(verb=verb, options=checked(verb, {"known": "wine"} | told, {})[0])
    out, names = io.StringIO(), {}
    with redirect_stdout(out):
        assert main(["recommend", *options.argv()]) == 0
        data = json.loads(out.getvalue())
        exec(python_of(options), names)
    again = json.loads(json.dumps(names["found"].to_dict(), default=str))
    for item in (again, data):  # its words name options, each in its own way
        item["schedule"] = (item["budget"] or {}).get("schedule")
    keys = [key for key in ("ranking", "neighbours", "measures", "schedule") if key in again]
    assert len(keys) > 2 and {key: again[key] for key in keys} == {key: data[key] for key in keys}
