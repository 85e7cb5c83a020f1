"""Splits: exact proportions, disjoint parts, whole groups, and replications that later runs extend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak.caveats import codes_of
from tiebreak.datasets import DataSet
from tiebreak.errors import InputError, OptionError
from tiebreak.lab.resampling import Resampling, cells_of, resampling_from, resampling_key
from tiebreak.lab.splits import Fold, Split, split

from ..every import every

steady = settings(derandomize=True, deadline=None, max_examples=30)


def made(counts: list[int], *, groups: Any = None, seed: int = 0) -> DataSet:
    """Make a data set whose classes a, b, ... have the given numbers of rows, in mixed order."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat([chr(97 + i) for i in range(len(counts))], counts))
    return DataSet.from_arrays(rng.normal(size=(len(labels), 2)), labels, groups=groups)


def class_counts(data: DataSet, rows: Any) -> Any:
    return np.bincount(data.target[rows], minlength=len(data.classes))


def same(a: Fold, b: Fold) -> bool:
    return np.array_equal(a.train, b.train) and np.array_equal(a.validation, b.validation)


cases = st.tuples(
    st.lists(st.integers(10, 60), min_size=2, max_size=5), st.integers(2, 5), st.sampled_from([0, 0.25, 1 / 3])
)


@steady
@given(cases, st.integers(0, 1000))
def test_parts_are_disjoint_whole_and_stratified(case: Any, seed: int) -> None:
    counts, folds, test = case
    data = made(counts)
    parts = split(data, Resampling(replications=2, folds=folds, test=test), seed=seed)
    share = class_counts(data, parts.test)
    assert np.all(np.abs(share - np.array(counts) * test) < 1)
    assert len(parts.test) == round(sum(counts) * test)
    rest = np.setdiff1d(np.arange(data.n_rows), parts.test)
    for replication in (1, 2):
        mine = [fold for fold in parts.folds if fold.replication == replication]
        assert [fold.fold for fold in mine] == list(range(1, folds + 1))
        np.testing.assert_array_equal(np.sort(np.concatenate([fold.validation for fold in mine])), rest)
        sizes = [len(fold.validation) for fold in mine]
        assert max(sizes) - min(sizes) <= 1
        per_class = np.array([class_counts(data, fold.validation) for fold in mine])
        assert np.all(per_class.max(axis=0) - per_class.min(axis=0) <= 1)
        for fold in mine:
            np.testing.assert_array_equal(np.union1d(fold.train, fold.validation), rest)
            assert not set(fold.train.tolist()) & set(fold.validation.tolist())
    assert parts.caveats == ()


@steady
@given(cases, st.integers(0, 1000))
def test_more_replications_extend_the_first_ones(case: Any, seed: int) -> None:
    counts, folds, test = case
    data = made(counts)
    for kind in ("cv", "holdout"):
        few = split(data, Resampling(kind=kind, replications=2, folds=folds, test=test), seed=seed)
        many = split(data, Resampling(kind=kind, replications=4, folds=folds, test=test), seed=seed)
        assert np.array_equal(few.test, many.test)
        assert all(same(a, b) for a, b in zip(few.folds, many.folds, strict=False))
        assert len(many.folds) == 2 * len(few.folds)


def test_replications_seeds_and_data_differ() -> None:
    data = made([40, 40])
    parts = split(data, Resampling(), seed=0)
    assert len({tuple(fold.validation.tolist()) for fold in parts.folds}) == 10
    assert not np.array_equal(split(data, Resampling(), seed=1).test, parts.test)
    assert not np.array_equal(split(made([40, 40], seed=1), Resampling(), seed=0).test, parts.test)


def test_a_split_is_the_same_for_ever() -> None:
    # Fixed when the code was written: a change here means that stored results no longer belong to their splits.
    data = DataSet.from_arrays(np.arange(12.0).reshape(-1, 1), list("ababababaabb"))
    parts = split(data, Resampling(), seed=7)
    assert parts.test.tolist() == [2, 3, 5, 6]
    assert parts.folds[0].validation.tolist() == [7, 8, 9, 11]
    assert parts.folds[9].validation.tolist() == [4, 9, 10, 11]


def test_every_row_is_equally_likely_in_the_test_part_and_in_a_fold() -> None:
    data = made([20, 10])
    times, inside = np.zeros(30), np.zeros(30)
    for seed in range(400):
        parts = split(data, Resampling(replications=1), seed=seed)
        times[parts.test] += 1
        inside[parts.folds[0].validation] += 1
    assert np.all(np.abs(times / 400 - 1 / 3) < 0.1)  # four standard errors: 4 sqrt(2/9/400) = 0.094
    assert np.all(np.abs(inside / 400 - 1 / 3) < 0.1)


