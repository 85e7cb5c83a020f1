"""The command and the Python call that would give the same answer, written from the call of a verb."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from tiebreak.cli.sources import OF_FILES
from tiebreak.verbs import Option, verb_of as record_of
from tiebreak.web.options import written
from tiebreak.web.requests import Call
from tiebreak.wording import shell

_PARTS = {"datasets": "dataset", "algorithms": "algorithm"}
"""Options that the command line has as conditions."""
_OF_READING = (*_PARTS, *"where column transpose keep_rows sheet table decimal metric plain".split())
_OF_STORES = {"resampling": "resampling", "run_seed": "seed", "origin": "origin", "unfinished": "unfinished",
              "positive": "positive"}  # fmt: skip
"""Options of a store that the command line has behind its address, and how they are called there and in Python."""


def command_of(call: Call, *, store: str = "results.db") -> str:
    """Write the command; files have the names that the client gave them.

    Examples
    --------
    >>> from tiebreak.web.options import verb_of
    >>> from tiebreak.web.requests import Call, Source
    >>> file = Source("my results.csv", "digest")
    >>> call = Call(verb=verb_of("compare"), options={"score": "auc", "alpha": 0.1}, sources={"file": [file]})
    >>> print(command_of(call))
    tiebreak compare "my results.csv" --score auc --alpha 0.1
    >>> print(python_of(call))
    import tiebreak as tb
    <BLANKLINE>
    found = tb.compare('my results.csv', score='auc', alpha=0.1)
    print(found)
    """
    settings = _settings(call, dict.fromkeys(OF_FILES))
    files = [_addressed(source.name, settings) for source in call.sources.get("file", [])]
    held = _addressed(store, _settings(call, _OF_STORES)) if call.store else ""
    if call.verb.name == "power" and held:
        files = [held]
    elif held:
        files.append(f"--store {held}")
    files += ["--base shipped"] if "shipped" in call.learn_from and held else []
    slots = [
        f"{call.verb.slots[slot]} {shell(source.name)}"
        for slot, sources in call.sources.items()
        if slot != "file"
        for source in sources
    ]
    known = {name: value for name, value in call.options.items() if call.verb.options[name].cli}
    options = [_option(call, name, value) for name, value in known.items()]
    conditions = [
        f"--where {shell(f'{role} in {call.options[name]}')}"
        for name, role in _PARTS.items()
        if name in call.options and name not in known
    ]
    form = {"latex": ["--latex"], "markdown": ["-o answer.md"]}.get(call.form, [])
    figure = [f"--figure {call.writes['figure']}"] if "figure" in call.writes else []
    folder = ["-o site"] if call.verb.name == "board" else []
    return " ".join(["tiebreak", call.verb.name, *files, *slots, *options, *conditions, *form, *figure, *folder])


def _settings(call: Call, names: dict[str, Any]) -> dict[str, Any]:
    """Return what the command line says behind the name of a file, or of a store."""
    return {
        names[name] or name: value
        for name, value in call.options.items()
        if name in names and not call.verb.options[name].cli
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


def _option(call: Call, name: str, value: Any) -> str:
    option = call.verb.options[name]
    if option.is_switch:
        return " ".join(written(option, value))
    values = value if isinstance(value, list) else [value]
    return " ".join(
        f"{option.flag}={shell(str(item))}" if str(item).startswith("-") else f"{option.flag} {shell(str(item))}"
        for item in values
    )


def python_of(call: Call, *, store: str = "results.db") -> str:
    """Write the call of the library, as the records say what it takes; see `command_of` for an example."""
    verb, files = call.verb.name, [source.name for source in call.sources.get("file", [])]
    costs, before = _slots(call, "costs"), list[str]()
    settings = _arguments(call, reading=not (call.store or costs), others=True)
    first = repr(files[0] if len(files) == 1 else files) if files else ""
    if verb == "recommend":
        before, settings = _advice(call, store, settings)
    elif call.store:
        which = {ours: call.options[name] for name, ours in _OF_STORES.items() if name in call.options}
        before, first = [f"results = tb.read_store({_call(repr(store), which)})"], "results"
    elif costs:
        reading = _arguments(call, reading=True, others=False) | _slots(call, "prices") | costs
        reading |= {"scores": _names(call.options["score"])} if "score" in call.options else {}
        before, first = [f"results = tb.read({_call(first, reading)})"], "results"
    else:
        settings |= _slots(call, "prices", "since")
        first = ", ".join(map(repr, files)) if verb == "gate" else first
    figure = [f"found.figure().save({call.writes['figure']!r})"] if "figure" in call.writes else []
    lines = [*before, f"found = tb.{verb}({_call(first, settings)})", *_after(call), *figure]
    return "\n".join(["import tiebreak as tb", "", *lines])


def _after(call: Call) -> list[str]:
    """Write what is done with the result."""
    options, lines = call.options, ["print(found)"]
    if call.verb.name == "report":
        return ["found.save('report.html')"]
    if call.verb.name == "board":
        return ["found.save('site')", *lines]
    if "rope" in options:
        lines.append(f"print(found.bayes(rope={options['rope']!r}, rng={options.get('seed', 0)!r}))")
    if "explain" in options:
        lines.append(f"print(found.explain({', '.join(map(repr, _names(options['explain'])))}))")
    return lines


class _Code(str):
    """A piece of Python that is written as it stands."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _advice(call: Call, store: str, settings: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Return what is imported for a recommendation, and its arguments: what it learns from stands among them."""
    imported, bases = [], []
    if tables := [source.name for source in call.sources.get("results", [])]:
        imported = ["from tiebreak.advisor import read_knowledge", ""]
        reading = {name: call.options[name] for name in ("score", "where") if name in call.options}
        bases.append(f"read_knowledge({_call(repr(tables), reading | _slots(call, 'meta'))})")
    bases += [repr(store)] if call.store else []
    bases += [repr("shipped")] if bases and "shipped" in call.learn_from else []
    settings |= {"base": _Code(f"[{', '.join(bases)}]")} if bases else {}
    return imported, settings | ({"pilot": 0} if call.sources.get("file") else {})


def _arguments(call: Call, *, reading: bool, others: bool) -> dict[str, Any]:
    """Return the options that say how a file is read, the other arguments of the function, or both."""
    record, settings = record_of(call.verb.name), dict[str, Any]()
    for option in filter(None, map(record.keyed, call.options)):
        of_files = call.verb.name != "recommend" and (option.key in _OF_READING or _is_role(option))
        if reading if of_files else others and option.argument:
            _add(settings, call, option)
    return settings


def _is_role(option: Option) -> bool:
    return option.key in ("item", "cluster") and not option.argument


def _slots(call: Call, *names: str) -> dict[str, str]:
    return {name: source.name for name in names for source in call.sources.get(name, [])}


def _add(settings: dict[str, Any], call: Call, option: Option) -> None:
    """Add an option in the kind that Python takes: lists as lists, pairs as dictionaries."""
    value = call.options[option.key]
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
    elif option.key == "score" and call.verb.name in ("order", "board", "read"):
        settings[option.name] = _names(value) if "," in value else value
    else:
        settings[option.name] = int(value) if option.key in ("table", "neighbours") and str(value).isdigit() else value


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _call(first: str, options: dict[str, Any]) -> str:
    return ", ".join([*([first] if first else []), *(f"{name}={value!r}" for name, value in options.items())])
