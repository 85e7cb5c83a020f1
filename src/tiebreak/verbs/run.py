"""`tiebreak run`: from a plan to a store full of results."""

from __future__ import annotations

from tiebreak.verbs import groups as g
from tiebreak.verbs.records import READ, WRITE, Option, Verb

RUN, EARLY = "how to run", "when to end"
PROGRESS = Option(
    name="progress", flag="--progress", default="auto", metavar="FORM", words=("auto", "live", "none", "jsonl"),
    web=False, argument=False,
    help="auto (default: a line on a terminal, else one now and then), live (with the standing so far), none, jsonl"
    " (standard error) or FILE.jsonl",
)  # fmt: skip
RETRY = Option(
    name="retry", flag="--retry", kind="texts", group=RUN, metavar="STATUS",
    words=("error", "timeout", "memory", "crash", "killed"),
    help="run failed cells again: error, timeout, memory, crash, killed",
)  # fmt: skip

VERB = Verb(
    name="run",
    help="run algorithms on data sets by a plan; resumable, timed, into a store",
    description="Run a plan: data sets x algorithms x resampling. What the store holds already is not run again. A"
    " plan is a program: it may import and run any Python code that it names, so run only plans that you trust.",
    takes="PLAN.toml",
    titles=(READ, RUN, EARLY, WRITE),
    function="tiebreak.run",
    options=(
        Option(
            name="plan", kind="file", group=READ, metavar="PLAN.toml", common=True, help="what to run; see docs/lab.md"
        ),
        Option(
            name="seed", flag="--seed", kind="integer", group=READ, metavar="N", argument=False,
            help="in place of the plan's seed",
        ),
        Option(
            name="engine", flag="--engine", default="local", group=RUN, metavar="NAME",
            help="local (default) or dask://HOST:PORT",
        ),
        g.JOBS.but(group=RUN, common=True, help="cells at a time on this machine; default: the cores"),
        Option(
            name="dry_run", flag="--dry-run", kind="switch", group=RUN, common=True, argument=False,
            help="check the plan and say what would run; imports nothing that it names",
        ),
        Option(
            name="shard", flag="--shard", group=RUN, metavar="I/N", common=True,
            help="run the I-th of N equal parts, for machines that share nothing; merge with tiebreak store --import",
        ),
        RETRY.but(common=True),
        Option(
            name="mix_versions", flag="--mix-versions", kind="switch", default=False, group=RUN,
            help="run on beside cells of other versions of the libraries",
        ),
        Option(
            name="budget", flag="--budget", group=EARLY, metavar="TIME", common=True,
            help="end after so long: 90s, 30min, 2h by the clock, 30min-cpu of CPU time; what is done can be compared",
        ),
        Option(
            name="sets", flag="--sets", group=EARLY, metavar="ORDER", words=("listed", "random"),
            help="order of data sets: listed or random; default: random with a budget, else listed",
        ),
        Option(
            name="until", flag="--until", group=EARLY, metavar="WHAT", words=("settled", "best"),
            help="stop running algorithms that are settled: settled (every pair is decided) or best (those not the"
            " best stop)",
        ),
        Option(
            name="score", flag="--score", group=EARLY, metavar="NAME", help="what is judged by (default error, or rmse)"
        ),
        Option(
            name="store", flag="--store", default="results.db", group=WRITE, metavar="URL", common=True, web=False,
            help="default results.db; or postgresql://...",
        ),
        PROGRESS.but(group=WRITE, common=True),
        g.JSON,
    ),
    examples=("examples/plan.toml --dry-run", "examples/plan.toml --store results.db --budget 30min --progress live"),
)  # fmt: skip
