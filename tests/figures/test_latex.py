"""TikZ figures in a paper of two columns: it compiles, no box is overfull, and every text is as narrow as measured."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tiebreak.documents import latex
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.metrics import text_width

EX = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("examples.py"))))
FONTS = {"computer modern": "", "times": r"\usepackage{mathptmx}"}
HEAD = r"""\documentclass[twocolumn,%s]{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage[textwidth=174mm,columnsep=6mm,textheight=240mm]{geometry}
\usepackage{tikz}
%s
\begin{document}
"""


def compiled(folder: Path, text: str) -> str:
    if shutil.which("pdflatex") is None:
        pytest.skip("There is no pdflatex here, which this test compiles a paper with.")
    (folder / "paper.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if "not found" in run.stdout and run.returncode:
        pytest.skip("A package of LaTeX that a paper needs is not here.")
    assert run.returncode == 0, run.stdout[-2000:]
    return (folder / "paper.log").read_text(errors="replace")


@pytest.mark.parametrize(("font", "size"), [("computer modern", "10pt"), ("times", "11pt")])
def test_a_paper_of_two_columns_with_every_figure_has_no_overfull_box(tmp_path: Path, font: str, size: str) -> None:
    parts = [HEAD % (size, FONTS[font])]
    for number, maker in enumerate(EX.MAKERS):
        count, kind = (8, "nasty") if number % 2 else (12, "latin")
        figure = EX.figure(maker, count, kind)
        for width, where in (("column", "figure"), ("page", "figure*") if number % 2 else ("84mm", "figure")):
            drawn = figure.to_tikz(width=width, notes=width == "column")
            parts.append(rf"\begin{{{where}}}[p]\noindent {drawn}\caption{{x}}\end{{{where}}}\clearpage")
    log = compiled(tmp_path, "\n".join([*parts, r"\end{document}"]))
    found = [line for line in log.splitlines() if line.startswith("Overfull \\hbox")]
    assert found == []
    assert "stands in less" not in log


@pytest.mark.parametrize("font", FONTS)
def test_no_text_is_wider_in_a_paper_than_it_was_measured(tmp_path: Path, font: str) -> None:
    texts = {
        (text.words, text.size, text.bold)
        for maker in EX.MAKERS
        for text in EX.figure(maker, 12, "latin").scene(width="column").texts()
        if text.words
    }
    listed = sorted(texts)
    lines = [HEAD % ("10pt", FONTS[font])]
    for words, size, bold in listed:
        weight = r"\bfseries" if bold else ""
        set_in = rf"\fontsize{{{size}bp}}{{{size}bp}}\selectfont{weight}"
        lines.append(rf"\sbox0{{{set_in} {latex(words)}}}\typeout{{WIDE \the\wd0}}")
    log = compiled(tmp_path, "\n".join([*lines, r"\end{document}"]))
    points = [float(each) * 72 / 72.27 for each in re.findall(r"^WIDE ([\d.]+)pt$", log, re.MULTILINE)]
    assert len(points) == len(listed) > 300
    wide = [
        (words, here, text_width(words, size, bold=bold))
        for (words, size, bold), here in zip(listed, points, strict=True)
        if here > text_width(words, size, bold=bold) + 0.3
    ]
    assert wide == []


def test_the_family_is_that_of_the_paper_unless_a_kind_is_asked_for() -> None:
    figure = EX.figure("cd", 5, "short")
    assert "family" not in figure.to_tikz() and r"font=\sffamily\fontsize" in figure.to_tikz(font="sans")
    with pytest.raises(OptionError) as error:
        figure.to_tikz(font="DejaVu Serif")
    assert str(error.value) == (
        "A TikZ figure cannot be set in 'DejaVu Serif'. It takes the fonts of the paper that it stands in. Leave font"
        " out, or use one of sans, sans-serif, serif, mono."
    )


def test_named_widths_stretch_to_the_lengths_of_the_paper() -> None:
    figure = EX.figure("cd", 5, "short")
    column, fixed = figure.to_tikz(width="column"), figure.to_tikz(width="84mm")
    assert r"[x=\columnwidth/238.11, y=-1bp" in column and r"\ifdim\columnwidth<230.97bp\PackageWarning" in column
    assert r"[x=\textwidth/493.23, y=-1bp" in figure.to_tikz(width="page")
    assert "[x=1bp, y=-1bp" in fixed and "columnwidth" not in fixed
