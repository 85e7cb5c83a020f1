from tiebreak.attributes.catalogue import ATTRIBUTES as ATTRIBUTES
from tiebreak.attributes.measuring import characterise as characterise, spent_on as spent_on
