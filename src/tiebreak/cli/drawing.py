"""Options that draw a figure beside the output: where to, of which kind, how wide, in which letters and theme."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.cli.helping import WRITE, group
from tiebreak.cli.options import known_names
from tiebreak.documents import Shown
from tiebreak.errors import OptionError

if TYPE_CHECKING:
    from tiebreak.figures import Figure

_LOOKS = ("width", "height", "font", "font_size", "theme")
_FOLDED = ("top", "show")


def add_figure(
    verb: argparse.ArgumentParser,
    *,
    kinds: str = "cd, control, matrix, pvalues, scores, forest, forest-pairs",
    what: str = "also draw",
    top: bool = False,
) -> None:
    """Add the options that save a figure beside the output; `kinds` is empty where there is one kind only."""
    add = group(verb, WRITE).add_argument
    add("--figure", metavar="FILE", help=f"{what}: .svg, .tex (TikZ), .pdf or .png")
    if kinds:
        add("--figure-kind", metavar="KIND", help=kinds)
    else:
        verb.set_defaults(figure_kind=None)
    add("--width", metavar="LENGTH", help="of the figure: 84mm, 3.3in, 240pt, 390px, column (84 mm) or page (174 mm)")
    add("--height", metavar="LENGTH", help="at most, of a figure with --width (usual: 200mm); any draws all algorithms")
    add("--font", metavar="NAME", help="of the figure; a .tex takes the fonts of the paper")
    add("--font-size", type=float, metavar="PT", help="of names in the figure, 6 at least (default 9, narrow 8)")
    add("--theme", metavar="THEME", help="paper (usual), dark, or .svg that follows: page (around it), auto (system)")
    add("--no-notes", action="store_true", help="no words under the figure, for a caption of your own")
    if top:
        add("--top", type=int, metavar="N", help="draw the first N algorithms; the others are folded and counted")
        add("--show", metavar="A,B", help="with --top: draw these as well")


def check_figure(arguments: argparse.Namespace) -> None:
    """Refuse a figure that cannot be saved before anything is computed."""
    if not arguments.figure:
        _check_unused(arguments)
        return
    from tiebreak.figures import check_ending
    from tiebreak.figures.drawing.sheet import Sheet

    check_ending(Path(arguments.figure))
    Sheet().over(**_looks(arguments))


def _check_unused(arguments: argparse.Namespace) -> None:
    for name in ("figure_kind", *_LOOKS, *_FOLDED, "no_notes"):
        value = getattr(arguments, name, None)
        if value is not None and value is not False:
            dashed = f"--{name.replace('_', '-')}" + ("" if value is True else f" {value}")
            what = "which figure to save" if name == "figure_kind" else "how a figure looks"
            raise OptionError(
                f"{dashed} was given without --figure.",
                why=f"It says {what}, but not where.",
                mend="Add --figure figure.svg.",
            )


def _looks(arguments: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(arguments, name) for name in _LOOKS if getattr(arguments, name) is not None}


def save(figure: Figure, arguments: argparse.Namespace) -> None:
    """Save a figure as wide, in the letters and in the theme that were asked for."""
    looks, notes = _looks(arguments), not arguments.no_notes
    figure.save(arguments.figure, notes=notes, **looks)
    asked = figure.sized(**looks)
    drawn = asked.fitted(notes=notes)
    high = drawn.too_high(drawn.scene(notes=notes), notes=notes)
    for each in (*asked.left_out_of(drawn), *([] if high is None else [high])):
        print(f"Caveat: {each}", file=sys.stderr)


def save_figure(found: Shown, arguments: argparse.Namespace, **more: Any) -> None:
    """Save the figure that was asked for; `more` is what its kind takes beside what to fold."""
    if not arguments.figure:
        return
    folded = dict(more)
    if getattr(arguments, "top", None) is not None:
        folded["top"] = arguments.top
    if getattr(arguments, "show", None) is not None:
        folded["show"] = known_names(arguments.show, getattr(found, "algorithms", ()))
    save(found.figure(arguments.figure_kind, **folded), arguments)
