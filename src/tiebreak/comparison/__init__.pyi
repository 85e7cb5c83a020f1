from tiebreak.comparison.comparison import compare as compare
from tiebreak.comparison.result import Comparison as Comparison
