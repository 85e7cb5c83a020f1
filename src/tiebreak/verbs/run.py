"""`tiebreak run`: from a plan to a store full of results."""

from __future__ import annotations

from tiebreak.verbs import READ, WRITE, Column, Option, Verb, groups as g

RUN, EARLY = "how to run", "when to end"
PROGRESS = Option(
    name="progress", flag="--progress", default="auto", metavar="FORM", words=("auto", "none", "jsonl"),
    web=False, argument=False,
    help="auto (default: a progress line), none, jsonl (standard error) or FILE.jsonl",
)  # fmt: skip
RETRY = Option(
    name="retry", flag="--retry", kind="texts", group=RUN, metavar="STATUS",
    words=("error", "timeout", "memory", "crash", "killed"),
    help="run failed cells again: error, timeout, memory, crash, killed",
)  # fmt: skip

VERB = Verb(
    name="run",
    help="run algorithms on data sets by a plan; resumable, timed, into a store",
    description="Run a plan: data sets x algorithms x resampling. Results in the store are not computed again. A"
    " plan may import and run any Python code that it names, so run only plans that you trust.",
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
            help="check the plan and show what would run, without importing its learners",
        ),
        Option(
            name="shard", flag="--shard", group=RUN, metavar="I/N", common=True,
            help="run the I-th of N equal parts, for machines without a shared store; merge with tiebreak store"
            " --import",
        ),
        RETRY.but(common=True),
        Option(
            name="mix_versions", flag="--mix-versions", kind="switch", default=False, group=RUN,
            help="continue although library versions changed",
        ),
        Option(
            name="budget", flag="--budget", group=EARLY, metavar="TIME", common=True,
            help="stop after this time: 90s, 30min or 2h, or 30min-cpu of CPU time; partial results can be compared",
        ),
        Option(
            name="store", flag="--store", default="results.db", group=WRITE, metavar="URL", common=True, web=False,
            help="default results.db; or postgresql://...",
        ),
        PROGRESS.but(group=WRITE, common=True),
        g.JSON,
    ),
    columns=(
        Column("status", "ok, error, timeout, memory, crash or killed", text=True),
        Column("cells", "cells that ended so"),
    ),
    examples=("examples/plan.toml --dry-run", "examples/plan.toml --store results.db --budget 30min"),
)  # fmt: skip
