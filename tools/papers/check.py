"""Recompute every row of the ledger of the papers, write docs/papers.md and the index of the README: `make papers`.

Fails where a verdict is no longer the recorded one.

Rows that take minutes, or data that do not ship, are read from their recorded runs: see long_runs.py.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tiebreak.studies.papers import PAPERS, paper
from tiebreak.studies.papers.ledger import PaperLedger, index, page

ROOT = Path(__file__).parents[2]


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