def test_holdout_sets_its_share_of_the_rest_aside() -> None:
    data = made([60, 30])
    parts = split(data, resampling_from("3xholdout", holdout=0.25), seed=1)
    assert [(fold.replication, fold.fold) for fold in parts.folds] == [(1, 1), (2, 1), (3, 1)]
    for fold in parts.folds:
        assert class_counts(data, fold.validation).tolist() == [10, 5]
        assert class_counts(data, fold.train).tolist() == [30, 15]


def test_tiny_classes_follow_the_stated_rules() -> None:
    data = made([30, 30, 1, 2, 3])
    parts = split(data, Resampling(folds=5, test=1 / 3), seed=3)
    test = class_counts(data, parts.test)
    assert test[2:4].tolist() == [0, 0]
    assert test[4] <= 1
    for fold in parts.folds:
        assert np.all(class_counts(data, fold.train) >= 1)
        assert class_counts(data, fold.validation)[2] == 0
        assert class_counts(data, fold.validation)[3] <= 1
    for replication in range(1, 6):
        rows = np.concatenate([fold.validation for fold in parts.folds if fold.replication == replication])
        assert class_counts(data, rows)[3] == 2
    assert "In no validation part stands a row of class 'c' (too few rows)." in parts.caveats
    assert any(note.startswith("In the test part no row of class 'c', 'd'") for note in parts.caveats)
    assert codes_of(parts.caveats) == ["class-missing"]


def grouped(n_groups: int, rows: int, seed: int) -> DataSet:
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, n_groups, rows)
    leaning = rng.random(n_groups)
    labels = np.where(rng.random(rows) < 0.3 + 0.4 * leaning[groups], "a", "b")
    return DataSet.from_arrays(rng.normal(size=(rows, 1)), labels, groups=groups)


@steady
@given(st.integers(20, 60), st.integers(2, 5), st.integers(0, 1000))
def test_groups_never_cross(n_groups: int, folds: int, seed: int) -> None:
    data = grouped(n_groups, 400, seed)
    assert data.groups is not None
    for resampling in (Resampling(replications=2, folds=folds), Resampling(kind="holdout", replications=2)):
        parts = split(data, resampling, seed=seed)
        test = set(data.groups[parts.test].tolist())
        assert test
        for fold in parts.folds:
            train, validation = (set(data.groups[rows].tolist()) for rows in (fold.train, fold.validation))
            assert not train & validation
            assert not (train | validation) & test
            assert len(fold.train) + len(fold.validation) + len(parts.test) == 400


def test_groups_are_stratified_nearly_as_well_as_rows() -> None:
    data = grouped(60, 1200, 5)
    parts = split(data, Resampling(), seed=5)
    whole = (data.target == 0).mean()
    assert abs(len(parts.test) / 1200 - 1 / 3) < 0.02
    assert abs((data.target[parts.test] == 0).mean() - whole) < 0.03
    for fold in parts.folds:
        assert abs(len(fold.validation) / 1200 - 1 / 3) < 0.03
        assert abs((data.target[fold.validation] == 0).mean() - whole) < 0.03


def test_groups_of_one_row_give_equal_folds() -> None:
    data = made([30, 30], groups=np.arange(60))
    parts = split(data, Resampling(test=0, folds=3), seed=0)
    assert {tuple(class_counts(data, fold.validation)) for fold in parts.folds} == {(10, 10)}


def test_too_few_groups_are_refused() -> None:
    data = made([30, 30], groups=np.arange(60) % 3)
    with pytest.raises(InputError) as caught:
        split(data, Resampling(folds=5), seed=0)
    assert str(caught.value) == (
        "Data set 'data' has 3 groups, 2 of them outside the test part, for 5 parts. A group never stands on both "
        "sides of a split. Use fewer folds, a smaller test part, or none."
    )


