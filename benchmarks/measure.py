"""The benchmarks themselves; run inside the environment that `run.py` makes."""

from __future__ import annotations

import importlib.metadata
import itertools
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import workloads

HOME = Path(__file__).parent.parent / ".bench"
VERSIONS = (
    *("tiebreak", "numpy", "scipy", "polars", "scikit-posthocs", "autorank", "aeon", "baycomp", "statsmodels"),
    *("pingouin", "pymfe"),
)
NONE = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A bound on our time (`limit`, in seconds) or on the ratio of our time to the peer's."""

    words: str
    limit: float = float("inf")
    ratio: float = float("inf")

    def met(self, ours: float, theirs: float) -> bool:
        """Say whether both bounds hold."""
        return ours < self.limit and (self.ratio == float("inf") or ours / theirs <= self.ratio)


def within(limit: float) -> Goal:
    return Goal(words=f"under {limit:g} s", limit=limit)


def faster(times: float) -> Goal:
    return Goal(words=f"at least {times:g} times faster", ratio=1 / times)


def at_most(ratio: float, words: str) -> Goal:
    return Goal(words=words, ratio=ratio)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `theirs` is NaN where no peer does the job."""

    task: str
    ours: float
    peer: str = "-"
    theirs: float = NONE
    goal: Goal | None = None

    def cells(self) -> list[str]:
        """Return the cells of the line as text."""
        alone = self.theirs != self.theirs
        theirs, ratio = ("-", "-") if alone else (seconds(self.theirs), f"{self.ours / self.theirs:.3g}")
        times = "-" if alone else f"{self.theirs / self.ours:.3g}"
        verdict = "" if self.goal is None else "met" if self.goal.met(self.ours, self.theirs) else "NOT met"
        words = "" if self.goal is None else self.goal.words
        return [self.task, seconds(self.ours), self.peer, theirs, ratio, times, words, verdict]


def seconds(value: float) -> str:
    return f"{value:.3g} s" if value >= 1 else f"{value * 1e3:.3g} ms"


def once(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def best_of(call: Callable[[], object], repeats: int) -> float:
    """Shortest wall-clock time of several calls, after one to warm up."""
    call()
    return min(once(call) for _ in range(repeats))


def cold(code: str, repeats: int = 7) -> float:
    """Median time of a fresh interpreter that runs `code`."""

    def fresh() -> None:
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    fresh()
    return statistics.median(once(fresh) for _ in range(repeats))


def imports() -> list[Row]:
    ours = cold("import tiebreak")
    peers = ("scikit_posthocs", "autorank", "aeon")
    out = [Row("import", ours, "numpy", cold("import numpy"), at_most(2, "at most 2 times"))]
    return out + [Row("import", ours, peer, cold(f"import {peer}", 3)) for peer in peers]


AUTORANK = """
import pandas as pd, matplotlib; matplotlib.use("Agg")
from autorank import autorank, create_report
frame = pd.read_csv({path!r}, index_col=0)
create_report(autorank(frame, alpha=0.05, verbose=False, approach="frequentist", force_mode="nonparametric"))
"""
POSTHOCS = """
import pandas as pd, scipy.stats as ss, scikit_posthocs as sp
frame = pd.read_csv({path!r}, index_col=0)
print(ss.friedmanchisquare(*frame.T.values), sp.posthoc_nemenyi_friedman(frame.values))
"""
TIEBREAK = "import tiebreak.cli as c; c.main(['compare', {path!r}, '--score', 'accuracy'])"


def cold_journey() -> list[Row]:
    path = str(workloads.scores_csv(HOME, 38, 8))
    ours = cold(TIEBREAK.format(path=path))
    task = "cold compare, 38 x 8 csv to text"
    return [
        Row(task, ours, "autorank", cold(AUTORANK.format(path=path), 5), at_most(0.4, "at most 40 %")),
        Row(task, ours, "scikit-posthocs", cold(POSTHOCS.format(path=path), 5)),
    ]


AUTORANK_PLOT = """
import matplotlib; matplotlib.use("Agg")
import matplotlib.pyplot as plt, pandas as pd
from autorank import autorank, plot_stats
frame = pd.read_csv({path!r}, index_col=0)
found = autorank(frame, alpha=0.05, verbose=False, approach="frequentist", force_mode="nonparametric")
plot_stats(found, allow_insignificant=True)
plt.savefig({path!r} + ".png")
"""
POSTHOCS_PLOT = """
import matplotlib; matplotlib.use("Agg")
import matplotlib.pyplot as plt, pandas as pd, scikit_posthocs as sp, scipy.stats as ss
frame = pd.read_csv({path!r}, index_col=0)
ss.friedmanchisquare(*frame.T.values)
p = sp.posthoc_nemenyi_friedman(frame.values)
p.index = p.columns = frame.columns
sp.critical_difference_diagram(frame.rank(axis=1, ascending=False).mean(), p)
plt.savefig({path!r} + ".png")
"""
TIEBREAK_PLOT = """
import tiebreak.cli as c
c.main(["compare", {path!r}, "--score", "accuracy", "--figure", {path!r} + ".svg"])
"""


def cold_figure() -> list[Row]:
    """From a csv file to a critical-difference diagram, in a fresh process."""
    path = str(workloads.scores_csv(HOME, 38, 8))
    ours = cold(TIEBREAK_PLOT.format(path=path))
    task, goal = "cold compare with diagram, 38 x 8", at_most(0.6, "at most 60 %")
    return [
        Row(task, ours, "autorank", cold(AUTORANK_PLOT.format(path=path), 5), goal),
        Row(task, ours, "scikit-posthocs", cold(POSTHOCS_PLOT.format(path=path), 5), goal),
    ]


def reporting() -> list[Row]:
    """A report for many algorithms and data sets; no peer writes one."""
    import tiebreak as tb

    table = tb.Results.from_array(workloads.scores(200, 40), score="accuracy", algorithms=workloads.names(40))

    def write() -> None:
        tb.report(tb.compare(table)).save(HOME / "report.html")

    return [Row("report, 40 algorithms x 200 data sets", best_of(write, 2), goal=within(3))]


def boards() -> list[Row]:
    """A board of 78 algorithms on 51 data sets, the size of TabArena's, from a table to its files."""
    import tiebreak as tb

    table = {"dataset": [f"d{i}" for i in range(51)]} | dict(
        zip(workloads.names(78), workloads.scores(51, 78).T.tolist(), strict=True)
    )
    results = tb.as_results(table, scores="accuracy")

    def write() -> None:
        tb.board(results, score="accuracy").save(HOME / "board", anew=True)

    return [Row("board, 78 algorithms x 51 data sets", best_of(write, 2), goal=within(3))]


