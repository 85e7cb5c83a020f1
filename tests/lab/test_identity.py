"""What produced a score: where a cell ran, with what, and what happens when the learner or a library has changed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sklearn", reason="the lab needs scikit-learn (tiebreak[lab])")
pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tiebreak.errors import InputError, OptionError
from tiebreak.lab import provenance, provenance as surroundings
from tiebreak.lab.algorithms.sources import check_source, source_of, source_of_object
from tiebreak.lab.algorithms.specs import fingerprint, spec_of
from tiebreak.lab.driver import dry_run, run
from tiebreak.lab.engines import LocalEngine
from tiebreak.stores import open_store
from tiebreak.stores.records import Environment

LEARNER = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from my_parts import most{extra}

class Mine(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.most_ = most(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.most_)
"""
PARTS = "import numpy as np\n\n\ndef most(y):\n    return np.bincount(y).argmax()\n"
PLAN = {"datasets": ["builtin:monks1"], "algorithms": [{"import": "my_learner:Mine"}, "nb"], "resampling": "1x2cv"}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a learner of its own, which a second module helps."""
    (tmp_path / "my_learner.py").write_text(LEARNER.format(extra=""))
    (tmp_path / "my_parts.py").write_text(PARTS)
    sys.path.insert(0, str(tmp_path))
    yield tmp_path
    sys.path.remove(str(tmp_path))
    for name in ("my_learner", "my_parts"):
        sys.modules.pop(name, None)


def mark() -> str:
    return fingerprint(spec_of({"import": "my_learner:Mine"}))


def test_an_identity_holds_the_source_of_all_local_modules_and_nothing_else(folder: Path) -> None:
    first = mark()
    assert [name for name, _ in spec_of({"import": "my_learner:Mine"}).code.files] == ["my_learner", "my_parts"]
    (folder / "my_parts.py").write_text("# a remark\n" + PARTS.replace("\n\n\n", "\n\n"))
    assert mark() == first, "comments and blank lines change nothing"
    (folder / "my_parts.py").write_text(PARTS.replace("argmax", "argmin"))
    assert mark() != first
    (folder / "my_parts.py").write_text(PARTS)
    assert mark() == first
    library = spec_of({"import": "sklearn.ensemble:ExtraTreesClassifier"})
    assert library.code.digest == "" and spec_of("nb").code.packages == ()


def test_learners_named_inside_settings_count_too(folder: Path) -> None:
    inner = {"import": "my_learner:Mine"}
    bagged = {"import": "sklearn.ensemble:BaggingClassifier", "settings": {"estimator": inner}}
    assert [name for name, _ in spec_of(bagged).code.files] == ["my_learner", "my_parts"]
    first = fingerprint(spec_of(bagged))
    (folder / "my_parts.py").write_text(PARTS.replace("argmax", "argmin"))
    assert fingerprint(spec_of(bagged)) != first


def test_packages_relative_imports_and_lazy_ones_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "my_package" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "my_package" / "__init__.py").write_text("")
    (inner / "__init__.py").write_text("from .. import tools\nfrom . import late\n")
    (inner / "late.py").write_text("def f():\n    from ..more import x\n    import polars, json\n    return x\n")
    (tmp_path / "my_package" / "tools.py").write_text("import not_there_at_all\n")
    (tmp_path / "my_package" / "more.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    source = source_of("my_package.inner")
    names = ["my_package", "my_package.inner", "my_package.inner.late", "my_package.more", "my_package.tools"]
    assert [name for name, _ in source.files] == names
    assert source.packages == ("not_there_at_all", "polars")
    assert "my_package" not in sys.modules, "nothing was run"


def test_an_object_counts_with_its_class_also_inside_a_pipeline(folder: Path) -> None:
    from my_learner import Mine  # type: ignore[import-not-found]

    names = ["my_learner", "my_parts"]
    assert [name for name, _ in source_of_object(make_pipeline(StandardScaler(), Mine())).files] == names
    before = fingerprint(spec_of(Mine()))
    (folder / "my_learner.py").write_text(LEARNER.format(extra="") + "x = 1\n")
    assert fingerprint(spec_of(Mine())) != before


def test_a_class_of_the_program_itself_counts_by_its_own_text(tmp_path: Path) -> None:
    text = (
        "import sys\nimport numpy as np\nfrom sklearn.base import BaseEstimator, ClassifierMixin\n{remark}\n"
        "def helper(y):\n    return np.bincount(y).arg{which}()\n"
        "class Own(ClassifierMixin, BaseEstimator):\n"
        "    def fit(self, X, y):\n        self.most_ = helper(y)\n        return self\n"
        "    def predict(self, X):\n        return np.full(len(X), self.most_)\n"
        "from tiebreak.lab.algorithms.specs import fingerprint, spec_of\nprint(fingerprint(spec_of(Own())))\n"
    )
    programs = []
    for place, (remark, which) in enumerate((("", "max"), ("unused = 5", "max"), ("", "min"))):
        programs.append(tmp_path / str(place) / "program.py")
        programs[-1].parent.mkdir()
        programs[-1].write_text(text.format(remark=remark, which=which))
    code = "import runpy, sys\nfor each in sys.argv[1:]: runpy.run_path(each, run_name='__main__')"
    options = [sys.executable, "-c", code, *map(str, programs)]
    parts = subprocess.run(options, capture_output=True, text=True, check=True).stdout.split()
    assert parts[0] == parts[1] != parts[2], "what makes the plan is no part of the learner"


def test_a_changed_learner_is_refused_with_what_changed(folder: Path) -> None:
    store = folder / "results.db"
    with LocalEngine(jobs=1) as engine:
        assert run(PLAN, store=store, engine=engine).counts["ok"] == 4
        (folder / "my_parts.py").write_text(PARTS.replace("argmax()", "argmin()  # worse"))
        with open_store(store) as opened:
            files = dict(next(row for row in opened.algorithms() if row.name == "Mine").spec["files"])  # type: ignore[call-overload]
        now = dict(spec_of({"import": "my_learner:Mine"}).code.files)
        with pytest.raises(OptionError) as caught:
            run(PLAN, store=store, engine=engine)
        assert str(caught.value) == (
            f"The store {store} holds another algorithm 'Mine', with other source: my_parts {files['my_parts']} ->"
            f" {now['my_parts']}. Under one name their results could not be distinguished. Give this one another name,"
            ' {import = ..., name = "Mine-2"}, or use another store.'
        )
        (folder / "my_parts.py").write_text(PARTS)
        assert run(PLAN, store=store, engine=engine).ran == 0, "the old one is back"


def test_a_source_that_changes_while_the_plan_runs_is_an_error_of_the_cell(folder: Path) -> None:
    spec = spec_of({"import": "my_learner:Mine"})
    check_source(spec)
    (folder / "my_parts.py").write_text(PARTS + "# a remark\n")
    check_source(spec)
    (folder / "my_parts.py").write_text(PARTS + "x = 1\n")
    with pytest.raises(
        InputError, match=r"^The source of 'Mine' is not the one that the plan was made with \(my_parts\)"
    ):
        check_source(spec)


def test_cells_say_where_they_ran_and_the_host_is_measured_when_it_is_time(tmp_path: Path) -> None:
    plan = {"datasets": ["builtin:monks1"], "algorithms": ["nb"], "resampling": "2x2cv"}
    with LocalEngine(jobs=1, calibrate_after=0.0) as engine:
        run(plan, store=tmp_path / "results.db", engine=engine)
    here = surroundings.environment()
    with open_store(tmp_path / "results.db") as store:
        rows = list(store.rows())
        assert {row.host for row in rows} == {here.host}
        assert all(row.environment["versions"]["scikit-learn"] for row in rows)  # type: ignore[index]
        assert all(row.host_load is not None and row.host_load >= 0 for row in rows)
        assert list(store.environments().values()) == [here]
        (result,) = store.calibrations()
        assert 0.01 < result.cpu < 60 and result.wall > 0 and result.environment == here
        assert rows[0].host_kernel == result.cpu
    with open_store(tmp_path / "short.db") as store:
        run(plan, store=tmp_path / "short.db", engine=LocalEngine(jobs=1, calibrate_after=3600.0))
        assert store.calibrations() == [], "a short run does not pay for it"


def test_other_versions_are_refused_and_small_differences_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "results.db"
    plan: dict[str, Any] = {"datasets": ["builtin:monks1"], "algorithms": ["nb"], "resampling": "1x2cv"}
    with LocalEngine(jobs=1) as engine:
        run(plan, store=store, engine=engine)
        more = plan | {"algorithms": ["nb", "5nn"]}
        here = surroundings.environment()
        major, minor, *_ = here.versions["scikit-learn"].split(".")
        patched = {**here.versions, "scikit-learn": f"{major}.{minor}.99", "tiebreak": "99.0"}
        later = {**here.versions, "scikit-learn": "99.0.1"}

        def with_versions(versions: dict[str, str]) -> Any:
            return lambda _=(): replace(here, versions=versions)

        monkeypatch.setattr(provenance, "environment", with_versions(later))
        assert run(plan, store=store, engine=engine).ran == 0, "nothing is left to run"
        for ask in (lambda: run(more, store=store, engine=engine), lambda: dry_run(more, store=store)):
            with pytest.raises(OptionError) as caught:
                ask()
            version = here.versions["scikit-learn"]
            assert str(caught.value) == (
                f"The store {store} holds results on these data sets that were run with scikit-learn {version} (2"
                " cells; here 99.0.1). Scores and times of different versions would stand side by side in one order."
                f" Go back (pip install 'scikit-learn=={version}'), use another store, or run on with"
                " mix_versions=True: comparisons will then say so."
            )
        assert dry_run(more, store=store, mix_versions=True).done == 2
        monkeypatch.setattr(provenance, "environment", with_versions(patched))
        assert run(more, store=store, engine=engine).ran == 2
        monkeypatch.setattr(provenance, "environment", with_versions(later))
        elsewhere = plan | {"datasets": ["builtin:monks2"]}
        assert run(elsewhere, store=store, engine=engine).ran == 2, "no data set in common: nothing is mixed"


def test_what_a_helper_says_is_made_once_per_helper() -> None:
    options = surroundings.Surroundings(first=1e9).told(())
    json.dumps(options)
    first, second = surroundings.heard(options), surroundings.heard(json.loads(json.dumps(options)))
    assert first["environment"] is second["environment"]
    assert isinstance(first["environment"], Environment) and "calibration" not in first
    assert surroundings.environment(("polars", "not_there_at_all")).versions.keys() >= {"polars", "numpy"}


class Constant(ClassifierMixin, BaseEstimator):
    """A learner of this module, for the check that tests' own classes have a source."""

    def fit(self, X: Any, y: Any) -> Constant:  # noqa: ARG002
        self.most_ = int(np.bincount(y).argmax())
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.most_)


def test_a_class_of_an_imported_module_counts_by_that_module() -> None:
    assert any(name.endswith("test_identity") for name, _ in spec_of(Constant()).code.files)
