"""A document in text, Markdown, LaTeX and HTML: each kind of output knows its marks, none knows results."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from tiebreak.documents.layout import html_table, latex_table, markdown_table, text_table
from tiebreak.documents.parts import Document, Table
from tiebreak.documents.words import latex, markdown, one_line, safe

DECIDED = "How it was decided"
PREAMBLE = r"% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}"
_EQUATION = re.compile(r"\b(p|F|t|z|alpha|chi2)(?=(?:\([^()]*\))? (?:=|<) [-\d.])")
_SYMBOLS = {"alpha": r"$\alpha$", "chi2": r"$\chi^2$"}


def as_text(document: Document) -> str:
    """Lay a document out for a terminal."""
    if document.plain:
        tables = [text_table(table.header, table.body, texts=table.words) for table in document.tables]
        return _plain(document, tables, one_line)
    return _joined(document, _text_blocks, as_text)


def as_markdown(document: Document) -> str:
    """Lay a document out in Markdown."""
    if document.plain:
        tables = [f"\n{markdown_table(table.header, table.body, texts=table.words)}" for table in document.tables]
        return _plain(document, tables, markdown, before_notes="\n")
    return _joined(document, _markdown_blocks, as_markdown)


def as_latex(document: Document) -> str:
    """Lay a document out for LaTeX with the package booktabs: the sentence for the paper and the tables."""
    comments = [*([] if document.plain else document.references()), *document.caveats]
    blocks = (
        [f"% {one_line(document.title)}"]
        if document.plain
        else [PREAMBLE, latex_sentences((*document.first, *document.said)), ""]
    )
    for table in _printed(document):
        blocks += [f"\n% {one_line(table.caption)}"] if document.plain and table.caption else []
        written = latex_table(table.header, table.body, texts=table.words)
        blocks += [f"% {one_line(table.note)}" if table.note else written, *([] if document.plain else [""])]
    blocks += [f"{latex(note)}\n" for note in document.notes]
    blocks += code_latex(document)
    written = "\n".join([*blocks, *(f"% {one_line(comment)}" for comment in comments)])
    return "\n\n".join([written, *map(as_latex, document.more)])


def as_html(document: Document) -> str:
    """Lay a document out as a fragment of HTML, escaped."""
    text = f"<p>{safe(' '.join(document.said))}</p>" if document.said else ""
    tables = "".join(
        f"<p>{safe(table.note)}</p>"
        if table.note
        else html_table(table.header, table.body, texts=table.words, caption=table.caption if document.plain else "")
        for table in _printed(document)
    )
    notes = "".join(f"<li>{safe(note)}</li>" for note in (*document.notes, *document.caveats))
    tag = "p" if document.plain else "h3"
    first = f"<p>{safe(' '.join(document.first))}</p>" if document.first else ""
    fragment = f"{first}<{tag}>{safe(document.title)}</{tag}>{text}{tables}" + (f"<ul>{notes}</ul>" if notes else "")
    return fragment + code_html(document) + "".join(map(as_html, document.more))


def in_notebook(fragment: str) -> str:
    """Let what is wider than the cell of a notebook scroll by itself, and not with the page."""
    return f'<div style="max-width:100%;overflow-x:auto">{fragment}</div>'


def code_html(document: Document) -> str:
    """Return the lines of a program as HTML, escaped; empty where there are none."""
    lines = "\n".join(map(safe, document.code.splitlines()))
    return f"<p>{safe(document.code_heading)}:</p><pre><code>{lines}</code></pre>" if document.code else ""


def code_markdown(document: Document) -> list[str]:
    """Return the lines of a program for Markdown, between fences longer than any row of backquotes in it."""
    longest = max((len(result) for result in re.findall("`+", document.code)), default=0)
    fence = "`" * max(3, longest + 1)
    shown = [f"{markdown(document.code_heading)}:", "", f"{fence}python", document.code, fence]
    return shown if document.code else []


def code_latex(document: Document) -> list[str]:
    """Return the lines of a program for LaTeX; letters beyond ASCII as Python escapes, which mean the same there."""
    if not document.code:
        return []
    plain = document.code.encode("ascii", "backslashreplace").decode().replace(r"\end{", r"\end\x7b")
    return [f"{latex(document.code_heading)}:", r"\begin{verbatim}", plain, r"\end{verbatim}"]


CARD = (
    ".tb-card{border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-left-width:4px;border-radius:4px;"
    "padding:.5em 1em;margin:.5em 0;max-width:60em;color:inherit;overflow-wrap:anywhere}"
    ".tb-card dl{display:grid;grid-template-columns:minmax(7em,max-content) 1fr;gap:.3em 1em;margin:.5em 0}"
    ".tb-card dt{font-weight:600}.tb-card dd{margin:0}.tb-card dl>*{float:none!important;width:auto!important}"
    ".tb-card table{font-variant-numeric:tabular-nums}"
    ".tb-card ul{margin:.3em 0;padding-left:1.4em}.tb-card summary{cursor:pointer}"
    ".tb-card .tb-wide{overflow-x:auto;overflow-wrap:normal;word-break:normal}"
)
"""The look of a card: it takes the colours of the notebook around it, and touches nothing outside itself."""


def as_card(document: Document, *, figure: str = "") -> str:
    """Lay a document out as a compact card for a notebook: the answer in plain words, caveats, figure, tables."""
    rows = "".join(f"<dt>{safe(point.label)}</dt><dd>{safe(point.text)}</dd>" for point in document.points)
    texts = {point.text for point in document.points}
    order = "".join(f"<p>{safe(sentence)}</p>" for sentence in document.answer[:1] if sentence not in texts)
    notes = "".join(f"<li>{safe(note)}</li>" for note in document.caveats)
    tables = "".join(
        f"<p>{safe(table.note)}</p>" if table.note else html_table(table.header, table.body, texts=table.words)
        for table in _printed(document)
    )
    text = "".join(f"<p>{safe(sentence)}</p>" for sentence in (*document.said, *document.notes))
    first = f"<p>{safe(' '.join(document.first))}</p>" if document.first else ""
    drawn = f"<details open><summary>Figure</summary>{figure}</details>" if figure else ""
    folded = f'<summary>Tables and tests</summary><div class="tb-wide">{tables}</div>{text}'
    return (
        f'{first}<div class="tb-card"><style>{CARD}</style><b>{safe(document.title)}</b><dl>{rows}</dl>{order}'
        + (f"<details open><summary>Caveats</summary><ul>{notes}</ul></details>" if notes else "")
        + f"{drawn}<details>{folded}</details></div>"
        + "".join(map(as_html, document.more))
    )


def _plain(document: Document, tables: Sequence[str], quote: Callable[[object], str], *, before_notes: str = "") -> str:
    """Write title, tables and caveats without headings; tables that have captions stand apart under them."""
    under = (*document.notes, *document.caveats)
    notes = before_notes + "\n".join(_items(under, quote)) if under else ""
    captions = [f"{quote(table.caption)}\n" if table.caption else "" for table in document.tables]
    named = [caption + text for caption, text in zip(captions, tables, strict=True)]
    parts = [quote(document.title), *named, *([notes] if notes else [])]
    return ("\n\n" if any(table.caption for table in document.tables) else "\n").join(parts)


def latex_sentences(sentences: Iterable[str]) -> str:
    r"""Escape sentences and set their equations as mathematics.

    Examples
    --------
    >>> print(latex_sentences(["F(3, 39) = 3.69, p = 0.02 at alpha = 0.05."]))
    $F$(3, 39) = 3.69, $p$ = 0.02 at $\alpha$ = 0.05.
    """
    set_ = (
        _EQUATION.sub(lambda result: _SYMBOLS.get(result[1], f"${result[1]}$"), latex(sentence))
        for sentence in sentences
    )
    return " ".join(set_)


def _printed(document: Document) -> list[Table]:
    return [table for table in document.tables if table.in_text]


def _joined(document: Document, blocks: Callable[[Document], list[str]], whole: Callable[[Document], str]) -> str:
    """Put the blocks of a document, and the documents that belong to it, under one another."""
    return "\n\n".join([*(block for block in blocks(document) if block), *map(whole, document.more)])


def _text_blocks(document: Document) -> list[str]:
    """The steps are left out where they were the sentences already."""
    tables = [
        table.note
        or "\n".join([text_table(table.header, table.body, texts=table.words), *([table.after] if table.after else [])])
        for table in _printed(document)
    ]
    steps = [item for item in document.decided if item not in document.said]
    return [
        "\n".join(map(one_line, document.first)),
        one_line(document.title),
        "\n".join(map(one_line, document.said)),
        *tables,
        "\n".join(map(one_line, document.notes)),
        *(_listing(heading, items, one_line, ":") for heading, items in _lists(document, steps)),
        f"{one_line(document.code_heading)}:\n\n{document.code}" if document.code else "",
    ]


def _markdown_blocks(document: Document) -> list[str]:
    tables = [table.note or markdown_table(table.header, table.body, texts=table.words) for table in _printed(document)]
    steps = [item for item in document.decided if item not in document.said]
    return [
        " ".join(map(markdown, document.first)),
        f"## {markdown(document.title)}",
        " ".join(map(markdown, document.said)),
        *tables,
        "\n\n".join(map(markdown, document.notes)),
        *(_listing(heading, items, markdown, ":\n") for heading, items in _lists(document, steps)),
        "\n".join(code_markdown(document)),
    ]


def _lists(document: Document, steps: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    return [(DECIDED, steps), ("References", document.references()), ("Caveats", document.caveats)]


def _listing(heading: str, items: Sequence[str], quote: Callable[[object], str], colon: str) -> str:
    return "\n".join([f"{heading}{colon}", *_items(items, quote)]) if items else ""


def _items(items: Iterable[str], quote: Callable[[object], str]) -> list[str]:
    return [f"- {quote(item)}" for item in items]
