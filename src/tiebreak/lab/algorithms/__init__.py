"""Learners by name, by import path or as objects, each with the encoding that happens inside the fold."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.lab.algorithms.building import build as build
    from tiebreak.lab.algorithms.encoding import encoder as encoder
    from tiebreak.lab.algorithms.linear_tree import LinearDiscriminantTree as LinearDiscriminantTree
    from tiebreak.lab.algorithms.lookup import catalogue as catalogue, describe as describe
    from tiebreak.lab.algorithms.mixed_bayes import MixedNaiveBayes as MixedNaiveBayes
    from tiebreak.lab.algorithms.online_perceptron import OnlinePerceptron as OnlinePerceptron
    from tiebreak.lab.algorithms.regularised_discriminant import RegularisedDiscriminant as RegularisedDiscriminant
    from tiebreak.lab.algorithms.rule_list import RuleList as RuleList
    from tiebreak.lab.algorithms.sized_perceptron import SizedPerceptron as SizedPerceptron
    from tiebreak.lab.algorithms.sized_regressor import SizedRegressor as SizedRegressor
    from tiebreak.lab.algorithms.specs import spec_of as spec_of
    from tiebreak.lab.algorithms.table_booster import TableBooster as TableBooster
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "building": "build",
            "encoding": "encoder",
            "specs": "spec_of",
            "lookup": "catalogue describe",
            "linear_tree": "LinearDiscriminantTree",
            "mixed_bayes": "MixedNaiveBayes",
            "online_perceptron": "OnlinePerceptron",
            "regularised_discriminant": "RegularisedDiscriminant",
            "rule_list": "RuleList",
            "sized_perceptron": "SizedPerceptron",
            "sized_regressor": "SizedRegressor",
            "table_booster": "TableBooster",
        },
    )
