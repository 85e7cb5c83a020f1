"""What a learner is made of: the local modules behind it, with a digest that changes when they do something else.

Local is every module that is neither of the standard library nor installed (in site-packages), nor ours: a file beside
the plan, a package under development. Modules that a program finds by itself at run time, and data files, are not seen.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import site
import sys
import sysconfig
import textwrap
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from tiebreak.errors import InputError
from tiebreak.lab.tasks import AlgorithmSpec, Source

_OURS = "tiebreak"
_LENGTH = 12
_MAIN = "__main__"
_EVERYWHERE = (_OURS, _MAIN, "numpy", "scipy", "sklearn")


def source_of(*modules: str, main: Iterable[Any] = (), beside: Path | None = None) -> Source:
    """Return what modules are made of: they, and every local module that they import, however far.

    Parameters
    ----------
    *modules : str
        Names as they are imported.
    main : iterable
        Classes and functions of the running program itself, which count by their own text.
    beside : Path, optional
        A folder whose modules are found before all others; nothing is imported from there.

    Returns
    -------
    Source
        Without digest and files where nothing is local.

    Examples
    --------
    >>> result = source_of("polars")
    >>> result.digest, result.packages
    ('', ('polars',))
    """
    if beside is not None:
        sys.path.insert(0, str(beside.resolve()))
        try:
            return source_of(*modules, main=main)
        finally:
            del sys.path[0]
    files: dict[str, tuple[str, str]] = {}
    packages: set[str] = set()
    waiting = list(modules)
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        path = _local_file(name)
        if path is None:
            packages |= _package(name)
            continue
        content = path.read_bytes()
        files[name] = _digest(_meaning(content)), _digest(content)
        waiting += _imported(content, name, package=path.name == "__init__.py")
        waiting += [name.rpartition(".")[0]] if "." in name else []
    for name, text in sorted(_of_main(main)):
        files[f"{_MAIN}:{name}"] = _digest(text), ""
    return Source(
        digest=_digest(repr(sorted((name, mark) for name, (mark, _) in files.items())).encode()) if files else "",
        files=tuple(sorted((name, mark) for name, (mark, _) in files.items())),
        raw=tuple(sorted((name, mark) for name, (_, mark) in files.items() if mark)),
        packages=tuple(sorted(packages)),
    )


def source_of_object(learner: Any) -> Source:
    """Return what an estimator is made of: its class, and those of the estimators inside it."""
    inside = [learner, *_deep(learner)]
    kinds = {item if inspect.isclass(item) or inspect.isfunction(item) else type(item) for item in inside}
    bases = {base for kind in kinds for base in (kind.__mro__ if inspect.isclass(kind) else (kind,))}
    modules = sorted({str(base.__module__) for base in bases} - {"builtins", _MAIN})
    return source_of(*modules, main=[base for base in bases if base.__module__ == _MAIN])


def _deep(learner: Any) -> Iterator[Any]:
    """Yield the parameters that are estimators, functions or classes; plain values are settings."""
    values = list(learner.get_params(deep=True).values())
    for value in values:
        parts = value if isinstance(value, list | tuple) else [value]
        for part in parts:
            inner = part if not isinstance(part, list | tuple) else next(iter(part[1:]), None)
            if callable(inner) or hasattr(inner, "get_params"):
                yield inner


def check_source(spec: AlgorithmSpec) -> None:
    """Refuse to run a learner whose source is not the one that the plan was made with: its results would be another's.

    A file may have been changed since, or a machine may hold another version of it.
    """
    if all(_raw(name) in ("", mark) for name, mark in spec.code.raw):  # "": not here, but in the pickle of an object
        return
    now = dict(source_of(*(name for name, _ in spec.code.raw)).files)
    changed = [name for name, mark in spec.code.files if now.get(name, mark) != mark]
    if changed:
        raise InputError(
            f"The source of {spec.name!r} is not the one that the plan was made with ({', '.join(changed)}).",
            why="Its results would be kept under the identity of another learner.",
            mend="Leave the file alone while a plan runs, have the same file on every machine, and run the plan again.",
        )


def _raw(name: str) -> str:
    path = _local_file(name)
    return "" if path is None else _digest(path.read_bytes())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_LENGTH]


def _meaning(content: bytes) -> bytes:
    """Return what a program does: its tree knows no comments and no blank lines."""
    try:
        return ast.dump(ast.parse(textwrap.dedent(content.decode()))).encode()
    except (SyntaxError, ValueError):
        return content


def _imported(content: bytes, name: str, *, package: bool) -> list[str]:
    """Name the modules that a program imports anywhere; of "from a import b" both a and a.b, as b may be a module."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return []
    texts: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            texts += [item.name for item in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, name, package=package)
            texts += [base] if base else []
            texts += [f"{base}.{item.name}" for item in node.names if base and _local_file(f"{base}.{item.name}")]
    return texts


