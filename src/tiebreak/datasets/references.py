"""Data sets by reference, as a plan writes them: "builtin:monks1", "openml:61", a file, a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from tiebreak._checks import check_choice, check_choices
from tiebreak.datasets import generated
from tiebreak.datasets.building import kept, texts
from tiebreak.datasets.dataset import DataSet, with_positive
from tiebreak.datasets.files import ENDINGS, data_files, read_data
from tiebreak.datasets.openml import BUNDLED, BUNDLED_NUMBERS, bundled_data, openml_data, openml_suite
from tiebreak.datasets.targets import check_kind
from tiebreak.errors import OptionError
from tiebreak.results.text import SHEETS
from tiebreak.wording import either

SUITE_ROWS = 2000
"""Rows of the drawn sets in the built-in suite: fewer than in the literature (5000, 7400), so that a plan ends soon."""

_EXACT: dict[str, Callable[[], DataSet]] = {
    "monks1": partial(generated.monks, 1),
    "monks2": partial(generated.monks, 2),
    "monks3": partial(generated.monks, 3),
    "balance": generated.balance,
    "tictactoe": generated.tictactoe,
    "titanic": generated.titanic,
}
_DRAWN: dict[str, Callable[..., DataSet]] = {
    "twonorm": generated.twonorm,
    "ringnorm": generated.ringnorm,
    "waveform": generated.waveform,
    "waveform40": partial(generated.waveform, irrelevant=19),
    "led": generated.led,
    **generated.NUMBERS,
}
_NUMBERS = {"builtin": tuple(generated.NUMBERS), "sklearn": BUNDLED_NUMBERS}
"""Sets with a number to predict, by source: no part of a suite ("builtin:*"), as a plan holds one kind of target."""
_SOURCES = ("builtin", "sklearn", "openml", "openml-suite")


def suite_names() -> tuple[str, ...]:
    """Return the names of the built-in suite: four bundled sets, six exact ones, five drawn ones (2000 rows each).

    Examples
    --------
    >>> len(suite_names()), suite_names()[:5]
    (15, ('iris', 'wine', 'breast_cancer', 'digits', 'monks1'))
    """
    return (*BUNDLED, *_EXACT, *(name for name in _DRAWN if name not in generated.NUMBERS))


@dataclass(frozen=True, slots=True, kw_only=True)
class DataReference:
    """One line of a plan: where data sets come from, and what is to be known about them.

    Parameters
    ----------
    source : str
        "builtin:NAME", "builtin:*" (the whole suite), "sklearn:NAME", "openml:NUMBER", "openml-suite:NUMBER", the
        path of a file, or the path of a folder (every data file in it).
    target, name, symbolic, groups, drop, keep
        As in `read_data`; built-in sets take only `name`.
    rows, seed : int, optional
        For the drawn built-in sets: how many rows (2000 if left out) from which seed (0).
    cache : str, optional
        Where downloads are kept.
    positive : str, optional
        Of two classes the positive one.
    kind : {"classes", "number"}, optional
        What the target is; told by its values if left out, see `read_data`.
    """

    source: str
    target: str | None = None
    name: str | None = None
    symbolic: tuple[str, ...] = ()
    groups: str | None = None
    drop: tuple[str, ...] = ()
    rows: int | None = None
    seed: int | None = None
    cache: str | None = None
    positive: str | None = None
    kind: str | None = None
    keep: tuple[str, ...] | Literal["all"] = ()

    @classmethod
    def of(cls, item: str | Path | Mapping[str, object] | DataReference) -> DataReference:
        """Return the reference that a text, a path or a table of options means.

        Examples
        --------
        >>> DataReference.of({"source": "pets.csv", "target": "kind"})
        DataReference(source='pets.csv', target='kind', name=None, symbolic=(), groups=None, drop=(), rows=None,
        seed=None, cache=None, positive=None, kind=None, keep=())
        """
        if isinstance(item, DataReference):
            return item
        if isinstance(item, (str, Path)):
            return cls(source=str(item))
        if not isinstance(item, Mapping) or "source" not in item:
            raise OptionError(
                f"{item!r} names no data set.",
                mend="Write 'builtin:iris', 'data.csv' or {source = 'data.csv', target = 'kind'}.",
            )
        check_choices("option of a data set", item, [field.name for field in fields(cls)])
        options = {key: str(value) if isinstance(value, Path) else value for key, value in item.items()}
        for key in ("source", "target", "name", "groups", "cache", "positive"):
            if options.get(key) is not None or key == "source":
                check_text(options[key], f"{key} of a data set")
        if options.get("seed") is not None:
            check_seed(options["seed"], "seed of a data set")
        check_kind(options.get("kind"))
        lists = {key: texts(item.get(key), what=key) for key in ("symbolic", "drop")}  # type: ignore[arg-type]
        return cls(**{**options, **lists, "keep": kept(item.get("keep"))})  # type: ignore[arg-type]

    def as_dict(self) -> dict[str, object]:
        """Return what is set, ready for JSON or TOML; `of` reads it back."""
        options = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}
        return {key: value for key, value in options.items() if value not in (None, [])}

    def expand(self) -> list[DataReference]:
        """Return one reference per data set: the sets of a suite, the files of a folder, or the reference itself."""
        kind, rest = _parts(self.source)
        if not _is_many(kind, rest):
            return [self]
        if kind == "file":
            many = [str(path) for path in data_files(rest)]
        elif kind == "openml-suite":
            many = [f"openml:{n}" for n in openml_suite(_number(rest, self.source), cache=self.cache)]
        else:
            many = [f"{kind}:{name}" for name in _names(kind)]
        if self.name is not None:
            raise OptionError(
                f"{self.source!r} stands for {len(many)} data sets and has the name {self.name!r}.",
                mend="Leave the name out.",
            )
        return [replace(self, source=source) for source in many]

    def load(self) -> DataSet:
        """Return the data set; a reference that stands for several is refused."""
        if self.positive is not None:
            return with_positive(replace(self, positive=None).load(), self.positive)
        kind, rest = _parts(self.source)
        if _is_many(kind, rest) or rest == "*":
            raise OptionError(
                f"{self.source!r} stands for several data sets.",
                mend=either("Use [part.load() for part in DataReference.of(...).expand()].", "Name one of them."),
            )
        if kind in {"builtin", "sklearn"}:
            return _renamed(self._builtin(kind, rest), self.name)
        if kind == "openml":
            openml = _number(rest, self.source)
            return openml_data(openml, **self._only("target", "name", "symbolic", "drop", "cache", "kind", "keep"))
        return read_data(rest, **self._only("target", "name", "symbolic", "groups", "drop", "kind", "keep"))

    def _builtin(self, kind: str, name: str) -> DataSet:
        """Rows and seed go into the name: two draws are two data sets, and results are kept by name."""
        check_choice(f"data set in {kind!r}", name, (*_names(kind), *_NUMBERS[kind]))
        if name in _DRAWN:
            self._only("name", "rows", "seed")
            rows = SUITE_ROWS if self.rows is None else self.rows
            data = _DRAWN[name](rows=rows, seed=self.seed or 0)
            return _renamed(
                data, name + ("" if self.rows is None else f"-{rows}") + (f"-seed{self.seed}" * bool(self.seed))
            )
        self._only("name")
        return _EXACT[name]() if name in _EXACT else bundled_data(name)

    def _only(self, *options: str) -> dict[str, Any]:
        """Return these options and refuse all others: passed over, a misplaced one would go unnoticed."""
        others = [field.name for field in fields(self) if field.name not in ("source", *options)]
        for option in others:
            if getattr(self, option) not in (None, ()):
                what = f"{self.source!r} takes no option {option}, which is {getattr(self, option)!r}."
                raise OptionError(what, mend="Leave it out.")
        return {option: getattr(self, option) for option in options}


def load(reference: str | Path | Mapping[str, object] | DataReference, **options: object) -> DataSet:
    """Return the one data set that a reference names.

    Parameters
    ----------
    reference : str, Path, mapping or DataReference
        As in a plan: "builtin:monks1", "sklearn:iris", "openml:61", "data/pets.csv", or a table with `source`.
    **options
        The fields of `DataReference` (target, name, symbolic, groups, drop, rows, seed, cache, positive,
        kind, keep).

    Returns
    -------
    DataSet

    Examples
    --------
    >>> load("builtin:monks1")
    DataSet('monks1', 432 rows, 0 numeric and 6 symbolic attributes, 2 classes)
    >>> load("builtin:twonorm", rows=7400)
    DataSet('twonorm-7400', 7400 rows, 20 numeric and 0 symbolic attributes, 2 classes)
    """
    return DataReference.of({**DataReference.of(reference).as_dict(), **options}).load()


def check_text(value: object, what: str) -> str:
    """Return a text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise OptionError(f"The {what} is {value!r}.", mend="Write it in quotes.")
    return value


