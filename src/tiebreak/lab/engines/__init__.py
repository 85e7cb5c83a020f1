"""Engines: where tasks run. `LocalEngine` uses this machine, `DaskEngine` a Dask cluster; both stream outcomes."""

from __future__ import annotations

from tiebreak.errors import OptionError
from tiebreak.lab.engines.dask import DaskEngine
from tiebreak.lab.engines.local import LocalEngine
from tiebreak.wording import option

__all__ = ["DaskEngine", "LocalEngine", "engine_from"]


def engine_from(text: str, jobs: int | None = None) -> LocalEngine | DaskEngine:
    """Return the engine a text names: "local", or the address of a Dask scheduler.

    Parameters
    ----------
    text : str
        "local", or "dask://HOST:PORT" (also "tcp://HOST:PORT" and "tls://HOST:PORT").
    jobs : int, optional
        How many cells run at a time on this machine, by default one per usable core; a cluster has its own number.

    Examples
    --------
    >>> engine_from("local", 2).jobs
    2
    >>> engine_from("dask://localhost:8786").address
    'tcp://localhost:8786'
    """
    if text == "local":
        return LocalEngine(jobs=jobs)
    if jobs is not None:
        raise OptionError(
            f"{option('jobs')} is {jobs} and the engine is {text!r}.",
            why="On a cluster the workers say how many cells run at a time.",
            mend=f"Leave {option('jobs')} out, or use the engine 'local'.",
        )
    return DaskEngine(text)
