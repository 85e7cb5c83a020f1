"""Tables laid out in plain text, Markdown, LaTeX and HTML, with their cells escaped."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

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