def nemenyi() -> list[Row]:
    import scikit_posthocs as sp

    from tiebreak.stats import nemenyi as ours_of

    out = []
    for datasets, algorithms, repeats in ((38, 8, 20), (100, 50, 5), (200, 200, 2), (1000, 1000, 0)):
        table = workloads.scores(datasets, algorithms)
        ours = best_of(partial(ours_of, table, higher_is_better=True), max(repeats, 2))
        theirs = best_of(partial(sp.posthoc_nemenyi_friedman, table), repeats) if repeats else NONE
        goal = faster(20) if algorithms == 200 else None
        out.append(Row(f"Nemenyi {datasets} x {algorithms}", ours, "scikit-posthocs", theirs, goal))
        if algorithms == 200:
            smallest = ours_of(table).adjusted.min(), sp.posthoc_nemenyi_friedman(table).values.min()
            print(f"Nemenyi, smallest p at 200 x 200: tiebreak {smallest[0]:.3g}, scikit-posthocs {smallest[1]:.3g}")
    return out


def wilcoxon_holm() -> list[Row]:
    """All pairs; zeros dropped by all three, as the peers do by default."""
    import numpy as np
    import scikit_posthocs as sp
    from scipy import stats

    from tiebreak.stats import holm, wilcoxon_pairs

    out = []
    for datasets, algorithms, repeats in ((38, 8, 10), (100, 50, 5), (200, 200, 3)):
        table, large = workloads.scores(datasets, algorithms), algorithms == 200
        a, b = np.triu_indices(algorithms, 1)

        def of_tiebreak(table: np.ndarray = table) -> np.ndarray:
            return holm(wilcoxon_pairs(table, zeros="drop", higher_is_better=True).pvalue)

        def of_scipy(table: np.ndarray = table, a: np.ndarray = a, b: np.ndarray = b) -> np.ndarray:
            return holm(stats.wilcoxon(table[:, a] - table[:, b], axis=0).pvalue)

        ours, posthocs = best_of(of_tiebreak, repeats), partial(sp.posthoc_wilcoxon, table.T, p_adjust="holm")
        theirs = once(posthocs) if large else best_of(posthocs, 2)
        task, goals = f"Wilcoxon + Holm, all pairs, {datasets} x {algorithms}", (None, None)
        if large:
            goals = (faster(25), at_most(1, "not slower"))
            rounded = holm(stats.wilcoxon(np.round(table[:, a] - table[:, b], 4), axis=0).pvalue)
            as_is, as_written = (float(np.abs(of_tiebreak() / p - 1).max()) for p in (of_scipy(), rounded))
            print(
                f"Wilcoxon + Holm at 200 x 200, largest relative difference from scipy: {as_is:.2g}; {as_written:.2g}"
                " if scipy gets the differences rounded to the four decimals of the scores"
            )
        out.append(Row(task, ours, "scikit-posthocs", theirs, goals[0]))
        out.append(Row(task, ours, "scipy, axis=0", best_of(of_scipy, repeats), goals[1]))
    return out


