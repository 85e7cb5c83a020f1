"""Folding: figures of many algorithms draw the first and those that are named, and count the others."""

from __future__ import annotations

from collections.abc import Sequence

from tiebreak._checks import check_choice
from tiebreak.errors import OptionError
from tiebreak.wording import option


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


def folded_words(count: int, kept: Sequence[int]) -> str:
    """Say how many are folded; nothing where none is."""
    if not kept:
        return ""
    return f" {len(kept)} of {count} algorithms are drawn; rows with dots stand for the others."
