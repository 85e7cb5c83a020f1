"""Two algorithms over many data sets: signed ranks, wins, or mean differences."""
