"""Caveats: sentences that qualify a result, each with a code that programs can rely on.

What a code means stands here once; the sentence that carries it is written where the numbers are known. No behaviour
hangs on the words of a sentence: whoever needs to know whether something was said asks for its code.
"""

from __future__ import annotations

from collections.abc import Iterable

TABLES: dict[str, str] = {}
"""What reading and selecting can say."""

STATS: dict[str, str] = {}
"""What the tests on plain arrays can say."""

DECIDING: dict[str, str] = {}
"""What comparing and ordering can say."""

ADVISOR: dict[str, str] = {}
"""What recommending, and judging recommendations, can say."""

LAB: dict[str, str] = {}
"""What preparing data sets and running learners can say."""

STUDIES: dict[str, str] = {}
"""What the studies can say."""

FIGURES: dict[str, str] = {}
"""What figures can say of what they leave out."""

CODES: dict[str, str] = {**TABLES, **STATS, **DECIDING, **ADVISOR, **LAB, **STUDIES, **FIGURES}
"""Every code with what it means."""


class Caveat(str):
    """One caveat: a sentence, with its code.

    Examples
    --------
    >>> CODES["example"] = "an example"
    >>> note = Caveat("example", "Only 4 data sets.")
    >>> note, note.code, note == "Only 4 data sets."
    ('Only 4 data sets.', 'example', True)
    >>> del CODES["example"]
    """

    __slots__ = ("code",)
    code: str

    def __new__(cls, code: str, text: str) -> Caveat:
        """Make a caveat; the code must be one that `CODES` explains."""
        if code not in CODES:
            raise KeyError(f"no caveat has the code {code!r}: add it to tiebreak.caveats with what it means")
        made = super().__new__(cls, text)
        made.code = code
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return Caveat, (self.code, str(self))

    def prefixed(self, words: str) -> Caveat:
        """Return the same caveat with words before it, such as the data set it is about."""
        return Caveat(self.code, f"{words}{self}")


Caveats = tuple[Caveat, ...]
"""What a result holds."""


def distinct(caveats: Iterable[Caveat]) -> Caveats:
    """Return each caveat once, in the order of first appearance."""
    return tuple(dict.fromkeys(caveats))


def codes_of(caveats: Iterable[Caveat]) -> list[str]:
    """Return the codes, each once, as JSON gives them beside the sentences."""
    return list(dict.fromkeys(caveat.code for caveat in caveats))
