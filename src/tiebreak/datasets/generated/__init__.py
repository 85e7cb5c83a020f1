"""Data sets that need no network: defined by a rule, a published table or a distribution."""

from __future__ import annotations

from tiebreak.datasets.generated.drawn import led, ringnorm, twonorm, waveform
from tiebreak.datasets.generated.exact import balance, monks, tictactoe, titanic

__all__ = ["balance", "led", "monks", "ringnorm", "tictactoe", "titanic", "twonorm", "waveform"]
