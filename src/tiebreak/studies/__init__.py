"""Studies: simulations and published experiments as runnable programs, `tiebreak study NAME` on the command line."""

from tiebreak.studies._advisor_study import AdvisorStudy
from tiebreak.studies._order_shares import OrderCurve, OrderShares
from tiebreak.studies._rates import ErrorRates, Rate
from tiebreak.studies._replicated import Replicability
from tiebreak.studies._ulas2012_study import Ulas2012Study
from tiebreak.studies._validation_study import ValidationStudy
from tiebreak.studies.advice_study import AdviceStudy, study_advice
from tiebreak.studies.advisor_evaluation import evaluate_advisor
from tiebreak.studies.advisor_material import read_counted, with_origins
from tiebreak.studies.choices import ChoiceCell, ChoiceStudy, GrowthPaths, study_choices
from tiebreak.studies.error_rates import error_rates
from tiebreak.studies.order_study import order_shares
from tiebreak.studies.papers import PaperLedger, PaperList, paper
from tiebreak.studies.replicability_study import replicability
from tiebreak.studies.settled_early import SettledEarly, settled_early
from tiebreak.studies.single_several import SingleSeveral, measure_study, single_or_several
from tiebreak.studies.ulas2012 import ulas2012_study
from tiebreak.studies.validation_orders import validation_study
from tiebreak.studies.win_study import WinMatrices, win_matrices

__all__ = ["AdvisorStudy", "ErrorRates", "Rate", "SettledEarly", "SingleSeveral", "error_rates", "evaluate_advisor"]
__all__ += ["AdviceStudy", "study_advice"]
__all__ += ["measure_study", "read_counted", "settled_early", "single_or_several", "with_origins"]
__all__ += ["OrderCurve", "OrderShares", "order_shares"]
__all__ += ["Ulas2012Study", "ValidationStudy", "ulas2012_study", "validation_study"]
__all__ += ["PaperLedger", "PaperList", "paper"]
__all__ += ["Replicability", "WinMatrices", "replicability", "win_matrices"]
__all__ += ["ChoiceCell", "ChoiceStudy", "GrowthPaths", "study_choices"]
