from tiebreak.lab.algorithms.building import build as build
from tiebreak.lab.algorithms.encoding import encoder as encoder
from tiebreak.lab.algorithms.generative import (
    MixedNaiveBayes as MixedNaiveBayes,
    RegularisedDiscriminant as RegularisedDiscriminant,
)
from tiebreak.lab.algorithms.learners import catalogue as catalogue, describe as describe
from tiebreak.lab.algorithms.perceptrons import (
    OnlinePerceptron as OnlinePerceptron,
    SizedPerceptron as SizedPerceptron,
    SizedRegressor as SizedRegressor,
)
from tiebreak.lab.algorithms.specs import spec_of as spec_of
from tiebreak.lab.algorithms.trees import LinearDiscriminantTree as LinearDiscriminantTree, RuleList as RuleList
