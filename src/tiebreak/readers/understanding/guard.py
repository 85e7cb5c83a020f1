"""A second look at a table that was read as it stands: is it worth understanding?"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.results import Results
from tiebreak.results.items import FOLD
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import SYNONYMS

DATA_SETS = frozenset(
    """
    abalone adult allbp ann anneal annealing arc arrhythmia audiology australian auto automobile autompg autos
    balance balancescale balloons banana bands bank bankmarketing banknote blood boolq boston breast
    breastcancer breasttissue breastw bupa california californiahousing car census chess churn cifar10 cifar100
    cleveland cmc cola colic connect4 contraceptive covertype cpu credit credita creditg crx dermatology
    diabetes digits dna drop ecoli electricity eucalyptus fashionmnist flags flare german germancredit glass
    gsm8k haberman hayesroth heart heartc hearth heartstatlog hellaswag hepatitis higgs horse horsecolic housing
    humaneval imagenet imdb indian ionosphere iris isolet jannis kropt krvskp labor landsat led24 led7 lenses
    letter libras liver liverdisorders lung lungcancer lymph lymphography madelon magic mammographic mbpp mfeat
    mmlu mnist mnli monk monk1 monk2 monk3 monks1 monks2 monks3 mrpc mushroom musk musk1 musk2 newthyroid
    nursery optdigits pageblocks parkinsons pendigits phoneme pima piqa postoperative primarytumor promoters
    qnli qqp qsar ringnorm rte satellite satimage segment segmentation shuttle sick sonar soybean spam spambase
    spect spectf splice sponge squad sst2 stsb svhn tae texture thyroid tictactoe titanic triviaqa truthfulqa
    twonorm usps vehicle vertebral vote votes voting vowel waveform waveform5000 wbc wdbc wine winequality
    winequalityred winequalitywhite winogrande wisconsin wpbc yeast zoo
    """.split()
)
"""Data sets that many papers use, in small letters without marks."""
TELLING = frozenset(
    """
    avg average averages averaged mean means median geomean gmean overall total totals sum moyenne mittelwert
    durchschnitt media ortalama std stdev stddev sd variance min max minimum maximum rank ranks ranking win wins
    loss losses tie ties draw draws best first firsts count wtl wdl pvalue pval wilcoxon friedman nemenyi holm
    ttest significance improvement gain delta diff difference speedup place score n m d p k c inst insts
    instance instances example examples sample samples row rows record records observation observations obs
    point points case cases pattern patterns object objects attr attrs attribute attributes feat feats feature
    features variable variables var vars column columns col cols dim dims dimension dimensions dimensionality
    class classes label labels target targets missing minority majority imbalance ir year date type domain
    source origin reference ref area field kind category collection repository openml did tid uci keel url link
    size description note notes comment remarks version venue id no nr idx index unnamed dataset datasets task
    train test default group value all ave cd v ø δ node nodes edge edges vertices
    """.split()
)
"""Words of rows and columns that are no results, in small letters; what they mean is settled by `words`."""


def words_in(name: str) -> list[str]:
    """Split a name into its words, in small letters.

    Examples
    --------
    >>> words_in("Avg. rank"), words_in("W/T/L")
    (['avg', 'rank'], ['w', 't', 'l', 'wtl'])
    """
    small = "".join(char if char.isalnum() else " " for char in name.lower())
    parts = small.split()
    return [*parts, "".join(parts)] if len(parts) > 1 and all(len(part) == 1 for part in parts) else parts


def is_telling(name: str) -> bool:
    """Say whether a name holds a word that calls for a second look."""
    texts = words_in(name)
    return "#" in name or not texts or any(word in TELLING for word in texts if len(word) > 1 or len(texts) == 1)


def is_data_set(name: str) -> bool:
    """Say whether a name is that of a well-known data set."""
    return "".join(char for char in name.lower() if char.isalnum()) in DATA_SETS


def fold_of(header: str) -> tuple[str, str] | None:
    """Return the role and the number of a column such as 'fold 3' or 'seed2'; None where it is none.

    Examples
    --------
    >>> fold_of("fold 3"), fold_of("Run_12"), fold_of("RF2")
    (('fold', '3'), ('replication', '12'), None)
    """
    word = header.strip().rstrip("0123456789")
    number = header.strip()[len(word) :]
    small = word.strip(" _-.#").lower()
    role = "fold" if small in ("fold", "split", "cv") else "replication" if small in _RUNS else ""
    return (role, number) if role and number else None


_RUNS = ("run", "rep", "repeat", "repetition", "replication", "seed", "trial")


_SPREADS = frozenset("std sd stdev stddev se sem mean avg".split())


def is_odd(results: Results, *, wide: bool, corner: str) -> bool:
    """Say whether a table that was read as it stands should be looked at again; `corner` heads its names."""
    if results.unit != FOLD:  # named as such, row by row: there is nothing to guess
        return False
    datasets = results.datasets if len(results.datasets) > 1 else ()  # one may be named after its file: ranks.csv
    if any(map(_is_summary, (*datasets, *results.replications, *results.folds))):
        return True
    return wide and _odd_wide(results, corner)


def _is_summary(name: str) -> bool:
    if not is_telling(name):
        return False
    from tiebreak.readers.understanding import words

    return words.is_summary(name)


def _odd_wide(results: Results, corner: str) -> bool:
    """Look at what only a wide table can have: columns that are no algorithms, a mean as a row, a turned table."""
    if any(is_telling(name) for name in results.algorithms):
        from tiebreak.readers.understanding import words

        if any(words.is_summary(name) or words.is_description(name) for name in results.algorithms):
            return True
    if _holds_several(results.algorithms):
        return True
    means = results.means(results.metrics[0].name)
    if np.isnan(means).all(axis=1).any():  # a row without results may be the title of those below
        return True
    whole = (np.isnan(means) | (means == np.rint(means))).all(axis=0)
    if whole.any() and not whole.all() and np.nanmax(means[:, whole]) > 1:  # columns of sizes among results
        return True
    if corner.strip().lower() not in SYNONYMS["dataset"]:
        return not _lies_usual(corner, results.datasets, results.algorithms)
    known = sum(map(is_data_set, results.algorithms))
    return (known > 1 and known * 2 > len(results.algorithms)) or _holds_mean(means)


def _holds_several(algorithms: Sequence[str]) -> bool:
    """Say whether columns hold several things of one algorithm, as RF beside RF_std; or whether numbers name them."""
    if sum(re.fullmatch(r"-?\d*\.\d+", name) is not None for name in algorithms) * 2 > len(algorithms):
        return True
    parts = [re.split(r"[ _.:/-]+", name) for name in algorithms]
    edges = {word.strip("()").lower() for part in parts if len(part) > 1 for word in (part[0], part[-1])}
    if edges & _SPREADS:
        return True
    bases = {
        re.sub(r"[ _.:/-]+[^ _.:/-]*$", "", name) for name, part in zip(algorithms, parts, strict=True) if len(part) > 1
    }
    if bases & set(algorithms):
        return True
    measured = [
        part[-1] for part in parts if len(part) > 1 and metric_named(part[-1].strip("()")).higher_is_better is not None
    ]
    return len(measured) == len(algorithms) and len(set(measured)) > 1


def _holds_mean(table: FloatArray) -> bool:
    """Say whether some row comes near the mean of the others in every column; its digits are looked at later."""
    if table.shape[0] < 4 or table.shape[1] < 2 or np.isnan(table).any():
        return False
    others = (table.sum(axis=0) - table) / (table.shape[0] - 1)
    near = np.abs(table - others) <= 0.006 * np.abs(table).max()
    return bool(near.all(axis=1).any())


def _lies_usual(corner: str, rows: Sequence[str], columns: Sequence[str]) -> bool:
    from tiebreak.readers.understanding.words import axes_of

    return axes_of(corner=corner, rows=rows, columns=columns).transposed is False
