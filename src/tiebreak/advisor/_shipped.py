"""The knowledge base that ships with the package, and the small text file it is kept in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor._knowledge import Knowledge
from tiebreak.advisor._meta_table import MetaTable
from tiebreak.documents import finite
from tiebreak.errors import InputError
from tiebreak.stats.telling import caveats_of
from tiebreak.tables.limits import json_of

FORMAT = 1
SHIPPED = "shipped"
"""The source of what ships with the package, and the word for it where an address is expected."""


def shipped_knowledge() -> Knowledge:
    """Return the base that ships with Tiebreak: our own runs of the catalogue on the built-in data sets.

    It is small and made of easy, mostly artificial data: enough for a first answer, no substitute for results of your
    own. `tools/knowledge/build.py` made it; the times are CPU seconds of one machine.

    Returns
    -------
    Knowledge

    Examples
    --------
    >>> base = shipped_knowledge()
    >>> "iris" in base.datasets, "c45" in base.algorithms
    (True, True)
    """
    text = files("tiebreak.advisor").joinpath("data/knowledge.json").read_text(encoding="utf-8")
    return knowledge_from_text(text, where="the shipped knowledge base")


def knowledge_text(known: Knowledge, *, made: Mapping[str, str]) -> str:
    """Write a base of one source as JSON text, a line for each data set and algorithm; `made` says how it came about.

    Success rates are written with six decimals and times with three significant digits, where the noise begins.
    """
    head = {"format": FORMAT, "score": known.score, "made": dict(made), "algorithms": list(known.algorithms)}
    lines = [json.dumps(head, ensure_ascii=False)[:-1] + ', "datasets": {']
    for i, name in enumerate(known.datasets):
        about = {
            "fingerprint": known.fingerprints[i],
            "origin": known.origins[i],
            "meta_version": known.meta.versions[0] if known.meta.versions else 0,
            "meta": dict(zip(known.meta.measures, map(finite, known.meta.matrix[i]), strict=True)),
        }
        lines.append(f'{json.dumps(name)}: {json.dumps(about)[:-1]}, "results": {{')
        lines += _result_lines(known, i)
        lines.append("}}" + ("," if i + 1 < len(known.datasets) else ""))
    return "\n".join([*lines, "}}"]) + "\n"


def _result_lines(known: Knowledge, i: int) -> list[str]:
    """Write a line per algorithm, so that a changed result changes one line of the file."""
    found = []
    for j in np.flatnonzero(np.isfinite(known.accuracy[i]).any(axis=(1, 2))):
        rates = [[finite(round(v, 6)) for v in row] for row in known.accuracy[i, j].tolist()]
        times = None
        if known.time is not None:
            times = [[finite(float(f"{v:.3g}")) for v in row] for row in known.time[i, j].tolist()]
        found.append(f"  {json.dumps(known.algorithms[j])}: {json.dumps([rates, times])}")
    return ",\n".join(found).splitlines()


def knowledge_from_text(text: str, *, where: str = "the text") -> Knowledge:
    """Read what `knowledge_text` wrote."""
    try:
        content = json_of(text)
        if content["format"] != FORMAT:
            raise ValueError(f"format {content['format']!r}, not {FORMAT}")
        return _knowledge(content)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{where} holds no knowledge base ({type(error).__name__}: {error}).",
            why="It is read from what knowledge_text(...) wrote.",
            mend="Make it again with tools/knowledge/build.py.",
        ) from None


def _knowledge(content: Mapping[str, Any]) -> Knowledge:
    """Measures are the union over the data sets, in the order first met; what one lacks is a gap."""
    sets, algorithms = content["datasets"], tuple(content["algorithms"])
    names = tuple(sets)
    measures = tuple(dict.fromkeys(name for entry in sets.values() for name in entry["meta"]))
    matrix = [[_float(entry["meta"].get(name)) for name in measures] for entry in sets.values()]
    versions = {int(entry["meta_version"]) for entry in sets.values()}
    return Knowledge(
        datasets=names,
        algorithms=algorithms,
        accuracy=_cube(sets, algorithms, 0),
        time=_cube(sets, algorithms, 1),
        meta=MetaTable(names=names, measures=measures, matrix=np.array(matrix), versions=tuple(sorted(versions))),
        origins=tuple(str(entry["origin"]) for entry in sets.values()),
        machines=(str(content["made"].get("machine", SHIPPED)),) * len(names),
        sources=(str(content["made"].get("source", SHIPPED)),) * len(names),
        fingerprints=tuple(str(entry["fingerprint"]) for entry in sets.values()),
        score=str(content["score"]),
        caveats=caveats_of((content["made"].get("note"), "shipped-base", str(content["made"].get("note")))),
    )


def _cube(sets: Mapping[str, Any], algorithms: tuple[str, ...], part: int) -> FloatArray:
    """Lay the results out as (data sets, algorithms, replications, folds)."""
    blocks = [entry["results"].get(name) for entry in sets.values() for name in algorithms]
    shapes = [np.shape(block[0]) for block in blocks if block is not None]
    cube = np.full((len(blocks), max(s[0] for s in shapes), max(s[1] for s in shapes)), np.nan)
    for place, block in enumerate(blocks):
        if block is not None and block[part] is not None:
            own = np.array([[_float(v) for v in row] for row in block[part]])
            cube[place, : own.shape[0], : own.shape[1]] = own
    return cube.reshape(len(sets), len(algorithms), *cube.shape[1:])


def _float(value: float | None) -> float:
    return float("nan") if value is None else float(value)
