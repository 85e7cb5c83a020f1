"""What figures of folds share: which data sets and algorithms are drawn, and how the two panels are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak._checks import check_choice
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import OptionError
from tiebreak.figures._figure import Figure
from tiebreak.figures._folding import kept_of
from tiebreak.figures.drawing.clouds import MOST, Panels
from tiebreak.figures.drawing.panels import lay_out, stride
from tiebreak.figures.drawing.scene import Item
from tiebreak.multivariate_tests import MultivariateComparison, SetComparison
from tiebreak.wording import either, option


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldClouds(Figure):
    """A figure of two panels: histograms, and the clouds of the folds beside them."""

    panels: Panels

    def lower(self) -> str:
        """Say that fewer algorithms have fewer histograms."""
        few = MOST // 2
        return f"{option(top=few)} draws the first {few}" if len(self.panels.clouds) > few else ""

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out histograms and clouds."""
        return lay_out(self.panels, room)

    def _seen(self) -> str:
        """Say what is seen in the two panels."""
        fitted = "the normal distribution fitted to each algorithm's folds"
        lines = "points on a line have an interval along it, points that do not vary have none"
        what = "Dotted lines in the histograms are means. "
        if not self.panels.clouds[0].ys:
            return what + f"Intervals hold half and 95% of {fitted}; values that do not vary have none."
        return what + f"Contours hold half and 95% of {fitted}; {lines}."


def sets_of(found: MultivariateComparison, dataset: str | None) -> tuple[SetComparison, ...]:
    """Return the data sets that are drawn: the one named, or all."""
    return found.sets if dataset is None else (found.on(dataset),)


def heading_of(found: MultivariateComparison, dataset: str | None) -> str:
    """Return the title of the comparison, with the one data set that is drawn."""
    if dataset is None or len(found.sets) == 1:
        return found.title()
    return f"{found.title()}; data set {dataset!r} alone"


def chosen_algorithms(
    found: MultivariateComparison,
    algorithms: Sequence[str] | None,
    top: int | None = None,
    show: Sequence[str] | str = (),
) -> tuple[tuple[str, ...], Caveats]:
    """Return which algorithms are drawn, by name or the first so many and those named; a caveat where some are not."""
    kept = kept_of(found.algorithms, top, show, usual=MOST)
    if kept and algorithms is not None:
        raise OptionError(
            f"{option(top=top)} was given beside {option(algorithms=list(algorithms))}.",
            why="Both say which algorithms are drawn.",
            mend="Use one of them.",
        )
    if kept:
        algorithms = [found.algorithms[i] for i in kept]
    if algorithms is None:
        choose = either(option(algorithms=[...]), f"{option(top=1)} --show A,B")
        names, why = found.algorithms[:MOST], f"; choose with {choose}."
    else:
        # one name alone is meant as a list of one, not as its letters
        names, why = (
            tuple(dict.fromkeys([algorithms] if isinstance(algorithms, str) else algorithms)),
            ", as was asked.",
        )
    for name in names:
        check_choice("algorithm", name, found.algorithms)
    if not 1 <= len(names) <= MOST:
        raise OptionError(
            f"{len(names)} algorithms were named for the figure.",
            why=f"At most {MOST} can be distinguished by colour and shape.",
            mend=f"Name 1 to {MOST} of them.",
        )
    left = len(found.algorithms) - len(names)
    note = f"{left} of {len(found.algorithms)} algorithms are not drawn{why}"
    return names, (Caveat("not-drawn", note),) if left else ()


def thinned(panels: Panels) -> Caveats:
    """Say that not every fold is a point, where there are too many."""
    note = f"One of {stride(panels)} folds is drawn as a point; contours and histograms use all."
    return (Caveat("not-drawn", note),) if stride(panels) > 1 else ()
