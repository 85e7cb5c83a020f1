"""Grids: any file, article or pasted text as plain tables of text cells; what the cells mean is settled elsewhere."""

from tiebreak.readers.grids.grid import KINDS as KINDS, Cell as Cell, Grid as Grid, grids_of as grids_of
