"""The command and the Python call that would give the same answer, written from the request."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from tiebreak.cli.sources import OF_FILES
from tiebreak.verbs import Option, verb_of as record_of
from tiebreak.web.questions import Asked, Source, written
from tiebreak.wording import shell

_PARTS = ("datasets", "algorithms")
_OF_READING = tuple("where datasets algorithms column transpose keep_rows sheet table decimal metric plain".split())
_DRAWN = ("figure_kind", "width", "height", "font_size", "theme", "no_notes", "top", "show")
_USUAL = {"order": "frontier", "multivariate": "contours", "battles": "strengths"}
"""The kind of figure that a verb draws where none is named; cd otherwise."""
OF_STORES = ("resampling", "run_seed", "origin", "unfinished", "positive")
"""Options of a store that the command line says behind its address."""
_OF_STORES = {"resampling": "resampling", "run_seed": "seed", "origin": "origin", "unfinished": "unfinished",
              "positive": "positive"}  # fmt: skip


def command_of(request: Asked, *, store: str = "results.db") -> str:
    """Write the command; files have the names that the client gave them.

    Examples
    --------
    >>> from tiebreak.web.questions import Source
    >>> from tiebreak.web.questions import verb_of
    >>> file = Source(argument="table.csv", label="my results.csv", digest="")
    >>> settings = Asked(verb=verb_of("compare"), options={"score": "auc", "alpha": 0.1}, sources={"file": [file]})
    >>> print(command_of(settings))
    tiebreak compare "my results.csv" --score auc --alpha 0.1
    >>> print(python_of(settings))
    import tiebreak as tb
    <BLANKLINE>
    found = tb.compare('my results.csv', score='auc', alpha=0.1)
    print(found)
    """
    settings = _settings(request, OF_FILES)
    files = [_addressed(_path(source), settings) for source in request.sources.get("file", [])]
    slots = [
        f"{request.verb.slots[slot]} {shell(_path(source))}"
        for slot, held in request.sources.items()
        if slot != "file"
        for source in held
    ]
    known = {name: value for name, value in request.options.items() if request.verb.options[name].cli}
    options = [_said(request, name, value) for name, value in known.items()]
    held = _addressed(store, _settings(request, OF_STORES)) if request.store else ""
    places = [part.replace("=", " ", 1) for part in request.places(held)]
    if request.verb.name == "power" and held:
        files, places = [held], []
    form = {"latex": ["--latex"], "markdown": ["-o answer.md"]}.get(request.form, [])
    drawn = request.figure and any(name in request.options for name in _DRAWN)
    figure = [f"--figure figure.{request.figure}"] if request.figure and not drawn else []
    folder = ["-o site"] if request.verb.name == "board" else []
    parts = [
        "tiebreak",
        request.verb.name,
        *files,
        *places,
        *slots,
        *options,
        *_parts(request),
        *form,
        *figure,
        *folder,
    ]
    command = " ".join(part for part in parts if part)
    return f"{command}\n{_drawing(request, files or [held])}" if drawn else command


def _settings(options: Asked, names: tuple[str, ...]) -> dict[str, Any]:
    """Return what the command line says behind the name of a file, or of a store."""
    texts = {"run_seed": "seed"}
    current = {option for option in options.options if not options.verb.options[option].cli}
    return {
        texts.get(name, name): options.options[name] for name in options.options if name in current and name in names
    }


def _addressed(path: str, settings: dict[str, Any]) -> str:
    """Write a file, or a store, with its settings."""
    words = {True: "yes", False: "no"}
    parts = [
        f"{name}={words[item] if isinstance(item, bool) else quote(str(item), safe=',. ')}"
        for name, value in settings.items()
        for item in (value if isinstance(value, list) else [value])
    ]
    return shell(f"{path}?{'&'.join(parts)}") if parts else shell(path)


def _parts(options: Asked) -> list[str]:
    """Write the data sets and algorithms to keep as conditions."""
    roles = {"datasets": "dataset", "algorithms": "algorithm"}
    names = [role for role in roles if role in options.options and not options.verb.options[role].cli]
    return [f"--where {shell(f'{roles[role]} in {options.options[role]}')}" for role in names]


def _drawing(request: Asked, files: list[str]) -> str:
    """Write the command that draws the figure in its size and look."""
    record = record_of("figure")
    kind = str(request.options.get("figure_kind") or _USUAL.get(request.verb.name, "cd"))
    taken = [name for name in request.options if (option := record.keyed(name)) and option.cli and name != "kind"]
    options = [_said(request, name, request.options[name]) for name in taken]
    score = [f"--score {shell(str(request.options['scores']))}"] if "scores" in request.options else []
    out = f"-o figure.{request.figure}"
    return " ".join(["tiebreak figure", *files, kind, *score, *options, *_parts(request), out])


def _path(source: Source) -> str:
    """A name that begins with a dash would be taken for an option."""
    return f"./{source.label}" if source.label.startswith("-") else source.label


def _said(options: Asked, name: str, value: Any) -> str:
    option = options.verb.options[name]
    if option.is_switch:
        return " ".join(written(option, value))
    values = value if isinstance(value, list) else [value]
    return " ".join(
        f"{option.flag}={shell(str(item))}" if str(item).startswith("-") else f"{option.flag} {shell(str(item))}"
        for item in values
    )


def python_of(options: Asked, *, store: str = "results.db") -> str:
    """Write the call of the library, as the records say what it takes; see `command_of` for an example."""
    verb = options.verb.name
    if verb == "recommend":
        before, first, more = _learned(options, store)
    elif verb == "power" and not options.sources.get("file") and not options.store:
        before, first, more = [], "", {}
    else:
        before, first, more = *_source(options, store), {}
        if verb == "gate" and len(options.sources.get("file", [])) == 2:
            first = first.strip("[]")
    settings = _arguments(options) | more
    lines = [*before, f"found = tb.{verb}({_call(first, settings)})", *_after(options), *_figure(options)]
    return "\n".join(["import tiebreak as tb", "", *lines])


def _after(request: Asked) -> list[str]:
    """Write what is done with the result."""
    options, lines = request.options, ["print(found)"]
    if request.verb.name == "report":
        return ["found.save('report.html')"]
    if request.verb.name == "board":
        return ["found.save('site')", *lines]
    if request.verb.name == "compare" and options.get("full"):
        lines.append("print(found.wins(), found.effects(), found.intervals(), sep='\\n\\n')")
    if "rope" in options:
        lines.append(f"print(found.bayes(rope={options['rope']!r}, rng={options.get('seed', 0)!r}))")
    if "explain" in options:
        lines.append(f"print(found.explain({', '.join(map(repr, _names(options['explain'])))}))")
    return lines


def _learned(options: Asked, store: str) -> tuple[list[str], str, dict[str, Any]]:
    """Return how past results are read, the new data, and what they make of a recommendation."""
    tables = [_path(source) for source in options.sources.get("results", [])]
    bases: list[str] = []
    more: dict[str, Any] = {}
    if tables:
        settings: dict[str, Any] = {
            name: options.options[name] for name in ("score", "where") if name in options.options
        }
        bases.append(f"read_knowledge({_call(_list(tables), settings | _slots(options, 'meta'))})")
    bases += [repr(store)] if options.store else []
    bases += [repr("shipped")] if bases and "shipped" in options.bases else []
    if bases:
        more["base"] = _Code(f"[{', '.join(bases)}]")
    first = _list([_path(source) for source in options.sources["file"]]) if options.sources.get("file") else ""
    if first:
        more["pilot"] = 0
    return (["from tiebreak.advisor import read_knowledge", ""] if tables else []), first, more


# ---- pieces


class _Code(str):
    """A piece of Python that is written as it stands."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _arguments(options: Asked) -> dict[str, Any]:
    """Return options under their keywords; without those of a store, or of a table that is read before the call."""
    read = bool(options.store or options.sources.get("costs"))
    return _told(options, reading=not read, others=True) | ({} if read else _slots(options, "prices", "since"))


