"""The parsers of the command line, built from the records of the verbs, and their help."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from typing import Any, NoReturn

from tiebreak import __version__
from tiebreak.verbs import VERBS, Option, Verb, verb_of

EXAMPLES = "examples:"
_TYPES = {"number": float, "integer": int}


class Help(argparse.HelpFormatter):
    """Wraps texts as usual, but breaks neither examples nor names with hyphens, so that both can be copied."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if EXAMPLES not in text:
            lines = textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)
            return "\n".join(indent + line for line in lines)
        return "\n".join(indent + line for line in text.splitlines())


class _ShowHelp(argparse.Action):
    """Prints the help, with the words of every option, which nothing else needs."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> NoReturn:
        parser.get_default("helper")(self.const).print_help()
        parser.exit()


def parser(*named: str) -> argparse.ArgumentParser:
    """Build the parser of the verbs that are named, or of all: a call needs one, and the others cost time to load."""
    top = argparse.ArgumentParser(
        prog="tiebreak",
        description="Order learning algorithms from best to worst: by score where the difference is worth its cost,"
        " by cost where it is not.",
        epilog="tiebreak VERB --help says what a verb takes, with examples; --help-all names every option."
        " tiebreak FILE does the obvious thing.",
    )
    top.add_argument("--version", action="version", version=f"tiebreak {__version__}")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name in named or VERBS:
        verb = verb_of(name)
        add_options(verbs.add_parser(name, help=verb.help, **_texts(verb)), verb)
    return top


def parser_of(name: str, *, shown: str = "") -> argparse.ArgumentParser:
    """Build the parser of one verb, or of one study; `shown` says which options its help is to show: common or all."""
    verb = verb_of(name)
    argument_parser = argparse.ArgumentParser(prog=f"tiebreak {name}", **_texts(verb, shown))
    add_options(argument_parser, verb, shown)
    return argument_parser


def _texts(verb: Verb, shown: str = "") -> dict[str, Any]:
    """Write the fixed texts; a usage with thirty options in it would hide what the verb takes."""
    lines = [EXAMPLES, *(f"  tiebreak {verb.name} {example}".rstrip() for example in verb.examples)]
    rest = len([option for option in verb.options if option.cli and not option.common])
    if shown == "common" and rest:
        lines = [f"{rest} more options: tiebreak {verb.name} --help-all", "", *lines]
    return {
        "usage": " ".join(part for part in ("tiebreak", verb.name, verb.takes, "[options]") if part),
        "description": verb.description,
        "epilog": "\n".join(lines),
        "formatter_class": Help,
        "add_help": False,
    }


def add_options(argument_parser: argparse.ArgumentParser, verb: Verb, shown: str = "") -> None:
    """Add the options of a verb, in their groups."""
    groups = {title: argument_parser.add_argument_group(title) for title in verb.titles}
    for option in verb.options:
        if not option.cli:
            argument_parser.set_defaults(**{option.key: option.initial})
            continue
        hidden = shown == "common" and not option.common
        text = argparse.SUPPRESS if hidden else help_of(option) if shown else option.help
        groups[option.group].add_argument(*_written(option), help=text, **_kind(option))
    for flags, which in ((("-h", "--help"), "common"), (("--help-all",), "all")):
        argument_parser.add_argument(
            *flags, action=_ShowHelp, nargs=0, const=which, default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )
    argument_parser.set_defaults(helper=lambda which: parser_of(verb.name, shown=which))


def _written(option: Option) -> Sequence[str]:
    if not option.flag:
        return [option.name]
    first = [option.short] if option.short else []
    return [*first, option.flag] if len(option.short) < 3 else [option.flag, *first]


def _kind(option: Option) -> dict[str, Any]:
    """Return what argparse is to do with an option."""
    named: dict[str, Any] = {"dest": option.key, "default": option.initial} if option.flag else {}
    if option.required:
        named["required"] = True
    if option.kind == "switch":
        return named | {"action": "store_true"}
    if option.kind == "either":
        return named | {"action": argparse.BooleanOptionalAction}
    named["metavar"] = option.metavar
    if option.strict:
        named["choices"] = option.words
    if option.kind in ("texts", "files") and option.flag:
        return (
            named
            | {"action": "extend" if option.kind == "files" else "append"}
            | ({"nargs": "+", "default": []} if option.kind == "files" else {})
        )
    if option.nargs:
        named |= {"nargs": argparse.REMAINDER if option.nargs == "..." else option.nargs}
        named |= {"default": option.default} if option.nargs == "?" else {}
    return named | ({"type": _TYPES[option.kind]} if option.kind in _TYPES else {})


def help_of(option: Option) -> str:
    """Return the help of an option, with the words that it takes."""
    return option.help.replace("{words}", text_of_words(option)) if "{words}" in option.help else option.help


def in_full(option: Option) -> Option:
    """Return an option with its help and its words written out."""
    return option.but(help=help_of(option).replace("%%", "%"), words=words_of(option))


def words_of(option: Option) -> tuple[str, ...]:
    """Return the words that an option takes; none where it takes anything.

    Examples
    --------
    >>> words_of(verb_of("order").named("rule")), words_of(verb_of("multivariate").named("missing"))
    (('worth', 'multitest', 'multi2test'), ('auto', 'refuse', 'drop-datasets', 'drop-algorithms', 'drop-folds'))
    """
    if not isinstance(option.words, str):
        return option.words
    kind, *rest = option.words.split()
    if kind == "methods":
        from tiebreak.methods import choices

        return choices(*rest[1:], verb=None if rest[0] == "-" else rest[0])  # type: ignore[arg-type]
    if kind == "policies":
        from tiebreak.methods.policies import COST_POLICIES, OF_VERB

        return tuple(COST_POLICIES if rest[0] == "costs" else OF_VERB[rest[0]])
    if kind == "figures":
        from tiebreak.figures import KINDS

        return tuple(dict.fromkeys(text for name in rest for text in KINDS.get(name, (name,))))
    if kind == "published":
        from tiebreak.readers.published import references

        return references()
    return _of_orders()


def _of_orders() -> tuple[str, ...]:
    """Name the tests that an order takes, over data sets and inside one."""
    from tiebreak.methods import choices, of_kind

    over = dict.fromkeys(method.name for method in of_kind("pairs", verb="compare") if method.on_own_scores)
    return tuple(dict.fromkeys((*over, *choices("folds", verb="order"), *choices("items", verb="order"))))


def text_of_words(option: Option) -> str:
    """List the words of an option, as help texts do."""
    if isinstance(option.words, str) and option.words.startswith("policies"):
        from tiebreak.methods.policies import policies_text

        return policies_text(option.words.split()[1])
    *most, last = words_of(option)
    return f"{', '.join(most)} or {last}" if most else last
