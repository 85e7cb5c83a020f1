"""The examples of figures as one module for all files here: what they cache is made once, not once in every file."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

_SPEC = importlib.util.spec_from_file_location("figure_examples", Path(__file__).with_name("examples.py"))
assert _SPEC is not None and _SPEC.loader is not None
if _SPEC.name not in sys.modules:
    sys.modules[_SPEC.name] = importlib.util.module_from_spec(_SPEC)
    _SPEC.loader.exec_module(sys.modules[_SPEC.name])
