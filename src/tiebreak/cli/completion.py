"""`tiebreak completion`: a script that lets a shell complete verbs, options, their choices and file names.

Everything is taken from the records when the script is printed, so that pressing a key starts no Python.
"""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace

from tiebreak.cli.answering import Answer
from tiebreak.cli.parsing import in_full
from tiebreak.verbs import Option, Verb, every_verb


def brief(text: str) -> str:
    """Cut a help text to what fits beside a name.

    Examples
    --------
    >>> brief("gaps: refuse (default), drop-datasets or drop-algorithms; see the docs")
    'gaps'
    """
    for mark in (";", " (", ": "):
        text = text.split(mark)[0]
    return text if len(text) <= 72 else f"{text[:69].rstrip()}..."


# ---- bash


_BASH_WAYS = (
    "_tiebreak_words() {",
    "    local IFS=$'\\n'",
    '    COMPREPLY=($(compgen -W "${1// /$IFS}" -- "$current"))',
    "}",
    "_tiebreak_files() {  # the shell's own way where it can be asked, which knows about quotes and folders",
    "    local IFS=$'\\n'",
    '    [[ $2 ]] && _tiebreak_named "$2" && return',
    '    compopt -o default 2> /dev/null || COMPREPLY=($(compgen "$1" -- "$current"))',
    "}",
    "_tiebreak_named() {  # names beside files, such as published:NAME, of which bash makes three words",
    "    local head=${1%%:*}:",
    '    if [[ $colon == "$head" ]]; then _tiebreak_words "${1//$head/}"; return 0; fi',
    '    [[ $current && $head == "$current"* && -z $(compgen -f -- "$current") ]] || return 1',
    '    COMPREPLY=("$head"); compopt -o nospace 2> /dev/null; return 0',
    "}",
)
"""The functions by which bash offers words, files, and names beside files."""


def bash(commands: Sequence[Verb]) -> str:
    """Write the script of bash: one function that looks at the verb and at the word before."""
    verbs = [each.name for each in commands if " " not in each.name]
    nested = sorted({each.name.split()[0] for each in commands if " " in each.name})
    values = [line for each in commands for line in _bash_values(each)]
    rest = [line for each in commands for line in _bash_rest(each)]
    return "\n".join(
        [
            "# Completion of tiebreak in bash. Load it with: source <(tiebreak completion bash)",
            *_BASH_WAYS,
            "_tiebreak() {",
            "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}",
            "    local colon=",
            "    COMPREPLY=()",
            '    if [[ $current == "=" ]]; then',
            "        current=",
            '    elif [[ $before == "=" ]]; then',
            "        before=${COMP_WORDS[COMP_CWORD-2]}",
            '    elif [[ $current == ":" ]]; then',
            "        current= colon=$before: before=${COMP_WORDS[COMP_CWORD-2]}",
            '    elif [[ $before == ":" ]] && ((COMP_CWORD > 2)); then',
            "        colon=${COMP_WORDS[COMP_CWORD-2]}: before=${COMP_WORDS[COMP_CWORD-3]}",
            "    fi",
            "    if ((COMP_CWORD == 1)); then",
            f"        _tiebreak_words {shlex.quote(' '.join([*verbs, '--help', '--version']))}",
            "        return",
            "    fi",
            f'    case $verb in {"|".join(nested)}) ((COMP_CWORD > 2)) && verb+=" ${{COMP_WORDS[2]}}" ;; esac',
            '    case "$verb $before" in',
            *values,
            "    esac",
            "    case $verb in",
            *rest,
            "    esac",
            "}",
            "complete -F _tiebreak tiebreak",
        ]
    )


def _bash_values(verb: Verb) -> list[str]:
    """Say what follows each option that takes something; what can be anything is left to the person."""
    lines = []
    for option in verb.flags:
        if option.is_switch:
            continue
        does = f"_tiebreak_words {shlex.quote(' '.join(option.words))}; " if option.words else ""
        if option.is_file or option.kind == "folder":
            does = f"_tiebreak_files {'-f' if option.is_file else '-d'}{_bash_named(option.words)}; "
        case = "|".join(f'"{verb.name} {flag}"' for flag in option.ways)
        lines.append(f"        {case}) {does}return ;;")
    return lines


def _bash_rest(verb: Verb) -> list[str]:
    """Options where a dash is typed; else what the verb itself takes."""
    flags = " ".join(flag for option in verb.flags for flag in option.ways)
    words, files = places_of(verb)
    other = f"_tiebreak_words {shlex.quote(' '.join(words))}" if words else ""
    other = f"_tiebreak_files -f{_bash_named(words)}" if files else other
    return [
        f'        "{verb.name}")',
        f"            if [[ $current == -* ]]; then _tiebreak_words {shlex.quote(flags)}",
        f"            else {other or f'_tiebreak_words {shlex.quote(flags)}'}; fi ;;",
    ]


def _bash_named(words: Sequence[str]) -> str:
    return f" {shlex.quote(' '.join(words))}" if words else ""


# ---- zsh


