"""Rankings of algorithms from past results: by accuracy and time, by ranks, by wins, as portfolios.

`RANKING_METHODS` holds every method; a new one is a function, a record in `tiebreak.methods`, and how it is prepared,
in `methods`.
"""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
