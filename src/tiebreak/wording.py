"""One message, in the words of the interface that is used: arguments in Python, options on the command line.

`option` words an argument that has an option of its own name or of one in `OPTIONS`; `either` words everything else.
Both look at who asks when they are called, so a text that holds them is made when it is needed, never on import.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import EllipsisType

OPTIONS = {
    "adjust": "posthoc",
    "base_name": "base",
    "candidate_name": "candidate",
    "columns": "column",
    "labels": "label",
    "n_permutations": "permutations",
    "scores": "score",
}
"""Arguments whose option has another name than their own with dashes."""

_OF_VERB = {
    ("the order of report", "pairwise"): "order_pairwise",
    ("multivariate", "scores"): "scores",
    ("study", "n_algorithms"): "algorithms",
    ("study", "n_datasets"): "datasets",
    ("power", "n_items"): "items",
    ("study", "n_examples"): "examples",
}
_OF_PLANS = dict.fromkeys(("drop", "keep", "kind", "symbolic", "target"), ("recommend",))
"""What is said of a data set: a key of a plan, and an option of these verbs."""
_SWITCHES = {
    ("blocked", False): "--one-way",
    ("higher_is_better", False): "--lower-is-better",
    ("transpose", False): "--no-transpose",
}
PLACEHOLDERS = {
    "algorithms": "A,B",
    "columns": "ROLE=HEADER",
    "costs": "FILE",
    "datasets": "A,B",
    "drop": "A,B",
    "keep": "A,B",
    "meta": "FILE",
    "meta_id": "HEADER",
    "missing": "POLICY",
    "positive": "CLASS",
    "prices": "FILE",
    "prior": "A,B,C",
    "symbolic": "A,B",
    "table": "N",
    "where": "CONDITION",
}
"""What stands for a value that is left open, as in the help; NAME for all others."""

REPEATED = ("claim", "cost", "exclude", "origin", "retry", "where")
"""Options that are given once for each of several values; others take them with commas between."""

_state = {"verb": ""}  # of the process, as messages are also made in threads; empty in Python


@contextmanager
def on_the_command_line(verb: str) -> Iterator[None]:
    """Word messages for the command line as long as one of its verbs runs."""
    before, _state["verb"] = _state["verb"], verb
    try:
        yield
    finally:
        _state["verb"] = before


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
    --no-transpose --algorithms a,... --prior A,B,C
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
    *most, last = (shell(each) if _state["verb"] else repr(each) for each in values)
    told = f"{', '.join(most)} or {last}" if most else last
    return f"{_dashed(name)} {told}" if _state["verb"] else f"{name}={told}"


def which_way() -> str:
    """Word what says which direction of a score is better."""
    return either("higher_is_better=True or False", "--higher-is-better or --lower-is-better")


def run_a_plan() -> str:
    """Word how results get into a store."""
    return either("`tiebreak.run(plan, store=url)`", "`tiebreak run PLAN.toml --store URL`")


def _in_a_plan(name: str) -> bool:
    return _state["verb"] not in _OF_PLANS.get(name, (_state["verb"],))


def _dashed(name: str) -> str:
    if _in_a_plan(name):
        return name
    return "--" + _OF_VERB.get((_state["verb"], name), OPTIONS.get(name, name)).replace("_", "-")


def _python(value: object) -> str:
    """Write a value as Python does, with the dots that stand for what is left open."""
    if isinstance(value, EllipsisType):
        return "..."
    if isinstance(value, list):
        return f"[{', '.join(map(_python, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_python(key)}: {_python(each)}" for key, each in value.items()) + "}"
    return repr(value)


def _command(name: str, value: object) -> str:
    """Write an option with its value; a mapping becomes one option for each of its names."""
    if _in_a_plan(name):
        return f"{name} = {_python(value)}".replace("'", '"')
    if isinstance(value, bool):
        return _SWITCHES.get((name, value), _dashed(name))
    if isinstance(value, Mapping):
        flag = "--direction" if name == "higher_is_better" else _dashed(name)
        return " ".join(f"{flag} {shell(f'{key}={_way(each)}')}" for key, each in value.items())
    if name in REPEATED and isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(_command(name, each) for each in value)
    return f"{_dashed(name)} {_written(name, value)}"


def _way(value: object) -> str:
    if isinstance(value, bool):
        return "higher" if value else "lower"
    return "..." if isinstance(value, EllipsisType) else str(value)


def _written(name: str, value: object) -> str:
    if isinstance(value, EllipsisType) or value == [...]:
        return PLACEHOLDERS.get(name, "NAME")
    if isinstance(value, Sequence) and not isinstance(value, str):
        return shell(",".join("..." if isinstance(each, EllipsisType) else str(each) for each in value))
    return shell(str(value))


def shell(text: str) -> str:
    """Quote a text where a shell would not take it for one word; double quotes are understood by every shell.

    Examples
    --------
    >>> print(shell("svm"), shell("my svm"), shell("1 > $2"))
    svm "my svm" '1 > $2'
    """
    words = any(
        letter.isalnum() for letter in text
    )  # marks alone are quoted too, so that a full stop is no part of them
    if words and text[0] != "#" and all(letter.isalnum() or letter in "_@%+=:,./-#" for letter in text):
        return text
    if not any(letter in text for letter in '"$`\\!'):
        return f'"{text}"'
    from shlex import quote

    return quote(text)
