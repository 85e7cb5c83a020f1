"""Learners by name, by import path or as objects, each with the encoding that happens inside the fold."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.lab.algorithms.building import *
    from tiebreak.lab.algorithms.encoding import *
    from tiebreak.lab.algorithms.entries import *
    from tiebreak.lab.algorithms.learners import *
    from tiebreak.lab.algorithms.linear_tree import *
    from tiebreak.lab.algorithms.mixed_bayes import *
    from tiebreak.lab.algorithms.online_perceptron import *
    from tiebreak.lab.algorithms.regularised_discriminant import *
    from tiebreak.lab.algorithms.rule_list import *
    from tiebreak.lab.algorithms.search import *
    from tiebreak.lab.algorithms.sized_perceptron import *
    from tiebreak.lab.algorithms.sized_regressor import *
    from tiebreak.lab.algorithms.specs import *
    from tiebreak.lab.algorithms.table_booster import *
    from tiebreak.lab.algorithms.tuning import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "building": "build",
            "encoding": "encoder",
            "entries": "Entry Setting",
            "learners": "CATALOGUE_VERSION catalogue describe",
            "linear_tree": "LinearDiscriminantTree",
            "mixed_bayes": "MixedNaiveBayes",
            "online_perceptron": "OnlinePerceptron",
            "regularised_discriminant": "RegularisedDiscriminant",
            "rule_list": "RuleList",
            "search": "Search",
            "sized_perceptron": "SizedPerceptron",
            "sized_regressor": "SizedRegressor",
            "specs": "fingerprint spec_of spec_text",
            "table_booster": "TableBooster",
            "tuning": "Tuning",
        },
    )
