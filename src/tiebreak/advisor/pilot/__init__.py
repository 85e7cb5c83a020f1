"""First choice for new data: a prior from past results, and a pilot of a few fits that corrects it.

`prior` turns past results into what is expected of every algorithm, and chooses the few to fit; `race` holds what was
measured, says what to fit next, and which algorithm is best at any moment; `replay` races on stored folds. Arrays in,
arrays out: nothing here fits anything.
"""
