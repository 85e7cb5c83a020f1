"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Iterable

from tiebreak.verbs import COMPARE, COSTS, READ, TEST, WRITE, Column, Option

ALPHA = Option(
    name="alpha", flag="--alpha", kind="number", default=0.05, group=TEST, metavar="X", common=True,
    help="significance level (default 0.05)",
)  # fmt: skip
SEED = Option(
    name="seed", flag="--seed", kind="integer", default=0, group=TEST, metavar="N",
    help="seed of whatever is random (default 0)",
)  # fmt: skip
LEVEL = (ALPHA, SEED)

JSON = Option(
    name="json", flag="--json", kind="switch", common=True, web=False, argument=False,
    help="JSON on standard output, nothing else",
)  # fmt: skip
LATEX = Option(name="latex", flag="--latex", kind="switch", web=False, argument=False, help="print LaTeX, for a paper")
OUT = Option(
    name="out", flag="--out", short="-o", kind="out", metavar="FILE", common=True, web=False, argument=False,
    help="write there instead of to standard output; .md is written as Markdown, .tex as LaTeX, .json as JSON",
)  # fmt: skip
OUT_OR_PAGE = OUT.but(help=f"{OUT.help}, .html as a self-contained page")
FULL = Option(
    name="full", flag="--full", kind="switch", common=True, argument=False,
    help="everything: tests, reasons, caveats, references",
)  # fmt: skip
FORMS = (FULL, JSON, LATEX, OUT)

FIGURE = Option(
    name="figure", flag="--figure", kind="out", metavar="FILE", common=True, web=False, argument=False,
    help="also draw: .svg, .tex (TikZ), .pdf or .png; `tiebreak figure` draws other kinds and sizes",
)  # fmt: skip
_LOOKS = (
    Option(name="width", flag="--width", metavar="LENGTH", words=("column", "page"),
           help="of the figure: 84mm, 3.3in, 240pt, 390px, column (84 mm) or page (174 mm)"),
    Option(name="height", flag="--height", metavar="LENGTH", words=("any",),
           help="at most, of a figure with --width (usual: 200mm); any draws all algorithms"),
    Option(name="font_size", flag="--font-size", kind="number", metavar="PT",
           help="size of names, at least 6 (default 9, narrow 8)"),
    Option(name="theme", flag="--theme", metavar="THEME", words=("paper", "dark", "page", "auto"),
           help="paper (usual), dark, or .svg that follows: page (around it), auto (system)"),
    Option(name="no_notes", flag="--no-notes", kind="switch",
           help="no notes under the figure"),
    Option(name="top", flag="--top", kind="integer", metavar="N", common=True,
           help="draw the first N algorithms and count the rest"),
    Option(name="show", flag="--show", metavar="A,B", help="with --top: draw these as well"),
)  # fmt: skip
LOOKS = tuple(look.but(argument=False) for look in _LOOKS)


def drawn(kinds: str) -> tuple[Option, ...]:
    """Return the option that saves a figure, with the looks of it that the web offers; `kinds` names results."""
    kind = Option(
        name="figure_kind", flag="--figure-kind", metavar="KIND", words=f"figures {kinds}", cli=False, argument=False,
        help="{words}",
    )  # fmt: skip
    return (FIGURE, kind, *(look.but(cli=False) for look in LOOKS))


