"""Names that are imported when they are first used, so that importing a package costs next to nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

Lazy = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]
"""The `__getattr__`, `__dir__` and `__all__` of a package."""


def late(module: str, name: str) -> Any:
    """Look up a function of a later stage by name, when it is called.

    Imports go one way, from later stages to earlier ones. The only exceptions are the methods `figure()` and
    `report()`, which results have for convenience, `try_out()` of the advisor, and the verbs that start a server, which
    runs the other verbs; they come through here.
    """
    return getattr(import_module(module), name)


def cited(value: Any) -> Any:
    """Write out the papers that the docstring of a public function or class cites by their keys."""
    if callable(value) and "References" in (value.__doc__ or ""):
        from tiebreak.papers import cite_in  # here, so that importing the package reads nothing

        value.__doc__ = cite_in(value.__doc__)
    return value


def lazy_stub(package: str, file: str) -> Lazy:
    """Make a package of the names that its stub, the file `__init__.pyi`, imports: each is looked up when it is used.

    Type checkers read the stub too, so that every name stands once. What is imported from the package is a module.
    """
    import re  # here, so that importing the package loads next to nothing

    homes: dict[str, str] = {}
    with open(f"{file}i", encoding="utf-8") as stub:
        for part in re.split(r"(?m)^ *from ", stub.read())[1:]:
            module, _, names = part.partition(" import ")
            homes |= dict.fromkeys(re.findall(r" as (\w+)", names), module)

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if homes[name] == package:
            return import_module(f"{package}.{name}")
        value = cited(getattr(import_module(homes[name]), name))
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted(homes), sorted(homes)
