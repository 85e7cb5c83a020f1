"""The small real data sets that scikit-learn carries."""

from __future__ import annotations

import csv
import gzip
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak._checks import check_choice
from tiebreak.datasets.dataset import DataSet
from tiebreak.errors import OptionError

NAMES = ("iris", "wine", "breast_cancer", "digits")
NUMBERS = ("diabetes",)
"""Sets with a number to predict."""
_FILES = {"iris": "iris.csv", "wine": "wine_data.csv", "breast_cancer": "breast_cancer.csv", "digits": "digits.csv.gz"}
_WINE = (
    "alcohol malic_acid ash alcalinity_of_ash magnesium total_phenols flavanoids nonflavanoid_phenols proanthocyanins"
    " color_intensity hue od280/od315_of_diluted_wines proline"
)
_CELL = (
    "radius texture perimeter area smoothness compactness concavity concave_points symmetry fractal_dimension".split()
)
_ATTRIBUTES = {
    "iris": ("sepal_length", "sepal_width", "petal_length", "petal_width"),
    "wine": tuple(_WINE.split()),
    "breast_cancer": (
        *(f"mean_{name}" for name in _CELL),
        *(f"{name}_error" for name in _CELL),
        *(f"worst_{name}" for name in _CELL),
    ),
    "digits": tuple(f"pixel_{row}_{column}" for row in range(8) for column in range(8)),
}


def bundled_data(name: str) -> DataSet:
    """Return one of scikit-learn's bundled sets; nothing is downloaded.

    Parameters
    ----------
    name : {"iris", "wine", "breast_cancer", "digits", "diabetes"}

    Returns
    -------
    DataSet
        All attributes are numeric; the classes carry the names scikit-learn gives them. The target of diabetes is a
        number, the progression of the disease after a year; its attributes are in their own units.

    References
    ----------
    pedregosa2011

    Examples
    --------
    >>> bundled_data("iris")
    DataSet('iris', 150 rows, 4 numeric and 0 symbolic attributes, 3 classes)
    """
    if check_choice("bundled data set", name, (*NAMES, *NUMBERS)) in NUMBERS:
        found = sklearn_datasets().load_diabetes(scaled=False)
        names = [str(each) for each in found.feature_names]
        return DataSet.from_arrays(found.data, found.target, name=name, attributes=names, kind="number")
    file = _file(name)
    if file is None:
        return loaded_data(name)
    with gzip.open(file, "rt") if file.suffix == ".gz" else file.open(encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    names = rows.pop(0)[2:] if name != "digits" else [str(digit) for digit in range(10)]
    table = np.array(rows, dtype=np.float64)
    labels = [names[int(code)] for code in table[:, -1]]
    return DataSet.from_arrays(table[:, :-1], labels, name=name, attributes=_ATTRIBUTES[name])


def _file(name: str) -> Path | None:
    """Find the file of a set inside scikit-learn without importing it, which takes a second."""
    spec = find_spec("sklearn")
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    found = [path for place in places if (path := Path(place, "datasets", "data", _FILES[name])).is_file()]
    return found[0] if found else None


def loaded_data(name: str) -> DataSet:
    """Return a bundled set by scikit-learn's own loader: the same set, slower."""
    found = getattr(sklearn_datasets(), f"load_{name}")()
    labels = [str(found.target_names[code]) for code in found.target]
    attributes = [str(header).replace(" (cm)", "").replace(" ", "_") for header in found.feature_names]
    return DataSet.from_arrays(found.data, labels, name=name, attributes=attributes)


def sklearn_datasets() -> Any:
    """Import scikit-learn's data sets, or say what to install."""
    try:
        return import_module("sklearn.datasets")
    except ImportError:
        raise OptionError(
            "scikit-learn is not installed.",
            why="Its bundled data sets and its OpenML loader are used here.",
            mend="Install it: pip install 'tiebreak[lab]'.",
        ) from None
