"""Bases: the one that ships with the package, knowledge files, several as one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_choice
from tiebreak.advisor.knowledge import PER_SET, Knowledge
from tiebreak.advisor.meta_table import MetaTable, looks_of
from tiebreak.advisor.success_rates import SCORES, of_one_kind
from tiebreak.caveats import caveats_of, distinct
from tiebreak.datasets.targets import check_kind
from tiebreak.documents import as_came_in
from tiebreak.documents.words import finite
from tiebreak.errors import InputError
from tiebreak.results.text import file_bytes, json_of
from tiebreak.wording import either

FORMAT = 2
SHIPPED = "shipped"
"""The source of what ships with the package, and the word for it where an address is expected."""
_PARTS = ("accuracy", "time")


ALL_SHIPPED = "shipped-all"
"""The same with artificial data sets."""


def shipped_knowledge(kind: str = "classes", *, artificial: bool = False, by: str | None = None) -> Knowledge:
    """Return the base that ships with Tiebreak: our own runs of twenty learners on 62 data sets, 48 of them real.

    The data sets are the classification sets on which learners have been compared for decades, of 57 to 20,000 rows;
    two are built in. The learners have the settings of the catalogue, untuned. Every pair was run in 1x2 folds, and in
    5x2 folds where a fold takes less than 6 seconds to train. Times are CPU seconds of training and prediction on one
    machine, which was busy, so that they are rather long. `made` says which
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
    by : {"accuracy", "auc", "log_loss"}, optional
        The score of classes: by default accuracy. AUC and log loss (as exp(-log loss), the geometric mean of what the
        true class was given) are those of one replication on the real data sets, of the pairs that take less than two
        seconds (catboost eight).

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
    knowledge = replace(whole, made=dict(whole.made))  # the one thing of it that a caller could change
    made_up = [name for name in knowledge.made.get("artificial", "").split(", ") if name]
    if by not in (None, SCORES[knowledge.kind]):
        check_choice("score", by, OTHER_SCORES if knowledge.kind == "classes" else (SCORES["number"],))
        return _with_score(knowledge, str(by))
    return knowledge if artificial else knowledge.without(datasets=made_up)


OTHER_SCORES = ("log_loss", "auc")


def _with_score(base: Knowledge, score: str) -> Knowledge:
    """Put another score in the place of accuracy; what was not measured is left out."""
    content = json_of(files("tiebreak.advisor").joinpath("data/scores.json").read_text(encoding="utf-8"))["datasets"]
    cube = np.full((len(base.datasets), len(base.algorithms), 1, 2), np.nan)
    for name, results in content.items():
        for algorithm, parts in results.items():
            place = base.datasets.index(name), base.algorithms.index(algorithm), 0
            cube[place] = [_float(part) for part in parts[OTHER_SCORES.index(score)] or (None, None)]
    there = np.isfinite(cube).all(axis=(2, 3))
    rates = np.exp(-cube) if score == "log_loss" else cube
    time = None if base.time is None else base.time[:, :, :1, :]
    whole = replace(
        base, accuracy=rates, time=time, score="exp(-log_loss)" if score == "log_loss" else score
    ).datasets_at(np.flatnonzero(there.any(axis=1)))
    return whole.only(algorithms=[base.algorithms[j] for j in np.flatnonzero(there.any(axis=0))])


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
        from tiebreak.advisor.reading import store_knowledge

        return store_knowledge(text, kind=kind)
    path = Path(text).expanduser()
    if not path.is_file():
        raise InputError(
            f"There is no file {text!r}.",
            why="The knowledge base is read from this file.",
            mend=f"Give the path of a knowledge file, or use {either(f'open_base({SHIPPED!r})', f'--base {SHIPPED}')}.",
        )
    return knowledge_from_text(file_bytes(path).decode("utf-8", errors="replace"), where=path.name)


def is_store(address: str | Path) -> bool:
    """Tell whether an address is that of a store, which may not be there yet."""
    text = str(address)
    return not (text in (SHIPPED, ALL_SHIPPED) or text.endswith((".json", ".json.gz")))