def check_seed(value: object, what: str) -> int:
    """Check a seed here, as a plan may have been written by hand and databases hold 63 bits."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise OptionError(
            f"The {what} is {value!r}.",
            why="It must be a whole number from 0 to 2^63 - 1.",
            mend="Use 1, for instance.",
        )
    return value


def _parts(source: str) -> tuple[str, str]:
    """Split a reference into its kind and the rest; what has no known prefix is a path."""
    prefix, colon, rest = source.partition(":")
    if colon and prefix in _SOURCES:
        return prefix, rest
    named = source.lower().endswith((*ENDINGS, *SHEETS)) or "/" in source or "\\" in source
    looks_like_file = named or Path(source).exists()
    if not looks_like_file:
        guess = f"Did you mean 'builtin:{source}'?" if source in suite_names() else "Check the spelling."
        raise OptionError(
            f"There is no data set {source!r}.",
            why="It is no file and no folder, and does not begin with builtin:, sklearn:, openml: or openml-suite:.",
            mend=guess,
        )
    return "file", source


def _names(kind: str) -> tuple[str, ...]:
    return suite_names() if kind == "builtin" else BUNDLED


def _is_many(kind: str, rest: str) -> bool:
    """Say whether a reference stands for several data sets."""
    if kind == "file":
        return Path(rest).is_dir()
    return kind == "openml-suite" or (rest == "*" and kind in ("builtin", "sklearn"))


def _number(text: str, source: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise OptionError(f"{source!r} has no number.", mend="Write 'openml:61'.")
    return int(text)


def _renamed(data: DataSet, name: str | None) -> DataSet:
    return data if name is None or name == data.name else replace(data, name=name)
