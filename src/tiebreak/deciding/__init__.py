"""A table and a question in, an answer out: `compare`, `order` and `multivariate`, each a room of its own."""
