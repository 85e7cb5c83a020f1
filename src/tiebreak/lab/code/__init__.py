"""A learner of the lab as lines of Python that fit it on a whole file, for those who want to go on without us.

`fitting_code` puts the lines together; `calls` writes an estimator as the call that makes it, `tables` how its rows are
read.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.lab.code._fitting_code import FittingCode as FittingCode, fitting_code as fitting_code
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, {"_fitting_code": "FittingCode fitting_code"})
