"""Logs of evaluations of language models, as their tools write them: items, scores, tokens, prices."""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
