"""Studies: simulations and published experiments as runnable programs, `tiebreak study NAME` on the command line."""

from tiebreak.studies._advisor_tables import AdvisorStudy
from tiebreak.studies._rates import ErrorRates, Rate
from tiebreak.studies.advisor_evaluation import evaluate_advisor
from tiebreak.studies.error_rates import error_rates
from tiebreak.studies.single_several import SingleSeveral, measure_study, single_or_several

STUDIES = ("error-rates", "measures", "advisor")
"""The names that `tiebreak study` knows."""

__all__ = [
    "STUDIES",
    "AdvisorStudy",
    "ErrorRates",
    "Rate",
    "SingleSeveral",
    "error_rates",
    "evaluate_advisor",
    "measure_study",
    "single_or_several",
]
