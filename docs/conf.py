"""Configuration of the documentation: `make docs` builds it to docs/_build, with warnings as errors."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import generate

import tiebreak

project = "Tiebreak"
author = "The Tiebreak authors"
copyright = "The Tiebreak authors"
version = release = tiebreak.__version__
extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx_design"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build"]
default_role = "literal"
add_module_names = False
smartquotes = False  # they would turn `--rule` in prose into a dash
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
html_theme = "pydata_sphinx_theme"
html_title = "Tiebreak"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "show_toc_level": 2,
    "navigation_depth": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
    "show_prev_next": False,
}
html_sidebars = {"index": [], "start": [], "generated/gallery": []}


def setup(_: object) -> None:
    """Write the pages that are made from records before Sphinx looks for sources."""
    generate.main()
