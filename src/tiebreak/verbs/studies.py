"""`tiebreak study NAME`: every study is a record of its own, as each has its own options."""

from __future__ import annotations

from tiebreak.verbs import groups as g
from tiebreak.verbs.recommend import BASE, META, ORIGINS, PAST_SCORE, TIME
from tiebreak.verbs.records import COMPARE, COSTS, READ, TEST, WRITE, Option, Verb

SIMULATE = "what to simulate"
TITLES = (READ, COMPARE, SIMULATE, TEST, COSTS, WRITE)
OUT = g.OUT.but(
    help="write there instead of to standard output; into FOLDER/ everything: text, Markdown, JSON, CSV, figures"
)
_END = (g.JSON, g.LATEX, OUT)
_PAST = (
    BASE,
    Option(name="results", flag="--results", kind="files", group=READ, metavar="FILE", words="published",
           help="study a table of results instead; or published:NAME"),
    PAST_SCORE,
    TIME,
    *(each.but(common=False) for each in g.WAYS),
    g.COLUMN.but(help="such as dataset=task"),
    g.WHERE.but(common=False, help='rows to keep, such as "imputed == False"'),
    META,
    ORIGINS,
)  # fmt: skip
_SOURCES = tuple(each.but(group=READ) for each in _PAST)
METHODS = Option(
    name="methods", flag="--methods", kind="names", group=TEST, metavar="A,B", words="methods - ranking", common=True,
    help="{words}; default: all that the base can serve",
)  # fmt: skip
DATASETS = Option(
    name="n_datasets", flag="--datasets", kind="integer", default=30, group=SIMULATE, metavar="N", common=True,
    help="data sets in a table (default 30)",
)  # fmt: skip
ALGORITHMS = Option(
    name="n_algorithms", flag="--algorithms", kind="integer", default=6, group=SIMULATE, metavar="N", common=True,
    help="algorithms in a table (default 6)",
)  # fmt: skip
REPEATS = Option(
    name="repetitions", flag="--repetitions", short="--repeats", kind="integer", default=2000, group=SIMULATE,
    metavar="N", common=True, help="simulated tables (default 2000)",
)  # fmt: skip
NOISE = Option(
    name="noises", flag="--noise", kind="texts", group=SIMULATE, metavar="NAME", common=True,
    words=("normal", "skewed", "heavy", "tied", "unequal", "crowd", "0/1"),
    help="normal, skewed, heavy, tied, unequal, crowd or 0/1; may be given several times; default: all",
)  # fmt: skip


def _figure(kinds: str = "", *, several: bool = False) -> tuple[Option, ...]:
    """Return the option that saves a figure; studies with several kinds of figures have one for the kind."""
    figure, kind, *looks = g.drawn(kinds)
    return (figure.but(help="also draw: .svg, .tex (TikZ), .pdf or .png"), kind.but(cli=several), *looks)


