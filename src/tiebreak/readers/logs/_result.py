"""What logs of evaluations hold, in columns: scores and costs of models on items of benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveats
from tiebreak.documents import Framed, Row, Shown
from tiebreak.documents.tabling import table_of
from tiebreak.errors import unknown_name
from tiebreak.readers.logs._logs import MISSING, USAGE
from tiebreak.results.columns import Arrays

KEYS = ("benchmark", "model", "item", "cluster")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Summary(Framed):
    """One model on one benchmark, summed up: by the log itself, or over the items that it holds.

    `n` counts items, `passed` those that passed where that was counted or every score is 0 or 1, `epochs` the answers
    per item. `score` is the mean over items of the mean over epochs. `price` and the tokens are what answering every
    item once takes, `seconds` the mean of one answer; NaN where nobody knows.
    """

    benchmark: str
    model: str
    metric: str
    score: float
    n: int | None = None
    passed: float | None = None
    epochs: float = 1.0
    price: float = MISSING
    tokens_in: float = MISSING
    tokens_out: float = MISSING
    tokens_cached: float = MISSING
    tokens_reasoning: float = MISSING
    seconds: float = MISSING
    from_items: bool = False
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class EvalRuns(Shown):
    """Scores and costs of language models, item by item; immutable.

    Make one with `tiebreak.readers.logs.read_runs`. The columns `codes`, `epoch`, `score` and `usage` have one row
    per answer; `codes["model"][i]` is the place of its model in `models`, and so for benchmark, item and cluster,
    which is -1 where the log knows none. `usage` holds tokens_in, tokens_out, tokens_cached, tokens_reasoning,
    price (dollars) and seconds, NaN where unknown. `totals` are runs that were only logged as sums. `metrics` is
    the metric that was taken on each benchmark, `other_metrics` those that were not, `higher_is_better` what the
    logs say of it, if anything.
    """

    models: tuple[str, ...]
    benchmarks: tuple[str, ...]
    items: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    codes: Mapping[str, IntArray]
    epoch: IntArray
    score: FloatArray
    usage: Mapping[str, FloatArray]
    totals: tuple[Summary, ...] = ()
    metrics: Mapping[str, str] = field(default_factory=dict)
    other_metrics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    higher_is_better: Mapping[str, bool | None] = field(default_factory=dict)
    tools: tuple[str, ...] = ()
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was read."""
        answers = f"{len(self.score):,} answers to {self._count():,} items" if len(self.score) else "no items"
        sums = f", {len(self.totals)} runs summed up" if self.totals else ""
        models, benchmarks = _counted(self.models, "model"), _counted(self.benchmarks, "benchmark")
        return f"Logs of {', '.join(self.tools)}: {models} on {benchmarks}, {answers}{sums}"

    def _count(self) -> int:
        return len(np.unique(self.codes["benchmark"].astype(np.int64) * (len(self.items) + 1) + self.codes["item"]))

    def rows(self) -> list[Row]:
        """Return a row per benchmark and model."""
        return [row for each in self.summaries() for row in each.rows()]

    def printed(self) -> tuple[list[str], list[list[str]], int]:
        """Return the table as it is printed, without columns that hold nothing."""
        rows = self.rows()
        empty = (
            {name for name in rows[0] if all(row[name] is None or row[name] != row[name] for row in rows)}
            if rows
            else set()
        )
        hidden = empty | {"from_items", "source"} | ({"epochs"} if all(row["epochs"] == 1 for row in rows) else set())
        table = table_of([{name: value for name, value in row.items() if name not in hidden} for row in rows])
        return list(table.header), list(map(list, table.body)), 3

    def summaries(self) -> tuple[Summary, ...]:
        """Sum every run up, in the order of benchmarks and models; those that were only logged so are among them."""
        made = [*self._summed(), *self.totals]
        place = {name: i for i, name in enumerate(self.benchmarks)}
        return tuple(sorted(made, key=lambda each: (place[each.benchmark], each.model)))

    def _summed(self) -> Iterator[Summary]:
        cells = Cells.of(self)
        for cell in range(len(cells.keys)):
            benchmark, model = (
                self.benchmarks[cells.keys[cell] // len(self.models)],
                cells.keys[cell] % len(self.models),
            )
            n, answers = int(cells.items[cell]), int(cells.answers[cell])
            own = cells.means
            used: dict[str, Any] = {name: float(own[name][cell]) * (1 if name == "seconds" else n) for name in USAGE}
            yield Summary(
                benchmark=benchmark, model=self.models[int(model)], metric=self.metrics[benchmark], n=n,
                from_items=True,
                score=float(own["score"][cell]), epochs=answers / n, **used, frame_kind=self.frame_kind,
                passed=round(float(own["score"][cell]) * n, 9) if cells.binary[cell] else None,
            )  # fmt: skip

    def columns(self) -> dict[str, Any]:
        """Return the columns, names written out, as a table of items takes them.

        Examples
        --------
        >>> from tiebreak.readers.logs import read_runs
        >>> import json, pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> report = {"submitted_ids": ["a__b-1", "a__b-2"], "resolved_ids": ["a__b-2"]}
        >>> _ = (folder / "small.run1.json").write_text(json.dumps(report))
        >>> found = read_runs(folder).columns()
        >>> found["item"].tolist(), found["cluster"].tolist(), found["score"].tolist()
        (['a__b-1', 'a__b-2'], ['a/b', 'a/b'], [0.0, 1.0])
        """
        names = {
            "benchmark": self.benchmarks,
            "model": self.models,
            "item": self.items,
            "cluster": (*self.clusters, ""),
        }
        written = {key: np.array(names[key], dtype=object)[self.codes[key]] for key in KEYS}
        metric = np.array([self.metrics.get(name, "") for name in self.benchmarks], dtype=object)
        more = {"metric": metric[self.codes["benchmark"]], "epoch": self.epoch, "score": self.score}
        return {**written, **more, **self.usage}

    def only(self, *, benchmark: str) -> dict[str, Any]:
        """Return the columns of one benchmark."""
        if benchmark not in self.benchmarks:
            raise unknown_name("benchmark", benchmark, self.benchmarks)
        here = self.codes["benchmark"] == self.benchmarks.index(benchmark)
        return {name: column[here] for name, column in self.columns().items()}

    def on(self, benchmarks: Sequence[str]) -> EvalRuns:
        """Return the runs on these benchmarks alone; what is known of others does not decide how they are compared."""
        kept = tuple(name for name in self.benchmarks if name in set(benchmarks))
        places = np.array([kept.index(name) if name in kept else -1 for name in self.benchmarks], dtype=np.int64)
        own = places[self.codes["benchmark"]]
        here = own >= 0
        codes = {name: (own if name == "benchmark" else column)[here] for name, column in self.codes.items()}
        rows = Arrays({"score": self.score[here], **{name: column[here] for name, column in self.usage.items()}})
        told: dict[str, Any] = {name: {each: getattr(self, name)[each] for each in kept} for name in _BY_NAME}
        return replace(
            self, benchmarks=kept, codes=Arrays(codes), score=rows["score"],
            epoch=Arrays({"epoch": self.epoch[here]})["epoch"], usage=Arrays({name: rows[name] for name in self.usage}),
            totals=tuple(each for each in self.totals if each.benchmark in kept),
            **told,
        )  # fmt: skip

    def items_frame(self, kind: str | None = None) -> Any:
        """Return a data frame with a row per answer: pandas, polars or pyarrow."""
        from tiebreak._lazy import late

        names = self.columns()
        rows = [
            dict(zip(names, row, strict=True)) for row in zip(*(each.tolist() for each in names.values()), strict=True)
        ]
        return late("tiebreak.results.frames", "rows_frame")(rows, kind or self.frame_kind)


_BY_NAME = ("metrics", "other_metrics", "higher_is_better")


def _counted(names: tuple[str, ...], word: str) -> str:
    return f"{len(names)} {word}{'' if len(names) == 1 else 's'}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """Means per benchmark and model: over the items, of the mean over the epochs of each.

    `keys` number the cells that there are: the place of the benchmark times the count of models, plus the model.
    """

    keys: IntArray
    items: IntArray
    answers: IntArray
    binary: Any
    means: Mapping[str, FloatArray]

    @classmethod
    def of(cls, runs: EvalRuns) -> Cells:
        """Average all columns in one pass over sorted answers."""
        cell = runs.codes["benchmark"].astype(np.int64) * len(runs.models) + runs.codes["model"]
        asked, first, inverse = np.unique(
            cell * (len(runs.items) + 1) + runs.codes["item"], return_index=True, return_inverse=True
        )
        keys, place = np.unique(cell[first], return_inverse=True)
        columns = {"score": runs.score, **runs.usage}
        means = {
            name: _mean_of_means(column, inverse, len(asked), place, len(keys)) for name, column in columns.items()
        }
        _, of_answer = np.unique(cell, return_inverse=True)
        plain = np.ones(len(keys), dtype=bool)
        np.logical_and.at(plain, of_answer, (runs.score == 0) | (runs.score == 1))
        items = np.bincount(place, minlength=len(keys))
        return cls(
            keys=keys, items=items, answers=np.bincount(of_answer, minlength=len(keys)), binary=plain, means=means
        )


def _mean_of_means(values: FloatArray, inner: IntArray, inners: int, outer: IntArray, outers: int) -> FloatArray:
    """Average over epochs, then over items; what is not known is left out of both."""
    return _mean(_mean(values, inner, inners), outer, outers)


def _mean(values: FloatArray, place: IntArray, count: int) -> FloatArray:
    known = ~np.isnan(values)
    sums = np.bincount(place[known], weights=values[known], minlength=count)
    there = np.bincount(place[known], minlength=count)
    out: FloatArray = np.divide(sums, there, out=np.full(count, np.nan), where=there > 0)
    return out
