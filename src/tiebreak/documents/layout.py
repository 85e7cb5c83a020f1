"""Tables laid out in plain text, Markdown, LaTeX and HTML, with their cells escaped."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from math import isfinite, log10

from tiebreak.documents.escaping import latex, markdown, one_line, safe, width


class Bold(str):
    """A cell that is set in bold; in plain text, which has none, a star follows it.

    Examples
    --------
    >>> print(markdown_table(["a", "b"], [["x", Bold("14")]]))
    | a | b |
    | :-- | --: |
    | x | **14** |
    """

    __slots__ = ()


def _bold(quote: Callable[[str], str], mark: str) -> Callable[[str], str]:
    """Quote cells, and put the mark around those in bold."""
    return lambda cell: mark.format(quote(cell)) if isinstance(cell, Bold) and cell else quote(cell)


def _words(left: int, texts: Collection[int] | None) -> Collection[int]:
    return range(left) if texts is None else texts


def text_table(
    header: Sequence[str], body: Iterable[Sequence[str]], *, left: int = 1, texts: Collection[int] | None = None
) -> str:
    """Lay out a plain table; the first `left` columns, or those in `texts`, are left-aligned, the others right-aligned.

    Examples
    --------
    >>> print(text_table(["algorithm", "rank"], [["svm", "1.25"], ["tree", "10.5"]]))
    algorithm  rank
    svm        1.25
    tree       10.5
    """
    given = [list(row) for row in (header, *body)]
    starred = [any(isinstance(row[i], Bold) for row in given) for i in range(len(header))]
    star = _bold(one_line, "{}*")
    # a column with stars is as wide without one, so that its numbers stand below each other
    rows = [
        [star(cell) + (" " if starred[i] and not isinstance(cell, Bold) else "") for i, cell in enumerate(row)]
        for row in given
    ]
    widths = [max(width(row[i]) for row in rows) for i in range(len(header))]
    words = _words(left, texts)
    lines = []
    for row in rows:
        pads = [" " * (widths[i] - width(cell)) for i, cell in enumerate(row)]
        cells = [cell + pad if i in words else pad + cell for i, (cell, pad) in enumerate(zip(row, pads, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown_table(
    header: Sequence[str], body: Iterable[Sequence[str]], *, left: int = 1, texts: Collection[int] | None = None
) -> str:
    """Lay out a Markdown table with its cells escaped."""
    words = _words(left, texts)
    rule = [":--" if i in words else "--:" for i in range(len(header))]
    set_ = _bold(markdown, "**{}**")
    rows = [[set_(cell) for cell in row] for row in (header, *body)]
    rows.insert(1, rule)
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def latex_table(
    header: Sequence[str], body: Iterable[Sequence[str]], *, left: int = 1, texts: Collection[int] | None = None
) -> str:
    """Lay out a LaTeX tabular with booktabs rules and its cells escaped."""
    words = _words(left, texts)
    spec = "".join("l" if i in words else "r" for i in range(len(header)))
    set_ = _bold(latex, r"\textbf{{{}}}")
    rows = [" & ".join(map(set_, row)) + r" \\" for row in (header, *body)]
    rows.insert(1, r"\midrule")
    return "\n".join([rf"\begin{{tabular}}{{{spec}}}", r"\toprule", *rows, r"\bottomrule", r"\end{tabular}"])


SHORTEST, LOWEST = 8, 50
"""The shortest bar of a cost, and the longest of the lowest score, in per cent of the longest of all."""


def bar_lengths(values: Sequence[float | None], *, cost: bool) -> list[float]:
    """Return how long the bar of each value is, in per cent: costs by their logarithm; without a value there is none.

    Examples
    --------
    >>> bar_lengths([85.0, 80.0, None], cost=False), bar_lengths([1.0, 0.1, 0.01], cost=True)
    ([100.0, 50.0, 0.0], [100.0, 54.0, 8.0])
    """
    logs = [(log10(value) if value > 0 else None) if cost and value is not None else value for value in values]
    known = [log for log in logs if log is not None and isfinite(log)]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    in_proportion = 100.0 * low / high if high > 0 else SHORTEST  # bars of scores far apart begin at zero
    least = SHORTEST if cost else min(LOWEST, max(SHORTEST, in_proportion))
    return [
        0.0
        if log is None or not isfinite(log)
        else round(100.0 if high == low else least + (100 - least) * (log - low) / (high - low), 1)
        for log in logs
    ]


def html_bar(length: float, *, cost: bool = False, ends: tuple[float, float] | None = None) -> str:
    """Draw a bar of so many per cent for a cell of a table, with an interval where there is one."""
    span = f'<path class="ends" d="M{ends[0]:g} 4H{ends[1]:g}"/>' if ends else ""
    return (
        f'<span class="bars{" cost" if cost else ""}"><svg viewBox="0 0 100 8" preserveAspectRatio="none"'
        ' aria-hidden="true"><rect class="back" width="100" height="8" rx="4"/>'
        f'<rect width="{length:g}" height="8" rx="4"/>{span}</svg></span>'
    )


def html_table(
    header: Sequence[str],
    body: Iterable[Sequence[str]],
    *,
    left: int = 1,
    texts: Collection[int] | None = None,
    caption: str = "",
    label: str = "",
) -> str:
    """Lay out an HTML table with its cells escaped; a caption makes it a region that a keyboard can scroll.

    `label` names the region where the caption alone would not tell it from others.
    """
    words = _words(left, texts)

    set_ = _bold(safe, "<b>{}</b>")

    def cells(row: Sequence[str], tag: str) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        kinds = [' class="text"' if i in words else "" for i in range(len(row))]
        return "".join(f"<{tag}{scope}{kind}>{set_(cell)}</{tag}>" for kind, cell in zip(kinds, row, strict=True))

    named = f"<caption>{safe(caption)}</caption>" if caption else ""
    rows = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in body)
    table = f"<table>{named}<thead><tr>{cells(header, 'th')}</tr></thead><tbody>{rows}</tbody></table>"
    if not caption:
        return table
    return f'<div class="wide" tabindex="0" role="region" aria-label="{safe(label or caption)}">{table}</div>'
