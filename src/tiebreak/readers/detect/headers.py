"""Headers of tables of results as tools write them: which of them can play which role."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_PREFIX = re.compile(
    r"^(param(eter)?s?|tags?|config|hparams|hyper_?parameters?|key|attrs?|user_attrs|meta(data)?|args?|settings?)"
    r"(\.(ya?ml|json|toml|py):|[./_])(?=\w)",
    re.IGNORECASE,
)
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
STEPS = "step steps global_step epoch epochs training_step".split()
"""Columns that number the steps of one training."""
ITEMS = (
    "item item_id question question_id sample_id instance_id example example_id prompt_id query_id qid doc_id case"
    " case_id test_case test_case_id test_id task_id problem_id idx uid uuid sample instance prompt query input_id"
    " user_input input"
).split()
"""Columns that name items where the scores beside them are those of single answers."""
WEAK_ITEMS = ["id", "index", "key", "nr", "no", "number", "row", "task", "problem", "name"]
"""The same where scores are 0 or 1 alone."""
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
VARIANTS = "experiment variant".split()
"""Columns that name models where no other does."""
TRUTHS = "y_true actual actuals observed truth ground_truth true_value".split()
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
FAILED = re.compile(
    r".*(fail|error|crash|kill|time[ds]?[ _-]?out|time[ _-]?limit|abort|cancel|exception|diverg|did not|infeasible"
    r"|mem[ _-]?(out|limit|error)|out of|\boom\b|\boot\b|segfault|stopped).*|memout|other|dnf|nan|invalid|no",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def word(header: str) -> str:
    """Return what of a header says which role it plays, in small letters.

    Examples
    --------
    >>> [word(each) for each in ("params.model", "learner.id", "Key_Dataset", "datasetName", "Model Name", ".metric")]
    ['model', 'learner_id', 'dataset', 'dataset', 'model', 'metric']
    """
    text = header.strip().strip("\ufeff")
    bare = _PREFIX.sub("", text)
    text = re.sub(r"(?<=[a-z\d])(?=[A-Z])", "_", bare)
    text = re.sub(r"[\s.\-/:#]+", "_", text).strip("_").lower()
    return re.sub(r"_?(names?|title|label)$", "", text) or text


def role_of(header: str) -> str | None:
    """Return the role that a header names, whatever its column holds: dataset, algorithm, fold or replication.

    Examples
    --------
    >>> [role_of(each) for each in ("openml_task_id", "learner.id", "Framework", "accuracy", "split")]
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
