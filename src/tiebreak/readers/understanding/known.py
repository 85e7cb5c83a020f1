"""Names and words that make a plain table worth a second look; plain sets, so that looking costs next to nothing."""

from __future__ import annotations

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
    found = words_in(name)
    return "#" in name or not found or any(word in TELLING for word in found if len(word) > 1 or len(found) == 1)


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
