"""Learners for the tests of whole runs, given by import path; helpers import this module."""
# ruff: noqa: ARG002

from __future__ import annotations

import ctypes
import json
import os
import time
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Steady(ClassifierMixin, BaseEstimator):
    """Predicts the most frequent class of the rows it saw, after a nap."""

    def __init__(self, nap: float = 0.0):
        self.nap = nap

    def fit(self, rows, classes):
        time.sleep(self.nap)
        self.classes_, counts = np.unique(classes, return_counts=True)
        self.answer_ = self.classes_[np.argmax(counts)]
        return self

    def predict(self, rows):
        return np.full(len(rows), self.answer_)


class Gated(Steady):
    """Learns once a file is there; the nine rows of a warm-up at once."""

    def __init__(self, gate: str = ""):
        self.gate = gate
        super().__init__()

    def fit(self, rows, classes):
        while len(rows) > 9 and not Path(self.gate).exists():
            time.sleep(0.02)
        return super().fit(rows, classes)


class Hangs(Steady):
    def fit(self, rows, classes):
        time.sleep(600)


class Crashes(Steady):
    def fit(self, rows, classes):
        ctypes.string_at(0)


class Exits(Steady):
    def fit(self, rows, classes):
        os._exit(3)


class Raises(Steady):
    def fit(self, rows, classes):
        raise ValueError("these rows are not to my taste")


class Leaks(Steady):
    """Takes 512 MiB, 64 MiB at a time, and holds them until somebody looks."""

    def fit(self, rows, classes):
        self.kept_ = [np.ones(64 << 17) for _ in range(8)]
        time.sleep(600)
        return super().fit(rows, classes)


class Memory(Steady):
    """Knows the class of every row it learned, and guesses class 0 for any other: a leak makes it perfect."""

    def fit(self, rows, classes):
        self.known_ = {row.tobytes(): code for row, code in zip(rows, classes, strict=True)}
        return super().fit(rows, classes)

    def predict(self, rows):
        return np.array([self.known_.get(row.tobytes(), 0) for row in np.ascontiguousarray(rows)])


class Watched(Steady):
    """Writes down which rows (their first attribute) it was given, one line per call.

    The small fit of a warm-up may be a slow one.
    """

    def __init__(self, file: str = "", who: str = "", nap: float = 0.0, slow_start: float = 0.0):
        self.file, self.who, self.slow_start = file, who, slow_start
        super().__init__(nap)

    def _note(self, what, rows):
        line = json.dumps([os.getpid(), what, np.asarray(rows)[:, 0].tolist(), float(np.abs(np.mean(rows[:, -1])))])
        with Path(self.file).open("a") as notes:
            notes.write(line + "\n")

    def fit(self, rows, classes):
        self._note("fit", rows)
        time.sleep(self.slow_start if len(rows) < 10 else 0.0)
        return super().fit(rows, classes)

    def predict(self, rows):
        self._note("predict", rows)
        return super().predict(rows)
