"""What the columns of a table mean where its header does not say it outright: roles, scores, items, shapes of tools."""

from tiebreak.reading.detect._detect import Detected, detect
from tiebreak.reading.detect.account import accounted, as_items, inferred

__all__ = ["Detected", "accounted", "as_items", "detect", "inferred"]
