"""First choice for new data: a prior from past results, a pilot of a few fits that corrects it, a run in the lab.

`race` holds what is expected and what was measured, says what to fit next, and which algorithm is best at any moment:
arrays in, arrays out. `fits` fits within a few seconds, `piloted` is the answer, `recommend` the entry. A run has more
time: `run` is its entry, `loop` fits in the lab and goes round until a rule ends it, `tried_out` is the answer.
"""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