def zsh(commands: Sequence[Verb]) -> str:
    """Write the script of zsh, for `_arguments`; it can be sourced, or laid into a folder of fpath."""
    verbs = [each for each in commands if " " not in each.name]
    return "\n".join(
        [
            "#compdef tiebreak",
            "# Completion of tiebreak in zsh. Load it with: source <(tiebreak completion zsh)",
            f"_tiebreak_named() {{ compadd -- {_zsh_named(commands)}; _files }}",
            "_tiebreak() {",
            "    local curcontext=$curcontext state line",
            "    typeset -A opt_args",
            "    if ((CURRENT == 2)); then",
            "        local -a verbs=(",
            *(f"            {shlex.quote(f'{each.name}:{brief(each.help)}')}" for each in verbs),
            "        )",
            "        _describe verb verbs",
            "        return",
            "    fi",
            "    local verb=$words[2]",
            "    shift words; ((CURRENT--))",
            *_zsh_nested(commands),
            "    case $verb in",
            *(line for each in commands for line in _zsh_case(each)),
            "    esac",
            "}",
            'if [[ $funcstack[1] == _tiebreak ]]; then _tiebreak "$@"; else compdef _tiebreak tiebreak; fi',
        ]
    )


def _zsh_nested(commands: Sequence[Verb]) -> list[str]:
    """A verb with names of its own is taken together with the name."""
    nested = sorted({each.name.split()[0] for each in commands if " " in each.name})
    return [
        f"    if [[ $verb == ({'|'.join(nested)}) ]] && ((CURRENT > 2)); then",
        '        verb="$verb $words[2]"; shift words; ((CURRENT--))',
        "    fi",
    ]


def _zsh_case(verb: Verb) -> list[str]:
    specs = [_zsh_option(option) for option in verb.flags]
    words, files = places_of(verb)
    if files:
        specs.append(shlex.quote(f"*:file:{_zsh_files(words)}"))
    elif words:
        specs.append(shlex.quote(f"1:name:({' '.join(words)})"))
    return [f'        "{verb.name}") _arguments \\', *(f"            {spec} \\" for spec in specs), "        ;;"]


def _zsh_option(option: Option) -> str:
    """Write one option as `_arguments` takes it; it may be given again, as some of ours may."""
    text = brief(option.help).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    value = ""
    if not option.is_switch:
        does = f"({' '.join(option.words)})" if option.words else " "
        value = (
            f":value:{_zsh_files(option.words) if option.is_file else '_files -/' if option.kind == 'folder' else does}"
        )
    return " ".join(shlex.quote(f"*{flag}[{text}]{value}") for flag in option.ways)


def _zsh_files(words: Sequence[str]) -> str:
    """Offer files, and names beside them; names stand in a function, as a colon would end what `_arguments` does."""
    return "_tiebreak_named" if words else "_files"


def _zsh_named(commands: Sequence[Verb]) -> str:
    held: list[Sequence[str]] = [words for words, files in map(places_of, commands) if files]
    held += [option.words for each in commands for option in each.flags if option.is_file]
    return " ".join(dict.fromkeys(word for words in held for word in words))


# ---- fish


def fish(commands: Sequence[Verb]) -> str:
    """Write the script of fish: a line per option, with the condition under which it is offered."""
    nested = sorted({each.name.split()[0] for each in commands if " " in each.name})
    lines = [
        "# Completion of tiebreak in fish. Load it with: tiebreak completion fish | source",
        "function __tiebreak_verb",
        "    set -l words (commandline -opc)",
        "    set -l verb $words[2]",
        f'    if contains -- "$verb" {" ".join(nested)}; and test (count $words) -gt 2',
        '        set verb "$verb $words[3]"',
        "    end",
        '    test "$verb" = "$argv"',
        "end",
        "complete -c tiebreak -f",
    ]
    for each in commands:
        if " " not in each.name:
            lines.append(f"complete -c tiebreak -n '__tiebreak_verb' -a {each.name} -d {_fish(brief(each.help))}")
        lines += _fish_lines(each)
    return "\n".join(lines)


def _fish_lines(verb: Verb) -> list[str]:
    start = f"complete -c tiebreak -n '__tiebreak_verb {verb.name}'"
    lines = [f"{start} {_fish_option(option)}" for option in verb.flags]
    words, files = places_of(verb)
    lines += [f"{start} -F"] if files else []
    return lines + ([f"{start} -a {_fish(' '.join(words))}"] if words else [])


def _fish_option(option: Option) -> str:
    names = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.ways]
    value = "-x" if not option.is_switch else ""
    if option.words:
        value = f"{'-r -F' if option.is_file else '-x'} -a {_fish(' '.join(option.words))}"
    elif option.is_file:
        value = "-r -F"
    elif option.kind == "folder":
        value = "-x -a '(__fish_complete_directories)'"
    return " ".join(part for part in (*names, value, f"-d {_fish(brief(option.help))}") if part)


def _fish(text: str) -> str:
    """Quote for fish, where a quote inside quotes is written with a backslash."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


WRITERS: dict[str, Callable[[Sequence[Verb]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""The shells, and what writes the script of each."""


# ---- from the records


def completion(values: Namespace) -> Answer:
    """Print the script of a shell."""
    return Answer(text=WRITERS[values.shell](commands()))


def commands() -> list[Verb]:
    """Return every verb, and every study, with its words and texts in full; help is offered, too."""
    return [replace(verb, options=(*map(in_full, verb.offered), *_HELPS)) for verb in every_verb()]


_HELPS = (
    Option(name="help", flag="--help", kind="switch", help="show the common options"),
    Option(name="help_all", flag="--help-all", kind="switch", help="show all"),
)


def places_of(verb: Verb) -> tuple[tuple[str, ...], bool]:
    """Return what stands behind a verb without a flag: known words, and whether it is a file."""
    places = [each for each in verb.options if not each.flag]
    return tuple(word for each in places for word in each.words), any(each.is_file for each in places)
