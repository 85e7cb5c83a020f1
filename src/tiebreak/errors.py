"""The errors Tiebreak raises, all built from one template.

A message says what is wrong and where, why it matters, and the call that mends it.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tiebreak.wording import Choice, choices, choices_in


class TiebreakError(ValueError):
    """The base of every error that Tiebreak raises on purpose.

    Parameters
    ----------
    what : str
        What is wrong and where, with the offending name or value.
    why : str
        Why it matters.
    mend : str
        The call that mends it.

    Examples
    --------
    >>> print(TiebreakError("The file is empty.", why="There is nothing to compare.", mend="Give another."))
    The file is empty. There is nothing to compare. Give another.
    """

    def __init__(self, what: str, *, why: str = "", mend: str = "") -> None:
        self.what, self.why, self.mend = what, why, mend
        self.meanings = choices()
        super().__init__(" ".join(part for part in (what, why, mend) if part))

    @property
    def choices(self) -> list[Choice]:
        """The options that mend it: those of its last part, since the first may name what is wrong."""
        return choices_in(self.mend, self.meanings) or choices_in(str(self), self.meanings)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.what, self.why, self.mend)


def _rebuild(kind: type[TiebreakError], what: str, why: str, mend: str) -> TiebreakError:
    return kind(what, why=why, mend=mend)


class InputError(TiebreakError):
    """A file, frame or array cannot be read as a table of results."""


class MissingScores(InputError):
    """Some algorithm has no score on some data set and no policy for gaps was named."""


class NothingFinished(InputError):
    """The cells of a store that were chosen hold none of the scores that were asked for."""


class OptionError(TiebreakError):
    """An option or argument has a value that means nothing here."""


class NotSaid(OptionError):
    """An option or argument is needed here and was not given: nothing may be guessed that changes the answer."""


class UnknownDirection(NotSaid):
    """Nothing says whether a higher or a lower score is better."""


def unknown_name(kind: str, name: str, known: Iterable[str], *, mend: str = "", limit: int = 8) -> OptionError:
    """Make the error for a name that is not among the known ones, and at most `limit` of those that are.

    Examples
    --------
    >>> print(unknown_name("score", "acuracy", ["accuracy", "auc"]))
    There is no score 'acuracy'. Known here: 'accuracy', 'auc'. Did you mean 'accuracy'?
    """
    names = [str(item) for item in known]
    close = get_close_matches(str(name), names, n=1)
    guess = f"Did you mean {close[0]!r}?" if close else ""
    return OptionError(
        f"There is no {kind} {name!r}.",
        why=f"Known here: {quoted(names, limit=limit)}.",
        mend=" ".join(part for part in (guess, mend) if part),
    )


EXTRAS = {
    "lab": "sklearn sqlalchemy cloudpickle psutil",
    "frames": "pandas pyarrow",
    "figures": "matplotlib",
    "sheets": "python_calamine",
    "boosting": "xgboost lightgbm catboost",
    "postgres": "psycopg",
    "dask": "distributed dask",
    "web": "starlette uvicorn h11 jinja2 python_multipart",
    "mcp": "mcp",
}
"""Which extra brings which modules."""
_PACKAGES = {"sklearn": "scikit-learn", "python_calamine": "python-calamine", "h11": "uvicorn"}


def not_installed(module: str) -> OptionError | None:
    """Make the error for a module of an extra that is not installed; None for modules of none.

    Examples
    --------
    >>> print(not_installed("sklearn.tree"))
    scikit-learn is not installed. Install it: pip install 'tiebreak[lab]'
    """
    name = module.partition(".")[0]
    extra = next((extra for extra, modules in EXTRAS.items() if name in modules.split()), None)
    if extra is None:
        return None
    return OptionError(
        f"{_PACKAGES.get(name, name)} is not installed.", mend=f"Install it: pip install 'tiebreak[{extra}]'"
    )


def needed(module: str) -> ModuleType:
    """Import a module of an extra, or name the extra to install.

    Examples
    --------
    >>> needed("numpy.linalg").__name__
    'numpy.linalg'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise not_installed(str(error.name)) or error from None


def meant_file(path: str | Path) -> str:
    """Ask for the file whose name is like one that is not there, or to check the path.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "results.csv").touch()
    >>> meant_file(folder / "result.csv").removeprefix("Did you mean ").endswith("results.csv?")
    True
    """
    folder = Path(path).parent
    known = sorted(item.name for item in folder.iterdir()) if folder.is_dir() else []
    close = get_close_matches(Path(path).name, known, n=1)
    if not close:
        return "Check the path."
    name = str(folder / close[0])
    return f'Did you mean "{name}"?' if " " in name else f"Did you mean {name}?"


def quoted(names: Iterable[object], *, limit: int = 8) -> str:
    """List names in quotes, at most `limit` of them, and count the rest.

    Examples
    --------
    >>> quoted(["a", "b", "c"], limit=2)
    "'a', 'b' and 1 more"
    """
    items = [repr(str(name)) for name in names]
    shown = ", ".join(items[:limit])
    return shown if len(items) <= limit else f"{shown} and {len(items) - limit} more"
