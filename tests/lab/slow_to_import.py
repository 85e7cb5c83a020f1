"""A module whose import takes a second of CPU, like that of a large library."""

import time

_end = time.process_time() + 1.0
while time.process_time() < _end:
    pass