def test_classes_that_live_in_one_group_are_named() -> None:
    labels = ["a", "b"] * 20 + ["c"] * 6
    data = DataSet.from_arrays(np.zeros((46, 1)), labels, groups=[i // 4 for i in range(40)] + [99] * 6)
    parts = split(data, Resampling(test=0), seed=0)
    assert parts.caveats == ("Some training parts have no row of class 'c'.",)
    assert codes_of(parts.caveats) == ["class-missing"]


def test_one_class_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        split(made([9, 1]), Resampling(), seed=0)
    assert str(caught.value) == (
        "Data set 'data' has 1 class(es) with two rows or more: 'a (9)', 'b (1)'. A classifier needs two classes to "
        "learn from and to be measured on. Check the target column, or leave the data set out."
    )


def test_too_small_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        split(made([20, 3]), Resampling(test=0), seed=0)
    message = str(caught.value)
    assert message.startswith("Data set 'data' is too small: replication 1, fold ")
    assert message.endswith(
        "A classifier needs two classes with two rows each to learn from, and a row to be measured on. Use more folds, "
        "a smaller test part or none, or leave the data set out."
    )


@pytest.mark.parametrize(
    ("counts", "scheme", "advice"),
    [
        ([5, 5], Resampling(folds=12, replications=1, test=0), "Use fewer folds, "),
        ([20, 3], Resampling(folds=2, replications=1, test=0), "Use more folds, "),
        ([20, 3], Resampling(kind="holdout", replications=1, holdout=0.9, test=0), "Use a smaller holdout, "),
        ([4, 4], Resampling(kind="holdout", replications=1, holdout=0.01, test=0), "Use a larger holdout, "),
    ],
)
def test_what_would_give_a_part_more_rows(counts: list[int], scheme: Resampling, advice: str) -> None:
    with pytest.raises(InputError) as caught:
        split(made(counts), scheme, seed=0)
    assert str(caught.value).endswith(f"{advice}a smaller test part or none, or leave the data set out.")


def test_without_stratification_rows_are_dealt_by_chance() -> None:
    data = made([50, 50])
    parts = split(data, Resampling(stratified=False), seed=2)
    assert len(parts.test) == 33
    assert {len(fold.validation) for fold in parts.folds} == {33, 34}
    assert len({int(class_counts(data, fold.validation)[0]) for fold in parts.folds}) > 3


def test_parts_cannot_be_changed() -> None:
    parts: Split = split(made([20, 20]), Resampling(), seed=0)
    for rows in (parts.test, parts.folds[0].train, parts.folds[0].validation):
        with pytest.raises(ValueError, match="read-only"):
            rows[0] = 1


@every(
    ("text", "replications", "folds"),
    [
        ("5x2cv", 5, 2),
        ("10-fold", 1, 10),
        ("10x10", 10, 10),
        ("3x10cv", 3, 10),
        ("5 x 2", 5, 2),
        ("10 fold cv", 1, 10),
        ("10x10-fold", 10, 10),
        ("10CV", 1, 10),
    ],
)
def test_names_of_resamplings(text: str, replications: int, folds: int) -> None:
    assert resampling_from(text) == Resampling(replications=replications, folds=folds)
    assert len(cells_of(resampling_from(text))) == replications * folds


def test_names_of_hold_outs_and_shares() -> None:
    assert resampling_from("holdout", test="1/4") == Resampling(kind="holdout", replications=1, folds=1, test=0.25)
    assert cells_of(resampling_from("3xhold-out")) == [(1, 1), (2, 1), (3, 1)]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "bootstrap",
            {},
            "There is no resampling 'bootstrap'. Known are replications x folds, folds alone, and "
            "hold-out. "
            "Write '5x2cv', '10x10', '10-fold' or 'holdout'.",
        ),
        (
            "10",
            {},
            "There is no resampling '10'. Known are replications x folds, folds alone, and hold-out. "
            "Write '5x2cv', "
            "'10x10', '10-fold' or 'holdout'.",
        ),
        (
            "5x1cv",
            {},
            "folds is 1. A whole number of 2 or more is needed. Write '5x2cv' for 5 replications of 2 folds.",
        ),
        (
            "0x2cv",
            {},
            "replications is 0. A whole number of 1 or more is needed. Write '5x2cv' for 5 replications of 2 folds.",
        ),
        (
            "5x2cv",
            {"test": 1},
            "test is 1.0. It is the share of the rows that is kept apart, from 0 (none) to below 1. Use 1/3.",
        ),
        ("5x2cv", {"test": "third"}, "test is 'third'. A share of the rows is needed. Use 1/3."),
        (
            "holdout",
            {"holdout": 0},
            "holdout is 0.0. It is the share of the rest that is measured on, between 0 and 1. Use 1/3.",
        ),
    ],
)
def test_nonsense_is_refused(text: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        resampling_from(text, **options)
    assert str(caught.value) == message


def test_keys_forget_the_number_of_replications_and_what_does_not_matter() -> None:
    assert resampling_key(Resampling(replications=5)) == resampling_key(Resampling(replications=50, holdout=0.5))
    assert resampling_key(Resampling(kind="holdout", folds=1)) == resampling_key(Resampling(kind="holdout", folds=2))
    different = [Resampling(), Resampling(folds=3), Resampling(test=0), Resampling(stratified=False)]
    assert len({resampling_key(item) for item in different}) == 4


def test_a_bad_kind_is_refused() -> None:
    with pytest.raises(OptionError, match="kind is 'loo'"):
        split(made([9, 9]), Resampling(kind="loo"), seed=0)  # type: ignore[arg-type]


def test_more_folds_than_anyone_wants_are_refused() -> None:
    with pytest.raises(OptionError) as caught:
        resampling_from("999999999x2cv")
    assert str(caught.value) == (
        "999999999 replications of 2 fold(s) are asked for. Every algorithm would be fitted so often on every data set;"
        " at most 100000 times is allowed. Use fewer, such as '5x2cv' or '10x10'."
    )
    with pytest.raises(OptionError, match="There is no resampling '9999"):
        resampling_from("9" * 5000 + "x2cv")
