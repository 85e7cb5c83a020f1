"""Understanding: a grid of text cells as a table of results, with all that was left out said."""
