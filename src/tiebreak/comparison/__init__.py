"""Which algorithms differ: `compare`, and the parts that `order` and `multivariate` share with it.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
