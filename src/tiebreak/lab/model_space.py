"""How much room a fitted model takes: its pickle, and what its parts tell about themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np

_INNER = ("best_estimator_", "estimator_", "estimators_", "model_", "regressor_", "calibrated_classifiers_", "steps")
_MOST_PARTS = 100_000


def model_space(fitted: Any) -> dict[str, float]:
    """Return model_bytes and, where the parts of the model tell, model_parameters, model_nodes, support_vectors.

    Parameters are the numbers in coef_ and intercept_ (of a perceptron: coefs_ and intercepts_); nodes those of all
    trees, leaves included, or the conditions and outcomes of a rule list. Of a search only the winner counts.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> space = model_space(SVC(kernel="rbf").fit([[0.0], [0.2], [0.8], [1.0]], [0, 0, 1, 1]))
    >>> space["support_vectors"], "model_nodes" in space
    (4.0, False)
    """
    model = getattr(fitted, "best_estimator_", fitted)
    found: dict[str, float] = {}
    size = _pickled(model)
    if size is not None:
        found["model_bytes"] = float(size)
    for part in _parts(model):
        for name, counted in _COUNTED.items():
            count = counted(part)
            if count is not None:
                found[name] = found.get(name, 0.0) + count
    return found


def _pickled(model: Any) -> int | None:
    """Return the length of the pickle, of local functions by cloudpickle; a model of open files has no size to tell."""
    for library in ("pickle", "cloudpickle"):
        with suppress(Exception):
            return len(import_module(library).dumps(model, protocol=5))
    return None


def _parts(model: Any) -> Iterator[Any]:
    """Yield the model and the fitted models inside it, each once."""
    waiting: list[Any] = [model]
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_PARTS:
        part = waiting.pop()
        if id(part) in seen or isinstance(part, str | type(None)):
            continue
        seen.add(id(part))
        yield part
        for name in _INNER:
            waiting.extend(_flat(_told(part, name)))


def _flat(value: Any) -> list[Any]:
    """Models keep their parts as arrays, lists of lists, or None for a part left out."""
    if value is None:
        return []
    if isinstance(value, np.ndarray):
        return list(value.ravel())
    if isinstance(value, list | tuple):
        return [item for entry in value for item in (_flat(entry) if isinstance(entry, list | tuple) else [entry])]
    return [value]


def _told(part: Any, name: str) -> Any:
    """Return an attribute, or None: asking for a property that does not apply may raise anything."""
    with suppress(Exception):
        return getattr(part, name, None)
    return None


def _parameters(part: Any) -> float | None:
    plain = [_told(part, name) for name in ("coef_", "intercept_")]
    lists = [_told(part, name) for name in ("coefs_", "intercepts_")]
    if plain[0] is not None:  # a sparse matrix has a shape, but np.size takes it for one object
        return float(sum(np.prod(np.shape(value)) for value in plain if value is not None))
    if isinstance(lists[0], list):
        return float(sum(np.size(array) for value in lists if value is not None for array in value))
    return None


def _nodes(part: Any) -> float | None:
    own = _told(part, "node_count_")
    if own is not None:
        return float(own)
    tree = _told(part, "tree_")
    if tree is not None and hasattr(tree, "node_count"):
        return float(tree.node_count)
    stages = _told(part, "_predictors")  # scikit-learn's histogram boosting keeps its trees here
    if isinstance(stages, list) and stages and isinstance(stages[0], list):
        return float(sum(len(getattr(tree, "nodes", ())) for stage in stages for tree in stage))
    return None


def _support_vectors(part: Any) -> float | None:
    """The library counts them class by class; the size of the model is their sum."""
    counts = _told(part, "n_support_")
    return None if counts is None else float(np.sum(counts))


_COUNTED = {"model_parameters": _parameters, "model_nodes": _nodes, "support_vectors": _support_vectors}
