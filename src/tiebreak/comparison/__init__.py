"""Which algorithms differ: `compare`, and the parts that `order` and `multivariate` share with it.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.comparison.comparison import compare as compare
    from tiebreak.comparison.result import Comparison as Comparison
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, {"comparison": "compare", "result": "Comparison"})
