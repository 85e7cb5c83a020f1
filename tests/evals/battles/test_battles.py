"""What battles answer: tests, groups, order with price, words, JSON, the command line, figures, tables of scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.errors import OptionError, TiebreakError
from tiebreak.evals.battles import ELO, ELO_ANCHOR, Battles
from tiebreak.stats.votes import preferred

from .voting import TABLE, drawn, rows_of

ROOT = Path(__file__).parent.parent.parent.parent
VOTES, PRICES = (str(ROOT / "examples" / name) for name in ("votes.csv", "prices.csv"))


@pytest.fixture(scope="module")
def found() -> Battles:
    return tb.battles(VOTES, prices=PRICES)


def codes(result: Any) -> list[str]:
    return [caveat.code for caveat in result.caveats]


def test_the_order_is_by_worth(found: Battles) -> None:
    value = found.valuation
    assert value is not None and found.standing is None
    assert found.order == found.by_strength == ("aster", "clover", "birch", "dahlia", "elm", "fern")
    chance, count = found.win_probabilities, len(found.algorithms)
    rates = (chance.sum(axis=1) - 0.5) / (count - 1)
    np.testing.assert_allclose(value.scores, rates)
    assert found.prices is not None
    worth = rates - 0.01 * rates.max() * np.log10(found.prices)
    assert found.order == tuple(found.algorithms[i] for i in np.argsort(-worth))
    assert found.headline() == (
        "Use aster: a win rate of 65% against the average opponent, the best of 6. Next: clover, 2.5 points worse,"
        " 0.67 of the cost."
    )
    assert [part.algorithm for part in value.frontier] == ["aster", "birch", "fern"]
    assert found.other_rules == {"multitest": "birch"}
    assert [reason.algorithm for reason in found.reasons] == list(found.order)


def test_a_higher_trade_prefers_the_cheaper() -> None:
    battles = tb.battles(VOTES, prices=PRICES, trade="10pt")
    assert battles.order[0] == "birch"
    assert battles.headline() == (
        "Use birch: a win rate of 59% against the average opponent, 5.3 points below aster at 1/6 of the price."
        " Choose aster only if 6.8 points justify ten times the price."
    )
    assert tb.battles(VOTES, prices=PRICES, accd=0.1).order == tb.battles(VOTES, prices=PRICES, trade="10%").order
    for options in ({"trade": "1"}, {"trade": "1%", "accd": 0.01}, {"rule": "multitest", "trade": "1%"}, {"rule": "x"}):
        with pytest.raises(OptionError):
            tb.battles(VOTES, prices=PRICES, **options)
    with pytest.raises(OptionError):
        tb.battles(VOTES, trade="1%")


def test_the_covariance_of_win_rates_is_that_of_drawn_strengths(found: Battles) -> None:
    """A second route: strengths drawn from their distribution; the tie parameter hardly moves win rates."""
    value, count = found.valuation, len(found.algorithms)
    assert value is not None and value.sample.covariance is not None
    drawn_ = np.random.default_rng(0).multivariate_normal(found.strengths, found.covariance, 4000, method="eigh")
    chance = preferred(found.fitted, drawn_[:, :, None] - drawn_[:, None, :], found.tie)
    rates = (chance.sum(axis=2) - 0.5) / (count - 1)
    np.testing.assert_allclose(np.cov(rates.T), value.sample.covariance, atol=2.5e-4)
    assert value.losses.low[value.losses.best] == 0 and (value.losses.high >= value.losses.value).all()
    assert value.probability is not None and 0.4 < value.probability < 0.8


def test_multitest_puts_the_cheaper_first_unless_a_costlier_one_is_stronger() -> None:
    battles = tb.battles(VOTES, prices=PRICES, rule="multitest")
    assert battles.valuation is None
    assert battles.order == ("birch", "clover", "aster", "elm", "dahlia", "fern")
    place = {name: i for i, name in enumerate(battles.order)}
    for i, a in enumerate(battles.algorithms):
        for j, b in enumerate(battles.algorithms):
            if battles.better[i, j]:
                assert place[b] < place[a]
    assert battles.headline() == (
        "MultiTest puts birch first: no significant difference from aster, the strongest, in 900 votes (aster is"
        " preferred in 55% of battles, 46% to 63%), at 17 % of its price."
    )
    assert battles.explain("aster", "birch").startswith(
        "birch stands before aster: no significant difference, 6.0 times cheaper. The test of their strengths: p = 0."
    )


def test_numbers_agree_with_each_other(found: Battles) -> None:
    chance = found.win_probabilities
    np.testing.assert_allclose(chance + chance.T, 1)
    np.testing.assert_allclose(found.elo.mean(), ELO_ANCHOR)
    tests = found.tests
    for k, (a, b) in enumerate(zip(tests.a, tests.b, strict=True)):
        shift, low, high = found.difference(int(a), int(b))
        assert shift == pytest.approx(found.strengths[a] - found.strengths[b])
        assert (tests.pvalue[k] <= 0.05) == (low > 0 or high < 0)
    rows = found.rows()
    assert sum(int(str(row["votes"])) for row in rows) == 2 * found.n_votes
    assert found.win_rates[found.index("fern")] == pytest.approx((52 + 24) / 281)
    assert {name for group in found.groups for name in group} == set(found.algorithms)


def test_an_anchor_moves_the_scale_alone(found: Battles) -> None:
    other = tb.battles(VOTES, prices=PRICES, anchor="elm")
    assert other.order == found.order and other.elo[other.index("elm")] == ELO_ANCHOR
    assert other.errors[other.index("elm")] == 0
    np.testing.assert_allclose(other.tests.pvalue, found.tests.pvalue)
    np.testing.assert_allclose(np.diff(other.elo), np.diff(found.elo))
    with pytest.raises(OptionError):
        tb.battles(VOTES, anchor="oak")


def test_without_prices_the_order_is_that_of_strength() -> None:
    battles = tb.battles(VOTES)
    assert battles.order == battles.by_strength and battles.prior == () and battles.reasons == ()
    assert battles.headline() == "aster is the strongest, significantly so against 3 of the 5 others, in 900 votes."
    assert battles.explain("elm", "aster").startswith("aster stands before elm: significantly stronger.")


def test_explaining_a_pair(found: Battles) -> None:
    assert found.explain("aster", "birch") == (
        "aster stands before birch: 5.3 points better, 6 times the cost; it is worth 4.8 points more. The test of their"
        " strengths: p = 0.250, corrected p = 0.999. aster is expected to be preferred to birch in 55% of battles (46%"
        " to 63%, 95% interval; a tie counts half). They met 53 times: 25 for aster, 21 for birch, 7 ties."
    )
    assert found.explain("elm", "elm") == "elm is one algorithm."
    with pytest.raises(TiebreakError):
        found.explain("elm", "oak")


def test_both_clusterings_are_kept_and_too_few_say_how_many_it_takes() -> None:
    left, right, outcome, prompt, voter = drawn(
        np.random.default_rng(3), k=8, prompts=6, voters=90, n=1500, by_prompt=0.5, by_voter=0.2
    )
    columns = {"left": left, "right": right, "prompt": prompt, "voter": voter}
    columns["winner"] = np.array(["right", "tie", "left"])[outcome + 1]
    battles = tb.battles(columns)
    assert battles.plan.cluster == ("prompt", "voter") and {"too-few-clusters", "few-clusters"} <= set(codes(battles))
    assert "6 prompts are too few to compare 8 algorithms for prompts at large: it takes about 9." in " ".join(
        battles.caveats
    )
    assert "for prompts at large: it takes about 9." in battles.document().said[2]
    these = tb.battles(columns, cluster="voter")
    assert these.plan.fixed == ("prompt",) and battles.better.sum() <= these.better.sum()
    assert "significantly on these prompts." in str(these) and "on these prompts" in these.headline()
    assert "significantly with these voters." in str(tb.battles(columns, cluster="prompt"))
    with pytest.raises(OptionError):
        tb.battles(columns, cluster="town")


def test_the_sentence_of_the_frontier_names_at_most_three() -> None:
    names = [f"m{i}" for i in range(7)]
    rows = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    votes = [{"left": a, "right": b, "winner": w} for a, b in rows for w in ("left", "left", "right")]
    prices = {name: 10.0 ** (2.0 ** (5 - i)) for i, name in enumerate(names)}  # each step down saves half as much
    battles = tb.battles(votes, prices=prices)
    assert battles.valuation is not None and len(battles.valuation.frontier) > 3
    (line,) = [item for item in battles.document().said if item.startswith("If it must buy")]
    assert sum(name in line for name in names) == 2 and " more: " in line


def test_a_side_that_sways_is_said() -> None:
    rng = np.random.default_rng(4)
    left, right, outcome, prompt, voter = drawn(rng, k=4, prompts=60, voters=60, n=3000, by_prompt=0.2, by_voter=0.2)
    swayed = np.where((outcome < 0) & (rng.random(3000) < 0.3), 1, outcome)
    columns = {"left": left, "right": right, "prompt": prompt, "voter": voter}
    label = np.array(["right", "tie", "left"])
    assert "side-preferred" not in codes(tb.battles({**columns, "winner": label[outcome + 1]}))
    battles = tb.battles({**columns, "winner": label[swayed + 1]})
    assert any(str(caveat).startswith("The left side is preferred in 6") for caveat in battles.caveats)
    one_way = {**columns, "left": np.minimum(left, right), "right": np.maximum(left, right)}
    assert "side-preferred" not in codes(tb.battles({**one_way, "winner": label[swayed + 1]}))


def test_nothing_but_ties_is_decided_by_price() -> None:
    battles = tb.battles(rows_of([("a", "b", 0, 0, 5), ("b", "c", 0, 0, 4)]), prices={"a": 3, "b": 2, "c": 1})
    assert battles.order == ("c", "b", "a") and (battles.tests.pvalue == 1).all()
    assert "no-difference" in codes(battles)


def test_two_alone_need_no_correction() -> None:
    battles = tb.battles(rows_of(TABLE[:1]))
    assert battles.plan.adjust == "none" and len(battles.tests.a) == 1
    np.testing.assert_array_equal(battles.tests.pvalue, battles.tests.adjusted)


@pytest.mark.parametrize("told", [{"pseudo_votes": -1}, {"ties": "glicko"}, {"alpha": 2}, {"adjust": "x"}])
def test_options_that_mean_nothing_are_refused(told: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        tb.battles(rows_of(TABLE), **told)


# ---- words


def test_names_are_escaped_in_every_format() -> None:
    rows = [{**row, "left": f"<i>{row['left']}_&%", "right": f"<i>{row['right']}_&%"} for row in rows_of(TABLE)]
    battles = tb.battles(rows, prices={f"<i>{name}_&%": i + 1 for i, name in enumerate("abcd")})
    assert "<i>" not in battles._repr_html_() and "&lt;i&gt;a_&amp;%" in battles._repr_html_()
    assert r"a\_\&\%" in battles.to_latex() and "a_&%" not in battles.to_latex().replace(r"\_\&\%", "")
    assert "<i>" not in battles.figure("strengths").to_svg()
    assert "<i>a" not in battles.to_markdown().replace("\\<i>a", "").replace("&lt;i", "")


def test_json_holds_what_other_programs_read(found: Battles) -> None:
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (
        list(data)
        == (
            "answer order by_strength may_be_best prior headline trade frontier probability regret other_rules"
            " algorithms pairs groups reasons cost tie votes clusters loglik method conclusion caveats caveat_codes"
        ).split()
    )
    assert (
        list(data["algorithms"][0])
        == (
            "place algorithm elo elo_low elo_high strength error votes wins ties losses win_rate price"
            " expected_win_rate loss loss_low loss_high relative_cost worth"
        ).split()
    )
    assert (
        list(data["pairs"][0])
        == ("a b difference low high preferred a_wins ties b_wins statistic df pvalue adjusted better").split()
    )
    assert data["cost"]["birch"] == {"value": 2.5, "unit": "", "ratio": pytest.approx(1 / 6)}
    assert data["clusters"] == {"prompt": 60, "voter": 40} and data["tie"]["model"] == "davidson"
    assert data["method"]["cluster"] == ["prompt", "voter"]


def test_the_command_line_says_what_python_says(found: Battles, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["battles", VOTES, "--prices", PRICES, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["order"] == list(found.order)
    assert main(["battles", VOTES, "--prices", PRICES, "--explain", "aster,birch"]) == 0
    assert capsys.readouterr().out.strip() == found.explain("aster", "birch")
    assert main(["battles", VOTES]) == 0
    assert "900 votes in 60 prompts and 40 voters" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (["--explain", "aster"], "--explain 'aster' names 1 algorithm(s)."),
        (["--label", "x"], "--label 'x' has no '='."),
        (["--cost", "price"], "Give a file of algorithms and prices (--prices prices.csv)"),
        (["--label", "tie=first"], "meaning of 'tie'"),
        (["--column", "voter=nobody"], "There is no column in votes.csv 'nobody'."),
    ],
)
def test_mistakes_on_the_command_line(told: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["battles", VOTES, *told]) == 2
    assert words in capsys.readouterr().err


def test_the_figure_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "strengths.svg"
    assert main(["figure", VOTES, "strengths", "--top", "4", "-o", str(path)]) == 0
    assert "significantly weaker" in path.read_text(encoding="utf-8")


# ---- a table of scores


def test_a_table_of_scores_is_battles_on_data_sets() -> None:
    table = tb.published.demsar2006()
    battles = tb.battles(table, score="auc")
    scores = table.means("auc")
    i, j = battles.index("C4.5"), battles.index("C4.5+m")
    assert (
        battles.wins[i, j] == (scores[:, i] > scores[:, j]).sum()
        and battles.ties[i, j] == (scores[:, i] == scores[:, j]).sum()
    )
    assert battles.clusters == {"dataset": 14} and battles.unit == "data set" and battles.n_votes == 14 * 6
    close = tb.battles(table, score="auc", tie_within=0.01)
    near = np.abs(scores[:, i] - scores[:, j]) <= 0.01 + 1e-12
    assert close.ties[i, j] == near.sum()
    plain = tb.Results.from_array(scores, score="x", algorithms=table.algorithms)
    ways = [tb.battles(plain, score="x", higher_is_better=way).by_strength for way in (True, False)]
    assert ways == [battles.by_strength, battles.by_strength[::-1]]


def test_gaps_are_battles_that_were_not_fought() -> None:
    scores = np.random.default_rng(0).normal(0.8, 0.02, (12, 3))
    scores[0, 0] = np.nan
    table = tb.Results.from_array(scores, score="accuracy", algorithms=list("abc"))
    battles = tb.battles(table, score="accuracy")
    assert battles.n_votes == 12 * 3 - 2 and "gaps-left-out" in codes(battles)


def test_models_meet_on_every_item_and_errors_follow_the_clusters_of_items() -> None:
    rng = np.random.default_rng(3)
    right = (rng.random((60, 1)) * 0.6 + rng.random((60, 3)) * 0.4 < [0.5, 0.6, 0.7]).astype(int)
    rows = [{"model": f"m{j}", "item": f"q{i}", "cluster": f"d{i // 3}", "accuracy": int(right[i, j]), "price": j + 1.0}
            for i in range(60) for j in range(3)]  # fmt: skip
    battles = tb.battles(rows, score="accuracy", cost="price")
    assert battles.n_votes == 180 and battles.title() == "3 algorithms by 180 battles on items and price"
    assert "in 20 clusters" in str(battles)
    table = tb.Results.from_array(right, score="accuracy", algorithms=["m0", "m1", "m2"])  # items as data sets
    np.testing.assert_allclose(battles.strengths, tb.battles(table, score="accuracy").strengths, atol=1e-12)
    alone = [{name: item for name, item in row.items() if name != "cluster"} for row in rows]
    assert "in 60 items" in str(tb.battles(alone, score="accuracy"))


def test_costs_of_a_table_decide_as_prices_do() -> None:
    battles = tb.battles(tb.published.ulas2012(), score="accuracy", cost="train_time")
    order = tb.order(tb.published.ulas2012(), score="accuracy", cost="train_time")
    assert battles.prior == order.prior and battles.order[0] in order.order[:2]
    with pytest.raises(TiebreakError):
        tb.battles(tb.published.ulas2012(), score="accuracy", tie_within=-1)


def test_elo_is_four_hundred_points_for_ten_to_one() -> None:
    assert pytest.approx(400) == ELO * np.log(10)
