"""Learners by name, by import path or as objects, each with the encoding that happens inside the fold."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.lab.algorithms.building import build as build
    from tiebreak.lab.algorithms.encoding import encoder as encoder
    from tiebreak.lab.algorithms.generative import (
        MixedNaiveBayes as MixedNaiveBayes,
        RegularisedDiscriminant as RegularisedDiscriminant,
    )
    from tiebreak.lab.algorithms.perceptrons import (
        OnlinePerceptron as OnlinePerceptron,
        SizedPerceptron as SizedPerceptron,
        SizedRegressor as SizedRegressor,
    )
    from tiebreak.lab.algorithms.regressors import catalogue as catalogue, describe as describe
    from tiebreak.lab.algorithms.specs import spec_of as spec_of
    from tiebreak.lab.algorithms.trees import LinearDiscriminantTree as LinearDiscriminantTree, RuleList as RuleList
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "building": "build",
            "encoding": "encoder",
            "specs": "spec_of",
            "regressors": "catalogue describe",
            "trees": "LinearDiscriminantTree RuleList",
            "generative": "MixedNaiveBayes RegularisedDiscriminant",
            "perceptrons": "OnlinePerceptron SizedPerceptron SizedRegressor",
        },
    )
