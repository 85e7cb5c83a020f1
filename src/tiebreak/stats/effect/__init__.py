"""How large differences are, how sure that is, and how many data sets it takes to see them."""
