"""`tiebreak mcp`: the verbs as tools for assistants, over standard input and output."""

from __future__ import annotations

import argparse

from tiebreak._lazy import late
from tiebreak.cli.helping import WRITE, add_verb, group
from tiebreak.errors import OptionError


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "mcp",
        help="tools for assistants: compare, order, gate, recommend and more, over the Model Context Protocol",
        description="Serve read, compare, order, multivariate, battles, power, gate, board and recommend as tools of"
        " the Model Context Protocol, on standard input and output. An assistant that knows the protocol starts it by"
        " itself.",
        titles=(WRITE,),
        examples=["--list", "--list --json"],
    )
    group(verb, WRITE).add_argument("--list", action="store_true", help="say which tools there are, and end")
    group(verb, WRITE).add_argument("--json", action="store_true", help="with --list: with what each takes, as JSON")
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Serve, or list the tools."""
    try:
        if arguments.list:
            print(late("tiebreak.web.tools", "listing")(as_json=arguments.json))
            return
        late("tiebreak.web.tools", "serve_tools")()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("tiebreak"):
            raise
        raise OptionError(
            f"{error.name} is not installed.",
            why="Tools are served with the official library of the protocol.",
            mend="Install it: pip install 'tiebreak[mcp]'",
        ) from None
