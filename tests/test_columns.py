"""The records of columns are those of `rows()`, of data frames and of printed tables, for every verb that has some."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.cli.answering import runner
from tiebreak.cli.parsing import parser
from tiebreak.documents import Shown, table_of_verb
from tiebreak.verbs import VERBS, verb_of

from .contract.cases import PLAN
from .every import every

ROOT = Path(__file__).parent.parent
TIMED = "examples/ulas2012.csv --score accuracy --cost train_time"
DEMSAR = "examples/demsar2006.csv --score auc"
FOLDED = "examples/optdigits.csv --score accuracy"
ITEMS = "examples/items.csv --score accuracy --column epoch=answer"
PRICED = "examples/votes.csv --prices examples/prices.csv --cost price"
CALLS = {
    "read": [DEMSAR],
    "check": ["examples/paper.tex"],
    "compare": [
        *(DEMSAR, f"{DEMSAR} --control C4.5", f"{DEMSAR} --omnibus skillings-mack"),
        *(FOLDED, f"{FOLDED} --control c45", ITEMS, "examples/totals.csv", "{many} --higher-is-better"),
    ],
    "order": [
        *(TIMED, f"{TIMED} --rule multitest", f"{TIMED} --rule multi2test --trade 1pt", f"{FOLDED} --cost space"),
        "examples/breast_cancer.csv --score tpr,fpr --cost train_time",
    ],
    "multivariate": ["examples/breast_cancer.csv --scores tpr,fpr", "{measures} --scores tpr,fpr"],
    "power": [ITEMS, f"{ITEMS} --difference 0.01"],
    "battles": ["examples/votes.csv", PRICED, f"{PRICED} --rule multitest"],
    "gate": ["examples/gate_base.csv examples/gate_candidate.csv --margin 0.02"],
    "report": [f"{DEMSAR} -o {{folder}}/page.html"],
    "board": [f"{TIMED} -o {{folder}}/board", f"{ITEMS} -o {{folder}}/other"],
    "paper": ["", "ulas2012"],
    "recommend": [
        *("--known wine --method mean-rank", "--known wine", "{folder}/data.csv --trade '1% for 10x'"),
    ],
}
"""Calls whose results have, together, every column of the verb."""
NAMES = "auc accuracy train_time space price tpr fpr C4.5 c45 v1.4 v1.5 95% same differs"
FILLED = [
    *NAMES.split(), *("auc (%)", "accuracy (%)", "pass_rate", "pass_rate (%)", "score"),
    *("C4.5+cf", "C4.5+m", "C4.5+m+cf", "same after rounding", "cannot be checked"),
    *("implied mean rank", "mean_rank", "loss_there", "points behind", "behind after trade"),
]  # fmt: skip
"""What may stand for the word in braces."""


def written(text: str) -> set[str]:
    return {re.sub(r"\{\w+\}", word, text) for word in FILLED}


def results(verb: str, folder: Path) -> list[Shown]:
    if verb == "run":
        return [tb.run(folder / "plan.toml", store=folder / "results.db", jobs=1)]
    if verb == "store":
        return [tb.store(folder / "results.db")]
    out: list[Shown] = []
    for call in CALLS[verb]:
        words = shlex.split(call.format(folder=folder, many=folder / "many.csv", measures=folder / "measures.csv"))
        answer = runner(verb)(parser(verb).parse_args([verb, *words]))
        assert answer is not None
        out += answer.shown[:1]
    return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tables that no example is like: very many groups, several data sets with measures, a data set."""
    place = tmp_path_factory.mktemp("columns")
    rng = np.random.default_rng(1)
    names = [f"a{i:02d}" for i in range(80)]
    rows = [",".join([f"d{i}", *(f"{0.1 + 0.01 * j + rng.normal(0, 0.1):.4f}" for j in range(80))]) for i in range(20)]
    (place / "many.csv").write_text("\n".join([",".join(["dataset", *names]), *rows]))
    cells = [f"d{i},{a},{f},{rng.random():.3f},{rng.random():.3f}" for i in range(2) for a in "ab" for f in range(10)]
    (place / "measures.csv").write_text("\n".join(["dataset,algorithm,fold,tpr,fpr", *cells]))
    lines = [f"{rng.normal(k % 3):.2f},{rng.normal(k % 3):.2f},{'xyz'[k % 3]}" for k in range(90)]
    (place / "data.csv").write_text("\n".join(["u,v,species", *lines]))
    (place / "plan.toml").write_text(PLAN)
    return place


@every("verb", [verb for verb in VERBS if verb_of(verb).columns])
def test_columns_are_those_of_the_record(verb: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    record, used = verb_of(verb), set[str]()
    keys = {name: column for column in record.columns for name in written(column.name) if name}
    headings = {
        text: column
        for column in record.columns
        if column.shown != "rows"
        for text in written(column.heading or column.name)
    }
    for result in results(verb, folder):
        rows = result.rows()
        assert set(rows[0]) <= set(keys), set(rows[0]) - set(keys)
        assert list(result.to_frame("polars").columns) == list(rows[0])
        used |= set(rows[0])
        short = getattr(result, "answer", None)
        shown = [] if short is None or short.table is None else [bare(text) for text in short.table.header if text]
        assert all(headings[text].shown == "default" for text in shown), shown
        tables = result.document().tables if isinstance(result, Shown) else ()
        used |= {bare(text) for table in tables for text in table.header} | set(shown)
    unused = [column for column in record.columns if not used & (written(column.name) | written(column.heading))]
    assert not unused, [column.name or column.heading for column in unused]


def bare(heading: str) -> str:
    """Return a heading without what `units` wrote behind it."""
    return heading if heading in FILLED else re.sub(r" \((95% CI|points|log pts|for 1 point)\)$", "", heading)


def test_every_verb_with_rows_has_columns() -> None:
    without = {verb for verb in VERBS if verb_of(verb).result and not verb_of(verb).columns}
    assert without == {"demo", "figure"}  # a report, and the numbers that a figure draws: other ones for every kind


def test_a_table_takes_headings_order_and_visibility_from_the_record() -> None:
    cells = {"wins": ["3/0/1"], "elo": ["1040"], "place": ["1"]}
    short, full = (table_of_verb("battles", cells, full=full) for full in (False, True))
    assert short.header == ("place", "Elo") and full.header == ("place", "Elo", "W/T/L")
    assert {column.shown for verb in VERBS for column in verb_of(verb).columns} == {"default", "full", "rows"}
