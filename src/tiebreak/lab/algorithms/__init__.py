"""Learners by name, by import path or as objects, each with the encoding that happens inside the fold."""

from __future__ import annotations

from tiebreak._lazy import lazy_names

_HOMES = {
    "CATALOGUE_VERSION": "tiebreak.lab.algorithms.entries",
    "Entry": "tiebreak.lab.algorithms.entries",
    "Setting": "tiebreak.lab.algorithms.entries",
    "LinearDiscriminantTree": "tiebreak.lab.algorithms.linear_tree",
    "MixedNaiveBayes": "tiebreak.lab.algorithms.mixed_bayes",
    "RegularisedDiscriminant": "tiebreak.lab.algorithms.regularised_discriminant",
    "RuleList": "tiebreak.lab.algorithms.rule_list",
    "SizedPerceptron": "tiebreak.lab.algorithms.sized_perceptron",
    "build": "tiebreak.lab.algorithms.specs",
    "catalogue": "tiebreak.lab.algorithms.entries",
    "describe": "tiebreak.lab.algorithms.entries",
    "encoder": "tiebreak.lab.algorithms.encoding",
    "fingerprint": "tiebreak.lab.algorithms.specs",
    "spec_of": "tiebreak.lab.algorithms.specs",
    "spec_text": "tiebreak.lab.algorithms.specs",
}
__all__ = sorted(_HOMES)
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
