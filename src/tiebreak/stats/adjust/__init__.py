"""Corrections for testing many hypotheses at once; all are in `CORRECTIONS`, by name.

Each takes p-values in any order and returns the adjusted ones in that order: reject where adjusted <= alpha.
"""