def five_by_two() -> list[Row]:
    """200 data sets x 50 algorithms; the loop runs over the 2,450 tests of the first two data sets."""
    import numpy as np
    from scipy.special import fdtrc

    from tiebreak.stats import fold_pairs

    folds = np.random.default_rng(0).normal(0.8, 0.05, size=(200, 50, 10))
    pairs = list(itertools.combinations(range(50), 2))
    sample = folds[:2].tolist()

    def plain(first: list[float], second: list[float]) -> float:
        d = [x - y for x, y in zip(first, second, strict=True)]
        spread = sum((d[i] - d[i + 1]) ** 2 / 2 for i in range(0, 10, 2))
        return float(fdtrc(10, 5, sum(x * x for x in d) / (2 * spread)))

    def loop() -> list[float]:
        return [plain(row[i], row[j]) for row in sample for i, j in pairs]

    np.testing.assert_allclose(fold_pairs(folds).pvalue[:2].ravel(), loop(), rtol=1e-9)
    ours, theirs = best_of(partial(fold_pairs, folds), 10), best_of(loop, 3) * 100
    return [Row("245,000 5x2 cv F tests", ours, "Python loop, 1 % run and scaled", theirs, within(0.1))]


def bayes() -> list[Row]:
    """28 pairs, 50,000 samples each, rope 0.01, prior strength 0.5 in the rope, which is where baycomp puts it."""
    import numpy as np
    from baycomp import SignedRankTest

    from tiebreak.stats import bayesian_signed_rank_pairs

    table, size = workloads.scores(38, 8), 50_000
    ours_of = partial(bayesian_signed_rank_pairs, table, rope=0.01, higher_is_better=True, n_samples=size)
    ours = ours_of()
    start = time.perf_counter()
    theirs = [
        SignedRankTest.probs(table[:, i], table[:, j], rope=0.01, nsamples=size, random_state=k)
        for k, (i, j) in enumerate(zip(ours.a, ours.b, strict=True))
    ]
    took = time.perf_counter() - start
    mine, peer = np.stack([ours.a_better, ours.equivalent, ours.b_better], axis=1), np.array(theirs)
    middle = np.clip((mine + peer) / 2, 0.5 / size, 1 - 0.5 / size)
    off = np.abs(mine - peer)
    errors = float((off / np.sqrt(2 * middle * (1 - middle) / size)).max())
    print(
        f"Bayesian signed rank, {mine.size} posterior probabilities: tiebreak and baycomp differ by at most"
        f" {off.max():.4f}, at most {errors:.1f} standard errors of the simulation"
    )
    return [Row("Bayesian signed rank, 28 pairs x 50,000 samples", best_of(ours_of, 3), "baycomp", took, faster(20))]


