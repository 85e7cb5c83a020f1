"""What to try next: the gain that each untried algorithm promises, by what the tried ones showed."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.trials._expected_gains import *
    from tiebreak.advisor.trials._trial_losses import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_expected_gains": "ExpectedGains STOP_BELOW expected_gains",
            "_trial_losses": "TrialLosses trial_losses",
        },
    )
