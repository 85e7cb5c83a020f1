"""What a result says: parts once, and every way to write them."""

from tiebreak.documents.parts import Document, Table, table_of_verb
from tiebreak.documents.shown import Answer, Framed, Shown, as_came_in
from tiebreak.documents.words import Row, listed, number, one_line, p_is

__all__ = [
    "Answer",
    "Document",
    "Framed",
    "Row",
    "Shown",
    "Table",
    "as_came_in",
    "listed",
    "number",
    "one_line",
    "p_is",
    "table_of_verb",
]
