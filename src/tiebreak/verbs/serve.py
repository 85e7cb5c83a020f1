"""`tiebreak serve`: pages and an API in a browser's reach, on this machine unless another address is given."""

from __future__ import annotations

from tiebreak.verbs import READ, Option, Verb

PLACE, LIMITS = "where to listen", "how much is let in"

VERB = Verb(
    name="serve",
    help="pages in a browser: compare, order, gate, recommend, the store; and a REST API",
    description="Start a server with pages and a REST API over the verbs of the command line. It listens on this"
    " machine only, unless --host is given, which requires a --token. Ctrl-C stops it.",
    function="tiebreak.serve",
    titles=(PLACE, READ, LIMITS),
    options=(
        Option(
            name="host", flag="--host", default="127.0.0.1", group=PLACE, metavar="NAME", common=True,
            help="the address to listen on (default 127.0.0.1)",
        ),
        Option(
            name="port", flag="--port", kind="integer", default=8000, group=PLACE, metavar="N", common=True,
            help="the port (default 8000)",
        ),
        Option(
            name="token", flag="--token", default="", group=PLACE, metavar="TEXT", common=True,
            help="the token that requests must send; required with --host; or TIEBREAK_TOKEN in the environment",
        ),
        Option(
            name="allow_host", flag="--allow-host", kind="texts", group=PLACE, metavar="NAME",
            help="a further host name of the server; may be repeated",
        ),
        Option(
            name="check", flag="--check", kind="switch", argument=False, group=PLACE, common=True,
            help="print what would be started, and exit",
        ),
        Option(
            name="store", flag="--store", default="results.db", group=READ, metavar="URL", common=True,
            help="the store of pages and background runs",
        ),
        Option(
            name="folder", flag="--folder", kind="folder", group=READ, metavar="DIR",
            help="where uploads and runs are kept, private (default: the user's state)",
        ),
        Option(
            name="limit", flag="--limit", kind="texts", group=LIMITS, metavar="NAME=VALUE",
            help="upload=50MB, seconds=30 or memory=1.5GB of one answer, queue=64"
            " requests"
            " that wait, run=4h for the longest background run, workers=2 processes that answer, jobs=2 cells at a"
            " time"
            " of a background run; may be repeated",
        ),
    ),
    examples=("--check", "--port 8080 --store results.db --limit upload=20MB --check"),
)  # fmt: skip
