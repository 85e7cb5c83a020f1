"""Plans: read from TOML or made in Python, checked whole, identified by their text."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")

from tiebreak.datasets import DataSet, load
from tiebreak.datasets.references import DataReference, suite_names
from tiebreak.errors import TiebreakError
from tiebreak.lab.algorithms.learners import catalogue
from tiebreak.lab.plans import KEYS, Plan, bytes_of, plan_from, read_plan
from tiebreak.lab.prepared import check_plan
from tiebreak.lab.resampling import Resampling
from tiebreak.lab.tasks import Limits
from tiebreak.stores.records import STATUSES

from ..every import every

GOOD = 'datasets = ["builtin:monks1"]\nalgorithms = ["nb"]\n'
TEXT = "Write it in quotes."


def refusal(content: str) -> str:
    with pytest.raises(TiebreakError) as caught:
        check_plan(plan_from(tomllib.loads(content)))
    return str(caught.value)


def test_every_key_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'name = "first"\nseed = 3\ndatasets = ["builtin:monks1", {source = "builtin:twonorm", rows = 100}]\n'
        'algorithms = ["c45", {algorithm = "svr", name = "svr 10", settings = {C = 10.0}},\n'
        '              {import = "sklearn.tree:DecisionTreeClassifier", settings = {max_depth = 2}}]\n'
        'resampling = {scheme = "3x2cv", test = 0.25, stratified = false}\n'
        'limits = {seconds = 60, memory = "2 GiB"}\n'
    )
    plan = read_plan(tmp_path / "mine.toml")
    assert (plan.name, plan.seed) == ("first", 3)
    assert [algorithm.name for algorithm in plan.algorithms] == ["c45", "svr 10", "DecisionTreeClassifier"]
    assert plan.resampling == Resampling(replications=3, folds=2, test=0.25, stratified=False)
    assert plan.limits == Limits(seconds=60.0, memory=2 << 30)
    assert [item.name for item in check_plan(plan).data.values()] == ["monks1", "twonorm-100"]
    assert set(KEYS) == {"name", "preset", "seed", "datasets", "algorithms", "resampling", "limits"}


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(GOOD)
    plan = read_plan(tmp_path / "small.toml")
    assert (plan.name, plan.seed, plan.limits) == ("small", 0, Limits())
    assert plan.resampling == Resampling(kind="cv", replications=5, folds=2, test=1 / 3)


@every(
    ("content", "words"),
    [
        (
            "",
            "the plan names no datasets. A plan runs algorithms on data sets. "
            'Add `datasets = ["builtin:*"]` and `algorithms = ["c45", "5nn"]`.',
        ),
        (
            'datasets = []\nalgorithms = ["nb"]',
            "The list of data sets is empty. A plan runs algorithms on data sets. "
            'Add `datasets = ["builtin:*"]` and `algorithms = ["c45", "5nn"]`.',
        ),
        (
            GOOD + "sead = 3",
            "There is no key of a plan 'sead'. Known here: 'name', 'preset', 'seed', 'datasets', 'algorithms', "
            "'resampling', 'limits'. Did you mean 'seed'? It stands in the plan.",
        ),
        (GOOD + 'seed = "a"', "The seed is 'a'. It must be a whole number from 0 to 2^63 - 1. Use 1, for instance."),
        (GOOD + "seed = true", "The seed is True. It must be a whole number from 0 to 2^63 - 1. Use 1, for instance."),
        (GOOD + "name = 5", f"The name is 5. {TEXT}"),
        (GOOD + "resampling = 5", f"The resampling is 5. {TEXT}"),
        (
            GOOD + "resampling = {folds = 3}",
            "There is no key of the resampling 'folds'. Known here: 'scheme', 'test', 'holdout', 'stratified'.",
        ),
        (
            GOOD + 'resampling = {stratified = "yes"}',
            "stratified is 'yes'. It says whether every fold has the classes in their shares. "
            "Use stratified = true or stratified = false.",
        ),
        (GOOD + "resampling = {test = true}", "test is True. A share of the rows is needed. Use 1/3."),
        (
            GOOD + "limits = 5",
            "The limits are 5. They are the most that one cell may take. "
            'Use limits = {seconds = 60, memory = "2 GiB"}.',
        ),
        (
            GOOD + "limits = {seconds = nan}",
            "The limit of seconds is nan. It must be a positive number. Use seconds = 60.",
        ),
        (
            GOOD + "limits = {memory = true}",
            "The limit of memory is True. It must be a number of bytes, or one with a unit "
            '(b, kb, mb, gb, kib, mib, gib). Use memory = "2 GiB".',
        ),
        (GOOD + "limits = {cpu = 1}", "There is no limit 'cpu'. Known here: 'seconds', 'memory'."),
        ('datasets = [{source = 5}]\nalgorithms = ["nb"]', f"The source of a data set is 5. {TEXT}"),
        (
            'datasets = [{source = "builtin:twonorm", seed = "x"}]\nalgorithms = ["nb"]',
            "The seed of a data set is 'x'. It must be a whole number from 0 to 2^63 - 1. Use 1, for instance.",
        ),
        ('datasets = ["builtin:monks1"]\nalgorithms = [{name = 5}]', f"The name of an algorithm is 5. {TEXT}"),
        (
            'datasets = ["builtin:monks1"]\nalgorithms = ["svr", {algorithm = "svr", settings = {C = 2.0}}]',
            "Two algorithms of the plan are called 'svr'. Results are kept by name. "
            'Give one of them another name: {name = "svr-2", ...}.',
        ),
        (
            'datasets = ["builtin:monks1"]\nalgorithms = ["svr", {algorithm = "svr", name = "mine"}]',
            "The algorithms 'svr' and 'mine' are the same learner with the same settings. "
            "Their results would be copies of each other. Leave one of them out, or change its settings.",
        ),
        (
            'datasets = ["builtin:monks1", {source = "builtin:monks1", name = "b"}]\nalgorithms = ["nb"]',
            "The data sets 'monks1' and 'b' of the plan hold the same rows. Results are kept by data set, each once. "
            "Leave one of them out.",
        ),
        (
            'datasets = ["builtin:monks1", {source = "builtin:monks2", name = "monks1"}]\nalgorithms = ["nb"]',
            "Two data sets of the plan are called 'monks1'. Results are kept by data set, each once. "
            "Leave one of them out, or name it: {source = ..., name = ...}.",
        ),
        (
            'datasets = ["monks1"]\nalgorithms = ["nb"]',
            "There is no data set 'monks1'. It is no file and no folder, and does not begin with builtin:, sklearn:, "
            "openml: or openml-suite:. Did you mean 'builtin:monks1'?",
        ),
    ],
)
def test_what_means_nothing_is_refused_in_words(content: str, words: str) -> None:
    assert refusal(content) == words


@every(
    "line",
    [
        "datasets = 5", "datasets = [5]", 'datasets = [""]', "datasets = [{}]", "datasets = [[]]", "datasets = true",
        "algorithms = 5", "algorithms = []", "algorithms = [true]", 'algorithms = [["nb"]]', 'algorithms = [""]',
        'algorithms = ["c46"]', 'algorithms = [{import = "os:getcwd"}]', "algorithms = [{import = 5}]",
        'algorithms = [{name = "svr", settings = 5}]', 'algorithms = [{name = "svr", settings = {C = "a"}}]',
        "seed = -1", "seed = 1.5", "seed = 99999999999999999999", 'name = ""',
        'resampling = "x"', 'resampling = "0x2cv"', 'resampling = "5x1cv"', "resampling = []",
        'resampling = {test = "a"}', "resampling = {test = 1.5}", "resampling = {test = nan}",
        'resampling = "1x1000cv"', "limits = []", "limits = {seconds = 0}", 'limits = {seconds = "1"}',
        'limits = {memory = "2 foo"}', "limits = {memory = -5}", "limits = {memory = []}",
    ],
)  # fmt: skip
def test_nonsense_never_ends_in_a_traceback(line: str) -> None:
    content = tomllib.loads(GOOD) | tomllib.loads(line)
    with pytest.raises(TiebreakError):
        check_plan(plan_from(content))


def test_data_that_cannot_be_split_are_refused_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("a,c\n" + "".join(f"{i % 7},x\n" for i in range(20)))
    (tmp_path / "tiny.csv").write_text("a,c\n1,x\n2,y\n3,x\n4,y\n")
    for name, start in (("one", "Data set 'one' has 1 class(es)"), ("tiny", "Data set 'tiny' is too small")):
        with pytest.raises(TiebreakError) as caught:
            check_plan(Plan.of(datasets=[tmp_path / f"{name}.csv"], algorithms=["nb"]))
        assert str(caught.value).startswith(start)


def test_paths_are_relative_to_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "deep" / "data"
    folder.mkdir(parents=True)
    for name in ("pets", "cars"):
        rows = "".join(f"{i * i % 11},{i * (3 if name == 'pets' else 5) % 7},{'ab'[i % 2]}\n" for i in range(40))
        (folder / f"{name}.csv").write_text(f"{name},y,c\n" + rows)
    (tmp_path / "deep" / "plan.toml").write_text('datasets = ["data"]\nalgorithms = ["nb"]\n')
    monkeypatch.chdir(tmp_path)
    plan = read_plan("deep/plan.toml")
    assert sorted(item.name for item in check_plan(plan).data.values()) == ["cars", "pets"]
    (tmp_path / "deep" / "plan.toml").write_text('datasets = ["data/none.csv"]\nalgorithms = ["nb"]\n')
    with pytest.raises(TiebreakError, match=r"There is no file 'deep/data/none.csv'"):
        check_plan(read_plan("deep/plan.toml"))


def test_files_that_are_no_plans(tmp_path: Path) -> None:
    with pytest.raises(TiebreakError) as caught:
        read_plan(tmp_path / "none.toml")
    assert str(caught.value) == (
        f"The plan '{tmp_path}/none.toml' cannot be read: No such file or directory. Check the path."
    )
    (tmp_path / "bad.toml").write_text("datasets = [")
    with pytest.raises(TiebreakError, match=r"bad.toml' is not TOML: .* Write lines such as"):
        read_plan(tmp_path / "bad.toml")


def test_python_objects_are_as_good_as_names() -> None:
    pandas = pytest.importorskip("pandas", reason="a frame of pandas is tried")
    from sklearn.tree import DecisionTreeClassifier

    frame = pandas.DataFrame({"x": [i * i % 11 for i in range(40)], "kind": ["cat", "dog"] * 20})
    data = DataSet.from_arrays([[i % 3, i] for i in range(40)], [i % 2 for i in range(40)], name="arrays")
    plan = Plan.of(
        datasets=[load("builtin:monks1"), data, {"frame": frame, "name": "pets", "target": "kind"}],
        algorithms=[DecisionTreeClassifier(max_depth=2), {"object": DecisionTreeClassifier(), "name": "deep"}],
    )
    ready = check_plan(plan)
    assert [item.name for item in ready.data.values()] == ["monks1", "arrays", "pets"]
    assert [spec.name for spec in ready.specs.values()] == ["DecisionTreeClassifier", "deep"]
    assert "pickle" not in plan.text()
    with pytest.raises(TiebreakError) as caught:
        Plan.of(datasets=[frame], algorithms=["nb"])
    assert str(caught.value) == (
        "A frame among the data sets has no name. Results are stored under the names of the data sets. "
        'Give it one: {"frame": frame, "name": "pets", "target": "kind"}.'
    )


def test_one_thing_needs_no_list() -> None:
    plan = Plan.of(datasets="builtin:monks1", algorithms="nb")
    assert (len(plan.datasets), len(plan.algorithms)) == (1, 1)


def test_the_digest_tells_plans_apart() -> None:
    def made(**options: object) -> Plan:
        return Plan.of(**{"datasets": ["builtin:monks1"], "algorithms": ["nb"], **options})  # type: ignore[arg-type]

    others = [
        made(seed=1),
        made(algorithms=["nb", "5nn"]),
        made(resampling="6x2cv"),
        made(limits={"seconds": 1}),
        made(datasets=["builtin:monks2"]),
        made().with_seed(2),
    ]
    assert made().digest() == made().digest()
    assert len({made().digest(), *(item.digest() for item in others)}) == 7


def test_what_the_dry_run_shows() -> None:
    ready = check_plan(Plan.of(datasets=["builtin:monks1", "builtin:titanic"], algorithms=["nb", "5nn"], name="two"))
    assert str(ready) == (
        "two: 2 data sets x 2 algorithms x 5 replications of 2 folds = 40 cells: 0 done, 0 failed, 40 to run\n"
        "dataset  rows  numeric  symbolic  classes  cells\n"
        "monks1    432        0         6        2     20\n"
        "titanic  2201        0         3        2     20"
    )


@pytest.mark.parametrize(("text", "value"), [("1.5kb", 1500), (" 3 MiB ", 3 << 20), ("7", 7), (7, 7), (None, None)])
def test_amounts_of_memory(text: object, value: int | None) -> None:
    assert bytes_of(text) == value


def test_nothing_is_undocumented() -> None:
    """Every key, learner, setting, option of a data set and status has its place in docs/lab.md."""
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
    lines = page.splitlines()
    for name in (*KEYS, *(field.name for field in fields(DataReference)), *STATUSES, "scheme", "test", "holdout"):
        assert any(line.startswith("| ") and f"`{name}`" in line for line in lines), name
    for entry in catalogue():
        row = next((line for line in lines if line.startswith(f"| `{entry.name}` |")), "")
        assert row, entry.name
        assert all(setting in row.rpartition(" | ")[2] for setting in entry.settings), entry.name
    for name in suite_names():
        assert name in page, name


def test_targets_that_nobody_named_are_said(tmp_path: Path) -> None:
    rows = "\n".join(f"{i % 7},{'yes' if i % 3 else 'no'}" for i in range(40))
    for name in ("pets", "cars"):
        (tmp_path / f"{name}.csv").write_text(f"{name},kind\n{rows.replace('yes', name)}\n")
    plan = tmp_path / "plan.toml"
    plan.write_text('datasets = ["pets.csv", "cars.csv"]\nalgorithms = ["nb", "c45"]\n')
    (note,) = [caveat for caveat in check_plan(read_plan(plan)).caveats if caveat.code == "read-as"]
    assert note == (
        "No target was named; taken were 'kind' of 'pets' (the last column, 2 classes), 'kind' of 'cars' (the last "
        'column, 2 classes). For another column say target = "...".'
    )
    plan.write_text('datasets = [{source = "pets.csv", target = "kind"}]\nalgorithms = ["nb", "c45"]\n')
    assert [caveat.code for caveat in check_plan(read_plan(plan)).caveats] == []
