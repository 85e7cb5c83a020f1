"""What the study of the advisor found, and the tables that show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak import advisor
from tiebreak._checks import FloatArray, check_choice
from tiebreak.advisor.evaluation.ceiling import Ceiling
from tiebreak.advisor.evaluation.compare_rankers import RankerComparison
from tiebreak.advisor.evaluation.leave_one_out import Evaluation
from tiebreak.advisor.evaluation.measures_against_ranks import (
    AttributeAgainstRank,
    CharacteristicsByBest,
    attribute_against_rank,
)
from tiebreak.advisor.evaluation.rank_agreement import spearman
from tiebreak.advisor.evaluation.reduce_ranking import Reduction
from tiebreak.advisor.evaluation.top_n import AccdCurve, TopN
from tiebreak.advisor.rankings.measured import row_means
from tiebreak.caveats import Caveats, codes_of, distinct
from tiebreak.documents import Document, Framed, Row, Shown, Table, as_came_in
from tiebreak.documents.tabling import table_of
from tiebreak.documents.words import finite_rows
from tiebreak.errors import OptionError
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.figures import Figure

SHOWN_N = (1, 2, 3, 5, 10)
KINDS = ("top-n", "accd", "attribute", "characteristics", "ranking-methods")


BY_METHOD = (
    "Data sets on which each recommendation agrees best: their mean measures, in standard deviations (few data sets"
    " make large numbers by chance)"
)
MOST_MEASURES = 10
"""Of more measures that table would be too wide to read; the figure and the JSON hold them."""
AGREEMENT = ("from", "mean spearman", "weighted", "better", "worse", "loss of first")
"""What is told of a recommendation, and as far as it goes of the ceiling."""


def label_of(method: str, accd: float | None) -> str:
    """Name a ranking method with its AccD."""
    return method if accd is None else f"{method}, AccD {accd:g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Run(Framed):
    """One ranking method at one AccD (None where time does not count), evaluated.

    `by_folds` and `by_datasets` compare the recommendations, the random one left out; None without neighbours.
    `characteristics` are those of the data sets on which each recommendation agrees best; None without measures.
    """

    method: str
    accd: float | None
    evaluation: Evaluation
    ceiling: Ceiling | None
    top: TopN
    by_folds: RankerComparison | None
    by_datasets: RankerComparison | None
    characteristics: CharacteristicsByBest | None = None

    def rows(self) -> list[Row]:
        """Return one row per recommendation, and the ceiling."""
        return self.agreement()

    def __repr__(self) -> str:
        return f"<Run: {self.label()}; {self.evaluation.title()}>"

    def label(self) -> str:
        """Name the method with its AccD."""
        return label_of(self.method, self.accd)

    def agreement(self) -> list[Row]:
        """Return one row per recommendation, and the ceiling."""
        first = {row["method"]: row["mean loss"] for row in self.top.rows() if row["n"] == 1}
        told = self.evaluation.rows()
        for row in told:
            row |= {"from": row["method"], "weighted": row["mean weighted"], "loss of first": first[row["method"]]}
        if self.ceiling is not None:
            told.append({"from": "half of its own folds", "mean spearman": float(row_means(self.ceiling.folds))})
        return [{"ranking": self.label(), **{name: row.get(name) for name in AGREEMENT}} for row in told]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AdvisorStudy(Shown):
    """Everything `evaluate_advisor` found; prints as a row of tables.

    `across` compares ranking methods that share a yardstick on the same neighbours; `ranks` are those of the mean
    success rates, (data sets, algorithms).
    """

    runs: tuple[Run, ...]
    across: RankerComparison | None
    reduction: Reduction
    meta: advisor.MetaTable | None
    ranks: FloatArray
    characteristics: CharacteristicsByBest | None
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    n_origins: int
    n_folds: int
    neighbours: tuple[int, ...]
    chosen: Mapping[str, Mapping[str, int]]
    setting: str
    caveats: Caveats = ()

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

    @as_came_in
    def accd_curve(self, method: str | None = None) -> AccdCurve:
        """Return agreement and top-N over AccD for a method that has it, the first such by default."""
        timed = [run for run in self.runs if run.accd is not None]
        if method is not None:
            check_choice("ranking method with an AccD", method, dict.fromkeys(run.method for run in timed))
        if not timed:
            raise OptionError(
                "No method of the study has an AccD.",
                why="The curve runs over it.",
                mend=f"Use {option(methods=['arr'])}.",
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

    @as_came_in
    def attribute(self, measure: str | None = None, algorithm: str | None = None) -> AttributeAgainstRank:
        """Set a measure against the rank of an algorithm; by default those with the strongest correlation."""
        if self.meta is None:
            raise OptionError(
                "The study has no measures.",
                why="The figure needs one.",
                mend=f"Say {option(meta=...)} to give meta-attributes.",
            )
        table = np.abs(np.nan_to_num(self.correlations()))
        for axis, (kind, name, known) in enumerate(
            (("measure", measure, self.meta.measures), ("algorithm", algorithm, self.algorithms))
        ):
            if name is not None:
                others = np.delete(np.arange(len(known)), known.index(check_choice(kind, name, known)))
                table[(slice(None), others) if axis else others] = -1.0  # below every correlation
        i, j = np.unravel_index(int(table.argmax()), table.shape)
        return attribute_against_rank(
            self.meta.matrix[:, i],
            self.ranks,
            attribute=self.meta.measures[i],
            algorithm=self.algorithms[j],
            algorithms=self.algorithms,
            datasets=self.datasets,
        )

    def figure(self, kind: str | None = None, **options: Any) -> Figure:
        """Return a figure: "top-n" (usual), "accd", "attribute", "characteristics" or "ranking-methods".

        Options: `run` (a number) of top-n and ranking-methods, `method` of accd, `measure` and `algorithm` of
        attribute.
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
        best = self.characteristics
        if name == "ranking-methods":
            run = self.runs[options.pop("run", 0)]
            best, options = run.characteristics, {"ranking": run.label(), **options}
        if best is None:
            raise OptionError(
                "The study has no measures.",
                why="The figure needs them.",
                mend=f"Say {option(meta=...)} to give meta-attributes.",
            )
        return best.figure(**options)

    def figures(self) -> dict[str, Figure]:
        """Return every figure that the study has the material for, by its kind."""
        has = {
            "top-n": True,
            "accd": any(run.accd is not None for run in self.runs),
            "attribute": self.meta is not None,
            "characteristics": self.characteristics is not None,
            "ranking-methods": self.runs[0].characteristics is not None,
        }
        return {kind: self.figure(kind) for kind in KINDS if has[kind]}

    # ---- the tables

    def document(self) -> Document:
        """Return all tables with their headings, and every caveat once."""
        compared = [each for run in self.runs for _, each in self._comparisons(run)]
        said = [note for each in (*compared, self.reduction) for note in each.caveats]
        about: dict[str, Any] = {"papers": ("brazdil2003",), "caveats": distinct((*said, *self.caveats))}
        return Document(title=self.title(), tables=tuple(self._tables()), **about)

    def _tables(self) -> Iterator[Table]:
        """Of the top-N losses a few sizes are shown, always with the last; the JSON has all."""
        yield table_of(self.rows(), "Agreement with the ideal rankings")
        for run in self.runs:
            for unit, each in self._comparisons(run):
                yield table_of(each.pairs(), f"{run.label()}, blocks are {unit}: {each.title()}")
        if self.across is not None:
            yield table_of(self.across.pairs(), f"Ranking methods: {self.across.title()}")
        for run in self.runs:
            shown = {*SHOWN_N, run.top.loss.shape[2]}
            kept = [row for row in run.top.rows() if row["n"] in shown and row["method"] != "random"]
            yield table_of(kept, f"{run.label()}: {run.top.title()}")
        if len({run.accd for run in self.runs if run.accd is not None}) > 1:
            yield table_of(self.accd_curve().rows(), "Over AccD: agreement, and the first algorithm")
        yield self.reduction.printed_table(self.reduction.title())
        if self.meta is not None:
            heading = "Measures against ranks: Spearman's correlation, strongest in each direction"
            yield table_of(self._strongest(), heading)
            if len(self.meta.measures) <= MOST_MEASURES:
                yield table_of(self._by_ranking_method(), BY_METHOD)
        if self.chosen:
            yield table_of(self._choices(), "In how many parts of the data sets each measure was chosen")

    def _comparisons(self, run: Run) -> list[tuple[str, RankerComparison]]:
        """Return the comparisons of a run, with what their blocks are; of single folds both are the same."""
        pairs = (("data sets x folds", run.by_folds if self.n_folds > 1 else None), ("data sets", run.by_datasets))
        return [(unit, each) for unit, each in pairs if each is not None]

    def _strongest(self) -> list[Row]:
        """One row per measure: with which algorithm's rank it goes up and down most."""
        table = np.nan_to_num(self.correlations())
        return [
            {
                "measure": name,
                "worse as it grows": self.algorithms[int(row.argmax())],
                "better as it grows": self.algorithms[int(row.argmin())],
                "with worse": float(row.max()),
                "with better": float(row.min()),
            }
            for name, row in zip(self.meta.measures if self.meta is not None else (), table, strict=True)
        ]

    def _by_ranking_method(self) -> list[Row]:
        """One row per run and recommendation: how many data sets it is best on, and what these are like."""
        found = [(run.label(), run.characteristics) for run in self.runs if run.characteristics is not None]
        return [{"ranking": label, **row} for label, each in found for row in each.rows()]

    def _choices(self) -> list[Row]:
        """Measures that were never chosen are left out: of dozens most are not."""
        return [
            {"ranking": label, "measure": name, "parts": count}
            for label, counts in self.chosen.items()
            for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
            if count
        ]

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
            "runs": [_run_dict(run) for run in self.runs],
            "ranking_methods": _comparison_dict(self.across),
            "reduction": finite_rows(self.reduction.rows()),
            "correlations": None if self.meta is None else finite_rows(self._strongest()),
            "characteristics": None if self.characteristics is None else finite_rows(self.characteristics.rows()),
            "chosen_measures": {label: dict(counts) for label, counts in self.chosen.items()},
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }


