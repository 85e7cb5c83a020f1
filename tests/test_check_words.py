"""Checking documents: what was told, what the caption says, and how the answer is worded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tiebreak as tb
from tiebreak.checking import DocumentCheck
from tiebreak.cli import main
from tiebreak.errors import OptionError


def latex(caption: str, rows: list[str], *, head: str = "Data set & Ours & SVM") -> str:
    body = "\n".join(rf"{row} \\" for row in rows)
    columns = "l" + "r" * head.count("&")
    return (
        rf"\begin{{table}}\caption{{{caption}}}\begin{{tabular}}{{{columns}}}"
        "\n" + head + r" \\ \hline" + "\n" + body + "\n" + r"\end{tabular}\end{table}" + "\n"
    )


def rows(count: int = 8, *, mark: bool = True) -> list[str]:
    start, end = (r"\textbf{", "}") if mark else ("", "")
    return [f"d{i} & {start}0.9{i}{end} & 0.8{i}" for i in range(count)]


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A table of accuracies, a table of errors, and one that says nothing and marks nothing."""
    file = tmp_path / "mixed.tex"
    lower = [rf"d{i} & \textbf{{0.1{i}}} & 0.2{i}" for i in range(8)]
    file.write_text(latex("Accuracy.", rows()) + latex("Error rates.", lower) + latex("Results.", rows(mark=False)))
    return file


def verdicts(check: DocumentCheck) -> list[tuple[int, str, str]]:
    return [(table.number, claim.score, claim.verdict) for table in check.tables for claim in table.claims]


@pytest.mark.parametrize("told", [{"score": "accuracy"}, {"higher_is_better": True}])
def test_what_is_said_of_a_document_overrules_no_caption(mixed: Path, told: dict[str, object]) -> None:
    result = tb.check(mixed, claim="Ours", **told)  # type: ignore[arg-type]
    third = "accuracy" if "score" in told else "score"
    assert verdicts(result) == [(1, "accuracy", "supported"), (2, "error", "supported"), (3, third, "supported")]
    caveats = [str(note) for note in result.tables[1].caveats if note.code == "read-as"]
    assert caveats[-1] == (
        "The caption says that lower is better; the option for the whole document was not applied. Say"
        " table=... to apply it."
    )
    alone = tb.check(mixed, claim="Ours", table=2, **told)  # type: ignore[arg-type]
    assert [verdict[2] for verdict in verdicts(alone)] == ["contradicted"]


def test_names_of_scores_are_believed_before_a_flag(tmp_path: Path) -> None:
    file = tmp_path / "two.csv"
    body = [f"d{i},0.9{i},0.8{i},1.1{i},1.0{i}" for i in range(9)]
    file.write_text("\n".join(["dataset,Ours_auc,SVM_auc,Ours_mse,SVM_mse", *body]))
    result = tb.check(file, claim="Ours", higher_is_better=True)
    assert verdicts(result) == [(1, "auc", "supported"), (1, "mse", "contradicted")]
    [table] = tb.check(file, claim="Ours", higher_is_better=True, table=1).tables
    assert "'mse' was said to be better when higher" in table.reason


def test_directions_by_the_names_of_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "long.md"
    body = [
        f"| d{i} | {name} | 0.{base}{i} | 1.{base}{i} |" for i in range(9) for name, base in (("Ours", 9), ("SVM", 8))
    ]
    file.write_text("\n".join(["| dataset | algorithm | AUC | Gap |", "|---|---|---|---|", *body]))
    [table] = tb.check(file, claim="Ours").tables
    [note] = [str(caveat) for caveat in table.caveats if caveat.code == "score-not-judged"]
    assert (
        note == "'Gap' was not judged: nothing says which way is better. Say higher_is_better={'Gap': True} or False."
    )
    for way, verdict in ((True, "supported"), (False, "contradicted")):
        result = tb.check(file, claim="Ours", higher_is_better={"Gap": way})
        assert verdicts(result) == [(1, "AUC", "supported"), (1, "Gap", verdict)]
    with pytest.raises(OptionError, match=r"No table has a score 'gape'\..*The scores are 'AUC', 'Gap'\."):
        tb.check(file, claim="Ours", higher_is_better={"gape": False})
    words = ["check", str(file), "--claim", "Ours", "--lower-is-better", "--json"]
    assert main(words) == 0 and '"contradicted"' in capsys.readouterr().out


def test_a_direction_of_a_table_that_cannot_be_read(tmp_path: Path) -> None:
    """The reason why it cannot says more than that no table has such a score."""
    file = tmp_path / "two.tex"
    head = r"Data & \multicolumn{2}{c}{Ours} & \multicolumn{2}{c}{SVM} \\ & Fit & Gap & Fit & Gap"
    file.write_text(latex("Results.", [f"d{i} & 0.9{i} & 1.1{i} & 0.8{i} & 1.0{i}" for i in range(9)], head=head))
    [unread] = tb.check(file, claim="Ours", higher_is_better={"Gap": False}).tables
    assert "two header rows" in unread.reason
    result = tb.check(file, claim="Ours", higher_is_better={"Gap": False}, score="Gap")
    assert verdicts(result) == [(1, "Gap", "contradicted")]


