"""From a data set to its meta-attributes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from tiebreak._checks import check_choice
from tiebreak.advisor.attributes.catalogue import ATTRIBUTES, GROUPS, META_VERSION, Measured
from tiebreak.advisor.attributes.information import information_measures
from tiebreak.advisor.attributes.landmarkers import landmark_measures
from tiebreak.advisor.attributes.paper import paper_measures
from tiebreak.advisor.attributes.profile import MetaAttributes
from tiebreak.advisor.attributes.shared_parts import Workings
from tiebreak.advisor.attributes.simple import simple_measures
from tiebreak.advisor.attributes.statistical import statistical_measures
from tiebreak.datasets import DataSet
from tiebreak.errors import InputError

_MEASURES: dict[str, Callable[[Workings], tuple[Measured, tuple[str, ...]]]] = {
    "paper": paper_measures,
    "simple": simple_measures,
    "statistical": statistical_measures,
    "information": information_measures,
}


def characterise(data: DataSet, *, groups: Sequence[str] = ("paper",), seed: int = 0) -> MetaAttributes:
    """Describe a data set by its meta-attributes.

    Formula: see `ATTRIBUTES`, which documents every one. The seven of the paper, group "paper":

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

    When not to use it: the values describe the rows given; with fewer rows than numeric attributes the canonical
    correlation says nothing, and a caveat tells so.

    Parameters
    ----------
    data : DataSet
    groups : sequence of str, default ("paper",)
        Any of "paper", "simple", "statistical", "information" and "landmarkers", or "all".
    seed : int, default 0
        For the samples and folds of the landmarkers; nothing else is random.

    Returns
    -------
    MetaAttributes

    References
    ----------
    Brazdil, P. B., Soares, C. and Pinto da Costa, J. (2003). doi:10.1023/A:1021713901879
    Michie, D., Spiegelhalter, D. J. and Taylor, C. C. (1994). Machine Learning, Neural and Statistical
    Classification, section 7.3 (no DOI).
    Pfahringer, B., Bensusan, H. and Giraud-Carrier, C. (2000). Meta-learning by landmarking various learning
    algorithms. ICML, 743-750 (no DOI).

    Examples
    --------
    >>> from tiebreak.datasets import DataSet
    >>> from tiebreak.advisor.attributes import characterise
    >>> data = DataSet.from_arrays([[1, 0], [2, 0], [4, 1], [5, 1]], ["a", "a", "b", "b"], symbolic=[False, True])
    >>> found = characterise(data)
    >>> found["mutual_information"], round(found["canonical_correlation"], 4)
    (1.0, 0.9487)
    """
    if not isinstance(data, DataSet):
        raise InputError(
            f"The data are a {type(data).__name__}, not a DataSet.",
            why="Which attributes are symbolic and where values are missing must be known.",
            mend="Make one with tiebreak.datasets.DataSet.from_arrays(values, classes).",
        )
    chosen = _check_groups(groups)
    work = Workings(data)
    values: Measured = {}
    seconds: dict[str, float] = {}
    caveats: tuple[str, ...] = ()
    for group in chosen:
        start = perf_counter()
        if group == "landmarkers":
            found, notes, costs = landmark_measures(data, seed=seed)
            seconds |= costs
        else:
            found, notes = _MEASURES[group](work)
        seconds[group] = perf_counter() - start
        values |= found
        caveats += notes
    return _profile(data, chosen, values, seconds, caveats, seed)


def _check_groups(groups: Sequence[str]) -> tuple[str, ...]:
    asked = (groups,) if isinstance(groups, str) else tuple(groups)
    if "all" in asked:
        return GROUPS
    for group in asked:
        check_choice("group of meta-attributes", group, (*GROUPS, "all"))
    return tuple(group for group in GROUPS if group in asked)


def _profile(
    data: DataSet,
    groups: tuple[str, ...],
    values: Measured,
    seconds: dict[str, float],
    caveats: tuple[str, ...],
    seed: int,
) -> MetaAttributes:
    listed = [name for name in ATTRIBUTES if name in values]
    found = {name: values[name] for name in listed}
    return MetaAttributes(
        dataset=data.name,
        fingerprint=data.fingerprint,
        version=META_VERSION,
        numbers=tuple((name, float(v) if isinstance(v, (int, float)) else None) for name, v in found.items()),
        reasons=tuple((name, v.reason) for name, v in found.items() if not isinstance(v, (int, float))),
        groups=groups,
        seconds=tuple(seconds.items()),
        seed=seed,
        caveats=caveats,
    )
