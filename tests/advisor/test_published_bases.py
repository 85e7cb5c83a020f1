"""Published bases: files in the shapes that the projects publish, made up and small, with their traps."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from tiebreak.advisor import Advisor, Knowledge, knowledge_text, merge_knowledge, open_base
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.results import Results

from ..every import every

TOOLS = Path(__file__).parents[2] / "tools" / "knowledge"
sys.path.insert(0, str(TOOLS))
read_published = import_module("published").read_published
family_of, origin_labels = (getattr(import_module("published.origins"), n) for n in ("family_of", "origin_labels"))
BASES = import_module("published.records").BASES
sys.path.remove(str(TOOLS))

RF, SVM = "{'algorithm': 'RF', 'hyperparameters': {'trees': 10}}", "{'algorithm': 'SVM', 'hyperparameters': {}}"
PMF = """,ClassEntropy,ClassProbabilityMax,ClassProbabilityMin,Landmark1NN,LandmarkLDA,LandmarkDecisionNodeLearner,\
NumberOfCategoricalFeatures,NumberOfClasses,NumberOfFeatures,NumberOfFeaturesWithMissingValues,NumberOfInstances,\
NumberOfInstancesWithMissingValues,NumberOfMissingValues,SymbolsMean
3,1.0,0.5,0.5,0.9,0.8,0.6,2,2,10,1,100,5,20,3.5
61,1.585,0.34,0.33,0.95,0.98,0.67,0,3,4,0,150,0,0,0
"""
QUALITIES = """tid,did,name,MajorityClassSize,MinorityClassSize,NumberOfClasses,NumberOfFeatures,NumberOfInstances,\
NumberOfInstancesWithMissingValues,NumberOfMissingValues,NumberOfNumericFeatures,NumberOfSymbolicFeatures
11,3,adult,75,25,2,11,100,5,20,7,4
12,61,iris,50,50,3,5,150,0,0,4,1
13,99,house,,,0,9,500,0,0,8,1
"""


def oboe(folder: Path) -> Path:
    (folder / "error_matrix.csv").write_text(f',"{RF}","{SVM}"\n00003,0.1,0.1\n00061,0.2,0.4\n')
    (folder / "runtime_matrix.csv").write_text(f',"{RF}","{SVM}"\n00003,5,10\n00061,1,2\n')
    (folder / "dataset_sizes.csv").write_text(",0,1\n61,150,4\n3,100,12\n")
    (folder / "data_feats_featurized.csv").write_text(PMF)
    return folder


# ---- Oboe


def test_oboe_as_it_is_published(tmp_path: Path) -> None:
    base = read_published(f"oboe:{oboe(tmp_path)}")
    assert base.datasets == ("openml:3", "openml:61") and base.algorithms == ("RF(trees=10)", "SVM")
    np.testing.assert_allclose(base.accuracy[:, :, 0, 0], [[0.9, 0.9], [0.8, 0.6]])
    assert base.time is not None
    np.testing.assert_allclose(base.time[:, :, 0, 0], [[1, 2], [0.2, 0.4]])  # of one of five folds
    assert base.train_share == (0.8, 0.8) and base.score == "1 - balanced error"
    assert base.data_from == ("openml.org/d/3", "openml.org/d/61")
    assert any(note.code == "values-filled" and "1 of 4 errors" in note for note in base.caveats)
    assert [notice.partition(",")[0] for notice in base.notices] == [
        "Results of Oboe (https://github.com/udellgroup/oboe)",
        "Meta-attributes of OpenML data sets by pmf-automl (https://github.com/rsheth80/pmf-automl)",
    ]
    assert "doi:10.1145/3292500.3330909" in base.notices[0] and "BSD-3-Clause" in base.notices[0]


def test_measures_that_mean_the_same_come_under_our_names(tmp_path: Path) -> None:
    base = read_published(f"oboe:{oboe(tmp_path)}")
    result = dict(zip(base.meta.measures, base.meta.matrix[0].tolist(), strict=True))
    assert result["n_examples"] == 100 and result["n_attributes"] == 10 and result["n_classes"] == 2
    assert result["prop_symbolic"] == 0.2 and result["n_numeric"] == 8 and result["dimensionality"] == 0.1
    assert result["prop_missing"] == pytest.approx(0.02) and result["rows_with_missing"] == 0.05
    assert result["class_entropy"] == 1 and result["class_imbalance"] == 1 and result["log_n_examples"] == 2
    assert "mean_categories" not in base.meta.measures  # known of one of two, as the other has no symbolic attribute


def test_copies_of_oboe_spell_settings_in_a_file_of_their_own(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "oboe_error.csv.gz", "wt") as file:
        file.write("openml_dataset_id,RF_01,SVM_01\n3,0.1,0.3\n61,0.2,0.4\n")
    settings = 'config,algorithm,hyperparameters\nRF_01,RF,"{""trees"": 10}"\nSVM_01,SVM,{}\n'
    (tmp_path / "oboe_configs.csv").write_text(settings)
    base = read_published(f"oboe:{tmp_path}")
    assert base.algorithms == ("RF(trees=10)", "SVM") and base.time is None
    assert "oboe: no file of run times is beside the errors." in base.caveats
    assert base.meta.measures == () and any(note.code == "all-alike" for note in base.caveats)


def test_times_of_another_version_are_refused(tmp_path: Path) -> None:
    oboe(tmp_path)
    (tmp_path / "runtime_matrix.csv").write_text(f',"{RF}","{SVM}"\n00003,5,10\n')
    with pytest.raises(InputError, match="does not have the data sets and settings of the errors beside it"):
        read_published(f"oboe:{tmp_path}")


# ---- TabZilla

TABZILLA = """,alg_name,dataset_name,Accuracy__test_mean,time__train_mean
0,CatBoost,openml__adult__11,0.9,7
1,CatBoost_default,openml__adult__11,0.85,5
2,KNN_default,openml__adult__11,0.7,0
3,CatBoost_default,openml__iris__12,0.95,1
4,KNN_default,openml__iris__12,0.97,0.5
5,TabPFNModel,openml__iris__12,0.98,0.1
"""


def test_tabzilla_tells_default_from_tuned(tmp_path: Path) -> None:
    (tmp_path / "tuned_aggregated_results_with_default_hparams.csv").write_text(TABZILLA)
    (tmp_path / "task_metadata_289.csv").write_text(QUALITIES)
    base = read_published(f"tabzilla:{tmp_path}")
    assert base.datasets == ("adult", "iris") and base.algorithms == ("CatBoost", "KNN", "TabPFNModel")
    np.testing.assert_allclose(base.means()[0], [[0.85, 0.7, np.nan], [0.95, 0.97, 0.98]])
    assert base.time is not None and np.isnan(base.time[0, 1, 0, 0])  # no training takes 0 seconds
    assert "tabzilla: 1 results of tuned learners are left out." in base.caveats
    tuned = read_published(f"tabzilla-tuned:{tmp_path}")
    assert tuned.algorithms == ("CatBoost", "TabPFNModel")
    assert tuned.means()[0][0, 0] == 0.9


def test_a_file_of_tuned_learners_alone_is_no_base_of_default_ones(tmp_path: Path) -> None:
    file = tmp_path / "tuned_aggregated_results.csv"
    file.write_text(",alg_name,dataset_name,Accuracy__test_mean,time__train_mean\n0,KNN,openml__a__1,0.9,7\n")
    with pytest.raises(InputError) as caught:
        read_published(f"tabzilla:{file}")
    assert str(caught.value) == (
        "tuned_aggregated_results.csv holds no results of default settings. Names of default settings end in _default;"
        " the two are read apart, as their times mean different things. Use tabzilla-tuned:PATH, or get"
        " the file with both."
    )


def test_what_openml_counts_as_attributes_includes_the_class(tmp_path: Path) -> None:
    (tmp_path / "tabzilla_results.csv").write_text(TABZILLA)
    (tmp_path / "task_metadata_289.csv").write_text(QUALITIES)
    base = read_published(f"tabzilla:{tmp_path}")
    result = dict(zip(base.meta.measures, base.meta.matrix[0].tolist(), strict=True))
    assert (result["n_attributes"], result["n_symbolic"], result["n_numeric"]) == (10, 3, 7)
    assert result["default_accuracy"] == 0.75 and result["minority_share"] == 0.25 and result["class_imbalance"] == 3
    assert result["class_entropy"] == pytest.approx(0.8112781244591328)  # scipy.stats.entropy([0.75, 0.25], base=2)
    assert base.meta.matrix[1][base.meta.measures.index("class_entropy")] == pytest.approx(np.log2(3))  # 50, 50, 50
    assert "tabzilla: of the five usual measures of likeness its data sets have" in " ".join(base.caveats)


# ---- TabArena and TabRepo


def test_imputed_rows_and_regression_are_no_measurements(tmp_path: Path) -> None:
    (tmp_path / "results_per_split.csv").write_text(
        "dataset,fold,method,metric_error,time_train_s,time_infer_s,metric,problem_type,imputed\n"
        "adult,0,CAT (default),0.1,9,1,roc_auc,binary,False\n"
        "adult,0,KNN (default),0.3,1,1,roc_auc,binary,False\n"
        "iris,0,CAT (default),0.6931471805599453,9,1,log_loss,multiclass,False\n"
        "iris,0,KNN (default),0.1,1,1,log_loss,multiclass,True\n"
        "house,0,CAT (default),99,9,1,rmse,regression,False\n"
    )
    base = read_published(f"tabarena:{tmp_path}")
    np.testing.assert_allclose(base.means()[0], [[0.9, 0.7], [0.5, np.nan]])  # exp(-ln 2) = 1/2
    assert base.time is not None and base.time[0, :, 0, 0].tolist() == [10, 2]
    assert "tabarena: 1 rows are results of another model (imputed) and are left out." in base.caveats
    assert "tabarena: 1 results on numbers to predict are left out." in base.caveats
    assert base.score == "auc or exp(-log loss)" and base.train_share == (2 / 3, 2 / 3)


def test_tabrepo_writes_the_fold_behind_the_task(tmp_path: Path) -> None:
    file = tmp_path / "results_ranked_by_dataset_valid.csv"
    file.write_text(
        "dataset,framework,problem_type,time_train_s,metric_error,time_infer_s,rank\n"
        "11_0,A,binary,1,0.1,0,1\n11_1,A,binary,1,0.2,0,1\n11_0,B,binary,1,0.3,0,2\n12_0,A,multiclass,1,0,0,1\n"
    )
    plain = read_published(f"tabrepo:{file}")
    assert plain.datasets == ("openml-task:11", "openml-task:12")
    (tmp_path / "task_metadata_289.csv").write_text(QUALITIES)
    base = read_published(f"tabrepo:{tmp_path}")
    assert base.datasets == ("adult", "iris") and base.origins == ("openml:3", "openml:61")
    np.testing.assert_allclose(base.accuracy[0, :, 0], [[0.9, 0.8], [0.7, np.nan]])
    assert base.means()[0][1, 0] == 1


# ---- the AutoML benchmark and bbtcomp


def test_failed_rows_of_the_benchmark_are_gaps_whatever_stands_in(tmp_path: Path) -> None:
    (tmp_path / "all_results.csv").write_text(
        "acc,auc,duration,fold,framework,id,info,task,type,result,imp_result\n"
        "0.9,0.9,10,0,A,openml.org/t/11,,adult,binary,0.9,0.9\n"
        "0.8,0.9,20,1,A,openml.org/t/11,,adult,binary,0.9,0.9\n"
        "0.7,0.9,30,0,B,openml.org/t/11,,adult,binary,0.9,0.9\n"
        ",,30,1,B,openml.org/t/11,Error: no model.,adult,binary,,0.5\n"
    )
    (tmp_path / "metadata.csv").write_text(
        "task,name,type,dataset,nrows,nfeatures,nclasses,class_imbalance\n"
        "openml.org/t/11,Adult,binary,openml.org/d/3,100,11,2,3.0\n"
    )
    base = read_published(f"amlb:{tmp_path}")
    np.testing.assert_allclose(base.accuracy[0, :, 0], [[0.9, 0.8], [0.7, np.nan]])
    assert base.time is not None
    np.testing.assert_allclose(base.time[0, :, 0], [[10, 20], [30, np.nan]])
    assert "amlb: 1 of 4 results failed and are gaps." in base.caveats
    result = dict(zip(base.meta.measures, base.meta.matrix[0].tolist(), strict=True))
    assert (result["n_attributes"], result["default_accuracy"], result["minority_share"]) == (10, 0.75, 0.25)


def test_folds_of_bbtcomp_are_counted_in_the_order_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "ll.csv").write_text('"db","rf","svm"\n"a",0.5,0.6\n"a",0.7,0.8\n"crx",1,\n"credit_a",0.2,0.1\n')
    base = read_published(f"bbtcomp:{tmp_path}")
    assert base.accuracy[0, :, 0].tolist() == [[0.5, 0.7], [0.6, 0.8]]
    assert base.time is None and base.train_share[0] == 0.5
    assert base.origins == ("a", "credit-approval", "credit-approval")
    with pytest.raises(OptionError, match="The known results hold no times"):
        Advisor(base).recommend({"n_examples": 100.0}, method="arr")


# ---- origins


@every(
    "family",
    [
        ("solar-flare_1", "solar_flare_2", "flare"),
        ("monks-problems-1", "monk3"),
        ("fri_c3_100_5", "fri_c0_1000_25"),
        ("colic", "colic.orig", "horse_colic"),
        ("column2C", "vertebra-column"),
        ("spect", "SPECTF"),
        ("mfeat-fourier", "mfeat-zernike"),
        ("cloud", "cloud"),
        ("abalone", "abalone_bin"),
        ("cleveland", "cleveland_nominal", "heart-c"),
    ],
)
def test_versions_of_one_data_set_are_one_family(family: tuple[str, ...]) -> None:
    assert len({family_of(name) for name in family}) == 1


def test_different_data_sets_are_different_families() -> None:
    names = [
        "iris",
        "wine",
        "adult",
        "spambase",
        "credit-g",
        "credit-a",
        "openml:3",
        "openml:31",
        "kr-vs-kp",
        "heart-h",
    ]
    assert len({family_of(name) for name in names}) == len(names)


def test_a_chain_of_families_numbers_and_sizes_is_one_origin() -> None:
    names, numbers = ["a", "b", "b_bin", "c", "d"], [5, 7, None, 7, None]
    sizes = [(10.0, 2.0), None, (10.0, 2.0), None, (10.0, 3.0)]
    assert origin_labels(names, numbers, sizes) == ("openml:5", "openml:5", "openml:5", "openml:5", "d")


# ---- addresses


def test_what_is_not_there_is_said_with_where_it_is_published(tmp_path: Path) -> None:
    for name, record in BASES.items():
        for address in (name, f"{name}:{tmp_path}", f"{name}:{tmp_path / 'nowhere'}"):
            with pytest.raises(InputError) as caught:
                read_published(address)
            text = str(caught.value)
            assert text.startswith(f"No results of {record.title} are ") and "nothing is downloaded" in text
            assert record.published in text and text.endswith(f"pass {name}:FOLDER.")
    with pytest.raises(OptionError, match="There is no published base 'obo'"):
        read_published("obo:folder")


def test_another_file_is_not_guessed_at(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    for name in BASES:
        with pytest.raises(InputError, match=r"x.csv has not the columns of .*: 'a', 'b'"):
            read_published(f"{name}:{tmp_path / 'x.csv'}")


def test_damaged_files_are_named(tmp_path: Path) -> None:
    file = tmp_path / "ll10.csv"
    file.write_text("db,rf,svm\na,0.5\n")
    with pytest.raises(InputError, match=r"Line 2 of ll10.csv has 2 cells, its header 3"):
        read_published(f"bbtcomp:{file}")
    file.write_text("db,rf,svm\na,0.5,good\n")
    with pytest.raises(InputError, match=r"ll10.csv has 'good' in the column 'svm'"):
        read_published(f"bbtcomp:{file}")
    file.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(InputError, match=r"ll10.csv is no text"):
        read_published(f"bbtcomp:{file}")
    (tmp_path / "all_results.csv").write_text(
        "id,task,framework,fold,acc,duration,info\nt/1,a,A,0,0.5,1,\nt/1,a,A,0,0.6,1,\n"
    )
    with pytest.raises(InputError, match=r"two results of 'A' on 'a', fold 0"):
        read_published(f"amlb:{tmp_path}")


def test_addresses_of_other_kinds(tmp_path: Path) -> None:
    table = Results.from_dict({"a": {"x": 0.9, "y": 0.8}, "b": {"x": 0.7, "y": 0.6}}, scores="accuracy")
    known = Knowledge.from_results(table, {"a": {"n_examples": 9}, "b": {"n_examples": 5}}, source="mine")
    (tmp_path / "base.json").write_text(knowledge_text(known))
    assert open_base(tmp_path / "base.json").datasets == ("a", "b")
    assert Advisor(str(tmp_path / "base.json")).knowledge().sources == ("mine", "mine")
    with pytest.raises(InputError, match=r"There is no file .*nowhere.json"):
        open_base(str(tmp_path / "nowhere.json"))
    (tmp_path / "bad.json").write_text("[]")
    with pytest.raises(InputError, match=r"bad.json holds no knowledge base"):
        open_base(tmp_path / "bad.json")


def test_several_bases_are_merged_and_keep_their_notices(tmp_path: Path) -> None:
    oboe(tmp_path)
    (tmp_path / "ll10.csv").write_text("db,rf,svm\na,0.5,0.6\nb,0.7,0.6\n")
    base = merge_knowledge([read_published(f"{name}:{tmp_path}") for name in ("oboe", "bbtcomp")])
    assert base.datasets == ("openml:3", "openml:61", "a", "b") and len(base.notices) == 3
    assert base.made["source"] == "Oboe" and base.made["source (bbtcomp)"] == "bbtcomp"
    assert base.score == "1 - balanced error or accuracy"


def test_the_same_data_under_another_name_share_an_origin(tmp_path: Path) -> None:
    one = read_published(f"oboe:{oboe(tmp_path)}")
    table = Results.from_dict({"x": {"p": 0.9, "q": 0.8}, "y": {"p": 0.7, "q": 0.6}}, scores="accuracy")
    looks = {"x": {"n_examples": 150, "n_classes": 3, "default_accuracy": 0.34}, "y": {"n_examples": 1, "n_classes": 3}}
    both = merge_knowledge([one, Knowledge.from_results(table, looks)])
    assert both.origins == (*one.origins, one.origins[1], "y")


# ---- as a knowledge file


def test_a_knowledge_file_keeps_the_base_and_its_notices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = [sys.executable, str(TOOLS / "from_published.py"), f"oboe:{oboe(tmp_path)}", str(tmp_path / "oboe.json")]
    made = subprocess.run(call, capture_output=True, text=True, check=False)
    assert made.returncode == 0 and "Results of Oboe" in made.stdout, made.stderr
    base, again = read_published(f"oboe:{tmp_path}"), open_base(tmp_path / "oboe.json")
    np.testing.assert_allclose(again.accuracy, base.accuracy)
    assert (again.datasets, again.algorithms, again.origins) == (base.datasets, base.algorithms, base.origins)
    assert again.notices == base.notices and again.meta.measures == base.meta.measures
    call = ["recommend", "--known", "openml:3", "--base", str(tmp_path / "oboe.json")]
    assert main([*call, "--full"]) == 0
    out = capsys.readouterr().out
    assert "Results of Oboe (https://github.com/udellgroup/oboe), BSD-3-Clause licence" in out
    assert main([*call, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["notices"]) == 2 and "Yang, Akimoto, Kim and Udell (2019)" in data["notices"][0]


def test_a_study_takes_bases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"d{i},{0.5 + 0.01 * i},{0.6 - 0.01 * i},0.55" for i in range(12)]
    (tmp_path / "ll10.csv").write_text("\n".join(["db,rf,svm,nb", *lines]) + "\n")
    (tmp_path / "base.json").write_text(knowledge_text(read_published(f"bbtcomp:{tmp_path}")))
    assert main(["study", "advisor", "--base", str(tmp_path / "base.json"), "--methods", "mean-rank"]) == 0
    assert "3 algorithms on 12 data sets" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="2"):
        main(["study", "advisor", "--base", "shipped", "--store", "x.db"])


# ---- the published files themselves

SHARED = os.environ.get("TIEBREAK_SHARED")


@pytest.mark.skipif(not SHARED, reason="TIEBREAK_SHARED names no folder with the files of the projects")
@every(
    ("address", "sets", "algorithms", "measures"),
    [
        ("oboe:", 357, 219, 18),
        ("tabzilla:", 139, 22, 14),
        ("tabzilla-tuned:", 139, 22, 14),
        ("tabarena:", 38, 78, 14),
        ("tabrepo:", 67, 7, 14),
        ("tabrepo:tabrepo_lightgbm_configs.csv.gz", 62, 104, 14),
        ("amlb:amlb2019_1h_per_fold.csv", 35, 7, 13),
        ("amlb:amlb2019_4h_per_fold.csv", 39, 7, 13),
        ("bbtcomp:", 82, 16, 0),
    ],
)
def test_the_files_of_the_projects(address: str, sets: int, algorithms: int, measures: int) -> None:
    name, _, rest = address.partition(":")
    base = read_published(f"{name}:{Path(str(SHARED)) / 'metadata' / rest}")
    assert (len(base.datasets), len(base.algorithms), len(base.meta.measures)) == (sets, algorithms, measures)
    there = base.accuracy[np.isfinite(base.accuracy)]
    assert there.min() >= 0 and there.max() <= 1 and BASES[name].notice in base.notices
    assert len(set(base.origins)) > 0.6 * sets
