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
        method=(f"The algorithms were tried by active testing, on {found.resampling} of the data.",),
        papers=_papers(found),
        caveats=distinct((*found.caveats, *(() if found.ordering is None else found.ordering.caveats))),
        code=found.code.text if found.code is not None else "",
        code_heading=f"To fit {found.best} on all rows",
    )


def ended(found: TriedOut) -> list[str]:
    """Say why the trials ended, and what is left to gain."""
    why = f"After {found.seconds:.0f} of {found.budget:.0f} s the trials ended: {STOPPED[found.stopped]}."
    if not found.left:
        return [f"{why} Nothing of the list is left."]
    some = listed(found.left, most=8)
    if not any(trial.status == "ok" for trial in found.trials):
        return [f"{why} Not tried to the end: {some}."]
    gain = f"the most promising is expected to {found.judged.gained(found.expected_gain)}"
    more = f", all of them together {found.expected_together:.4f}" if len(found.left) > 1 else ""
    return [f"{why} Of those left ({some}) {gain}{more}."]


def _tables(found: TriedOut) -> list[Table]:
    tables = [table_of(found.rows(), "Trials", texts=frozenset({1, 2}))] if found.trials else []
    if found.ordering is not None:
        tables += found.ordering.document().tables[:2]
    return tables


def _notes(found: TriedOut) -> list[str]:
    said = []
    if found.trials:
        said.append(f"gain left: the {found.score} that the most promising of the rest was then expected to gain.")
    if found.ordering is not None:
        said += found.ordering.document().notes
    return [*said, f"The results are in {found.store}; the same command with more time goes on from there."]


def _papers(found: TriedOut) -> tuple[str, ...]:
    own = ("leite2012",)
    ranking = find(found.recommendation.ranking.name, "ranking").papers
    return tuple(dict.fromkeys((*own, *ranking, *(found.ordering.document().papers if found.ordering else ()))))
