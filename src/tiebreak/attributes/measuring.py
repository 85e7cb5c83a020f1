"""The meta-attributes of a data set: measured in groups, each within its time, and kept as one mapping."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from tiebreak._checks import check_choice
from tiebreak.attributes.catalogue import (
    ATTRIBUTES,
    GROUPS,
    META_VERSION,
    NUMBER_META_VERSION,
    Measured,
    NotApplicable,
    groups_of,
)
from tiebreak.attributes.class_measures import (
    Summaries,
    paper_caveats,
    paper_measures,
    simple_measures,
)
from tiebreak.attributes.target_numbers import target_measures
from tiebreak.caveats import Caveats
from tiebreak.datasets import DataSet
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.wording import option


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MetaAttributes(Shown, Mapping[str, "float | None"]):
    """The meta-attributes of one data set: a mapping of name to value, None where one does not apply.

    Parameters
    ----------
    dataset : str
        The name of the data set.
    fingerprint : str
        The digest of its contents: the same data have the same one.
    version : int
        The version of the definitions; values of different versions are not comparable.
    numbers : tuple of (str, float or None)
        Names and values.
    reasons : tuple of (str, str)
        For every attribute that does not apply, why.
    groups : tuple of str
        The groups that were computed.
    seconds : tuple of (str, float)
        Time spent on every group.
    caveats : tuple of Caveat

    Examples
    --------
    >>> from tiebreak.datasets import DataSet
    >>> from tiebreak.attributes import characterise
    >>> result = characterise(DataSet.from_arrays([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"]))
    >>> result["class_entropy"], result["mutual_information"], result.why("mutual_information")
    (1.0, None, 'no symbolic attributes')
    """

    dataset: str
    fingerprint: str
    version: int
    numbers: tuple[tuple[str, float | None], ...]
    reasons: tuple[tuple[str, str], ...] = ()
    groups: tuple[str, ...] = ()
    seconds: tuple[tuple[str, float], ...] = ()
    caveats: Caveats = ()

    def __getitem__(self, name: str) -> float | None:
        return dict(self.numbers)[name]

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, _ in self.numbers])

    def __len__(self) -> int:
        return len(self.numbers)

    def why(self, name: str) -> str | None:
        """Return why a meta-attribute does not apply, or None if it does."""
        return dict(self.reasons).get(name)

    def title(self) -> str:
        """Say in one line what this is."""
        return f"Meta-attributes of {self.dataset} (version {self.version})"

    def rows(self) -> list[Row]:
        """Return one row per meta-attribute."""
        return [
            {
                "attribute": name,
                "value": value,
                "does not apply because": self.why(name) or "",
            }
            for name, value in self.numbers
        ]


def spent_on(described: Mapping[str, float | None]) -> tuple[tuple[str, float], ...]:
    """Return the seconds that every group of meta-attributes took; none where they were given, not measured.

    Examples
    --------
    >>> spent_on({"n_examples": 100.0})
    ()
    """
    if not isinstance(described, MetaAttributes):
        return ()
    return tuple((name, seconds) for name, seconds in described.seconds if name in described.groups)


_MEASURES: dict[str, Callable[[Summaries], Measured]] = {
    "paper": paper_measures,
    "simple": simple_measures,
    "target": target_measures,
}


@as_came_in
def characterise(data: DataSet, *, groups: Sequence[str] = ("paper",)) -> MetaAttributes:
    """Describe a data set by its meta-attributes.

    Formula: see `tiebreak.attributes.catalogue`, which documents every one. The seven of the paper, group "paper":

    - n_examples, prop_symbolic, prop_missing: counted;
    - prop_outliers: the share of numeric attributes whose standard deviation falls below 0.7 of itself when the
      lowest and highest 5 % of the values are dropped (with v = 0.05 n an integer the ranks v + 1 to n - v stay,
      otherwise v = ceil(0.05 n) and v to n - v + 1 stay). This is the rule of the characterisation tool that made the
      published values; the paper's text speaks of variances;
    - class_entropy in bits; mutual_information in bits, the mean over the symbolic attributes;
    - canonical_correlation, sqrt(l / (1 + l)) with l the largest discriminant eigenvalue of the numeric attributes.

    Missing values are left out of an attribute's standard deviations and of its mutual information, and stand at the
    attribute's mean in the canonical correlation. An attribute without any value counts as an attribute and as
    missing, nowhere else; a constant one has no outliers, no mutual information and no part in the canonical
    correlation. Linearly dependent attributes are handled in the subspace that can be estimated; classes that are
    separated perfectly have canonical correlation 1. What does not apply (no numeric or no symbolic attributes, one
    class, no rows) is None, with the reason.

    Where the target is a number, what describes classes is left out (`ATTRIBUTES[...].kinds` says what does), measures
    "within a class" are those of all rows, and the group "target" describes the number: its shape, its correlation
    with numeric attributes, what deciles and symbols explain of its variance, and a linear fit. A constant target has
    a share of distinct values and nothing else.

    When not to use it: the values describe the rows given; with fewer rows than numeric attributes the canonical
    correlation says nothing, and a caveat tells so.

    Parameters
    ----------
    data : DataSet
    groups : sequence of str, default ("paper",)
        Any of "paper", "simple", "target" (of numbers alone), or "all".

    Returns
    -------
    MetaAttributes

    References
    ----------
    brazdil2003
    michie1994, section 7.3

    Examples
    --------
    >>> from tiebreak.datasets import DataSet
    >>> from tiebreak.attributes import characterise
    >>> data = DataSet.from_arrays([[1, 0], [2, 0], [4, 1], [5, 1]], ["a", "a", "b", "b"], symbolic=[False, True])
    >>> result = characterise(data)
    >>> result["mutual_information"], round(result["canonical_correlation"], 4)
    (1.0, 0.9487)
    """
    if not isinstance(data, DataSet):
        raise InputError(
            f"The data are a {type(data).__name__}, not a DataSet.",
            why="Which attributes are symbolic and where values are missing must be known.",
            mend="Make one with tiebreak.datasets.DataSet.from_arrays(values, classes).",
        )
    chosen = _check_groups(groups, data)
    work = Summaries(data)
    values: Measured = {}
    seconds: dict[str, float] = {}
    for group in chosen:
        start = perf_counter()
        values |= _MEASURES[group](work)
        seconds[group] = perf_counter() - start
    listed = {name: values[name] for name, about in ATTRIBUTES.items() if name in values and data.kind in about.kinds}
    return MetaAttributes(
        dataset=data.name,
        fingerprint=data.fingerprint,
        version=NUMBER_META_VERSION if data.kind == "number" else META_VERSION,
        numbers=tuple((name, None if isinstance(v, NotApplicable) else float(v)) for name, v in listed.items()),
        reasons=tuple((name, v.reason) for name, v in listed.items() if isinstance(v, NotApplicable)),
        groups=chosen,
        seconds=tuple(seconds.items()),
        caveats=paper_caveats(work, values) if "paper" in chosen else (),
    )


def _check_groups(groups: Sequence[str], data: DataSet) -> tuple[str, ...]:
    """In our own order whatever was asked, so that tables of measures have one order of columns."""
    names = (groups,) if isinstance(groups, str) else tuple(groups)
    known = groups_of(data.kind)
    if "all" in names:
        return known
    for group in names:
        if check_choice("group of meta-attributes", group, (*GROUPS, "all")) not in known:
            raise OptionError(
                f"The group {group!r} of meta-attributes was asked for, and the target of data set {data.name!r} is"
                " classes.",
                why="It describes a number to predict.",
                mend=f"Leave it out, or say that the target is a number ({option(kind='number')}).",
            )
    return tuple(group for group in known if group in names)
