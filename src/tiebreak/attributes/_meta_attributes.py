"""The characterisation of one data set: its meta-attributes, what they cost, and the way to and from JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tiebreak._brief import held
from tiebreak.attributes.catalogue import ATTRIBUTES
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import Row, Shown
from tiebreak.errors import InputError


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
        Time spent on every group, and on every landmarker.
    seed : int
        The seed of the landmarkers' samples and folds.
    caveats : tuple of Caveat

    Examples
    --------
    >>> from tiebreak.datasets import DataSet
    >>> from tiebreak.attributes import characterise
    >>> found = characterise(DataSet.from_arrays([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"]))
    >>> found["class_entropy"], found["mutual_information"], found.why("mutual_information")
    (1.0, None, 'no symbolic attributes')
    >>> dict(MetaAttributes.from_json(found.to_json())) == dict(found)
    True
    """

    dataset: str
    fingerprint: str
    version: int
    numbers: tuple[tuple[str, float | None], ...]
    reasons: tuple[tuple[str, str], ...] = ()
    groups: tuple[str, ...] = ()
    seconds: tuple[tuple[str, float], ...] = ()
    seed: int = 0
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
                "unit": ATTRIBUTES[name].unit if name in ATTRIBUTES else "",
                "does not apply because": self.why(name) or "",
            }
            for name, value in self.numbers
        ]

    def to_json(self) -> str:
        """Return everything as JSON text; `from_json` gives an equal object back."""
        content: dict[str, Any] = held(self)
        content |= {name: dict(content[name]) for name in ("numbers", "reasons", "seconds")}
        content["caveat_codes"] = [caveat.code for caveat in self.caveats]  # one each, so that both can be read back
        return json.dumps(content, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> MetaAttributes:
        """Read what `to_json` wrote."""
        try:
            content = json.loads(text)
            return cls(
                dataset=str(content["dataset"]),
                fingerprint=str(content["fingerprint"]),
                version=int(content["version"]),
                numbers=tuple((str(name), _number(value)) for name, value in content["numbers"].items()),
                reasons=tuple((str(name), str(value)) for name, value in content["reasons"].items()),
                groups=tuple(map(str, content["groups"])),
                seconds=tuple((str(name), float(value)) for name, value in content["seconds"].items()),
                seed=int(content["seed"]),
                caveats=tuple(map(Caveat, content["caveat_codes"], content["caveats"])),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(
                f"This text holds no meta-attributes ({type(error).__name__}: {error}).",
                why="They are read from what to_json() wrote, nothing left out.",
                mend="Characterise the data set again with tiebreak.advisor.characterise(data).",
            ) from None


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


def _number(value: object) -> float | None:
    if value is None:
        return None
    number = float(value)  # type: ignore[arg-type]
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is not finite")
    return number
