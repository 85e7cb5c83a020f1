"""Which way a table lies: data sets in rows, as usual, or algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak.errors import quoted
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.problems import Problem, Way
from tiebreak.wording import option

_CLEAR = 3.0
"""One side is believed although the other has something to say where its weight is so many times larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """What speaks for data sets in rows, and what for algorithms: sentences with their weights."""

    datasets: tuple[tuple[str, float], ...]
    algorithms: tuple[tuple[str, float], ...]

    @property
    def transposed(self) -> bool | None:
        """Whether rows are algorithms; None where nothing, or too much, speaks for both."""
        usual, other = (sum(weight for _, weight in side) for side in (self.datasets, self.algorithms))
        if usual == other == 0:
            return None
        if usual >= _CLEAR * other:
            return False
        return True if other >= _CLEAR * usual else None

    def said(self, *, transposed: bool) -> tuple[str, ...]:
        """Return the sentences for one reading."""
        return tuple(text for text, _ in (self.algorithms if transposed else self.datasets))


def axes_of(
    *,
    corner: str,
    rows: Sequence[str],
    columns: Sequence[str],
    above: Sequence[str] = (),
    summary_rows: Sequence[str] = (),
    summary_columns: Sequence[str] = (),
    descriptions: Sequence[str] = (),
) -> Axes:
    """Weigh names, titles and summaries; `above` are titles over all columns, such as 'Methods'.

    Examples
    --------
    >>> axes_of(corner="", rows=["RF", "SVM"], columns=["iris", "wine"]).transposed
    True
    >>> axes_of(corner="", rows=["u", "v"], columns=["w", "x"]).transposed is None
    True
    """
    usual: list[tuple[str, float]] = []
    other: list[tuple[str, float]] = []
    title = words.titled(corner)
    if title:
        (usual if title == "dataset" else other).append((f"the first column is called {corner!r}", 4.0))
    elif (first := words.titled_both(corner)) is not None:  # the usual order, which nobody is bound to
        (usual if first == "dataset" else other).append((f"{corner!r} stands in the corner", 1.5))
    for text in above:
        if (named := words.titled(text)) is not None:
            (usual if named == "algorithm" else other).append((f"{text!r} stands over the columns", 4.0))
    for names, place, sides in ((rows, "rows", (usual, other)), (columns, "columns", (other, usual))):
        for role, side in zip(("dataset", "algorithm"), sides, strict=True):
            known = [name for name in names if words.known_as(name) == role]
            if known and len(known) * 2 > sum(words.known_as(name) is not None for name in names):
                kind = "data sets" if role == "dataset" else "algorithms"
                sure = [name for name in known if not words.is_generic(name)]
                side.append(
                    (
                        f"{quoted(known, limit=3)} in {place} are known {kind}",
                        2.0 if len(sure) > 1 else 0.5 + 0.5 * len(sure),
                    )
                )
    if summary_rows and not summary_columns:
        usual.append((f"rows are summed up in {quoted(summary_rows, limit=3)}", 1.0))
    if summary_columns and not summary_rows:
        other.append((f"columns are summed up in {quoted(summary_columns, limit=3)}", 1.0))
    if descriptions:
        usual.append((f"rows are described as data sets by {quoted(descriptions, limit=3)}", 2.0))
    return Axes(datasets=tuple(usual), algorithms=tuple(other))


def unclear_axes(axes: Axes, *, rows: Sequence[str], columns: Sequence[str]) -> Problem:
    """Word the question which way a table lies, with both answers as commands."""
    told = [*(f"{text} (data sets in rows)" for text, _ in axes.datasets)]
    told += [f"{text} (algorithms in rows)" for text, _ in axes.algorithms]
    why = f"What there is speaks for both: {'; '.join(told)}." if told else "No name and no title tells which."
    return Problem(
        one="It is not clear whether the rows of {source} are data sets or algorithms (" + "{place}).",
        many="{source}: {places}.",
        places=(f"rows {quoted(rows, limit=3)}; columns {quoted(columns, limit=3)}",),
        why=f"{why} The answer would be another one.",
        ways=(
            Way(when="If rows are data sets and columns algorithms", say=option(transpose=False)),
            Way(when="If rows are algorithms and columns data sets", say=option(transpose=True)),
        ),
    )
