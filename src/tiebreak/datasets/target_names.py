"""Which column is the target, by its name: what people call the column of classes, and when two names disagree."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tiebreak.errors import InputError, quoted
from tiebreak.wording import option

CLASSES = frozenset(
    "class classes label labels classlabel labelclass classname labelname classid labelid binaryclass targetclass"
    " targetlabel classtarget category".split()
)
"""Names that say classes, written small and without marks between the words."""
TARGETS = CLASSES - {"category"} | frozenset("target targets targetname targetvariable y ytrue groundtruth".split())
"""Names of a target."""
OUTCOMES = frozenset(
    "outcome outcomes response output dependent dependentvariable survived survival diagnosis churn churned exited"
    " attrition species isfraud fraud spam isspam sentiment defaulted readmitted".split()
)
"""Names of what is usually to be predicted, but may well be an attribute where a column has one of `TARGETS`."""
LAST, NAMED, NAMED_LAST = "the last column", "by its name", "by its name, and the last column"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetColumn:
    """The column that was taken for the target: why (empty where the user named it), and which one is the last."""

    name: str
    why: str = ""
    last: str = ""

    @property
    def says_classes(self) -> bool:
        """Whether its name says that it holds classes."""
        return bare(self.name) in CLASSES

    @property
    def unexpected(self) -> bool:
        """Whether somebody who counts on the last column would be surprised."""
        return self.why == NAMED


def bare(header: str) -> str:
    """Return a header small and without marks: "Class_Label" and "classLabel" are one name.

    Examples
    --------
    >>> bare("Class_Label"), bare("Default (y/n)")
    ('classlabel', 'defaultyn')
    """
    return re.sub(r"[\W_]+", "", header).lower()


def by_name(headers: Sequence[str], source: str, *, hopeless: Collection[str] = ()) -> TargetColumn:
    """Choose the target among columns of which none was named by the user: by its name, else the last one.

    - The last column where it alone has a name of `TARGETS`.
    - Otherwise the one column with a name of `TARGETS` or `OUTCOMES`; where there are two they are asked about.
    - The last column where no name tells.

    A `hopeless` column holds no classes, whatever it is called: a name or a number of its own for every row.

    Examples
    --------
    >>> by_name(["class", "age", "foreign"], "'x.csv'")
    TargetColumn(name='class', why='by its name', last='foreign')
    >>> by_name(["age", "kind"], "'x.csv'").why
    'the last column'
    """
    last = headers[-1]
    firm = [each for each in headers if bare(each) in TARGETS and each not in hopeless]
    if {"x", "y"} <= {bare(each) for each in headers} and bare(last) != "y":
        firm = [each for each in firm if bare(each) != "y"]  # a coordinate
    if firm == [last]:
        return TargetColumn(name=last, why=NAMED_LAST, last=last)
    found = [*firm, *(each for each in headers if bare(each) in OUTCOMES and each not in hopeless)]
    if not found:
        return TargetColumn(name=last, why=LAST, last=last)
    if len(found) > 1:
        raise _disagree(found, source, last)
    return TargetColumn(name=found[0], why=NAMED_LAST if found == [last] else NAMED, last=last)


def _disagree(found: Sequence[str], source: str, last: str) -> InputError:
    other = "" if last in found else f", or {option(target=last)} for the last column"
    ways = " or ".join(option(target=each) for each in found[:4])
    return InputError(
        f"Several columns of {source} have the name of a target: {quoted(found, limit=4)}.",
        why="An answer for the wrong one is of no use, and the right one among the attributes would tell the answer.",
        mend=f"Say {ways}{other}; leave a second copy of the target out with {option(drop=[...])}.",
    )
