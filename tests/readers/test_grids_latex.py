r"""LaTeX tables: what the printed cell says, bold, spans, rules, captions, own macros."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from tiebreak.readers.grids import Grid, grids_of
from tiebreak.readers.grids.marks import tex_text

from ..every import every

ARTICLE = r"""
\documentclass{article}
\newcommand{\best}[1]{\textbf{#1}}
\newcommand{\ms}[2][0.1]{#2 $\pm$ #1}
\def\ours{Ours}
% \begin{tabular}{ll} commented & out \\ \end{tabular}
\begin{verbatim}
\begin{tabular}{ll} a & b \\ \end{tabular}
\end{verbatim}
\begin{table}[t]
  \caption[short]{Accuracy of \emph{all} methods (\%). \label{tab:a}}
  \begin{tabular*}{\textwidth}[t]{@{}l|cc|cc@{}}
  \toprule
  \multirow{2}{*}{Data \cite[p.~1]{x}} & \multicolumn{2}{c|}{Trees} & \multicolumn{2}{c}{Other} \\
  \cmidrule(lr){2-3} \cmidrule(lr){4-5}
   & RF & \begin{tabular}[c]{@{}c@{}}Extra\\Trees\end{tabular} & SVM$_1$ & \ours{} \\ % a & b
  \midrule
  iris & \best{95.2}\,\% & \ms{94.1} & $93.0_{0.3}$ & $\mathbf{96.1 \pm 0.2}$ \\[2pt]
  \rowcolor{gray!10} wine\_1 & 95.2\std{0.1} & $-$ & -- & \textcolor{red}{\underline{1{,}096}} \\ \hline
  \multirow{2}{*}{G\"odel \& co}
    & $1.2\times 10^{-3}$ & 3$^{*}$ & n/a & \rotatebox{90}{4.5} \\
    & 1 & 2 & 3 & {\bf 4} \\
  \bottomrule
  \end{tabular*}
\end{table}
\begin{longtable}{lr}
\caption{Long one} \\
\hline A & B \\ \hline \endfirsthead
\hline A & B \\ \hline \endhead
\multicolumn{2}{r}{continued} \\ \endfoot
\endlastfoot
x & 1 \\
y & 2 \\
\end{longtable}
"""


def texts(grid: Grid) -> list[list[str]]:
    return [[cell.text for cell in row] for row in grid.rows]


def test_an_article_with_two_tables() -> None:
    first, second = grids_of(ARTICLE, name="paper.tex")
    assert (first.caption, first.kind) == ("Accuracy of all methods (%).", "latex")
    assert texts(first) == [
        ["Data", "Trees", "Trees", "Other", "Other"],
        ["Data", "RF", "Extra Trees", "SVM1", "Ours"],
        ["iris", "95.2 %", "94.1 ± 0.1", "93.0 (0.3)", "96.1 ± 0.2"],
        ["wine_1", "95.2±0.1", "-", "–", "1,096"],
        ["Gödel & co", "1.2e-3", "3*", "n/a", "4.5"],
        ["Gödel & co", "1", "2", "3", "4"],
    ]
    bold = {(i, j) for i, row in enumerate(first.rows) for j, cell in enumerate(row) if cell.bold}
    assert bold == {(2, 1), (2, 4), (5, 4)}
    lines = ARTICLE.split("\n")
    for row, word in zip(first.rows, ("Trees", "Extra", "iris", "wine", "1.2", "& 1 &"), strict=True):
        assert word in lines[row[1].line - 1]
    assert second.caption == "Long one"
    assert texts(second) == [["A", "B"], ["x", "1"], ["y", "2"]]


@every(
    ("source", "text", "bold"),
    [
        (r"\textbf{85.2}", "85.2", True),
        (r"{\bfseries 85.2}", "85.2", True),
        (r"{\bf 85}.2", "85.2", True),
        (r"85.2\textbf{*}", "85.2*", False),
        (r"$\boldsymbol{85.2}$", "85.2", True),
        (r"\textbf{85.2} {\scriptsize $\pm$ 0.3}", "85.2 ± 0.3", True),
        (r"85.2{\tiny 0.3}", "85.2 0.3", False),
        (r"$85.2_{\pm 0.3}$", "85.2± 0.3", False),
        (r"$85.2^{\pm 0.3}$", "85.2± 0.3", False),
        (r"$85.2_{(0.3)}$", "85.2(0.3)", False),
        (r"85.2$^{1}$", "85.2^1", False),
        (r"85.2\textsuperscript{2}", "85.2^2", False),
        (r"85.2$^\dagger$", "85.2†", False),
        (r"85.2\foo{0.3}", "85.2 0.3", False),
        (r"F$_1$", "F1", False),
        (r"$R^2$", "R2", False),
        (r"Acc.~($\uparrow$)", "Acc. (↑)", False),
        (r"\num{0.85}", "0.85", False),
        (r"$-0.85$", "-0.85", False),
        (r"---", "—", False),
        (r"\ours", "ours", False),
        (r"\textsc{Na\"ive Bayes}~\citep{a,b}", "Naïve Bayes", False),
        (r"\cellcolor{blue!25}\textbf{1}", "1", True),
        (r"\cellcolor[HTML]{FFF}2", "2", False),
        (r"\phantom{0}5.2", "5.2", False),
        (r"\makecell{a\\b}", "a b", False),
        (r"\href{http://a_b}{SVM}", "SVM", False),
        (r"100\,000", "100 000", False),
        (r"a\$b\#c\{d\}", "a$b#c{d}", False),
        (r"\'{e}\v{s}\c c", "éšç", False),
        (r"{" * 200 + "x" + "}" * 200, "x", False),
        (r"x}}} y", "x y", False),
        (r"\SI{5.2}{\percent}", "5.2 %", False),
        (r"\resizebox{1cm}{!}{\textbf{7}}", "7", True),
    ],
)
def test_the_text_of_a_cell(source: str, text: str, bold: bool) -> None:
    assert tex_text(source) == (text, bold)


@pytest.mark.parametrize("kind", ["tabularx}{5cm", "tabulary}{5cm", "tabu", "tblr", "NiceTabular", "supertabular"])
def test_relatives_of_tabular(kind: str) -> None:
    name = kind.partition("}")[0]
    [grid] = grids_of(f"\\begin{{{kind}}}{{lr}}\na & b \\\\\n\\hline\nx & 1 \\tabularnewline\n\\end{{{name}}}\n")
    assert texts(grid) == [["a", "b"], ["x", "1"]]


def test_rows_without_a_tabular_around_them() -> None:
    [grid] = grids_of("d & rf \\\\\niris & \\textbf{0.9} \\\\\n")
    assert texts(grid) == [["d", "rf"], ["iris", "0.9"]]


def test_two_levels_of_headers_as_pandas_writes_them() -> None:
    columns = pd.MultiIndex.from_product([["Trees", "Other"], ["a", "b"]])
    frame = pd.DataFrame([[0.1, 0.2, 0.3, 0.4]] * 2, index=["iris", "wine"], columns=columns)
    [grid] = grids_of(frame.to_latex(float_format="%.1f", caption="C", label="l"))
    assert grid.caption == "C"
    assert texts(grid)[:3] == [
        ["", "Trees", "Trees", "Other", "Other"],
        ["", "a", "b", "a", "b"],
        ["iris", "0.1", "0.2", "0.3", "0.4"],
    ]
    [grid] = grids_of(frame.style.highlight_max(axis=None, props="textbf:--rwrap;").to_latex())
    assert [cell.bold for cell in grid.rows[2]] == [False, False, False, False, True]


def test_files_that_an_article_takes_in(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "paper.tex").write_text(
        "\\newcommand{\\best}[1]{\\textbf{#1}}\n\\input{tables/one}\n\\input{missing}\\input{../secret}\\include{paper.tex}\n"
        "\\begin{tabular}{ll}\nd & rf \\\\ \\midrule\n\\input{tables/rows.tex}\nlast & 3 \\\\\n\\end{tabular}\n"
    )
    (tmp_path / "tables" / "one.tex").write_text(
        "\\begin{tabular}{ll}\na & b \\\\\n\\hline\nx & \\best{1} \\\\\n\\end{tabular}"
    )
    (tmp_path / "tables" / "rows.tex").write_text("iris & 1 \\\\ % note\nwine & 2 \\\\\n")
    current, other = grids_of(tmp_path / "paper.tex")
    assert texts(current) == [["d", "rf"], ["iris", "1"], ["wine", "2"], ["last", "3"]]
    assert [row[0].line for row in current.rows] == [5, 6, 6, 7]
    assert (texts(other), other.source, other.rows[1][1].bold) == ([["a", "b"], ["x", "1"]], "tables/one", True)
