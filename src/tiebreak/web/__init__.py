"""The web advisor: pages and a REST API over the command line's own options and documents.

Nothing is computed here. A request becomes the arguments of a verb, which a limited child process runs as the command
line would; its JSON is the answer. `tiebreak serve` starts it.
"""
