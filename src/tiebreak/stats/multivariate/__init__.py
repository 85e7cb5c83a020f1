"""Several measures at once, on plain arrays of folds x algorithms x measures; right when measures depend on each other.

Two algorithms: `hotelling`; all pairs: `hotelling_pairs`; all at once: `manova`; the combinations of measures that
separate the algorithms best: `learned_measures`. With `test_share` they allow for the training data that folds share;
for five replications of two folds: `five_by_two_pairs` and `five_by_two_manova`.
"""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
