"""Which projects publish results that can be learned from: licence, citation, what the files hold, and their traps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tiebreak.papers import paper
from tiebreak.wording import Brief


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BaseRecord(Brief):
    """One published collection of results.

    Parameters
    ----------
    name, title : str
        What it is called in an address, and what its authors do.
    licence, holder : str
        Under which licence the files are published, and by whom.
    papers : tuple of str
        Keys of the works to cite.
    published, files : str
        Where the files are, and which of them to get.
    results : tuple of str
        Names by which files of results are recognised in a folder, with * for anything; the first that is there counts.
    holds, beware : str
        What the results are, and what to know before they are used.
    """

    name: str
    title: str
    licence: str
    holder: str
    papers: tuple[str, ...]
    published: str
    files: str
    results: tuple[str, ...]
    holds: str
    beware: str

    @property
    def notice(self) -> str:
        """Licence and citation in one line, for whoever uses or passes on what rests on these results.

        Examples
        --------
        >>> print(BASES["bbtcomp"].notice.partition(" Cite ")[0])
        Results of bbtcomp (https://github.com/jwainer/bbtcomp), MIT licence, copyright bbtcomp authors.
        """
        cited = "; ".join(paper(key).short for key in self.papers)
        return f"Results of {self.title} ({self.published}), {self.licence}, copyright {self.holder}. Cite {cited}."


_TABZILLA = BaseRecord(
    name="tabzilla",
    title="TabZilla",
    licence="Apache-2.0 licence",
    holder="its authors",
    papers=("mcelfresh2023",),
    published="https://github.com/naszilla/tabzilla",
    files="tuned_aggregated_results_with_default_hparams.csv of the folder tabzilla_analysis/results (in the history:"
    " that folder was removed)",
    results=("tuned_aggregated_results_with_default*.csv*", "tabzilla_results.csv*", "tuned_aggregated_results*.csv*"),
    holds="mean accuracy and training time over 10 folds, 22 learners on 171 OpenML data sets",
    beware="Names that end in _default are default settings, the others the best of up to 30 settings. Times are those"
    " of the one setting, without the search, so that tuned learners are left out (tabzilla-tuned reads them); they"
    " come from several machines, with and without GPU, and hold no prediction.",
)

_ALL = (
    BaseRecord(
        name="oboe",
        title="Oboe",
        licence="BSD-3-Clause licence",
        holder="2021 Chengrun Yang",
        papers=("yang2019",),
        published="https://github.com/udellgroup/oboe",
        files="error_matrix.csv, runtime_matrix.csv and dataset_sizes.csv of the folder oboe/defaults/Oboe",
        results=("error_matrix.csv*", "oboe_error.csv*"),
        holds="mean balanced error over 5 folds and seconds of fitting and predicting, 219 settings of 12 learners of"
        " scikit-learn on 418 OpenML data sets",
        beware="Where a setting raised, the error of the setting before it stands in its place; a fifth of the errors"
        " equal the one before, most of them because the settings agree, and the two look the same. Data sets"
        " have numbers for names; those of one size count as one origin.",
    ),
    _TABZILLA,
    BaseRecord(
        name="tabzilla-tuned",
        title=_TABZILLA.title,
        licence=_TABZILLA.licence,
        holder=_TABZILLA.holder,
        papers=_TABZILLA.papers,
        published=_TABZILLA.published,
        files=_TABZILLA.files,
        results=_TABZILLA.results,
        holds="the same for the best of up to 30 settings of each learner",
        beware="Times do not hold the search, up to ten hours: do not weigh them.",
    ),
    BaseRecord(
        name="tabarena",
        title="TabArena",
        licence="Apache-2.0 licence",
        holder="its authors",
        papers=("erickson2025",),
        published="https://github.com/autogluon/tabarena",
        files="results_per_split.csv (its evaluation writes it; a copy is in the history, under tabflow_slurm) and"
        " task_metadata_tabarena51.csv or curated_tabarena_dataset_metadata.csv",
        results=("results_per_split.csv*", "tabarena_lite_results_per_split.csv*"),
        holds="AUC (two classes) or log loss (more) on one split or several, seconds of training and prediction, 78"
        " default, tuned and ensembled models on 38 classification sets",
        beware="Rows with imputed=True are results of another model and are left out; so are regression sets. Times of"
        " tuned models hold the search; those of models named GPU are of a GPU.",
    ),
    BaseRecord(
        name="tabrepo",
        title="TabRepo",
        licence="Apache-2.0 licence",
        holder="its authors",
        papers=("salinas2023",),
        published="https://github.com/autogluon/tabrepo",
        files="results_ranked_by_dataset_valid.csv of a folder data/results/... and task_metadata_289.csv of"
        " data/metadata, both in the history",
        results=(
            "results_ranked_by_dataset*.csv*",
            "tabrepo_automl_per_fold.csv*",
            "tabrepo_lightgbm_configs.csv*",
        ),
        holds="AUC or log loss by fold, seconds of training and prediction, 7 AutoML systems (or 104 settings of"
        " LightGBM) on the classification sets among 100 OpenML tasks (93)",
        beware="AutoML systems use up the time that they are given: their times say little. Regression is left out.",
    ),
    BaseRecord(
        name="amlb",
        title="the AutoML benchmark",
        licence="MIT licence",
        holder="2018 OpenML",
        papers=("gijsbers2024", "gijsbers2019"),
        published="https://github.com/openml/automlbenchmark",
        files="all_results.csv of a folder reports/old/tables/1h, and metadata.csv of reports/old/datasets/1h",
        results=("all_results.csv*", "amlb*_1h_per_fold.csv*", "amlb*_per_fold.csv*", "results_*.csv*"),
        holds="accuracy by fold (10) and seconds, 7 AutoML systems and baselines on 35 to 39 OpenML tasks",
        beware="Rows with a text in the column info failed and are gaps; what the file puts in their place is not read."
        " Systems were told to optimise AUC or log loss, and use up the time that they are given.",
    ),
    BaseRecord(
        name="bbtcomp",
        title="bbtcomp",
        licence="MIT licence",
        holder="bbtcomp authors",
        papers=("wainer2022",),
        published="https://github.com/jwainer/bbtcomp",
        files="ll10.csv or ll.csv of the folder data-raw",
        results=("ll10.csv*", "bbtcomp_ll10*.csv*", "ll.csv*"),
        holds="accuracy by fold, 16 learners on 82 small data sets (10 folds), or 132 (4 folds) in ll.csv; no times",
        beware="Without times no method that weighs them can be used. Many data sets are versions of one another.",
    ),
)

BASES: Mapping[str, BaseRecord] = MappingProxyType({item.name: item for item in _ALL})
"""Every published base that can be read, by name."""


def measures_notice() -> str:
    """Say whose meta-attributes describe the data sets, where the file of pmf-automl does."""
    return (
        "Meta-attributes of OpenML data sets by pmf-automl (https://github.com/rsheth80/pmf-automl), BSD-3-Clause"
        f" licence, copyright 2018 Microsoft Corporation. Cite {paper('fusi2017').short}."
    )
