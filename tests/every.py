"""One test of many small cases: it goes through all of them and lists those that fail."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

LONGEST = 300
"""Letters of a case that are shown."""


def every(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Stand in for `pytest.mark.parametrize` where a case takes less time than a test of its own would."""
    listed = (names,) if isinstance(names, str) else names
    rows = [_values(case, len(listed)) for case in cases]

    def whole_of(test: Callable[..., None]) -> Callable[..., None]:
        def whole(*current: Any, **fixtures: Any) -> None:
            failed = []
            for number, row in enumerate(rows):
                with pytest.MonkeyPatch.context() as patch:
                    given = _fresh(fixtures, number, patch)
                    try:
                        test(*current, **given, **dict(zip(listed, row, strict=True)))
                    except Exception as error:
                        failed.append(f"{str(row)[:LONGEST]}: {type(error).__name__}: {error}")
            assert not failed, f"{len(failed)} of {len(rows)} cases fail:\n" + "\n".join(failed)

        signature = inspect.signature(test)
        parameters = [parameter for name, parameter in signature.parameters.items() if name not in listed]
        whole.__dict__.update(vars(test))
        whole.__name__, whole.__qualname__ = test.__name__, test.__qualname__
        whole.__module__, whole.__doc__ = test.__module__, test.__doc__
        whole.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return whole

    return whole_of


def _values(case: Any, count: int) -> tuple[Any, ...]:
    if hasattr(case, "marks") and hasattr(case, "values"):  # of pytest.param
        assert not case.marks
        return tuple(case.values)
    return tuple(case) if count > 1 else (case,)


def _fresh(fixtures: dict[str, Any], number: int, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    given = dict(fixtures)
    if "tmp_path" in given:
        given["tmp_path"] = fixtures["tmp_path"] / str(number)
        given["tmp_path"].mkdir()
    if "monkeypatch" in given:
        given["monkeypatch"] = patch
    return given
