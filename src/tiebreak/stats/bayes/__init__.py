"""How probable is it that one algorithm is better? Bayesian tests."""