def _absolute(node: ast.ImportFrom, name: str, *, package: bool) -> str:
    """Write a relative import out: one dot is the package itself, every further one its parent."""
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    names = parts[: len(parts) - node.level + package]
    return ".".join([*names, *([node.module] if node.module else [])])


@lru_cache(maxsize=1)
def _installed() -> tuple[Path, ...]:
    """Folders whose modules have a version of their own: those of the standard library and of installed packages."""
    paths = [sysconfig.get_paths()[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")]
    paths += [*site.getsitepackages(), site.getusersitepackages()]
    return tuple({Path(path).resolve() for path in paths})


def _local_file(name: str) -> Path | None:
    """Return the file of a local module, found without running anything; None for every other module."""
    top = name.partition(".")[0]
    if top in _EVERYWHERE or top in sys.stdlib_module_names:
        return None
    path = _found(name)
    if path is None or path.suffix != ".py" or not path.is_file():
        return None
    path = path.resolve()
    installed = any(path.is_relative_to(folder) for folder in _installed())
    return None if installed or {"site-packages", "dist-packages"} & set(path.parts) else path


def _found(name: str) -> Path | None:
    known = sys.modules.get(name)
    if isinstance(known, ModuleType) and getattr(known, "__file__", None):
        return Path(str(known.__file__))
    top, *rest = name.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None or not rest:
        return None if spec is None or not spec.origin else Path(spec.origin)
    for folder in spec.submodule_search_locations or ():
        inner = Path(folder).joinpath(*rest)
        for path in (inner.with_suffix(".py"), inner / "__init__.py"):
            if path.is_file():
                return path
    return None


def _package(name: str) -> set[str]:
    """Name the installed package that a module belongs to, unless it takes part in every cell anyway."""
    top = name.partition(".")[0]
    return set() if not top or top in _EVERYWHERE or top in sys.stdlib_module_names else {top}


def _of_main(kinds: Iterable[Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the classes and functions of the running program that others of it need, with their text.

    Not the whole program: it makes the plan too, and changing that does not change a learner.
    """
    main = vars(sys.modules[_MAIN])
    waiting, seen = list(kinds), set[int]()
    while waiting:
        item = waiting.pop()
        if id(item) in seen or getattr(item, "__module__", None) != _MAIN:
            continue
        seen.add(id(item))
        codes = list(_codes(item))
        yield item.__qualname__, _text_of(item, codes)
        waiting += [main[name] for code in codes for name in code.co_names if name in main]


def _codes(item: Any) -> Iterator[CodeType]:
    """Yield the compiled code of a function, or of all functions of a class, with what is nested in it."""
    members = list(vars(item).values()) if inspect.isclass(item) else [item]
    for member in members:
        inner = getattr(member, "__func__", None) or getattr(member, "fget", None) or member
        waiting = [inner.__code__] if hasattr(inner, "__code__") else []
        while waiting:
            code = waiting.pop()
            yield code
            waiting += [part for part in code.co_consts if isinstance(part, CodeType)]


def _text_of(item: Any, codes: Iterable[CodeType]) -> bytes:
    """Return the text of a class or function; in a notebook or a shell there may be none, and its code stands in."""
    try:
        return _meaning(inspect.getsource(item).encode())
    except (OSError, TypeError):
        parts = [(code.co_code, [c for c in code.co_consts if not isinstance(c, CodeType)]) for code in codes]
        return repr(parts).encode()
