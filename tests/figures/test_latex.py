"""TikZ figures in a paper of two columns: it compiles, no box is overfull, and every text is as narrow as measured."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import figure_examples as EX
import pytest

from tiebreak.documents.words import latex
from tiebreak.figures import KINDS
from tiebreak.figures.drawing.scene import Box, Scene, Text
from tiebreak.figures.drawing.text import ASCENT, DESCENT
from tiebreak.figures.kinds import _FIGURES

FAMILIES = ("cmr", "ptm")
"""Computer Modern and Times, as LaTeX calls them."""
HEAD = r"""\documentclass[twocolumn,%s]{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage[textwidth=174mm,columnsep=6mm,textheight=250mm]{geometry}
\usepackage{tikz}
\begin{document}
"""


def compiled(folder: Path, text: str) -> str:
    if shutil.which("pdflatex") is None:
        pytest.skip("There is no pdflatex here, which this test compiles a paper with.")
    (folder / "paper.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "paper.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    printed = "".join(run.stdout.splitlines())  # its lines are broken at 79 letters, also in the middle of a word
    if run.returncode and ("not found" in printed or "not loadable" in printed):
        pytest.skip("A package or a font of LaTeX that a paper needs is not here.")
    if re.search(r"Font shape .\w+/(?:pcr|ptm)/.{0,20} undefined", printed):
        pytest.skip("A font of LaTeX that a paper needs is not here; another was taken instead.")
    assert run.returncode == 0, run.stdout[-2000:]
    return (folder / "paper.log").read_text(errors="replace")


def paper_scene(maker: str, count: int, kind: str, width: str) -> Scene:
    figure = EX.figure(maker, count, kind)
    return figure._scene_in_paper(figure.sheet.over(width=width), notes=True)


def test_a_paper_of_two_columns_with_every_figure_has_no_overfull_box(tmp_path: Path) -> None:
    shown = {type(EX.figure(maker, 5, "short")).__name__.lower() for maker in EX.MAKERS}
    made = {
        _FIGURES[result][kind].replace("_", "")
        for result in ("Comparison", "Ordering", "MultivariateComparison", "BayesianResult")
        for kind in KINDS[result]
    }
    made -= {"placediagram"}  # drawn as another kind
    assert made <= shown and "places" in EX.MAKERS, "a kind of figure is not in the paper"
    parts = [HEAD % "10pt"]
    for number, maker in enumerate(EX.MAKERS):
        count, kind = (5, "nasty") if number % 2 else (8, "latin")
        width, where = [("column", "figure"), ("page", "figure*"), ("84mm", "figure")][number % 3]
        drawn = EX.figure(maker, count, kind).to_tikz(width=width, notes=width == "column")
        parts.append(rf"\begin{{{where}}}[p]\noindent {drawn}\caption{{x}}\end{{{where}}}\clearpage")
    log = compiled(tmp_path, "\n".join([*parts, r"\end{document}"]))
    assert [line for line in log.splitlines() if line.startswith("Overfull \\hbox")] == []
    assert "stands in less" not in log and "Float too large" not in log


def test_letters_of_a_paper_overlap_nowhere_and_keep_to_the_column(tmp_path: Path) -> None:
    """The widths are those that LaTeX measures: small letters of Computer Modern are wider than those of screens."""
    scenes = [paper_scene(maker, count, "latin", "column") for maker in EX.MAKERS for count in (5, 12)]
    listed = [
        (family, text.words, text.size, text.bold)
        for scene in scenes
        for family in FAMILIES
        for text in scene.texts()
        if text.words
    ]
    listed = sorted(set(listed))
    lines = [HEAD % "10pt"]
    for family, words, size, bold in listed:
        weight = r"\bfseries" if bold else ""
        set_in = rf"\fontfamily{{{family}}}\fontsize{{{size}bp}}{{{size}bp}}\selectfont{weight}"
        lines.append(rf"\sbox0{{{set_in} {latex(words)}}}\typeout{{WIDE \the\wd0}}")
    log = compiled(tmp_path, "\n".join([*lines, r"\end{document}"]))
    points = [float(item) * 72 / 72.27 for item in re.findall(r"^WIDE ([\d.]+)pt$", log, re.MULTILINE)]
    assert len(points) == len(listed) > 600
    wide = dict(zip(listed, points, strict=True))
    for scene in scenes:
        for family in FAMILIES:
            texts = [text for text in scene.texts() if text.words]
            boxes = [box_in_paper(text, wide[family, text.words, text.size, text.bold]) for text in texts]
            assert EX.overlaps(boxes) == [], (scene.title, family)
            assert min(box[0] for box in boxes) > -0.3, (scene.title, family)
            assert max(box[2] for box in boxes) < scene.width + 0.3, (scene.title, family)


def box_in_paper(text: Text, width: float) -> Box:
    before = {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
    above, below = ASCENT * text.size, DESCENT * text.size
    if text.upwards:
        return text.x - above, text.y - width + before, text.x + below, text.y + before
    return text.x - before, text.y - above, text.x - before + width, text.y + below


def test_named_widths_stretch_to_the_lengths_of_the_paper() -> None:
    figure = EX.figure("cd", 5, "short")
    column, fixed = figure.to_tikz(width="column"), figure.to_tikz(width="84mm")
    assert r"[x=\columnwidth/238.11, y=-1bp" in column and r"\ifdim\columnwidth<230.97bp\PackageWarning" in column
    assert r"[x=\textwidth/493.23, y=-1bp" in figure.to_tikz(width="page")
    assert "[x=1bp, y=-1bp" in fixed and "columnwidth" not in fixed
