"""What to try next: the gain that each untried algorithm promises, by what the tried ones showed."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.trials._expected_gains import (
        STOP_BELOW as STOP_BELOW,
        ExpectedGains as ExpectedGains,
        expected_gains as expected_gains,
    )
    from tiebreak.advisor.trials._trial_losses import trial_losses as trial_losses
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_expected_gains": "ExpectedGains STOP_BELOW expected_gains",
            "_trial_losses": "trial_losses",
        },
    )
