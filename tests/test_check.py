"""Checking documents: an article with four tables, its claims judged as `compare` judges the same numbers."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.checking.claims import Claim, needed_like
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError

SETS = "iris wine glass yeast ecoli vowel heart sonar letter zebra breast pima".split()
METHODS = ("Ours", "SVM", "RF", "kNN")


def numbers(seed: int = 5, digits: int = 3, scale: float = 1.0) -> np.ndarray:
    """Accuracies where Ours is clearly better than RF and kNN, and hardly better than SVM."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.6, 0.85, len(SETS))[:, None]
    noise = rng.normal(0, 1, (len(SETS), 4)) * [0.004, 0.02, 0.006, 0.01]
    level = np.array([0.04, 0.032, 0.0, -0.03])
    return np.round((base + level + noise) * scale, digits)


def bold(row: np.ndarray, texts: list[str], *, highest: bool = True) -> list[str]:
    best = row.max() if highest else row.min()
    return [rf"\textbf{{{text}}}" if value == best else text for value, text in zip(row, texts, strict=True)]


def clean(table: np.ndarray) -> str:
    """Rows are data sets; the best of each row is in bold, and there is an average below."""
    body = [
        f"{name} & {' & '.join(bold(row, [f'{x:.3f}' for x in row]))} \\\\"
        for name, row in zip(SETS, table, strict=True)
    ]
    mean = " & ".join(f"{x:.3f}" for x in table.mean(axis=0))
    return "\n".join(
        [
            r"\begin{table}",
            r"\caption{Test accuracy of all methods.}",
            r"\begin{tabular}{lrrrr}",
            rf"\toprule Data set & {' & '.join(METHODS)} \\ \midrule",
            *body,
            rf"\midrule Average & {mean} \\ \bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def with_sd(table: np.ndarray) -> str:
    """Errors in percent as mean and standard deviation, the lowest in bold; nothing names the score."""
    rng = np.random.default_rng(1)
    lines = []
    for name, row in zip(SETS, table, strict=True):
        texts = [rf"{x:.1f} $\pm$ {rng.uniform(0.5, 2):.1f}" for x in row]
        lines.append(f"{name} & {' & '.join(bold(row, texts, highest=False))} \\\\")
    return "\n".join(
        [
            r"\begin{table}",
            r"\caption{Mean and standard deviation over ten runs.}",
            r"\begin{tabular}{lcccc}",
            rf"\hline Dataset & {' & '.join(METHODS)} \\ \hline",
            *lines,
            r"\hline\end{tabular}\end{table}",
        ]
    )


def transposed(table: np.ndarray) -> str:
    """Rows are methods, under a header of two rows."""
    lines = [
        f"{name} & {' & '.join(f'{x:.1f}' for x in column)} \\\\" for name, column in zip(METHODS, table.T, strict=True)
    ]
    return "\n".join(
        [
            r"\begin{table*}",
            r"\begin{tabular}{l" + "r" * len(SETS) + "}",
            rf"\multirow{{2}}{{*}}{{Method}} & \multicolumn{{{len(SETS)}}}{{c}}{{Data set}} \\",
            rf" & {' & '.join(SETS)} \\ \hline",
            *lines,
            r"\end{tabular}",
            r"\caption{F1 in percent (higher is better).}",
            r"\end{table*}",
        ]
    )


SETTINGS = r"""
\begin{table}\caption{Search space.}
\begin{tabular}{lll}
Parameter & Type & Range \\ \hline
learning rate & real & log-uniform \\
depth & integer & uniform \\
kernel & symbolic & radial, linear \\
\end{tabular}\end{table}
"""


@pytest.fixture
def tables() -> dict[str, np.ndarray]:
    return {
        "clean": numbers(5),
        "with sd": np.round(100 - numbers(7, scale=100, digits=1), 1),
        "transposed": numbers(9, scale=100, digits=1),
    }


@pytest.fixture
def paper(tmp_path: Path, tables: dict[str, np.ndarray]) -> Path:
    parts = [clean(tables["clean"]), with_sd(tables["with sd"]), transposed(tables["transposed"]), SETTINGS]
    file = tmp_path / "paper.tex"
    text = "\\documentclass{article}\n\\begin{document}\n" + "\n\nSome words & more.\n\n".join(parts)
    file.write_text(text + "\n\\end{document}\n", encoding="utf-8")
    return file


def same_as_compare(claim: Claim, table: np.ndarray, *, score: str, higher: bool, alpha: float = 0.05) -> None:
    """Hold every verdict against `compare` on numbers that never went through the document."""
    results = tb.Results.from_array(table, datasets=SETS, algorithms=list(METHODS), score=score)
    options = None if results.metric(score).higher_is_better is not None else higher
    compare = tb.compare(results, control=claim.algorithm, alpha=alpha, higher_is_better=options)
    pairs = {pair.b: pair for pair in compare.pairs}
    assert {rival.name for rival in claim.rivals} == set(pairs) == set(METHODS) - {claim.algorithm}
    for item in claim.rivals:
        pair = pairs[item.name]
        expected = "undecided" if pair.better is None else "better" if pair.better == claim.algorithm else "worse"
        assert item.verdict == expected
        assert (item.pvalue, item.adjusted) == (pair.pvalue, pair.adjusted)
        mine, other = (table[:, METHODS.index(name)] for name in (claim.algorithm, item.name))
        ahead = (mine - other) * (1 if higher else -1)
        walsh = [(ahead[i] + ahead[j]) / 2 for i in range(len(ahead)) for j in range(i, len(ahead))]
        assert item.estimate == pytest.approx(np.median(walsh), abs=1e-12)
        assert item.low <= item.estimate <= item.high


def test_the_four_tables_of_an_article(paper: Path, tables: dict[str, np.ndarray]) -> None:
    result = tb.check(paper, claim="Ours")
    first, second, third, fourth = result.tables
    assert [table.judged for table in result.tables] == [True, True, True, False]
    assert [table.read and table.read.understood.form for table in result.tables] == [
        "wide",
        "wide",
        "transposed",
        None,
    ]
    for item, name, score, higher in (
        (first, "clean", "accuracy", True),
        (second, "with sd", "score", False),
        (third, "transposed", "F1", True),
    ):
        assert item.read is not None
        assert list(item.read.directions.values()) == [higher]
        results = item.read.results
        [metric] = item.read.directions
        order = [results.algorithms.index(method) for method in METHODS]
        rows = [results.datasets.index(dataset) for dataset in SETS]
        assert np.array_equal(results.means(metric)[np.ix_(rows, order)], tables[name])
        [claim] = item.claims
        same_as_compare(claim, tables[name], score=score, higher=higher)
        assert claim.verdict == "in part" and claim.of("better") == ["RF", "kNN"] and claim.of("undecided") == ["SVM"]
    assert fourth.reason and not fourth.claims_something
    assert result.title() == "paper.tex: 4 tables, 3 judged, 0 of 3 claims supported"


def test_the_method_with_most_results_in_bold_is_called_best(paper: Path, tables: dict[str, np.ndarray]) -> None:
    result = tb.check(paper)
    first, second, third, _ = result.tables
    counts = [int(sum(row[i] == row.max() for row in tables["clean"])) for i in range(4)]
    most = [METHODS[i] for i in range(4) if counts[i] == max(counts)]
    assert [claim.algorithm for claim in first.claims] == most
    assert first.claims[0].by == f"bold on {max(counts)} of 12 data sets"
    assert [claim.verdict for claim in second.claims]
    codes = [note.code for note in second.caveats]
    assert "read-as" in codes
    assert third.claims == () and not third.claims_something
    assert third.reason == (
        "No result is in bold, so nobody is called best. Name a method with claim=...: 'Ours', 'RF', 'SVM', 'kNN'."
    )


def test_a_claim_that_the_numbers_contradict(paper: Path, tables: dict[str, np.ndarray]) -> None:
    result = tb.check(paper, claim="knn")
    [claim] = result.tables[0].claims
    same_as_compare(claim, tables["clean"], score="accuracy", higher=True)
    assert (claim.algorithm, claim.by, claim.verdict) == ("kNN", "as told", "contradicted")
    assert all(rival.datasets_needed is None for rival in claim.rivals)
    assert claim.said()[0] == "kNN is called best by accuracy (as told); the numbers contradict it."


def test_how_many_more_data_sets(paper: Path, tables: dict[str, np.ndarray]) -> None:
    """Of normal differences the count is that of the planning function, at the level where Holm stopped."""
    claim = tb.check(paper, claim="Ours").tables[0].claims[0]
    svm = next(rival for rival in claim.rivals if rival.name == "SVM")
    ahead = tables["clean"][:, 0] - tables["clean"][:, 1]
    assert svm.datasets_needed == needed_like(ahead, level=0.05) and svm.datasets_needed > len(SETS)
    normal = np.array([NormalDist(0.3, 1).inv_cdf((i + 0.5) / 2000) for i in range(2000)])
    for level in (0.05, 0.01):
        expected = tb.stats.datasets_needed(0.3, alpha=level).n_datasets
        assert needed_like(normal, level=level) == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize(
    "ahead",
    [
        [0.03, 0.01, 0.02, -0.01, 0.015, 0.0, 0.02, -0.02, 0.01, 0.005],
        [0.01, 0.02, 0.015, 0.03, 0.01, 0.02, -0.5, 0.01],  # one data set that the mean would follow
        [0.31, -0.2, 0.02, 0.9, -0.4, 0.6, -0.1, 0.05, -0.3, 0.4, 0.2, 0.1],
    ],
)
def test_data_sets_like_these_would_show_it(ahead: list[float], tmp_path: Path) -> None:
    """Simulated: of tables with as many data sets as were named, drawn from this one, four of five are significant."""
    rng = np.random.default_rng(11)
    rows = [f"| d{i} | **{1 + x:.3f}** | 1.0 |" for i, x in enumerate(ahead)]
    file = tmp_path / "few.md"
    file.write_text("\n".join(["| dataset | Ours | SVM |", "|---|---|---|", *rows]))
    [rival] = tb.check(file, claim="Ours", score="f", higher_is_better=True).claims[0].rivals
    assert rival.verdict == "undecided" and rival.datasets_needed is not None and rival.estimate > 0
    draws = rng.choice(ahead, (500, rival.datasets_needed))
    share = np.mean([tb.stats.wilcoxon(row, np.zeros_like(row)).pvalue <= 0.05 for row in draws])
    assert share == pytest.approx(0.8, abs=0.06)


def test_few_data_sets_are_said(tmp_path: Path) -> None:
    file = tmp_path / "few.md"
    rows = [f"| d{i} | **0.9** | 0.{i}1 | 0.{i}2 |" for i in range(1, 5)]
    file.write_text("\n".join(["Accuracy", "", "| dataset | Ours | SVM | RF |", "|---|---|---|---|", *rows]))
    [table] = tb.check(file, score="accuracy").tables
    [claim] = table.claims
    assert claim.verdict == "undecided"
    assert "least-pvalue" in [note.code for note in table.caveats]
    assert all(rival.datasets_needed is not None and rival.datasets_needed > 4 for rival in claim.rivals)


def test_bold_results_that_are_not_the_best(tmp_path: Path) -> None:
    file = tmp_path / "bold.md"
    rows = ["| a | **0.9** | 0.8 |", "| b | **0.7** | 0.8 |", "| c | **0.9** | 0.7 |"]
    file.write_text("\n".join(["| dataset | Ours | SVM |", "|---|---|---|", *rows]))
    [table] = tb.check(file, score="accuracy").tables
    text = {note.code: str(note) for note in table.caveats}
    assert text["bold-not-best"] == "In bold, but not the best of its data set: Ours on b, where SVM is better."
    [idle] = tb.check(file).tables  # without a name for the score bold would have to tell the direction, and does not
    assert "Nothing says whether a higher 'score' is better." in idle.reason
    assert idle.claims_something and not idle.supported


def test_a_name_in_bold_is_a_claim(tmp_path: Path) -> None:
    file = tmp_path / "names.html"
    head = "<tr><th>dataset</th><th>SVM</th><th>RF</th><th><b>Ours</b></th></tr>"
    rows = "".join(f"<tr><td>d{i}</td><td>0.{i}1</td><td>0.{i}2</td><td>0.{i}3</td></tr>" for i in range(1, 9))
    file.write_text(f"<p>x</p><table><caption>AUC</caption>{head}{rows}</table>")
    [claim] = tb.check(file).claims
    assert (claim.algorithm, claim.by, claim.verdict) == ("Ours", "its name is in bold", "supported")


def test_gaps_are_a_reason_and_an_option(tmp_path: Path) -> None:
    file = tmp_path / "gaps.md"
    rows = [f"| d{i} | **0.9{i}** | {'-' if i == 3 else f'0.8{i}'} | 0.7{i} |" for i in range(8)]
    file.write_text("\n".join(["| dataset | Ours | SVM | RF |", "|---|---|---|---|", *rows]))
    [table] = tb.check(file, score="accuracy", missing="refuse").tables
    assert not table.judged and "'SVM' has no accuracy on data set 'd3'" in table.reason
    for policy in ("drop-datasets", "auto"):  # seven of eight data sets are complete
        [claim] = tb.check(file, score="accuracy", missing=policy).claims
        assert claim.verdict == "supported" and len(claim.comparison.datasets) == 7


def test_several_scores_are_judged_each(tmp_path: Path) -> None:
    file = tmp_path / "two.csv"
    body = [f"d{i},0.9{i},0.8{i},0.1{i},0.0{i}" for i in range(9)]
    file.write_text("\n".join(["dataset,Ours_auc,SVM_auc,Ours_error,SVM_error", *body]))
    result = tb.check(file, claim="Ours")
    assert [(claim.score, claim.verdict) for claim in result.claims] == [
        ("auc", "supported"),
        ("error", "contradicted"),
    ]


def test_parts_of_a_latex_document_and_a_folder(tmp_path: Path, tables: dict[str, np.ndarray]) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "one.tex").write_text(clean(tables["clean"]))
    (tmp_path / "main.tex").write_text("\\input{tables/one}\n% \\input{tables/two}\n\\include{missing}\n" + SETTINGS)
    (tmp_path / "notes.md").write_text("No table here.\n")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "x.tex").write_text(clean(tables["clean"]))
    result = tb.check(tmp_path / "main.tex", claim="Ours")
    assert [(table.source, table.number, table.judged) for table in result.tables] == [
        ("main.tex", 1, False),
        ("one.tex", 1, True),
    ]
    folder = tb.check(tmp_path, claim="Ours")
    assert sorted((table.source, table.judged) for table in folder.tables) == [
        ("main.tex", False),
        (str(Path("tables") / "one.tex"), True),
    ]
    assert len(folder.without) == 1 and "notes.md" in folder.without[0]


