"""The ledger of the papers: a file per paper with its records, and what shows them."""

from tiebreak.studies.papers.ledger import PAPERS, paper

__all__ = ["PAPERS", "paper"]
