"""`tiebreak demo`: the answer on the published results that the package carries, and the published rules."""

from __future__ import annotations

from tiebreak.verbs import WRITE, Option, Verb, groups as g

VERB = Verb(
    name="demo",
    help="the published results of 8 algorithms on 38 data sets, compared and ordered",
    description="Order the published results of Ulas, Yildiz and Alpaydin (2012): by worth, and as they did.",
    function="tiebreak.demo",
    result="tiebreak.reporting.Report",
    options=(
        Option(
            name="out", flag="--out", kind="folder", default="demo-report", group=WRITE, metavar="DIR", common=True,
            web=False, argument=False, help="where report.html goes (default demo-report)",
        ),
        g.JSON,
    ),
    examples=("", "--json --out elsewhere"),
)  # fmt: skip
