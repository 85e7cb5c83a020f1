"""Outcomes on their way into the store: cells that end within a tenth of a second share one transaction.

A transaction waits for the disk, whatever it holds. An outcome that comes alone is stored at once; in a quick
succession, those that came since the last transaction wait for the next. A runner that is killed loses what waits, no
more than half a second of results: these cells are still claimed by a dead runner, and so are run again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tiebreak.lab.interrupts import ctrl_c_waits

if TYPE_CHECKING:
    from tiebreak.lab.tasks import CellOutcome
    from tiebreak.store.claims import Runner

PAUSE = 0.1
"""Seconds between two transactions."""
MOST = 1000
"""So many outcomes are stored at once, however quickly they came."""


class Storing:
    """Stores outcomes in batches, and passes on each that is stored.

    Parameters
    ----------
    runner : Runner
        Writes them.
    stored : callable
        Is given every outcome after it was stored.
    clock : callable
        The time in seconds; another one in tests.
    """

    def __init__(
        self, runner: Runner, stored: Callable[[CellOutcome], None], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._runner, self._stored, self._clock = runner, stored, clock
        self._waiting: list[CellOutcome] = []
        self._last = float("-inf")

    def add(self, outcome: CellOutcome) -> list[CellOutcome]:
        """Take an outcome; returns those that are stored now."""
        self._waiting.append(outcome)
        return self.look()

    def look(self) -> list[CellOutcome]:
        """Store what waits, if it is time; returns it."""
        due = len(self._waiting) >= MOST or self._clock() - self._last >= PAUSE
        return self.flush() if due else []

    def flush(self) -> list[CellOutcome]:
        """Store what waits, in one transaction that Ctrl-C does not break; returns it."""
        if not self._waiting:
            return []
        with ctrl_c_waits():
            batch, self._waiting = self._waiting, []
            self._runner.finish(batch)
            self._last = self._clock()
            for outcome in batch:
                self._stored(outcome)
        return batch
