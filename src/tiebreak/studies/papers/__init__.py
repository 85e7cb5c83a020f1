"""The ledger of the papers: a file per paper with its records, and what shows them."""

from tiebreak.studies.papers.ledger import PAPERS, PaperLedger, PaperList, index, page, paper
from tiebreak.studies.papers.record import DIFFERS, ROUNDED, SAME, UNKNOWN, VERDICTS

__all__ = [
    "DIFFERS",
    "PAPERS",
    "ROUNDED",
    "SAME",
    "UNKNOWN",
    "VERDICTS",
    "PaperLedger",
    "PaperList",
    "index",
    "page",
    "paper",
]