def hotelling_all_pairs() -> list[Row]:
    """50 algorithms, 100 folds, 4 measures; the peer tests one pair at a time."""
    import numpy as np
    import pingouin

    from tiebreak.stats.multivariate.hotelling_tests import hotelling_pairs

    folds = np.random.default_rng(0).normal(0.8, 0.05, size=(100, 50, 4))

    def loop() -> list[float]:
        pairs = itertools.combinations(range(50), 2)
        tests = [pingouin.multivariate_ttest(folds[:, i], folds[:, j], paired=True) for i, j in pairs]
        return [float(item["pval"].iloc[0]) for item in tests]

    np.testing.assert_allclose(hotelling_pairs(folds).pvalue, loop(), rtol=1e-9)
    ours, theirs = best_of(partial(hotelling_pairs, folds), 20), best_of(loop, 2)
    return [Row("Hotelling, all pairs, 50 algorithms x 100 folds x 4 measures", ours, "pingouin", theirs, faster(30))]


def meta_attributes() -> list[Row]:
    """The paper's measures; the peer gets the features that stand for them, and no summary it need not make."""
    import numpy as np
    from pymfe.mfe import MFE
    from sklearn.datasets import load_digits

    from tiebreak.attributes import characterise
    from tiebreak.datasets import from_xy

    features = ["nr_inst", "nr_cat", "nr_num", "nr_outliers", "class_ent", "mut_inf", "can_cor"]
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 5, 20_000)
    made = rng.normal(size=(20_000, 50)) + 0.3 * classes[:, None] * rng.random(50)
    digits = load_digits()
    out = []
    for task, x, y in (("digits", digits.data, digits.target), ("20,000 x 50", made, classes)):
        data = from_xy(x, y)

        def of_pymfe(x: np.ndarray = x, y: np.ndarray = y) -> dict[str, float]:
            given = {"transform_num": False, "transform_cat": None, "suppress_warnings": True}
            names, values = MFE(groups="all", features=features, summary=["mean", "max"]).fit(x, y, **given).extract()
            return dict(zip(names, values, strict=True))

        peer, result = of_pymfe(), characterise(data)
        np.testing.assert_allclose(result["class_entropy"], peer["class_ent"], rtol=1e-9)
        np.testing.assert_allclose(result["canonical_correlation"], peer["can_cor.max"], atol=1e-5)  # theirs iterates
        ours = best_of(lambda x=x, y=y: characterise(from_xy(x, y)), 5)
        out.append(Row(f"meta-attributes of the paper, {task}", ours, "pymfe", best_of(of_pymfe, 2), faster(20)))
    return out


def recommending() -> list[Row]:
    """A recommendation for a million rows that are read already: measures, neighbours, worth, times, and a budget."""
    import numpy as np

    from tiebreak.advisor import Advisor, shipped_knowledge
    from tiebreak.datasets import DataSet

    rng = np.random.default_rng(0)
    x = rng.normal(size=(1_000_000, 11))
    x[:, 9:] = rng.integers(0, (5, 20), size=(1_000_000, 2))
    y = np.array(["a", "b"])[(x[:, 0] + rng.normal(size=len(x)) > 0).astype(int)]
    data = DataSet.from_arrays(x, y, symbolic=[False] * 9 + [True] * 2)
    advisor = Advisor(shipped_knowledge())
    return [
        Row(
            "recommend for 1,000,000 x 11, read already, with a budget",
            best_of(lambda: advisor.recommend(data, budget="10min"), 3),
            goal=within(3),
        ),
        Row("the same by all measures", best_of(lambda: advisor.recommend(data, measures="all"), 3), goal=within(3)),
    ]


