"""What a report says of a comparison and an order beside the answer: limits, pictures, cut tables."""

from __future__ import annotations

import numpy as np
import pytest

from tiebreak import Results, compare, order, with_costs
from tiebreak.caveats import codes_of
from tiebreak.errors import OptionError


def table(scores: np.ndarray) -> Results:
    names = [f"a{i:02d}" for i in range(scores.shape[1])]
    return Results.from_array(
        scores, score="error", algorithms=names, datasets=[f"d{i:03d}" for i in range(len(scores))]
    )


def noisy(sets: int, algorithms: int, effect: float = 1.0, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(sets, algorithms)) + effect * np.arange(algorithms)


def test_limits_pictures_and_headings() -> None:
    made = compare(table(noisy(20, 4))).document()
    assert made.limits == ("No significant difference does not mean equal: more data sets might show one.",)
    assert [picture.kind for picture in made.pictures] == ["cd", "forest", "matrix"]
    two = compare(table(noisy(20, 2)), omnibus="friedman").document()
    assert [picture.kind for picture in two.pictures] == ["cd", "forest"] and two.pictures[1].options == {}
    against = compare(table(noisy(20, 4)), control="a01").document()
    assert [picture.kind for picture in against.pictures] == ["control", "forest"]
    many = compare(table(noisy(12, 60)), posthoc="holm").document().pictures
    assert len(many) == 3 and many[1].options == {"top": 20}
    assert len(compare(table(noisy(12, 61)), posthoc="holm").document().pictures) == 2


def test_tables_are_cut_where_a_text_or_a_report_has_no_room() -> None:
    ten = compare(table(noisy(12, 10)), posthoc="holm").document()
    assert len(ten.tables[1].body) == 45 and not ten.tables[1].note
    eleven = compare(table(noisy(12, 11)), posthoc="holm").document()
    assert eleven.tables[1].note == "55 pairs were tested; `rows()` lists them all."
    assert len(eleven.tables[1].body) == 55 and eleven.tables[1].caption == "Pairs"
    twelve = compare(table(noisy(12, 12)), posthoc="holm").document().tables[1]
    assert len(twelve.body) == 60 and ", the 60 with the smallest p-values of 66 (JSON has all)" in twelve.caption
    smallest = [row[5] for row in twelve.body]
    assert float(smallest[0].lstrip("< ")) <= float(smallest[-1])


def test_pictures_of_an_order() -> None:
    scores = noisy(12, 3)[:, :, None, None] + np.random.default_rng(1).normal(0, 0.1, (12, 3, 5, 2))
    results = table(scores)
    costs = Results.from_array([[1.0, 2.0, 3.0]], score="train_time", algorithms=["a00", "a01", "a02"], datasets=["*"])
    result = order(with_costs(results, costs), cost="train_time")
    assert codes_of(result.caveats) == []
    assert [(picture.kind, picture.first) for picture in result.document().pictures] == [("frontier", True)]
    published = order(with_costs(results, costs), cost="train_time", rule="multitest").document()
    assert [(picture.kind, picture.first) for picture in published.pictures] == [("frontier", True), ("order", False)]


def test_caveats_of_an_order() -> None:
    results = table(noisy(12, 3)[:, :, None, None] + np.random.default_rng(1).normal(0, 0.1, (12, 3, 5, 2)))
    names = ["a00", "a01", "a02"]
    tied = with_costs(
        results, Results.from_array([[1.0, 1.0, 3.0]], score="train_time", algorithms=names, datasets=["*"])
    )
    assert codes_of(order(tied).caveats) == [], "worth needs no rule for costs that tie"
    assert codes_of(order(tied, rule="multitest").caveats) == ["tied-costs"]
    assert codes_of(order(results, prior=names, posthoc="none").caveats) == ["weak-correction"]
    assert "weak-correction" in codes_of(order(results, prior=names, inner_adjust="none").caveats)
    assert codes_of(order(results, prior=names, pairwise="score").caveats) == []
    assert codes_of(order(results, prior=names, dataset="d003").caveats) == []


def test_texts_of_a_control_cut_their_pairs_too() -> None:
    shown = compare(table(noisy(12, 46)), control="a00", posthoc="holm").document().tables[1]
    assert len(shown.body) == 45 and not shown.note
    assert compare(table(noisy(12, 47)), control="a00", posthoc="holm").document().tables[1].note.startswith("46 pairs")


def test_what_a_paper_says_of_the_method() -> None:
    made = compare(table(noisy(20, 4))).document()
    assert made.method[0] == "We compared 4 algorithms on 20 data sets by error."
    assert made.method[1:] == made.said
    folds = Results.from_array(noisy(12, 3)[:, :, None].repeat(2, axis=2), score="error")
    assert compare(folds).document().method[1] == "Scores of folds were averaged for each data set."


def refused(**options: str) -> str:
    with pytest.raises(OptionError) as error:
        compare(table(noisy(12, 4)), **options)  # type: ignore[arg-type]
    return str(error.value)


def test_refusals_offer_what_is_not_refused() -> None:
    assert refused(posthoc="nemenyi", control="a01") == (
        "The post hoc test nemenyi compares all pairs and takes no control. Use"
        " posthoc='holm' or 'bonferroni-dunn', or drop the control."
    )
    assert refused(posthoc="dunnett") == (
        "The post hoc test dunnett needs a control. Name it: control=..., or use posthoc='holm' or 'tukey'."
    )
    assert refused(posthoc="bonferroni-dunn").endswith("or use posthoc='holm', 'nemenyi' or 'dunn'.")
    assert refused(missing="worst-rank", pairwise="wilcoxon") == (
        "The policy worst-rank does not go with the test wilcoxon. Use omnibus='friedman',"
        " 'friedman-chi2' or 'friedman-exact' with"
        " pairwise='ranks', 'conover' or 'exact-ranks', or another policy."
    )
    assert refused(omnibus="quade", posthoc="bonferroni-dunn", control="a01").endswith(
        "Use omnibus='friedman', or a correction such as posthoc='holm'."
    )


def test_an_order_cites_what_it_used() -> None:
    scores = noisy(12, 3)[:, :, None, None] + np.random.default_rng(1).normal(0, 0.1, (12, 3, 5, 2))
    results, prior = table(scores), ["a00", "a01", "a02"]
    many, one = order(results, prior=prior).document(), order(results, prior=prior, dataset="d001").document()
    places = order(results, prior=prior, rule="multi2test").document()
    assert {"yildiz2006", "ulas2012", "alpaydin1999", "friedman1937", "iman1980", "bergmann1988"} <= set(places.papers)
    assert {"yildiz2006", "wilcoxon1945", "friedman1937", "bergmann1988"} <= set(many.papers)
    assert not {"ulas2012", "alpaydin1999"} & set(many.papers)
    assert set(one.papers) == {"yildiz2006", "alpaydin1999", "bergmann1988"}
    assert many.tables[0].caption == "Places, best first"
    assert many.tables[1].caption == "Reasons"
    by_worth = order(results).document()
    assert {"brazdil2003", "wilcoxon1945", "friedman1937"} <= set(by_worth.papers) and "ulas2012" not in by_worth.papers
