"""The command and the Python call that would give the same answer, written from what was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tiebreak.web.asked import Asked, Source
from tiebreak.wording import shell

_LISTS = ("datasets", "algorithms", "symbolic", "drop", "keep", "show")
_OF_READING = tuple("where datasets algorithms column transpose keep_rows sheet table decimal names plain".split())
_DRAWN = ("figure_kind", "width", "height", "font", "font_size", "theme", "no_notes", "top", "show")
_OF_STORES = {"resampling": "resampling", "run_seed": "seed", "origin": "origin", "unfinished": "unfinished"}


def command_of(asked: Asked, *, store: str = "results.db") -> str:
    """Write the command; files have the names that the client gave them.

    Examples
    --------
    >>> from tiebreak.web.asked import Source
    >>> from tiebreak.web.verbs import verb_of
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
    files = [shell(_path(each)) for each in asked.sources.get("file", [])]
    slots = [
        f"{asked.verb.slots[slot]} {shell(_path(each))}"
        for slot, held in asked.sources.items()
        if slot != "file"
        for each in held
    ]
    options = [_said(asked, name, value) for name, value in asked.options.items()]
    places = [part.replace("=", " ", 1) for part in asked.places(store if asked.store else "")]
    form = [f"--{asked.form}"] if asked.form in ("markdown", "latex") else []
    figure = [f"--figure figure.{asked.figure}"] if asked.figure else []
    folder = ["-o site"] if asked.verb.name == "board" else []
    parts = ["tiebreak", asked.verb.name, *files, *places, *slots, *options, *form, *figure, *folder]
    return " ".join(part for part in parts if part)


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
    without = (*_DRAWN, "no_tie_correction", "effects", "rope", "seed", "positive")
    told = _arguments(asked, without=without)
    if asked.options.get("no_tie_correction"):
        told["tie_correction"] = False
    before, first = _source(asked, store)
    lines = [*before, f"found = tb.compare({_call(first, told)})", "print(found)"]
    if asked.options.get("effects"):
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
    groups = asked.sources.get("groups", [])
    before, first = _source(asked, store)
    if groups:
        before = [*before, "import csv", f"with open({groups[0].label!r}, newline='') as stream:"]
        before += ["    groups = {row['dataset']: row['group'] for row in csv.DictReader(stream)}"]
    call = _call(first, told) + (", groups=groups" if groups else "")
    lines = [*before, f"found = tb.order({call})", "print(found)"]
    return lines + _explained(asked) + _figure(asked)


def _explained(asked: Asked) -> list[str]:
    if "explain" not in asked.options:
        return []
    a, _, b = str(asked.options["explain"]).partition(",")
    return [f"print(found.explain({a.strip()!r}, {b.strip()!r}))"]


def _measured(asked: Asked, store: str) -> list[str]:
    told = _arguments(asked, rename={"posthoc": "adjust", "permutations": "n_permutations"}, without=_DRAWN)
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
    told = _chosen(asked, "power alpha")
    if not asked.sources.get("file") and not asked.store:
        told = _chosen(asked, "discordant sd design_effect pairs") | told
        which = "detectable_difference" if "items" in asked.options else "items_needed"
        first = repr(asked.options.get("items", asked.options.get("difference")))
        return [f"found = tb.stats.{which}({_call(first, told)})", "print(found)"]
    names = ("deciding.planning", "plan_items"), ("tables.item_table", "item_table")
    lines = [*(f"from tiebreak.{place} import {name}" for place, name in names), ""]
    before, first = _source(asked, store)
    if not before:
        read = _arguments(asked, rename={"score": "scores"}, without=(*_PLANNED, *_direction(asked)))
        before, first = [f"results = tb.read({_call(first, read)})"], "results"
    score = f", {asked.options['score']!r}" if "score" in asked.options else ""
    told = _chosen(asked, "difference") | told
    return [*lines, *before, f"found = plan_items({_call(f'item_table({first}{score})', told)})", "print(found)"]


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


_PLANNED = ("difference", "power", "alpha", "seed", "pairs", "design_effect", "positive")


