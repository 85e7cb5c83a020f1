from tiebreak.readers import published as published
from tiebreak.readers.files import read as read
from tiebreak.readers.sklearn import (
    from_cross_validate as from_cross_validate,
)
from tiebreak.readers.stores import read_store as read_store
from tiebreak.readers.taking import as_results as as_results