def _run_dict(run: Run) -> dict[str, Any]:
    """NaN is not JSON: a data set without agreement is null."""
    means = row_means(run.evaluation.spearman)
    each = [[None if np.isnan(x) else float(x) for x in row] for row in means]
    return {
        "method": run.method,
        "accd": run.accd,
        "agreement": finite_rows(run.agreement()),
        "spearman_by_dataset": dict(zip(run.evaluation.methods, each, strict=True)),
        "ceiling": None if run.ceiling is None else finite_rows(run.ceiling.rows()),
        "significance": {"folds": _comparison_dict(run.by_folds), "datasets": _comparison_dict(run.by_datasets)},
        "top_n": finite_rows(run.top.rows()),
        "characteristics": None if run.characteristics is None else finite_rows(run.characteristics.rows()),
    }


def _comparison_dict(found: RankerComparison | None) -> dict[str, Any] | None:
    """Return Friedman's M and Dunn's T as plain data."""
    return (
        None
        if found is None
        else {
            "m": found.m_corrected,
            "pvalue": found.pvalue,
            "blocks": found.n_blocks,
            "critical_t": found.critical_value,
            "alpha": found.alpha,
            "mean_ranks": dict(zip(found.methods, map(float, found.mean_ranks), strict=True)),
            "pairs": finite_rows(found.pairs()),
        }
    )
