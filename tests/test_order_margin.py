"""What an order gives up and costs, what is good enough, and what the command line says of both."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tiebreak import Ordering, Results, order, published, with_costs
from tiebreak.cli import main
from tiebreak.deciding.order import multitest
from tiebreak.deciding.order._margins import UNDECIDED, Margin, good_enough, read_margin
from tiebreak.deciding.order._reasons import times
from tiebreak.errors import OptionError
from tiebreak.stats import difference_intervals


def priced(scores: np.ndarray, costs: np.ndarray, score: str = "accuracy", cost: str = "train_time") -> Results:
    names = [chr(97 + i) for i in range(np.shape(scores)[1])]
    results = Results.from_array(np.asarray(scores, float), score=score, algorithms=names)
    return with_costs(results, Results.from_array(np.asarray(costs, float), score=cost, algorithms=names))


# ---- what is given up


def walsh(d: np.ndarray, alpha: float) -> tuple[float, float, float]:
    """Hodges-Lehmann estimate and interval from all means of two differences, by the exact null distribution."""
    i, j = np.triu_indices(len(d))
    means = np.sort((d[i] + d[j]) / 2)
    signs = np.array(np.meshgrid(*[[0, 1]] * len(d))).reshape(len(d), -1)
    sums = (signs * np.arange(1, len(d) + 1)[:, None]).sum(axis=0)
    cut = max(c for c in range(len(means)) if (sums <= c).mean() <= alpha / 2)
    return float(np.median(means)), means[cut], means[len(means) - 1 - cut]


@pytest.mark.parametrize("score", ["accuracy", "error"])
def test_the_score_given_up_is_the_walsh_average_against_the_best(score: str) -> None:
    rng = np.random.default_rng(0)
    errors = 0.2 + 0.02 * np.arange(4)[::-1] + rng.normal(0, 0.02, (9, 4))
    shown = 1 - errors if score == "accuracy" else errors
    found = order(priced(shown, rng.random((9, 4)), score))
    best = int(np.argmin(errors.mean(axis=0)))
    assert found.trade.best == best and found.trade.given_up[best] == found.trade.low[best] == 0
    given_up = found.to_dict()["given_up"]
    for k in set(range(4)) - {best}:
        estimate, low, high = walsh(errors[:, k] - errors[:, best], 0.05)
        told = given_up[found.algorithms[k]]
        assert [told["score"], told["low"], told["high"]] == pytest.approx([estimate, low, high])
    intervals = difference_intervals(errors, control=best, level=0.95)
    assert found.trade.given_up[intervals.b] == pytest.approx(-intervals.estimate)
    assert found.trade.low[intervals.b] == pytest.approx(-intervals.high)
    assert found.rows()[0]["given_up"] == found.trade.given_up[found.algorithms.index(found.order[0])]


def test_intervals_that_say_more_than_the_corrected_tests_are_explained() -> None:
    """Six data sets of one mind: the interval leaves out 0, and 10 pairs are too many for the test."""
    scores = np.tile([0.5, 0.6, 0.7, 0.8, 0.9], (6, 1)) + 0.001 * np.arange(6)[:, None]
    many = str(order(priced(scores, np.tile([1.0, 2, 3, 4, 5], (6, 1)))))
    words = "Each interval stands for itself, without the correction for many pairs: "
    assert f"{words}4 of them exclude 0 where the corrected test tells nothing apart." in many
    assert words not in str(order(priced(scores[:, :2], np.tile([1.0, 2], (6, 1)))))


def test_too_few_data_sets_give_no_interval() -> None:
    found = order(priced([[0.9, 0.7], [0.8, 0.5], [0.9, 0.8]], [[2.0, 1.0]] * 3))
    assert found.to_dict()["given_up"]["b"] == {"score": pytest.approx(0.2), "low": None, "high": None}
    assert "given up: accuracy given up against a, the best-scoring one (Hodges-Lehmann estimate)." in str(found)


def test_on_one_data_set_the_interval_is_that_of_the_corrected_t_test() -> None:
    """Nadeau and Bengio: the variance of the mean of K folds is s^2 (1 / K + test / train), with K - 1 degrees."""
    rng = np.random.default_rng(5)
    folds = 0.8 - 0.05 * np.arange(3)[:, None] + rng.normal(0, 0.02, (3, 10))
    found = order(priced(folds[None, :, None, :], [[3.0, 2.0, 1.0]]))
    d = folds[0] - folds[2]
    width = stats.t.ppf(0.975, 9) * d.std(ddof=1) * np.sqrt(1 / 10 + 1 / 9)
    assert found.trade.best == 0
    told = found.to_dict()["given_up"]["c"]
    assert [told["score"], told["low"], told["high"]] == pytest.approx([d.mean(), d.mean() - width, d.mean() + width])
    assert found.over == "folds" and found.to_dict()["firmness"] is None


# ---- what is paid


def test_costs_in_their_own_unit_and_ratios_by_hand() -> None:
    """b is the best; a costs 1/2, 1/8 of it: the geometric mean is 1/4."""
    scores = [[0.5, 0.9, 0.4]] * 2
    found = order(priced(scores, [[1.0, 2.0, 8.0], [1.0, 8.0, 8.0]]))
    assert found.to_dict()["cost"] == {
        "a": {"value": 1.0, "unit": "s", "ratio": pytest.approx(0.25)},
        "b": {"value": 5.0, "unit": "s", "ratio": pytest.approx(1.0)},
        "c": {"value": 8.0, "unit": "s", "ratio": pytest.approx(2.0)},
    }
    assert "train_time, s" in str(found) and "geometric mean." in str(found)
    other = order(priced(scores, [[1.0, 2.0, 8.0]] * 2, cost="dollars"), cost="dollars")
    assert other.to_dict()["cost"]["a"]["value"] == 1.0
    given = order(priced(scores, [[1.0, 2.0, 8.0]] * 2), prior=["a", "b", "c"])
    assert given.to_dict()["cost"] == {} and given.trade.paid is None


def test_a_cost_of_zero_has_no_ratio() -> None:
    scores = [[0.5, 0.9, 0.7]] * 4
    costs = [[0.0, 2.0, 1.0], [0.0, 2.0, 1.0], [0.0, 2.0, 0.0], [1.0, 2.0, 1.0]]
    found = order(priced(scores, costs))
    cost = found.to_dict()["cost"]
    assert cost["a"]["ratio"] is None  # zero on three of four data sets
    assert cost["c"]["ratio"] == pytest.approx(0.5)  # left out where it is zero
    assert "geometric mean where neither is zero." in str(found)
    assert "not told apart, cheaper" in {r.algorithm: r.text for r in found.reasons}["a"]


@pytest.mark.parametrize(
    ("ratio", "words"),
    [(1.06, "1.1"), (9.94, "9.9"), (9.96, "10"), (14.4, "14"), (2468.0, "2,500"), (1e7, "10,000,000")],
)
def test_ratios_in_words(ratio: float, words: str) -> None:
    assert times(ratio) == words


# ---- good enough


def three(n: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """a is the cheapest and worse than b by .005 everywhere; c, the dearest, is now better and now worse than both."""
    base = 0.8 + 0.01 * np.arange(n)
    swing = np.where(np.arange(n) % 2 == 0, 1, -1) * (0.02 + 0.001 * np.arange(n))
    return np.column_stack([base - 0.005, base, base + swing]), np.tile([1.0, 2.0, 3.0], (n, 1))


def verdicts(found: Ordering) -> dict[str, str]:
    return {each.cheaper + each.costlier: each.verdict for each in found.verdicts}


def test_the_three_verdicts_by_hand() -> None:
    """p of a within .01 of b: 2^-12, times 3 by Holm; of a within .001: 1; nothing is shown of c by a small margin."""
    results = priced(*three())
    plain, wide, small = (order(results, margin=margin) for margin in (None, 0.01, 0.001))
    assert verdicts(plain) == {"ab": "better", "ac": "undecided", "bc": "undecided"}
    assert plain.order == ("b", "a", "c")
    assert verdicts(wide) == {"ab": "good enough", "ac": "undecided", "bc": "undecided"}
    assert wide.order == ("a", "b", "c") and wide.better[0, 1]
    assert verdicts(small) == verdicts(plain) and small.order == plain.order
    assert wide.reasons[0].text == "before b: significantly worse, but good enough, 2.0 times cheaper"
    assert wide.reasons[1].text.endswith("behind a, which is good enough and 2.0 times cheaper")
    assert wide.best().text == "a stands first, although b is significantly better: it is good enough."
    assert "a is shown to be worse than b by less than 0.01, if at all: good enough." in wide.explain("a", "b")
    assert "Undecided: neither is c significantly better, nor a shown to be within 0.01" in wide.explain("c", "a")
    assert "b is significantly better, and a is not shown to be within 0.001 of it." in small.explain("a", "b")
    assert (
        "Of 3 pairs the costlier one is better in 0, the cheaper one is shown good enough in 1, and 2 are undecided."
        in str(wide)
    )
    assert [row[-2] for row in wide.document().tables[0].body] == ["all but 1", "all but 1", "-"]
    assert wide.reversed == (("a", "b"),) and not any(note.code == "beaten-but-before" for note in wide.caveats)


def test_undecided_pairs_can_be_given_to_the_costlier() -> None:
    results = priced(*three())
    found = order(results, margin=0.01, undecided="costlier")
    assert found.order == ("c", "a", "b") and verdicts(found) == verdicts(order(results, margin=0.01))
    assert found.reasons[0].text.startswith("before a: 3.0 times costlier, but a is not shown good enough")
    assert found.reasons[1].text.endswith("behind c: not shown good enough beside it")
    last = "c is the last in the order of cost: nothing cheaper is shown good enough beside all that are costlier."
    assert found.best().text == last
    most = order(results, margin=0.1, undecided="costlier").best().text
    assert most == "a stands first, although b is significantly better: it is good enough."
    assert "cost was overridden in 2 pairs" in str(found)
    assert [row[-2] for row in found.document().tables[0].body] == ["all but 2", "all", "-"]


def test_undecided_pairs_can_be_given_to_the_one_that_scores_better() -> None:
    """By hand: a cheaper one waits for those that are shown better, or score better and it is not shown good enough."""
    scores, costs = three()
    for mixed in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        results = priced(scores[:, mixed], costs)
        found = order(results, margin=0.01, undecided="better")
        means, shown, good = found.table.compared.mean(axis=0), found.standing.shown, found.standing.good
        assert good is not None
        waits = (shown | ((means[None, :] < means[:, None]) & ~shown.T)) & ~good
        places = multitest(waits, found.prior_places)
        assert found.order == tuple(found.algorithms[i] for i in places)
        assert verdicts(found) == verdicts(order(results, margin=0.01))
    assert "where nothing is shown, the one that scores better stands first." in str(found)
    assert "then the one that scores better stands first" in found.document().lay[-1]
    with pytest.raises(OptionError, match="undecided='better' was given without a margin"):
        order(results, undecided="better")


def test_among_many_models_the_better_scoring_one_stands_first_unless_a_cheaper_one_is_shown_good_enough() -> None:
    """The costliest is no good answer, nor is the cheapest that nothing tells from the best."""
    rng = np.random.default_rng(1)
    board = {"model": [f"m{i:02d}" for i in range(7)], "passed": rng.binomial(100, np.linspace(0.55, 0.8, 7)),
             "n": [100] * 7, "price": rng.uniform(1, 30, 7).round(3)}  # fmt: skip
    first = {each: order(board, cost="price", margin=0.02, undecided=each) for each in UNDECIDED}
    lost = {each: float(found.trade.given_up[found.algorithms.index(found.order[0])]) for each, found in first.items()}
    assert lost["better"] == 0.0 < min(lost["cheaper"], lost["costlier"])
    wide = order(board, cost="price", margin=0.25, undecided="better")
    good, at = wide.standing.good, wide.algorithms.index(wide.order[0])
    assert good is not None and wide.order[0] != first["better"].order[0]
    dearer = (wide.trade.given_up < wide.trade.given_up[at]) & (wide.prior_places > wide.prior_places[at])
    assert good[at, dearer].all() and dearer.any()
    assert wide.best().text.endswith("of those shown good enough beside all that score better and are costlier.")


def test_a_cheaper_one_that_is_better_is_good_enough() -> None:
    scores, costs = three()
    found = order(priced(scores[:, [1, 0, 2]], costs), margin=1e-9)
    assert verdicts(found)["ab"] == "good enough" and found.order[0] == "a"


def test_relative_margins_are_shares_of_the_costlier_ones_score() -> None:
    """.005 of about .85 is .6 %: within 1 % and not within .5 %."""
    results = priced(*three())
    assert verdicts(order(results, margin="1%"))["ab"] == "good enough"
    assert verdicts(order(results, margin="0.5 %"))["ab"] == "better"
    assert order(results, margin="1%").to_dict()["method"]["margin"] == "1%"
    by_hand = good_enough(-three()[0], np.arange(3), Margin(size=0.01, relative=True), alpha=0.05)
    assert by_hand.tolist() == [[False, True, False], [False] * 3, [False] * 3]


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("relative", [False, True])
def test_a_wider_margin_never_makes_fewer_good_enough(seed: int, relative: bool) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 7))
    errors = np.round(0.3 + rng.normal(0, 0.02, (15, count)), 3)
    prior, last = rng.permutation(count), np.zeros((count, count), dtype=bool)
    for size in (0.001, 0.005, 0.01, 0.02, 0.05, 0.2):
        good = good_enough(errors, prior, Margin(size=size, relative=relative), alpha=0.05)
        assert not (last & ~good).any() and not good[prior[:, None] > prior].any()
        last = good


def test_good_enough_is_scipys_one_sided_test_with_holms_correction() -> None:
    rng = np.random.default_rng(3)
    errors = 0.3 + rng.normal(0, 0.02, (20, 4))
    i, j = np.triu_indices(4, 1)
    p = np.array([stats.wilcoxon(errors[:, b] + 0.016 - errors[:, a], alternative="greater", method="exact").pvalue
                  for a, b in zip(i, j, strict=True)])  # fmt: skip
    ranked = np.argsort(p)
    shown = np.zeros(6, dtype=bool)
    for step, at in enumerate(ranked):
        if p[at] * (6 - step) > 0.05:
            break
        shown[at] = True
    good = good_enough(errors, np.arange(4), Margin(size=0.016), alpha=0.05)
    assert good[i, j].tolist() == shown.tolist() and 0 < shown.sum() < 6


@pytest.mark.parametrize("wrong", [-0.1, 0, float("nan"), float("inf"), "abc", "0%", "-1%", "%", True, ""])
def test_margins_that_mean_nothing(wrong: object) -> None:
    with pytest.raises(OptionError) as caught:
        read_margin(wrong)  # type: ignore[arg-type]
    assert str(caught.value) == (
        f"The margin is {wrong!r}. It is how much worse the cheaper one may be and still be good enough. Use"
        " margin=0.01, in units of the score, or margin='1%' of the costlier one's."
    )


def test_margins_belong_to_scores_of_several_data_sets() -> None:
    scores, costs = three()
    folds = np.repeat(scores[:, :, None, None], 5, axis=2).repeat(2, axis=3)
    results = priced(folds, costs)
    for options, words in (
        ({"over": "places"}, "A margin was given, and over asks for an order by places."),
        ({"variant": "2012"}, "A margin was given, and the variant asks for an order by places."),
        ({"dataset": "data set 1"}, "A margin was given, and there is one data set."),
        ({"undecided": "dearer"}, "There is no rule for undecided pairs 'dearer'."),
    ):
        with pytest.raises(OptionError) as caught:
            order(results, margin=0.01, **options)  # type: ignore[arg-type]
        assert str(caught.value).startswith(words)


# ---- places beside scores


def test_the_pairs_that_an_order_by_places_turns_around() -> None:
    """By the places of the published table ten pairs stand the other way round than their scores say."""
    ulas = published.ulas2012()
    places, scores = (order(ulas, score="accuracy", cost="train_time", over=over) for over in ("places", "scores"))
    wins = {(scores.algorithms[i], scores.algorithms[j]) for i, j in np.argwhere(scores.better)}
    turned = {(i, j) for i, j in wins if places.order.index(i) < places.order.index(j)}
    assert set(places.reversed) == turned and len(places.reversed) == 10
    assert places.to_dict()["reversed"] == [list(pair) for pair in places.reversed]
    note = next(note for note in places.caveats if note.code == "cost-inside-places")
    assert note == (
        "Cost is inside the places: it decides on every data set, and again over them. The order turns around 10 of the"
        " 10 significant differences of the scores (wilcoxon, bergmann-hommel): 5nn before svl, 5nn before svr, c45"
        " before svl, c45 before svr, lnp before svl and 5 more. Ordered by scores (over='scores') it"
        " would not."
    )
    assert scores.reversed == () and "cost-inside-places" not in {note.code for note in scores.caveats}
    ranked = order(ulas, score="accuracy", cost="train_time", pairwise="score")
    assert not any(note.startswith("Cost is inside") for note in ranked.caveats)


@pytest.mark.parametrize("seed", range(8))
def test_the_reversed_pairs_by_brute_force(seed: int) -> None:
    """Three pairs, tested by scipy; of three algorithms two or all are equal, which is all that is to be corrected."""
    rng = np.random.default_rng(seed)
    scores = 0.7 + 0.05 * rng.random((3, 1, 1)) + rng.normal(0, 0.03, (25, 3, 5, 2))
    costs = rng.lognormal(0, 1, 3) * rng.lognormal(0, 0.3, (25, 3))
    found = order(priced(scores, costs), over="places")
    means = scores.mean(axis=(2, 3))
    p = {(i, j): stats.wilcoxon(means[:, i], means[:, j], method="exact").pvalue for i, j in ((0, 1), (0, 2), (1, 2))}
    expected = set()
    for (i, j), own in p.items():
        if max(own, 3 * min(p.values())) <= 0.05:  # three algorithms: all equal, or this pair alone
            shift = np.sign(stats.rankdata(np.abs(d := means[:, j] - means[:, i])) @ np.sign(d))
            first, second = ("abc"[i], "abc"[j]) if shift > 0 else ("abc"[j], "abc"[i])
            if found.order.index(first) < found.order.index(second):
                expected.add((first, second))
    assert set(found.reversed) == expected


# ---- command line


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "r.csv"
    priced(*three()).to_frame("polars").write_csv(path)
    return str(path)


def test_the_command_line_knows_margins_pairs_and_ways(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["order", file, "--score", "accuracy"]
    assert main([*call, "--margin", "0.01", "--json", "--explain", "a,b"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["over"] == "scores" and data["order"] == ["a", "b", "c"]
    assert data["verdicts"][0] == {"cheaper": "a", "costlier": "b", "verdict": "good enough"}
    assert set(data["given_up"]) == set(data["cost"]) == set(data["firmness"]) == set("abc")
    assert set(data["given_up"]["a"]) == {"score", "low", "high"} and set(data["cost"]["a"]) == {
        "value",
        "unit",
        "ratio",
    }
    assert data["reversed"] == [["a", "b"]] and all(0 <= share <= 1 for share in data["firmness"].values())
    assert data["explained"].startswith("a stands before b: significantly worse, but good enough, 2.0 times cheaper.")
    assert len(data["caveat_codes"]) == len(data["caveats"])
    assert main([*call, "--margin", "0.01", "--undecided", "costlier", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["order"] == ["c", "a", "b"]
    assert main([*call, "--explain", "b, a"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("b stands before a: significantly better, though 2.0 times costlier. The test over data")
    assert said.count("\n") == 1
    assert main([*call, "--over", "places", "--pairwise", "score", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["over"] == "places"


def test_the_command_line_refuses(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in (
        (["--explain", "a"], "--explain 'a' names 1 algorithm(s)."),
        (["--explain", "a,b,c"], "--explain 'a,b,c' names 3 algorithm(s)."),
        (["--explain", "a,z"], "There is no algorithm 'z'."),
        (["--margin", "x"], "The margin is 'x'."),
        (["--over", "folds"], "There is no way to order 'folds'."),
        (["--margin", "0.01", "--over", "places"], "A margin was given, and --over asks for an order by places."),
    ):
        assert main(["order", file, "--score", "accuracy", *arguments]) == 2
        assert words in capsys.readouterr().err
