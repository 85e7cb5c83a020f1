"""What the study of the advisor found, and the tables that show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import FloatArray, check_choice
from tiebreak._show import Row, Shown, finite_rows, markdown, one_line
from tiebreak.advisor.evaluation import (
    AccdCurve,
    AttributeAgainstRank,
    Ceiling,
    CharacteristicsByBest,
    Evaluation,
    RankerComparison,
    Reduction,
    TopN,
    attribute_against_rank,
    spearman,
)
from tiebreak.advisor.metatable import MetaTable
from tiebreak.advisor.rankings.measured import row_means
from tiebreak.errors import OptionError, unknown_name

if TYPE_CHECKING:
    from tiebreak.figures import Figure

SHOWN_N = (1, 2, 3, 5, 10)
KINDS = ("top-n", "accd", "attribute", "characteristics")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """One ranking method at one AccD (None where time does not count), evaluated.

    `by_folds` and `by_datasets` compare the recommendations, the random one left out; None without neighbours.
    """

    method: str
    accd: float | None
    evaluation: Evaluation
    ceiling: Ceiling | None
    top: TopN
    by_folds: RankerComparison | None
    by_datasets: RankerComparison | None

    def label(self) -> str:
        """Name the method with its AccD."""
        return self.method if self.accd is None else f"{self.method}, AccD {self.accd:g}"

    def agreement(self) -> list[Row]:
        """Return one row per recommendation, and the ceiling."""
        first = {row["method"]: row["mean loss"] for row in self.top.rows() if row["n"] == 1}
        out: list[Row] = [
            {
                "ranking": self.label(),
                "from": row["method"],
                "mean spearman": row["mean spearman"],
                "weighted": row["mean weighted"],
                "better": row["better"],
                "worse": row["worse"],
                "loss of first": first[row["method"]],
            }
            for row in self.evaluation.rows()
        ]
        if self.ceiling is not None:
            top = float(row_means(self.ceiling.folds))
            last = {"weighted": None, "better": None, "worse": None, "loss of first": None}
            out.append({"ranking": self.label(), "from": "half of its own folds", "mean spearman": top, **last})
        return out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Rows(Shown):
    """Rows with a heading, as one table of the study."""

    heading: str
    table: tuple[Mapping[str, object], ...]
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Return the heading."""
        return self.heading

    def rows(self) -> list[Row]:
        """Return the rows."""
        return [dict(row) for row in self.table]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AdvisorStudy(Shown):
    """Everything `evaluate_advisor` found; prints as a row of tables.

    `across` compares ranking methods that share a yardstick on the same neighbours; `ranks` are those of the mean
    success rates, (data sets, algorithms).
    """

    runs: tuple[Run, ...]
    across: RankerComparison | None
    reduction: Reduction
    meta: MetaTable | None
    ranks: FloatArray
    characteristics: CharacteristicsByBest | None
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    n_origins: int
    n_folds: int
    neighbours: tuple[int, ...]
    chosen: Mapping[str, Mapping[str, int]]
    setting: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was studied."""
        out = "data set" if self.n_origins == len(self.datasets) else f"origin ({self.n_origins})"
        return (
            f"Advisor: {len(self.algorithms)} algorithms on {len(self.datasets)} data sets x {self.n_folds} fold(s),"
            f" one {out} left out at a time; {self.setting}"
        )

    def rows(self) -> list[Row]:
        """Return the agreement of every recommendation with the ideal rankings."""
        return [row for run in self.runs for row in run.agreement()]

    def accd_curve(self, method: str | None = None) -> AccdCurve:
        """Return agreement and top-N over AccD for a method that has it, the first such by default."""
        timed = [run for run in self.runs if run.accd is not None]
        if method is not None and method not in {run.method for run in timed}:
            raise unknown_name("ranking method with an AccD", method, dict.fromkeys(run.method for run in timed))
        if not timed:
            raise OptionError(
                "No method of the study has an AccD.", why="The curve runs over it.", mend="Use methods=['arr']."
            )
        used = [run for run in timed if run.method == (method or timed[0].method)]
        return AccdCurve(
            accds=tuple(float(run.accd or 0.0) for run in used),
            evaluations=tuple(run.evaluation for run in used),
            tops=tuple(run.top for run in used),
        )

    def correlations(self) -> FloatArray:
        """Return Spearman's correlation of every measure with the rank of every algorithm, (measures, algorithms)."""
        if self.meta is None:
            return np.empty((0, len(self.algorithms)))
        return spearman(self.meta.matrix.T[:, None, :], self.ranks.T[None, :, :], tie_correction=True)

    def attribute(self, measure: str | None = None, algorithm: str | None = None) -> AttributeAgainstRank:
        """Set a measure against the rank of an algorithm; by default those with the strongest correlation."""
        if self.meta is None:
            raise OptionError(
                "The study has no measures.", why="The figure needs one.", mend="Give meta-attributes (--meta FILE)."
            )
        table = np.abs(np.nan_to_num(self.correlations()))
        for kind, name, known in (
            ("measure", measure, self.meta.measures),
            ("algorithm", algorithm, self.algorithms),
        ):
            if name is not None and name not in known:
                raise unknown_name(kind, name, known)
        rows = range(len(table)) if measure is None else [self.meta.measures.index(measure)]
        columns = range(table.shape[1]) if algorithm is None else [self.algorithms.index(algorithm)]
        i, j = max(((i, j) for i in rows for j in columns), key=lambda place: (table[place], -place[0], -place[1]))
        return attribute_against_rank(
            self.meta.matrix[:, i],
            self.ranks,
            attribute=self.meta.measures[i],
            algorithm=self.algorithms[j],
            algorithms=self.algorithms,
            datasets=self.datasets,
        )

    def figure(self, kind: str | None = None, **options: Any) -> Figure:
        """Return a figure: "top-n" (usual), "accd", "attribute" or "characteristics".

        Options: `run` (a number) of top-n, `method` of accd, `measure` and `algorithm` of attribute.
        """
        name = check_choice("figure", kind or "top-n", KINDS)
        if name == "top-n":
            run = self.runs[options.pop("run", 0)]
            figure: Figure = run.top.figure(ranking=run.label(), **options)
            return figure
        if name == "accd":
            return self.accd_curve(**options).figure()
        if name == "attribute":
            return self.attribute(**options).figure()
        if self.characteristics is None:
            raise OptionError(
                "The study has no measures.", why="The figure needs them.", mend="Give meta-attributes (--meta FILE)."
            )
        return self.characteristics.figure(**options)

    # ---- the tables

    def tables(self) -> list[Shown]:
        """Return all tables in the order in which they are printed."""
        out: list[Shown] = [Rows(heading=self.title(), table=tuple(self.rows()))]
        for run in self.runs:
            if run.by_folds is not None:
                out += self._significance(run)
        if self.across is not None:
            out.append(Rows(heading=f"Ranking methods: {self.across.title()}", table=tuple(self.across.pairs())))
        out += [self._top(run) for run in self.runs]
        if len({run.accd for run in self.runs if run.accd is not None}) > 1:
            curve = self.accd_curve()
            out.append(Rows(heading="Over AccD: agreement, and the first algorithm", table=tuple(curve.rows())))
        out.append(self.reduction)
        if self.meta is not None:
            out.append(self._strongest())
        if self.chosen:
            out.append(self._choices())
        return out

    def _significance(self, run: Run) -> list[Shown]:
        found = [(run.by_folds, "data sets x folds"), (run.by_datasets, "data sets")]
        return [
            Rows(
                heading=f"{run.label()}, blocks are {unit}: {each.title()}",
                table=tuple(each.pairs()),
                caveats=each.caveats,
            )
            for each, unit in (found if self.n_folds > 1 else found[1:])
            if each is not None
        ]

    def _top(self, run: Run) -> Rows:
        last = run.top.loss.shape[2]
        kept = [row for row in run.top.rows() if row["n"] in {*SHOWN_N, last} and row["method"] != "random"]
        return Rows(heading=f"{run.label()}: {run.top.title()}", table=tuple(kept), caveats=run.top.caveats)

    def _strongest(self) -> Rows:
        """One row per measure: with which algorithm's rank it goes up and down most."""
        table = np.nan_to_num(self.correlations())
        rows = [
            {
                "measure": name,
                "worse as it grows": self.algorithms[int(row.argmax())],
                "better as it grows": self.algorithms[int(row.argmin())],
                "with worse": float(row.max()),
                "with better": float(row.min()),
            }
            for name, row in zip(self.meta.measures if self.meta is not None else (), table, strict=True)
        ]
        return Rows(
            heading="Measures against ranks: Spearman's correlation, strongest in each direction", table=(*rows,)
        )

    def _choices(self) -> Rows:
        rows = [
            {"ranking": label, "measure": name, "parts": count}
            for label, counts in self.chosen.items()
            for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
            if count
        ]
        return Rows(heading="In how many parts of the data sets each measure was chosen", table=tuple(rows))

    # ---- all of it

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.tables()), "\n".join(f"- {note}" for note in self._notes())]).rstrip()

    def to_markdown(self) -> str:
        """Return every table as Markdown."""
        notes = "\n".join(f"- {markdown(note)}" for note in self._notes())
        return "\n\n".join([*(each.to_markdown() for each in self.tables()), notes]).rstrip()

    def to_latex(self) -> str:
        """Return every table as LaTeX."""
        notes = "\n".join(f"% {one_line(note)}" for note in self._notes())
        return "\n\n".join([*(each.to_latex() for each in self.tables()), notes]).rstrip()

    def _notes(self) -> list[str]:
        own = {note for each in self.tables() for note in each.caveats}
        return [note for note in self.caveats if note not in own]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, fit for JSON."""
        return {
            "study": "advisor",
            "title": self.title(),
            "datasets": list(self.datasets),
            "algorithms": list(self.algorithms),
            "origins": self.n_origins,
            "folds": self.n_folds,
            "measures": None if self.meta is None else list(self.meta.measures),
            "runs": [self._run_dict(run) for run in self.runs],
            "ranking_methods": None if self.across is None else comparison_dict(self.across),
            "reduction": finite_rows(self.reduction.rows()),
            "correlations": None if self.meta is None else finite_rows(self._strongest().rows()),
            "characteristics": None if self.characteristics is None else finite_rows(self.characteristics.rows()),
            "chosen_measures": {label: dict(counts) for label, counts in self.chosen.items()},
            "caveats": list(self.caveats),
        }

    def _run_dict(self, run: Run) -> dict[str, Any]:
        each = row_means(run.evaluation.spearman)
        return {
            "method": run.method,
            "accd": run.accd,
            "agreement": finite_rows(run.agreement()),
            "spearman_by_dataset": {
                name: [None if np.isnan(x) else float(x) for x in each[i]]
                for i, name in enumerate(run.evaluation.methods)
            },
            "ceiling": None if run.ceiling is None else finite_rows(run.ceiling.rows()),
            "significance": {
                unit: None if found is None else comparison_dict(found)
                for unit, found in (("folds", run.by_folds), ("datasets", run.by_datasets))
            },
            "top_n": finite_rows(run.top.rows()),
        }


def comparison_dict(found: RankerComparison) -> dict[str, Any]:
    """Return Friedman's M and Dunn's T as plain data."""
    return {
        "m": found.m_corrected,
        "pvalue": found.pvalue,
        "blocks": found.n_blocks,
        "critical_t": found.critical_value,
        "alpha": found.alpha,
        "mean_ranks": dict(zip(found.methods, map(float, found.mean_ranks), strict=True)),
        "pairs": finite_rows(found.pairs()),
    }
