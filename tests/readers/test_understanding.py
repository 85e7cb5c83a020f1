"""One table in the shapes in which people keep it: each must give the same results."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from tiebreak import Results, read
from tiebreak.cli import main
from tiebreak.readers.explaining import explain
from tiebreak.readers.understanding import words

from ..every import every

ALGORITHMS = ("RF", "XGBoost", "SVM-RBF", "kNN", "NB")
DATASETS = ("abalone", "breast-w", "car", "credit-g", "iris", "letter", "vehicle")
RNG = np.random.default_rng(14)
TABLE = np.round(RNG.uniform(0.6, 0.99, (len(DATASETS), len(ALGORITHMS))), 4)
SDS = np.round(RNG.uniform(0.1, 4.0, TABLE.shape), 2)
GAPS = ((1, 2), (4, 0), (6, 4))

Rows = list[list[str]]


def rows(cell: Callable[[int, int], str], *, corner: str = "Dataset") -> Rows:
    body = [[name, *(cell(d, a) for a in range(len(ALGORITHMS)))] for d, name in enumerate(DATASETS)]
    return [[corner, *ALGORITHMS], *body]


def plain(d: int, a: int) -> str:
    return f"{TABLE[d, a]:.4f}"


def gap(word: str) -> Callable[[int, int], str]:
    return lambda d, a: word if (d, a) in GAPS else plain(d, a)


def text(table: Sequence[Sequence[str]], separator: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(table)
    return out.getvalue()


def best(d: int, a: int) -> bool:
    return int(TABLE[d].argmax()) == a


def markdown(table: Rows) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in table]
    return "\n".join([lines[0], "|" + "---|" * len(table[0]), *lines[1:]]) + "\n"


def latex(table: Rows, above: str = "") -> str:
    lines = [" & ".join(row) + r" \\" for row in table]
    body = "\n".join(
        [r"\begin{tabular}{lrrrrr}", r"\toprule", above, lines[0], r"\midrule", *lines[1:], r"\bottomrule"]
    )
    return r"\begin{table}" + "\n" + body + "\n" + r"\end{tabular}" + "\n" + r"\end{table}" + "\n"


def html(table: Rows) -> str:
    lines = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in table]
    return "<table>\n" + "\n".join(lines) + "\n</table>\n"


def aligned(table: Rows) -> str:
    return "\n".join("  ".join(f"{cell:>10}" for cell in row) for row in table) + "\n"


def transposed(table: Rows) -> Rows:
    return [list(row) for row in zip(*table, strict=True)]


def percent(d: int, a: int) -> str:
    return f"{100 * TABLE[d, a]:.2f}%"


def with_sd(mark: str) -> Callable[[int, int], str]:
    return lambda d, a: mark.format(f"{100 * TABLE[d, a]:.2f}", f"{SDS[d, a]:.2f}")


def comma(d: int, a: int) -> str:
    return plain(d, a).replace(".", ",")


def averaged(table: Rows) -> Rows:
    ranks = [["Avg. rank", *("2.5" for _ in ALGORITHMS)], ["W/T/L", *("3/1/3" for _ in ALGORITHMS)]]
    return [*table, ["Average", *(f"{column:.4f}" for column in TABLE.mean(axis=0))], *ranks]


def described(table: Rows) -> Rows:
    more = [["#inst", "#attr", "Type"], *([str(150 + 7 * d), str(4 + d), "real"] for d in range(len(DATASETS)))]
    return [[row[0], *extra, *row[1:]] for row, extra in zip(table, more, strict=True)]


def numbered(table: Rows, header: str) -> Rows:
    return [[header, *table[0]], *([str(i), *row] for i, row in enumerate(table[1:]))]


def marked(d: int, a: int) -> str:
    return f"**{plain(d, a)}**" if best(d, a) else plain(d, a) + ("*" if a == 2 else "")


def ranked(d: int, a: int) -> str:
    return f"{plain(d, a)} ({1 + int((TABLE[d] > TABLE[d, a]).sum())})"


def grouped() -> Rows:
    table = rows(plain)
    return [["", "Trees", "Trees", "Other", "Other", "Other"], ["", *ALGORITHMS], ["Dataset", *[""] * 5], *table[1:]]


def two_metrics() -> Rows:
    header = [
        ["Dataset", *(name for algorithm in ALGORITHMS for name in (algorithm, ""))],
        ["", *["accuracy", "time"] * 5],
    ]
    body = [
        [name, *(cell for a in range(len(ALGORITHMS)) for cell in (plain(d, a), str(10 + a)))]
        for d, name in enumerate(DATASETS)
    ]
    return [*header, *body]


def sd_columns() -> Rows:
    header = ["Dataset", *(name for algorithm in ALGORITHMS for name in (algorithm, f"{algorithm}_std"))]
    body = [
        [name, *(cell for a in range(len(ALGORITHMS)) for cell in (plain(d, a), "0.01"))]
        for d, name in enumerate(DATASETS)
    ]
    return [header, *body]


def long_rows(cell: Callable[[int, int], str]) -> Rows:
    body = [[d, a, cell(i, j), "note"] for i, d in enumerate(DATASETS) for j, a in enumerate(ALGORITHMS)]
    return [["Data set", "Method", "accuracy", "remark"], *body]


def merged_long() -> Rows:
    table = [row[:3] for row in long_rows(plain)]
    return [[("" if i % len(ALGORITHMS) else row[0]), *row[1:]] for i, row in enumerate(table[1:])]


SHAPES: dict[str, tuple[str, str]] = {
    "plain": ("t.csv", text(rows(plain))),
    "semicolons and commas": ("t.csv", text(rows(comma), ";")),
    "quoted commas": ("t.csv", text(rows(comma))),
    "tabs": ("t.tsv", text(rows(plain), "\t")),
    "pipes": ("t.csv", text(rows(plain), "|")),
    "spaces": ("t.txt", text([[name.replace(" ", "_") for name in row] for row in rows(plain)], " ")),
    "percent": ("t.csv", text(rows(percent))),
    "bold and stars": ("t.csv", text(rows(marked))),
    "unicode minus in another column": ("t.csv", text(rows(lambda d, a: "\u00a0" + plain(d, a) + " "))),
    "summaries": ("t.csv", text(averaged(rows(plain)))),
    "descriptions": ("t.csv", text(described(rows(plain)))),
    "everything at once": ("t.csv", text(averaged_described := described(rows(marked)), ";")),
    "pandas index": ("t.csv", text(numbered(rows(plain), ""))),
    "numbered": ("t.csv", text(numbered(rows(plain), "No."))),
    "families": ("t.csv", text(grouped())),
    "transposed": ("t.csv", text(transposed(rows(plain, corner="")))),
    "transposed, titled": ("t.csv", text(transposed(rows(percent, corner="Method")))),
    "ranks in brackets": ("t.csv", text(rows(ranked))),
    "title above": ("t.csv", "Table 3: accuracies\n\n" + text(rows(plain))),
    "sections": ("t.csv", text([*rows(plain)[:3], ["UCI", *[""] * 5], *rows(plain)[3:]])),
    "repeated header": ("t.csv", text([*rows(plain)[:4], rows(plain)[0], *rows(plain)[4:]])),
    "long and dirty": ("t.csv", text(long_rows(percent), ";")),
    "long with merged cells": ("t.csv", text([["dataset", "model", "accuracy"], *merged_long()])),
    "markdown": ("t.md", markdown(rows(marked))),
    "latex": ("t.tex", latex(rows(lambda d, a: rf"\textbf{{{plain(d, a)}}}" if best(d, a) else f"${plain(d, a)}$"))),
    "latex, titled": ("t.tex", latex(rows(plain), r" & \multicolumn{5}{c}{Algorithms} \\ \cmidrule{2-6}")),
    "html": ("t.html", html(rows(lambda d, a: f"<b>{plain(d, a)}</b>" if best(d, a) else plain(d, a)))),
    "aligned": ("t.txt", aligned(rows(plain))),
    "json lines": (
        "t.jsonl",
        "".join(json.dumps(dict(zip(rows(plain)[0], row, strict=True))) + "\n" for row in rows(plain)[1:]),
    ),
}


@every("shape", SHAPES)
def test_a_table_in_many_shapes(tmp_path: Path, shape: str) -> None:
    name, content = SHAPES[shape]
    (tmp_path / name).write_text(content, encoding="utf-8")
    result = read(tmp_path / name, scores="accuracy")
    assert set(result.algorithms) == set(ALGORITHMS)
    assert set(result.datasets) == set(DATASETS)
    order = (
        [list(DATASETS).index(name) for name in result.datasets],
        [ALGORITHMS.index(name) for name in result.algorithms],
    )
    assert result.means("accuracy").tolist() == TABLE[np.ix_(*order)].tolist()
    assert result.scores == ("accuracy",)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "latin-1"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    table = rows(plain)
    table[1][0] = "na\u00efve"
    bom = b"\xff\xfe" if encoding == "utf-16-le" else b""
    (tmp_path / "t.csv").write_bytes(bom + text(table).encode(encoding))
    assert "na\u00efve" in read(tmp_path / "t.csv").datasets


@pytest.mark.parametrize("mark", ["{}±{}", "{} +/- {}", "{} ({})", "{} $\\pm$ {}", "**{} ± {}**", "{} ± {}*"])
def test_standard_deviations_are_kept(mark: str) -> None:
    result = read(text(rows(with_sd(mark)), ";"), scores="accuracy")
    assert result.scores == ("accuracy",)
    assert result.spreads == ("accuracy_sd",)
    names = [list(DATASETS).index(name) for name in result.datasets], [ALGORITHMS.index(a) for a in result.algorithms]
    assert result.means("accuracy") == pytest.approx(100 * TABLE[np.ix_(*names)], rel=1e-12)
    assert result.means("accuracy_sd").tolist() == SDS[np.ix_(*names)].tolist()
    assert "with its standard deviation" in result.title()


def test_standard_deviations_in_columns_of_their_own() -> None:
    result = read(text(sd_columns()))
    assert result.algorithms == tuple(sorted(ALGORITHMS))
    assert set(result.values["score_sd"].tolist()) == {0.01}


@every("word", ["", "-", "—", "–", "N/A", "n/a", "?", "nan", "NA"])
def test_gaps(word: str) -> None:
    result = explain(text(rows(gap(word))), scores="accuracy")
    assert len(result.results.gaps("accuracy")) == len(GAPS)
    assert not result.to_dict()["failures"]
    assert "3 gaps: " in str(result)


@pytest.mark.parametrize("word", ["OOM", "timeout", "error", "✗", "T/O", "out of memory", ">24h"])
def test_failures_are_told_from_gaps(word: str) -> None:
    result = explain(text(rows(gap(word))), scores="accuracy")
    assert {(item["dataset"], item["algorithm"]) for item in result.to_dict()["failures"]} == {
        (DATASETS[d], ALGORITHMS[a]) for d, a in GAPS
    }
    assert f"3 failed runs: SVM-RBF on breast-w ({word})" in str(result)
    assert result.results.caveats[0].code == "run-failed"
    assert len(result.results.gaps("accuracy")) == len(GAPS)


def test_what_was_left_out_is_said_and_can_be_kept() -> None:
    table = text(averaged(described(rows(plain))[:1]) and described(rows(plain)))
    result = read(table, scores="accuracy")
    assert [str(note) for note in result.caveats] == [
        "the text: column 'Type' (column 4) left out: text, no results.",
        "the text: columns '#inst', '#attr' (column 2 ...) left out: description of the rows."
        " To keep them: algorithms=[...].",
    ]
    remaining = read(table, scores="rmse", algorithms=["RF", "#inst"])
    assert remaining.algorithms == ("#inst", "RF")
    summed = text(averaged(rows(plain))[:-1])
    assert [str(note) for note in read(summed).caveats] == [
        "the text: rows 'Average', 'Avg. rank' (line 9 ...) left out: summary of the others. To keep them:"
        " keep_rows=True."
    ]
    assert "Average" in read(summed, scores="rmse", keep_rows=True).datasets


def test_two_header_rows_of_algorithms_and_scores() -> None:
    result = read(text(two_metrics()))
    assert (result.scores, result.costs) == (("accuracy",), ("time",))
    turned = [[row[0], *row[1:]] for row in two_metrics()]
    turned[0] = ["Method", *(name for item in ("iris", "wine", "glass", "car", "zoo") for name in (item, ""))]
    turned = [*turned[:2], *([name, *row[1:]] for name, row in zip(ALGORITHMS, turned[2:], strict=False))]
    across = read(text(turned))
    assert across.datasets == ("car", "glass", "iris", "wine", "zoo")
    assert across.algorithms == tuple(sorted(ALGORITHMS))


def test_bold_cells_are_remembered() -> None:
    result = explain(text(rows(marked)), scores="accuracy").understood
    assert result is not None
    assert set(result.best) == {(DATASETS[d], ALGORITHMS[int(TABLE[d].argmax())]) for d in range(len(DATASETS))}


def test_rows_without_names_are_data_sets_or_folds_as_told() -> None:
    bare = text([row[1:] for row in rows(plain)])
    result = read(bare, columns={"dataset": "#"}, scores="accuracy")
    assert len(result.datasets) == len(DATASETS)
    folds = read(bare, columns={"fold": "#"}, scores="accuracy")
    assert (len(folds.datasets), len(folds.folds)) == (1, len(DATASETS))


def test_percent_100_stays_as_it_is() -> None:
    result = read(text(rows(lambda d, a: f"{100 * TABLE[d, a]:.2f}")), scores="accuracy")
    assert result.means("accuracy").max() > 1


@every(
    ("name", "kind"),
    [
        ("Average", "summary"),
        ("mean rank", "summary"),
        ("# wins", "summary"),
        ("Std. dev.", "summary"),
        ("mean-shift", ""),
        ("#Instances", "description"),
        ("No. of features", "description"),
        ("year", "description"),
        ("RF", ""),
    ],
)
def test_words(name: str, kind: str) -> None:
    assert words.is_summary(name) == (kind == "summary")
    assert (words.is_description(name) and not words.is_summary(name)) == (kind == "description")


def test_read_shows_how_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text(text(averaged(rows(gap("OOM")))), encoding="utf-8")
    out = tmp_path / "clean.csv"
    assert main(["read", str(tmp_path / "t.csv"), "--score", "accuracy", "-o", str(out)]) == 0
    message = capsys.readouterr().out
    assert message.startswith("t.csv: 7 data sets x 5 algorithms, 1 score per cell: accuracy (higher is better)\n")
    assert "It is in wide form: rows are data sets, columns are algorithms" in message
    assert "W/T/L" in message and "line 11" in message
    again, first = read(out, scores="accuracy"), read(tmp_path / "t.csv", scores="accuracy")
    assert np.array_equal(again.means("accuracy"), first.means("accuracy"), equal_nan=True)
    for name in ("long.csv", "clean.parquet"):
        assert (
            main(
                ["read", str(tmp_path / "t.csv"), "--score", "accuracy", "-o", str(tmp_path / name), "--long", "--json"]
            )
            == 0
        )
        data = json.loads(capsys.readouterr().out)
        assert data["form"] == "wide"
        assert [item["name"] for item in data["left_out"]] == ["Average", "Avg. rank", "W/T/L"]
        assert np.array_equal(read(tmp_path / name).means("accuracy"), first.means("accuracy"), equal_nan=True)


def test_every_verb_takes_the_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        text([["", *"uvwxyz"], *([name, *(f"0.{i}{j}" for j in range(6))] for i, name in enumerate("qrst"))])
    )
    assert main(["compare", str(path), "--score", "accuracy"]) == 2
    assert capsys.readouterr().err == (
        "tiebreak compare: It is not clear whether the rows of t.csv are data sets or algorithms (rows 'q', 'r', 's'"
        " and 1 more; columns 'u', 'v', 'w' and 3 more). No name and no title tells which. If"
        f' rows are data sets and columns algorithms: "{path}?transpose=no". If rows are algorithms and columns'
        f' data sets: "{path}?transpose=yes".\n'
    )
    for setting, count in (("yes", 4), ("no", 6)):
        assert main(["compare", f"{path}?transpose={setting}", "--score", "accuracy", "--json"]) == 0
        assert len(json.loads(capsys.readouterr().out)["algorithms"]) == count


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text(rows(percent))))
    assert main(["read", "-", "--score", "accuracy", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"] == "standard input"


def test_several_tables_of_one_file(tmp_path: Path) -> None:
    path = tmp_path / "paper.tex"
    other = latex([["Parameter", "Value"], ["depth", "5"], ["rate", "0.1"]])
    path.write_text(other + latex(rows(plain)))
    result = read(path)
    assert set(result.datasets) == set(DATASETS)
    assert result.caveats[-1] == "paper.tex: table 2 of 2 was read, the only one that can hold results."
    path.write_text(latex(rows(plain)) + latex(rows(percent)).replace("%", r"\%"))
    assert read(path, table=2).means("score").max() < 1
    with pytest.raises(
        ValueError, match=r"paper\.tex holds 2 tables of results: .* For table 1: table=1\. For table 2"
    ):
        read(path)


def test_results_with_standard_deviations_stack_and_select() -> None:
    one, two = read("dataset,RF,SVM\niris,0.9±0.1,0.8±0.1\n"), read("dataset,RF,SVM\nwine,0.9,0.8\n")
    from tiebreak import stack

    assert stack([one, two]).spreads == ()
    assert isinstance(one, Results)
    assert one.complete().spreads == ("score_sd",)


def test_folds_in_columns(tmp_path: Path) -> None:
    table = "dataset,algorithm,fold1,fold2,fold 3\niris,RF,0.9,0.8,0.7\niris,SVM,0.6,0.5,\n"
    (tmp_path / "t.csv").write_text(table)
    for source in (table, tmp_path / "t.csv"):
        result = read(source, scores="accuracy")
        assert result.folds == ("1", "2", "3")
        assert result.cube("accuracy")[0, 0, 0].tolist() == [0.9, 0.8, 0.7]
        assert any("fold1" in note for note in result.caveats)
    runs = read(table.replace("fold 3", "fold3").replace("fold", "seed"))
    assert (runs.replications, runs.scores) == (("1", "2", "3"), ("score",))
    assert read(tmp_path / "t.csv", plain=True).scores == ("fold 3", "fold1", "fold2")


def test_costs_of_any_shape(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("dataset,RF,SVM\niris,0.9,0.8\nwine,0.7,0.6\n")
    table = "| Method | iris | wine |\n|---|---|---|\n| RF | 1,200.5 | 1,000 |\n| SVM | 3 | OOM |\n"
    (tmp_path / "c.md").write_text(table)
    result = read(tmp_path / "s.csv", scores="accuracy", costs=tmp_path / "c.md")
    assert result.costs == ("cost",)
    assert result.means("cost")[0].tolist() == [1200.5, 3.0]


def test_a_row_for_every_metric() -> None:
    result = read("Dataset,Metric,RF,SVM\niris,acc,0.9,0.8\niris,f1,0.7,0.6\nwine,acc,0.5,0.4\nwine,f1,0.3,0.2\n")
    assert result.scores == ("acc", "f1")
    assert result.means("f1").tolist() == [[0.7, 0.6], [0.3, 0.2]]
    other = read("Dataset,Metric,RF,SVM\niris,auc,0.9,0.8\ncars,rmse,1200,1400\n")
    assert {name: metric.name for name, metric in other.metric_of.items()} == {"iris": "auc", "cars": "rmse"}


def test_means_among_folds_are_left_out(tmp_path: Path) -> None:
    rows = "".join(
        f"{d},{a},{fold},0.{i + 5}\n"
        for d in ("iris", "wine")
        for a in ("RF", "NB")
        for i, fold in enumerate(("1", "2", "mean"))
    )
    (tmp_path / "t.csv").write_text("dataset,algorithm,fold,accuracy\n" + rows)
    assert read(tmp_path / "t.csv").folds == ("1", "2")
    assert read(tmp_path / "t.csv", keep_rows=True).folds == ("1", "2", "mean")
