"""Which algorithms differ: `compare`, and the parts that `order` and `multivariate` share with it."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.comparison._compare import compare as compare
    from tiebreak.comparison._comparison import Comparison as Comparison
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, {"_compare": "compare", "_comparison": "Comparison"})