RESULTS = Option(
    name="results", kind="file", nargs="*", group=READ, metavar="RESULTS", common=True, words="published", web=False,
    help="csv, xlsx, ods, json, parquet, LaTeX, Markdown, HTML or text, in long or wide form; - is standard input;"
    " logs"
    " of Inspect, lm-eval, promptfoo, SWE-bench, HELM, Aider or OpenAI evals; folders of logs or tables;"
    " published:ulas2012 and published:demsar2006 come with the package (published: lists all). Reading options"
    " follow a ?, as in 'results.xlsx?sheet=May&transpose=yes'",
)  # fmt: skip
SCORE = Option(
    name="score", flag="--score", group=READ, metavar="NAME", common=True,
    help="the score to use, or the name of the only score of a wide table",
)  # fmt: skip
STORE = Option(
    name="store", flag="--store", group=READ, metavar="URL", web=False, argument=False,
    help="read a store instead: results.db, postgresql://...; after ? a choice: 'results.db?resampling=5x2cv&seed=1',"
    " also origin=NAME, unfinished=gaps, positive=CLASS, normalise_cost=hosts",
)  # fmt: skip
WHERE = Option(
    name="where", flag="--where", kind="texts", group=READ, metavar="CONDITION", common=True,
    help='only matching rows, such as "imputed == False" or "algorithm in A,B"; also !=, <, <=, >, >=; repeat it'
    " for more",
)  # fmt: skip
COLUMN = Option(
    name="columns", flag="--column", kind="texts", group=READ, metavar="ROLE=HEADER",
    help="which column plays which role, such as dataset=task, algorithm=framework, replication=seed; metric=HEADER"
    " names the metric of each data set's scores",
)  # fmt: skip
ITEM = Option(
    name="item", flag="--item", group=READ, metavar="HEADER", argument=False,
    help="models on the same items: the column that names these (question, task); one called item is detected",
)  # fmt: skip
CLUSTER = Option(
    name="cluster", flag="--cluster", group=READ, metavar="HEADER", argument=False,
    help="of items: the column of their cluster (document, repository, prompt); none ignores known ones",
)  # fmt: skip
ITEMS = (ITEM, CLUSTER)
HIGHER = Option(
    name="higher_is_better", flag="--higher-is-better", kind="switch", group=READ, common=True,
    help="needed if the direction of the score is unknown",
)  # fmt: skip
LOWER = Option(
    name="higher_is_better", flag="--lower-is-better", kind="switch", group=READ, common=True,
    help="the same for losses and errors",
)  # fmt: skip
DIRECTION = Option(
    name="higher_is_better", flag="--direction", kind="texts", group=READ, metavar="NAME=higher|lower",
    help="the same for one measure, or for one metric of the metric column; may be repeated",
)  # fmt: skip
WAYS = (HIGHER, LOWER)
TRANSPOSE = Option(
    name="transpose", flag="--transpose", kind="either", group=READ, common=True,
    help="the rows of a wide table are algorithms; with --no-transpose data sets; by default names and titles tell",
)  # fmt: skip
UNDERSTANDING = (
    TRANSPOSE,
    Option(name="keep_rows", flag="--keep-rows", kind="switch", default=False, group=READ, common=True,
           help="keep summary rows (average, rank, wins)"),
    Option(name="sheet", flag="--sheet", group=READ, metavar="NAME", common=True,
           help="the sheet of a workbook"),
    Option(name="table", flag="--table", group=READ, metavar="N", common=True,
           help="the table of a file with several, by number or caption"),
    Option(name="decimal", flag="--decimal", group=READ, metavar="MARK", words=(".", ","),
           help="the decimal mark, where numbers like 1,234 leave it open: . or ,"),
    Option(name="metric", flag="--metric", group=READ, metavar="NAME",
           help="of logs of evaluations: the metric to take"),
    Option(name="plain", flag="--plain", kind="switch", default=False, group=READ,
           help="read every cell as it is; no detection, nothing left out"),
    Option(name="normalise_cost", flag="--normalise-cost", group=READ, metavar="WAY", words=("hosts", "none"),
           argument=False,
           help="times of several hosts: hosts (on one scale) or none (as they are)"),
)  # fmt: skip
"""How a file is understood: options of `tiebreak read`. Elsewhere they follow the name of the file, as in
"results.csv?transpose=yes", and are fields of the web."""
PRICES = Option(
    name="prices", flag="--prices", kind="file", group=READ, metavar="FILE",
    help="of logs of evaluations: csv with model, input, output in dollars per million tokens, or the JSON of LiteLLM"
    " or OpenRouter",
)  # fmt: skip
OF_STORES = (
    Option(name="resampling", flag="--resampling", group=READ, metavar="TEXT",
           help="which resampling of a store that holds several"),
    Option(name="run_seed", flag="--run-seed", kind="integer", group=READ, metavar="N",
           help="the runs with this seed, where a store holds several"),
    Option(name="origin", flag="--origin", kind="texts", group=READ, metavar="NAME",
           help="whose results of a store: lab, or an import; several for several"),
    Option(name="unfinished", flag="--unfinished", group=READ, metavar="WAY", words=("leave-out", "gaps"),
           help="data sets of a store that are not run to the end: leave-out (default) or gaps"),
    Option(name="positive", flag="--positive", group=READ, metavar="CLASS",
           help="of a store: the positive class of scores that are made from confusion matrices, such as tpr"),
)  # fmt: skip
"""What of a store: on the command line it follows the address, as in "results.db?seed=1"; fields of the web."""
PARTS = (
    Option(name="datasets", flag="--datasets", group=COMPARE, metavar="A,B", help="only these data sets"),
    Option(name="algorithms", flag="--algorithms", group=COMPARE, metavar="A,B", help="only these algorithms"),
)
"""Parts of a table: on the command line conditions, as in --where "algorithm in A,B"; fields of the web."""


def of_web(options: Iterable[Option]) -> tuple[Option, ...]:
    """Return options as fields of the web alone."""
    return tuple(option.but(cli=False, argument=False, common=False) for option in options)


OF_WEB = of_web((*UNDERSTANDING, *PARTS))
"""What only the web has as options: the command line says it in addresses and conditions."""
TABLE = (RESULTS, STORE, WHERE, SCORE, COLUMN, *WAYS, *OF_WEB, *of_web(OF_STORES))
"""How every verb of a table of results reads it."""


