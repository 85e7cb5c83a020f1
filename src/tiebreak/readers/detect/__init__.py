"""What the columns of a table mean where its header does not say it outright: roles, scores, items, shapes of tools."""

from tiebreak.readers.detect._detect import Detected, detect

__all__ = ["Detected", "detect"]
