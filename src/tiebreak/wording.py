"""One message, in the words of the interface that is used: arguments in Python, options on the command line.

`option` words an argument that has an option of its own name or of one in `OPTIONS`; `either` words everything else.
Both look at who asks when they are called, so a text that holds them is made when it is needed, never on import.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from types import EllipsisType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tiebreak.verbs import Option

_SAME = {"adjust": "posthoc", "posthoc": "adjust", "scores": "score", "score": "scores", "n_items": "items"}
"""Arguments that a verb may have under another name."""
_OF_PLANS = dict.fromkeys(("drop", "keep", "kind", "symbolic", "target"), ("recommend",))
"""What is known of a data set: a key of a plan, and an option of these verbs."""
_OF_STORES = ("resampling", "seed", "origin", "unfinished", "positive", "normalise_cost")
"""Settings of a store, behind the question mark of its address."""
_OF_FILES = ("transpose", "keep_rows", "sheet", "table", "decimal", "names", "metric", "plain", "normalise_cost")
"""Settings of a file, likewise."""
_PARTS = {"datasets": "dataset", "algorithms": "algorithm"}
"""Parts of a table, which a condition chooses."""
PLACEHOLDERS = {
    "columns": "ROLE=HEADER",
    "costs": "FILE",
    "drop": "A,B",
    "keep": "A,B",
    "meta": "FILE",
    "missing": "POLICY",
    "positive": "CLASS",
    "prices": "FILE",
    "prior": "A,B,C",
    "results": "FILE",
    "since": "FILE",
    "where": "CONDITION",
}
"""What stands for a value that is left open, as in the help; NAME for all others."""


class Choice(NamedTuple):
    """An option with the values that a message offers; without values the option is left open, or one `part` of it."""

    option: str
    values: tuple[Any, ...] = ()
    part: str = ""


_state = {"verb": "", "source": ""}  # of the process, as messages are also made in threads; empty in Python
_choices: list[dict[str, Choice]] = [{}]  # what the pieces of messages mean that were worded for the command line


@contextmanager
def on_the_command_line(verb: str, *, source: str = "") -> Iterator[None]:
    """Word messages for the command line as long as one of its verbs runs; `source` is what it reads."""
    before = dict(_state)
    if not before["verb"]:
        _choices[0] = {}
    _state.update(verb=verb, source=source or before["source"])
    try:
        yield
    finally:
        _state.update(before)


def choices() -> Mapping[str, Choice]:
    """Return what each piece of a message means that `option` worded since the verb began."""
    return _choices[0]


def reworded(text: str, meanings: Mapping[str, Choice], word: Callable[[str, Choice], str]) -> str:
    """Put other words where a message holds pieces that `option` worded; where two begin, the longer one counts.

    Examples
    --------
    >>> with on_the_command_line("compare"):
    ...     text = f"Use {option(missing='drop-datasets')}."
    >>> reworded(text, choices(), lambda piece, choice: f"<{choice.option} {choice.values}>")
    "Use <missing ('drop-datasets',)>."
    """
    if not meanings:
        return text
    pieces = "|".join(map(re.escape, sorted(meanings, key=len, reverse=True)))
    return re.sub(rf"(?<![\w-])(?:{pieces})(?![\w-])", lambda piece: word(piece[0], meanings[piece[0]]), text)


def choices_in(text: str, meanings: Mapping[str, Choice]) -> list[Choice]:
    """Return the choices that a message offers, in the order in which it names them."""
    result: list[Choice] = []
    reworded(text, meanings, lambda piece, choice: result.append(choice) or piece)  # type: ignore[func-returns-value]
    return result


def _offers(text: str, name: str, *values: object, part: str = "") -> str:
    """Remember which option a piece of a message names, by its key, and which values it offers."""
    known = [str(value) if not isinstance(value, bool) else value for value in values if value is not ...]
    _choices[0][text] = Choice(name, tuple(known), part)
    return text


def either(python: str, command: str) -> str:
    """Return the first text in Python, the second on the command line.

    Examples
    --------
    >>> either("found.groups", "--json")
    'found.groups'
    >>> with on_the_command_line("compare"):
    ...     either("found.groups", "--json")
    '--json'
    """
    return command if _state["verb"] else python


def option(*names: str, **values: object) -> str:
    """Word arguments, with a value or without: `...` is a value that is left open.

    Examples
    --------
    >>> option(missing="drop-datasets"), option(columns={"dataset": "my task"}), option("rule")
    ("missing='drop-datasets'", "columns={'dataset': 'my task'}", 'rule')
    >>> with on_the_command_line("order"):
    ...     print(option(missing="drop-datasets"), option(columns={"dataset": "my task"}), option("rule"))
    ...     print(option(transpose=False), option(algorithms=["a", ...]), option(prior=[...]))
    --missing drop-datasets --column "dataset=my task" --rule
    "FILE?transpose=no" --where "algorithm in a,..." --prior A,B,C
    """
    if _state["verb"]:
        return " ".join([*map(_dashed, names), *(_command(name, value) for name, value in values.items())])
    return ", ".join([*names, *(f"{name}={_python(value)}" for name, value in values.items())])


def any_of(name: str, values: Iterable[str]) -> str:
    """Word one argument with the values that would do.

    Examples
    --------
    >>> any_of("missing", ["drop-datasets", "drop-folds", "worst-rank"])
    "missing='drop-datasets', 'drop-folds' or 'worst-rank'"
    """
    named = list(values)
    *most, last = (shell(value) if _state["verb"] else repr(value) for value in named)
    listed = f"{', '.join(most)} or {last}" if most else last
    if not _state["verb"]:
        return f"{name}={listed}"
    recorded = _recorded(name)
    return _offers(f"{_dashed(name)} {listed}", name if recorded is None else recorded.key, *named)


def setting(name: str, value: object) -> str:
    """Word what chooses of a store, or says how a file is read: an argument in Python, behind the address elsewhere.

    Examples
    --------
    >>> print(setting("seed", 1))
    seed=1
    >>> with on_the_command_line("compare", source="results.db"):
    ...     print(setting("seed", 1))
    "results.db?seed=1"
    """
    if not _state["verb"]:
        return f"{name}={_python(value)}"
    text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else _listed(value)
    source = _state["source"].partition("?")[0] or ("results.db" if name in _OF_STORES else "FILE")
    values = value if isinstance(value, list) else [value]
    words = shell(f"{source}?{name}={text}", always=True)
    return _offers(words, {"seed": "run_seed"}.get(name, name), *([] if ... in values else values))


def which_way() -> str:
    """Word what says which direction of a score is better."""
    ways = f"{_command('higher_is_better', True)} or {_command('higher_is_better', False)}" if _state["verb"] else ""
    return either("higher_is_better=True or False", ways)


def which_way_of(score: str) -> str:
    """Word what says which direction of one score is better."""
    if not _state["verb"]:
        return f"higher_is_better={{{score!r}: True}} or False"
    if not _direction():
        return which_way()
    text = f"--direction {shell(f'{score}=higher')} or lower"
    return _offers(text, "direction", f"{score}=higher", f"{score}=lower")


def run_a_plan() -> str:
    """Word how results get into a store."""
    return either("`tiebreak.run(plan, store=url)`", "`tiebreak run PLAN.toml --store URL`")


def _in_a_plan(name: str) -> bool:
    return _state["verb"] not in _OF_PLANS.get(name, (_state["verb"],))


def _recorded(name: str) -> Option | None:
    """Return the option of the verb that runs, by the name of the argument."""
    from tiebreak.verbs import verb_of  # here, as records are needed for messages alone

    verb = verb_of(_state["verb"])
    return verb.named(name) or verb.named(_SAME.get(name, name))


def _dashed(name: str) -> str:
    if _in_a_plan(name):
        return name
    result = _recorded(name)
    if result is not None:
        return _offers(result.flag, result.key, *([True] if result.is_switch else []))
    if name in _PARTS:
        return "--where"
    if name in _OF_FILES or name in _OF_STORES:
        return f"{name} behind its name"
    return "--" + name.replace("_", "-") if name in ("pairwise", "cost") else f"the argument {name} in Python"


def _python(value: object) -> str:
    """Write a value as Python does, with the dots that stand for what is left open."""
    if isinstance(value, EllipsisType):
        return "..."
    if isinstance(value, list):
        return f"[{', '.join(map(_python, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_python(key)}: {_python(item)}" for key, item in value.items()) + "}"
    return repr(value)


def _command(name: str, value: object) -> str:
    """Write an option with its value; a mapping becomes one option for each of its names."""
    if _in_a_plan(name):
        return f"{name} = {_python(value)}".replace("'", '"')
    result = _recorded(name)
    if result is None:
        return _without_option(name, value)
    if name == "blocked":
        return "no --one-way" if value else _offers("--one-way", "one_way", True)
    if isinstance(value, bool):
        return _switch(result, value)
    if isinstance(value, Mapping):
        return " ".join(_of_mapping(result, key, item) for key, item in value.items())
    if result.kind in ("texts", "files") and isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(_command(name, item) for item in value)
    written = _written(name, value)
    is_open = value is ... or (isinstance(value, list) and ... in value)
    words = value if isinstance(value, str) else written
    return _offers(f"{result.flag} {written}", result.key, *([] if is_open else [words]))


def _switch(switch: Option, value: bool) -> str:
    if switch.name == "higher_is_better":
        key = "higher_is_better" if value else "lower_is_better"
        return _offers(f"--{key.replace('_', '-')}", key, True)
    on = value or switch.kind != "either"
    return _offers(switch.flag if on else "--" + f"no-{switch.flag[2:]}", switch.key, on)


def _of_mapping(option: Option, key: object, value: object) -> str:
    by_name = option.name == "higher_is_better"
    if by_name and _direction() is None and isinstance(value, bool):
        return _switch(option, value)
    flag, name = ("--direction", "direction") if by_name else (option.flag, option.key)
    pair = f"{key}={_way(value)}"
    return _offers(f"{flag} {shell(pair)}", name, value if value is ... else pair, part=str(key))


def _direction() -> object:
    from tiebreak.verbs import verb_of

    return verb_of(_state["verb"]).keyed("direction")


def _without_option(name: str, value: object) -> str:
    """Word what a verb has no option for: parts of a table, settings behind its name, or an argument of Python."""
    from tiebreak.verbs import verb_of

    if name in _PARTS:
        text, names = f"--where {shell(f'{_PARTS[name]} in {_listed(value)}')}", _names(value)
        return _offers(text, name, ... if ... in names else ",".join(map(str, names)))
    if name in _OF_FILES or name in _OF_STORES:
        return setting(name, value)
    drawn = verb_of("figure").named(name)
    if drawn is not None:
        return _offers(f"{drawn.flag} {_written(name, value)} of `tiebreak figure`", drawn.key, *_names(value))
    return f"{name}={_python(value)} in Python"


def _names(value: object) -> list[Any]:
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]


def _listed(value: object) -> str:
    """Write names with commas between; one that holds a comma stands in quotes."""
    if isinstance(value, EllipsisType) or value == [...]:
        return "A,B"
    if isinstance(value, str) or not isinstance(value, Sequence):
        return str(value)
    return ",".join("..." if isinstance(item, EllipsisType) else _one(str(item)) for item in value)


def _one(name: str) -> str:
    return f"'{name}'" if "," in name or name.strip() != name else name


def _way(value: object) -> str:
    if isinstance(value, bool):
        return "higher" if value else "lower"
    return "..." if isinstance(value, EllipsisType) else str(value)


def _written(name: str, value: object) -> str:
    if isinstance(value, EllipsisType) or value == [...]:
        return PLACEHOLDERS.get(name, "NAME")
    if isinstance(value, Sequence) and not isinstance(value, str):
        return shell(",".join("..." if isinstance(item, EllipsisType) else str(item) for item in value))
    return shell(str(value))


def shell(text: str, *, always: bool = False) -> str:
    """Quote a text where a shell would not take it for one word; double quotes are understood by every shell.

    Examples
    --------
    >>> print(shell("svm"), shell("my svm"), shell("1 > $2"))
    svm "my svm" '1 > $2'
    """
    words = any(
        letter.isalnum() for letter in text
    )  # marks alone are quoted too, so that a full stop is no part of them
    if not always and words and text[0] != "#" and all(letter.isalnum() or letter in "_@%+=:,./-#" for letter in text):
        return text
    if not any(letter in text for letter in '"$`\\!'):
        return f'"{text}"'
    from shlex import quote

    return quote(text)


# ---- records that say in a line what they hold, whatever the size of it

MOST_SAID = 1000
"""The characters of a `repr` at the most."""
_MOST_OF_VALUE = 80
_MOST_LISTED = 6
_KIND = "frame_kind"


class Brief:
    """Says in a line what it holds: arrays by their shape, long lists by their length."""

    __slots__ = ()

    def __repr__(self) -> str:
        return shortened(f"{type(self).__name__}({', '.join(f'{k}={_said(v)}' for k, v in held(self).items())})")


def held(record: Any) -> dict[str, Any]:
    """Return what a record holds, by name, without the kind of frame and without what is its own business."""
    names = (field.name for field in fields(record) if field.name != _KIND and not field.name.startswith("_"))
    return {name: getattr(record, name) for name in names}


def shortened(text: str, most: int = MOST_SAID) -> str:
    """Cut a text in the middle where it is too long for a line or a few; its end often closes a bracket.

    Examples
    --------
    >>> shortened("<Ordering: " + "a > " * 20 + "b>", 40)
    '<Ordering: a > a > a > a ... a > a > b>'
    """
    if len(text) <= most:
        return text
    tail = most // 4
    return f"{text[: most - tail - 5].rstrip()} ... {text[-tail:].lstrip()}"


def _said(value: Any) -> str:
    """Say one value shortly."""
    shape = getattr(value, "shape", None)
    if shape:
        return f"<array {' x '.join(map(str, shape))}>"
    if callable(value):
        return f"<{getattr(value, '__name__', type(value).__name__)}>"
    arrays = isinstance(value, (tuple, list)) and any(getattr(item, "shape", None) for item in value)
    several = isinstance(value, (tuple, list, Mapping))
    if arrays or (several and (len(value) > _MOST_LISTED or len(repr(value)) > _MOST_OF_VALUE)):
        return f"<{len(value)} value{'s' * (len(value) != 1)}>"
    return shortened(repr(value), _MOST_OF_VALUE)
