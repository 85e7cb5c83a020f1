"""From the specification of an algorithm to the estimator that a cell fits: encoding, search and seed around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tiebreak.datasets import DataSet
from tiebreak.errors import needed
from tiebreak.lab.algorithms.encoding import encoder
from tiebreak.lab.algorithms.entries import AROUND, INNER_FOLDS, Entry, Tuning, stopping_of
from tiebreak.lab.algorithms.specs import class_of, entry_of, imported, unpacked
from tiebreak.lab.tasks import AlgorithmSpec

_ENCODERS: Mapping[str, Mapping[str, Any]] = {"scaled": {}, "plain": {"scale": False}, "codes": {"symbolic": "codes"}}


def build(spec: AlgorithmSpec, data: DataSet, *, seed: int) -> Any:
    """Return a fresh, unfitted estimator that takes rows of `data.values`.

    A named learner is its pipeline. An imported class or an object is put behind the encoder, unless encode=False
    was set or it says itself (by scikit-learn's tags) that it takes what the data hold: missing values, and
    categories where an attribute is symbolic. Every parameter called random_state, seed or random_seed that is still
    None gets `seed`. Boosters run on one thread, quietly, unless they were told otherwise.

    Parameters
    ----------
    spec : AlgorithmSpec
        From `spec_of`.
    data : DataSet
        Tells which attributes are symbolic; its rows are not used.
    seed : int
        The only source of chance, taken modulo 2^32.

    Examples
    --------
    >>> from tiebreak.datasets import DataSet
    >>> from tiebreak.lab.algorithms.specs import spec_of
    >>> data = DataSet.from_arrays([[0.0], [1.0], [0.1], [0.9]], ["a", "b", "a", "b"])
    >>> build(spec_of("lnp"), data, seed=1).fit(data.values, data.target).predict([[0.2]]).tolist()
    [0]
    """
    needed("sklearn")
    from tiebreak.lab.algorithms.base import Piped
    from tiebreak.lab.algorithms.search import Search

    number = int(seed) % 2**32
    if spec.source == "named":
        entry = entry_of(spec, data.kind)
        return _seeded(_pipeline(entry, entry.chosen(spec.settings), data, seed=number), number)
    learner = unpacked(spec) if spec.source == "object" else imported(spec)
    steps = _around(learner, spec, data)
    model, prefix = (steps[0][1], "") if len(steps) == 1 else (Piped(steps), "learn__")
    if "tune" in spec.settings:
        tuning = Tuning.of(spec.settings["tune"], repr(spec.name))
        names = {name: prefix + name for name in tuning.space}
        model = Search(estimator=model, tuning=tuning, names=names, cv=number)
    return _seeded(model, number)


def _around(learner: Any, spec: AlgorithmSpec, data: DataSet) -> list[tuple[str, Any]]:
    """Return the steps of an imported learner or an object: what is done to attributes first, and the learner."""
    from tiebreak.lab.algorithms.boosters import calmed

    learner = calmed(learner)
    if spec.settings.get("encode", True) and not _takes_all(learner, data):
        return [("encode", encoder(data, scale=bool(spec.settings.get("scale", True)))), ("learn", learner)]
    return [("learn", learner)]


def _pipeline(entry: Entry, chosen: Mapping[str, Any], data: DataSet, *, seed: int) -> Any:
    """Return the unfitted pipeline of a named learner; every setting must have its value.

    A search tries the whole pipeline, encoding included, inside the training rows: what is imputed or scaled there is
    learned anew for every inner fold.
    """
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import Pipeline

    from tiebreak.lab.algorithms.search import Search

    learner = _learner(entry, chosen, data)
    model = Pipeline([*_encoding(entry, data), ("learn", learner)])
    inner = "estimator__" if entry.encoding == "frame" else "regressor__" if entry.scale_target else ""
    prefix, tune = f"learn__{inner}", chosen.get("tune")
    if isinstance(tune, Mapping) or (tune and entry.encoding == "frame"):
        names = {setting: prefix + entry.called.get(setting, setting) for setting in entry.settings}
        tuning = Tuning.of(tune if isinstance(tune, Mapping) else {"space": entry.grid}, repr(entry.name))
        model = Search(estimator=model, tuning=tuning, names=names, cv=seed)
    elif tune:
        scoring = "accuracy" if data.kind == "classes" else "r2"
        grid = _grid(entry, data, prefix)
        model = GridSearchCV(model, grid, cv=_inner_folds(seed, data.kind), scoring=scoring, n_jobs=1)
    if chosen.get("probabilities"):
        model = CalibratedClassifierCV(model, method="sigmoid", cv=_inner_folds(seed), ensemble=False, n_jobs=1)
    return model


def _encoding(entry: Entry, data: DataSet) -> list[tuple[str, Any]]:
    if entry.encoding == "none":
        return []
    if entry.encoding == "frame":
        from tiebreak.lab.algorithms.base import framed

        return [("encode", framed(data, gap=entry.name == "catboost"))]
    return [("encode", encoder(data, **_ENCODERS[entry.encoding]))]


def _inner_folds(seed: int, kind: str = "classes") -> Any:
    """Folds for tuning are drawn inside the training rows and by the seed of the cell."""
    from sklearn.model_selection import KFold, StratifiedKFold

    folds = StratifiedKFold if kind == "classes" else KFold
    return folds(n_splits=INNER_FOLDS, shuffle=True, random_state=seed)


def _learner(entry: Entry, chosen: Mapping[str, Any], data: DataSet) -> Any:
    """The later wins: what the catalogue fixes, what the data suggest, what the caller asked for."""
    values = {key: value for key, value in chosen.items() if value is not None and key not in AROUND}
    given = {entry.called.get(key, key): value for key, value in values.items()}
    learner = class_of(entry)(**{**entry.fixed, **entry.by_data(data), **given})
    if entry.scale_target:
        from sklearn.compose import TransformedTargetRegressor
        from sklearn.preprocessing import StandardScaler

        return TransformedTargetRegressor(learner, transformer=StandardScaler())
    if entry.encoding != "frame":
        return learner
    from tiebreak.lab.algorithms.boosters import Boosted, calmed

    native = {"enable_categorical": True} if entry.name == "xgboost" else {}
    return Boosted(estimator=calmed(learner.set_params(**native)), **stopping_of(chosen["early_stopping"]))


def _grid(entry: Entry, data: DataSet, prefix: str) -> dict[str, list[Any]]:
    """Name the grid as the pipeline does; more neighbours than an inner training part may hold are not tried."""
    grid: dict[str, list[Any]] = {entry.called.get(name, name): list(values) for name, values in entry.grid.items()}
    if "n_neighbors" in grid:
        grid["n_neighbors"] = [k for k in grid["n_neighbors"] if k <= max(1, data.n_rows // 6)]
    return {prefix + name: values for name, values in grid.items()}


def _takes_all(learner: Any, data: DataSet) -> bool:
    from sklearn.utils import get_tags

    try:
        tags = get_tags(learner).input_tags
    except Exception:  # a foreign estimator without tags says nothing about what it takes
        return False
    return bool(tags.allow_nan and (tags.categorical or not data.symbolic.any()))


def _seeded(learner: Any, seed: int) -> Any:
    """Only seeds left at None are set, also inside pipelines; one that the caller chose is kept."""
    from tiebreak.lab.algorithms.boosters import seedless

    loose = seedless(learner)
    return learner.set_params(**dict.fromkeys(loose, seed)) if loose else learner