def _reported(asked: Asked, store: str) -> list[str]:
    without = ("title", "positive", "order_pairwise", "missing_costs", *_COMPARING)
    told = _arguments(asked, without=without)
    if "title" in asked.options:
        told["name"] = asked.options["title"]
    before, first = _source(asked, store)
    if not any(name in asked.options for name in without[2:]):
        return [*before, f"found = tb.report({_call(first, told)})", "found.save('report.html')"]
    shared = {name: value for name, value in told.items() if name not in ("cost", "name", *_OF_RULE)}
    compared = shared | {name: asked.options[name] for name in _COMPARING if name in asked.options}
    of_order = ("order_pairwise", "missing_costs", *_OF_RULE)
    ordered = shared | {name: asked.options[name] for name in of_order if name in asked.options}
    if "order_pairwise" in ordered:
        ordered["pairwise"] = ordered.pop("order_pairwise")
    lines = [*before, f"parts = [tb.compare({_call(first, compared)})]"]
    lines += [f"parts.append(tb.order({_call(first, ordered | {'cost': cost})}))" for cost in told.get("cost", [])]
    name = {"name": told["name"]} if "name" in told else {}
    return [*lines, f"found = tb.report({_call('*parts', name)})", "found.save('report.html')"]


_OF_RULE = ("trade", "accd", "rule", "variant")
_COMPARING = ("omnibus", "pairwise", "posthoc", "control")
_LEARNING = ("score", "time", "errors", "column", "where", "duplicates", "meta_id", "meta_column", "normalise_cost")
_OF_BASE = (*_LEARNING, "higher_is_better", "lower_is_better", "resampling", "run_seed")


def _recommended(asked: Asked, store: str) -> list[str]:
    """A base of tables is said in Python by functions of its own; what they take stands in the documentation."""
    told = {name: value for name, value in asked.options.items() if name not in (*_OF_BASE, "alpha", "seed", "known")}
    for name in ("symbolic", "drop", "algorithms"):
        _split(told, name)
    if told.get("keep", "all") != "all":
        _split(told, "keep")
    if told.get("measures", "all") not in ("all", "select"):
        _split(told, "measures")
    if str(told.get("neighbours", "")).lstrip("-").isdigit():
        told["neighbours"] = int(str(told["neighbours"]))
    if "weight" in told:
        told["weights"] = {a: float(b) for a, _, b in (each.partition("=") for each in told.pop("weight"))}
    before, base = _base(asked, store)
    if "trade" in told:
        before = ["from tiebreak.advisor.rankings import accd_from", *before]
        told["accd"] = _Code(f"accd_from({told.pop('trade')!r})")
    advise, first = ("recommend_known", repr(asked.options["known"])) if "known" in asked.options else ("recommend", "")
    first = first or _written([_path(each) for each in asked.sources.get("file", [])])
    return [*before, f"found = tb.Advisor({base}).{advise}({_call(first, told)})", "print(found)"]


def _base(asked: Asked, store: str) -> tuple[list[str], str]:
    """Write what is learned from: the shipped base needs no word, others are read and put together."""
    tables = [_path(each) for each in asked.sources.get("results", [])]
    bases = []
    if tables:
        told = _chosen(asked, "score errors where duplicates meta_id")
        for slot in ("meta", "origins"):
            if asked.sources.get(slot):
                told[slot] = _path(asked.sources[slot][0])
        bases.append(f"read_knowledge({_call(_list(tables), told)})")
    if asked.store:
        which = _chosen(asked, "resampling")
        if "run_seed" in asked.options:
            which["seed"] = asked.options["run_seed"]
        bases.append(f"store_knowledge({_call(repr(store), which)})")
    if not bases:
        return [], ""
    if "shipped" in asked.bases:
        bases.append("shipped_knowledge()")
    names = "merge_knowledge, read_knowledge, shipped_knowledge, store_knowledge"
    return [f"from tiebreak.advisor import {names}", ""], f"merge_knowledge([{', '.join(bases)}])"


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
