"""`python -m tiebreak` is the command `tiebreak`."""

import sys

from tiebreak.cli import main

if __name__ == "__main__":
    sys.exit(main())
