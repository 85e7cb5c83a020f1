"""Apply what an error message suggests: the harness of test_fixes.py, free of cases.

`mended(argv, message)` yields the command lines that the message asks for, in its order, taken literally.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

REPEATED = ("--column", "--cost", "--where", "--direction", "--claim", "--label", "--score")
_OPTION = r"--[a-z][a-z-]+"
_WORD = r"\"[^\"]*\"|'[^']*'|[^\s,;)]+"
_HINT = re.compile(rf"({_OPTION})(?:[ =]({_WORD}))?")
_MEANT = re.compile(rf"Did you mean ({_OPTION} (?:{_WORD})|tiebreak [^?]*|\"[^\"]*\"|'[^']*'|[^\s?]+)\?")
_COMMAND = re.compile(r"tiebreak [a-z]+ [^`?]*?(?=[`?]|\.(?:\s|$)|$)")
_LEAVE = re.compile(
    r"[Ll]eave (?:(?:the )?(?:option )?--[a-z-]+ out|the option out|out )|[Ll]eave (?:it|one|them) out"
    r"|[Dd]rop (?:it|the control|one)|leave out"
)
_UNREAD = re.compile(r"(\S+) cannot be read")
_SETTINGS = re.compile(r"\"([^\"\s?]+\?[^\"]+)\"")
_QUOTED = re.compile(r"'([^']*)'")
SWITCHES = (
    "--higher-is-better",
    "--lower-is-better",
    "--transpose",
    "--no-transpose",
    "--keep-rows",
    "--full",
    "--anytime",
)


def mended(argv: list[str], message: str) -> Iterator[list[str]]:
    """Yield every command line that the message suggests; placeholders in capitals are not filled in."""
    for match in _MEANT.finditer(message):
        yield from _meant(argv, match[1], message)
    for line in _COMMAND.findall(message):
        words = _split(line)
        if words and len(words) > 2:
            yield words[1:]
    if (swap := re.search(r"use `tiebreak (\w+)` instead of `tiebreak (\w+)`", message)) is not None:
        yield [swap[1], *argv[1:]]
    for name, value in _HINT.findall(message):
        yield from _with(argv, name, value.rstrip(".:") or value[:1], message)
    for meant in _SETTINGS.findall(message):
        yield from (
            [*argv[:at], meant, *argv[at + 1 :]]
            for at, item in enumerate(argv)
            if item.partition("?")[0] == meant.partition("?")[0]
        )
    yield from _named(argv, message)
    if _LEAVE.search(message):
        for name in dict.fromkeys(_HINT.findall(message)[0][:1] if _HINT.findall(message) else ()):
            yield _without(argv, name)
        yield from (_without(argv, fromkey) for fromkey in dict.fromkeys(argv) if fromkey.startswith("--"))


def _meant(argv: list[str], guess: str, message: str) -> Iterator[list[str]]:
    words = _split(guess)
    if not words:
        return
    if words[0] == "tiebreak":
        yield words[1:]
    elif words[0].startswith("--"):
        wrong = next((entry for entry in argv if f"There is no {entry}." in message), None)
        if wrong is not None and len(words) == 1:
            yield [words[0] if entry == wrong else entry for entry in argv]
        yield from _with(argv, words[0], words[1] if len(words) > 1 else "", message)
    else:
        for wrong in (*_QUOTED.findall(message), *_UNREAD.findall(message)):
            for at, item in enumerate(argv):
                if wrong in item and wrong != words[0]:
                    yield [*argv[:at], item.replace(wrong, words[0]), *argv[at + 1 :]]
                    yield [*argv[:at], words[0], *argv[at + 1 :]]


def _named(argv: list[str], message: str) -> Iterator[list[str]]:
    """Put what the message lists in the place of what it quotes: known names, or what follows "Use"."""
    values: list[str] = []
    for pattern in (r"Known here: ([^.]*)\.", r"choose from ([^)]*)\)", r"Use ([^.(]*(?:\.\w+)?)[.,(]"):
        for listed in re.findall(pattern, message):
            quoted = _QUOTED.findall(listed)
            values += quoted or [part.strip() for part in re.split(r", | or ", listed)]
    for value in values:
        for at, item in enumerate(argv):
            for wrong in _QUOTED.findall(message.partition("Known here")[0]):
                if wrong and wrong in item and value and " " not in value:
                    yield [*argv[:at], item.replace(wrong, value), *argv[at + 1 :]]
    last = _HINT.findall(message.rsplit(". ", 1)[-1]) + _HINT.findall(message.rsplit(": ", 1)[-1])
    together = [part for name, value in dict(last).items() if value for part in (name, value.rstrip(".").strip("\"'"))]
    if len(together) > 2:
        yield [*argv, *together]


def _with(argv: list[str], name: str, value: str, message: str) -> Iterator[list[str]]:
    """Add an option, or replace its value; of several values, any."""
    if not value or name in SWITCHES:
        yield [*argv, name]
        if name in SWITCHES:
            return
    values = [value.strip("\"'")]
    if (listed := re.search(rf"{name} ((?:{_WORD})(?:, (?:{_WORD}))*,? or (?:{_WORD}))", message)) is not None:
        values += [part.strip("\"'.") for part in re.split(r", | or ", listed[1])]
    for item in values:
        if not item or (item.isupper() and len(item) > 1) or "..." in item:
            continue
        if name in argv and name not in REPEATED:
            at = argv.index(name)
            yield [*argv[: at + 1], item, *argv[at + 2 :]]
        elif name in argv:
            yield [*argv, name, item]
            at = argv.index(name)
            yield [*argv[: at + 1], item, *argv[at + 2 :]]
        else:
            yield [*argv, name, item]


def _without(argv: list[str], name: str) -> list[str]:
    if name not in argv:
        return argv
    at = argv.index(name)
    end = at + 1 if at + 1 >= len(argv) or argv[at + 1].startswith("--") else at + 2
    return [*argv[:at], *argv[end:]]


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()
