"""The command and the Python call that would give the same answer, written from what was asked."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from tiebreak.cli.sources import OF_FILES
from tiebreak.verbs import Option, verb_of as record_of
from tiebreak.web.questions import Asked, Source, written
from tiebreak.wording import shell

_PARTS = ("datasets", "algorithms")
_OF_READING = tuple(
    "where datasets algorithms column transpose keep_rows sheet table decimal names metric plain".split()
)
_DRAWN = ("figure_kind", "width", "height", "font", "font_size", "theme", "no_notes", "top", "show")
_USUAL = {"order": "frontier", "multivariate": "contours", "battles": "strengths"}
"""The kind of figure that a verb draws where none is named; cd otherwise."""
OF_STORES = ("resampling", "run_seed", "origin", "unfinished", "positive")
"""Options of a store that the command line says behind its address."""
_OF_STORES = {"resampling": "resampling", "run_seed": "seed", "origin": "origin", "unfinished": "unfinished",
              "positive": "positive"}  # fmt: skip


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
    if option.is_switch:
        return " ".join(written(option, value))
    values = value if isinstance(value, list) else [value]
    return " ".join(
        f"{option.flag}={shell(str(each))}" if str(each).startswith("-") else f"{option.flag} {shell(str(each))}"
        for each in values
    )


def python_of(asked: Asked, *, store: str = "results.db") -> str:
    """Write the call of the library, as the records say what it takes; see `command_of` for an example."""
    verb = asked.verb.name
    if verb == "recommend":
        before, first, more = _learned(asked, store)
    elif verb == "power" and not asked.sources.get("file") and not asked.store:
        before, first, more = [], "", {}
    else:
        before, first, more = *_source(asked, store), {}
        if verb == "gate" and len(asked.sources.get("file", [])) == 2:
            first = first.strip("[]")
    told = _arguments(asked) | more
    lines = [*before, f"found = tb.{verb}({_call(first, told)})", *_after(asked), *_figure(asked)]
    return "\n".join(["import tiebreak as tb", "", *lines])


def _after(asked: Asked) -> list[str]:
    """Write what is done with the result."""
    options, lines = asked.options, ["print(found)"]
    if asked.verb.name == "report":
        return ["found.save('report.html')"]
    if asked.verb.name == "board":
        return ["found.save('site')", *lines]
    if asked.verb.name == "compare" and options.get("full"):
        lines.append("print(found.wins(), found.effects(), found.intervals(), sep='\\n\\n')")
    if "rope" in options:
        lines.append(f"print(found.bayes(rope={options['rope']!r}, rng={options.get('seed', 0)!r}))")
    if "explain" in options:
        lines.append(f"print(found.explain({', '.join(map(repr, _names(options['explain'])))}))")
    return lines


def _learned(asked: Asked, store: str) -> tuple[list[str], str, dict[str, Any]]:
    """Return how past results are read, the new data, and what they make of a recommendation."""
    tables = [_path(each) for each in asked.sources.get("results", [])]
    bases: list[str] = []
    more: dict[str, Any] = {}
    if tables:
        told: dict[str, Any] = {name: asked.options[name] for name in ("score", "where") if name in asked.options}
        bases.append(f"read_knowledge({_call(_list(tables), told | _slots(asked, 'meta'))})")
    bases += [repr(store)] if asked.store else []
    bases += [repr("shipped")] if bases and "shipped" in asked.bases else []
    if bases:
        more["base"] = _Code(f"[{', '.join(bases)}]")
    first = _list([_path(each) for each in asked.sources["file"]]) if asked.sources.get("file") else ""
    if first:
        more["pilot"] = 0
    return (["from tiebreak.advisor import read_knowledge", ""] if tables else []), first, more


# ---- pieces


class _Code(str):
    """A piece of Python that is written as it stands."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _arguments(asked: Asked) -> dict[str, Any]:
    """Return options under their keywords; without those of a store, or of a table that is read before the call."""
    read = bool(asked.store or asked.sources.get("costs"))
    return _told(asked, reading=not read, others=True) | ({} if read else _slots(asked, "prices", "since"))


