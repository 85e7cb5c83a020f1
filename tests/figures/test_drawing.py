"""SVG, TikZ and matplotlib: well-formed, escaped, the same every time, and no global state touched."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import figure_examples as EX
import pytest

from tiebreak.caveats import Caveat
from tiebreak.documents.words import latex
from tiebreak.errors import InputError, OptionError
from tiebreak.figures.drawing.palette import two_sided
from tiebreak.figures.drawing.scene import Area, Circle, Line, Scene, Text
from tiebreak.figures.drawing.svg import to_svg
from tiebreak.figures.drawing.tikz import to_tikz

from ..every import every

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "rect", "polyline", "path", "polygon", "circle", "text"}
MAKERS = list(EX.MAKERS)


@every("theme", ["paper", "page"])
@every("kind", ["nasty", "unicode"])
@every("maker", MAKERS)
def test_svg_is_well_formed_and_names_are_only_text(maker: str, kind: str, theme: str) -> None:
    figure = EX.figure(maker, 8, kind)
    root = ET.fromstring(figure.to_svg(theme=theme))
    assert {node.tag for node in root.iter()} <= {SVG + tag for tag in ALLOWED}
    assert root.get("role") == "img" and root.find(SVG + "title") is not None and root.find(SVG + "desc") is not None
    assert not any(name.startswith("on") or "href" in name for node in root.iter() for name in node.attrib)
    text = "".join(root.itertext())
    assert (EX.NASTY if kind == "nasty" else "決定木") in text
    assert all(node.get("fill") != "none" for node in root.iter(SVG + "text"))
    colours = {node.get("fill") for node in root.iter()} | {node.get("stroke") for node in root.iter()}
    assert ("var(--tb-ink,currentColor)" in colours) == (theme == "page")


@every("maker", MAKERS)
def test_tikz_has_balanced_braces_and_escaped_names(maker: str) -> None:
    text = EX.figure(maker, 8, "nasty").to_tikz()
    drawn = [line for line in text.splitlines() if not line.startswith("%")]
    plain = re.sub(r"\\[{}]", "", "\n".join(drawn))
    assert plain.count("{") == plain.count("}")
    assert r"\input" not in plain and r"\textbackslash{}input\{x\}" in "\n".join(drawn)
    assert all(
        line.startswith((r"\begin", r"\end", r"\definecolor", r"\use", r"\draw", r"\path", r"\node")) for line in drawn
    )
    for line in drawn:
        assert not re.search(r"(?<!\\)[%&#_]", line), line


def test_every_primitive_is_written_in_full() -> None:
    scene = Scene(
        width=20,
        height=10,
        title="a < b",
        items=(
            Line(((0, 0), (5, 5)), dash=(2, 1), title="l"),
            Line(((0, 0), (1, 1)), opacity=0.5),
            Area(((0, 0), (1, 0), (1, 1)), fill="#112233", edge=1),
            Circle(1, 2, 3, fill="#445566", title="c"),
            Text(1, 2, "x & −1", bold=True, upwards=True, anchor="end", title="t"),
        ),
    )
    assert to_svg(scene) == (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="20pt" height="10pt" viewBox="0 0 20 10"'
        ' font-family="Helvetica, Arial, sans-serif">\n<title>a &lt; b</title>\n'
        '<rect width="100%" height="100%" fill="#ffffff"/>\n'
        '<polyline points="0,0 5,5" fill="none" stroke="#1b1f24" stroke-width="0.8" stroke-dasharray="2 1">'
        "<title>l</title></polyline>\n"
        '<polyline points="0,0 1,1" fill="none" stroke="#1b1f24" stroke-opacity="0.5" stroke-width="0.8"/>\n'
        '<polygon points="0,0 1,0 1,1" fill="#112233" stroke="#1b1f24" stroke-width="1"/>\n'
        '<circle cx="1" cy="2" r="3" fill="#445566"><title>c</title></circle>\n'
        '<text x="1" y="2" fill="#1b1f24" font-size="9" text-anchor="end" font-weight="bold"'
        ' transform="rotate(-90 1 2)"><title>t</title>x &amp; −1</text>\n</svg>\n'
    )
    assert to_tikz(scene).splitlines()[6:-1] == [
        r"\useasboundingbox (0,0) rectangle (20,10);",
        r"\draw[tb1b1f24, line width=0.8bp, dash pattern=on 2bp off 1bp] (0,0) -- (5,5);",
        r"\draw[tb1b1f24, line width=0.8bp, opacity=0.5] (0,0) -- (1,1);",
        r"\path[fill=tb112233, draw=tb1b1f24, line width=1bp] (0,0) -- (1,0) -- (1,1) -- cycle;",
        r"\path[fill=tb445566] (1,2) circle[radius=3bp];",
        r"\node[anchor=base east, text=tb1b1f24, font=\fontsize{9bp}{10.8bp}\selectfont\bfseries, rotate=90]"
        f" at (1,2) {{{latex('x & −1')}}};",
    ]


@every("maker", MAKERS)
def test_the_same_figure_is_written_the_same(maker: str) -> None:
    first, again = EX.figure(maker, 8, "long"), EX.MAKERS[maker](8, "long")
    assert first.to_svg() == again.to_svg() and first.to_tikz() == again.to_tikz()


@every("maker", MAKERS)
def test_a_figure_has_title_rows_and_a_picture_in_a_notebook(maker: str) -> None:
    figure = EX.figure(maker, 8, "nasty")
    assert figure.rows() and figure.title() and figure.notes()
    assert "<svg" in figure._repr_html_() and "<script" not in figure._repr_html_()
    assert figure.title() in str(figure)


def test_notes_and_caveats_stand_under_the_figure_unless_left_out() -> None:
    figure = replace(EX.figure("order", 8, "short"), caveats=(Caveat("tied-costs", "Mean costs tie."),))
    assert any(text.words.startswith("Caveat: ") for text in figure.scene().texts())
    bare = figure.scene(notes=False)
    assert bare.height < figure.scene().height and not any("Caveat" in text.words for text in bare.texts())


# ---- matplotlib


def test_drawing_restores_the_settings_and_uses_the_given_axes() -> None:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    axes = Figure(figsize=(4, 3)).add_subplot()
    before = dict(mpl.rcParams)
    assert EX.figure("cd", 8, "nasty").draw(axes) is axes
    assert dict(mpl.rcParams) == before
    words = {text.get_text() for text in axes.texts}
    assert EX.NASTY in words
    sizes = {text.get_fontsize() for text in axes.texts}
    assert max(sizes) < 9, "the scene is larger than the axes, so its letters shrink with it"


def test_names_with_dollars_are_not_read_as_mathematics() -> None:
    axes = EX.figure("cd", 8, "nasty").draw()
    assert not any(text.get_parse_math() for text in axes.texts)


@pytest.mark.parametrize("ending", ["pdf", "png"])
def test_letters_that_the_font_lacks_are_replaced_with_a_caveat_and_no_warning(tmp_path: Path, ending: str) -> None:
    figure = EX.figure("cd", 8, "unicode")
    figure.save(tmp_path / f"a.{ending}")
    words = [text.get_text() for text in figure.draw().texts]
    assert any("Überwälder-Ярус λ0 é���" in word for word in words) and not any("決" in word for word in words)
    assert any(word.startswith("Caveat: Some characters are not in the font that matplotlib draws") for word in words)
    assert not any("Some characters" in text.get_text() for text in EX.figure("cd", 8, "latin").draw().texts)
    assert "決定木" in figure.to_svg() and "Some characters" not in figure.to_svg()


def test_neither_importing_nor_drawing_loads_pyplot() -> None:
    code = (
        "import sys, tiebreak.figures as f; assert 'matplotlib' not in sys.modules and 'numpy' not in sys.modules\n"
        "from tiebreak.figures.drawing.svg import to_svg\n"
        "from tiebreak.figures.drawing.scene import Line, Scene\n"
        "scene = Scene(width=9, height=9, items=(Line(((0, 0), (9, 9))),), title='t'); to_svg(scene)\n"
        "assert 'matplotlib' not in sys.modules\n"
        "from tiebreak.figures.drawing.mpl import draw; draw(scene)\n"
        "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_matplotlib_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "tiebreak.figures.drawing.mpl", raising=False)
    with pytest.raises(OptionError) as error:
        EX.figure("cd", 8, "short").draw()
    assert str(error.value) == (
        "matplotlib is not installed. It draws into axes and writes PDF and PNG; SVG and TikZ are written without it."
        " Install it with `pip install 'tiebreak[figures]'`, or save as .svg or .tex."
    )


# ---- files


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.svg", b"<svg"), ("a.tex", b"% "), ("a.tikz", b"% "), ("a.pdf", b"%PDF"), ("a.PNG", b"\x89PNG")],
)
def test_the_ending_says_what_is_saved(tmp_path: Path, name: str, start: bytes) -> None:
    path = tmp_path / name
    EX.figure("cd", 4, "nasty").save(path)
    written = path.read_bytes()
    assert written.startswith(start)
    EX.figure("cd", 4, "nasty").save(str(path))
    assert path.read_bytes() == written


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError) as error:
        EX.figure("cd", 4, "short").save(tmp_path / "cd.jpeg")
    assert str(error.value) == (
        "A figure cannot be saved as 'cd.jpeg'. The ending says what to write, and must be one of .svg, .tex, .tikz,"
        " .pdf, .png. Use cd.svg."
    )


@pytest.mark.parametrize("name", ["a.svg", "a.png"])
def test_missing_folders_are_made(tmp_path: Path, name: str) -> None:
    path = tmp_path / "new" / "folder" / name
    EX.figure("cd", 4, "short").save(path)
    assert path.stat().st_size > 0


@pytest.mark.parametrize("name", ["a.svg", "a.png"])
def test_a_path_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.mkdir()
    with pytest.raises(InputError) as error:
        EX.figure("cd", 4, "short").save(path)
    assert str(error.value) == f"{path} cannot be written: Is a directory. Choose another path."


def test_the_two_sides_of_the_colours_differ_in_more_than_hue() -> None:
    assert two_sided(0) == "#ffffff" and two_sided(-1) != two_sided(1)
