"""Draw one comparison by several programs in a column of 84 mm, side by side: python docs/figures/beside.py

It needs autorank, scikit-posthocs, aeon and critdd (with pdflatex and pdftoppm), none of which Tiebreak needs; a
program that is not there is left out, and said so. The pictures are beside-8.png and beside-25.png.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import numpy as np
from PIL import Image

import tiebreak as tb

mpl.use("agg")
from matplotlib import pyplot as plt  # after the choice of a backend

FOLDER, COLUMN, DPI = Path(__file__).parent, 84 / 25.4, 130
PAGE = r"""\documentclass{article}
\usepackage{pgfplots}
\pgfplotsset{compat=1.15}
\begin{document}
\setbox0=\hbox{PICTURE}
\pdfpagewidth=\wd0 \pdfpageheight=\dimexpr\ht0+\dp0\relax \pdfhorigin=0pt \pdfvorigin=0pt
\shipout\box0
\end{document}
"""
"""A page as large as the picture on it."""
FAMILIES = ("linear", "forest", "boosting", "nearest neighbours", "network")
"""Of which the 25 invented algorithms are variants."""


def invented() -> tb.Results:
    """Draw accuracies of 25 algorithms on 40 data sets."""
    rng = np.random.default_rng(7)
    names = [f"{family}, variant {i}" for family in FAMILIES for i in range(1, 6)]
    scores = 0.8 + np.linspace(0, 0.05, 25) + rng.normal(0, 0.04, (40, 25)) + rng.normal(0, 0.1, (40, 1))
    return tb.Results.from_array(np.clip(scores, 0, 1), score="accuracy", algorithms=names)


def by_tiebreak(comparison: tb.Comparison, path: Path) -> None:
    comparison.figure("cd").save(path.with_suffix(".pdf"), width="84mm", notes=False)
    _to_png(path)


def by_autorank(comparison: tb.Comparison, path: Path) -> None:
    import pandas as pd
    from autorank import autorank, plot_stats

    table = pd.DataFrame(comparison.scores, columns=list(comparison.algorithms))
    plot_stats(autorank(table, alpha=0.05, force_mode="nonparametric"), width=COLUMN, allow_insignificant=True)
    _save(path)


def by_posthocs(comparison: tb.Comparison, path: Path) -> None:
    import pandas as pd
    import scikit_posthocs as posthocs

    names = list(comparison.algorithms)
    table = pd.DataFrame(comparison.scores, columns=names)
    tested = posthocs.posthoc_nemenyi_friedman(table)
    _, axes = plt.subplots(figsize=(COLUMN, 0.6 + 0.13 * len(names)))
    posthocs.critical_difference_diagram(table.rank(axis=1, ascending=False).mean(), tested, ax=axes)
    _save(path)


def by_aeon(comparison: tb.Comparison, path: Path) -> None:
    from aeon.visualisation import plot_critical_difference

    plot_critical_difference(
        comparison.scores, list(comparison.algorithms), width=COLUMN, test="nemenyi", correction=None
    )
    _save(path)


def by_critdd(comparison: tb.Comparison, path: Path) -> None:
    from critdd import Diagram

    drawn = Diagram(comparison.scores, treatment_names=list(comparison.algorithms), maximize_outcome=True)
    picture = drawn.to_str(adjustment="holm", axis_options={"width": "55mm"})
    path.with_suffix(".tex").write_text(PAGE.replace("PICTURE", picture), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.with_suffix(".tex").name]
    subprocess.run(command, cwd=path.parent, check=True, stdout=subprocess.DEVNULL)
    _to_png(path)


PROGRAMS: dict[str, Callable[[tb.Comparison, Path], None]] = {
    "Tiebreak": by_tiebreak,
    "autorank": by_autorank,
    "scikit-posthocs": by_posthocs,
    "aeon": by_aeon,
    "critdd": by_critdd,
}


def _save(path: Path) -> None:
    """Keep what each program draws beyond its axes: its names."""
    plt.gcf().savefig(path, dpi=DPI, bbox_inches="tight", pad_inches=0.02)
    plt.close("all")


def _to_png(path: Path) -> None:
    command = [
        "pdftoppm",
        "-r",
        str(DPI),
        "-png",
        "-singlefile",
        str(path.with_suffix(".pdf")),
        str(path.with_suffix("")),
    ]
    subprocess.run(command, check=True)


def montage(made: dict[str, Path], target: Path) -> None:
    """Put the pictures beside each other, each shrunk to the column where it is wider, as a paper would."""
    images = {name: plt.imread(path) for name, path in made.items()}
    shown = {name: (COLUMN, image.shape[0] / image.shape[1] * COLUMN) for name, image in images.items()}
    for name, image in images.items():
        real = image.shape[1] / DPI
        if real < COLUMN:
            shown[name] = (real, image.shape[0] / DPI)
    high = max(tall for _, tall in shown.values()) + 0.35
    figure = plt.figure(figsize=(len(images) * (COLUMN + 0.2) + 0.2, high), facecolor="white")
    for i, (name, image) in enumerate(images.items()):
        wide, tall = shown[name]
        full = figure.get_size_inches()
        at = 0.2 + i * (COLUMN + 0.2)
        axes = figure.add_axes((at / full[0], (high - 0.3 - tall) / high, wide / full[0], tall / high))
        axes.imshow(image, interpolation="lanczos", aspect="auto")
        axes.set_axis_off()
        dpi = image.shape[1] / DPI / COLUMN
        text = f"{name}, shrunk to {1 / dpi:.0%}" if dpi > 1.02 else name
        figure.text(at / full[0], 1 - 0.2 / high, text, fontsize=9, weight="bold")
    figure.savefig(target, dpi=110)
    plt.close(figure)
    # few colours make a small file
    Image.open(target).convert("P", palette=Image.Palette.ADAPTIVE, colors=32).save(target, optimize=True)


def main() -> int:
    for results in (tb.published.ulas2012(), invented()):
        compare = tb.compare(results, score="accuracy", posthoc="nemenyi")
        made: dict[str, Path] = {}
        with tempfile.TemporaryDirectory() as folder:
            for name, draw in PROGRAMS.items():
                path = Path(folder) / f"{name}.png"
                try:
                    draw(compare, path)
                    made[name] = path
                except (ImportError, FileNotFoundError) as error:
                    print(f"{name} is left out: {error}", file=sys.stderr)
            montage(made, FOLDER / f"beside-{len(compare.algorithms)}.png")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
