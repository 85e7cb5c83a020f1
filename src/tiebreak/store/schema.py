"""The tables as they are now; `migrations` brings every older store to this form."""

from __future__ import annotations

import sqlalchemy as sa

METADATA = sa.MetaData()
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

versions = sa.Table(
    "schema_version",
    METADATA,
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("applied", sa.Text, nullable=False),
)

datasets = sa.Table(
    "datasets",
    METADATA,
    sa.Column("id", KEY, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("fingerprint", sa.Text, nullable=False, unique=True),
    sa.Column("n_rows", KEY),
    sa.Column("n_attributes", KEY),
    sa.Column("classes", sa.Text, nullable=False),
    sa.Column("meta", sa.Text, nullable=False),
    sa.Column("meta_version", sa.Text, nullable=False),
)

algorithms = sa.Table(
    "algorithms",
    METADATA,
    sa.Column("id", KEY, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("fingerprint", sa.Text, nullable=False, unique=True),
    sa.Column("spec", sa.Text, nullable=False),
)

plans = sa.Table(
    "plans",
    METADATA,
    sa.Column("id", KEY, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False, unique=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
)

resamplings = sa.Table(
    "resamplings",
    METADATA,
    sa.Column("id", KEY, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
)

runners = sa.Table(
    "runners",
    METADATA,
    sa.Column("id", KEY, primary_key=True),
    sa.Column("lock_key", sa.BigInteger, nullable=False),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("pid", KEY, nullable=False),
    sa.Column("started", sa.Text, nullable=False),
)

cells = sa.Table(
    "cells",
    METADATA,
    sa.Column("id", KEY, primary_key=True),
    sa.Column("dataset_id", KEY, sa.ForeignKey("datasets.id"), nullable=False),
    sa.Column("algorithm_id", KEY, sa.ForeignKey("algorithms.id"), nullable=False),
    sa.Column("resampling_id", KEY, sa.ForeignKey("resamplings.id"), nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("replication", sa.Text, nullable=False),
    sa.Column("fold", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("runner_id", KEY, sa.ForeignKey("runners.id")),
    sa.Column("finished", sa.Text, nullable=False),
    sa.Column("origin", sa.Text, nullable=False),
    sa.Column("details", sa.Text, nullable=False),
    sa.UniqueConstraint("dataset_id", "algorithm_id", "resampling_id", "seed", "replication", "fold"),
)

plan_cells = sa.Table(
    "plan_cells",
    METADATA,
    sa.Column("plan_id", KEY, sa.ForeignKey("plans.id"), primary_key=True, autoincrement=False),
    sa.Column("cell_id", KEY, sa.ForeignKey("cells.id"), primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

measures = sa.Table(
    "measures",
    METADATA,
    sa.Column("id", KEY, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("is_cost", sa.Boolean, nullable=False),
)

values = sa.Table(
    "cell_values",
    METADATA,
    sa.Column("cell_id", KEY, sa.ForeignKey("cells.id"), primary_key=True, autoincrement=False),
    sa.Column("measure_id", KEY, sa.ForeignKey("measures.id"), primary_key=True, autoincrement=False),
    sa.Column("value", sa.Double, nullable=False),
    sqlite_with_rowid=False,
)
