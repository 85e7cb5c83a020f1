"""What a store must hold before a run learns from it instead of from the shipped base."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")

from tiebreak.advisor.pilot.run import holds_results
from tiebreak.results import Results
from tiebreak.stores import open_store


def test_imported_results_are_nothing_to_learn_from(tmp_path: Path) -> None:
    """A run beside a store of imported areas under curves failed: no two algorithms could be compared."""
    scores = Results.from_array(np.random.default_rng(0).random((4, 3)), score="auc", algorithms=list("abc"))
    with open_store(tmp_path / "results.db") as store:
        store.import_results(scores, origin="a paper")
        assert sum(item.cells for item in store.tally()) == 12
        assert not holds_results(store) and not holds_results(store, least=1)
    assert not holds_results(tmp_path / "results.db")


def test_an_imported_table_with_another_score_does_not_hide_what_was_run(tmp_path: Path) -> None:
    """A run that was taken up again failed in a store that had also taken in a table of areas under curves."""
    from tiebreak.advisor import store_knowledge
    from tiebreak.cli import main

    plan = tmp_path / "plan.toml"
    plan.write_text('datasets = ["builtin:iris"]\nalgorithms = ["lda", "nb"]\nresampling = "1x2cv"\n')
    address = tmp_path / "results.db"
    assert main(["run", str(plan), "--store", str(address), "--jobs", "1"]) == 0
    scores = Results.from_array(np.random.default_rng(0).random((4, 3)), score="auc", algorithms=list("abc"))
    with open_store(address) as store:
        store.import_results(scores, origin="a paper")
    assert store_knowledge(address).algorithms == ("lda", "nb")
