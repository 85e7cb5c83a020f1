"""Turn published results of another project into a knowledge file.

    python tools/knowledge/from_published.py oboe:downloads/oboe oboe.json
    tiebreak recommend new.csv --base oboe.json

Known are oboe, tabzilla, tabzilla-tuned, tabarena, tabrepo, amlb and bbtcomp; `published/records.py` says which files
of which project they need, under which licence these are, and what to beware of. Nothing is downloaded.
"""

from __future__ import annotations

import sys
from pathlib import Path

from published import read_published

from tiebreak.advisor import knowledge_text
from tiebreak.errors import TiebreakError


def main(arguments: list[str]) -> int:
    """Read NAME:PATH and write a knowledge file."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        base = read_published(arguments[0])
    except TiebreakError as error:
        print(f"from_published.py: {error}", file=sys.stderr)
        return 2
    Path(arguments[1]).write_text(knowledge_text(base), encoding="utf-8")
    print(f"{arguments[1]}: {base.title()}", *base.notices, *base.caveats, sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