def test_everything_that_is_missing_is_asked_for_at_once(mixed: Path) -> None:
    third = tb.check(mixed).tables[2]
    assert third.reason == (
        "No result is in bold, so nobody is called best. Say claim=... to judge a method. Nothing says"
        " whether a higher 'score' is better. The best algorithm would come out as the worst if it were guessed"
        " wrongly. Name the score, such as score='accuracy', or say higher_is_better=True or False. With"
        " table=... that is said of one table alone."
    )
    assert tb.check(mixed, claim="nobody").tables[2].reason == "It has no method 'nobody'."


def test_too_few_data_sets_are_not_blamed_on_the_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "few.tex"
    file.write_text(latex("Accuracy.", rows(4)))
    result = tb.check(file)
    [claim] = result.claims
    assert claim.too_few and claim.verdict == "undecided"
    assert claim.said()[0] == (
        "Ours is called best by accuracy (bold on 4 of 4 data sets); 4 data sets are too few to show it, whatever the"
        " numbers."
    )
    assert not {"few-datasets", "constant-difference"} & {
        note.code for note in result.caveats
    }  # of an F that is not shown
    text = str(result.document())
    assert "Ours in table 1 of few.tex: undecided, too few data sets." in text and "at least 2" in text
    assert claim.rivals[0].datasets_needed == 6  # two-sided p = 2 / 2^6 is the first at or below 0.05
    assert main(["check", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"][0]["claims"][0]["too_few_datasets"] is True


def test_ties_are_not_too_few_data_sets(tmp_path: Path) -> None:
    """Two methods that tie on most data sets do not differ significantly; a third differs from both."""
    file = tmp_path / "ties.tex"
    same = [rf"d{i} & 0.5{i} & \textbf{{0.6{i}}} & \textbf{{0.6{i}}}" for i in range(6)]
    body = [*same, r"d6 & 0.56 & \textbf{0.67} & 0.66", r"d7 & 0.57 & 0.66 & \textbf{0.68}"]
    file.write_text(latex("Accuracy.", body, head="Data set & Base & Mid & Ours"))
    assert [(claim.algorithm, claim.verdict, claim.too_few) for claim in tb.check(file).claims] == [
        ("Mid", "in part", False),
        ("Ours", "in part", False),
    ]


def test_bold_everywhere_calls_nobody_best(tmp_path: Path) -> None:
    file = tmp_path / "bold.tex"
    file.write_text(latex("Accuracy.", [rf"d{i} & \textbf{{0.9{i}}} & \textbf{{0.8{i}}}" for i in range(8)]))
    [table] = tb.check(file).tables
    assert not table.judged and not table.supported
    assert table.reason == (
        "Bold sets no method apart, so nobody is called best. Name a method with claim=...: 'Ours', 'SVM'."
    )


@pytest.mark.parametrize(
    ("head", "way"),
    [
        (r"Data set ($\uparrow$) & Ours & SVM", True),
        (r"Data set ($\downarrow$) & Ours & SVM", False),
        (r"Data set & Ours $\uparrow$ & SVM", None),
        (r"Data set & Ours $\uparrow$ & SVM $\downarrow$", None),
    ],
)
def test_arrows_of_the_header(head: str, way: bool | None, tmp_path: Path) -> None:
    file = tmp_path / "arrows.tex"
    file.write_text(latex("Results.", rows(mark=False), head=head))
    [table] = tb.check(file).tables
    assert (table.read and list(table.read.directions.values())) == (None if way is None else [way])


def test_claims_by_several_scores_say_which(tmp_path: Path) -> None:
    file = tmp_path / "two.csv"
    body = [f"d{i},0.9{i},0.8{i},0.1{i},0.0{i}" for i in range(9)]
    file.write_text("\n".join(["dataset,Ours_auc,SVM_auc,Ours_error,SVM_error", *body]))
    text = str(tb.check(file, claim="Ours").document())
    assert "Ours by auc in table 1 of two.csv: supported." in text and "Ours by error against" in text
    assert "not for the 2 claims of the document" in text
    one = tb.check(file, claim="Ours", algorithms=["Ours", "SVM"], score="auc")
    assert "claims of the document" not in str(one.document())


def test_tables_that_were_not_judged_are_listed_by_file(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(latex("Results.", rows(mark=False)) * 2)
    (tmp_path / "b.tex").write_text(latex("Results.", rows(mark=False)))
    text = tb.check(tmp_path).document().said
    assert text == ("Not judged, for the reason that stands with each: tables 1 and 2 of a.tex; table 1 of b.tex.",)


def test_what_is_decided_asks_for_no_more_data_sets(tmp_path: Path) -> None:
    file = tmp_path / "good.tex"
    file.write_text(latex("Accuracy.", rows()))
    assert tb.check(file).supported and "more data sets" not in str(tb.check(file).document()).lower()
    file.write_text(latex("Accuracy.", rows(4)))
    assert "'More data sets' is" in str(tb.check(file).document())
