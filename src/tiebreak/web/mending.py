"""Options that a sentence names, for a page to offer with a click: "use --missing drop-datasets" is one."""

from __future__ import annotations

import re
import shlex
from typing import Any

from tiebreak.web.problems import Problem
from tiebreak.web.verbs import Option, Verb

_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_OR = re.compile(r"^(?:,| or )\s*")
_WORD = re.compile(r"""^(?:"[^"]*"|'[^']*'|[^\s,;"']+)""")
_NAMES = re.compile(r"""^(?:"[^"]*"|'[^']*'|[^\s;"']+)""")
_SETTING = re.compile(r"[?&]([a-z_]+)=([^&\"'\s]+)")
_PART = re.compile(r"--where [\"'](dataset|algorithm) in ([^\"]+?)[\"']")
_OPEN = re.compile(r"^[A-Z][A-Z0-9,=|a-z]*$|^[A-Z]{2,} |^\w+=HEADER$")


def options_in(verb: Verb, text: str) -> list[dict[str, Any]]:
    """Return the options of a verb that a text names, each with the values that it offers; none where one is open.

    Examples
    --------
    >>> from tiebreak.web.verbs import verb_of
    >>> options_in(verb_of("order"), "Use --rule worth, multitest or multi2test, or --transpose.")
    [{'option': 'rule', 'values': ['worth', 'multitest', 'multi2test']}, {'option': 'transpose', 'values': [True]}]
    >>> options_in(verb_of("compare"), 'Say --column "dataset=my task", or --score NAME.')
    [{'option': 'column', 'values': ['dataset=my task']}, {'option': 'score', 'values': []}]
    >>> options_in(verb_of("compare"), "Use --algorithms a,b, or --column algorithm=HEADER.")
    [{'option': 'algorithms', 'values': ['a,b']}, {'option': 'column', 'values': []}]
    """
    flags = {each.flag: each for each in verb.options.values()}
    flags |= {f"--no-{each.flag[2:]}": each for each in verb.options.values() if each.kind == "either"}
    files = {flag: slot for slot, flag in verb.slots.items()}
    found: list[dict[str, Any]] = []
    for match in _FLAG.finditer(text):
        if match.group() in files:  # a file: a page shows where to choose one
            found.append({"option": files[match.group()], "values": []})
        option = flags.get(match.group())
        if option is not None:
            values = _values(option, match.group(), text[match.end() :])
            found.append({"option": option.name, "values": values})
    return found + _settings(verb, text)


def _settings(verb: Verb, text: str) -> list[dict[str, Any]]:
    """Return the options that a text words as settings behind the name of a file or a store, or as conditions."""
    pairs = [*_SETTING.findall(text), *((f"{role}s", names) for role, names in _PART.findall(text))]
    found: dict[str, list[Any]] = {}
    for name, value in pairs:
        option = verb.options.get({"seed": "run_seed"}.get(name, name))
        if option is not None and not option.cli:
            switch = option.kind in ("switch", "either")
            found.setdefault(option.name, []).append(value == "yes" if switch else value.rstrip("."))
    return [{"option": name, "values": [] if "A,B" in values else values} for name, values in found.items()]


def mended_by(verb: Verb, problem: Problem) -> list[dict[str, Any]]:
    """Return the options that mend a problem: those of its last part, since the first may name what is wrong.

    Examples
    --------
    >>> from tiebreak.web.verbs import verb_of
    >>> mended_by(verb_of("order"), Problem(422, "option", "--top -1 draws no algorithm.", mend="Use --top 15."))
    [{'option': 'top', 'values': ['15']}]
    """
    return options_in(verb, problem.mend) or options_in(verb, problem.text)


def _values(option: Option, flag: str, rest: str) -> list[Any]:
    if option.kind in ("switch", "either"):
        return [not flag.startswith("--no-") or option.kind == "switch"]
    values: list[Any] = []
    rest = rest.lstrip("= ")
    form = _WORD if _listed(option) else _NAMES  # "--algorithms a,b" is one value, "--rule a, b" are two
    while word := form.match(rest):
        value = _plain(word.group())
        rest = rest[word.end() :]
        if value.startswith("--") or value.endswith(("...", "=")) or _OPEN.match(value) or (values and value == "or"):
            break
        values.append(value)
        more = _OR.match(rest)
        if more is None or not _listed(option):
            break
        rest = rest[more.end() :]
    return values


def _listed(option: Option) -> bool:
    """Only options with words of their own are followed by several; behind others the sentence goes on."""
    return bool(option.words or option.choices)


def _plain(word: str) -> str:
    try:
        return " ".join(shlex.split(word)).rstrip(".,;:)")
    except ValueError:
        return word