def missing(verb: str) -> Option:
    """Return the option for gaps, with the policies that the verb takes."""
    return Option(
        name="missing", flag="--missing", default="auto", group=COMPARE, metavar="POLICY", words=f"policies {verb}",
        common=True, help="gaps: {words}",
    )  # fmt: skip


MISSING_COSTS = Option(
    name="missing_costs", flag="--missing-costs", default="refuse", group=COSTS, metavar="POLICY",
    words="policies costs", help="costs that are missing: {words}",
)  # fmt: skip
OMNIBUS = Option(
    name="omnibus", flag="--omnibus", group=TEST, metavar="TEST", words="methods compare omnibus",
    help="of all algorithms together: {words}; default: friedman",
)  # fmt: skip
PAIRWISE = Option(
    name="pairwise", flag="--pairwise", group=TEST, metavar="TEST", words="methods compare pairs",
    help="the test of pairs: {words}; default: wilcoxon",
)  # fmt: skip
POSTHOC = Option(
    name="posthoc", flag="--posthoc", group=TEST, metavar="TEST", words="methods compare correction posthoc",
    help="a correction or a test with its own: {words}; default: bergmann-hommel or shaffer, holm against a control",
)  # fmt: skip
CONTROL = Option(
    name="control", flag="--control", group=COMPARE, metavar="NAME", common=True,
    help="compare this algorithm with all others",
)  # fmt: skip
SCALE = Option(
    name="scale", flag="--scale", default="auto", group=TEST, metavar="KIND",
    words=("auto", "as-is", "distance"),
    help="the scale of scores over data sets: as-is or distance; auto (default): distance where metrics or scales"
    " differ, else as-is",
)  # fmt: skip

COST = Option(
    name="cost", flag="--cost", kind="texts", group=COSTS, metavar="NAME", common=True,
    help="the cost; several times with worth: --cost price=1%% ...",
)  # fmt: skip
COST_FILE = Option(
    name="costs", flag="--costs", kind="file", group=COSTS, metavar="FILE", argument=False,
    help="a second file with costs per data set and algorithm",
)  # fmt: skip
PRIOR = Option(
    name="prior", flag="--prior", kind="names", group=COSTS, metavar="A,B,C",
    help="the order to use instead of costs, cheapest first",
)  # fmt: skip
TRADE = Option(
    name="trade", flag="--trade", group=COSTS, metavar="X", common=True,
    help="what ten times the cost must buy: 1%% of the score (default) or 0.5pt",
)  # fmt: skip
ACCD = Option(
    name="accd", flag="--accd", kind="number", group=COSTS, metavar="X",
    help="the same as in the papers: --accd 0.01 is --trade 1%%",
)  # fmt: skip
RULE = Option(
    name="rule", flag="--rule", group=COSTS, metavar="RULE", words=("worth", "multitest", "multi2test"), common=True,
    help="worth (default), multitest (Yildiz, Alpaydin 2006) or multi2test (Ulas, Yildiz, Alpaydin 2012)",
)  # fmt: skip
VARIANT = Option(
    name="variant", flag="--variant", group=COSTS, metavar="YEAR", words=("2012", "2008"),
    help="2012 or 2008: the published variants of Multi2Test",
)  # fmt: skip
DATASET = Option(name="dataset", flag="--dataset", group=COMPARE, metavar="NAME", help="only this data set")
EXPLAIN = Option(
    name="explain", flag="--explain", group=WRITE, metavar="A,B", common=True, argument=False,
    help="explain why one stands before the other",
)  # fmt: skip
TITLE = Option(name="name", flag="--title", metavar="TEXT", help="the title")
JOBS = Option(name="jobs", flag="--jobs", kind="integer", metavar="N", help="cells at a time; default: the cores")

PLACE = Column("place", "1 is the best")
ALGORITHM = Column("algorithm", "its name", text=True)
LOSS = (
    Column("loss", "how much worse than the best score, with its interval", "loss vs best"),
    Column("loss_low", "lower end of the interval of the loss", shown="rows"),
    Column("loss_high", "its upper end", shown="rows"),
)
ENDS = (
    Column("low", "lower end of the interval", shown="rows"),
    Column("high", "its upper end", shown="rows"),
)
GROUP = Column("group", "no significant difference between those that share a letter", text=True)
REASON = Column("reason", "why it has its place", shown="full", text=True)
PAIRS = (
    Column("a", "first of a pair", shown="full", text=True),
    Column("b", "second of a pair", shown="full", text=True),
    Column("better", "the significantly better one of a pair", shown="full", text=True),
    Column("pvalue", "p-value of its test", "p", shown="full"),
    Column("adjusted", "the same after the correction", "adjusted p", shown="full"),
)
"""Columns of tables of pairs, which `pairs` of JSON has as data."""


def without(options: Iterable[Option], *flags: str) -> tuple[Option, ...]:
    """Return options without those of some flags."""
    return tuple(option for option in options if option.flag not in flags)
