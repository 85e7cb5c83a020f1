"""The margin of a gate: how much worse than the base a candidate may be and still pass; 0: it must be better."""

from __future__ import annotations

from dataclasses import dataclass

from tiebreak.errors import OptionError
from tiebreak.wording import option


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """How much worse still counts as good enough: `size` in units of the score, or as a share of that of the base."""

    size: float
    relative: bool = False

    def __str__(self) -> str:
        """Write it as it was given."""
        return f"{100 * self.size:g}%" if self.relative else f"{self.size:g}"


def read_margin(given: float | str | Margin | None) -> Margin | None:
    """Read a margin: 0.01 in units of the score, or "1%" of the score of the base; 0 asks for a better candidate.

    Examples
    --------
    >>> str(read_margin("1%")), read_margin(0.02).relative
    ('1%', False)
    """
    if given is None or isinstance(given, Margin):
        return given
    text = str(given).strip()
    relative = text.endswith("%")
    try:
        size = float(text.removesuffix("%")) / (100 if relative else 1)
    except ValueError:
        size = float("nan")
    if isinstance(given, bool) or not 0 <= size < float("inf"):
        raise OptionError(
            f"The margin is {given!r}.",
            why="It is how much worse the candidate may be and still be good enough.",
            mend=f"Use {option(margin=0.01)}, in units of the score, {option(margin='1%')} of that of the base, or"
            f" {option(margin=0)} to ask whether it is better.",
        )
    return Margin(size=size, relative=relative)
