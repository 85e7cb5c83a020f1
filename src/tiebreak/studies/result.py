"""What the results of all studies share; and `tiebreak.study`, which runs a study by its name on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from tiebreak.caveats import Caveat, Caveats, codes_of
from tiebreak.comparison.gaps import check_left, settled
from tiebreak.documents import Document, Shown, Table
from tiebreak.errors import unknown_name
from tiebreak.readers.taking import one_score, taken
from tiebreak.results import Results
from tiebreak.verbs import verb_of
from tiebreak.verbs.studies import STUDIES


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class StudyResult(Shown):
    """The result of a study: its plain data are its settings, what it measured, and its caveats.

    `STUDY` is its name on the command line, `SETTINGS` are the fields that say how it was made, `PAPERS` what it cites.
    """

    STUDY: ClassVar[str]
    SETTINGS: ClassVar[tuple[str, ...]] = ()
    PAPERS: ClassVar[tuple[str, ...]] = ()

    caveats: Caveats = ()

    def conclusions(self) -> Iterable[str]:
        """Return the conclusions, in sentences."""
        return ()

    def tables(self) -> Iterable[Table]:
        """Return the tables that are printed."""
        return (self.printed_table(),)

    def document(self) -> Document:
        """Return the conclusions, if there are any, then the tables."""
        said, tables = tuple(self.conclusions()), tuple(self.tables())
        if not said:
            return Document(title=self.title(), tables=tables, papers=self.PAPERS, caveats=self.caveats)
        details = Document(title="Tables", tables=tables, caveats=self.caveats)
        return Document(title=self.title(), said=said, tables=(), papers=self.PAPERS, more=(details,))

    def measured(self) -> dict[str, Any]:
        """Return what the study measured, as plain data."""
        return {"rows": self.rows()}

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as `tiebreak study NAME --json` prints it."""
        settings = {name: getattr(self, name) for name in self.SETTINGS}
        return {
            "study": self.STUDY,
            **{name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()},
            **self.measured(),
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }


def complete_table(results: Any, score: str | None, reading: dict[str, Any]) -> tuple[Results, str, tuple[Caveat, ...]]:
    """Read a table of one score and leave out data sets with gaps; by default the published one of 38 data sets.

    Returns the table, the name of the score, and what was left out.
    """
    if results is None:
        from tiebreak.readers import published

        results, score = published.ulas2012(), score or "accuracy"
    name = one_score(score, reading)  # type: ignore[arg-type]
    table = taken(results, "study", reading, scores=name)
    name = table.only_score() if name is None else name
    complete, notes = settled(table, name, policy="drop-datasets", verb="study")
    check_left(complete, dropped=False, verb="study", least_sets=2)
    return complete, name, (*table.caveats, *notes)


def study(name: str, *data: Any, **options: Any) -> Shown:
    """Run a study: a simulation or an evaluation of the procedures.

    Parameters
    ----------
    name : str
        Which study, as in `tiebreak study NAME`: "error-rates", "measures", "advisor", "advice", "orders", "choices",
        "validation", "ulas2012", "wins" or "replicability".
    *data : optional
        What it is about, for studies of tables, of a store or of a folder.
    **options : optional
        What the function of the study takes; `seed` is its seed under whatever name.

    Returns
    -------
    Shown
        The result of the study, which can be printed, exported and drawn.

    Examples
    --------
    >>> import tiebreak as tb
    >>> tb.study("error-rates", n_algorithms=3, repetitions=5, noises=["normal"]).n_algorithms
    3
    """
    if name not in STUDIES:
        raise unknown_name("study", name, STUDIES, limit=len(STUDIES))
    module, _, function = verb_of(f"study {name}").function.rpartition(".")
    run = getattr(import_module(module), function)
    if "seed" in options and "seed" not in run.__annotations__:
        options["rng"] = options.pop("seed")
    result: Shown = run(*data, **options)
    return result
