"""Data sets that need no network: defined by a rule, a published table or a distribution."""

from __future__ import annotations

from tiebreak.data.generated.drawn import led, ringnorm, twonorm, waveform
from tiebreak.data.generated.exact import balance, monks, tictactoe, titanic

__all__ = ["balance", "led", "monks", "ringnorm", "tictactoe", "titanic", "twonorm", "waveform"]
