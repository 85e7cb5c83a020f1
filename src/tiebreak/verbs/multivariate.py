"""`tiebreak multivariate`: who differs from whom by several measures at once."""

from __future__ import annotations

from tiebreak.verbs import ANSWERED, COSTS, READ, TEST, Column, Offer, Option, Verb, groups as g

VERB = Verb(
    name="multivariate",
    help="who differs by several measures at once, such as tpr and fpr",
    description="Compare algorithms by several measures at once: MANOVA, Hotelling's test, learned measures.",
    takes="[RESULTS ...]",
    function="tiebreak.multivariate",
    result="tiebreak.multivariate_tests.MultivariateComparison",
    offer=Offer(
        fields=(*ANSWERED, "page"), text="Who differs by several measures at once.",
        tool="Say which algorithms differ by several measures at once, such as tpr and fpr.",
    ),
    options=(
        g.RESULTS,
        g.STORE,
        g.WHERE,
        Option(
            name="scores", flag="--scores", kind="names", group=READ, metavar="A,B", common=True, required=True,
            help="the measures, such as tpr,fpr or precision,recall; made from tp, fp, tn, fn where the table holds"
            " those",
        ),
        g.COLUMN,
        *g.WAYS,
        g.DIRECTION,
        *g.OF_WEB,
        *g.of_web(g.without(g.OF_STORES, "--positive")),
        Option(
            name="positive", flag="--positive", group=READ, metavar="CLASS",
            help="the positive class of confusion matrices",
        ),
        Option(
            name="average", flag="--average", default="binary", group=READ, metavar="KIND",
            words=("binary", "macro"),
            help="of confusion matrices: the positive class (binary, default), or means over all classes (macro)",
        ),
        g.DATASET.but(common=True),
        g.missing("multivariate"),
        *g.LEVEL,
        Option(
            name="test", flag="--test", default="normal", group=TEST, metavar="KIND",
            words=("normal", "permutation"),
            help="normal theory (default), or permutation",
        ),
        Option(
            name="resampling_correction", flag="--resampling-correction", default="auto", group=TEST, metavar="KIND",
            words=("auto", "none"),
            help="auto (default): tests that fit the folds, which share training data; none: folds count as"
            " independent",
        ),
        Option(
            name="test_share", flag="--test-share", kind="number", group=TEST, metavar="SHARE",
            help="share of the examples tested on, such as 0.33; needed for repeated hold-out, else 1/folds",
        ),
        Option(
            name="blocked", flag="--one-way", kind="switch", group=TEST,
            help="as published: as if algorithms had separate folds",
        ),
        Option(
            name="statistic", flag="--statistic", cli=False, default="bartlett", group=TEST, metavar="NAME",
            words=("bartlett", "wilks", "pillai", "hotelling-lawley", "roy"),
            help="bartlett (default; Wilks by chi-squared), wilks (by Rao's F), pillai, hotelling-lawley or roy",
        ),
        Option(
            name="adjust", flag="--posthoc", default="holm", group=TEST, metavar="CORRECTION",
            words="methods multivariate correction", help="over pairs: {words}; default holm",
        ),
        g.COST.but(
            kind="text", group=COSTS, help="also order by dominance where the test rejects, else by this cost"
        ),
        g.PRIOR.but(help="also order, by this order instead of a cost"),
        g.FULL,
        g.JSON,
        g.LATEX,
        g.OUT_OR_PAGE,
        *g.drawn("MultivariateComparison"),
    ),
    columns=(
        g.ALGORITHM,
        Column("{measure}", "mean of a measure over folds and data sets"),
        Column("clique", "no significant difference between those that share a letter", text=True),
        *g.PAIRS[:3],
        Column("statistic", "the statistic of its test", shown="full"),
        *g.PAIRS[3:],
        Column("sets", "data sets on which a pair differs", "data sets", shown="full"),
    ),
    examples=(
        "examples/breast_cancer.csv --scores tpr,fpr",
        "examples/breast_cancer.csv --scores precision,recall --prior nb,5nn,lda,c45,svl -o measures.txt",
    ),
)  # fmt: skip
