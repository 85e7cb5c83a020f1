"""The written formats where they are easy to get wrong: BibTeX, LaTeX of any name, hidden characters."""

from __future__ import annotations

import numpy as np

from tiebreak import Results, compare
from tiebreak.documents import one_line
from tiebreak.documents.words import latex, markdown

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
    for text in (result.to_html(), result.to_markdown()):
        assert not {"\u202e", "\u200b", "\ufeff"} & set(text)
        assert "U+202E" in text and "U+200B" in text and "U+FEFF" in text
