"""What a result says: parts once, and every way to write them."""

from tiebreak.documents.answer import Answer
from tiebreak.documents.escaping import one_line
from tiebreak.documents.framed import Framed, as_came_in
from tiebreak.documents.parts import Document, Table
from tiebreak.documents.shown import Shown
from tiebreak.documents.words import Row, listed, number, p_is

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
]
