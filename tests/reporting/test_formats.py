"""The written formats where they are easy to get wrong: BibTeX, LaTeX of any name, long tables, hidden characters."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tiebreak import Results, compare, order, report, with_costs
from tiebreak.documents import Table, one_line
from tiebreak.documents.words import latex, markdown
from tiebreak.reporting import Report
from tiebreak.reporting.latex import HIGH, MOST_ROWS, _table

from ..every import every

NAMES = (
    r"<script>&100%_\input{x}$^~#",
    "λ-SVM ≤ Ω ± ∞ ά",
    "дерево решений",
    "決定木",
    "tree \N{EVERGREEN TREE}",
    "naïve Bayes, Łódź, Şahin, Ħ",
    "[a] --- \"b\" ''c'' ``d`` ?` !` <<e>>",
    "-- \u202eevil\u200b\ufeff",
    "*\N{COMBINING ACUTE ACCENT}e\N{COMBINING ACUTE ACCENT}…–—’“",
    "\N{MATHEMATICAL BOLD SMALL X}²½€",
)
NEEDED = {
    "article": {"author", "title", "journal", "volume", "pages", "year"},
    "book": {"author", "title", "publisher", "year"},
    "incollection": {"author", "title", "booktitle", "publisher", "year"},
    "phdthesis": {"author", "title", "school", "year"},
}
OTHERS = ("ulas2012", "yildiz2006", "alpaydin1999", "dietterich1998", "nadeau2003", "student1908", "girden1992")


def named_report(names: tuple[str, ...]) -> Report:
    rng = np.random.default_rng(0)
    errors = 0.3 + 0.02 * np.arange(len(names))[:, None, None] + rng.normal(0, 0.05, (12, len(names), 5, 2))
    table = Results.from_array(errors, score="error", algorithms=names)
    costs = Results.from_array(rng.random((12, len(names))), score="train_time", algorithms=names)
    return report(compare(table), order(with_costs(table, costs)), name=" / ".join(names))


@every(
    ("text", "written"),
    [
        ("é ł ş", "é ł ş"),
        ("e\N{COMBINING ACUTE ACCENT}", "é"),
        ("α≤β", r"\ensuremath{\alpha}\ensuremath{\leq}\ensuremath{\beta}"),
        ("木", "{}[U+6728]"),
        ("д", "{}[U+0434]"),
        ("a\N{EVERGREEN TREE}", "a[U+1F332]"),
        ("a---b", "a-{}-{}-b"),
        ("''", "'{}'"),
        ("?` !`", r"?\textasciigrave{} !\textasciigrave{}"),
        ("<<>>", r"\textless{}\textless{}\textgreater{}\textgreater{}"),
        (",,", ",{},"),
        ("−1 … –", r"\ensuremath{-}1 \ldots{} \textendash{}"),
        ("ħ", "{}[U+0127]"),
        ("ώ", r"\ensuremath{\omega}"),
    ],
)
def test_latex_of_a_text(text: str, written: str) -> None:
    assert latex(text) == written


def test_only_latin_letters_are_left_in_latex() -> None:
    everything = "".join(chr(code) for code in range(0x20, 0x3000)) + "".join(NAMES)
    assert max(latex(everything)) <= "\u017f"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on the PATH: install TeX Live (CI does)")
@pytest.mark.parametrize("names", [NAMES, tuple("abcdefghij")], ids=["any script", "long tables"])
def test_pdflatex_sets_a_report(tmp_path: Path, names: tuple[str, ...]) -> None:
    result = named_report(names)
    assert (names == NAMES) != ("longtable}{" in result.to_latex())
    result.save(tmp_path / "r.tex")
    call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "r.tex"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, timeout=100, check=False)
    log = (tmp_path / "r.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    wide = "" if names == NAMES else "|Overfull .hbox"  # a name of numbers for letters has no place to break a line
    assert re.findall(f"Missing character|Float too large{wide}", log) == []


def long_table(rows: int, words: str = "svm") -> Table:
    return Table(caption="Pairs", header=("pair", "p"), body=tuple((f"{words} {i}", "0.1") for i in range(rows)))


def test_a_long_table_goes_on_over_the_pages() -> None:
    short, long = ("\n".join(_table(long_table(rows))) for rows in (MOST_ROWS, MOST_ROWS + 1))
    assert r"\begin{table}" in short and "longtable" not in short
    assert r"\begin{longtable}{lr}" in long and r"\endhead" in long and r"\begin{table}" not in long
    assert long.count(r"pair & p \\") == 2
    assert all(rf"svm {i} & 0.1 \\" in long for i in range(MOST_ROWS + 1))


def test_a_long_table_too_wide_for_the_page_is_cut_into_tables_that_shrink() -> None:
    wide = "\n".join(_table(long_table(80, "w" * 120)))
    assert wide.count(r"\begin{table}") == wide.count(r"\resizebox") == wide.count(r"pair & p \\") == 3
    assert wide.count("Pairs (continued)") == 2
    assert all(rf" {i} & 0.1 \\" in wide for i in range(80))
    assert "longtable" not in "\n".join(_table(long_table(80, "д" * 15)))  # each is written as [U+0434]


def test_sentences_in_a_wide_table_are_broken_and_not_shrunk() -> None:
    reason = "before the tree: significantly better, though 3 times costlier; " * 3
    body = tuple((f"svm {i}", str(i), reason) for i in range(3))
    table = Table(caption="x", header=("algorithm", "place", "reason"), body=body, texts=frozenset({0, 2}))
    written = "\n".join(_table(table))
    assert r"\begin{longtable}{lr>{\raggedright\arraybackslash}p{0.8" in written and r"\resizebox" not in written


def test_figures_of_many_algorithms_keep_to_the_page_of_a_report() -> None:
    """They are laid out for the width of the text, and folded where the page has no room for all of them."""
    scores = np.random.default_rng(0).random((6, 60)) + np.arange(60) / 60
    results = Results.from_array(scores, score="error", algorithms=[f"gradient boosting {i:02}" for i in range(60)])
    text = compare(results, posthoc="nemenyi").report().to_latex()
    frames = re.findall(r"useasboundingbox \(0,0\) rectangle \(([\d.]+),([\d.]+)\)", text)
    assert len(frames) == 3 and all(float(wide) < 494 and float(high) < HIGH * 72 / 25.4 + 1 for wide, high in frames)
    drawn = re.findall(r"(\d+) of \d\d algorithms are drawn; rows with dots stand for the others", text)
    assert 45 < int(drawn[0]) < 60 and " others};" in text  # differences are of the first 20 anywhere
    assert r"\resizebox{!}{0.76\textheight}{\usebox{\drawn}}" in text


HIDDEN = [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF, 0xAD]


@every("code", HIDDEN)
def test_hidden_characters_are_shown(code: int) -> None:
    name = f"a{chr(code)}b"
    assert one_line(name) == f"a<U+{code:04X}>b"
    assert markdown(name) == f"a&lt;U+{code:04X}&gt;b"
    assert latex(name) == rf"a\textless{{}}U+{code:04X}\textgreater{{}}b"


def test_joiners_stay_and_line_breaks_go() -> None:
    assert one_line("a\u200db\u200cc") == "a\u200db\u200cc"
    assert one_line("a\nb\tc") == "a\ufffdb\ufffdc"


def test_hidden_characters_are_shown_in_every_format() -> None:
    scores = np.random.default_rng(0).random((12, 3))
    result = compare(
        Results.from_array(scores, score="error", algorithms=["a\u202eb", "c\u200bd", "e\ufefff"])
    ).report()
    for text in (result.to_html(), result.to_markdown(), result.to_latex()):
        assert not {"\u202e", "\u200b", "\ufeff"} & set(text)
        assert "U+202E" in text and "U+200B" in text and "U+FEFF" in text
