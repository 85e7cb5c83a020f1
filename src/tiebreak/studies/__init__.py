"""Studies: simulations and published experiments as runnable programs, `tiebreak study NAME` on the command line."""

from tiebreak.studies._advisor_study import AdvisorStudy
from tiebreak.studies._order_shares import OrderShares
from tiebreak.studies._rates import ErrorRates
from tiebreak.studies._replicated import Replicability
from tiebreak.studies._ulas2012_study import Ulas2012Study
from tiebreak.studies._validation_study import ValidationStudy
from tiebreak.studies.advice_study import study_advice
from tiebreak.studies.advisor_evaluation import evaluate_advisor
from tiebreak.studies.choices import study_choices
from tiebreak.studies.error_rates import error_rates
from tiebreak.studies.order_study import order_shares
from tiebreak.studies.papers import paper
from tiebreak.studies.replicability_study import replicability
from tiebreak.studies.settled_early import settled_early
from tiebreak.studies.single_several import measure_study
from tiebreak.studies.ulas2012 import ulas2012_study
from tiebreak.studies.validation_orders import validation_study
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
    "settled_early",
    "study_advice",
    "study_choices",
    "ulas2012_study",
    "validation_study",
    "win_matrices",
]
