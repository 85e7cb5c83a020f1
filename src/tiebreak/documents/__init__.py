"""What a result says: parts once, and every way to write them."""

from tiebreak.documents.escaping import latex, markdown, one_line, safe, width
from tiebreak.documents.framed import Framed, as_came_in
from tiebreak.documents.layout import Bold, html_table, latex_table, markdown_table, text_table
from tiebreak.documents.parts import (
    SAVES,
    SENTENCE,
    USE,
    Check,
    Document,
    Picture,
    Point,
    Table,
    published_in,
    with_data,
)
from tiebreak.documents.shown import Shown
from tiebreak.documents.tabling import table_of
from tiebreak.documents.words import (
    Row,
    amount,
    confidence,
    finite,
    finite_rows,
    listed,
    number,
    p_is,
    pvalue,
    times,
    with_article,
)

__all__ = [
    "SAVES",
    "SENTENCE",
    "USE",
    "Bold",
    "Check",
    "Document",
    "Framed",
    "Picture",
    "Point",
    "Row",
    "Shown",
    "Table",
    "amount",
    "as_came_in",
    "confidence",
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
    "published_in",
    "pvalue",
    "safe",
    "table_of",
    "text_table",
    "times",
    "width",
    "with_article",
    "with_data",
]
