"""`tiebreak study NAME`: every study is a record of its own, as each has its own options."""

from __future__ import annotations

from tiebreak.verbs import COMPARE, COSTS, READ, TEST, WRITE, Option, Verb, groups as g
from tiebreak.verbs.recommend import BASE

SIMULATE = "what to simulate"
TITLES = (READ, COMPARE, SIMULATE, TEST, COSTS, WRITE)
_END = (g.JSON, g.OUT)
_TABLE = (g.RESULTS, g.SCORE, *g.WAYS, *g.OF_WEB)
_SEED = g.SEED.but(group=SIMULATE)
FIGURE = g.FIGURE.but(help="also draw: .svg, .tex (TikZ), .pdf or .png")
METHODS = Option(
    name="methods", flag="--methods", kind="names", group=TEST, metavar="A,B", words="methods - ranking", common=True,
    help="{words}; default: all that the base can serve",
)  # fmt: skip
REPEATS = Option(
    name="repeats", flag="--repeats", kind="integer", default=1000, group=SIMULATE, metavar="N", common=True,
    help="simulated runs (default 1000)",
)  # fmt: skip
REPETITIONS = REPEATS.but(
    name="repetitions", flag="--repetitions", short="--repeats", default=2000, help="simulated tables (default 2000)"
)


def _study(name: str, help: str, function: str, *options: Option, examples: tuple[str, ...], takes: str = "") -> Verb:
    return Verb(
        name=f"study {name}", help=help, description=help, takes=takes, titles=TITLES, options=(*options, *_END),
        function=f"tiebreak.studies.{function}", examples=examples,
    )  # fmt: skip


