"""Studies: simulations and published experiments as runnable programs, `tiebreak study NAME` on the command line.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak.studies.advice_study import study_advice
from tiebreak.studies.advisor_evaluation import AdvisorStudy, evaluate_advisor
from tiebreak.studies.choices import study_choices
from tiebreak.studies.error_rates import ErrorRates, error_rates
from tiebreak.studies.order_study import OrderShares, order_shares
from tiebreak.studies.papers import paper
from tiebreak.studies.replicability_study import Replicability, replicability
from tiebreak.studies.single_several import measure_study
from tiebreak.studies.ulas2012 import Ulas2012Study, ulas2012_study
from tiebreak.studies.validation_orders import ValidationStudy, validation_study
from tiebreak.studies.win_study import win_matrices

__all__ = [
    "AdvisorStudy",
    "ErrorRates",
    "OrderShares",
    "Replicability",
    "Ulas2012Study",
    "ValidationStudy",
    "error_rates",
    "evaluate_advisor",
    "measure_study",
    "order_shares",
    "paper",
    "replicability",
    "study_advice",
    "study_choices",
    "ulas2012_study",
    "validation_study",
    "win_matrices",
]