def knowledge_text(known: Knowledge, *, made: Mapping[str, str] | None = None) -> str:
    r"""Write a base as JSON text, a line for each data set and algorithm.

    Success rates are written with six decimals, times with three significant digits, where the noise begins;
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
    names = []
    cubes = [getattr(known, part) for part in _PARTS]
    for j in np.flatnonzero(np.isfinite(known.accuracy[i]).any(axis=(1, 2))):
        there = np.isfinite(known.accuracy[i, j])
        used = tuple(slice(int(np.flatnonzero(there.any(axis=axis))[-1]) + 1) for axis in (1, 0))
        blocks = [None if cube is None else cube[i, j][used].tolist() for cube in cubes]
        rounded = [_rounded(block, 6 if part == 0 else None) for part, block in enumerate(blocks)]
        while rounded[-1] is None:
            rounded.pop()
        names.append(f"  {json.dumps(known.algorithms[j])}: {json.dumps(rounded, separators=(',', ':'))}")
    return ",\n".join(names).splitlines()


def _rounded(block: list[list[float]] | None, decimals: int | None) -> list[list[float | None]] | None:
    """Round to decimals, or to three significant digits; a whole number is written without a point."""
    if block is None:
        return None
    return [[_short(float(f"{v:.3g}") if decimals is None else round(v, decimals)) for v in row] for row in block]


def _short(value: float) -> float | None:
    remaining = finite(value)
    return int(remaining) if remaining is not None and remaining == int(remaining) else remaining


def knowledge_from_text(text: str, *, where: str = "the text") -> Knowledge:
    """Read what `knowledge_text` wrote.

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
    sets, algorithms, made = content["datasets"], tuple(content["algorithms"]), content["made"]
    shares = tuple(_float(entry.get("train_share")) for entry in sets.values())
    cubes: dict[str, Any] = {part: _cube(sets, algorithms, place) for place, part in enumerate(_PARTS)}
    return Knowledge(
        datasets=tuple(sets),
        algorithms=algorithms,
        **cubes,
        meta=_meta(sets, content["measures"]),
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
        notices=tuple(str(item) for item in content.get("notices", ())),
        caveats=caveats_of((made.get("note"), "shipped-base", str(made.get("note")))),
    )


def _texts(sets: Mapping[str, Any], key: str, otherwise: str | None = None) -> tuple[str, ...]:
    """What has no usual value must be there."""
    return tuple(str(entry[key] if otherwise is None else entry.get(key, otherwise)) for entry in sets.values())


def _meta(sets: Mapping[str, Any], measures: list[str]) -> MetaTable:
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
            values = np.array([[_float(v) for v in row] for row in block])
            cube[place, : values.shape[0], : values.shape[1]] = values
    return cube.reshape(len(sets), len(algorithms), *cube.shape[1:])


def _float(value: float | None) -> float:
    return float("nan") if value is None else float(value)


@as_came_in
def merge_knowledge(bases: Sequence[Knowledge]) -> Knowledge:
    """Put several bases side by side.

    Rule: results of one data set from two bases stay two rows, so that algorithms are compared only where they ran
    side by side, on one machine and the same splits; the later row gets the name of its source in brackets and
    shares the origin of the first, as does a data set of another name with the same rows, classes and share of the
    largest class. A row is dropped where an earlier base has results of the same data set (the same
    digest, or the same name where none is known) for all its algorithms. Ratios of times never mix machines; seconds
    are shown as measured, with a caveat.
    Bases of different kinds of target are refused.

    Parameters
    ----------
    bases : sequence of Knowledge
        The first has precedence.

    Returns
    -------
    Knowledge

    Examples
    --------
    >>> from tiebreak.results import Results
    >>> def base(scores, source):
    ...     return Knowledge.from_results(Results.from_dict(scores, scores="accuracy"), source=source)
    >>> one = base({"a": {"x": 0.9, "y": 0.8}}, "mine")
    >>> two = base({"a": {"x": 0.9, "z": 0.7}, "b": {"x": 0.7, "z": 0.6}}, "theirs")
    >>> merge_knowledge([one, two]).datasets
    ('a', 'a (theirs)', 'b')
    """
    if not bases:
        raise InputError("No base is given.", why="There is nothing to merge.", mend="Pass at least one Knowledge.")
    of_one_kind(bases)
    whole = bases[0]
    for other in bases[1:]:
        whole = _joined(whole, other)
    return whole


def _joined(first: Knowledge, second: Knowledge) -> Knowledge:
    """Put the rows of the second base under those of the first, which keep their names and their seconds."""
    twins = _twins(first, second)
    indices = _not_covered(first, second, twins)
    dropped = len(second.datasets) - len(indices)
    text = f"{dropped} data set(s) of {second.sources[0]} are known already with all their algorithms."
    notes = caveats_of((dropped, "duplicates-settled", text))
    if not len(indices):
        return replace(first, caveats=distinct((*first.caveats, *notes)))
    rest = second.datasets_at(indices)
    names = _fresh_names(first, rest)
    algorithms = tuple(sorted({*first.algorithms, *second.algorithms}))
    times = [first.time, rest.time]
    apart = all(part is not None for part in times) and set(first.machines) != set(second.machines)
    slower = f"Seconds of {second.sources[0]} are shown as measured there; rankings use ratios of times on one machine."
    mixed = f"Success rates are {first.score!r} on some data sets and {second.score!r} on others."
    notes += caveats_of((apart, "hosts-mixed", slower), (first.score != second.score, "metrics-differ", mixed))
    labels: dict[str, Any] = {part: (*getattr(first, part), *getattr(rest, part)) for part in PER_SET}
    labels["origins"] = (*first.origins, *_origins(first, rest))
    return Knowledge(
        datasets=(*first.datasets, *names),
        algorithms=algorithms,
        accuracy=_stacked([first.accuracy, rest.accuracy], [first, rest], algorithms),
        time=_stacked(times, [first, rest], algorithms) if any(part is not None for part in times) else None,
        meta=_merged_meta(first.meta, rest.meta, names),
        **labels,
        kind=first.kind,
        score=first.score if second.score in first.score else f"{first.score} or {second.score}",
        made=_made(first, second),
        meanings={**second.meanings, **first.meanings},
        notices=tuple(dict.fromkeys((*first.notices, *second.notices))),
        caveats=distinct((*first.caveats, *second.caveats, *notes)),
        frame_kind=first.frame_kind or second.frame_kind,
    )


