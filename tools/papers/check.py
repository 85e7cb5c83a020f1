"""Recompute every row of the ledger of the papers, write docs/papers.md and the index of the README: `make papers`.

Fails where a verdict is no longer the recorded one.

Rows that take minutes, or data that do not ship, are read from their recorded runs: see long_runs.py.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tiebreak.studies.papers import PAPERS, paper
from tiebreak.studies.papers.ledger import ROUNDED, SAME, UNKNOWN, VERDICTS, PaperLedger, markdown_table

ROOT = Path(__file__).parents[2]


PUBLISHED_DATA, OTHER_DATA = "the paper's", "ours; the paper's are not public"
INDEX = (
    (
        "MultiTest (Yildiz and Alpaydin 2006)",
        "tiebreak order published:ulas2012 --cost train_time --rule multitest",
        "those of 2012",
        "",
    ),
    (
        "Multi2Test (Ulas, Yildiz and Alpaydin 2012)",
        "tiebreak order published:ulas2012 --cost train_time --rule multi2test",
        PUBLISHED_DATA,
        "ulas2012",
    ),
    (
        "Multi2Test with Nemenyi's test (the report of 2008)",
        "tiebreak order published:ulas2012 --cost train_time --variant 2008",
        PUBLISHED_DATA,
        "ulas2008",
    ),
    (
        "Wilcoxon, Friedman, Nemenyi, CD diagrams (Demsar 2006)",
        "tiebreak compare published:demsar2006_ranks --posthoc nemenyi --figure cd.svg",
        PUBLISHED_DATA,
        "demsar2006",
    ),
    (
        "Hotelling's test and MANOVA on several measures (Yildiz and Alpaydin 2014)",
        "tiebreak multivariate examples/breast_cancer.csv --scores tpr,fpr --resampling-correction none",
        OTHER_DATA,
        "yildiz2014",
    ),
    (
        "ARR, the adjusted ratio of ratios (Brazdil, Soares and Pinto da Costa 2003)",
        "tiebreak recommend --known wine --variant 2003",
        OTHER_DATA,
        "brazdil2003",
    ),
)
"""Methods that readers know by their papers, with the command that runs each, its data and the ledger."""


def index() -> str:
    """Return the table "you know the paper" of the README: the command for each method, and the ledger of its paper."""
    body = [
        [method, f"`{command}`", data, f"`tiebreak paper {name}`" if name else ""]
        for method, command, data, name in INDEX
    ]
    return markdown_table(["you know the paper", "its method here", "data", "table by table"], body)


def page(notes: str) -> str:
    """Return the page of all papers, in Markdown; `notes` follow the records."""
    ledgers = [paper(name) for name in PAPERS]
    counts = [
        [f"`tiebreak paper {ledger.name}`", PAPERS[ledger.name], *map(str, ledger.verdicts.values())]
        for ledger in ledgers
        if isinstance(ledger, PaperLedger)
    ]
    lines = [
        "# The papers, line by line",
        "",
        "Every numbered table and figure of five papers, their formulas and the claims that can be recomputed: what is"
        " printed, what comes out here, and the command.",
        "`tiebreak paper NAME` shows the same in the terminal, `tb.paper(NAME).data()` has it as data. `make papers`"
        " makes this page, and fails when a verdict changes.",
        "",
        f"- *{SAME}*: every printed digit.",
        f"- *{ROUNDED}*: off by no more than the rounding of the print, or of what it was computed from, explains.",
        "- *differs*: with the reason; a table that comes out in part differs.",
        f"- *{UNKNOWN}*: what it was computed from is not printed, and no copy is known to us.",
        "",
        markdown_table(["paper", "about", *VERDICTS], counts),
        "",
        *(f"{ledger.to_markdown()}\n" for ledger in ledgers),
        notes.rstrip(),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Check all verdicts; write the page where none has changed."""
    changed = 0
    for name in PAPERS:
        ledger = paper(name)
        assert isinstance(ledger, PaperLedger)
        for record, row in zip(ledger.records, ledger.data(), strict=True):
            if row["verdict"] != record.verdict:
                changed += 1
                print(f"{row['id']}: {record.verdict} is now {row['verdict']}: {row['ours']}", file=sys.stderr)
        print(ledger.title())
    if changed:
        print(f"{changed} verdict(s) changed; docs/papers.md and README.md were left as they are.", file=sys.stderr)
        return 1
    notes = (Path(__file__).parent / "notes.md").read_text(encoding="utf-8")
    (ROOT / "docs" / "papers.md").write_text(page(notes), encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = re.compile(r"^\| you know the paper .*?(?=\n\n)", re.DOTALL | re.MULTILINE)
    (ROOT / "README.md").write_text(table.sub(lambda _: index(), readme), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
