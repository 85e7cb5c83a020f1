"""More than two algorithms over many data sets: do they differ, and which?"""
