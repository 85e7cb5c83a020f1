"""Order by the published rules: MultiTest unless an option asks for Multi2Test."""

from __future__ import annotations

from typing import Any

import tiebreak
from tiebreak import Ordering
from tiebreak.methods import choices


def order(results: Any, **options: Any) -> Ordering:
    fold_tests = set(choices("folds", verb="order")) - {"wilcoxon", "sign"}
    implied = {"rule", "variant", "inner_adjust"} & set(options)
    implied |= {"posthoc"} if options.get("posthoc") in choices("posthoc", verb="order") else set()
    implied |= {"pairwise"} if callable(options.get("pairwise")) or options.get("pairwise") in fold_tests else set()
    several = isinstance(options.get("score"), (list, tuple)) and len(options["score"]) > 1
    if not implied and not several:
        options["rule"] = "multitest"
    return tiebreak.order(results, **options)
