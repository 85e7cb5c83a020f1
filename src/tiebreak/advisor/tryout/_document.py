"""What the trials say: which algorithm to use, why it ended, the order of those tried, and the code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tiebreak.advisor.tryout._tried_out import STOPPED
from tiebreak.caveats import distinct
from tiebreak.documents import Document, Table, listed
from tiebreak.documents.tabling import table_of
from tiebreak.methods import find

if TYPE_CHECKING:
    from tiebreak.advisor.tryout._tried_out import TriedOut


def document(found: TriedOut) -> Document:
    """Put together what trying out says."""
    said = (*found.verdict, *ended(found))
    return Document(
        title=found.title(),
        heading=f"Which algorithm to use on {found.dataset!r}",
        said=said,
        answer=found.verdict or said,
        decided=said,
        tables=tuple(_tables(found)),
        notes=tuple(_notes(found)),
        method=(f"Fits were chosen by the knowledge gradient per second, on {found.resampling} of the data.",),
        papers=_papers(found),
        caveats=distinct((*found.caveats, *(() if found.ordering is None else found.ordering.caveats))),
        code=found.code.text if found.code is not None else "",
        code_heading=f"To fit {found.best} on all rows",
    )


def ended(found: TriedOut) -> list[str]:
    """Say why the trials ended, and what the answer may lose."""
    why = f"After {found.seconds:.0f} of {found.budget:.0f} s the trials ended: {STOPPED[found.stopped]}."
    left = f" Not fitted on all folds: {listed(found.left, most=8)}." if found.left else ""
    return [
        f"{why}{left}",
        *([] if found.best is None else [found.judged.lost(found.expected_loss, found.loss_at_most)]),
    ]


def _tables(found: TriedOut) -> list[Table]:
    tables = [table_of(found.rows(), "Trials", texts=frozenset({1, 2}))] if found.trials else []
    if found.ordering is not None:
        tables += found.ordering.document().tables[:2]
    return tables


def _notes(found: TriedOut) -> list[str]:
    said = []
    if found.trials:
        said.append("expected loss: of the best so far against the best of the list, as expected then.")
    if found.ordering is not None:
        said += found.ordering.document().notes
    return [*said, f"The results are in {found.store}; the same command with more time goes on from there."]


def _papers(found: TriedOut) -> tuple[str, ...]:
    own = ("frazier2009",)
    ranking = find(found.recommendation.ranking.name, "ranking").papers
    return tuple(dict.fromkeys((*own, *ranking, *(found.ordering.document().papers if found.ordering else ()))))
