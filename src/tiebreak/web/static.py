"""The comparison page as static files that run in the browser alone, through Pyodide."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from tiebreak import __version__
from tiebreak.web.pages.contents import comparing
from tiebreak.web.pages.table import ASSETS, SHARED_STYLE, templates

_SCRIPTS = (
    "answer.js",
    "compare.js",
    "dom.js",
    "options.js",
    "problem.js",
    "saying.js",
    "understanding.js",
    "style.css",
    "icon.svg",
)
_PACKAGE = ASSETS.parent.parent
_LEFT_OUT = ("__pycache__", "lab", "trying", "studies", "assets", "templates")
"""Parts of the package that the page does not need."""


def write_static(folder: str | Path) -> str:
    """Write the page, its scripts, and the package itself into a folder; say what is still needed there.

    Parameters
    ----------
    folder : path
        Made if it is not there; files of the same names are replaced.

    Returns
    -------
    str
        What was written, and where Pyodide belongs.
    """
    place = Path(folder)
    assets = place / "assets"
    assets.mkdir(parents=True, exist_ok=True)
    for name in _SCRIPTS:
        shutil.copyfile(ASSETS / name, assets / name)
    for name in ("ask.js", "worker.js"):
        shutil.copyfile(ASSETS / "alone" / name, assets / name)
    shutil.copyfile(SHARED_STYLE, assets / "shared.css")
    told = {"pages": (), "page": None, "version": __version__, "root": "", "alone": True, "token": ""}
    text = templates().get_template("compare.html").render(told | comparing(None))
    (place / "index.html").write_text(text, encoding="utf-8")
    _pack(place / "tiebreak.zip")
    return (
        f"Wrote {place / 'index.html'}, its assets, and the package as {place / 'tiebreak.zip'}.\n"
        f"Put the files of Pyodide with its numpy and scipy into {place / 'pyodide'}, and serve the folder as files."
    )


def _pack(place: Path) -> None:
    """Put the package into an archive, without what the page does not need."""
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(_PACKAGE.rglob("*")):
            inside = path.relative_to(_PACKAGE.parent)
            if path.is_file() and not any(part in _LEFT_OUT for part in inside.parts[1:]):
                archive.write(path, inside.as_posix())
