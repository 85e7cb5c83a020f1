"""What was asked for: the data, the time, what ends the trials; refused here, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.advisor import Knowledge
from tiebreak.budgets import Budget, budget_from
from tiebreak.datasets import DataSet, from_frame, from_xy
from tiebreak.datasets.references import DataReference
from tiebreak.errors import InputError, OptionError
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.store import Store


def given(x: Any, y: Sequence[object] | None, about: Mapping[str, Any]) -> tuple[DataSet, DataReference | None]:
    """Return the data, and where they can be read again, if they can; `about` is what was said of their columns."""
    told = {key: value for key, value in about.items() if value is not None}
    if isinstance(x, DataReference):
        return x.load(), x
    if isinstance(x, DataSet):
        return x, None
    if isinstance(x, (str, Path)):
        reference = DataReference.of({"source": str(x), **told})
        return reference.load(), reference
    named = {"name": "data", **told}
    if y is not None:
        return from_xy(x, y, **{key: value for key, value in named.items() if key != "target"}), None
    if hasattr(x, "columns") or hasattr(x, "column_names"):
        return from_frame(x, **named), None
    raise InputError(
        f"The data are a {type(x).__name__} without rows to learn from.",
        why="Algorithms are run on the rows and their target.",
        mend="Pass try_out(X, y), a DataSet, a frame with its target column, or the path of a file.",
    )


def others(exclude: str | Iterable[str], known: Knowledge, data: DataSet) -> list[str]:
    """Return what is to be left out; the data themselves are left out already."""
    names = [exclude] if isinstance(exclude, str) else [str(each) for each in exclude]
    return [each for each in names if each != data.name or each in known.datasets]


def clock_budget(time: str | float | Budget) -> Budget:
    """Read the time that trials may take; it is by the clock."""
    try:
        found = budget_from(time)
    except OptionError:
        found = None
    if found is None or found.kind == "cpu":
        raise OptionError(
            f"The time is {time!r}.",
            why="Trials end by the clock: a time has its unit, s, min or h.",
            mend=f"Use {time}s, {time}min or {time}h." if str(time).isdigit() else "Use 90s, 10min or 2h.",
        )
    return found


def check_loss(stop_below: float) -> None:
    """Refuse an expected loss that no answer could have."""
    good = isinstance(stop_below, int | float) and not isinstance(stop_below, bool) and 0 <= stop_below < 1
    if not good:
        raise OptionError(
            f"{option('stop_below')} is {stop_below!r}.",
            why="It is the expected loss of accuracy, or of relative_rmse, below which a run ends.",
            mend=f"Use a number from 0 (try all) to below 1: {option(stop_below=0.001)}.",
        )


def address(store: str | Path | Store) -> str | Path:
    """Return the address of a store, open or not."""
    return store if isinstance(store, (str, Path)) else store.engine.url.render_as_string(hide_password=False)
