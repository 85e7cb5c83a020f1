"""bbtcomp: a row per data set and fold, a column per learner, accuracies without times."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from published.descriptions import descriptions
from published.files import numbers, read_table, results_file, unknown_shape
from published.gathering import Identity, Rows, gathered
from published.records import BaseRecord
from tiebreak.advisor.knowledge import Knowledge


def read(record: BaseRecord, place: Path) -> Knowledge:
    """Read the folds in the order of the file."""
    path, text = results_file(record, place)
    table = read_table(path)
    learners = [header for header in table if header != "db"]
    if "db" not in table or len(learners) < 2:
        raise unknown_shape(record, path, table)
    rates = np.array([numbers(table[name], header=name, source=path.name) for name in learners]).T
    seen: Counter[str] = Counter()
    folds = [str(seen.update([name]) or seen[name]) for name in table["db"]]
    m = len(learners)
    return gathered(
        record,
        Rows(
            datasets=[name for name in table["db"] for _ in range(m)],
            algorithms=learners * len(folds),
            folds=[fold for fold in folds for _ in range(m)],
            rates=rates.ravel(),
            seconds=None,
        ),
        {name: Identity(name=name) for name in seen},
        descriptions(record.name.partition("-")[0], path, place),
        source=path.name,
        score="accuracy",
        train_share={name: 1 - 1 / count for name, count in seen.items()},
        caveats=text,
        made={"resampling": f"{max(seen.values())}-fold"},
    )
