from tiebreak.lab.driver import dry_run as dry_run, run as run
from tiebreak.lab.estimators import compare_estimators as compare_estimators, run_estimators as run_estimators
from tiebreak.lab.fitting import fit_learner as fit_learner
from tiebreak.lab.plans import Plan as Plan, read_plan as read_plan
