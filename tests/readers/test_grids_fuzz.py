"""Damaged, cut and multiplied files of every format: a grid or a message, never a traceback, in bounded memory."""

from __future__ import annotations

import gzip
import io
import random
import tracemalloc
import zipfile
from collections.abc import Iterator

import pandas as pd
import pytest

from tiebreak.errors import TiebreakError
from tiebreak.readers.grids import MOST_CELLS, grids_of

from ..every import every

FRAME = pd.DataFrame({"dataset": ["iris", "wine & co", "x_y"], "rf": [0.97, 0.5, None], "svm": [0.1, 12.5, 3.0]})
ENDINGS = ("", ".csv", ".tsv", ".txt", ".tex", ".md", ".html", ".json", ".jsonl", ".xlsx")
TIMES = 200
"""The most memory that a grid may take, as a multiple of its input; with 2 MB for small inputs."""


def seeds() -> dict[str, bytes]:
    text = FRAME.to_csv(index=False)
    result = {
        "csv": text.encode(),
        "semicolon": FRAME.to_csv(index=False, sep=";", decimal=",").encode("utf-16"),
        "tab": FRAME.to_csv(index=False, sep="\t").encode("cp1252"),
        "quoted": FRAME.to_csv(index=False, quoting=1).encode(),
        "latex": FRAME.to_latex(escape=True, caption="C").encode(),
        "longtable": FRAME.to_latex(escape=True, longtable=True).encode(),
        "macros": rb"\newcommand{\b}[2][x]{\textbf{#1}#2}\begin{tabular}{l}\multirow{2}{*}{a} & \b{$1_{\pm 2}$} \\ "
        rb"\hline & \multicolumn{2}{c}{\textcolor{red}{3}} \\ \end{tabular}",
        "html": FRAME.to_html().encode(),
        "spans": b"<table><tr><th rowspan=2 colspan=3>a<sup>1</sup><td><b>x</b></table>",
        "json": FRAME.to_json(orient="records").encode(),
        "lines": FRAME.to_json(orient="records", lines=True).encode(),
        "markdown": b"| d | **x** |\n|:--|--:|\n| a\\|b | $1 \\pm 2$ |\n| `c` | [l](u) |\n",
        "text": FRAME.to_string().encode(),
        "drawn": "┌───┬───┐\n│ a ┆ b │\n╞═══╪═══╡\n│ 1 ┆ 2 │\n└───┴───┘\n".encode(),
        "frame": b"+--+--+\n| a| b|\n+==+==+\n| 1| 2|\n+--+--+\n",
        "gzip": gzip.compress(text.encode()),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", text)
    result["zip"] = out.getvalue()
    return result


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Change bytes, cut, double, or put in pieces that mean something to some format."""
    pieces = rb"""{ } [ ] \ \\ & $ % " ' < > | , ; # ^ _ ~ \begin{tabular} \end{tabular} \textbf{ <table> <td> </td> <tr
    <!-- --> \multirow{9}{*}{ \multicolumn{99}{c}{ \newcommand{\a}{ {" [[ ** __ ` --- |--|""".split()
    made = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(made) + 1)
        kind = chance.randrange(5)
        if kind == 0 and made:
            made[place % len(made)] = chance.randrange(256)
        elif kind == 1:
            del made[place : place + chance.randint(1, 30)]
        elif kind == 2:
            made[place:place] = chance.choice(pieces) * chance.choice((1, 1, 2, 50))
        elif kind == 3:
            made[place:place] = made[max(0, place - 40) : place]
        else:
            made[place:place] = chance.choice((b"\n", b"\r", b"\0", b"\xff", b"\t", b"\xe2\x88\x92"))
    return bytes(made)


def read_quietly(data: bytes | str, name: str) -> None:
    try:
        for grid in grids_of(data, name=name):
            width = {len(row) for row in grid.rows}
            assert len(width) == 1
            assert len(grid.rows) * width.pop() <= MOST_CELLS
    except TiebreakError as error:
        problem = error
    else:
        return
    assert problem.mend


@every("kind", seeds())
def test_damaged_files(kind: str) -> None:
    chance = random.Random(kind)
    whole = seeds()[kind]
    for _ in range(60):
        read_quietly(damaged(whole, chance), f"t{chance.choice(ENDINGS)}")


PIECES = [
    *r"""{ } [ \ $ ^{ \textbf{ \a ** __ ` < <!-- <b> | -| -- & \\ " <table> <td> </td> <table><tr><td> $_ ^^ +-- ─┬ % [^
    ![ \begin{tabular} \begin{verbatim} \newcommand{\a}{ \def\a{\b} \multirow{2}{*}{ \iffalse \caption{
    &amp;""".split(),
    *("<a ", " -", "  x", "1 ", "\u0301"),
]


def hard() -> Iterator[tuple[str, str]]:
    """Yield texts that are made to take long, or much, or to nest."""
    n = 6_000
    for piece in PIECES:
        yield piece, piece * (n // len(piece))
        yield f"rows of {piece}", f"{piece},x;y\t|z & a \\\\\n" * (n // 20)
        yield f"table of {piece}", "\\begin{tabular}{ll}\n" + f"{piece * 50} & {piece} \\\\\n" * 20 + "\\end{tabular}\n"


@pytest.mark.parametrize("name", ["t.csv", "t.tex", "t.md", "t.html", "t.txt", "t.json"])
def test_texts_that_are_made_to_be_hard(name: str) -> None:
    for _, text in hard():
        read_quietly(text + "\n", name)


def test_memory_stays_below_a_multiple_of_the_input() -> None:
    for data in (
        b"a,b\n" + b"1,2\n" * 3_000,
        b"<table>" + b"<tr><td>1<td>2" * 1500,
        b"| a | b |\n|--|--|\n" + b"|1|2|\n" * 1500,
        b"[" + b"[1,2]," * 2500 + b"[1,2]]\n",
        b"\\begin{tabular}{l}" + b"1&2\\\\\n" * 1500 + b"\\end{tabular}",
    ):
        tracemalloc.start()
        try:
            read_quietly(data, "t")
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < TIMES * len(data) + 2e6
