"""`tiebreak mcp`: the verbs as tools for assistants, over standard input and output."""

from __future__ import annotations

from tiebreak.verbs import READ, WRITE, Option, Verb

VERB = Verb(
    name="mcp",
    help="tools for assistants: compare, order, gate, recommend and more, over the Model Context Protocol",
    description="Serve read, compare, order, multivariate, battles, power, gate, board and recommend as tools of"
    " the Model Context Protocol, on standard input and output. It reads only files under the roots.",
    function="tiebreak.mcp",
    titles=(READ, WRITE),
    options=(
        Option(
            name="root", flag="--root", kind="texts", group=READ, metavar="FOLDER", common=True,
            help="a folder whose files may be read, or the address of a store; default: the working directory; may be"
            " repeated",
        ),
        Option(
            name="list", flag="--list", kind="switch", argument=False, group=WRITE, common=True,
            help="list the tools, and exit",
        ),
        Option(
            name="json", flag="--json", kind="switch", argument=False, group=WRITE, common=True,
            help="with --list: with what each takes, as JSON",
        ),
    ),
    examples=("--root examples --list", "--list --json"),
)  # fmt: skip
