"""The rank diagram of Multi2Test: mean places by MultiTest, and bars where they do not differ significantly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures._critical_difference import MOST_LETTERED, CriticalDifference
from tiebreak.figures._figure import titled
from tiebreak.figures._folding import kept_of
from tiebreak.figures.drawing.bars import letter_ranges
from tiebreak.ordering import Ordering
from tiebreak.stats import nemenyi_cd
from tiebreak.wording import option


@as_came_in
def place_diagram(found: Ordering, *, top: int | None = None, show: Sequence[str] = ()) -> CriticalDifference:
    """Make the rank diagram of an ordering by Multi2Test, as the papers print it.

    The axis has the mean places that MultiTest gives on the data sets; bars join algorithms of which the post hoc test
    finds no two to differ.

    Parameters
    ----------
    found : Ordering
        By the rule "multi2test".
    top, show : int and sequence of str, optional
        Draw the first so many by mean place and those named, and fold the others.

    Returns
    -------
    CriticalDifference

    References
    ----------
    ulas2012

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.order(tb.published.ulas2012(), cost="space", rule="multi2test")
    >>> figure = place_diagram(found)  # Table 8b of the paper
    >>> figure.algorithms[0], [[figure.algorithms[i] for i in group] for group in figure.groups]
    ('c45', [['c45', 'mlp', 'mdt', 'lnp'], ['svr', 'svl', 'sv2'], ['svl', 'sv2', '5nn']])
    """
    if found.over != "places":
        raise OptionError(
            f"There are no mean places by the rule {found.rule!r}.",
            why="A rank diagram of an order shows the places that Multi2Test tests.",
            mend=f"Use {option(rule='multi2test')}, or another kind of figure.",
        )
    by_place = np.argsort(found.mean_ranks, kind="stable")
    names = tuple(found.algorithms[i] for i in by_place)
    differ = (found.better | found.better.T)[np.ix_(by_place, by_place)]
    groups = sorted(tuple(sorted(names.index(name) for name in group)) for group in found.groups)
    positions = tuple(float(found.mean_ranks[i]) for i in by_place)
    return CriticalDifference(
        **titled(found),
        method=found.tests.method,
        alpha=found.plan.alpha,
        algorithms=names,
        positions=positions,
        position_name="mean place by MultiTest (lower is better)",
        location_name="mean rank",
        low_is_best=True,
        critical_difference=nemenyi_cd(n_algorithms=len(names), n_datasets=len(found.datasets), alpha=found.plan.alpha)
        if found.plan.posthoc == "nemenyi"
        else None,
        groups=tuple(group for group in groups if len(group) > 1),
        letters=letter_ranges(groups, len(names)) if len(groups) <= MOST_LETTERED else (),
        alike=tuple(tuple(j for j in range(len(names)) if j != i and not differ[i, j]) for i in range(len(names))),
        kept=kept_of(names, top, show),
    )
