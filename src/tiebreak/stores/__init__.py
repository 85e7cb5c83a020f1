"""The store: what was run, on what, and what came of it; SQLite by default, PostgreSQL by URL.

Rows in, rows out, no statistics. Everything is kept as text and numbers: nothing in a store is ever executed.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
