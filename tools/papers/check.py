"""Recompute every row of the ledger of the papers, and write docs/papers.md: `make papers`.

    python tools/papers/check.py            fails where a verdict is no longer the recorded one
    python tools/papers/check.py --readme   print the index "You know the paper ..." as well

Rows that take minutes, or data that do not ship, are read from their recorded runs: see long_runs.py.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tiebreak.studies.papers import PAPERS, PaperLedger, index, page, paper

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Check all verdicts; write the page where none has changed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readme", action="store_true")
    arguments = parser.parse_args()
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
        print(f"{changed} verdict(s) changed; docs/papers.md was left as it is.", file=sys.stderr)
        return 1
    notes = (Path(__file__).parent / "notes.md").read_text(encoding="utf-8")
    (ROOT / "docs" / "papers.md").write_text(page(notes), encoding="utf-8")
    if arguments.readme:
        print(index())
    return 0


if __name__ == "__main__":
    sys.exit(main())