def _told(options: Asked, *, reading: bool, others: bool) -> dict[str, Any]:
    """Return the options that say how a file is read, the other arguments of the function, or both."""
    record, settings = record_of(options.verb.name), dict[str, Any]()
    for option in filter(None, map(record.keyed, options.options)):
        of_files = options.verb.name != "recommend" and (option.key in _OF_READING or _is_role(option))
        if reading if of_files else others and option.argument:
            _add(settings, options, option)
    return settings


def _is_role(option: Option) -> bool:
    return option.key in ("item", "cluster") and not option.argument


def _slots(options: Asked, *names: str) -> dict[str, str]:
    return {name: _path(source) for name in names for source in options.sources.get(name, [])}


def _add(settings: dict[str, Any], options: Asked, option: Option) -> None:
    """Add an option in the kind that Python takes: lists as lists, pairs as dictionaries."""
    value = options.options[option.key]
    if option.name == "higher_is_better":
        pairs = [item.rpartition("=") for item in value] if isinstance(value, list) else []
        settings[option.name] = {name: way == "higher" for name, _, way in pairs} or option.key == option.name
    elif option.name == "blocked":
        settings["blocked"] = False
    elif option.name in ("columns", "labels"):
        split = str.partition if option.name == "columns" else str.rpartition
        settings[option.name] = settings.get(option.name, {}) | {
            a: b for a, _, b in (split(item, "=") for item in value)
        }
    elif _is_role(option):
        settings["columns"] = settings.get("columns", {}) | {option.key: value}
    elif option.kind == "names" or option.key in _PARTS:
        settings[option.name] = value if value == "all" else _names(value)
    elif option.key == "score" and options.verb.name in ("order", "board", "read"):
        settings[option.name] = _names(value) if "," in value else value
    else:
        settings[option.name] = int(value) if option.key in ("table", "neighbours") and str(value).isdigit() else value


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _source(options: Asked, store: str) -> tuple[list[str], str]:
    """Return lines that read what the call takes first, and what stands for it there."""
    files = [_path(source) for source in options.sources.get("file", [])]
    if options.store:
        which = {ours: options.options[name] for name, ours in _OF_STORES.items() if name in options.options}
        return [f"results = tb.read_store({_call(repr(store), which)})"], "results"
    if not (costs := options.sources.get("costs")):
        return [], _list(files)
    settings = _told(options, reading=True, others=False) | _slots(options, "prices")
    if "score" in options.options:
        settings["scores"] = _names(options.options["score"])
    return [f"results = tb.read({_call(_list(files), settings | {'costs': _path(costs[0])})})"], "results"


def _list(files: list[str]) -> str:
    return repr(files[0]) if len(files) == 1 else repr(files)


def _call(first: str, options: dict[str, Any]) -> str:
    return ", ".join([*([first] if first else []), *(f"{name}={value!r}" for name, value in options.items())])


def _figure(options: Asked) -> list[str]:
    """Write how the requested figure is saved."""
    if not options.figure:
        return []
    given = {name: options.options[name] for name in _DRAWN if name in options.options}
    folded = {"top": given.get("top"), "show": _names(given["show"]) if "show" in given else None}
    looks = {name: given.get(name) for name in ("width", "height", "font_size", "theme")}
    looks |= {"notes": False if given.get("no_notes") else None}
    written = {name: value for name, value in folded.items() if value is not None}
    drawn = _call(repr(given["figure_kind"]) if given.get("figure_kind") else "", written)
    look = {name: value for name, value in looks.items() if value is not None}
    return [f"found.figure({drawn}).save({_call(repr(f'figure.{options.figure}'), look)})"]
