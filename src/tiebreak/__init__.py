"""An order of learning algorithms, with the evidence for every place.

Tiebreak orders learning algorithms from best to worst: by score where the difference is worth its cost, by cost where
it is not.

Names are imported when they are first used, so `import tiebreak` costs next to nothing.
"""

from tiebreak._lazy import lazy_stub

__version__ = "1.0.0rc1"
__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
