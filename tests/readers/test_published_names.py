"""Published tables by name: every verb and function reads them, and what is computed from them cites their paper."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.advisor import read_knowledge
from tiebreak.checking import check
from tiebreak.cli import main
from tiebreak.errors import OptionError
from tiebreak.papers import paper
from tiebreak.readers.explaining import explain
from tiebreak.readers.published import TABLES, references
from tiebreak.readers.settings import is_published

LISTED = (
    "published:ulas2012: accuracy (per cent) of 8 algorithms on 38 data sets, 5x2 folds each; costs train_time and"
    " space; Ulas, Yildiz and Alpaydin (2012), doi:10.1016/j.patcog.2011.10.005",
    "published:demsar2006: auc of 4 variants of C4.5 on 14 data sets, one value each (Table 6); no costs; Demsar"
    " (2006), Journal of Machine Learning Research 7, 1-30",
    "published:demsar2006_ranks: ranks of the same within every data set, as printed; no costs; Demsar (2006), Journal"
    " of Machine Learning Research 7, 1-30",
)
REPORT = {"c45": 3.66, "mdt": 5.21, "mlp": 4.53, "lnp": 3.39, "svl": 5.05, "sv2": 5.95, "svr": 5.00, "5nn": 3.21}
"""Mean ranks that the report of 2008 prints for MultiTest with training time as cost."""
BY_SPACE = ["c45", "mdt", "mlp", "lnp", "svl", "svr", "sv2", "5nn"]
"""The order of both papers with space as cost."""


def printed(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert main(list(command)) == 0
    return capsys.readouterr().out


# ---- the numbers of the papers, through the names


def test_the_order_of_the_report_of_2008(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(
        printed(capsys, "order", "published:ulas2012", "--cost", "train_time", "--variant", "2008", "--json")
    )
    assert data["mean_ranks"] == pytest.approx(REPORT, abs=5e-3)
    assert data["data_papers"] == ["ulas2012", "ulas2008"]
    space = json.loads(printed(capsys, "order", "published:ulas2012", "--cost", "space", "--variant", "2008", "--json"))
    assert space["order"] == space["prior"] == BY_SPACE


def test_the_ranks_of_demsar(capsys: pytest.CaptureFixture[str]) -> None:
    """From the rounded scores: 3.143, 2.000, 2.929, 1.929, chi2 = 9.857, F = 3.987 without the correction for ties."""
    data = json.loads(printed(capsys, "compare", "published:demsar2006", "--json"))
    ranks = {"C4.5": 3.143, "C4.5+m": 2.000, "C4.5+cf": 2.929, "C4.5+m+cf": 1.929}
    assert data["mean_ranks"] == pytest.approx(ranks, abs=5e-4)
    plain = tb.compare("published:demsar2006", posthoc="nemenyi")
    assert plain.omnibus.statistic == pytest.approx(3.987, abs=5e-4)
    assert tb.compare("published:demsar2006_ranks", posthoc="nemenyi").omnibus.statistic == pytest.approx(
        3.69, abs=5e-3
    )


# ---- every way in


def test_a_name_reads_what_the_function_returns() -> None:
    for table in TABLES:
        current, named = getattr(tb.published, table.name)(), tb.read(table.reference)
        assert named.title() == current.title() and named.caveats == current.caveats
        assert set(current.costs) == set(table.costs)
        assert named.data_papers == current.data_papers == table.papers
        for name, values in current.values.items():
            np.testing.assert_array_equal(named.values[name], values)


def test_functions_take_names() -> None:
    assert tb.order("published:ulas2012", cost="space", variant="2008").order == tuple(BY_SPACE)
    assert tb.as_results("published:demsar2006", algorithms=["C4.5", "C4.5+m"]).algorithms == ("C4.5", "C4.5+m")
    both = tb.multivariate("published:ulas2012", scores=["accuracy", "train_time"], dataset="zoo")
    assert both.data_papers == ("ulas2012", "ulas2008")
    known = read_knowledge("published:ulas2012")
    assert known.accuracy.shape == (38, 8, 5, 2) and known.time is not None


def test_scores_costs_and_conditions_are_chosen_as_of_a_file() -> None:
    alone = tb.read("published:ulas2012", scores="accuracy")
    assert [metric.name for metric in alone.metrics] == ["accuracy"]
    priced = tb.read("published:ulas2012", scores="accuracy", also=["space"])
    assert priced.costs == ("space",)
    few = tb.read("published:demsar2006", where="auc > 0.9", datasets=["iris", "wine"])
    assert few.datasets == ("iris", "wine") and few.caveats[-1].code == "rows-filtered"
    costs = tb.read("published:ulas2012", scores="accuracy", costs="published:ulas2012")
    assert costs.costs == ("space", "train_time") and costs.data_papers == ("ulas2012", "ulas2008")


def test_a_name_beside_a_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text("task,C4.5,C4.5+m,C4.5+cf,C4.5+m+cf\nnew,0.9,0.8,0.7,0.6\n")
    both = tb.read(["published:demsar2006", mine], scores="auc", columns={"dataset": "task"})
    assert len(both.datasets) == 15 and both.data_papers == ("demsar2006",)


@pytest.mark.parametrize(
    "command",
    [
        "compare published:demsar2006",
        "multivariate published:ulas2012 --scores accuracy,train_time --dataset zoo",
        "read published:ulas2012",
        "recommend --known zoo --results published:ulas2012 --method mean-rank",
    ],
)
def test_verbs_take_names(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, *command.split())


def test_results_are_imported_into_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "results.db")
    assert "56 cell(s) imported from published:demsar2006" in printed(
        capsys, "store", store, "--import", "published:demsar2006", "--origin", "Demsar"
    )
    data = json.loads(printed(capsys, "compare", "--store", store, "--json"))
    assert data["mean_ranks"]["C4.5"] == pytest.approx(3.143, abs=5e-4)


def test_reading_says_what_it_is() -> None:
    result = explain("published:demsar2006")
    text = str(result)
    assert text.startswith("published:demsar2006: 14 data sets x 4 algorithms")
    assert "It is a published table that the package carries." in text and "Demsar (2006)" in text
    assert result.to_dict()["data_papers"] == ["demsar2006"]


# ---- what was computed cites the paper


def test_the_report_cites_the_paper(tmp_path: Path) -> None:
    page = tmp_path / "report.md"
    tb.report("published:ulas2012", cost="space").save(page)
    text = page.read_text()
    assert "The results are those published by Ulas, Yildiz and Alpaydin (2012)" in text
    assert f"- {paper('ulas2012').short}" in text and "@techreport{ulas2008," in text
    mine = tb.report(tb.Results.from_dict({"a": {"x": 1.0, "y": 2.0}, "b": {"x": 3.0, "y": 5.0}}, scores="accuracy"))
    assert "those published by" not in mine.to_markdown() and "ulas2012" not in mine.papers()


def test_the_paper_is_kept_where_tables_are_cut_and_joined() -> None:
    table = tb.published.demsar2006().only(algorithms=["C4.5", "C4.5+m"]).where("auc > 0.5")
    assert (
        tb.compare(table).document().papers[-1] == "demsar2006" or "demsar2006" in tb.compare(table).document().papers
    )
    assert tb.compare(table).to_dict()["data_papers"] == ["demsar2006"]


# ---- what is refused


@pytest.mark.parametrize("asked", ["published:", "published:ulas"])
def test_an_unknown_name_lists_what_there_is(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", asked]) == 2
    err = capsys.readouterr().err
    start = "published: needs the name of a table." if asked == "published:" else "There is no published table 'ulas'."
    lines = "\n".join(f"  {line}" for line in LISTED)
    meant = "" if asked == "published:" else " Did you mean published:ulas2012?"
    assert err == f"tiebreak compare: {start}{meant} Use one of these:\n{lines}\n"


def test_a_score_that_is_not_there() -> None:
    with pytest.raises(OptionError) as error:
        tb.read("published:demsar2006", scores="accuracy")
    assert str(error.value) == (
        "There is no score 'accuracy'. Known here: 'auc'. It was requested from published:demsar2006."
    )


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"transpose": True}, "transpose=True"),
        ({"columns": {"dataset": "task"}}, "columns={'dataset': 'task'}"),
        ({"plain": True}, "plain=True"),
        ({"keep_rows": True}, "keep_rows=True"),
    ],
)
def test_options_about_files_are_refused(options: dict[str, object], named: str) -> None:
    for reader in (tb.read, explain, tb.compare):
        with pytest.raises(OptionError) as error:
            reader("published:demsar2006", **options)  # type: ignore[arg-type]
        assert str(error.value) == f"{named} was given with a published table. Leave it out."


def test_costs_of_a_table_without() -> None:
    with pytest.raises(OptionError) as error:
        tb.read("published:demsar2006", costs="published:demsar2006")
    assert str(error.value) == "published:demsar2006 holds no costs. Use one that does: published:ulas2012."


def test_claims_are_not_looked_for_in_a_table() -> None:
    with pytest.raises(OptionError) as error:
        check("published:demsar2006")
    assert str(error.value) == (
        "published:demsar2006 is a table of results, not a document. What is checked are claims, and it makes none."
        " Compare one method with the others: tiebreak.compare('published:demsar2006', control='...')."
    )


def test_a_file_of_such_a_name_is_read_with_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("published:mine.csv").write_text("dataset,x,y\na,1,2\nb,2,3\n")
    assert tb.read("./published:mine.csv", scores="accuracy").algorithms == ("x", "y")
    assert is_published("published:mine.csv") and not is_published(Path("folder/published:mine.csv"))


def test_names_are_listed_once() -> None:
    assert references() == ("published:ulas2012", "published:demsar2006", "published:demsar2006_ranks")
    assert tuple(table.line for table in TABLES) == LISTED
