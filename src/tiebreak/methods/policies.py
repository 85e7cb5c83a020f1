"""What may be done about gaps, and which verb takes which policy: nothing else is offered, in help or in messages."""

DROPPING = ("drop-datasets", "drop-algorithms", "drop-folds")
AUTO = "auto"
POLICIES = {
    AUTO: "complete data sets are compared while at least 80 % of them remain; failed runs get the worst score",
    "refuse": "an error that names the gaps",
    "drop-datasets": "data sets with a gap are left out",
    "drop-algorithms": "algorithms with a gap are left out",
    "drop-folds": "folds that some algorithm lacks are left out for all of them on that data set",
    "worst-rank": "a failed run ranks last on its data set; for tests on ranks",
    "skillings-mack": "gaps are left to the Skillings-Mack test",
}
"""Every policy for missing scores, with what it does."""

OF_VERB = {
    "compare": tuple(POLICIES),
    "order": (AUTO, "refuse", *DROPPING, "worst-rank"),
    "multivariate": (AUTO, "refuse", *DROPPING),
    "study": ("drop-datasets",),
}
"""The policies that a verb takes; nothing else is offered, in help or in messages."""

COST_POLICIES = {
    "refuse": "an error that names the gaps",
    "drop-datasets": "data sets on which a cost is missing are left out",
    "drop-algorithms": "algorithms with a missing cost are left out",
    "costliest": "a missing cost counts as the largest of its data set",
}
"""Every policy for missing costs, with what it does."""


def policies_text(verb: str) -> str:
    """List the policies of a verb, as help texts do.

    Examples
    --------
    >>> policies_text("multivariate")
    'auto (default), refuse, drop-datasets, drop-algorithms or drop-folds'
    """
    first, *rest = COST_POLICIES if verb == "costs" else OF_VERB[verb]
    return f"{first} (default), {', '.join(rest[:-1])} or {rest[-1]}"
