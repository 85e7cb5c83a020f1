"""Learners by name, by import path or as objects, each with the encoding that happens inside the fold."""

from tiebreak._lazy import lazy_stub

__getattr__, __dir__, __all__ = lazy_stub(__name__, __file__)