def _told(asked: Asked, *, reading: bool, others: bool) -> dict[str, Any]:
    """Return the options that say how a file is read, the other arguments of the function, or both."""
    record, told = record_of(asked.verb.name), dict[str, Any]()
    for option in filter(None, map(record.keyed, asked.options)):
        of_files = asked.verb.name != "recommend" and (option.key in _OF_READING or _is_role(option))
        if reading if of_files else others and option.argument:
            _add(told, asked, option)
    return told


def _is_role(option: Option) -> bool:
    return option.key in ("item", "cluster") and not option.argument


def _slots(asked: Asked, *names: str) -> dict[str, str]:
    return {name: _path(each) for name in names for each in asked.sources.get(name, [])}


def _add(told: dict[str, Any], asked: Asked, option: Option) -> None:
    """Add an option in the kind that Python takes: lists as lists, pairs as dictionaries."""
    value = asked.options[option.key]
    if option.name == "higher_is_better":
        pairs = [each.rpartition("=") for each in value] if isinstance(value, list) else []
        told[option.name] = {name: way == "higher" for name, _, way in pairs} or option.key == option.name
    elif option.name == "blocked":
        told["blocked"] = False
    elif option.name in ("columns", "labels"):
        split = str.partition if option.name == "columns" else str.rpartition
        told[option.name] = told.get(option.name, {}) | {a: b for a, _, b in (split(each, "=") for each in value)}
    elif _is_role(option):
        told["columns"] = told.get("columns", {}) | {option.key: value}
    elif option.kind == "names" or option.key in _PARTS:
        told[option.name] = value if value == "all" else _names(value)
    elif option.key == "score" and asked.verb.name in ("order", "board", "read"):
        told[option.name] = _names(value) if "," in value else value
    else:
        told[option.name] = int(value) if option.key in ("table", "neighbours") and str(value).isdigit() else value


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _source(asked: Asked, store: str) -> tuple[list[str], str]:
    """Return lines that read what the call takes first, and what stands for it there."""
    files = [_path(each) for each in asked.sources.get("file", [])]
    if asked.store:
        which = {ours: asked.options[name] for name, ours in _OF_STORES.items() if name in asked.options}
        return [f"results = tb.read_store({_call(repr(store), which)})"], "results"
    if not (costs := asked.sources.get("costs")):
        return [], _list(files)
    told = _told(asked, reading=True, others=False) | _slots(asked, "prices")
    if "score" in asked.options:
        told["scores"] = _names(asked.options["score"])
    return [f"results = tb.read({_call(_list(files), told | {'costs': _path(costs[0])})})"], "results"


def _list(files: list[str]) -> str:
    return repr(files[0]) if len(files) == 1 else repr(files)


def _call(first: str, told: dict[str, Any]) -> str:
    return ", ".join([*([first] if first else []), *(f"{name}={value!r}" for name, value in told.items())])


def _figure(asked: Asked) -> list[str]:
    """Write how the figure is saved that was asked for."""
    if not asked.figure:
        return []
    given = {name: asked.options[name] for name in _DRAWN if name in asked.options}
    folded = {"top": given.get("top"), "show": _names(given["show"]) if "show" in given else None}
    looks = {name: given.get(name) for name in ("width", "height", "font", "font_size", "theme")}
    looks |= {"notes": False if given.get("no_notes") else None}
    written = {name: value for name, value in folded.items() if value is not None}
    drawn = _call(repr(given["figure_kind"]) if given.get("figure_kind") else "", written)
    look = {name: value for name, value in looks.items() if value is not None}
    return [f"found.figure({drawn}).save({_call(repr(f'figure.{asked.figure}'), look)})"]
