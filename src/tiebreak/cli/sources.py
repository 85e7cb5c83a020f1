"""What the command line reads: files, logs, published tables or a store, each with settings behind a question mark."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from tiebreak._lazy import late
from tiebreak.errors import InputError, OptionError
from tiebreak.verbs import verb_of
from tiebreak.wording import option, shell

if TYPE_CHECKING:
    from tiebreak.advisor import Knowledge
    from tiebreak.results import Results

OF_FILES = ("transpose", "keep_rows", "sheet", "table", "decimal", "metric", "plain", "normalise_cost")
OF_STORES = ("resampling", "seed", "origin", "unfinished", "positive", "normalise_cost")
_SWITCHES = ("transpose", "keep_rows", "plain")
_WORDS = {"": True, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_PART = re.compile(r"(datasets?|algorithms?)\s+in\s+(\S.*)", re.DOTALL)
_NAME = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^,]*))\s*(?:,|$)""")


def settings_of(source: str, known: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Split a source into its address and the settings behind its question mark.

    A file that is really called so is taken as it is, and what a database driver takes stays in the address.

    Examples
    --------
    >>> settings_of("results.xlsx?sheet=May&transpose=no", OF_FILES)
    ('results.xlsx', {'sheet': 'May', 'transpose': False})
    >>> settings_of("postgresql://host/db?sslmode=require&seed=1", OF_STORES)
    ('postgresql://host/db?sslmode=require', {'seed': 1})
    """
    address, mark, query = source.rpartition("?")
    if not mark or "\n" in source or Path(source).exists():
        return source, {}
    result: dict[str, Any] = {}
    rest = []
    for part in filter(None, query.split("&")):
        name, _, text = part.partition("=")
        name = name.replace("-", "_")
        if name in known:
            _add(result, name, unquote(text))
        elif "://" in address:
            rest.append(part)
        else:
            mend = f"Use {', '.join(known[:-1])} or {known[-1]}."
            raise OptionError(f"{source!r} has an unknown setting, {name!r}.", mend=mend)
    return address + (f"?{'&'.join(rest)}" if rest else ""), result


def _add(result: dict[str, Any], name: str, text: str) -> None:
    if name in _SWITCHES:
        if text.lower() not in _WORDS:
            raise OptionError(f"The setting {name}={text} is neither yes nor no.", mend=f"Use {name}=yes or {name}=no.")
        result[name] = _WORDS[text.lower()]
    elif name == "origin":
        result[name] = [*result.get(name, []), text]
    elif name == "seed":
        if not text.lstrip("-").isdigit():
            raise OptionError(f"The setting seed={text} is no whole number.", mend="Use seed=1.")
        result[name] = int(text)
    else:
        result[name] = text


def part_of(where: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Take data sets and algorithms out of conditions: unlike columns, tables of every form have them.

    Examples
    --------
    >>> part_of(["algorithm in svm, 'my, tree'", "imputed == False"])
    ({'datasets': None, 'algorithms': ['svm', 'my, tree']}, ['imputed == False'])
    """
    result: dict[str, list[str] | None] = {"datasets": None, "algorithms": None}
    rest = []
    for condition in where:
        match = _PART.fullmatch(condition.strip())
        if match is None:
            rest.append(condition)
            continue
        role = match[1].rstrip("s") + "s"
        names = [next(filter(None, item), "") for item in _NAME.findall(match[2])]
        named = [name.strip() for name in names if name.strip()]
        held = result[role]
        result[role] = named if held is None else [item for item in held if item in named]
    return result, rest


def roles_of(values: Namespace) -> dict[str, str]:
    """Return which header plays which role, by --column and by the options of items."""
    named = {role: getattr(values, role, None) for role in ("item", "cluster")}
    return roles(values.column) | {role: header for role, header in named.items() if header is not None}


def direction(values: Namespace) -> Any:
    """Return which direction of a score is better: for all scores, by name in a dictionary, or None."""
    by_name = getattr(values, "direction", [])
    if values.higher_is_better and values.lower_is_better:
        both = f"{option(higher_is_better=True)} and {option(higher_is_better=False)}"
        raise OptionError(f"{both} were both given.", mend="Leave one out.")
    if values.higher_is_better or values.lower_is_better:
        if by_name:
            raise OptionError("--direction and a direction for all measures were both given.", mend="Leave one out.")
        return bool(values.higher_is_better)
    such_as = "NAME=higher or NAME=lower"
    ways = split_pairs("--direction", by_name, str.rpartition, such_as=such_as)
    for name, way in ways.items():
        if way not in ("higher", "lower"):
            raise OptionError(f"--direction '{name}={way}' is not of the form {such_as}.")
    return {name: way == "higher" for name, way in ways.items()} or None


def roles(pairs: Iterable[str]) -> dict[str, str]:
    """Parse the values of --column."""
    return split_pairs("--column", pairs, str.partition, such_as="dataset=task")


def split_pairs(
    flag: str, pairs: Iterable[str], split: Callable[[str, str], tuple[str, str, str]], *, such_as: str
) -> dict[str, str]:
    """Split values of the form NAME=VALUE; `split` says at which of several signs, the first or the last."""
    out = {}
    for pair in pairs:
        name, sign, value = split(pair, "=")
        if not sign:
            raise OptionError(f"{flag} {pair!r} has no '='.", mend=f"Use {flag} {such_as}, or leave it out.")
        out[name] = value
    return out


def names_of(text: str | None) -> list[str] | None:
    """Split names with commas between; None where none were given."""
    return [name.strip() for name in text.split(",")] if text else None


def numbers_of(text: str) -> list[float]:
    """Split numbers with commas between; an empty list is an error, as nothing would be computed."""
    try:
        names = [float(part) if "." in part else int(part) for part in names_of(text) or ()]
    except ValueError:
        names = []
    if not names:
        raise OptionError(f"{text!r} is no list of numbers.", mend="Use 1,5.")
    return names


_READ = ("results", "columns", "where", "prices", "higher_is_better")
"""Arguments that are taken where a table is read, or in a way of their own."""


def arguments_of(values: Namespace, **more: Any) -> dict[str, Any]:
    """Return what the function of a verb takes, as its record says: what was given, under its keywords."""
    given: dict[str, Any] = {}
    for item in verb_of(values.verb).options:
        value = getattr(values, item.key, None)
        if not item.argument or not item.flag or item.name in _READ or value in (None, []):
            continue
        if value is not False or item.kind == "either":
            given[item.name] = _TYPED[item.kind](value) if item.kind in _TYPED and value != "all" else value
    directed = any(entry.argument and entry.name == "higher_is_better" for entry in verb_of(values.verb).options)
    way = direction(values) if directed else None
    return given | ({} if way is None else {"higher_is_better": way}) | more


def known_names(text: str | None, known: Sequence[str]) -> list[str] | None:
    """Read names with commas between them; a known name may hold commas itself, as in "AutoGluon (best, 4h)"."""
    parts, names = (text or "").split(","), []
    while parts:
        joined = (",".join(parts[:count]).strip() for count in range(len(parts), 0, -1))
        longest = next((name for name in joined if name in known), None)
        if longest is None:
            return names_of(text)  # an unknown name is an error where it is used
        names.append(longest)
        parts = parts[longest.count(",") + 1 :]
    return names


_TYPED: dict[str, Callable[[str], Any]] = {"names": names_of, "numbers": numbers_of}

# ---- reading


def read_scores(
    values: Namespace, score: str | list[str] | None, *, also: Sequence[str] | None = (), directed: bool = True
) -> Results:
    """Read scores; one that a file lacks is made from its counts tp, fp, tn and fn."""
    names = [score] if isinstance(score, str) else score
    table = read_table(values, names, also=also, directed=directed)
    if getattr(values, "store", None) or all(name in table.values for name in names or ()):
        return table
    from tiebreak.results.confusion import with_scores

    return with_scores(table, names or ())


def read_table(
    values: Namespace, scores: list[str] | None, *, also: Sequence[str] | None = (), directed: bool = True
) -> Results:
    """Read the files, or the store; where the names of the scores decide which way is better, not `directed`."""
    stored = getattr(values, "store", None)
    if bool(values.results) == bool(stored):
        if stored:
            raise OptionError("Files and a store were named.", mend="Leave out --store, or the files.")
        a_store = "a store: --store results.db" if hasattr(values, "store") else "a store, such as results.db"
        raise OptionError("No file and no store was named.", mend=f"Give a file, such as results.csv, or {a_store}.")
    if stored or _is_store(values.results):
        return _read_store(values, stored or values.results[0], scores, also)
    from tiebreak.readers import read
    from tiebreak.readers.taking import asking_for_a_name
    from tiebreak.results.roles import on_one_scale

    paths, how = _files(values)
    scale = how.pop("normalise_cost", None)
    part, where = chosen_part(values)
    how |= part | {"where": where, "columns": roles_of(values), "prices": getattr(values, "prices", None)}
    with asking_for_a_name(when=not directed and direction(values) is None):
        costs = getattr(values, "costs", None)
        try:
            result = read(paths, scores=scores, also=also, costs=costs, counts=True, **how)
        except InputError:
            _check_no_votes(paths[0])
            raise
        lacking = [name for name in also or () if name not in result.values]
        if lacking and costs is None:
            raise _no_cost(lacking[0], read(paths, scores=scores, also=None, counts=True, **how).costs)
    return on_one_scale(result, scale)


def _check_no_votes(path: str) -> None:
    """Name the verb for votes, where they are why a file cannot be read."""
    from tiebreak.obvious import holds_votes

    if holds_votes(path):
        mend = f"Use `tiebreak battles {shell(path)}`."
        raise InputError(f"{path} holds votes on pairs, no scores.", mend=mend) from None


def _no_cost(name: str, costs: Sequence[str]) -> OptionError:
    """Make the error for a cost that is no column, with the one that was meant."""
    close, second = get_close_matches(name, costs, n=1), f"read costs from a second file ({option(costs=...)})"
    if close:
        mend = f"Did you mean {option(cost=close[0])}?"
    elif costs:
        mend = f"Use {option(cost=costs[0])}, or {second}."
    else:
        mend = f"The file has no cost: leave {option('cost')} out, or {second}."
    return OptionError(f"There is no column {name!r} to be a cost.", mend=mend)


def chosen_part(values: Namespace) -> tuple[dict[str, Any], list[str]]:
    """Return the data sets and algorithms to keep, and the conditions that are left; the web has fields for both."""
    part, where = part_of(values.where)
    for role in part:
        text = getattr(values, role, None)
        if text is not None:
            part[role] = [item.strip() for item in text.split(",")]
    return part, where


def ways_to_read(values: Namespace) -> dict[str, Any]:
    """Return what `tiebreak.obvious` takes of the options of `read`."""
    part, where = chosen_part(values)
    how = _fields(values) | part | {"scores": values.score, "columns": roles_of(values) or None, "where": where or None}
    return {name: value for name, value in how.items() if value is not None and name != "normalise_cost"}


def _fields(values: Namespace) -> dict[str, Any]:
    """Return how a file is read as the web says it, and `tiebreak read`, in fields and options."""
    given = {name: getattr(values, name, None) for name in OF_FILES}
    return {key: value for key, value in given.items() if value or (value is False and key == "transpose")}


def _is_store(sources: Sequence[str]) -> bool:
    """Tell a store by its address, as `tiebreak.as_results` does."""
    address = sources[0].partition("?")[0].lower() if len(sources) == 1 else ""
    return "\n" not in address and ("://" in address or address.endswith((".db", ".sqlite", ".sqlite3")))


def _files(values: Namespace) -> tuple[list[str], dict[str, Any]]:
    """Return the files without their settings, and these."""
    how, paths = _fields(values), []
    for source in values.results:
        path, more = settings_of(source, OF_FILES)
        paths.append(path)
        for name, value in more.items():
            if how.setdefault(name, value) != value:
                what = f"Two files are to be read in different ways: {name} is {how[name]!r} and {value!r}."
                raise OptionError(what, mend="Write each anew with `tiebreak read FILE -o clean.csv`.")
    if str(how.get("table", "")).isdigit():
        how["table"] = int(how["table"])
    return paths, how


def _read_store(values: Namespace, source: str, scores: list[str] | None, also: Sequence[str] | None) -> Results:
    """Costs from a file are joined last, to what was chosen of the store."""
    from tiebreak.readers import read, read_store
    from tiebreak.results import with_costs
    from tiebreak.results.roles import on_one_scale

    fields = [name for name in ("column", "item", "cluster", *OF_FILES, "prices") if getattr(values, name, None)]
    given = [f"--{name.replace('_', '-')}" for name in fields if name != "normalise_cost"]
    if given:
        raise OptionError(f"{given[0]} was given with a store, and is for files.", mend="Leave it out.")
    address, which = settings_of(source, OF_STORES)
    for key, name in (("resampling", "resampling"), ("run_seed", "seed"), ("origin", "origin"), ("unfinished",) * 2):
        if getattr(values, key, None) not in (None, []):
            which.setdefault(name, getattr(values, key))
    scale = which.pop("normalise_cost", None) or getattr(values, "normalise_cost", None)
    if getattr(values, "positive", None) and "positive" not in which:
        which["positive"] = values.positive
    part, where = chosen_part(values)
    wanted = None if scores is None or also is None else [*scores, *also]
    result = on_one_scale(read_store(address, scores=wanted, where=where, **part, **which), scale)
    costs = getattr(values, "costs", None)
    return result if costs is None else with_costs(result, read(costs))


def read_file(values: Namespace, source: str) -> Results:
    """Read one file by the options about columns and conditions."""
    from tiebreak.readers import read
    from tiebreak.results.roles import on_one_scale

    path, how = settings_of(source, OF_FILES)
    part, where = part_of(values.where)
    scale = how.pop("normalise_cost", None)
    table = read(path, scores=values.score or None, columns=roles(values.column), where=where, **part, **how)
    return on_one_scale(table, scale)


def store_or_file(values: Namespace) -> tuple[list[Any], dict[str, Any]]:
    """Return what a study is about, which takes a store or a file, and how that is read."""
    from tiebreak.readers import read_store

    if not values.results:
        mend = "Give a store that `tiebreak run` filled, such as results.db."
        raise OptionError("No store and no table was named.", mend=mend)
    address, which = settings_of(values.results, (*OF_STORES, *OF_FILES))
    if set(which) & set(OF_STORES):
        return [read_store(address, **which)], {}
    return [address], which


def bases_of(values: Namespace) -> list[Any]:
    """Return what to learn from: bases by address, tables, a store; without any, what ships."""
    kind = values.kind
    if kind is None and values.data and (values.base or values.store):
        about = {"source": values.data} | ({"target": values.target} if values.target else {})
        kind = late("tiebreak.datasets.references", "DataReference").of(about).load().kind
    bases: list[Any] = [late("tiebreak.advisor", "open_base")(item, kind=kind) for item in values.base]
    if values.results:
        bases.append(_from_files(values))
    if values.store and values.run is not None and not (bases or values.results):
        return [] if values.score else [settings_of(values.store, OF_STORES)[0]]  # which may be empty or not there yet
    if values.store:
        bases.append(_from_store(values, alone=not values.results, kind=kind))
    return bases


def _from_files(values: Namespace) -> Knowledge:
    """Read tables of results and what describes their data sets."""
    from tiebreak.advisor import read_knowledge

    return read_knowledge(
        values.results,
        meta=values.meta,
        score=values.score,
        time=times_of(values.time),
        higher_is_better=direction(values),
        columns=roles(values.column),
        where=values.where,
    )


def _from_store(values: Namespace, *, alone: bool = True, **which: Any) -> Knowledge:
    """Read a store; beside files (not `alone`) the options about columns are theirs."""
    from tiebreak.advisor import read_meta, store_knowledge

    address, settings = settings_of(values.store, OF_STORES)
    if alone:
        settings |= {"meta": read_meta(values.meta)[0] if values.meta else None, "where": values.where}
        settings |= {"score": values.score, "time": times_of(values.time)}
    return store_knowledge(address, **settings, **which)


def times_of(text: str | None) -> list[str] | None:
    """The word none means no times at all; without the option the usual columns are taken."""
    return [] if text == "none" else names_of(text)