def shaffer_scale() -> list[Row]:
    import numpy as np
    from tiebreak.stats.adjust.all_pairs import affordable, true_counts

    from tiebreak.stats import shaffer

    p = np.random.default_rng(0).random(19_900) ** 4

    def first() -> None:
        true_counts.cache_clear()
        affordable.cache_clear()
        shaffer(p)

    return [
        Row("Shaffer, 200 algorithms, first call", best_of(first, 10), goal=within(0.01)),
        Row("Shaffer, 200 algorithms, later calls", best_of(partial(shaffer, p), 10), goal=within(0.01)),
    ]


def bergmann_hommel_growth() -> list[Row]:
    """P-values of mean ranks; nobody else goes beyond nine algorithms, so enumeration stands for the peers."""
    import bergmann_hommel as growth

    nine, fifty, hundred = (growth.measure(count, enumerate_to=9) for count in (9, 50, 100))
    slowest = max(growth.hardest_at_14().values())
    plain = nine["listing"] + nine["evaluating"]
    task = "Bergmann-Hommel, {} algorithms, {}"
    return [
        Row(task.format(9, "ranks"), nine["line"], "plain enumeration", plain, within(0.005)),
        Row(task.format(50, "ranks"), fifty["line"], goal=within(0.5)),
        Row(task.format(100, "ranks"), hundred["line"], goal=within(5)),
        Row(task.format(9, "any origin, first call"), nine["any first"], "plain enumeration", plain),
        Row(task.format(9, "any origin, later calls"), nine["any"], "enumeration, list kept", nine["evaluating"]),
        Row(task.format(14, "any origin (slowest of six kinds)"), slowest, goal=within(30)),
    ]


def hommel_scale() -> list[Row]:
    import numpy as np
    from statsmodels.stats.multitest import multipletests

    from tiebreak.stats import hommel

    p = np.random.default_rng(0).random(5000) ** 3
    theirs = best_of(partial(multipletests, p, method="hommel"), 1)
    return [Row("Hommel, 5,000 p-values", best_of(partial(hommel, p), 5), "statsmodels", theirs)]


LOAD = "import tiebreak as tb; tb.read({path!r}).means('accuracy')"
GROUP = """
import polars as pl
pl.scan_parquet({path!r}).group_by('dataset', 'algorithm').agg(pl.col('accuracy').mean()).collect()
"""
GROUP_TEXT = """
import polars as pl
pl.read_csv({path!r}).group_by('dataset', 'algorithm').agg(pl.col('accuracy').mean())
"""
MEMORY = """
import resource, pathlib
pathlib.Path({out!r}).write_text(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
"""


def ten_million_rows() -> list[Row]:
    path, out = str(workloads.big_parquet(HOME)), str(HOME / "memory")
    theirs = best_of(lambda: exec(GROUP.format(path=path), {}), 5)
    ours = best_of(lambda: exec(LOAD.format(path=path), {}), 5)
    subprocess.run([sys.executable, "-c", (LOAD + MEMORY).format(path=path, out=out)], check=True)
    peak = int(Path(out).read_text()) / 2**20
    print(f"Peak memory of a fresh process that reads 10 million rows: {peak:.2f} GiB (limit 4)")
    text = str(workloads.big_csv(HOME))
    split = best_of(lambda: exec(GROUP_TEXT.format(path=text), {}), 3)
    read = best_of(lambda: exec(LOAD.format(path=text), {}), 3)
    return [
        Row("10 million rows to means", ours, "polars group-by", theirs, at_most(3, "at most 3 times")),
        Row("10 million rows of csv to means", read, "polars read and group-by", split, at_most(2, "at most twice")),
    ]


