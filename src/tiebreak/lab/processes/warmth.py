"""What a helper knows of a learner's warm-up, told by one child and used for the next."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from tiebreak.lab.tasks import AlgorithmSpec

NOTHING, IMPORTS, FIT = 0, 1, 2
MOST_MODULES = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Warmth:
    """How a child warms up before its first cell.

    `level` is FIT (a small copy of the learner is fitted), IMPORTS (what the learner imports is imported, the
    workers it will use are started) or NOTHING; `known` says that a child has tried it; `modules` are what it imported.
    """

    level: int = FIT
    known: bool = False
    modules: tuple[str, ...] = ()

    def colder(self, modules: tuple[str, ...] = ()) -> Warmth:
        """Return what to do after a warm-up that was broken off: less."""
        return replace(self, level=max(NOTHING, self.level - 1), known=True, modules=modules or self.modules)


def learner_key(spec: AlgorithmSpec) -> tuple[str, ...]:
    """Return what tells one learner from another, settings included: they may make a fit a thousand times longer."""
    settings, payload = repr(sorted(spec.settings.items())), hashlib.sha256(spec.payload).hexdigest()
    return spec.source, spec.path or spec.name, settings, payload
