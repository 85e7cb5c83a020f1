"""Store the JSON of every command anew: `python tests/contract/record.py [NAME ...]`, from the root of the repository.

Do this only where a change of an answer is meant, and look at the difference before it is committed.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from cases import CASES, CODES, PLAN, ROOT, SNAPSHOTS, answer, pinned, words


def main(names: list[str]) -> None:
    """Run the commands and write their answers."""
    SNAPSHOTS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "examples").symlink_to(ROOT / "examples")
        (place / "plan.toml").write_text(PLAN, encoding="utf-8")
        os.chdir(place)
        answer(["run", "plan.toml", "--store", "results.db", "--jobs", "1", "--json"])
        for name in names or CASES:
            code, out = answer([*words(CASES[name], place / "results.db"), "--json"])
            if code != CODES.get(name, 0):
                raise SystemExit(f"{name} ended with {code}")
            text = json.dumps(pinned(name, json.loads(out)), ensure_ascii=False, indent=1)
            (SNAPSHOTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
            print(name, len(text))


if __name__ == "__main__":
    main(sys.argv[1:])