def ordering() -> list[Row]:
    """No peer orders by cost: our own limits only."""
    import numpy as np

    import tiebreak as tb

    rng = np.random.default_rng(0)
    shape = (1000, 50)
    noise = rng.normal(0, 0.02, (*shape, 5, 2))
    errors = 0.2 + 0.1 * rng.random((1000, 1, 1, 1)) + 0.02 * rng.random((50, 1, 1)) + noise
    large = tb.with_costs(
        tb.Results.from_array(errors, score="error"), tb.Results.from_array(rng.random(shape), score="train_time")
    )
    published = tb.published.ulas2012()
    options = {"inner_adjust": "holm", "posthoc": "bergmann-hommel"}
    return [
        Row("order 1,000 x 50 x 10 folds", best_of(lambda: tb.order(large, **options), 2), goal=within(3)),
        Row(
            "order 38 x 8 x 10 folds, 2012 variant",
            best_of(lambda: tb.order(published, score="accuracy", cost="train_time", variant="2012"), 5),
            goal=within(0.1),
        ),
    ]


def ordering_by_scores() -> list[Row]:
    """No peer orders by cost, or says how firm an order is: SciPy makes the tests of the pairs, and nothing else."""
    import numpy as np
    from scipy import stats

    import tiebreak as tb

    def priced(sets: int, count: int) -> tuple[np.ndarray, tb.Results]:
        table = workloads.scores(sets, count)
        costs = np.random.default_rng(1).lognormal(0, 1, table.shape)
        return table, tb.with_costs(
            tb.Results.from_array(table, score="accuracy"), tb.Results.from_array(costs, score="train_time")
        )

    def tests(table: np.ndarray) -> object:
        a, b = np.triu_indices(table.shape[1], 1)
        return stats.wilcoxon(table[:, a] - table[:, b], axis=0).pvalue

    large, results = priced(1000, 200)
    whole = best_of(lambda: tb.order(results), 3)
    peer = "scipy, axis=0, the tests alone"
    return [
        Row("order by scores, 1,000 x 200", whole, peer, best_of(lambda: tests(large), 2), within(1.5)),
    ]


def lab_overhead() -> list[Row]:
    """The lab against a bare scikit-learn loop over the same fits, scores included; see `lab.py`."""
    import lab

    small, large = lab.small_cells(), lab.large_cells()
    (bare, _), (one, _), (two, _) = large.bare, large.one, large.two
    loop, task = "bare scikit-learn loop", f"lab, {large.cells} cells of {seconds(bare / large.cells)}, "
    return [
        Row("lab, overhead of one cell, one core", small.overhead[0], goal=within(0.003)),
        Row("lab, overhead of one cell, two cores", small.overhead_on_two, goal=within(0.002)),
        Row("lab, 3,000 cells of next to no work, two cores", small.two[0], "joblib", small.joblib[0]),
        Row(task + "one core", one, loop, bare, at_most(1.1, "within 10 %")),
        Row(task + "two cores", two, loop, bare, faster(1.8)),
        Row(task + "two cores", two, "joblib", large.joblib[0]),
    ]


BENCHMARKS = (
    cold_figure,
    reporting,
    boards,
    ordering,
    ordering_by_scores,
    imports,
    cold_journey,
    nemenyi,
    wilcoxon_holm,
    five_by_two,
    bayes,
    hotelling_all_pairs,
    meta_attributes,
    recommending,
    shaffer_scale,
    bergmann_hommel_growth,
    hommel_scale,
    ten_million_rows,
    lab_overhead,  # the last: it keeps numerical libraries to one thread
)
HEADER = ("task", "tiebreak", "peer", "its time", "tiebreak / peer", "times faster", "goal", "")


def main() -> int:
    """Run the chosen benchmarks and print one table."""
    chosen = [b for b in BENCHMARKS if not sys.argv[1:] or b.__name__ in sys.argv[1:]]
    start = time.perf_counter()
    rows = [item for benchmark in chosen for item in benchmark()]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in VERSIONS)
    print(f"\nPython {platform.python_version()}, {os.cpu_count()} cores; {versions}")
    print(f"{len(chosen)} benchmarks in {time.perf_counter() - start:.0f} s\n")
    print(f"| {' | '.join(HEADER)} |\n|{':--|' * len(HEADER)}")
    for row in rows:
        print(f"| {' | '.join(row.cells())} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
