"""What a result says: parts once, and every way to write them."""

from tiebreak.documents.escaping import latex, markdown, one_line, safe, width
from tiebreak.documents.layout import Bold, html_table, latex_table, markdown_table, text_table
from tiebreak.documents.parts import Check, Document, Picture, Table
from tiebreak.documents.shown import Shown, table_of
from tiebreak.documents.words import Row, finite, finite_rows, listed, number, p_is, pvalue, with_article

__all__ = [
    "Bold",
    "Check",
    "Document",
    "Picture",
    "Row",
    "Shown",
    "Table",
    "finite",
    "finite_rows",
    "html_table",
    "latex",
    "latex_table",
    "listed",
    "markdown",
    "markdown_table",
    "number",
    "one_line",
    "p_is",
    "pvalue",
    "safe",
    "table_of",
    "text_table",
    "width",
    "with_article",
]