ERROR_RATES = Verb(
    name="study error-rates",
    help="family-wise error and power of every procedure, simulated",
    description="Family-wise error and power of every procedure, simulated",
    titles=TITLES,
    function="tiebreak.studies.error_rates",
    run="studies:error_rates",
    options=(*g.LEVEL, DATASETS, ALGORITHMS, REPEATS, NOISE, *_END),
    examples=(
        "--algorithms 3 --repetitions 5 --noise normal",
        "--datasets 12 --algorithms 3 --repetitions 5 --noise tied --latex",
    ),
)
MEASURES = Verb(
    name="study measures",
    help="do several measures at once find more than a single one?",
    description="Do several measures at once find more than a single one?",
    titles=TITLES,
    function="tiebreak.studies.measure_study",
    run="studies:measures",
    options=(
        *g.LEVEL,
        Option(name="data", flag="--data", kind="texts", group=COMPARE, metavar="REFERENCE", common=True,
               help="data sets as in a plan; default: real built-in ones"),
        Option(name="algorithms", flag="--algorithm", kind="texts", group=COMPARE, metavar="NAME", common=True,
               help="default: eight quick ones"),
        Option(name="resampling", flag="--resampling", default="5x10cv", group=COMPARE, metavar="TEXT", common=True,
               help="default 5x10cv"),
        Option(name="tests", flag="--tests", kind="texts", group=TEST, metavar="KIND",
               words=("corrected", "replications", "independent"),
               help="corrected, replications or independent; may be given several times; default: the first two"),
        Option(name="store", flag="--store", group=WRITE, metavar="URL",
               help="keep the runs there, and use what it holds"),
        g.JOBS.but(group=COMPARE),
        *_END,
    ),
    examples=(
        "--data builtin:breast_cancer --algorithm lda --algorithm nb --resampling 2x5cv",
        "--data builtin:breast_cancer --algorithm lda --algorithm nb --resampling 5x2cv --json",
    ),
)  # fmt: skip
ADVISOR = Verb(
    name="study advisor",
    help="are rankings recommended from similar data sets worth following?",
    description="Are rankings recommended from similar data sets worth following?",
    titles=TITLES,
    function="tiebreak.studies.evaluate_advisor",
    run="studies:advisor",
    options=(
        g.SEED,
        *_SOURCES,
        Option(name="measures", flag="--measures", kind="names", group=TEST, metavar="A,B", common=True,
               help="which measures, also a/b, log(a) and groups such as landmarkers, or all; default: the paper's,"
               " else all"),
        METHODS.but(help="{words}; default arr,mean-rank"),
        Option(name="accds", flag="--accd", default="0.001,0.01,0.1", group=TEST, metavar="X,Y",
               help="accuracy traded for ten times the speed"),
        Option(name="neighbours", flag="--neighbours", default="1,5", group=TEST, metavar="K,L", common=True,
               help="numbers of neighbours (default 1,5)"),
        Option(name="single_best", flag="--single-best", default="accuracy", group=TEST, metavar="RULE",
               words=("accuracy", "mean-rank"),
               help="the single best on average: by mean accuracy on other data sets (default), or mean-rank"),
        Option(name="alpha", flag="--dunn-alpha", kind="number", default=0.25, group=TEST, metavar="X",
               help="overall level of Dunn's test (default 0.25)"),
        *_figure("TopN AccdCurve AttributeAgainstRank CharacteristicsByBest ranking-methods", several=True),
        *_END,
    ),
    examples=("--measures n_examples,n_classes", "--methods arr,wins --neighbours 3 --figure top.svg"),
)  # fmt: skip
ADVICE = Verb(
    name="study advice",
    help="what does following advice cost on data left out, beside simpler ways?",
    description="What does following advice cost on data left out, beside simpler ways?",
    titles=TITLES,
    function="tiebreak.studies.study_advice",
    run="studies:advice",
    options=(
        g.SEED,
        BASE.but(group=READ),
        METHODS,
        Option(name="always", flag="--always", default="rf", group=TEST, metavar="NAME", common=True,
               help="the algorithm that is always chosen, to compare with (rf)"),
        Option(name="fixed", flag="--fixed", kind="names", default="rf,boost,svr", group=TEST, metavar="A,B,C",
               common=True, help="the fixed list to compare with (rf,boost,svr)"),
        *_figure("TopN"),
        *_END,
    ),
    examples=("--methods portfolio", "--methods portfolio,mean-rank --always svr --figure advice.svg"),
)  # fmt: skip
ORDERS = Verb(
    name="study orders",
    help="which orders are found as true errors move apart?",
    description="Which orders are found as true errors move apart?",
    titles=TITLES,
    function="tiebreak.studies.order_shares",
    run="studies:orders",
    options=(
        *g.LEVEL,
        Option(name="repeats", flag="--repeats", kind="integer", default=1000, group=SIMULATE, metavar="N",
               common=True, help="runs at each step (default 1000)"),
        Option(name="steps", flag="--steps", kind="integer", default=11, group=SIMULATE, metavar="N", common=True,
               help="steps of l, from 0 to the largest (default 11)"),
        Option(name="largest", flag="--largest", kind="number", default=0.1, group=SIMULATE, metavar="X",
               help="the last l, at most 0.15 (default 0.1)"),
        Option(name="n_examples", flag="--examples", kind="integer", default=100, group=SIMULATE, metavar="N",
               help="draws that the error of a fold is a mean of (default 100)"),
        DATASETS.but(help="data sets of Multi2Test and of scores (default 30)"),
        g.JOBS.but(group=SIMULATE, help="threads; default: the cores. The result does not depend on it"),
        Option(name="pairwise", flag="--pairwise", default="5x2cv-f", group=TEST, metavar="TEST", words="fold-tests",
               help="inside a data set: {words}; default: 5x2cv-f"),
        Option(name="inner_adjust", flag="--inner-adjust", default="bergmann-hommel", group=TEST, metavar="NAME",
               words="methods order correction", help="inside a data set: {words}; default: bergmann-hommel"),
        Option(name="posthoc", flag="--posthoc", default="bergmann-hommel", group=TEST, metavar="NAME",
               words="methods order correction posthoc",
               help="over data sets: the same, or nemenyi; default: bergmann-hommel"),
        *_figure("OrderShares"),
        *_END,
    ),
    examples=(
        "--repeats 100 --steps 5 --figure orders.svg",
        "--repeats 100 --steps 5 --inner-adjust none --posthoc nemenyi --json",
    ),
)  # fmt: skip
CHOICES = Verb(
    name="study choices",
    help="what does a choice lose on other data, and is that stated rightly?",
    description="What does a choice lose on other data, and is that stated rightly?",
    takes="[RESULTS ...]",
    titles=TITLES,
    function="tiebreak.studies.study_choices",
    run="studies:choices",
    options=(
        *g.TABLE,
        *g.ITEMS,
        g.SEED,
        g.COST.but(kind="text", help="the cost; without one, costs are drawn"),
        Option(name="sizes", flag="--sizes", group=SIMULATE, metavar="A,B,C", common=True,
               help="data sets to choose on (default 8,12,20,42); without a table items (default 100,300,1000,10000)"),
        REPEATS.but(default=200, help="draws for each size (default 200)"),
        *_END,
    ),
    examples=(
        "examples/ulas2012.csv --score accuracy --cost train_time --sizes 8,20 --repetitions 20",
        "--sizes 100 --repetitions 5 --json",
    ),
)  # fmt: skip
VALIDATION = Verb(
    name="study validation",
    help="do orders found on validation folds come out again on held-out data?",
    description="Do orders found on validation folds come out again on held-out data?",
    titles=TITLES,
    function="tiebreak.studies.validation_study",
    run="studies:validation",
    options=(
        Option(name="results", kind="file", nargs="?", group=READ, metavar="RESULTS", common=True,
               help="a store, or a table with a score on the validation folds and on the held-out part, fold by fold;"
               " 'results.db?resampling=5x2cv&seed=1' chooses of a store"),
        g.SCORE.but(default="accuracy", help="on the validation folds (default accuracy)"),
        Option(name="held_out", flag="--held-out", group=READ, metavar="NAME", common=True,
               help="on the held-out part (default: the same with test_ before)"),
        *g.WAYS,
        g.COST.but(name="costs", group=READ,
                   help="several times for several; default: train_time, and space, model_bytes or predict_time"),
        g.WHERE,
        g.missing("study").but(default="drop-datasets",
                               help="what is left out where a score is missing: drop-datasets (default),"
                               " drop-algorithms or drop-folds"),
        *g.LEVEL,
        Option(name="tests", flag="--fold-tests", kind="names", group=TEST, metavar="A,B", common=True,
               help="tests of MultiTest, such as 5x2cv-f,corrected-t; default: all that the folds allow"),
        Option(name="inner_adjust", flag="--inner-adjust", kind="names", group=TEST, metavar="A,B",
               words="methods order correction",
               help="corrections inside a data set: {words}; default none,bergmann-hommel"),
        *_END,
    ),
    examples=(
        "examples/held_out.csv --fold-tests 5x2cv-f",
        "examples/held_out.csv --fold-tests 5x2cv-f --inner-adjust none --cost train_time --json",
    ),
)  # fmt: skip
ULAS2012 = Verb(
    name="study ulas2012",
    help="does the published experiment come out again?",
    description="Does the published experiment come out again?",
    titles=TITLES,
    function="tiebreak.studies.ulas2012_study",
    run="studies:ulas2012",
    options=(
        Option(name="folder", kind="folder", nargs="?", group=READ, metavar="DIR", common=True,
               help="a folder of data files, named as in the paper; default: iris, wine, balance, monks, tictactoe and"
               " titanic, which need no file"),
        *g.LEVEL,
        Option(name="full", flag="--full", kind="switch", default=False, group=COMPARE, common=True,
               help="all data sets of the folder, 30 CPU minutes for all 38 of the paper; default: those of up to 1,000"
               " rows"),
        Option(name="datasets", flag="--datasets", kind="names", group=COMPARE, metavar="A,B", common=True,
               help="only these, whatever their size"),
        Option(name="algorithms", flag="--algorithms", kind="names", group=COMPARE, metavar="A,B", common=True,
               help="only these of c45, mdt, mlp, lnp, svl, sv2, svr and 5nn"),
        Option(name="coef0", flag="--coef0", kind="integer", default=0, group=COMPARE, metavar="N",
               help="of the kernel of sv2, (gamma x.y + coef0)^2: 0 (default, fits the printed accuracies) or 1"),
        g.JOBS.but(group=COMPARE),
        Option(name="store", flag="--store", default="ulas2012.db", group=WRITE, metavar="URL",
               help="keep the runs there, and run only what it lacks (default ulas2012.db)"),
        Option(name="no_run", flag="--no-run", kind="switch", group=WRITE,
               help="run nothing; read what the store holds"),
        *_END,
    ),
    examples=(
        "--datasets iris --algorithms c45,5nn --store few.db",
        "--datasets iris --algorithms c45,5nn --store few.db --no-run --json",
    ),
)  # fmt: skip
WINS = Verb(
    name="study wins",
    help="who beats whom on how many data sets, by averages and significantly, and is that more than chance?",
    description="Who beats whom on how many data sets, by averages and significantly, and is that more than chance?",
    takes="[RESULTS ...]",
    titles=TITLES,
    function="tiebreak.studies.win_matrices",
    run="studies:wins",
    options=(
        *g.TABLE,
        *g.LEVEL,
        g.missing("study"),
        Option(name="win_test", flag="--win-test", default="auto", group=TEST, metavar="TEST",
               words=("auto", "5x2cv-f", "5x2cv-t", "corrected-t", "kfold-t"),
               help="what calls a win significant: 5x2cv-f, 5x2cv-t, corrected-t, kfold-t, or auto (default): what fits"
               " the folds"),
        Option(name="win_ties", flag="--win-ties", default="split", group=TEST, metavar="WAY",
               words=("split", "drop"), help="data sets without a win: split (default) or drop"),
        Option(name="posthoc", flag="--posthoc", default="none", group=TEST, metavar="NAME",
               words="methods compare correction", help="correction for the number of pairs: {words}"),
        *_END,
    ),
    examples=("--win-ties drop", "examples/demsar2006.csv --score auc --posthoc holm --latex"),
)  # fmt: skip
REPLICABILITY = Verb(
    name="study replicability",
    help="how often does each test reject, and would it decide alike on other data sets?",
    description="How often does each test reject, and would it decide alike on other data sets?",
    takes="[RESULTS ...]",
    titles=TITLES,
    function="tiebreak.studies.replicability",
    run="studies:replicability",
    options=(
        *g.TABLE,
        Option(name="pair", flag="--pair", kind="names", group=COMPARE, metavar="A,B", common=True,
               help="the algorithm that the draw favours, also the control, and another; default: the mean over all"
               " pairs"),
        g.missing("study"),
        *g.LEVEL,
        Option(name="by", flag="--by", default="pair", group=TEST, metavar="KIND", words=("pair", "others"),
               help="the difference that draws go by: pair (default), or others: of A and the mean of all others"),
        Option(name="biases", flag="--bias", group=TEST, metavar="X,Y", common=True,
               help="values of the bias; default: 0,2,...,20, or 0,0.2,...,2 in deviations"),
        Option(name="unit", flag="--unit", default="auto", group=TEST, metavar="UNIT",
               words=("auto", "share", "deviation"),
               help="of differences: share (of 1, as in the source), deviation, or auto (default): share where scores"
               " are shares"),
        Option(name="drawn", flag="--drawn", kind="integer", default=10, group=TEST, metavar="N",
               help="data sets in a draw (default 10)"),
        Option(name="repeats", flag="--repeats", kind="integer", default=1000, group=TEST, metavar="N", common=True,
               help="draws at each bias (default 1000)"),
        Option(name="corrections", flag="--corrections", kind="names", group=TEST, metavar="A,B",
               words=("holm", "shaffer", "hochberg", "hommel"),
               help="corrections after tests of pairs; default: holm,shaffer,hochberg,hommel"),
        g.JOBS.but(group=TEST, help="pairs at a time; default: the cores; numbers do not depend on it"),
        *_figure("Replicability"),
        Option(name="question", flag="--question", default="two", group=WRITE, metavar="NAME",
               words=("two", "together", "pairs", "control"),
               help="tests of the figure: two (default), together, pairs, control"),
        *_END,
    ),
    examples=(
        "--pair svl,c45 --bias 0,10,20 --repeats 100 --figure power.svg",
        "examples/demsar2006.csv --score auc --drawn 7 --repeats 50 --json",
    ),
)  # fmt: skip

STUDIES = {
    each.name.removeprefix("study "): each
    for each in (
        ERROR_RATES, MEASURES, ADVISOR, ADVICE, ORDERS, CHOICES, VALIDATION, ULAS2012, WINS, REPLICABILITY
    )
}  # fmt: skip
"""Every study, by the name behind `tiebreak study`."""
