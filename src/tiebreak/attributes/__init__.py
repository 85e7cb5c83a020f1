"""What a data set looks like: the meta-attributes of Brazdil, Soares and Costa, and a wider set.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
