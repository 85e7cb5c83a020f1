"""`tiebreak completion`: a script that lets a shell complete verbs, options, their choices and file names.

Everything is taken from the records when the script is printed, so that pressing a key starts no Python.
"""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote

from tiebreak._checks import check_choice
from tiebreak.cli.parsing import in_full
from tiebreak.verbs import Option, Verb, every_verb

_HELPS = {"--help": "show the common options", "--help-all": "show all"}


def completion(shell: str) -> str:
    """Write the script with which a shell completes verbs, options, choices and file names.

    Parameters
    ----------
    shell : str
        "bash", "zsh" or "fish".

    Returns
    -------
    str
        What the shell runs when it starts.

    Examples
    --------
    >>> import tiebreak as tb
    >>> tb.completion("fish").splitlines()[0]
    '# Completion of tiebreak in fish. Load it with: tiebreak completion fish | source'
    """
    shells = {"bash": bash, "zsh": zsh, "fish": fish}
    return shells[check_choice("shell", shell, shells)]()


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


def bash() -> str:
    """Write one function that looks at the verb and at the word before; where it offers nothing, bash offers files."""
    lines = []
    for verb in sorted(every_verb(), key=lambda item: " " not in item.name):  # "study wins" before "study"
        options = [*map(in_full, verb.flags)]
        for option in options:
            if not option.is_switch:
                case = "|".join(f'"{verb.name} {way}"' for way in option.ways)
                lines.append(f"        {case}) words={quote(' '.join(option.words))} ;;")
        flags = " ".join([*(way for option in options for way in option.ways), *_HELPS])
        lines += [f'        "{verb.name} "*) flags={quote(flags)} words={quote(" ".join(_places(verb)))} ;;']
    verbs = " ".join(entry.name for entry in every_verb() if " " not in entry.name)
    return "\n".join(
        [
            "# Completion of tiebreak. Load it with: source <(tiebreak completion bash), or zsh",
            "_tiebreak() {",
            "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}",
            "    local flags= words=",
            '    [[ $verb == study ]] && ((COMP_CWORD > 2)) && verb="study ${COMP_WORDS[2]}"',
            '    case "$verb $before" in',
            *lines,
            "    esac",
            f"    ((COMP_CWORD == 1)) && words={quote(verbs)} flags='--help --version'",
            "    [[ $current == -* ]] && words=$flags",
            '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
            "}",
            "complete -o default -F _tiebreak tiebreak",
        ]
    )


def zsh() -> str:
    """Write the same for zsh, which understands the completions of bash."""
    return f"autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n{bash()}"


def fish() -> str:
    """Write a line per option, with the condition under which it is offered."""
    lines = [
        "# Completion of tiebreak in fish. Load it with: tiebreak completion fish | source",
        "function __tiebreak_verb",
        "    set -l words (commandline -opc)",
        "    set -l verb $words[2]",
        '    test "$verb" = study; and test (count $words) -gt 2; and set verb "$verb $words[3]"',
        '    test "$verb" = "$argv"',
        "end",
        "complete -c tiebreak -f",
    ]
    for verb in every_verb():
        if " " not in verb.name:
            lines.append(f"complete -c tiebreak -n '__tiebreak_verb' -a {verb.name} -d {_fish([brief(verb.help)])}")
        start = f"complete -c tiebreak -n '__tiebreak_verb {verb.name}'"
        lines += [f"{start} {_fish_option(in_full(option))}" for option in verb.flags]
        lines += [f"{start} -l {flag[2:]} -d {_fish([text])}" for flag, text in _HELPS.items()]
        lines += [f"{start} -F"] if any(option.is_file for option in verb.options if not option.flag) else []
        lines += [f"{start} -a {_fish(_places(verb))}"] if _places(verb) else []
    return "\n".join(lines)


def _fish_option(option: Option) -> str:
    names = [f"-l {way[2:]}" if way.startswith("--") else f"-s {way[1:]}" for way in option.ways]
    value = [] if option.is_switch else ["-r -F"] if option.is_file or option.kind == "folder" else ["-x"]
    value += [f"-a {_fish(option.words)}"] if option.words else []
    return " ".join([*names, *value, f"-d {_fish([brief(option.help)])}"])


def _fish(words: Iterable[str]) -> str:
    """Quote for fish, where a quote inside quotes is written with a backslash."""
    return "'" + " ".join(words).replace("\\", "\\\\").replace("'", "\\'") + "'"


def _places(verb: Verb) -> list[str]:
    """Return the known words for what stands without a flag."""
    return [word for option in verb.options if not option.flag for word in in_full(option).words]
