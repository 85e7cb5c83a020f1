"""What landmarkers are worth: the loss of neighbours found with them and without, on known data sets left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, readonly
from tiebreak.advisor._knowledge import Knowledge
from tiebreak.advisor.target_kinds import loss_unit
from tiebreak.advisor.worth.judging import judge_recipes
from tiebreak.advisor.worth.recipes import METHOD, NEIGHBOURS, TRADING, Recipe
from tiebreak.attributes import ATTRIBUTES
from tiebreak.attributes.catalogue import default_measures
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, Shown
from tiebreak.stats.results import rows_of

FEWEST_ORIGINS = 3
_GROUP = "landmarkers"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LandmarkWorth(Shown):
    """Losses of the first and of the best of the first few, with landmarkers and without.

    Parameters
    ----------
    with_them, without_them : FloatArray
        (origins, 2): mean losses of the data sets of an origin, for the first algorithm and the best of three.
    measures, others : tuple of str
        What data sets were compared by, with landmarkers and without.
    unit : str
        What the losses are counted in, such as accuracy.
    how : str
        The ranking method and the number of neighbours.
    several : int
        Of how many algorithms the best is taken: three, or all where there are fewer.
    caveats : tuple of Caveat
    """

    with_them: FloatArray
    without_them: FloatArray
    measures: tuple[str, ...]
    others: tuple[str, ...]
    unit: str
    how: str
    several: int = 3
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was compared."""
        return (
            f"Loss of {self.unit} with and without landmarkers on {len(self.with_them)} origins left out ({self.how})"
        )

    def means(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the mean losses of the first and of the best of three: with landmarkers, then without."""
        first, second = (tuple(part.mean(axis=0).tolist()) for part in (self.with_them, self.without_them))
        return (first[0], first[1]), (second[0], second[1])

    def rows(self) -> list[Row]:
        """Return one row with landmarkers and one without."""
        both = self.means()
        used = (self.measures, self.others)
        columns: dict[str, list[Any]] = {
            "measures": [", ".join(names) for names in used],
            "first": [each[0] for each in both],
            f"best of {self.several}": [each[1] for each in both],
        }
        return rows_of(**columns)

    def sentences(self, spent: Mapping[str, float]) -> list[str]:
        """Say what landmarkers cost on the data at hand and what they were worth on known ones."""
        (first, three), (plain, plains) = self.means()
        cost = f"Landmarkers took {spent[_GROUP]:.2g} s" if _GROUP in spent else "Landmarkers were known"
        better = int((self.with_them[:, 0] < self.without_them[:, 0] - 1e-12).sum())
        worse = int((self.with_them[:, 0] > self.without_them[:, 0] + 1e-12).sum())
        return [
            f"{cost}. On known data left out the first choice lost {first:.4f} {self.unit} with them and {plain:.4f}"
            f" without, the best of {self.several} {three:.4f} and {plains:.4f}; the first was better with them on"
            f" {better} of {len(self.with_them)} origins, worse on {worse}."
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        names = ("first", "first_three" if self.several == 3 else f"first_{self.several}")
        parts = zip(("with", "without"), self.means(), strict=True)
        return {
            **{which: dict(zip(names, found, strict=True)) for which, found in parts},
            "unit": self.unit,
            "origins": len(self.with_them),
            "measures": list(self.measures),
            "without_measures": list(self.others),
            "how": self.how,
        }


def landmark_worth(
    base: Knowledge, *, recipe: Recipe | None = None, accd: float | None = None, **judged: Any
) -> LandmarkWorth | None:
    """Compare what recommendations lose whose neighbours are found with landmarkers and without.

    Formula: the losses of `judge_recipes` on data sets left out with all of their origin, for a recipe whose measures
    hold landmarkers, and for the same recipe by those of its measures that are none (by the usual measures where none
    is left).

    When not to use it: to choose between many sets of measures and to report the loss of the choice.

    Parameters
    ----------
    base : Knowledge
    recipe : Recipe, optional
        By default the portfolio on five neighbours by the usual measures and all landmarkers that the base knows.
    accd : float, optional
    **judged
        floor, incomplete and times as in `judge_recipes`.

    Returns
    -------
    LandmarkWorth or None
        None where the measures hold no landmarker, where nothing else is left to compare by, or where fewer than three
        origins are known.

    References
    ----------
    pfahringer2000

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> found = landmark_worth(shipped_knowledge())
    >>> found.unit, len(found.with_them) == len(set(shipped_knowledge().origins))
    ('accuracy', True)
    """
    usual = tuple(name for name in default_measures(base.kind) if name in base.meta.measures)
    every = tuple(filter(is_landmarker, base.meta.measures))
    used = recipe or Recipe(method=METHOD if accd is None else TRADING, neighbours=NEIGHBOURS[0])
    used = used if recipe else replace(used, measures=(*usual, *every))
    plain = tuple(name for name in used.measures if not is_landmarker(name)) or usual
    known = {base.origins[i] for i in np.flatnonzero(base.measured(timed=False).sum(axis=1) > 1)}
    if not any(map(is_landmarker, used.measures)) or not plain or len(known) < FEWEST_ORIGINS:
        return None
    found = judge_recipes(base, (replace(used, measures=plain), used), accd=accd, **judged)
    without, with_them = (readonly(part[:, [0, -1]]) for part in found.loss)
    return LandmarkWorth(
        with_them=with_them,
        without_them=without,
        measures=used.measures,
        others=plain,
        unit=loss_unit(base.score),
        several=found.loss.shape[2],
        how=f"{used.method}, {'all data' if used.neighbours is None else f'{used.neighbours} neighbours'}",
    ).framed(base.frame_kind)


def is_landmarker(name: str) -> bool:
    """Say whether a measure is the score of a small learner.

    Examples
    --------
    >>> is_landmarker("landmark_stump"), is_landmarker("n_examples")
    (True, False)
    """
    return name in ATTRIBUTES and ATTRIBUTES[name].group == _GROUP
