"""How a file is understood, shown: roles, direction, gaps, failures, what was left out, and what would change it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak.caveats import Caveats, codes_of
from tiebreak.documents import Answer, Row, Shown
from tiebreak.documents.layout import wrapped
from tiebreak.documents.parts import Document, Table
from tiebreak.documents.words import finite, listed
from tiebreak.documents.writing import as_text
from tiebreak.errors import InputError, OptionError
from tiebreak.readers.files import are_logs, label, read_all, source_of
from tiebreak.readers.settings import is_published
from tiebreak.readers.understanding.notes import Understood
from tiebreak.results import Results
from tiebreak.results.items import ITEM, TOTAL
from tiebreak.results.metrics import Told
from tiebreak.wording import option, which_way

_FIRST_ROWS, _FIRST_COLUMNS = 5, 8
_FORMS = {
    "plain": "It was read as it stands.",
    "published": "It is a published table that the package carries.",
    "logs": "It holds logs of evaluations: benchmarks are data sets, models algorithms, answers to items scores.",
    "totals": "It holds logs of evaluations without items: benchmarks are data sets, models algorithms, totals scores.",
    "means": "It holds logs of evaluations: benchmarks are data sets, models algorithms, scores means over items.",
    "long": "It is in long form: every row is a run.",
    "wide": "It is in wide form: rows are data sets, columns are algorithms.",
    "transposed": "It is in wide form, transposed: rows are algorithms, columns are data sets.",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading(Shown):
    """What was read from a file, and how; made by `explain`."""

    source: str
    results: Results
    understood: Understood | None = None
    higher_is_better: Told = None
    logs: bool = False

    @property
    def caveats(self) -> Caveats:
        """What the table says of how it was read."""
        return self.results.caveats

    def title(self) -> str:
        """Say in one line what was read."""
        return f"{self.source}: {self.results.title()}"

    def rows(self) -> list[Row]:
        """Return one row per data set with the mean of the first score of every algorithm, in the order of the file."""
        results = self.results
        if not results.metrics:
            return []
        means = results.means((results.scores or results.costs)[0], partial=True)
        order = self.understood.order if self.understood else {}

        def ordered(role: str) -> list[int]:
            names, place = results.names[role], {name: i for i, name in enumerate(order.get(role, ()))}
            return sorted(range(len(names)), key=lambda i: place.get(names[i], i))

        return [
            {
                "dataset": results.datasets[row],
                **{results.algorithms[i]: float(means[row, i]) for i in ordered("algorithm")},
            }
            for row in ordered("dataset")
        ]

    def said(self) -> tuple[str, ...]:
        """Return how it was understood, in sentences."""
        failures = self.understood.failures if self.understood else ()
        failed = {(failure.dataset, failure.algorithm) for failure in failures}
        score = next(iter(self.results.scores or self.results.costs), None)
        gaps = [gap for gap in self.results.gaps(score) if (gap.dataset, gap.algorithm) not in failed] if score else []
        lost = [f"{failure.algorithm} on {failure.dataset} ({failure.word})" for failure in failures]
        out = [
            f"{len(names)} {what}{'s' if len(names) > 1 else ''}: {listed(names, most=5)}."
            for what, names in (("gap", list(map(str, gaps))), ("failed run", lost))
            if names
        ]
        return (self._form(), *self._directions(), *(out or ["There are no gaps."]))

    def _form(self) -> str:
        account = self.understood
        if account is None:
            logs = {ITEM: "logs", TOTAL: "totals"}.get(self.results.unit, "means")
            return _FORMS[logs if self.logs else "published" if is_published(self.source) else "plain"]
        if account.form == "long":
            return _FORMS["long"]
        because = f" ({'; '.join(account.evidence)})" if account.evidence else ""
        return f"{_FORMS[account.form][:-1]}{because}. To turn it: {option(transpose=account.form == 'wide')}."

    def _directions(self) -> list[str]:
        out = []
        better = self.higher_is_better
        unknown = f" of unknown direction: name it by a known word, {option(scores='accuracy')}, or say {which_way()}."
        for metric in self.results.metrics:
            if metric.is_cost or metric.name in self.results.scores:
                way = better if isinstance(better, bool) else (better or {}).get(metric.name, metric.higher_is_better)
                known = f": {'higher' if way else 'lower'} is better."
                kind = "cost" if metric.is_cost else "score"
                out.append(f"{metric.name!r} is a {kind}{unknown if way is None else known}")
        return out

    def _left_out(self) -> list[dict[str, str]]:
        """Return what was left out: what, its name, where it stands, why, and what keeps it."""
        return [
            {"what": item.what, "name": item.name, "where": item.place, "why": item.why, "keep": item.keep}
            for item in (self.understood.left_out if self.understood else ())
        ]

    def __str__(self) -> str:
        """Write it for a terminal: its sentences in lines of 80 characters, its tables as they are."""
        lines = as_text(self.document()).splitlines()
        return "\n".join(line if "  " in line or not line else wrapped([line]) for line in lines)

    def document(self) -> Document:
        """Return what was read, how, and its first rows."""
        rows = self.rows()
        names = list(rows[0])[1:] if rows else []
        shown = names[:_FIRST_COLUMNS]
        body = tuple((str(row["dataset"]), *(_cell(row[name]) for name in shown)) for row in rows[:_FIRST_ROWS])
        more = (len(names) - len(shown), "column"), (len(rows) - len(body), "row")
        cut = ", ".join(f"{count:,} more {what}{'s' if count > 1 else ''}" for count, what in more if count)
        tables = [Table(header=("dataset", *shown), body=body, after=f"({cut})" if cut else "")]
        if left := [tuple(text or "(no name)" for text in item.values()) for item in self._left_out()]:
            tables.append(Table(header=("left out", "name", "where", "why", "to keep it"), body=tuple(left), left=5))
        shown_above = ("rows-left-out", "columns-left-out", "run-failed")
        return Document(
            title=self.title(),
            said=self.said(),
            tables=tuple(tables),
            caveats=tuple(note for note in self.caveats if note.code not in shown_above),
            papers=self.results.data_papers,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        result, results = self.understood, self.results
        form = result.form if result else "logs" if self.logs else "plain"
        return {
            "answer": Answer(headline=f"{self.title()}.").to_dict(),
            "source": self.source,
            "form": form,
            "datasets": list(results.datasets),
            "algorithms": list(results.algorithms),
            "measures": [
                {"name": metric.name, "higher_is_better": metric.higher_is_better, "is_cost": metric.is_cost}
                for metric in results.metrics
            ],
            "unit": results.unit,
            "items": _items(results),
            "clusters": len(results.clusters.names) if results.clusters else None,
            "roles": dict(result.roles) if result else {},
            "left_out": self._left_out(),
            "gaps": [str(gap) for gap in results.gaps((results.scores or results.costs)[0])],
            "failures": [
                {"dataset": failure.dataset, "algorithm": failure.algorithm, "reason": failure.word}
                for failure in (result.failures if result else ())
            ],
            "data_papers": list(results.data_papers),
            "rows": [{key: finite(value) for key, value in row.items()} for row in self.rows()],
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }


def _items(results: Results) -> int | None:
    """Count the items of all benchmarks; None where a row is no answer to one."""
    if results.unit != ITEM:
        return None
    return len(np.unique(np.column_stack([results.codes["dataset"], results.codes["fold"]]), axis=0))


def _cell(value: Any) -> str:
    return "" if value != value else f"{value:.6g}"


def explain(path: str | Path, *, higher_is_better: Told = None, **how: Any) -> Reading:
    r"""Read one file as `tiebreak.read` does, and keep how it was understood.

    Parameters
    ----------
    path : str or Path
        A file; "-" is standard input, a text that holds a line break is itself read, and "published:ulas2012" is a
        table that the package carries.
    higher_is_better : bool or mapping, optional
        What is known of the direction; it is shown, and changes nothing.
    **how
        What `tiebreak.read` takes.

    Returns
    -------
    Reading

    Examples
    --------
    >>> text = "Dataset;#inst;RF;SVM\niris;150;95,3%;**96,0%**\nwine;178;-;OOM\nAverage;;95,3%;96,0%\n"
    >>> print(explain(text, scores="accuracy"))
    the text: 2 data sets x 2 algorithms, 1 score per cell: accuracy (higher is better)
    <BLANKLINE>
    It is in wide form: rows are data sets, columns are algorithms (the first column is called 'Dataset'; ...
    """
    of_logs = are_logs([path])
    results, result = read_all([path], **how)
    source = source_of(path)
    name = Path(path).name if of_logs else source if is_published(source) else label(source)
    return Reading(source=name, results=results, understood=result, higher_is_better=higher_is_better, logs=of_logs)


def write(results: Results, path: Path, *, long: bool = False) -> None:
    """Write a table as csv or parquet: wide where it holds one number for each data set and algorithm, else long."""
    ending = path.suffix.lower()
    if ending not in (".csv", ".parquet"):
        raise OptionError(f"{path} is neither csv nor parquet.", mend="Use clean.csv or clean.parquet.")
    frame = _wide_frame(results) if not long and _is_simple(results) else results.to_frame("polars")
    try:
        if ending == ".csv":
            frame.write_csv(path)
        else:
            frame.write_parquet(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.", mend="Choose another path.") from None


def _is_simple(results: Results) -> bool:
    one = len(results.metrics) == 1 and not results.dataset_metrics
    return one and len(results.replications) == len(results.folds) == 1


def _wide_frame(results: Results) -> Any:
    import polars as pl

    means = results.means(results.metrics[0].name)
    cells = {name: pl.Series(means[:, i]).fill_nan(None) for i, name in enumerate(results.algorithms)}
    return pl.DataFrame({"dataset": list(results.datasets), **cells})
