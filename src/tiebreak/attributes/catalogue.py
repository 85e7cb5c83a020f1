"""Which meta-attributes there are: what each one says, its formula and its unit, by group.

A new one is a line here, its name in `_NAMES`, and its value in `class_measures` or `target_numbers`; a changed
definition also raises `META_VERSION`. Deciles, symbols and the linear fit look at 100,000 rows at most, drawn from the
contents of the data.

Group "paper":

- n_examples: Number of examples, n, the rows (rows)
- prop_symbolic: Proportion of symbolic attributes, symbolic attributes / attributes (proportion)
- prop_missing: Proportion of missing values, missing cells / (rows x attributes) (proportion)
- prop_outliers: Proportion of numeric attributes with outliers, share of the numeric attributes with sd(5 % trimmed
  at each end) / sd(all) < 0.7, missing values left out (proportion)
- class_entropy: Entropy of the class, H(C) = -sum_c p_c log2 p_c (bits)
- mutual_information: Mean mutual information of class and symbolic attributes, mean over symbolic attributes X of
  H(X) + H(C) - H(X, C), on the rows where X is present (bits)
- canonical_correlation: First canonical correlation of the numeric attributes and the class, sqrt(l / (1 + l)), l the
  largest eigenvalue of W^-1 B; missing values replaced by the attribute's mean (correlation)

Group "simple":

- n_attributes: Number of attributes, p (attributes)
- n_numeric: Number of numeric attributes, count (attributes)
- n_symbolic: Number of symbolic attributes, count (attributes)
- n_classes: Number of classes that occur, k (classes)
- log_n_examples: Logarithm of the number of examples, log10 n (decades)
- dimensionality: Attributes per example, p / n (ratio)
- default_accuracy: Share of the most frequent class, max_c n_c / n (proportion)
- minority_share: Share of the rarest class that occurs, min_c n_c / n (proportion)
- class_imbalance: Most frequent class over rarest, max_c n_c / min_c n_c (ratio)
- rows_with_missing: Share of the rows with a missing value, rows with one / n (proportion)
- attributes_with_missing: Share of the attributes with a missing value, attributes with one / p (proportion)
- mean_categories: Mean number of values of a symbolic attribute, mean of the values that occur (values)

Group "target":

- target_kurtosis: Kurtosis of the target (3: normal), m4 / m2^2 (moment ratio)
- max_decile_share: Largest share of the target's variance that ten parts of a numeric attribute explain, max over
  them of 1 - (SSW / (n - k)) / (SST / (n - 1)), at least 0, the k parts cut at the deciles (proportion)
- linear_r2: Adjusted R2 of a linear fit, 1 - (RSS / (n - d)) / (SST / (n - 1)), from 0 to 1; least squares with
  penalty n |b|^2 / 1000 on standardised columns: numbers (gaps at the mean) and indicators of the ten most frequent
  values of a symbolic attribute; d = 1 + trace of the hat matrix (proportion)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tiebreak.datasets.targets import KINDS, TargetKind
from tiebreak.errors import OptionError
from tiebreak.wording import option

META_VERSION = 1
"""Raised whenever a definition changes: values of different versions are not comparable."""
NUMBER_META_VERSION = 2
"""The same for data sets with a number to predict; under version 1 nothing was measured of them."""

GROUPS = ("paper", "simple", "target")
"""Groups of meta-attributes; "target" describes numbers to predict and has none for classes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """The group of a meta-attribute, and the kinds of target that it is measured for."""

    group: str
    kinds: tuple[TargetKind, ...] = KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class NotApplicable:
    """What stands in the place of a number where a meta-attribute does not apply, with the reason."""

    reason: str


Measured = dict[str, float | NotApplicable]
"""What one group of meta-attributes gives: a number or the reason why there is none."""


_OF_CLASSES = frozenset(
    "class_entropy mutual_information canonical_correlation n_classes default_accuracy minority_share"
    " class_imbalance".split()
)
"""What describes classes alone; the rest describes the attributes, whatever the target is."""


_NAMES = {
    "paper": (
        "n_examples prop_symbolic prop_missing prop_outliers class_entropy mutual_information canonical_correlation"
    ),
    "simple": (
        "n_attributes n_numeric n_symbolic n_classes log_n_examples dimensionality default_accuracy minority_share "
        "class_imbalance rows_with_missing attributes_with_missing mean_categories"
    ),
    "target": "target_kurtosis max_decile_share linear_r2",
}
ATTRIBUTES: Mapping[str, Attribute] = MappingProxyType(
    {
        name: Attribute(
            group=group, kinds=("classes",) if name in _OF_CLASSES else ("number",) if group == "target" else KINDS
        )
        for group, names in _NAMES.items()
        for name in names.split()
    }
)
"""Every meta-attribute by name, in the order in which results list them."""

COUNTS = frozenset(
    "n_examples n_attributes n_numeric n_symbolic n_classes dimensionality class_imbalance mean_categories"
    " target_kurtosis".split()
)
"""Measures without an upper bound: ten times as many is as far everywhere, so distances compare their logarithms."""

PAPER_MEASURES = tuple(_NAMES["paper"].split())
"""The seven meta-attributes of Brazdil, Soares and Costa (2003)."""

DEFAULT_MEASURES: tuple[str, ...] = tuple(
    name for name in PAPER_MEASURES if name not in ("prop_missing", "mutual_information")
)
"""What distances between data sets use unless told otherwise: all but missing values and mutual information."""

NUMBER_MEASURES = ("n_examples", "prop_symbolic", "prop_outliers", "target_kurtosis", "max_decile_share", "linear_r2")
"""The same where the target is a number: those of the paper that do not need classes, and three of the target."""


def default_measures(kind: str) -> tuple[str, ...]:
    """Return what distances use unless told otherwise, by the kind of target.

    Examples
    --------
    >>> default_measures("number")[0], len(default_measures("classes"))
    ('n_examples', 5)
    """
    return NUMBER_MEASURES if kind == "number" else DEFAULT_MEASURES


def groups_of(kind: str) -> tuple[str, ...]:
    """Return the groups that have a meta-attribute for a kind of target.

    Examples
    --------
    >>> "target" in groups_of("number"), "target" in groups_of("classes")
    (True, False)
    """
    return tuple(group for group in GROUPS if any(e.group == group and kind in e.kinds for e in ATTRIBUTES.values()))


def spelled_out(measures: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """Put the members of a group of `GROUPS` that are known in the place of its name.

    Examples
    --------
    >>> spelled_out(["n_examples", "simple"], ["n_examples", "n_classes", "n_attributes"])
    ('n_examples', 'n_classes', 'n_attributes')
    """
    out: list[str] = []
    for name in measures:
        if name not in GROUPS or name in known:
            out.append(name)
            continue
        members = [text for text in known if text in ATTRIBUTES and ATTRIBUTES[text].group == name]
        if not members:
            raise OptionError(
                f"No meta-attribute of the group {name!r} is known of the data sets.",
                why="They are compared by what is known of all of them.",
                mend=f"Name others ({option(measures='all')} takes all that are known).",
            )
        out += [member for member in members if member not in out]
    return tuple(out)
