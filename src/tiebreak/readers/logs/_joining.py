"""Runs of one metric joined to columns: names as codes, answers without a score left out, items identified by text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveat
from tiebreak.readers.logs._logs import USAGE, Run
from tiebreak.readers.logs._prices import Price, priced
from tiebreak.results.columns import Arrays


class _Texts:
    """What items of a benchmark ask: the mark of each name, and the one name of each mark, "" where there are two."""

    def __init__(self) -> None:
        self.of_item: dict[str, str] = {}
        self.named: dict[str, str] = {}

    def learn(self, names: Sequence[str], digests: Sequence[str]) -> None:
        """Take the names of one run."""
        for name, digest in zip(names, digests, strict=True):
            if digest and self.named.setdefault(digest, name) != name:
                self.named[digest] = ""


def _names_of_texts(run: Run) -> dict[str, bool]:
    """Say of every text of a run whether one item alone has it."""
    held: dict[str, str] = {}
    alone: dict[str, bool] = {}
    for item, digest in zip(run.items, run.digests, strict=True):
        alone[digest] = held.setdefault(digest, item) == item and alone.get(digest, True)
    return alone


class Joined:
    """Columns that grow run by run."""

    def __init__(self, *, models: Sequence[str], benchmarks: Sequence[str]) -> None:
        self.models, self.benchmarks = tuple(models), tuple(benchmarks)
        self.count = 0
        self._items: dict[str, int] = {}
        self._clusters: dict[str, int] = {"": -1}
        self._texts: dict[str, _Texts] = {}
        self._parts: list[dict[str, Any]] = []
        self._notes: list[Caveat] = []
        self._changed: dict[str, int] = {}
        self._found: dict[str, int] = {}
        self._last: dict[tuple[str, str], int] = {}

    def add(self, run: Run, metric: str, price: Price | None) -> None:
        """Take one run, by one metric."""
        score = np.asarray(run.scores[metric], dtype=np.float64)
        kept = np.flatnonzero(~np.isnan(score))
        if len(kept) < len(score):
            lost = f"{len(score) - len(kept)} answer(s) of {run.model} have no number for {metric!r}"
            self._notes.append(Caveat("rows-left-out", f"{run.source}: {lost} and are left out."))
        names = self._named(run)
        item = self._coded(names, self._items)[kept]
        clusters = self._coded(run.clusters, self._clusters)[kept] if len(run.clusters) else np.full(len(kept), -1)
        epoch = np.asarray(run.epochs, dtype=np.int64)[kept] if len(run.epochs) else np.ones(len(kept), dtype=np.int64)
        epoch = _distinct(item, epoch) + self._last.get((run.model, run.benchmark), 0)
        self._last[run.model, run.benchmark] = int(epoch.max(initial=0))
        usage = {name: _column(run.usage.get(name), kept) for name in USAGE}
        if price is not None:
            usage["price"] = priced(usage, price)
        self.count += len(kept)
        self._parts.append(
            {
                "benchmark": np.full(len(kept), self.benchmarks.index(run.benchmark)),
                "model": np.full(len(kept), self.models.index(run.model)),
                "item": item, "cluster": clusters, "epoch": epoch, "score": score[kept], **usage,
            }
        )  # fmt: skip

    def _named(self, run: Run) -> Sequence[str]:
        """Return the names of items. One whose name is that of another text on the benchmark is called as its text was.

        Tools number items that have no names, after shuffling them: then only the text tells which is which. A text
        that nobody asked before, or that several items share, is another item.
        """
        if not len(run.digests):
            return run.items
        texts = self._texts.setdefault(run.benchmark, _Texts())
        own = _names_of_texts(run)
        names, changed, found = [], 0, 0
        for item, digest in zip(run.items, run.digests, strict=True):
            first = texts.of_item.setdefault(item, digest)
            other = first != digest and bool(first) and bool(digest)
            known = texts.named.get(digest) if own[digest] else None
            same = known if known and known != item else None
            found += same is not None
            changed += other and same is None
            names.append(same or (f"{item} @{digest[:8]}" if other else item))
        texts.learn(names, run.digests)
        self._changed[run.benchmark] = self._changed.get(run.benchmark, 0) + changed
        self._found[run.benchmark] = self._found.get(run.benchmark, 0) + found
        return names

    @staticmethod
    def _coded(names: Sequence[str], known: dict[str, int]) -> IntArray:
        """Give every name a number, new ones the next."""
        codes = np.empty(len(names), dtype=np.int64)
        before = known.get("") == -1  # no cluster has no number
        for place, name in enumerate(names):
            code = known.get(name)
            if code is None:
                code = known[name] = len(known) - before
            codes[place] = code
        return codes

    def columns(self) -> dict[str, Any]:
        """Return the columns, ordered by benchmark, model, item and epoch."""
        held = {
            name: np.concatenate([part[name] for part in self._parts]) if self._parts else np.empty(0) for name in _ALL
        }
        items, item = _sorted_names(self._items, held["item"].astype(np.int64))
        clusters, cluster = _sorted_names(
            {n: c for n, c in self._clusters.items() if n}, held["cluster"].astype(np.int64)
        )
        codes = {
            "benchmark": held["benchmark"].astype(np.int64),
            "model": held["model"].astype(np.int64),
            "item": item,
            "cluster": cluster,
        }
        order = np.lexsort((held["epoch"], codes["item"], codes["model"], codes["benchmark"]))
        used = Arrays({name: held[name].astype(np.float64)[order] for name in USAGE})
        more = Arrays({"epoch": held["epoch"].astype(np.int64)[order]})
        scores: Arrays[FloatArray] = Arrays({"score": held["score"].astype(np.float64)[order]})
        return {
            "models": self.models, "benchmarks": self.benchmarks, "items": items, "clusters": clusters,
            "codes": Arrays({name: column[order] for name, column in codes.items()}),
            "epoch": more["epoch"], "score": scores["score"], "usage": used,
        }  # fmt: skip

    def notes(self) -> list[Caveat]:
        """Return what was left out, and where models do not have the same items."""
        out = list(self._notes)
        for name, count in self._changed.items():
            text = f"On {name!r} {count} item(s) have the name of another and a different text: they are taken for two."
            out += [Caveat("items-differ", text)] if count else []
        for name, count in self._found.items():
            text = f"On {name!r} {count} item(s) are named otherwise than in other logs: they were found by their text."
            out += [Caveat("items-differ", text)] if count else []
        return [*out, *self._uneven()]

    def _uneven(self) -> list[Caveat]:
        """Name the benchmarks where models answered different items."""
        out = []
        for place, name in enumerate(self.benchmarks):
            held: dict[str, list[IntArray]] = {}
            for part in self._parts:
                if len(part["item"]) and part["benchmark"][0] == place:
                    held.setdefault(self.models[int(part["model"][0])], []).append(part["item"])
            sets = {model: _union(items) for model, items in held.items()}
            sizes = {model: len(items) for model, items in sets.items()}
            if len(sets) < 2 or (len(set(sizes.values())) == 1 and len(_union(sets.values())) == min(sizes.values())):
                continue
            least, most = min(sizes, key=lambda model: sizes[model]), max(sizes, key=lambda model: sizes[model])
            spread = f"from {sizes[least]:,} ({least}) to {sizes[most]:,} ({most})"
            counts = f"{sizes[least]:,} each" if sizes[least] == sizes[most] else spread
            text = (
                f"On {name!r} models answered different items: {counts}, {_shared(list(sets.values())):,} by all. Means"
                " over different items differ for that alone."
            )
            out.append(Caveat("items-differ", text))
        return out


_ALL = ("benchmark", "model", "item", "cluster", "epoch", "score", *USAGE)


def _union(sets: Any) -> IntArray:
    return np.unique(np.concatenate(list(sets)))


def _shared(sets: Sequence[IntArray]) -> int:
    counts = np.unique(np.concatenate(list(sets)), return_counts=True)[1]
    return int((counts == len(sets)).sum())


def _column(values: Sequence[float] | None, kept: IntArray) -> FloatArray:
    if values is None:
        return np.full(len(kept), np.nan)
    return np.asarray(values, dtype=np.float64)[kept]


def _distinct(item: IntArray, epoch: IntArray) -> IntArray:
    """Number answers that share item and epoch anew, in their order."""
    order = np.lexsort((epoch, item))
    same = (np.diff(item[order]) == 0) & (np.diff(epoch[order]) == 0)
    if not same.any():
        return epoch
    starts = np.concatenate(([True], np.diff(item[order]) != 0))
    first = np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))
    out = np.empty_like(epoch)
    out[order] = np.arange(len(order)) - first + 1
    return out


def _sorted_names(known: dict[str, int], codes: IntArray) -> tuple[tuple[str, ...], IntArray]:
    """Sort names that occur, numbers by their size, and code by their places; -1 stays."""
    there = np.zeros(len(known) + 1, dtype=bool)
    there[codes[codes >= 0]] = True
    used = [(name, code) for name, code in known.items() if there[code]]
    numbers = [pair for pair in used if pair[0].isdecimal() and len(pair[0]) < _DIGITS]
    order = np.argsort(np.array([int(name) for name, _ in numbers], dtype=np.int64), kind="stable")
    texts = sorted(pair for pair in used if not (pair[0].isdecimal() and len(pair[0]) < _DIGITS))
    ordered = [*(numbers[place] for place in order.tolist()), *texts]
    places = np.full(len(known) + 2, -1, dtype=np.int64)
    places[[code for _, code in ordered]] = np.arange(len(ordered))
    return tuple(name for name, _ in ordered), places[codes]


_DIGITS = 18
"""Longer numbers may not fit into 64 bits, and are sorted as texts."""
