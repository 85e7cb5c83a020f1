"""Learners by name, by import path or as objects, each with the encoding that happens inside the fold."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.lab.algorithms.encoding import encoder as encoder
    from tiebreak.lab.algorithms.entries import (
        CATALOGUE_VERSION as CATALOGUE_VERSION,
        Entry as Entry,
        Setting as Setting,
        catalogue as catalogue,
        describe as describe,
    )
    from tiebreak.lab.algorithms.linear_tree import LinearDiscriminantTree as LinearDiscriminantTree
    from tiebreak.lab.algorithms.mixed_bayes import MixedNaiveBayes as MixedNaiveBayes
    from tiebreak.lab.algorithms.regularised_discriminant import RegularisedDiscriminant as RegularisedDiscriminant
    from tiebreak.lab.algorithms.rule_list import RuleList as RuleList
    from tiebreak.lab.algorithms.sized_perceptron import SizedPerceptron as SizedPerceptron
    from tiebreak.lab.algorithms.specs import (
        build as build,
        fingerprint as fingerprint,
        spec_of as spec_of,
        spec_text as spec_text,
    )
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "encoding": "encoder",
            "entries": "CATALOGUE_VERSION Entry Setting catalogue describe",
            "linear_tree": "LinearDiscriminantTree",
            "mixed_bayes": "MixedNaiveBayes",
            "regularised_discriminant": "RegularisedDiscriminant",
            "rule_list": "RuleList",
            "sized_perceptron": "SizedPerceptron",
            "specs": "build fingerprint spec_of spec_text",
        },
    )