def _made(first: Knowledge, second: Knowledge) -> dict[str, str]:
    """Say how both came about; what the second says of itself is marked with its source, where it differs."""
    texts = {key: text for key, text in second.made.items() if first.made.get(key) != text}
    return {**first.made, **{f"{key} ({second.sources[0]})": text for key, text in texts.items()}}


def _twins(first: Knowledge, second: Knowledge) -> dict[int, int]:
    """Return for data sets of the second base the same one of the first: by digest, or by name where one has none."""
    by_mark = {mark: i for i, mark in reversed(list(enumerate(first.fingerprints))) if mark}
    by_name = {name: i for i, name in enumerate(first.datasets)}
    result = {}
    for i, (name, mark) in enumerate(zip(second.datasets, second.fingerprints, strict=True)):
        same = by_mark.get(mark) if mark else None
        if same is None and name in by_name and not (mark and first.fingerprints[by_name[name]]):
            same = by_name[name]
        if same is not None:
            result[i] = same
    return result


def _not_covered(first: Knowledge, second: Knowledge, twins: dict[int, int]) -> IntArray:
    """Return the data sets of which the second base knows an algorithm that the first does not."""
    ours, theirs = first.measured(timed=False), second.measured(timed=False)
    shared = np.array([[name == algorithm for algorithm in first.algorithms] for name in second.algorithms])

    def covered(i: int) -> bool:
        return i in twins and bool((shared[theirs[i]] & ours[twins[i]]).any(axis=1).all())

    return np.array([i for i in range(len(second.datasets)) if not covered(i)], dtype=np.int64)


def _fresh_names(first: Knowledge, rest: Knowledge) -> tuple[str, ...]:
    """Name rows whose name is taken after their source, with a number where that is taken too."""
    taken = {*first.datasets, *rest.datasets}
    names = []
    for name, source in zip(rest.datasets, rest.sources, strict=True):
        tried = chain((f"{name} ({source})",), (f"{name} ({source}, {number})" for number in count(2)))
        names.append(next(text for text in tried if text not in taken) if name in first.datasets else name)
        taken.add(names[-1])
    return tuple(names)


def _origins(first: Knowledge, rest: Knowledge) -> list[str]:
    """Return the origin of every row: that of its name in the first base, or of a set there that must be the same."""
    by_name = dict(zip(first.datasets, first.origins, strict=True))
    by_look = {look: origin for look, origin in zip(looks_of(first.meta), first.origins, strict=True) if look}
    rows = zip(rest.datasets, looks_of(rest.meta), rest.origins, strict=True)
    return [by_name.get(name) or by_look.get(look) or origin for name, look, origin in rows]


def _stacked(parts: Sequence[FloatArray | None], bases: Sequence[Knowledge], algorithms: tuple[str, ...]) -> FloatArray:
    """Lay cubes of different algorithms and folds out in one, NaN where there is nothing."""
    shape = tuple(max(base.accuracy.shape[axis] for base in bases) for axis in (2, 3))
    blocks = []
    for part, base in zip(parts, bases, strict=True):
        block = np.full((len(base.datasets), len(algorithms), *shape), np.nan)
        if part is not None:
            columns = [algorithms.index(name) for name in base.algorithms]
            block[:, columns, : part.shape[2], : part.shape[3]] = part
        blocks.append(block)
    return np.concatenate(blocks)


def _merged_meta(first: MetaTable, second: MetaTable, names: tuple[str, ...]) -> MetaTable:
    """Stack tables of different measures: what one of them lacks does not apply there."""
    measures = tuple(dict.fromkeys([*first.measures, *second.measures]))
    matrix = np.full((len(first.names) + len(names), len(measures)), np.nan)
    for table, rows in ((first, slice(len(first.names))), (second, slice(len(first.names), None))):
        matrix[rows, [measures.index(name) for name in table.measures]] = table.matrix
    return MetaTable(
        names=(*first.names, *names),
        measures=measures,
        matrix=matrix,
        versions=tuple(sorted({*first.versions, *second.versions})),
    )
