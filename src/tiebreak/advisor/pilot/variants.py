"""Other settings of learners, which enter a race when the defaults are settled: their names and what they are.

Few per learner, each a known alternative to the defaults: slower or smaller boosting, another share of columns per
split of a forest, weaker or stronger penalties, the network as scikit-learn sizes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SLOW = {"trees": 500, "learning_rate": 0.03}
_FOREST = ({"max_features": 0.3}, {"max_features": 0.6})
_COSTS = ({"C": 0.1}, {"C": 10.0}, {"C": 100.0})
_SETTINGS: Mapping[str, tuple[Mapping[str, object], ...]] = {
    "boost": (_SLOW, {"learning_rate": 0.3}),
    "catboost": ({"depth": 4}, {"depth": 8}),
    "elasticnet": ({"l1_ratio": 0.1}, {"l1_ratio": 0.9}),
    "extratrees": _FOREST,
    "lightgbm": (_SLOW, {"leaves": 7}),
    "logistic": ({"C": 0.1}, {"C": 10.0}),
    "mlp": ({"hidden": 100, "learning_rate": 0.001}, {"hidden": 100, "alpha": 0.1}),
    "qda": ({"pooling": 0.1}, {"ridge": 0.1}),
    "rf": _FOREST,
    "ridge": ({"alpha": 0.1}, {"alpha": 10.0}),
    "sv2": _COSTS,
    "svl": _COSTS,
    "svr": _COSTS,
    "xgboost": (_SLOW, {"learning_rate": 0.1, "depth": 3}),
}


def variants(learner: str) -> dict[str, dict[str, Any]]:
    """Return the variants of a named learner by name, as `spec_of` takes them; none where its defaults have no rival.

    Examples
    --------
    >>> variants("catboost")["catboost (depth=8)"]["settings"], variants("nb")
    ({'depth': 8}, {})
    """
    out = {}
    for settings in _SETTINGS.get(learner, ()):
        name = f"{learner} ({', '.join(f'{key}={value}' for key, value in settings.items())})"
        out[name] = {"algorithm": learner, "name": name, "settings": settings}
    return out