def test_rows_and_macros_of_a_latex_document_in_several_files(tmp_path: Path, tables: dict[str, np.ndarray]) -> None:
    whole = clean(tables["clean"])
    (tmp_path / "whole.tex").write_text(whole)
    start, end = whole.index("\\midrule") + len("\\midrule"), whole.index("\\bottomrule")
    (tmp_path / "rows.tex").write_text(whole[start:end].replace("\\textbf", "\\best"))
    (tmp_path / "b.tex").write_text("\\input{main}")
    main = "\\newcommand{\\best}[1]{\\textbf{#1}}\n" + whole[:start] + "\n\\input{rows}\n" + whole[end:]
    (tmp_path / "main.tex").write_text(main)
    one, two = (tb.check(tmp_path / name, claim="Ours") for name in ("whole.tex", "main.tex"))
    assert [table.source for table in two.tables] == ["main.tex"]
    assert [claim.to_dict() for claim in one.claims] == [claim.to_dict() for claim in two.claims]
    assert [table.source for table in tb.check(tmp_path, claim="Ours").tables] == ["main.tex", "whole.tex"]


def test_what_is_no_document(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no document\. In a folder, files that end with"):
        tb.check(tmp_path)
    with pytest.raises(InputError, match="there is no such file"):
        tb.check(tmp_path / "none.tex")
    (tmp_path / "a.md").write_text("words\n")
    with pytest.raises(InputError, match=r"No table was found in a\.md"):
        tb.check(tmp_path / "a.md")
    (tmp_path / "b.md").write_text("words\n")
    with pytest.raises(InputError, match="None of the 2 documents"):
        tb.check(tmp_path)
    with pytest.raises(OptionError, match="alpha"):
        tb.check(tmp_path / "a.md", alpha=2)


def test_the_command_line(paper: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["check", str(paper), "--claim", "Ours"]) == 0
    assert capsys.readouterr().out.startswith("0 of 3 claims of paper.tex are supported by its numbers.\n\ntable ")
    assert main(["check", str(paper), "--claim", "Ours", "--full"]) == 0
    text = capsys.readouterr().out
    assert "Ours is called best by accuracy (as told); the numbers support it in part." in text
    assert "Table 4 of paper.tex" in text and "Not judged." in text and "How claims were judged" in text
    assert main(["check", str(paper), "--claim", "Ours", "--strict"]) == 1
    capsys.readouterr()
    assert main(["check", str(paper), "--claim", "Ours", "--claim", "RF", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["supported"] is False and data["claims"] == 6
    claim = data["tables"][0]["claims"][0]
    assert {item["name"]: item["verdict"] for item in claim["rivals"]} == {
        "SVM": "undecided",
        "RF": "better",
        "kNN": "better",
    }
    more = {item["name"]: item["more_datasets"] for item in claim["rivals"]}
    assert more["RF"] is None and more["SVM"] > 0
    out = tmp_path / "check.md"
    assert main(["check", str(paper), "--claim", "Ours", "-o", str(out)]) == 0
    assert "| Ours against |" in out.read_text() and "## Table 1 of paper.tex" in out.read_text()
    out = tmp_path / "check.tex"
    assert main(["check", str(paper), "--claim", "Ours", "-o", str(out)]) == 0 and r"\toprule" in out.read_text()


def test_strict_passes_where_all_is_supported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "good.md"
    rows = [f"| d{i} | **0.9{i}** | 0.8{i} | 0.7{i} |" for i in range(9)]
    file.write_text("\n".join(["| dataset | Ours | SVM | RF |", "|---|---|---|---|", *rows]))
    assert main(["check", str(file), "--score", "accuracy", "--strict"]) == 0
    assert main(["check", str(file), "--score", "accuracy", "--strict", "--claim", "nobody"]) == 1
    assert main(["check", str(tmp_path / "none.md")]) == 2


def test_what_is_read_can_be_told(paper: Path) -> None:
    [table] = tb.check(paper, claim="Ours", table=1, algorithms=["Ours", "RF"], datasets=SETS[:8]).tables
    [claim] = table.claims
    assert [rival.name for rival in claim.rivals] == ["RF"] and len(claim.comparison.datasets) == 8
    with pytest.raises(InputError, match=r"paper\.tex does not hold a table 9\."):
        tb.check(paper, table=9)
    with pytest.raises(OptionError, match=r"decimal is ';'"):
        tb.check(paper, decimal=";")
    [gone] = tb.check(paper, claim="Ours", table=1, algorithms=["Ours", "nobody"]).tables
    assert not gone.judged and "nobody" in gone.reason
    [remaining] = tb.check(paper, claim="Ours", table=1, keep_rows=True).tables
    assert remaining.read is not None and "Average" in remaining.read.results.datasets


def test_a_caveat_of_one_claim_says_whose(tmp_path: Path) -> None:
    file = tmp_path / "two.md"
    rows = [f"| d{i} | {0.9 - (i == 2) / 10} | 0.8{i} | 0.{7 + i % 2}0 |" for i in range(9)]
    file.write_text("\n".join(["| dataset | Ours | SVM | RF |", "|---|---|---|---|", *rows]))
    table = tb.check(file, claim=["Ours", "RF"], score="accuracy").tables[0]
    [first, second] = table.claims
    notes = [note for note in first.comparison.caveats if note not in second.comparison.caveats]
    assert all(f"Ours, accuracy: {note}" in table.caveats for note in notes)
    assert len(set(table.caveats)) == len(table.caveats)


def test_a_caption_and_bold_that_disagree(tmp_path: Path) -> None:
    """The caption speaks of what was trained on, not of what is shown: neither is believed against the other."""
    file = tmp_path / "loss.tex"
    body = "\n".join(rf"d{i} & \textbf{{0.9{i}}} & 0.8{i} \\" for i in range(9))
    head = r"\begin{tabular}{lrr} Data set & Ours & SVM \\ \hline"
    file.write_text(rf"\begin{{table}}\caption{{Results by loss.}}{head}{body}\end{{tabular}}\end{{table}}")
    [table] = tb.check(file).tables
    assert table.reason == (
        "The caption speaks of loss, where lower is better, but every result in bold is the highest there. The best"
        " algorithm would come out as the worst if one of them were believed wrongly. Name the score with score=...,"
        " or say higher_is_better=True or False."
    )
    assert tb.check(file, score="accuracy").claims[0].verdict == "supported"
    assert tb.check(file, higher_is_better=True).claims[0].verdict == "supported"
    assert tb.check(file, higher_is_better=False).claims[0].verdict == "contradicted"


@pytest.mark.parametrize(
    ("caption", "way"),
    [
        ("Accuracy with error bars.", True),
        ("Mean AUCs and standard errors; average ranks below.", True),
        ("Error rates of all methods.", False),
        ("Results (lower is better).", False),
        (r"Perf $\uparrow$", True),
    ],
)
def test_directions_that_captions_tell(caption: str, way: bool, tmp_path: Path) -> None:
    file = tmp_path / "t.tex"
    body = "\n".join(rf"d{i} & 0.9{i} & 0.8{i} \\" for i in range(9))
    head = r"\begin{tabular}{lrr} Data set & Ours & SVM \\ \hline"
    file.write_text(rf"\begin{{table}}\caption{{{caption}}}{head}{body}\end{{tabular}}\end{{table}}")
    table = tb.check(file, claim="Ours").tables[0]
    assert table.read is not None and list(table.read.directions.values()) == [way]
    assert table.claims[0].verdict == ("supported" if way else "contradicted")
    assert "read-as" in [note.code for note in table.caveats]
