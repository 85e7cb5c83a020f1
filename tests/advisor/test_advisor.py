"""The advisor: what is recommended, from which neighbours, and what it says where little is known."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak.advisor import Advisor, Knowledge, Recommendation, shipped_knowledge
from tiebreak.advisor.rankings.pairwise import rank_by_arr
from tiebreak.attributes import characterise
from tiebreak.cli.answering import finish
from tiebreak.cli.parsing import parser
from tiebreak.cli.running import recommend as recommended
from tiebreak.datasets import DataSet, load
from tiebreak.errors import InputError, OptionError
from tiebreak.reporting import report
from tiebreak.reporting.html import SCRIPTS
from tiebreak.results import Results

SIZES = {"tiny": 100.0, "small": 200.0, "middle": 1000.0, "large": 2000.0, "huge": 2100.0}
RATES = np.array([[0.9, 0.8, 0.7], [0.9, 0.8, 0.7], [0.8, 0.8, 0.8], [0.7, 0.8, 0.9], [0.7, 0.8, 0.95]])
SECONDS = np.array([[1.0, 2.0, 100.0]] * 5)


def base(
    rates: np.ndarray = RATES, seconds: np.ndarray | None = SECONDS, meta: Any = SIZES, names: Any = ("p", "q", "r")
) -> Knowledge:
    sets, columns = sorted(SIZES), sorted(range(len(names)), key=lambda j: names[j])
    order = [list(SIZES).index(name) for name in sets]
    table = Results.from_array(rates[order], score="accuracy", algorithms=list(names), datasets=sets)
    described = None if meta is None else {name: {"n_examples": meta[name]} for name in sets}
    known = Knowledge.from_results(table, described)
    parts = {name: getattr(known, name) for name in known.__slots__}
    cube = None if seconds is None else seconds[order][:, columns, None, None] * np.ones(known.accuracy.shape)
    return Knowledge(**{**parts, "time": cube})


def ask(known: Knowledge, size: float | None = 150.0, **options: Any) -> Recommendation:
    """Recommend as published: ARR on the nearest two; what is chosen without these has tests of its own."""
    return Advisor(known).recommend({"n_examples": size}, **{"neighbours": 2, "method": "arr", **options})


# ---- the answer


def test_the_ranking_is_that_of_the_nearest_data_sets() -> None:
    result = ask(base(), 150, accd=0.01)
    assert result.neighbours.names == ("small", "tiny")
    expected = rank_by_arr(RATES[:2], SECONDS[:2], accd=0.01, algorithms=["p", "q", "r"])
    assert result.algorithms == expected.algorithms == ("p", "q", "r")
    np.testing.assert_allclose(result.ranking.scores, expected.scores)
    assert ask(base(), 2050, method="srr").algorithms == ("r", "q", "p")


def test_time_counts_as_much_as_the_sentence_says() -> None:
    assert ask(base(), 2050, accd=0.001).algorithms[0] == "r"  # a hundred times slower for a quarter more accuracy
    assert ask(base(), 2050, accd=0.3).algorithms[0] == "p"
    assert ask(base(), accd=0.1).sentence == "I trade 10 % of accuracy for ten times the speed"
    assert ask(base(), method="srr").sentence == ""


@pytest.mark.parametrize("method", ["arr", "a3r", "srr", "mean-rank"])
def test_every_method_answers(method: str) -> None:
    result = ask(base(), method=method, neighbours="all")
    assert set(result.algorithms) == {"p", "q", "r"}
    assert result.to_dict()["ranking"][0]["algorithm"] == result.algorithms[0]


def test_contributions_sum_to_the_score() -> None:
    result = ask(base(), neighbours=4, method="srr")
    pairs = result.ranking.contributions.sum(axis=0)
    logs = np.log(RATES[[1, 0, 2, 3]]).mean(axis=0)  # in the order of the neighbours
    for j, name in enumerate(result.algorithms):
        place = "pqr".index(name)
        others = [i for i in range(3) if i != place]
        both = [0.0, *(logs[place] - logs[i] for i in others)]  # with itself, as in the paper
        assert pairs[j] == pytest.approx(np.mean(both))


def test_expected_results_are_those_on_the_neighbours() -> None:
    rates, seconds = ask(base()).expected()
    np.testing.assert_allclose(rates, [0.9, 0.8, 0.7])
    np.testing.assert_allclose(seconds, [1, 2, 100])


@given(st.permutations(range(3)), st.floats(0.5, 2000))
@settings(derandomize=True, deadline=None, max_examples=20)
def test_renaming_algorithms_and_the_speed_of_the_machine_change_nothing(order: list[int], factor: float) -> None:
    names = ["p", "q", "r"]
    plain = ask(base(), 1500, neighbours=3, accd=0.1)
    turned = ask(
        base(RATES[:, order], SECONDS[:, order] * factor, names=[names[i] for i in order]), 1500, neighbours=3, accd=0.1
    )
    assert dict(zip(turned.algorithms, turned.ranking.scores, strict=True)) == pytest.approx(
        dict(zip(plain.algorithms, plain.ranking.scores, strict=True))
    )


# ---- ways in


def test_data_come_as_data_set_pair_frame_and_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    values, labels = rng.normal(size=(60, 2)), ["a", "b"] * 30
    frame = pl.DataFrame({"u": values[:, 0], "v": values[:, 1], "kind": labels})
    frame.write_csv(tmp_path / "new.csv")
    advisor = Advisor()
    answers = [
        advisor.recommend(DataSet.from_arrays(values, labels)),
        advisor.recommend(values, labels),
        advisor.recommend(frame.drop("kind"), labels),
        advisor.recommend(frame, target="kind"),
        advisor.recommend(tmp_path / "new.csv"),
        advisor.recommend(characterise(DataSet.from_arrays(values, labels), groups="all")),
    ]
    for answer in answers:
        np.testing.assert_allclose(answer.ranking.scores, answers[0].ranking.scores)
    assert answers[4].dataset == "new"
    with pytest.raises(InputError, match="The data are a ndarray without a target"):
        advisor.recommend(values)


def test_a_known_data_set_is_left_out_with_its_origin() -> None:
    recommendation = Advisor(shipped_knowledge(artificial=True)).recommend_known("monks2", neighbours="all")
    assert not {"monks", "monks2", "monks3"} & set(recommendation.neighbours.names)
    with pytest.raises(OptionError, match="There is no known data set 'monk'"):
        Advisor().recommend_known("monk")


def test_the_data_set_itself_may_be_known() -> None:
    pytest.importorskip("sklearn", reason="the bundled data sets come with scikit-learn")
    from tiebreak.datasets import load

    recommend = Advisor().recommend(load("builtin:breast_cancer"), neighbours=1)
    assert recommend.neighbours.names == ("breast_cancer",) and recommend.neighbours.distance[0] == pytest.approx(
        0, abs=1e-12
    )
    itself = "The data set itself is known ('breast_cancer'): its own results count. Without them:"
    assert f"{itself} exclude='breast_cancer'." in recommend.caveats


def test_a_trade_that_is_no_number_is_refused_in_words() -> None:
    with pytest.raises(OptionError, match=r"^accd is '1%'\. It is the share of accuracy that you trade"):
        Advisor().recommend({"n_examples": 100.0}, accd="1%")  # type: ignore[arg-type]


def test_a_store_is_read_anew_for_every_recommendation(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy", reason="stores need SQLAlchemy")
    from tiebreak.stores import open_store
    from tiebreak.stores.records import AlgorithmRow, CellKey, CellOutcome, DataSetRow

    def add(name: str, size: float, rates: dict[str, float]) -> None:
        with open_store(tmp_path / "results.db") as store:
            store.add_data_set(DataSetRow(name=name, fingerprint=name, meta={"n_examples": size}, meta_version="1"))
            for algorithm in rates:
                store.add_algorithm(AlgorithmRow(name=algorithm, fingerprint=algorithm))
            cells = store.add_cells([CellKey(name, rate, "holdout", 1, 1, 1) for rate in rates])
            store.finish(
                [
                    CellOutcome(cell=cell, status="ok", values={"accuracy": rate, "train_time": 1.0})
                    for cell, rate in zip(cells, rates.values(), strict=True)
                ]
            )

    add("far", 1000, {"p": 0.9, "q": 0.8})
    add("farther", 2000, {"p": 0.9, "q": 0.8})
    advisor = Advisor(str(tmp_path / "results.db"))
    before = advisor.recommend({"n_examples": 100.0}, neighbours=1)
    assert before.algorithms == ("p", "q")
    add("near", 110, {"p": 0.5, "q": 0.8})
    after = advisor.recommend({"n_examples": 100.0}, neighbours=1)
    assert after.neighbours.names == ("near",) and after.algorithms == ("q", "p")


# ---- where little is known


def test_one_neighbour_gives_its_own_order() -> None:
    result = ask(base(), 2100, neighbours=1, accd=0.0)
    assert result.algorithms == ("r", "q", "p")
    assert "It rests on one data set: what held there by chance is repeated here." in result.caveats


def test_no_measure_applies() -> None:
    result = ask(base(), None)
    assert sorted(result.neighbours.names) == sorted(SIZES)
    assert result.neighbours.weight.tolist() == pytest.approx([0.2] * 5)
    assert any("None of the measures applies to the query" in note for note in result.caveats)


def test_no_meta_attributes_at_all() -> None:
    result = ask(base(meta=None))
    assert result.neighbours.names == tuple(sorted(SIZES)) and result.neighbours.measures == ()
    assert any("all of them count alike" in note for note in result.caveats)
    assert result.to_dict()["neighbours"][0]["terms"] == {}


def test_extreme_ratios_of_time_are_refused_by_arr_and_taken_by_a3r() -> None:
    seconds = SECONDS.copy()
    seconds[:, 2] = 1e12
    with pytest.raises(InputError, match="turns the fastest algorithm into the worst"):
        ask(base(seconds=seconds), accd=0.1)
    assert ask(base(seconds=seconds), accd=0.1, method="a3r").algorithms[-1] == "r"


def test_times_are_needed_by_the_methods_that_weigh_them() -> None:
    with pytest.raises(OptionError) as caught:
        ask(base(seconds=None))
    assert str(caught.value) == (
        "The known results hold no times. This method weighs accuracy against time. Name the column of times"
        " (time=...), or use method='srr' or 'mean-rank'."
    )
    assert ask(base(seconds=None), method="srr").algorithms[0] == "p"


def test_negative_scores_have_no_ratio() -> None:
    with pytest.raises(InputError, match="a negative one has no ratio"):
        ask(base(RATES - 1), method="srr")
    assert ask(base(RATES - 1), method="mean-rank").algorithms == ("p", "q", "r")


def test_far_from_everything_known() -> None:
    result = ask(base(), 1e6)
    assert "n_examples is 1,000,000; the known data sets have 100 to 2,100." in result.caveats
    assert not any(note.startswith("n_examples is") for note in ask(base(), 150).caveats)


# ---- incomplete results


def gapped() -> Knowledge:
    rates = RATES.copy()
    rates[1, 1] = np.nan  # q on small
    return base(rates)


def test_algorithms_that_nothing_ties_together_are_not_ranked() -> None:
    rates = np.array([[0.9, 0.8, np.nan, np.nan], [0.9, 0.8, np.nan, np.nan], [np.nan, np.nan, 0.9, 0.8]])
    table = Results.from_array(rates, score="accuracy", algorithms=["p", "q", "r", "s"], datasets=["a", "b", "c"])
    known = Knowledge.from_results(table, {"a": {"x": 1.0}, "b": {"x": 2.0}, "c": {"x": 3.0}})
    recommend = Advisor(known).recommend({"x": 1.0}, neighbours="all", method="srr")
    assert recommend.algorithms == ("p", "q")
    assert (
        "Not ranked, because no data set connects them to the rest: 'r', 's'. Run both kinds on one data set."
        in recommend.caveats
    )


def test_data_sets_with_one_result_are_never_neighbours() -> None:
    rates = RATES.copy()
    rates[:2, 1:] = np.nan
    result = ask(base(rates), method="srr")
    assert not {"tiny", "small"} & set(result.neighbours.names)
    assert "2 known data set(s) with results of fewer than two algorithms are left out." in result.caveats
    rates[:, 1:] = np.nan
    with pytest.raises(InputError, match="No known data set has results of two algorithms"):
        ask(base(rates), method="srr")


# ---- options


def test_measures_and_exclusions() -> None:
    known = shipped_knowledge()
    query = dict(zip(known.meta.measures, known.meta.matrix[0].tolist(), strict=True))
    advisor, five = Advisor(known), {"neighbours": 5}  # one recipe is judged, not all
    assert advisor.recommend(query).neighbours.measures[0] == "n_examples"
    one = advisor.recommend(query, measures=["class_entropy"], **five)
    assert one.neighbours.measures == ("class_entropy",)
    assert len(advisor.recommend(query, measures="all", **five).neighbours.measures) == len(known.meta.measures)
    assert known.datasets[0] not in advisor.recommend(query, exclude=known.datasets[0], **five).neighbours.names
    assert advisor.recommend(query, algorithms=["c45", "nb"], **five).algorithms in (("c45", "nb"), ("nb", "c45"))
    with pytest.raises(OptionError, match="There is no data set 'nowhere'"):
        advisor.recommend(query, exclude=["nowhere"])
    with pytest.raises(OptionError, match="There is no measure 'mood'"):
        advisor.recommend(query, measures=["mood"])
    with pytest.raises(OptionError, match="neighbours is 0"):
        advisor.recommend(query, neighbours=0)


def test_measures_of_another_collection_are_all_used() -> None:
    table = Results.from_dict({d: {"x": 0.5, "y": 0.6} for d in "abc"}, scores="accuracy")
    known = Knowledge.from_results(table, {d: {"n_examples": i, "oddity": i * i} for i, d in enumerate("abc", 1)})
    recommend = Advisor(known).recommend({"n_examples": 2.0, "oddity": 1.0}, method="srr")
    assert recommend.neighbours.measures == ("n_examples", "oddity")
    assert any("used is what is, " in note for note in recommend.caveats)


# ---- the command line and the page


def run(*words: object) -> None:
    values = parser("recommend").parse_args(["recommend", *map(str, words)])
    finish(recommended(values), values)


@pytest.fixture
def new(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"u": rng.normal(size=60), "v": rng.normal(size=60), "kind": ["a", "b"] * 30})
    frame.write_csv(tmp_path / "new.csv")
    return tmp_path / "new.csv"


def test_json_keeps_the_contract(new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(new, "--pilot", 0, "--json")
    out = json.loads(capsys.readouterr().out)
    assert {"ranking", "neighbours", "meta_attributes", "caveats"} <= set(out)
    assert {"algorithm", "score"} <= set(out["ranking"][0])
    assert {"dataset", "distance"} <= set(out["neighbours"][0])
    assert len(out["neighbours"]) > 1 and out["meta_attributes"]["n_examples"] == 60
    scores = [row["score"] for row in out["ranking"]]
    assert scores == sorted(scores, reverse=True)


def test_the_text_explains_by_neighbours(new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(new, "--trade", "5% for 10x", "--neighbours", 3, "--full", "--pilot", 0)
    text = capsys.readouterr().out
    assert text.startswith("Target 'kind', the last column: 2 classes with 30 rows each.\nnew: 60 rows, 2 numeric and")
    assert "\n\nTry first on 'new': " in text
    assert "I trade 5 % of accuracy for ten times the speed" in text
    assert "Because of these known data sets" in text
    page = new.with_suffix(".tex")
    run(new, "-o", page, "--neighbours", "all", "--pilot", 0)
    assert "place & algorithm" in page.read_text(encoding="utf-8")


def test_a_published_procedure_has_a_name(new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def told(*words: object) -> dict[str, Any]:
        run(new, *words, "--json")
        result: dict[str, Any] = json.loads(capsys.readouterr().out)
        del result["timing"]
        return result

    def written_out(accd: float) -> dict[str, Any]:
        how: dict[str, Any] = {"method": "arr", "neighbours": 5, "scaling": "plain", "times": "measured"}
        data: dict[str, Any] = json.loads(json.dumps(Advisor().recommend(new, accd=accd, **how).to_dict()))
        del data["timing"]
        return data

    assert told("--variant", "2003") == written_out(0.01)
    assert told("--variant", "2003", "--accd", 0.1) == written_out(0.1)
    assert told("--variant", "2003")["method"]["times"] == "measured"


def test_files_of_others_from_the_command_line(tmp_path: Path, new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.csv").write_text(
        "task,method,err,secs,bad\n1,x,0.1,1,no\n1,y,0.2,2,no\n2,x,0.3,1,no\n2,y,0.1,2,no\n2,y,9,9,yes\n"
    )
    (tmp_path / "m.csv").write_text("task,n_examples\n1,50\n2,500\n")
    options = ("--results", tmp_path / "r.csv", "--meta", tmp_path / "m.csv", "--score", "err", "--lower-is-better")
    more = ("--time", "secs", "--where", "bad=no", "--neighbours", 1, "--json")
    run(new, *options, *more)
    out = json.loads(capsys.readouterr().out)
    assert [row["algorithm"] for row in out["ranking"]] == ["x", "y"]
    assert out["neighbours"][0]["dataset"] == "1"
    run("--known", "1", *options, *more)
    assert json.loads(capsys.readouterr().out)["ranking"][0]["algorithm"] == "y"


def test_what_the_command_line_refuses(new: Path) -> None:
    with pytest.raises(OptionError, match="No data were named"):
        run()
    with pytest.raises(OptionError, match="Data and a known data set were named"):
        run(new, "--known", "iris")
    with pytest.raises(OptionError, match="meta was given without results"):
        run(new, "--meta", "m.csv")
    with pytest.raises(OptionError, match="neighbours is 'many'"):
        run(new, "--neighbours", "many")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name == "src" or name.startswith("on") for name, _ in attrs)
        assert all(str(value).startswith("#") for name, value in attrs if name == "href")


def test_the_page_is_whole_and_escaped(new: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(new, "-o", tmp_path / "page.html", "--pilot", 0)
    capsys.readouterr()
    reader = _Reader()
    reader.feed((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert reader.tags.count("table") == 4 and reader.tags.count("script") == len(SCRIPTS) + 2  # and two of data
    bad = "<script>alert(1)</script>"
    page = report(ask(base(names=[bad, "q", "r"]), name=bad)).to_html()
    assert bad not in page and "&lt;script&gt;" in page


def test_a_group_stands_for_its_measures() -> None:
    recommendation = Advisor().recommend_known("iris", measures="simple", neighbours=5)
    assert recommendation.neighbours.measures[:2] == ("n_attributes", "n_numeric")
    both = Advisor().recommend_known("iris", measures=["n_examples", "simple"], neighbours=5)
    assert both.neighbours.measures == ("n_examples", *recommendation.neighbours.measures)
    with pytest.raises(OptionError) as error:
        Advisor(base()).recommend({"n_examples": 150.0}, measures="target")
    assert str(error.value) == (
        "No meta-attribute of the group 'target' is known of the data sets. They are compared by what is known of"
        " all of them. Name others (measures='all' takes all that are known)."
    )


def test_a_neighbour_of_the_same_name_is_pointed_out() -> None:
    query = {"n_examples": 150.0}
    known = base()
    same = known.datasets[0]
    recommend = Advisor(known).recommend(query, name=same.upper(), neighbours="all")
    assert any(note.startswith(f"A neighbour has the name of the data ({same!r})") for note in recommend.caveats)
    other = Advisor(known).recommend(query, name="something else", neighbours="all")
    assert not any("has the name of the data" in note for note in other.caveats)
    itself = Advisor().recommend_known("iris", neighbours=5)
    assert not any("has the name of the data" in note for note in itself.caveats)


def test_many_neighbours_are_cut_in_print_and_whole_in_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tiebreak.advisor.recommendation.SHOWN_NEIGHBOURS", 3)
    recommendation = Advisor().recommend_known("iris", neighbours="all")
    tables = {table.caption: table for table in recommendation.document().tables}
    others, last = len(shipped_knowledge().datasets) - 1, recommendation.neighbours.names[-1]
    expected = [4, others, others]
    assert [len(tables[name].body) for name in ("", "Neighbours", "Distance by meta-attribute")] == expected
    for table in (
        str(recommendation.document()),
        recommendation.to_markdown(),
        recommendation.to_latex(),
        recommendation._repr_html_(),
    ):
        assert (
            f"{others - 3} more" in table and f"{last} " not in table.partition("more")[0].rpartition("best there")[2]
        )
    assert last in report(recommendation).to_html() and "<h3>Checks</h3>" not in report(recommendation).to_html()


def test_caveats_are_known_by_code_and_json_tells_the_codes() -> None:
    data = load("builtin:breast_cancer")
    recommend = Advisor().recommend(data)
    codes = [note.code for note in recommend.caveats]
    assert codes.count("known-itself") == 1
    assert recommend.to_dict()["caveat_codes"] == list(dict.fromkeys(codes))
    renamed = Advisor().recommend(
        dict(characterise(data)), name="breast_cancer"
    )  # without a digest only the name is known
    assert "known-itself" in [note.code for note in renamed.caveats]
