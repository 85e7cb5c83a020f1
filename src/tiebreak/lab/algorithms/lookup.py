"""The catalogue of named learners, for classes and for numbers."""

from __future__ import annotations

from tiebreak._checks import check_choice
from tiebreak.lab.algorithms.entries import Entry
from tiebreak.lab.algorithms.learners import CLASS_LEARNERS
from tiebreak.lab.algorithms.regressors import NUMBER_LEARNERS

CATALOGUE_VERSION = 1
"""Rises whenever a named learner would give other scores than before; part of every fingerprint."""


def catalogue(kind: str = "classes") -> tuple[Entry, ...]:
    """Return every named learner of classes, the papers' eight first, or of numbers (`kind="number"`).

    Examples
    --------
    >>> [entry.name for entry in catalogue()]
    ['c45', 'mdt', 'mlp', 'lnp', 'svl', 'sv2', 'svr', '5nn', 'lda', 'qda', 'knn', 'rf', 'nb', 'boost', 'rules',
    'sv2-homogeneous', 'mlp-online', 'lnp-online', 'extratrees', 'logistic', 'elasticnet', 'xgboost', 'lightgbm',
    'catboost']
    """
    if check_choice("kind of target", kind, ("classes", "number")) == "classes":
        return CLASS_LEARNERS
    return NUMBER_LEARNERS


def describe(name: str, *, kind: str | None = None) -> Entry:
    """Return one named learner; printed, it lists its settings.

    `kind` is "classes" or "number", for what it is there; without it the one for classes, if there is one.

    Examples
    --------
    >>> print(describe("mdt"))
    mdt: Multivariate decision tree: every node splits on a Fisher discriminant of all attributes.
      attributes: standardised, one column per symbolic value
      min_share = 0.05: the share of training rows below which a node is not split (a number from 0, below 1)
      prune_share = 0.0: the share of training rows held back to prune with (a number from 0, below 1)
      Yildiz and Alpaydin (2005), doi:10.1142/S0218001405004125
    """
    known = {entry.name: entry for entry in (CLASS_LEARNERS if kind is None else catalogue(kind))}
    if kind is None and name not in known:
        known |= {entry.name: entry for entry in catalogue("number") if entry.name not in known}
    mend = 'Any scikit-learn estimator can be given by import path: {"import": "package.module:Class"}.'
    return known[check_choice("learner", name, known, mend=mend)]