ERROR_RATES = _study(
    "error-rates",
    "family-wise error and power of every procedure, simulated",
    "error_rates",
    g.ALPHA,
    Option(name="n_datasets", flag="--datasets", kind="integer", default=30, group=SIMULATE, metavar="N", common=True,
           help="data sets in a table (default 30)"),
    Option(name="n_algorithms", flag="--algorithms", kind="integer", default=6, group=SIMULATE, metavar="N",
           common=True, help="algorithms in a table (default 6)"),
    REPETITIONS,
    Option(name="noises", flag="--noise", kind="texts", group=SIMULATE, metavar="NAME", common=True,
           words=("normal", "skewed", "heavy", "tied", "unequal", "crowd", "0/1"),
           help="normal, skewed, heavy, tied, unequal, crowd or 0/1; may be given several times; default: all"),
    _SEED,
    examples=(
        "--algorithms 3 --repetitions 5 --noise normal",
        "--datasets 12 --algorithms 3 --repetitions 5 --noise tied -o rates.tex",
    ),
)  # fmt: skip
MEASURES = _study(
    "measures",
    "do several measures find more differences than one?",
    "measure_study",
    Option(name="data", flag="--data", kind="texts", group=COMPARE, metavar="REFERENCE", common=True,
           help="data sets as in a plan; default: real built-in ones"),
    Option(name="algorithms", flag="--algorithm", kind="texts", group=COMPARE, metavar="NAME", common=True,
           help="default: eight quick ones"),
    _SEED,
    examples=(
        "--data builtin:breast_cancer --algorithm lda --algorithm nb",
        "--data builtin:breast_cancer --algorithm lda --algorithm nb --json",
    ),
)  # fmt: skip
ADVISOR = _study(
    "advisor",
    "how well do recommended rankings agree with measured ones?",
    "evaluate_advisor",
    BASE.but(group=READ),
    METHODS.but(help="{words}; default arr,mean-rank"),
    FIGURE,
    _SEED,
    examples=("--methods arr", "--methods arr,wins --figure top.svg"),
)  # fmt: skip
ADVICE = _study(
    "advice",
    "what does a recommendation lose on held-out data?",
    "study_advice",
    BASE.but(group=READ),
    METHODS,
    FIGURE,
    _SEED,
    examples=("--methods portfolio", "--methods portfolio,mean-rank --figure advice.svg"),
)  # fmt: skip
ORDERS = _study(
    "orders",
    "which orders are found as true errors move apart?",
    "order_shares",
    REPEATS.but(help="runs at each step (default 1000)"),
    FIGURE,
    _SEED,
    examples=("--repeats 20 --figure orders.svg", "--repeats 20 --json"),
)  # fmt: skip
CHOICES = _study(
    "choices",
    "what does a choice lose on other data?",
    "study_choices",
    *_TABLE,
    g.COST.but(kind="text", help="the cost; without one, costs are drawn"),
    Option(name="sizes", flag="--sizes", kind="numbers", group=SIMULATE, metavar="A,B,C", common=True,
           help="data sets to choose on (default 8,12,20,42); without a table items (default 100,300,1000,10000)"),
    REPETITIONS.but(default=200, help="draws for each size (default 200)"),
    _SEED,
    takes="[RESULTS ...]",
    examples=(
        "examples/ulas2012.csv --score accuracy --cost train_time --sizes 8,20 --repetitions 20",
        "--sizes 100 --repetitions 5 --json",
    ),
)  # fmt: skip
VALIDATION = _study(
    "validation",
    "does an order on validation folds hold on held-out data?",
    "validation_study",
    Option(name="results", kind="file", nargs="?", group=READ, metavar="RESULTS", common=True,
           help="a store, or a table with a score on the validation folds and on the held-out part, fold by fold: the"
           " same name with test_ before; 'results.db?resampling=5x2cv&seed=1' chooses of a store"),
    g.SCORE.but(default="accuracy", help="on the validation folds (default accuracy)"),
    *g.WAYS,
    g.COST.but(name="costs", group=READ,
               help="several times for several; default: train_time, and space, model_bytes or predict_time"),
    Option(name="tests", flag="--fold-tests", kind="names", group=TEST, metavar="A,B", common=True,
           help="tests of MultiTest, such as 5x2cv-f,corrected-t; default: chosen by the folds"),
    examples=(
        "examples/held_out.csv --fold-tests 5x2cv-f",
        "examples/held_out.csv --fold-tests 5x2cv-f --cost train_time --json",
    ),
)  # fmt: skip
ULAS2012 = _study(
    "ulas2012",
    "does the published experiment repeat?",
    "ulas2012_study",
    Option(name="folder", kind="folder", nargs="?", group=READ, metavar="DIR", common=True,
           help="a folder of data files, named as in the paper; default: iris, wine, balance, monks, tictactoe and"
           " titanic, which need no file"),
    Option(name="full", flag="--full", kind="switch", default=False, group=COMPARE, common=True,
           help="all data sets of the folder, 30 CPU minutes for all 38 of the paper; default: those of up to 1,000"
           " rows"),
    Option(name="datasets", flag="--datasets", kind="names", group=COMPARE, metavar="A,B", common=True,
           help="only these, whatever their size"),
    Option(name="algorithms", flag="--algorithms", kind="names", group=COMPARE, metavar="A,B", common=True,
           help="only these of c45, mdt, mlp, lnp, svl, sv2, svr and 5nn"),
    Option(name="store", flag="--store", default="ulas2012.db", group=WRITE, metavar="URL", common=True,
           help="keep the runs there, and run only what it lacks (default ulas2012.db)"),
    Option(name="no_run", flag="--no-run", kind="switch", group=WRITE,
           help="run nothing; read what the store holds"),
    _SEED,
    examples=(
        "--datasets iris --algorithms c45,5nn --store few.db",
        "--datasets iris --algorithms c45,5nn --store few.db --no-run --json",
    ),
)  # fmt: skip
WINS = _study(
    "wins",
    "on how many data sets does one algorithm beat another?",
    "win_matrices",
    *_TABLE,
    g.WHERE,
    Option(name="win_test", flag="--win-test", default="auto", group=TEST, metavar="TEST",
           words=("auto", "5x2cv-f", "5x2cv-t", "corrected-t", "kfold-t"),
           help="what calls a win significant: 5x2cv-f, 5x2cv-t, corrected-t, kfold-t, or auto (default): what fits"
           " the folds"),
    Option(name="win_ties", flag="--win-ties", default="split", group=TEST, metavar="WAY", common=True,
           words=("split", "drop"), help="data sets without a win: split (default) or drop"),
    takes="[RESULTS ...]",
    examples=("--win-ties drop", "examples/demsar2006.csv --score auc --json"),
)  # fmt: skip
REPLICABILITY = _study(
    "replicability",
    "do tests decide alike on other data sets?",
    "replicability",
    *_TABLE,
    Option(name="pair", flag="--pair", kind="names", group=COMPARE, metavar="A,B", common=True,
           help="the algorithm that the draw favours, also the control, and another; default: the mean over all"
           " pairs"),
    Option(name="biases", flag="--bias", kind="numbers", group=TEST, metavar="X,Y", common=True,
           help="values of the bias; default: 0,2,...,20, or 0,0.2,...,2 in deviations"),
    REPEATS.but(help="draws at each bias (default 1000)"),
    FIGURE,
    Option(name="question", flag="--question", default="two", group=WRITE, metavar="NAME",
           words=("two", "together", "pairs", "control"), strict=True,
           help="tests of the figure: two (default), together, pairs, control"),
    _SEED,
    takes="[RESULTS ...]",
    examples=(
        "--pair svl,c45 --bias 0,10,20 --repeats 100 --figure power.svg",
        "examples/demsar2006.csv --score auc --repeats 50 --json",
    ),
)  # fmt: skip

STUDIES = {
    verb.name.removeprefix("study "): verb
    for verb in (
        ERROR_RATES, MEASURES, ADVISOR, ADVICE, ORDERS, CHOICES, VALIDATION, ULAS2012, WINS, REPLICABILITY
    )
}  # fmt: skip
"""Every study, by the name behind `tiebreak study`."""
