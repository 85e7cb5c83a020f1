"""Good enough: whether the cheaper of two is shown to be no worse than the costlier by more than a margin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.errors import OptionError
from tiebreak.wording import option

UNDECIDED_WORDS = {
    "cheaper": "the cheaper one",
    "costlier": "the costlier one",
    "better": "the one that scores better",
}
UNDECIDED = tuple(UNDECIDED_WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """How much worse still counts as good enough: `size` in units of the score, or as a share of it."""

    size: float
    relative: bool = False

    def __str__(self) -> str:
        """Write it as it was given."""
        return f"{100 * self.size:g}%" if self.relative else f"{self.size:g}"


def read_margin(
    given: float | str | Margin | None, *, who: str = "the cheaper one", of: str = "the costlier one's"
) -> Margin | None:
    """Read a margin: 0.01 in units of the score, or "1%" of the costlier one's score.

    `who` and `of` name the two in messages.

    Examples
    --------
    >>> str(read_margin("1%")), read_margin(0.02).relative
    ('1%', False)
    """
    if given is None or isinstance(given, Margin):
        return given
    text = str(given).strip()
    relative = text.endswith("%")
    try:
        size = float(text.removesuffix("%")) / (100 if relative else 1)
    except ValueError:
        size = float("nan")
    if isinstance(given, bool) or not 0 < size < float("inf"):
        raise OptionError(
            f"The margin is {given!r}.",
            why=f"It is how much worse {who} may be and still be good enough.",
            mend=f"Use {option(margin=0.01)}, in units of the score, or {option(margin='1%')} of {of}.",
        )
    return Margin(size=size, relative=relative)


def verdict_of(better: bool, good: bool) -> str:
    """Name what is known of a cheaper algorithm and a costlier one; shown good enough outweighs a small difference."""
    return "good enough" if good else "better" if better else "undecided"


def good_enough(compared: FloatArray, prior: IntArray, margin: Margin, *, alpha: float) -> BoolArray:
    """Return good[i, j]: i, the cheaper one, is shown to be worse than j by less than the margin."""
    count = compared.shape[1]
    pairs, adjusted = pair_pvalues(compared, prior, margin)
    good = np.zeros((count, count), dtype=bool)
    good[pairs[:, 0], pairs[:, 1]] = adjusted <= alpha
    return good


def pair_pvalues(compared: FloatArray, prior: IntArray, margin: Margin) -> tuple[IntArray, FloatArray]:
    """Return the pairs, the cheaper one first, and the corrected p-values of its being worse by the margin or more.

    All pairs are tested, each with the cheaper one as the candidate; Holm's correction keeps the chance that any of
    them is wrongly called good enough at alpha.
    """
    from tiebreak.stats import non_inferiority_pairs

    order = np.argsort(prior)
    a, b = np.triu_indices(compared.shape[1], 1)
    pairs = np.stack([order[a], order[b]], axis=1)
    found = non_inferiority_pairs(compared, pairs, margin=margin.size, relative=margin.relative, adjust="holm")
    return pairs, found.adjusted
