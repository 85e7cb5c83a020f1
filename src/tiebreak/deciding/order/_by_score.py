"""An order without costs: where no test decides, the mean score does, which is no evidence and is said to be none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tiebreak.caveats import Caveat, distinct
from tiebreak.deciding.order._multi2test import Multi2Test
from tiebreak.deciding.order._ordering import Ordering
from tiebreak.deciding.order._over_items import OverItems
from tiebreak.deciding.order._over_scores import OverScores
from tiebreak.deciding.order._reasons import BY_SCORE


def by_score(found: Ordering) -> Ordering:
    """Order again with the mean score in the place of costs; algorithms with the same mean stand by name.

    Examples
    --------
    >>> import tiebreak as tb
    >>> results = tb.published.demsar2006()
    >>> found = by_score(tb.order(results, prior=results.algorithms))
    >>> found.order, found.explain("C4.5+m+cf", "C4.5+m").partition(". ")[0]
    (('C4.5+m+cf', 'C4.5+m', 'C4.5+cf', 'C4.5'), 'C4.5+m+cf stands before C4.5+m: not told apart, higher in mean score')
    """
    procedure = found.procedure
    assert isinstance(procedure, (Multi2Test, OverScores, OverItems))
    means = np.round(found.table.valued.mean(axis=0), 12)
    sequence = sorted(range(len(means)), key=lambda i: (float(means[i]), found.algorithms[i]))
    places = np.empty(len(means), dtype=np.intp)
    places[sequence] = np.arange(len(means))
    made = replace(procedure, given=places).ordering(found.table)
    words = replace(BY_SCORE, better=made.words.better, worse=made.words.worse, open=made.words.open)
    standing = replace(made.standing, words=words)
    text = (
        "No cost was given: algorithms that no test tells apart stand by their mean score, which does not show that one"
        " is better than the other."
    )
    return replace(
        made,
        standing=standing,
        reasons=standing.reasons(),
        caveats=distinct([*made.caveats, Caveat("ordered-by-score", text)]),
        data_papers=found.data_papers,
    ).framed(found.frame_kind)
