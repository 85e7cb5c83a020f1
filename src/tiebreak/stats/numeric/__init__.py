"""Ranks, tails of distributions and differences: what the tests compute with."""
