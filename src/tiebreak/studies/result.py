"""What the results of all studies share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tiebreak.caveats import Caveats, codes_of
from tiebreak.documents import Shown


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class StudyResult(Shown):
    """The result of a study: its plain data are its settings, what it measured, and its caveats.

    `STUDY` is its name on the command line, `SETTINGS` are the fields that say how it was made.
    """

    STUDY: ClassVar[str]
    SETTINGS: ClassVar[tuple[str, ...]]

    caveats: Caveats = ()

    def measured(self) -> dict[str, Any]:
        """Return what the study measured, as plain data."""
        return {"rows": self.rows()}

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as `tiebreak study NAME --json` prints it."""
        settings = {name: getattr(self, name) for name in self.SETTINGS}
        return {
            "study": self.STUDY,
            **{name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()},
            **self.measured(),
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }
