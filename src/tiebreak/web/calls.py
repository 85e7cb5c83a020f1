"""The command and the Python call that would give the same answer, written from what was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote

from tiebreak.cli.sources import OF_FILES
from tiebreak.verbs import verb_of as record_of
from tiebreak.web.questions import Asked, Source
from tiebreak.wording import shell

_LISTS = ("datasets", "algorithms", "symbolic", "drop", "keep", "show")
_OF_READING = tuple("where datasets algorithms column transpose keep_rows sheet table decimal names plain".split())
_DRAWN = ("figure_kind", "width", "height", "font", "font_size", "theme", "no_notes", "top", "show")
_USUAL = {"order": "frontier", "multivariate": "contours", "battles": "strengths"}
"""The kind of figure that a verb draws where none is named; cd otherwise."""
OF_STORES = ("resampling", "run_seed", "origin", "unfinished", "positive")
"""Options of a store that the command line says behind its address."""
_OF_STORES = {"resampling": "resampling", "run_seed": "seed", "origin": "origin", "unfinished": "unfinished"}


def command_of(asked: Asked, *, store: str = "results.db") -> str:
    """Write the command; files have the names that the client gave them.

    Examples
    --------
    >>> from tiebreak.web.questions import Source
    >>> from tiebreak.web.questions import verb_of
    >>> file = Source(argument="table.csv", label="my results.csv", digest="")
    >>> told = Asked(verb=verb_of("compare"), options={"score": "auc", "alpha": 0.1}, sources={"file": [file]})
    >>> print(command_of(told))
    tiebreak compare "my results.csv" --score auc --alpha 0.1
    >>> print(python_of(told))
    import tiebreak as tb
    <BLANKLINE>
    found = tb.compare('my results.csv', score='auc', alpha=0.1)
    print(found)
    """
    settings = _settings(asked, OF_FILES)
    files = [_addressed(_path(each), settings) for each in asked.sources.get("file", [])]
    slots = [
        f"{asked.verb.slots[slot]} {shell(_path(each))}"
        for slot, held in asked.sources.items()
        if slot != "file"
        for each in held
    ]
    known = {name: value for name, value in asked.options.items() if asked.verb.options[name].cli}
    options = [_said(asked, name, value) for name, value in known.items()]
    held = _addressed(store, _settings(asked, OF_STORES)) if asked.store else ""
    places = [part.replace("=", " ", 1) for part in asked.places(held)]
    if asked.verb.name == "power" and held:
        files, places = [held], []
    form = {"latex": ["--latex"], "markdown": ["-o answer.md"]}.get(asked.form, [])
    drawn = asked.figure and any(name in asked.options for name in _DRAWN)
    figure = [f"--figure figure.{asked.figure}"] if asked.figure and not drawn else []
    folder = ["-o site"] if asked.verb.name == "board" else []
    parts = ["tiebreak", asked.verb.name, *files, *places, *slots, *options, *_parts(asked), *form, *figure, *folder]
    command = " ".join(part for part in parts if part)
    return f"{command}\n{_drawing(asked, files or [held])}" if drawn else command


def _settings(asked: Asked, names: tuple[str, ...]) -> dict[str, Any]:
    """Return what the command line says behind the name of a file, or of a store."""
    said = {"run_seed": "seed"}
    own = {each for each in asked.options if not asked.verb.options[each].cli}
    return {said.get(name, name): asked.options[name] for name in asked.options if name in own and name in names}


def _addressed(path: str, settings: dict[str, Any]) -> str:
    """Write a file, or a store, with its settings."""
    words = {True: "yes", False: "no"}
    parts = [
        f"{name}={words[each] if isinstance(each, bool) else quote(str(each), safe=',. ')}"
        for name, value in settings.items()
        for each in (value if isinstance(value, list) else [value])
    ]
    return shell(f"{path}?{'&'.join(parts)}") if parts else shell(path)


def _parts(asked: Asked) -> list[str]:
    """Write the data sets and algorithms to keep as conditions."""
    roles = {"datasets": "dataset", "algorithms": "algorithm"}
    own = [role for role in roles if role in asked.options and not asked.verb.options[role].cli]
    return [f"--where {shell(f'{roles[role]} in {asked.options[role]}')}" for role in own]


def _drawing(asked: Asked, files: list[str]) -> str:
    """Write the command that draws the figure in its size and look."""
    record = record_of("figure")
    kind = str(asked.options.get("figure_kind") or _USUAL.get(asked.verb.name, "cd"))
    taken = [name for name in asked.options if (option := record.keyed(name)) and option.cli and name != "kind"]
    options = [_said(asked, name, asked.options[name]) for name in taken]
    score = [f"--score {shell(str(asked.options['scores']))}"] if "scores" in asked.options else []
    out = f"-o figure.{asked.figure}"
    return " ".join(["tiebreak figure", *files, kind, *score, *options, *_parts(asked), out])


def _path(source: Source) -> str:
    """A name that begins with a dash would be taken for an option."""
    return f"./{source.label}" if source.label.startswith("-") else source.label


def _said(asked: Asked, name: str, value: Any) -> str:
    option = asked.verb.options[name]
    if option.kind in ("switch", "either"):
        return " ".join(option.arguments(value))
    values = value if isinstance(value, list) else [value]
    return " ".join(
        f"{option.flag}={shell(str(each))}" if str(each).startswith("-") else f"{option.flag} {shell(str(each))}"
        for each in values
    )


def python_of(asked: Asked, *, store: str = "results.db") -> str:
    """Write the call of the library; see `command_of` for an example."""
    makers: dict[str, Callable[[Asked, str], list[str]]] = {
        "read": _read,
        "compare": _compared,
        "order": _ordered,
        "multivariate": _measured,
        "battles": _fought,
        "power": _planned,
        "gate": _gated,
        "board": _boarded,
        "report": _reported,
        "recommend": _recommended,
    }
    return "\n".join(["import tiebreak as tb", "", *makers[asked.verb.name](asked, store)])


def _read(asked: Asked, store: str) -> list[str]:
    told = _arguments(asked, rename={"score": "scores"}, without=("positive", *_direction(asked)))
    return [f"found = tb.read({_call(_source(asked, store)[1], told)})", "print(found)"]


def _compared(asked: Asked, store: str) -> list[str]:
    without = (*_DRAWN, "full", "rope", "seed", "positive")
    told = _arguments(asked, without=without)
    before, first = _source(asked, store)
    lines = [*before, f"found = tb.compare({_call(first, told)})", "print(found)"]
    if asked.options.get("full"):
        lines.append("print(found.wins(), found.effects(), found.intervals(), sep='\\n\\n')")
    if "rope" in asked.options:
        lines.append(f"print(found.bayes(rope={asked.options['rope']!r}, rng={asked.options.get('seed', 0)!r}))")
    return lines + _figure(asked)


def _of_order(asked: Asked) -> dict[str, Any]:
    """Return what `tiebreak.order` takes; a board takes it, too."""
    gone = ("explain", "full", "positive", "title", "anew")
    told = _arguments(asked, without=(*_DRAWN, *gone))
    _split(told, "score", single=True)
    _split(told, "prior")
    return told


def _ordered(asked: Asked, store: str) -> list[str]:
    told = _of_order(asked)
    before, first = _source(asked, store)
    lines = [*before, f"found = tb.order({_call(first, told)})", "print(found)"]
    return lines + _explained(asked) + _figure(asked)


def _explained(asked: Asked) -> list[str]:
    if "explain" not in asked.options:
        return []
    a, _, b = str(asked.options["explain"]).partition(",")
    return [f"print(found.explain({a.strip()!r}, {b.strip()!r}))"]


def _measured(asked: Asked, store: str) -> list[str]:
    told = _arguments(asked, rename={"posthoc": "adjust"}, without=_DRAWN)
    _split(told, "scores")
    _split(told, "prior")
    if told.pop("one_way", None):
        told["blocked"] = False
    before, first = _source(asked, store)
    return [*before, f"found = tb.multivariate({_call(first, told)})", "print(found)", *_figure(asked)]


def _fought(asked: Asked, store: str) -> list[str]:
    told = _arguments(asked, rename={"posthoc": "adjust"}, without=(*_DRAWN, "label", "explain", "seed"))
    if "cluster" in asked.options:  # what votes hang together by, not a column
        told |= {"cluster": asked.options["cluster"]}
        told["columns"] = {role: header for role, header in told.get("columns", {}).items() if role != "cluster"}
    if "label" in asked.options:
        told["labels"] = {a: b for a, _, b in (each.rpartition("=") for each in asked.options["label"])}
    told = {name: value for name, value in told.items() if value != {}}
    lines = [f"found = tb.battles({_call(_source(asked, store)[1], told)})", "print(found)"]
    return lines + _explained(asked) + _figure(asked)


def _planned(asked: Asked, store: str) -> list[str]:
    """Plan from a table, or from numbers alone."""
    told = _arguments(asked, without=("seed", "positive", *_direction(asked)))
    if not asked.sources.get("file") and not asked.store:
        return [f"found = tb.power({_call('', told)})", "print(found)"]
    before, first = _source(asked, store)
    return [*before, f"found = tb.power({_call(first, told)})", "print(found)"]


def _gated(asked: Asked, store: str) -> list[str]:
    """Hold one source against another, or two models of one table against each other."""
    told = _arguments(asked, rename={"base": "base_name", "candidate": "candidate_name"}, without=("seed", "positive"))
    before, first = _source(asked, store)
    files = [_path(each) for each in asked.sources.get("file", [])]
    sides = ", ".join(map(repr, files)) if files else first
    return [*before, f"found = tb.gate({_call(sides, told)})", "print(found)"]


def _boarded(asked: Asked, store: str) -> list[str]:
    told = _of_order(asked)
    if "title" in asked.options:
        told["name"] = asked.options["title"]
    if asked.sources.get("since"):
        told["since"] = _path(asked.sources["since"][0])
    before, first = _source(asked, store)
    anew = ", anew=True" if asked.options.get("anew") else ""
    return [*before, f"found = tb.board({_call(first, told)})", f"found.save('site'{anew})", "print(found)"]


def _reported(asked: Asked, store: str) -> list[str]:
    without = ("title", "positive", *_COMPARING)
    told = _arguments(asked, without=without)
    if "title" in asked.options:
        told["name"] = asked.options["title"]
    before, first = _source(asked, store)
    if not any(name in asked.options for name in without[2:]):
        return [*before, f"found = tb.report({_call(first, told)})", "found.save('report.html')"]
    shared = {name: value for name, value in told.items() if name not in ("cost", "name", *_OF_RULE)}
    compared = shared | {name: asked.options[name] for name in _COMPARING if name in asked.options}
    ordered = shared | {name: asked.options[name] for name in _OF_RULE if name in asked.options}
    lines = [*before, f"parts = [tb.compare({_call(first, compared)})]"]
    lines += [f"parts.append(tb.order({_call(first, ordered | {'cost': cost})}))" for cost in told.get("cost", [])]
    name = {"name": told["name"]} if "name" in told else {}
    return [*lines, f"found = tb.report({_call('*parts', name)})", "found.save('report.html')"]


_OF_RULE = ("trade", "rule")
_COMPARING = ("pairwise", "posthoc", "control")
_LEARNING = ("score", "time", "column", "where", "higher_is_better", "lower_is_better", "alpha", "seed")


def _recommended(asked: Asked, store: str) -> list[str]:
    """A base of tables, or of a store, is read first; what else their functions take stands in the documentation."""
    told = {name: value for name, value in asked.options.items() if name not in _LEARNING}
    for name in ("drop", "algorithms"):
        _split(told, name)
    if told.get("keep", "all") != "all":
        _split(told, "keep")
    if told.get("measures", "all") != "all":
        _split(told, "measures")
    if str(told.get("neighbours", "")).lstrip("-").isdigit():
        told["neighbours"] = int(str(told["neighbours"]))
    before, bases = _bases(asked, store)
    if bases:
        told["base"] = _Code(f"[{', '.join(bases)}]")
    first = _written([_path(each) for each in asked.sources["file"]]) if asked.sources.get("file") else ""
    if first:
        told["pilot"] = 0
    return [*before, f"found = tb.recommend({_call(first, told)})", "print(found)"]


def _bases(asked: Asked, store: str) -> tuple[list[str], list[str]]:
    """Write what is learned from; the shipped base alone needs no word."""
    tables = [_path(each) for each in asked.sources.get("results", [])]
    bases = []
    if tables:
        told = _chosen(asked, "score where")
        if asked.sources.get("meta"):
            told["meta"] = _path(asked.sources["meta"][0])
        bases.append(f"read_knowledge({_call(_list(tables), told)})")
    if asked.store:
        bases.append(repr(store))
    if bases and "shipped" in asked.bases:
        bases.append(repr("shipped"))
    return (["from tiebreak.advisor import read_knowledge", ""] if tables else []), bases


# ---- pieces


class _Code(str):
    """A piece of Python that is written as it stands."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _arguments(asked: Asked, *, rename: dict[str, str] | None = None, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return options as arguments: under their names, lists as lists, pairs as dictionaries."""
    read = _OF_READING if asked.sources.get("costs") else ()  # said where the costs are read
    gone = (*without, *_direction(asked), *(_OF_STORES if asked.store else ()), *read)
    told = _told(asked, [name for name in asked.options if name not in gone])
    told = {(rename or {}).get(name, name): value for name, value in told.items()}
    if asked.sources.get("prices") and not read:
        told["prices"] = _path(asked.sources["prices"][0])
    way = _way(asked)
    return told if way is None or asked.verb.name in ("read", "power") else told | {"higher_is_better": way}


def _told(asked: Asked, names: Iterable[str]) -> dict[str, Any]:
    """Return options in the kinds that Python takes: lists as lists, pairs as dictionaries."""
    told = {name: asked.options[name] for name in names if name in asked.options}
    for name in _LISTS:
        _split(told, name)
    if "column" in told:
        told["columns"] = {role: header for role, _, header in (each.partition("=") for each in told.pop("column"))}
    named = {role: told.pop(role) for role in ("item", "cluster", "epoch") if role in told}
    if named:
        told["columns"] = told.get("columns", {}) | named
    if str(told.get("table", "")).isdigit():
        told["table"] = int(told["table"])
    return told


def _chosen(asked: Asked, names: str) -> dict[str, Any]:
    """Return those of the named options that were given."""
    return {name: asked.options[name] for name in names.split() if name in asked.options}


def _direction(asked: Asked) -> tuple[str, ...]:
    return tuple(name for name in ("higher_is_better", "lower_is_better", "direction") if name in asked.options)


def _way(asked: Asked) -> Any:
    if "direction" in asked.options:
        return {name: way == "higher" for name, _, way in (each.rpartition("=") for each in asked.options["direction"])}
    if asked.options.get("higher_is_better"):
        return True
    return False if asked.options.get("lower_is_better") else None


def _split(told: dict[str, Any], name: str, *, single: bool = False) -> None:
    """Make a list of names of a text with commas; one name alone may stay a text."""
    if name in told and isinstance(told[name], str):
        names = [part.strip() for part in told[name].split(",")]
        told[name] = names[0] if single and len(names) == 1 else names


def _source(asked: Asked, store: str) -> tuple[list[str], str]:
    """Return lines that read what the call takes first, and what stands for it there."""
    files = [_path(each) for each in asked.sources.get("file", [])]
    costs = asked.sources.get("costs", [])
    if asked.store:
        which = {ours: asked.options[name] for name, ours in _OF_STORES.items() if name in asked.options}
        if "positive" in asked.options:
            which["positive"] = asked.options["positive"]
        return [f"results = tb.read_store({_call(repr(store), which)})"], "results"
    if costs:
        told = _told(asked, _OF_READING)
        if "score" in asked.options:
            told["scores"] = asked.options["score"]
            _split(told, "scores", single=True)
        if asked.sources.get("prices"):
            told["prices"] = _path(asked.sources["prices"][0])
        return [f"results = tb.read({_call(_list(files), told | {'costs': _path(costs[0])})})"], "results"
    return [], _written(files)


def _list(files: list[str]) -> str:
    return repr(files[0]) if len(files) == 1 else repr(files)


def _written(files: list[str]) -> str:
    """A table that the package carries is a function of its own in Python."""
    return _list(files)


def _call(first: str, told: dict[str, Any]) -> str:
    return ", ".join([*([first] if first else []), *(f"{name}={value!r}" for name, value in told.items())])


def _figure(asked: Asked) -> list[str]:
    """Write how the figure is saved that was asked for."""
    if not asked.figure:
        return []
    kind = asked.options.get("figure_kind")
    folded = _chosen(asked, "top")
    if "show" in asked.options:
        folded["show"] = [part.strip() for part in str(asked.options["show"]).split(",")]
    looks = _chosen(asked, "width height font font_size theme")
    if asked.options.get("no_notes"):
        looks["notes"] = False
    drawn = _call(repr(kind) if kind else "", folded)
    return [f"found.figure({drawn}).save({_call(repr(f'figure.{asked.figure}'), looks)})"]
