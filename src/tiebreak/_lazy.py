"""Names that are imported when they are first used, so that importing a package costs next to nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late(module: str, name: str) -> Any:
    """Look up a function of a later stage by name, when it is called.

    Imports go one way, from later stages to earlier ones. The only exceptions are the methods `figure()` and
    `report()`, which results have for convenience; they come through here.
    """
    return getattr(import_module(module), name)


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make the `__getattr__` and `__dir__` of a package from a mapping of name to the module that holds it.

    A name that is itself a module is mapped to the empty string.
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if not homes[name]:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted(homes)

    return get, names
