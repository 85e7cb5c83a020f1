"""Expected loss of advice: losses on data left out against plain loops, the choice, and the report."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tiebreak.advisor import Advisor, Knowledge
from tiebreak.advisor.judging import Rounds, judge_recipes
from tiebreak.advisor.neighbours import nearest
from tiebreak.advisor.rankings.portfolios import rank_by_portfolio
from tiebreak.advisor.worth import Recipe, choose, recipes_for
from tiebreak.errors import InputError
from tiebreak.results import Results

NAMES = list("abcde")


def base(sets: int = 30, seed: int = 0, helps: bool = False) -> Knowledge:
    """Make a base; where neighbours help, the best algorithm depends on the size, else all are alike everywhere."""
    rng = np.random.default_rng(seed)
    sizes = 10 ** rng.uniform(2, 5, sets)
    rates = 0.7 + rng.normal(0, 0.02, (sets, 5))
    if helps:
        rates[:, 0] += 0.1 * (sizes < 3000)
        rates[:, 1] += 0.1 * (sizes >= 3000)
    names = [f"d{i:02}" for i in range(sets)]
    table = Results.from_array(rates, score="accuracy", algorithms=NAMES, datasets=names)
    return Knowledge.from_results(table, {d: {"n_examples": n} for d, n in zip(names, sizes, strict=True)})


def test_losses_are_those_of_a_plain_loop() -> None:
    known = base(12)  # fewer than twenty origins: one is left out at a time
    recipes = [item for item in recipes_for(known) if item.neighbours == 5 or not item.measures]
    worth = judge_recipes(known, recipes)
    success = known.means()[0]
    for place, recipe in enumerate(recipes):
        for i, name in enumerate(known.datasets):
            others = [j for j in range(12) if j != i]
            if recipe.neighbours is not None:
                query = dict(zip(known.meta.measures, known.meta.matrix[i], strict=True))
                near = nearest(query, known.meta, measures=recipe.measures, k=5, exclude=[name])
                others = [known.datasets.index(item) for item in near.names]
            order = [NAMES.index(a) for a in rank_by_portfolio(success[others], algorithms=NAMES).algorithms]
            expected = [success[i].max() - success[i, order[:n]].max() for n in (1, 2, 3)]
            np.testing.assert_allclose(worth.loss[place, i], expected, atol=1e-12)


def with_times_and_gaps() -> Knowledge:
    """Eight data sets; the slower an algorithm, the faster its time grows, and three results are missing."""
    known, rng = base(8), np.random.default_rng(1)
    rates, sizes = known.accuracy.copy(), known.meta.of(("n_examples",)).matrix
    rates[[2, 5, 6], [0, 3, 3]] = np.nan
    seconds = 1e-5 * sizes ** np.linspace(0.6, 1.4, 5) * np.exp(rng.normal(0, 0.3, (8, 5)))
    return replace(known, accuracy=rates, time=np.where(np.isnan(rates), np.nan, seconds[:, :, None, None]))


@pytest.mark.parametrize("method", ["a3r", "arr"])
def test_the_advice_is_judged_as_it_was_asked_for(method: str) -> None:
    """Each data set gets the advice of the others, with these very options; its losses are what the advice is worth."""
    known = with_times_and_gaps()
    options: dict[str, Any] = {"method": method, "accd": 0.1, "times": "measured", "neighbours": "all"}
    result = Advisor(known).recommend({"n_examples": 500.0}, **options).worth
    assert result is not None
    success = known.means()[0]
    for place, name in list(enumerate(result.origins))[1:4]:
        recommendation = Advisor(known).recommend_known(name, **options)
        i = known.datasets.index(name)
        order = [j for j in map(NAMES.index, recommendation.algorithms) if np.isfinite(success[i, j])]
        for n in range(1, 3):  # the third may be one that the advice leaves out for its gaps
            lost = np.nanmax(success[i]) - np.max(success[i, order[:n]])
            assert result.loss[0, place, n - 1] == pytest.approx(lost, abs=1e-12), (name, n)


def test_chance_is_exact() -> None:
    known = base(12)
    success = known.means()[0]
    expected = [np.mean([row.max() - row[list(c)].max() for c in combinations(range(5), 3)]) for row in success]
    np.testing.assert_allclose(judge_recipes(known).chance[:, 2], expected)


def test_data_sets_of_one_origin_are_left_out_together_and_count_once() -> None:
    known = base(24)
    doubled = replace(known, origins=tuple(f"o{i // 2}" for i in range(24)))
    assert len(judge_recipes(doubled).origins) == 12
    for apart in Rounds.of(replace(base(60), origins=tuple(f"o{i // 2}" for i in range(60))).origins, 0).apart:
        assert all(apart[2 * i] == apart[2 * i + 1] for i in range(30))
        assert len(set(apart)) == 10


def test_neighbours_are_followed_where_they_help_and_not_elsewhere() -> None:
    helped = judge_recipes(base(60, helps=True))
    assert helped.recipe.measures and helped.expected(1).mean < 0.6 * helped.loss[0, :, 0].mean()
    plain = [judge_recipes(base(60, seed)).chosen for seed in range(6)]
    assert plain.count(0) >= 4  # nothing to find: mostly the plain recipe


def test_the_choice_is_made_inside_the_loop() -> None:
    """The best of many useless recipes looks good on the data that chose it, and not so inside the loop."""
    rng = np.random.default_rng(0)
    gains = []
    for _ in range(40):
        losses = rng.exponential(0.02, (20, 40))
        picked = choose(losses)
        inside = [losses[choose(np.delete(losses, i, axis=1)), i] for i in range(40)]
        gains.append((losses[picked].mean(), np.mean(inside)))
    flattered, honest = np.mean(gains, axis=0)
    assert flattered < 0.018 < honest and honest == pytest.approx(0.02, abs=0.002)


def test_a_recommendation_says_what_it_is_worth() -> None:
    recommend = Advisor(base(60, helps=True)).recommend({"n_examples": 500.0})
    assert recommend.algorithms[0] == "a" and recommend.worth is not None
    assert Advisor(base(60, helps=True)).recommend({"n_examples": 50_000.0}).algorithms[0] == "b"
    text = str(recommend.document())
    worth = recommend.worth
    assert f"On known data left out the first (a) lost {worth.written(worth.expected(1))} against the best of 5" in text
    assert "the best of the first 3 (a, " in text and "95 % intervals" in text
    assert "drawn at random" in text and "Followed: portfolio on" in text
    single, saved = worth.best_on_average(1), worth.saved(1)
    assert f"The best on average elsewhere ({worth.best}) lost {worth.written(single)}, the 3 best " in text
    assert f"the first alone was about {worth.written(worth.expected(1), interval=False)} " in str(recommend)
    assert saved.mean == pytest.approx(
        single.mean - recommend.worth.expected(1).mean
    )  # what is tested is what is shown
    assert saved.low > 0 and f"Advice loses less by: the first {worth.written(saved)}; " in text
    level = Advisor(base(60, helps=False)).recommend({"n_examples": 500.0}).worth
    assert level is not None and level.saved(1).low <= 0 and ", not significant" in level.sentences(("a", "b", "c"))[1]
    out = json.loads(json.dumps(recommend.to_dict()))["worth"]
    first = out["expected_loss"]["first"]
    assert first["low"] <= first["mean"] <= first["high"]
    assert out["expected_loss"]["first_three"]["mean"] <= first["mean"] < out["random"]["first"]["mean"]
    assert {row["recipe"] for row in out["recipes"]} >= {"chosen inside the loop", "best on average", "random"}
    assert "expected_accuracy" not in recommend.to_dict()["ranking"][0]


def test_advice_that_cannot_be_told_apart_from_the_best_on_average_says_so() -> None:
    """The numbers of the first place are those of the advice, not of the algorithm that happens to stand there."""
    recommend = Advisor(base(30)).recommend({"n_examples": 500.0}, neighbours="all")
    assert recommend.worth is not None
    saved = recommend.worth.saved(1)
    assert saved.mean == pytest.approx(recommend.worth.best_on_average(1).mean - recommend.worth.expected(1).mean)
    assert saved.low <= 0 <= saved.high
    written = recommend.worth.written(saved)
    assert f"Advice loses less by: the first {written}, not significant; " in str(recommend.document())
    assert recommend.to_dict()["worth"]["saved_beside_best_on_average"]["first"]["mean"] == saved.mean


def test_what_is_said_is_followed() -> None:
    known = base(30)
    recommend = Advisor(known).recommend({"n_examples": 500.0}, neighbours=3)
    assert len(recommend.neighbours.names) == 3 and "the only way asked for or possible" in str(recommend.document())
    everything = Advisor(known).recommend({"n_examples": 500.0}, neighbours="all")
    assert len(everything.neighbours.names) == 30 and np.ptp(everything.neighbours.weight) == 0
    assert Advisor(known).recommend({"n_examples": 500.0}, method="mean-rank").ranking.name == "mean-rank"


def test_few_origins_are_not_judged() -> None:
    known = base(30).only(datasets=["d00", "d01"])
    with pytest.raises(InputError, match=r"The known results come from 2 origin\(s\)"):
        judge_recipes(known)
    assert Advisor(known).recommend({"n_examples": 500.0}).worth is None


def test_the_seed_and_the_order_of_data_sets() -> None:
    known = base(40, helps=True)
    one, same = judge_recipes(known), judge_recipes(known)
    np.testing.assert_array_equal(one.loss, same.loss)
    back = known.datasets_at(np.arange(40)[::-1])
    again = judge_recipes(back)
    assert again.recipe == one.recipe
    np.testing.assert_allclose(np.sort(again.honest[:, 0]), np.sort(one.honest[:, 0]))


def test_labels() -> None:
    assert Recipe(method="portfolio").label == "portfolio on all data"
    near = Recipe(method="srr", neighbours=5, measures=("n_examples",), alike_by="size")
    assert near.label == "srr on 5 neighbours by size"
