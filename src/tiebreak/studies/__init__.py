"""Studies: simulations and published experiments as runnable programs, `tiebreak study NAME` on the command line."""

from tiebreak.studies._rates import ErrorRates, Rate
from tiebreak.studies.error_rates import error_rates

STUDIES = ("error-rates",)
"""The names that `tiebreak study` knows."""

__all__ = ["STUDIES", "ErrorRates", "Rate", "error_rates"]
