"""Votes between pairs: counts by pair, models of how battles end, strengths by maximum likelihood, clustered errors."""
