"""Figures: data first, drawing second. Names are imported when they are first used.

Each function makes a figure, which is plain data, from a result; a figure writes SVG and TikZ by itself and draws, and
saves PDF and PNG, through matplotlib. Modules are called after the kinds of figure.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
