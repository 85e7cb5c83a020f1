"""The knowledge base that ships with the package, and the text file that any base can be kept in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor._knowledge import Knowledge
from tiebreak.advisor._meta_table import MetaTable
from tiebreak.caveats import caveats_of
from tiebreak.datasets.targets import check_kind
from tiebreak.documents.words import finite
from tiebreak.errors import InputError
from tiebreak.results.text import file_bytes, json_of
from tiebreak.wording import either

FORMAT = 2
OLDER = (1,)
"""Formats that are still read: the first had no sizes, shares and sources, and named measures at every data set."""
SHIPPED = "shipped"
"""The source of what ships with the package, and the word for it where an address is expected."""
_PARTS = ("accuracy", "time", "sizes")


ALL_SHIPPED = "shipped-all"
"""The same with artificial data sets."""


def shipped_knowledge(kind: str = "classes", *, artificial: bool = False) -> Knowledge:
    """Return the base that ships with Tiebreak: our own runs of twenty learners on 62 data sets, 48 of them real.

    The data sets are the classification sets on which learners have been compared for decades, of 57 to 20,000 rows;
    two are built in. The learners have the settings of the catalogue, untuned. Every pair was run in 1x2 folds, and in
    5x2 folds where a fold takes less than 6 seconds to train. Times are CPU seconds of training and prediction on one
    machine, which was busy, so that they are rather long; sizes are those of the stored models. `made` says which
    machine, libraries, load and seed.
    `tools/knowledge/build.py` made it. The rows of the data sets are no part of it; `data_from` says where those are
    published.

    Fourteen data sets were drawn from a distribution or counted out by a rule. Advice on real data was better without
    them (`tiebreak study advice`), so they are left out unless they are asked for.

    Assumptions: that your data resemble such sets. They are smaller and cleaner than most data of today: results of
    your own are better advisers.

    Of numbers to predict there is a base of its own: the regression learners on tasks of which most are real, made by
    `tools/knowledge/build_numbers.py`.

    Parameters
    ----------
    kind : {"classes", "number"}
        What is predicted.
    artificial : bool, default False
        Whether to add the artificial data sets.

    Returns
    -------
    Knowledge

    Examples
    --------
    >>> base = shipped_knowledge()
    >>> "iris" in base.datasets, "c45" in base.algorithms, base.made["by"]
    (True, True, 'tools/knowledge/build.py')
    >>> "monks" in base.datasets, "monks" in shipped_knowledge(artificial=True).datasets
    (False, True)
    """
    whole = _whole("numbers.json" if check_kind(kind) == "number" else "knowledge.json")
    found = replace(whole, made=dict(whole.made))  # the one thing of it that a caller could change
    made_up = [name for name in found.made.get("artificial", "").split(", ") if name]
    return found if artificial else found.without(datasets=made_up)


@cache
def _whole(name: str) -> Knowledge:
    """Read a file of the package, once in a process: it never changes, and every recommendation asks for it."""
    text = files("tiebreak.advisor").joinpath(f"data/{name}").read_text(encoding="utf-8")
    return knowledge_from_text(text, where="the shipped knowledge base")


def open_base(address: str | Path, *, kind: str | None = None) -> Knowledge:
    """Return the base behind an address.

    Parameters
    ----------
    address : str or Path
        "shipped" for the base of the package, "shipped-all" with its artificial data sets; the path of a knowledge
        file (.json, see `knowledge_text`); anything else is a store, such as "results.db". Published results of
        others become a knowledge file by `tools/knowledge/from_published.py`.
    kind : {"classes", "number"}, optional
        What is predicted, where there is a choice: the package has a base of each kind, and a store may hold both.

    Returns
    -------
    Knowledge

    Examples
    --------
    >>> open_base("shipped").sources[0]
    'shipped'
    """
    text = str(address)
    if text in (SHIPPED, ALL_SHIPPED):
        return shipped_knowledge(kind or "classes", artificial=text == ALL_SHIPPED)
    if is_store(address):
        from tiebreak.advisor._read_knowledge import store_knowledge

        return store_knowledge(text, kind=kind)
    path = Path(text).expanduser()
    if not path.is_file():
        raise InputError(
            f"There is no file {text!r}.",
            why="A base is read from it.",
            mend=f"Give the path of a knowledge file, or use {either(f'open_base({SHIPPED!r})', f'--base {SHIPPED}')}.",
        )
    return knowledge_from_text(file_bytes(path).decode("utf-8", errors="replace"), where=path.name)


def is_store(address: str | Path) -> bool:
    """Tell whether an address is that of a store, which may not be there yet."""
    text = str(address)
    return not (text in (SHIPPED, ALL_SHIPPED) or text.endswith((".json", ".json.gz")))


def knowledge_text(known: Knowledge, *, made: Mapping[str, str] | None = None) -> str:
    r"""Write a base as JSON text, a line for each data set and algorithm.

    Success rates are written with six decimals, times and sizes with three significant digits, where the noise begins;
    meta-attributes as they are. Caveats are not kept: what they say of files is no longer to be seen.

    Parameters
    ----------
    known : Knowledge
    made : mapping, optional
        How it came about; by default what the base says itself.

    Returns
    -------
    str
        What `knowledge_from_text` reads back.

    Examples
    --------
    >>> text = knowledge_text(shipped_knowledge().only(datasets=["iris", "wine"], algorithms=["c45", "rf"]))
    >>> text.count("\n"), knowledge_from_text(text).datasets
    (10, ('iris', 'wine'))
    """
    about = dict(known.made if made is None else made)
    about.setdefault("source", known.sources[0])
    about.setdefault("machine", known.machines[0])
    head = {"format": FORMAT, "score": known.score, "kind": known.kind, "made": about, "notices": list(known.notices)}
    head |= {"algorithms": list(known.algorithms), "measures": list(known.meta.measures)}
    if known.meanings:
        head |= {"meanings": dict(known.meanings)}
    lines = [json.dumps(head, ensure_ascii=False)[:-1] + ', "datasets": {']
    for i, name in enumerate(known.datasets):
        lines.append(f'{json.dumps(name)}: {json.dumps(_about(known, i, about))[:-1]}, "results": {{')
        lines += _result_lines(known, i)
        lines.append("}}" + ("," if i + 1 < len(known.datasets) else ""))
    return "\n".join([*lines, "}}"]) + "\n"


def _about(known: Knowledge, i: int, made: Mapping[str, str]) -> dict[str, Any]:
    """Describe one data set; what the head says of all is not repeated."""
    labels = {"source": known.sources[i], "machine": known.machines[i]}
    return {
        "fingerprint": known.fingerprints[i],
        "origin": known.origins[i],
        "data_from": known.data_from[i],
        **{key: text for key, text in labels.items() if text != made[key]},
        "train_share": finite(known.train_share[i]),
        "meta_version": known.meta.versions[0] if known.meta.versions else 0,
        "meta": [finite(value) for value in known.meta.matrix[i].tolist()],
    }


def _result_lines(known: Knowledge, i: int) -> list[str]:
    """Write a line per algorithm, so that a changed result changes one line of the file."""
    found = []
    cubes = [getattr(known, part) for part in _PARTS]
    for j in np.flatnonzero(np.isfinite(known.accuracy[i]).any(axis=(1, 2))):
        there = np.isfinite(known.accuracy[i, j])
        used = tuple(slice(int(np.flatnonzero(there.any(axis=axis))[-1]) + 1) for axis in (1, 0))
        blocks = [None if cube is None else cube[i, j][used].tolist() for cube in cubes]
        rounded = [_rounded(block, 6 if part == 0 else None) for part, block in enumerate(blocks)]
        while rounded[-1] is None:
            rounded.pop()
        found.append(f"  {json.dumps(known.algorithms[j])}: {json.dumps(rounded, separators=(',', ':'))}")
    return ",\n".join(found).splitlines()


def _rounded(block: list[list[float]] | None, decimals: int | None) -> list[list[float | None]] | None:
    """Round to decimals, or to three significant digits; a whole number is written without a point."""
    if block is None:
        return None
    return [[_short(float(f"{v:.3g}") if decimals is None else round(v, decimals)) for v in row] for row in block]


def _short(value: float) -> float | None:
    kept = finite(value)
    return int(kept) if kept is not None and kept == int(kept) else kept


def knowledge_from_text(text: str, *, where: str = "the text") -> Knowledge:
    """Read what `knowledge_text` wrote, in this format or an older one.

    Parameters
    ----------
    text : str
    where : str
        What an error calls the text.

    Returns
    -------
    Knowledge
    """
    try:
        content = json_of(text)
        if content["format"] not in (FORMAT, *OLDER):
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
    sets, algorithms, made = content["datasets"], tuple(content["algorithms"]), content["made"]
    shares = tuple(_float(entry.get("train_share")) for entry in sets.values())
    cubes: dict[str, Any] = {part: _cube(sets, algorithms, place) for place, part in enumerate(_PARTS)}
    return Knowledge(
        datasets=tuple(sets),
        algorithms=algorithms,
        **cubes,
        meta=_meta(sets, content.get("measures")),
        origins=_texts(sets, "origin"),
        machines=_texts(sets, "machine", str(made.get("machine", SHIPPED))),
        sources=_texts(sets, "source", str(made.get("source", SHIPPED))),
        fingerprints=_texts(sets, "fingerprint"),
        score=str(content["score"]),
        kind=str(content.get("kind", "classes")),
        train_share=shares,
        data_from=_texts(sets, "data_from", ""),
        made={str(key): str(value) for key, value in made.items()},
        meanings={str(name): str(text) for name, text in content.get("meanings", {}).items()},
        notices=tuple(str(each) for each in content.get("notices", ())),
        caveats=caveats_of((made.get("note"), "shipped-base", str(made.get("note")))),
    )


def _texts(sets: Mapping[str, Any], key: str, otherwise: str | None = None) -> tuple[str, ...]:
    """What has no usual value must be there."""
    return tuple(str(entry[key] if otherwise is None else entry.get(key, otherwise)) for entry in sets.values())


def _meta(sets: Mapping[str, Any], measures: list[str] | None) -> MetaTable:
    """In the first format measures are the union over the data sets, in the order first met; a lack is a gap."""
    if measures is None:
        measures = list(dict.fromkeys(name for entry in sets.values() for name in entry["meta"]))
        rows = [[_float(entry["meta"].get(name)) for name in measures] for entry in sets.values()]
    else:
        rows = [[_float(value) for value in entry["meta"]] for entry in sets.values()]
    return MetaTable(
        names=tuple(sets),
        measures=tuple(measures),
        matrix=np.array(rows, dtype=np.float64).reshape(len(sets), len(measures)),
        versions=tuple(sorted({int(entry["meta_version"]) for entry in sets.values()})),
    )


def _cube(sets: Mapping[str, Any], algorithms: tuple[str, ...], part: int) -> FloatArray | None:
    """Lay one part of the results out as (data sets, algorithms, replications, folds); None where nobody has it."""
    blocks = [entry["results"].get(name) for entry in sets.values() for name in algorithms]
    shapes = [np.shape(block[0]) for block in blocks if block is not None]
    held = [None if block is None or len(block) <= part else block[part] for block in blocks]
    if part and all(block is None for block in held):
        return None
    cube = np.full((len(blocks), max(s[0] for s in shapes), max(s[1] for s in shapes)), np.nan)
    for place, block in enumerate(held):
        if block is not None:
            own = np.array([[_float(v) for v in row] for row in block])
            cube[place, : own.shape[0], : own.shape[1]] = own
    return cube.reshape(len(sets), len(algorithms), *cube.shape[1:])


def _float(value: float | None) -> float:
    return float("nan") if value is None else float(value)
