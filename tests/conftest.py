"""Shared by all tests: nothing here reads anything outside the repository."""

from __future__ import annotations

import os

import hypothesis

hypothesis.settings.register_profile("steady", derandomize=True, deadline=None, max_examples=50)
hypothesis.settings.load_profile("steady")
os.environ.setdefault("POLARS_MAX_THREADS", "2")
