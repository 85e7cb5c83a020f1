"""Understanding: a grid of text cells as a table of results, with all that was left out said."""

from tiebreak.reading.understanding._understand import understand as understand
from tiebreak.reading.understanding.problems import UnclearTable as UnclearTable
from tiebreak.reading.understanding.told import Told as Told, Understood as Understood
