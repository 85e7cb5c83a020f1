"""The words by which rows, columns and cells are recognised, which way a table lies, and whether it looks odd."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tiebreak.errors import quoted
from tiebreak.results.roles import word

_ID = re.compile(r"_?(id|ids|uid|key|hash)$")

DATASETS = (
    "dataset data_set data ds task tasks problem benchmark db database openml_task openml_dataset openml_data corpus"
    " domain did tid datasets eval_set test_set taskname validation unique_id"
).split()
ALGORITHMS = (
    "algorithm classifier learner wflow workflow method model framework estimator system pipeline scheme algo alg"
    " approach technique clf regressor forecaster agent llm flow strategy solver submission candidate tool library"
    " team participant"
).split()
FOLDS = "fold split cv_fold cv resample resampling fold_no fold_nr kfold outer_fold".split()
REPLICATIONS = "replication repetition repeat rep repeats idx_rep".split()
RUNS = "seed run run_id trial random_state random_seed iter iteration iterations iters bootstrap".split()
"""Columns that are replications where they are needed to distinguish runs."""
STEPS = "step steps global_step epoch epochs training_step train_size train_sizes n_train sample_size".split()
"""Columns that number the steps of one training, or sizes of training data."""
ITEMS = (
    "item item_id question question_id sample_id instance_id example example_id prompt_id query_id qid doc_id case"
    " case_id test_case test_case_id test_id task_id problem_id idx uid uuid sample instance prompt query input_id"
    " user_input input"
).split()
"""Columns that name items where the scores beside them are those of single answers."""
WEAK_ITEMS = ["id", "index", "key", "nr", "no", "number", "row", "task", "problem", "name"]
"""The same where scores are 0 or 1 alone."""
ANY_ITEMS = frozenset((*ITEMS, *WEAK_ITEMS))
METRICS = "metric measure scorer metric_name metric_type eval_metric evaluation_metric score_name metrics".split()
VALUES = "value estimate mean score result metric_value val scores".split()
BENCHMARKS = frozenset(
    "mmlu mmlupro gsm8k math mathlvl5 humaneval mbpp hellaswag arc arcc arce arcchallenge arceasy truthfulqa winogrande"
    " gpqa ifeval bbh musr boolq piqa openbookqa triviaqa drop swebench livecodebench aime".split()
)
"""Benchmarks of language models on which shares of right answers are reported: higher is better."""
STATUS = "status state run_status runstatus job_status result_status finish_status".split()
ERRORS = "error_message exception traceback failure fail_reason failure_reason info error err message".split()
FLAGS = "imputed failed is_failed crashed timed_out timeout oom is_imputed has_failed".split()
PARTITIONS = "set subset part partition phase stage data_split".split()
"""Columns that say on which part of the data a score was made."""
PARTS = "test testing holdout eval evaluation val valid validation dev cv oof train training".split()
"""Parts of the data, those first whose scores count before others."""
DOUBTFUL = frozenset((*PARTITIONS, *RUNS, *ITEMS, *STATUS, *ERRORS, *FLAGS, *METRICS))
"""Headers of columns whose cells say what they are."""
VARIANTS = "experiment variant".split()
"""Columns that name models where no other does."""
TRUTHS = "y_true label target actual actuals observed truth ground_truth true_value true_label gold".split()
"""Columns of what was to be predicted, beside predictions."""
IMPUTED = ("imputed", "is_imputed")
NAMELESS = re.compile(r"|unnamed: \d+|index|name|run name|run_name|display_name|rowname|rownames", re.IGNORECASE)
"""Headers of a column that may name anything, as frames write their index."""

BY_ROLE: Mapping[str, list[str]] = {
    "dataset": DATASETS,
    "algorithm": ALGORITHMS,
    "fold": FOLDS,
    "replication": REPLICATIONS,
}

FINISHED = frozenset(
    "ok okay success successful succeeded finished complete completed done passed valid true terminated 1 active"
    " yes good normal ran ended none nan".split()
) | {"", "finished_ok", "trialstate.complete"}
UNFINISHED = frozenset(
    "running pending scheduled queued waiting pruned started created paused unfinished trialstate.pruned"
    " trialstate.running trialstate.waiting".split()
)
FAILED_STATUS = re.compile(
    r".*(fail|error|crash|kill|time[ds]?[ _-]?out|time[ _-]?limit|abort|cancel|exception|diverg|did not|infeasible"
    r"|mem[ _-]?(out|limit|error)|out of|\boom\b|\boot\b|segfault|stopped).*|memout|other|dnf|nan|invalid|no",
    re.IGNORECASE,
)


def role_of(header: str) -> str | None:
    """Return the role that a header names, whatever its column holds: dataset, algorithm, fold or replication.

    Examples
    --------
    >>> [role_of(item) for item in ("openml_task_id", "learner.id", "Framework", "accuracy", "split")]
    ['dataset', 'algorithm', 'algorithm', None, 'fold']
    """
    return next((role for role in BY_ROLE if rank(header, role) is not None), None)


def rank(header: str, role: str) -> int | None:
    """Return the place of a header among the names of a role, from the most telling on; None where it is none."""
    name = word(header)
    known = BY_ROLE.get(role, [])
    for form in (name, _ID.sub("", name)):
        if form in known:
            return known.index(form)
    return None


GAPS = frozenset(
    """
    - -- --- — – − ― n/a na n.a. n.a n/d nd nan -nan null nil none <na> ? ?? . .. ... … missing tbd tba n/r nr n.r. / \\
    unknown not_available not_reported not_run running pending skip skipped \\textemdash \\textendash \\--
    """.split()
) | {"", "not available", "not reported", "not run", "no data", "n / a"}
"""Cells without a result of which nothing else is said, in small letters."""
FAILURES = frozenset(
    """
    oom o.o.m. oot ood timeout time-out timedout t/o t.o. to tle tl ml mem mo m/o m.o. err error errored fail failed
    failure fails crash crashed killed dnf dnc ✗ ✘ ❌ diverged divergence memoryerror segfault nc n.c. aborted abort
    memout mle exception #div/0! #value! #n/a #ref! #num! infeasible
    """.split()
) | {"out of memory", "out of time", "time out", "timed out", "memory error", "mem out"}
FAILURES |= {"did not finish", "did not converge"}
"""Cells of runs that failed, in small letters; the word is kept as the reason. An x may be a slip: it is none."""
FAILED = re.compile(
    r"(oom|out of memory|time[ds]?[- ]?out|fail(ed|ure)?|error|crash(ed)?|killed|dnf)\b.{0,40}"
    r"|[>≥] ?\d+ ?(h|hours?|min|s|d|days?)"
)

_LONG = 60  # letters; longer names are sentences, and patterns are not tried on them
_SUMMARY = re.compile(
    r"""
    \#?\ ?((the|overall|total|grand|macro|micro|column|row|unweighted|weighted|arithmetic|geo|geometric|harmonic|rel
    |relative)\ )*
    ((avg|average|mean)\W*(std|sd|stdev|se)|avg|average|averages|averaged|ave|mean|means|median|geomean|g\.?\ ?mean
    |(avg|average)\ (?!\w*(pool|ensembl|perceptron|model|vot|link))\w{1,12}
    |overall|total|totals|sum|all(\ data\ ?sets|\ tasks)?|[Ø⌀]
    |std|stdev|std\.?\ ?dev|sd|s\.d|stddev|standard\ deviation|std\.?\ ?err(or)?|standard\ error|variance|min|max
    |minimum|maximum
    |(mean|avg|average|ave|friedman|final|overall|sum\ of|summed|aligned|global)?\ ?ranks?|ranking|rank\ sum
    |rank\ avg|place
    |(number\ of|nr\.?\ of|no\.?\ of|num|total)?\ ?(wins?|losses|ties|draws|best|firsts?|1sts?)
    |((top\W?\d|1st|first|best|win(ning)?s?)\ )?(counts?|places?)|best\ on|scores?|cd
    |w\W?t\W?l|w\W?d\W?l|win\W?tie\W?loss(es)?|win\W?draw\W?loss|wins\W?ties\W?loss(es)?|win\W?loss(es)?|v\W?s\W?l
    |\(v/\ ?/\*\)|p\W?val(ue)?s?|p\ \(.*\)
    |wilcoxon(\ .*)?|friedman(\ .*)?|nemenyi(\ .*)?|holm(\ .*)?|t\W?test|significance|sign(\ test)?
    |chi2?
    |improvement|gain|delta(?=\ )|Δ|diff(erence)?|ours\ vs.*|critical\ difference|speedup)
    (\ (rank|ranks|ranking|score|scores|acc|acc\.|accuracy|auc|error|err|result|results|performance|value|time
    |place|all|overall
       |f1|\(all\)|over\ .*|of\ .*|across\ .*|on\ .*|per\ .*|vs.*|against.*|\(.*\)|wins?|dev(iation)?|\d+))*
    """,
    re.VERBOSE | re.IGNORECASE,
)
_RANKED = re.compile(r"(avg|average|mean|ave|av|friedman)?\W*(rank|rk|ranking)s?", re.IGNORECASE)

_DESCRIPTION = re.compile(
    r"""
    (\#|n|no|nr|num|number|count|total)?(\ of|\ de)?\ ?
    (\#|inst(ance)?s?|examples?|ex|samples?|rows?|records?|observations?|obs|points?|cases?|patterns?|objects?
    |tuples|train(ing)?|test(ing)?
    |attr(ib(ute)?)?s?|feat(ure)?s?|variables?|vars?|columns?|cols?|dim(ension)?s?|dimensionality|inputs?|predictors?
    |numeric|numerical|nominal|categorical|binary|continuous|discrete|symbolic|cat|cont|nom
    |class(es)?|labels?|targets?|outputs?|clusters?|missing(\ values?)?|folds?|minority|majority
    |imbalance(\ ratio)?|ir|default)
    (\ (instances|examples|samples|attributes|attrs|features|values|size|set\ size|data|rows|num|nom|count|ratio
    |\(%\)|%))?
    |\#\w*|\|\w\||year|date|datum|type|task\ type|domain|source|origin|reference|ref|refs|area|field|kind|category
    |group
    |collection|repository|repo|openml(\ id)?|openml\ (task|data\ ?set)\ id|task\ ?id|data\ ?id|did|tid|uci|keel
    |url|link|license|abbr(ev(iation)?)?
    |size|data\ ?set\ size|train\ size|test\ size|length|\#?\ ?param(eter)?s?|flops|gflops|backbone|description
    |notes?|comments?|remarks?|version|venue|publication|citation|author
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WEAK = re.compile(
    r"[a-z]|\|?[nmdpkc]\|?|size|train(ing)?|test(ing)?|binary|default|cat|cont|nom|ex|numeric"
    r"|length|group|source|ref|ir|uci|keel|majority|minority|targets?|inputs?|numerical|nominal"
    r"|categorical|continuous|discrete|symbolic",
    re.IGNORECASE,
)
"""Names that describe a data set only where the numbers beside them do not look like results."""
_INDEX = re.compile(
    r"|\#|no\.?|nr\.?|n[°º]|id|idx|index|row|rows?\ ?(no|number|id)|unnamed:\ \d+|s\.?\ ?no\.?|sr\.?\ ?no\.?",
    re.IGNORECASE,
)
_SD = re.compile(
    r"±|\+/-|\+-|std\.?|sd|s\.d\.?|stdev|stddev|std\.? ?dev\.?|standard deviation|σ|sigma|se"
    r"|s\.e\.?|std\.? ?err(or)?\.?|sem",
    re.IGNORECASE,
)
_MEAN = re.compile(r"mean|avg\.?|average|μ|mu", re.IGNORECASE)

_LEARNERS = re.compile(
    r"""
    \b(rf|random\ ?forests?|extra\ ?trees?|et|xgb(oost)?|lgbm?|light\ ?gbm|cat\ ?boost|cb|gbm?|gbdt|gbrt
    |gradient\ ?boost(ing|ed)?|ada\ ?boost(\.?m1)?|bagging
    |svm|svc|svr|smo|libsvm|rbf|mlp|nn|dnn|ann|cnn|rnn|lstm|gru|resnet\d*|vgg\d*|densenet\d*|transformer|bert
    |roberta|gpt.*|llama.*|mistral.*|qwen.*|gemini.*|claude.*
    |k?-?\d*-?nn|ibk?\d*|nearest\ neighbou?rs?|nb|naive\ ?bayes|gnb|bnb|gaussiannb|bayes\ ?net|tan|aode
    |log\ ?reg|lr|logistic(\ regression)?|logit|linear(\ regression)?|linreg|ridge|lasso|elastic\ ?net|lda|qda|sgd
    |perceptron|gp|gaussian\ process
    |dt|decision\ ?tree|tree|cart|c4\.?5(rules)?|c5\.?0|j48|id3|ripper|jrip|part|one\ ?r|zero\ ?r|cn2|ltree
    |decision\ stump|stump
    |tabpfn.*|tabnet|ft-?transformer|saint|node|autogluon.*|auto-?sklearn.*|h2o.*|flaml|tpot|realmlp|tabm|tabr
    |modernnca|ebm|rotation\ ?forest|rocket|minirocket|hive-?cote.*|dtw
    |ours|proposed(\ method)?|our\ method|baseline|dummy|constant(\ predictor)?|majority(\ class)?|ensemble
    |stacking|voting)\b
    | boost | forest$ | classifier$ | regressor$
    """,
    re.VERBOSE | re.IGNORECASE,
)
DATA_SETS = frozenset(
    """
    abalone adult anneal arrhythmia audiology australian autos balance balancescale bank bankmarketing banknote blood
    boolq boston breast breastcancer breastw bupa california californiahousing car chess churn cifar10 cifar100
    cleveland cmc cola colic connect4 covertype credit credita creditg crx dermatology diabetes digits ecoli
    electricity fashionmnist flags flare german glass gsm8k haberman hayesroth heart heartc hearth heartstatlog
    hellaswag hepatitis higgs horse horsecolic housing humaneval imagenet imdb ionosphere iris isolet
    krvskp labor led24 led7 letter liver liverdisorders lymph lymphography madelon magic mammographic mbpp mfeat mmlu
    mnist mnli monk1 monk2 monk3 monks1 monks2 monks3 mrpc mushroom musk nursery optdigits pageblocks parkinsons
    pendigits phoneme pima piqa primarytumor promoters qnli qqp qsar ringnorm rte satellite satimage segment shuttle
    sick sonar soybean spam spambase spect spectf splice squad sst2 stsb svhn tae thyroid tictactoe titanic triviaqa
    truthfulqa twonorm usps vehicle vote voting vowel waveform waveform5000 wdbc wine winequality winogrande wisconsin
    wpbc yeast zoo
    """.split()
)
"""Data sets that many papers use, in small letters without marks."""
_GENERIC_DATA = re.compile(r"(d|ds|data|data ?set|problem|task|bench(mark)?|prob|p|t)[ _-]?\d+", re.IGNORECASE)
_GENERIC_LEARNER = re.compile(r"(a|alg|algo|algorithm|method|model|classifier|learner|clf|m)[ _-]?\d+", re.IGNORECASE)
_TITLES = {
    "dataset": frozenset((*DATASETS, *"instance function environment env game".split())),
    "algorithm": frozenset((*ALGORITHMS, *"optimizer optimiser policy".split())),
}
"""What the columns and rows of data sets and of algorithms are called, in the singular."""


def plain(name: str) -> str:
    """Return a name without what people put around words: spaces at the ends, a final colon or point, an arrow."""
    return " ".join(name.replace("_", " ").split()).strip(" :;.*↑↓⬆⬇\ufe0f")


@lru_cache(maxsize=4096)
def is_summary(name: str) -> bool:
    """Say whether a row or column of this name sums up others: an average, a rank, a count of wins, a p-value.

    Examples
    --------
    >>> [name for name in ("Average", "Avg. rank", "W/T/L", "iris", "p-value", "car") if is_summary(name)]
    ['Average', 'Avg. rank', 'W/T/L', 'p-value']
    """
    bare = plain(name)
    if len(bare) > _LONG:
        return False
    return bool(bare and (_SUMMARY.fullmatch(bare.replace(". ", " ")) or _RANKED.fullmatch(bare)))


@lru_cache(maxsize=4096)
def is_description(name: str) -> bool:
    """Say whether a column of this name describes data sets instead of holding results.

    Examples
    --------
    >>> [name for name in ("#inst", "# features", "n", "Year", "kNN", "RF", "No. of classes") if is_description(name)]
    ['#inst', '# features', 'n', 'Year', 'No. of classes']
    """
    bare = plain(name).replace(". ", " ")
    return bool(bare) and (_DESCRIPTION.fullmatch(bare) is not None or _WEAK.fullmatch(bare) is not None)


@lru_cache(maxsize=4096)
def is_weak(name: str) -> bool:
    """Say whether the name of a description may as well be that of an algorithm, such as a single letter."""
    return _WEAK.fullmatch(plain(name)) is not None


@lru_cache(maxsize=4096)
def is_size(name: str) -> bool:
    """Say whether a weak name is that of a size, which is asked about where numbers do not tell."""
    return plain(name).lower() in {"n", "size", "train", "test", "training", "testing", "length"}


@lru_cache(maxsize=4096)
def is_index(name: str) -> bool:
    """Say whether a column of this name may number the rows."""
    return _INDEX.fullmatch(name.strip()) is not None


@lru_cache(maxsize=4096)
def is_sd(name: str) -> bool:
    """Say whether a header calls its column a standard deviation or error."""
    return _SD.fullmatch(name.strip(" ()")) is not None


_SPREAD = re.compile(r"(?:(std|sd|stdev|se)[ _.-])?(.+?)(?:[ _.-]?\(?(std|sd|stdev|std\.? ?dev|se)\)?)?", re.IGNORECASE)


def deviation_of(name: str, names: Collection[str]) -> str | None:
    """Return the column among others whose standard deviation this one holds by its name, such as RF of RF_std.

    Examples
    --------
    >>> deviation_of("RF_std", ["RF", "RF_std"]), deviation_of("sd acc", ["acc"]), deviation_of("RF", ["RF"])
    ('RF', 'acc', None)
    """
    match = _SPREAD.fullmatch(name)
    if match is None or not (match[1] or match[3]):
        return None
    base = match[2].strip(" _.-")
    return next((item for item in (base, f"{base}_mean", f"{base} mean") if item in names and item != name), None)


@lru_cache(maxsize=4096)
def is_mean(name: str) -> bool:
    """Say whether a header calls its column a mean, beside one of standard deviations."""
    return _MEAN.fullmatch(name.strip(" ()")) is not None


@lru_cache(maxsize=4096)
def is_rank(name: str) -> bool:
    """Say whether a header calls its column a rank."""
    return _RANKED.fullmatch(plain(name)) is not None


@lru_cache(maxsize=4096)
def titled(header: str) -> str | None:
    """Return what a header says its column or row names, 'dataset' or 'algorithm'; None where it says neither or both.

    Examples
    --------
    >>> titled("Data set"), titled("Methods"), titled("RF"), titled("Dataset / Method")
    ('dataset', 'algorithm', None, None)
    """
    bare = re.sub(r"^(name of )?(the )?| names?$", "", plain(header).lower()).replace(" ", "_").replace("-", "_")
    forms = {bare, bare.removesuffix("s"), bare.removesuffix("es"), re.sub("ies$", "y", bare)}
    return next((role for role, names in _TITLES.items() if forms & names), None)


@lru_cache(maxsize=4096)
def titled_both(corner: str) -> str | None:
    r"""Return what the rows are where a corner names rows and columns, such as 'Dataset \ Method'; else None.

    Examples
    --------
    >>> titled_both(r"Dataset \ Method"), titled_both("Model/Task"), titled_both("Dataset")
    ('dataset', 'algorithm', None)
    """
    parts = [titled(part) for part in re.split(r"[\\/|,&↓→\s]+", corner.strip(" ↓→")) if part]
    return parts[0] if len(parts) == 2 and set(parts) == {"dataset", "algorithm"} else None


@lru_cache(maxsize=4096)
def known_as(name: str) -> str | None:
    """Return what a name is known as: 'algorithm', 'dataset', or None.

    Examples
    --------
    >>> known_as("XGBoost"), known_as("Breast-w"), known_as("SVM (RBF)"), known_as("zyx")
    ('algorithm', 'dataset', 'algorithm', None)
    """
    bare = plain(name)
    if len(bare) > _LONG:
        return None
    if is_data_set(bare) or _GENERIC_DATA.fullmatch(bare):
        return "dataset"
    if _GENERIC_LEARNER.fullmatch(bare) or _LEARNERS.search(re.sub(r"[-_]", " ", bare)) or _LEARNERS.search(bare):
        return "algorithm"
    return None


def is_data_set(name: str) -> bool:
    """Say whether a name is that of a well-known data set."""
    return re.sub(r"[\W_]", "", name).lower() in DATA_SETS


@lru_cache(maxsize=4096)
def is_generic(name: str) -> bool:
    """Say whether a name is a letter or word with a number, which says little about what it names."""
    return bool(_GENERIC_DATA.fullmatch(plain(name)) or _GENERIC_LEARNER.fullmatch(plain(name)))


@lru_cache(maxsize=4096)
def describes_data(name: str) -> bool:
    """Say whether a description is of a data set, not of a method: how many rows, attributes or classes it has."""
    return (
        is_description(name)
        and re.search(r"inst|attr|feat|class|sampl|exampl|row|dim|label|imbal", name, re.I) is not None
    )


_CLEAR = 3.0
"""One side is believed although the other has something to say where its weight is so many times larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """What speaks for data sets in rows, and what for algorithms: sentences with their weights."""

    datasets: tuple[tuple[str, float], ...]
    algorithms: tuple[tuple[str, float], ...]

    @property
    def transposed(self) -> bool | None:
        """Whether rows are algorithms; None where nothing, or too much, speaks for both."""
        usual, other = (sum(weight for _, weight in side) for side in (self.datasets, self.algorithms))
        if usual == other == 0:
            return None
        if usual >= _CLEAR * other:
            return False
        return True if other >= _CLEAR * usual else None

    def said(self, *, transposed: bool) -> tuple[str, ...]:
        """Return the sentences for one reading."""
        return tuple(text for text, _ in (self.algorithms if transposed else self.datasets))


def axes_of(
    *,
    corner: str,
    rows: Sequence[str],
    columns: Sequence[str],
    above: Sequence[str] = (),
    summary_rows: Sequence[str] = (),
    summary_columns: Sequence[str] = (),
    descriptions: Sequence[str] = (),
) -> Axes:
    """Weigh names, titles and summaries; `above` are titles over all columns, such as 'Methods'.

    Examples
    --------
    >>> axes_of(corner="", rows=["RF", "SVM"], columns=["iris", "wine"]).transposed
    True
    >>> axes_of(corner="", rows=["u", "v"], columns=["w", "x"]).transposed is None
    True
    """
    usual: list[tuple[str, float]] = []
    other: list[tuple[str, float]] = []
    title = titled(corner)
    if title:
        (usual if title == "dataset" else other).append((f"the first column is called {corner!r}", 4.0))
    elif (first := titled_both(corner)) is not None:  # the usual order, which nobody is bound to
        (usual if first == "dataset" else other).append((f"{corner!r} stands in the corner", 1.5))
    for text in above:
        if (named := titled(text)) is not None:
            (usual if named == "algorithm" else other).append((f"{text!r} stands over the columns", 4.0))
    for names, place, sides in ((rows, "rows", (usual, other)), (columns, "columns", (other, usual))):
        for role, side in zip(("dataset", "algorithm"), sides, strict=True):
            known = [name for name in names if known_as(name) == role]
            if known and len(known) * 2 > sum(known_as(name) is not None for name in names):
                kind = "data sets" if role == "dataset" else "algorithms"
                sure = [name for name in known if not is_generic(name)]
                side.append(
                    (
                        f"{quoted(known, limit=3)} in {place} are known {kind}",
                        2.0 if len(sure) > 1 else 0.5 + 0.5 * len(sure),
                    )
                )
    if summary_rows and not summary_columns:
        usual.append((f"rows are summed up in {quoted(summary_rows, limit=3)}", 1.0))
    if summary_columns and not summary_rows:
        other.append((f"columns are summed up in {quoted(summary_columns, limit=3)}", 1.0))
    if descriptions:
        usual.append((f"rows are described as data sets by {quoted(descriptions, limit=3)}", 2.0))
    return Axes(datasets=tuple(usual), algorithms=tuple(other))
