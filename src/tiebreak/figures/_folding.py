"""Folding: figures of many algorithms draw the first and those that are named, and count the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from tiebreak._checks import check_choice
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.ladder import MOST_IN_COLUMN
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.figures._figure import Figure

Pair = TypeVar("Pair")
FEW_PAIRED = 6
"""Of so many algorithms all pairs fit a page."""


def kept_of(
    names: Sequence[str], top: int | None, show: Sequence[str] | str = (), *, usual: int = 15
) -> tuple[int, ...]:
    """Return the positions that are drawn: the first `top` and those named; empty where nobody is folded.

    `usual` is how many of the first a message proposes.

    Examples
    --------
    >>> kept_of(["a", "b", "c", "d"], 1, ["c"]), kept_of(["a", "b"], None)
    ((0, 2), ())
    """
    chosen = [show] if isinstance(show, str) else list(show)
    for name in chosen:
        check_choice("algorithm", name, names)
    if top is None:
        if chosen:
            raise OptionError(
                f"{option(show=chosen)} was given alone.",
                why="All algorithms are drawn as long as nothing says how many are.",
                mend=f"Add {option(top=usual)}.",
            )
        return ()
    if isinstance(top, bool) or not isinstance(top, int) or top < 1:
        raise OptionError(
            f"{option(top=top)} draws no algorithm.",
            why="It says how many of the first are drawn.",
            mend=f"Use {option(top=usual)}.",
        )
    wanted = set(chosen)
    kept = tuple(i for i, name in enumerate(names) if i < top or name in wanted)
    return kept if len(kept) < len(names) else ()


def first_pairs(pairs: tuple[Pair, ...], figure: Figure) -> tuple[Pair, ...]:
    """Return the pairs for which a figure has room: as many as it keeps, in a column at most those of its length."""
    most = len(figure.kept) or len(pairs)
    return pairs[: min(most, MOST_IN_COLUMN)] if figure.sheet.narrow else pairs[:most]


def pairs_lower(algorithms: int) -> str:
    """Say what makes a figure of pairs lower: fewer algorithms have fewer pairs; nothing where they are few already.

    Examples
    --------
    >>> pairs_lower(12), pairs_lower(4)
    ('top=6 draws the pairs of the first 6', '')
    """
    return f"{option(top=FEW_PAIRED)} draws the pairs of the first {FEW_PAIRED}" if algorithms > FEW_PAIRED else ""


def folded_words(count: int, kept: Sequence[int]) -> str:
    """Say how many are folded; nothing where none is."""
    if not kept or len(kept) == count:
        return ""
    return f" {len(kept)} of {count} algorithms are drawn; rows with dots stand for the others."
