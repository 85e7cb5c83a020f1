"""How much a file may become when it is unpacked, and how deep its JSON or TOML may nest: no file can surprise.

Every archive that the package reads is inflated here, in steps, and refused as soon as it passes the limit. A table
that is really larger is unpacked by its owner, or let in by the environment variable `TIEBREAK_UNPACK_GB`.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable
from typing import Any

from tiebreak.errors import InputError, OptionError, TiebreakError

LIMIT_NAME = "TIEBREAK_UNPACK_GB"
"""The environment variable that sets how many gigabytes a file may have when it is unpacked."""
MOST_BYTES = 2_000_000_000
"""How many bytes an archive may hold unless the variable says otherwise."""
RATIO = 100
"""An archive may hold this many times its own size, unless that is less than `HARMLESS`. Tables of results shrink to
a third to a thirtieth; a file of zeros to a thousandth."""
HARMLESS = 100_000_000
"""So many bytes are let through whatever the ratio."""
DEEPEST = 100
"""How deep JSON and TOML may nest; what is read here nests three levels deep."""
LONGEST_PLAN = 4_000_000
"""How many characters a TOML file may have: the parser takes minutes for larger ones with dotted names."""
_STEP = 1 << 20


class TooDeep(ValueError):
    """JSON or TOML that nests too deep to be a table or a plan."""

    def __init__(self) -> None:
        super().__init__(f"it nests more than {DEEPEST} levels deep")


def most_bytes(packed: int) -> int:
    """Return how many bytes an archive of this size may hold."""
    told = os.environ.get(LIMIT_NAME, "").strip()
    if not told:
        return min(MOST_BYTES, max(HARMLESS, RATIO * packed))
    try:
        limit = float(told) * 1e9
        if not 0 < limit < float("inf"):
            raise ValueError
    except ValueError:
        raise OptionError(
            f"{LIMIT_NAME} is {told!r}.",
            why="It says how many gigabytes a file may have when it is unpacked.",
            mend=f"Set it to a positive number: {LIMIT_NAME}=10.",
        ) from None
    return int(limit)


def too_large(source: str, limit: int, packed: int) -> InputError:
    """Make the error for an archive that holds more than the limit."""
    return InputError(
        f"{source} unpacks to more than {_amount(limit)} (it has {_amount(packed)}; the limit is {_amount(MOST_BYTES)},"
        f" and {RATIO} times its own size above {_amount(HARMLESS)}).",
        why="Such a file would fill the memory.",
        mend=f"If that is right, unpack it and read the unpacked file, or allow more gigabytes: {LIMIT_NAME}=20.",
    )


def _amount(count: int) -> str:
    for size, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"


def gathered(parts: Iterable[bytes], *, packed: int, source: str) -> bytes:
    """Join what an archive gives, part by part, until it is too much; the parts are never held twice."""
    limit, total, out = most_bytes(packed), 0, io.BytesIO()
    try:
        for part in parts:
            total += len(part)
            if total > limit:
                raise too_large(source, limit, packed)
            out.write(part)
        return out.getvalue()
    except MemoryError:
        raise no_memory(source) from None


def no_memory(source: str) -> InputError:
    """Make the error for a file that this machine cannot hold."""
    return InputError(
        f"{source} does not fit into the memory of this machine.",
        why="A table is held whole while it is compared.",
        mend="Read the columns and rows that are needed with polars or pandas, and pass the frame.",
    )


def gunzip(data: bytes, *, source: str) -> bytes:
    """Inflate gzip in steps; `OSError`, `zlib.error` or `EOFError` where it is broken or cut off."""
    import gzip

    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        return gathered(iter(lambda: stream.read(_STEP), b""), packed=len(data), source=source)


def json_of(text: str, **options: Any) -> Any:
    """Read JSON; a `ValueError` where it is none, and `TooDeep` where it nests too deep.

    Examples
    --------
    >>> json_of('{"iris": {"svm": [0.9, 0.8]}}')
    {'iris': {'svm': [0.9, 0.8]}}
    >>> json_of("[" * 200 + "]" * 200)
    Traceback (most recent call last):
    tiebreak.results.limits.TooDeep: it nests more than 100 levels deep
    """
    import json

    def parsed() -> Any:
        try:
            return json.loads(text, **options)
        except (json.JSONDecodeError, TiebreakError):
            raise
        except ValueError:  # Python turns no more than 4300 figures into a number
            raise ValueError("a number in it has thousands of figures") from None

    return _not_too_deep(parsed)


def toml_of(text: str) -> dict[str, Any]:
    """Read TOML; a `ValueError` where it is none, is too long, or nests too deep."""
    import tomllib

    if len(text) > LONGEST_PLAN:
        raise ValueError(f"it has {len(text):,} characters, and {LONGEST_PLAN:,} are read")
    found: dict[str, Any] = _not_too_deep(lambda: tomllib.loads(text))
    return found


def _not_too_deep(parse: Callable[[], Any]) -> Any:
    """Check the depth of what was parsed: later on a message may print it, and printing recurses as parsing does."""
    try:
        content = parse()
    except RecursionError:
        raise TooDeep from None
    level, depth = [content], 0
    while level:
        level = [
            child
            for node in level
            if isinstance(node, (dict, list))
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, (dict, list))
        ]
        depth += 1
        if depth > DEEPEST:
            raise TooDeep
    return content
