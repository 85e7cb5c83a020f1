"""Compare whole answers on new data: `recommend --run`, AutoML of flaml and plain gradient boosting, the same seconds.

Run: python benchmarks/end_to_end.py FOLDER --seconds 60 [--data car,cmc] [--busy 2]

FOLDER holds data sets as NAME.csv or NAME.csv.gz, the class in the column `class`. A quarter of the rows is held out,
no way of choosing sees them; each data set is left out of the knowledge base. `--busy N` keeps N endless loops running
beside. It needs `flaml[automl]` beside `tiebreak[boosting]`. Every answer is printed at once, so that a run that is
stopped is not lost; ranks come last.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import rankdata

DATA = "car,cmc,credit-g,kr-vs-kp,segment,splice,tictactoe,vehicle,waveform40,yeast"
TARGET = "class"


def tiebreak_run(train: pd.DataFrame, test: pd.DataFrame, name: str, seconds: float) -> np.ndarray:
    """Take what the race of `recommend --run` ends with, fitted on all training rows."""
    import tiebreak as tb

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.csv"
        train.to_csv(path, index=False)
        result = tb.recommend(path, target=TARGET, run=seconds, exclude=[name])
        return np.asarray(result.fit().predict(test.drop(columns=TARGET)))


def tiebreak_pilot(train: pd.DataFrame, test: pd.DataFrame, name: str, _: float) -> np.ndarray:
    """Take the answer of `recommend` alone, with its pilot of five seconds."""
    import tiebreak as tb

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.csv"
        train.to_csv(path, index=False)
        return np.asarray(tb.recommend(path, target=TARGET, exclude=[name]).fit().predict(test.drop(columns=TARGET)))


def flaml_automl(train: pd.DataFrame, test: pd.DataFrame, _: str, seconds: float) -> np.ndarray:
    """Take AutoML of flaml, by accuracy."""
    from flaml import AutoML

    model = AutoML()
    options = {"task": "classification", "metric": "accuracy", "time_budget": seconds, "verbose": 0, "seed": 0}
    model.fit(train.drop(columns=TARGET), train[TARGET], **options)
    return np.asarray(model.predict(test.drop(columns=TARGET)))


def boosting(train: pd.DataFrame, test: pd.DataFrame, _: str, __: float) -> np.ndarray:
    """Take HistGradientBoosting of scikit-learn with its defaults; text columns as categories."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    columns = train.drop(columns=TARGET).columns
    text = [name for name in columns if not pd.api.types.is_numeric_dtype(train[name])]
    types = {name: pd.CategoricalDtype(sorted(train[name].dropna().astype(str).unique())) for name in text}
    as_seen = {name: train[name].astype("string").astype(types[name]) for name in text}
    new = {name: test[name].astype("string").astype(types[name]) for name in text}
    model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0)
    model.fit(train[columns].assign(**as_seen), train[TARGET])
    return np.asarray(model.predict(test[columns].assign(**new)))


WAYS: dict[str, Callable[[pd.DataFrame, pd.DataFrame, str, float], np.ndarray]] = {
    "recommend --run": tiebreak_run,
    "flaml AutoML": flaml_automl,
    "HistGradientBoosting": boosting,
    "recommend": tiebreak_pilot,
}


def parts(path: Path, seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Hold out a quarter of the rows, class by class."""
    frame = pd.read_csv(path)
    rng = np.random.default_rng(seed)
    held = np.zeros(len(frame), dtype=bool)
    for rows in frame.groupby(TARGET).indices.values():
        held[rng.permutation(rows)[: len(rows) // 4]] = True
    return frame[~held].reset_index(drop=True), frame[held].reset_index(drop=True)


def _endless() -> None:
    while True:
        pass


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep so many loops running beside."""
    loops = [multiprocessing.Process(target=_endless, daemon=True) for _ in range(count)]
    for loop in loops:
        loop.start()
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()


def main() -> None:
    """Measure every way on every data set, print each answer, then the ranks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--data", default=DATA)
    parser.add_argument("--busy", type=int, default=0)
    options = parser.parse_args()
    table = []
    with busy(options.busy):
        for name in options.data.split(","):
            path = next(p for p in (options.folder / f"{name}.csv", options.folder / f"{name}.csv.gz") if p.exists())
            train, test = parts(path)
            row = []
            for way, answer in WAYS.items():
                began = time.perf_counter()
                score = float(np.mean(answer(train, test, name, options.seconds) == test[TARGET].to_numpy()))
                print(f"{name:12} {way:22} {score:.4f}  {time.perf_counter() - began:6.1f} s", flush=True)
                row.append(score)
            table.append(row)
    scores = np.array(table)
    ranks = rankdata(-np.round(scores, 12), axis=1).mean(axis=0)
    print(f"\n| way | mean rank | mean accuracy |  {len(scores)} data sets, {options.seconds:g} s, busy {options.busy}")
    for way, rank, mean in zip(WAYS, ranks, scores.mean(axis=0), strict=True):
        print(f"| {way} | {rank:.2f} | {mean:.4f} |")


if __name__ == "__main__":
    main()
