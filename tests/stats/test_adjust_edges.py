"""Corrections at their edges: two routes to one number, sizes where the route changes, ties and empty families."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import (
    CORRECTIONS,
    benjamini_hochberg,
    benjamini_yekutieli,
    bergmann_hommel,
    bergmann_hommel_rows,
    bonferroni,
    finner,
    hochberg,
    holland,
    holm,
    hommel,
    li,
    rom,
    rom_critical_values,
    shaffer,
    sidak,
)

from ..every import every


def partitions(members: list[int]) -> list[list[list[int]]]:
    """All partitions of a list, by putting the first member into every block of the partitions of the rest."""
    if not members:
        return [[]]
    first, *rest = members
    out = []
    for blocks in partitions(rest):
        out.append([[first], *blocks])
        out += [[*blocks[:i], [first, *blocks[i]], *blocks[i + 1 :]] for i in range(len(blocks))]
    return out


def by_definition(p: np.ndarray, count: int) -> np.ndarray:
    """Bergmann and Hommel by their words: over the partitions that join a pair, (pairs inside) x (least p inside)."""
    pairs = list(itertools.combinations(range(count), 2))
    number = {pair: k for k, pair in enumerate(pairs)}
    out = np.zeros(len(pairs))
    for blocks in partitions(list(range(count))):
        inside = [number[pair] for block in blocks for pair in itertools.combinations(sorted(block), 2)]
        if inside:
            out[inside] = np.maximum(out[inside], len(inside) * p[inside].min())
    return np.minimum(out, 1.0)


def on_a_line(x: np.ndarray, scale: float = 1.0) -> np.ndarray:
    a, b = np.triu_indices(x.size, 1)
    return 2 * stats.norm.sf(np.abs(x[a] - x[b]) / scale)


# ---- Bergmann and Hommel, two routes


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_any_p_values_are_adjusted_by_the_definition(count: int) -> None:
    rng = np.random.default_rng(count)
    for power in (1, 3, 6):
        p = rng.random(count * (count - 1) // 2) ** power
        assert bergmann_hommel(p) == pytest.approx(by_definition(p, count), rel=1e-12)
    tied = rng.choice([0.01, 0.04, 0.2], count * (count - 1) // 2)
    assert bergmann_hommel(tied) == pytest.approx(by_definition(tied, count), rel=1e-12)


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_positions_on_a_line_give_the_definition(count: int) -> None:
    rng = np.random.default_rng(10 + count)
    for trial in range(12):
        x = rng.normal(0, 1.5, count)
        if trial % 3 == 0:
            x = x.round()  # equal places and equal distances
        p = on_a_line(x)
        assert bergmann_hommel(p, positions=x) == pytest.approx(by_definition(p, count), rel=1e-9)


@pytest.mark.parametrize("count", [7, 8, 9, 10, 11])
def test_the_line_and_the_search_agree(count: int) -> None:
    """Up to nine algorithms all partitions are listed, beyond cliques are searched; a line has a third way."""
    rng = np.random.default_rng(20 + count)
    for spread in (0.7, 1.5, 3.0) if count < 10 else (1.5,):
        x = rng.normal(0, spread, count)
        p = on_a_line(x)
        assert bergmann_hommel(p, positions=x) == pytest.approx(bergmann_hommel(p), rel=1e-9)
    evenly = np.arange(count) * 0.6
    assert bergmann_hommel(on_a_line(evenly), positions=evenly) == pytest.approx(
        bergmann_hommel(on_a_line(evenly)), rel=1e-9
    )


def test_a_tenth_algorithm_that_differs_from_all_changes_nothing_among_nine() -> None:
    """Nine go through the list of partitions, ten through the search; a block with the tenth has a tiny least p."""
    rng = np.random.default_rng(3)
    for power in (1, 2, 4):
        nine = rng.random(36) ** power
        ten = np.full((10, 10), 1e-13)
        a, b = np.triu_indices(9, 1)
        ten[a, b] = ten[b, a] = nine
        rows, columns = np.triu_indices(10, 1)
        adjusted = bergmann_hommel(ten[rows, columns])
        assert adjusted[columns < 9] == pytest.approx(bergmann_hommel(nine), rel=1e-9)
        assert adjusted[columns == 9].max() <= 45 * 1e-13 * (1 + 1e-9)


def test_all_alike_and_two_camps() -> None:
    """Ten alike: 45 p. Two camps of five, 0.2 inside and 1e-6 across: inside, both camps hold 20 pairs at 0.2."""
    assert bergmann_hommel(np.full(45, 0.01)) == pytest.approx(np.full(45, 0.45))
    camp = np.repeat([0, 1], 5)
    matrix = np.where(camp[:, None] == camp, 0.02, 1e-6)
    a, b = np.triu_indices(10, 1)
    adjusted = bergmann_hommel(matrix[a, b])
    inside = camp[a] == camp[b]
    assert adjusted[inside] == pytest.approx(0.4)  # 20 pairs times 0.02
    assert adjusted[~inside] == pytest.approx(45e-6)  # all ten in one block
    assert shaffer(matrix[a, b])[~inside].min() == pytest.approx(45e-6)


def test_the_last_size_of_the_search() -> None:
    assert bergmann_hommel(np.ones(91)).tolist() == [1.0] * 91  # 14 algorithms
    with pytest.raises(OptionError, match="15 algorithms are too many for Bergmann-Hommel"):
        bergmann_hommel(np.ones(105))
    with pytest.raises(OptionError, match="15 algorithms are too many for Bergmann-Hommel"):
        bergmann_hommel_rows(np.ones((2, 105)))
    x = np.arange(15.0)
    assert (bergmann_hommel(on_a_line(x), positions=x) <= 1).all()


def test_rows_are_families_of_their_own() -> None:
    p = np.random.default_rng(0).random((2, 3, 6)) ** 2
    for monotone in (False, True):
        rows = bergmann_hommel_rows(p, monotone=monotone)
        assert rows.shape == (2, 3, 6)
        for i, j in itertools.product(range(2), range(3)):
            assert rows[i, j] == pytest.approx(bergmann_hommel(p[i, j], monotone=monotone), rel=1e-12)
    ten = np.random.default_rng(1).random((2, 45)) ** 3
    assert bergmann_hommel_rows(ten)[1] == pytest.approx(bergmann_hommel(ten[1]), rel=1e-12)
    assert bergmann_hommel_rows(np.empty((0, 3))).shape == (0, 3)


def test_a_monotone_value_is_the_largest_up_to_its_own_p() -> None:
    """[0.004, 0.011, 0.3, 0.013, 0.6, 0.9] gives 0.024, 0.033, 0.3, 0.039, 0.6, 0.9, which rises with p already."""
    p = np.array([0.04, 0.001, 0.001, 0.5, 0.03, 0.02])
    plain, raised = bergmann_hommel(p), bergmann_hommel(p, monotone=True)
    for k in range(6):
        assert raised[k] == plain[p <= p[k]].max()
    assert (raised >= plain).all()


def test_positions_that_contradict_the_p_values() -> None:
    x = np.array([0.0, 1.0, 3.0])
    with pytest.raises(InputError) as caught:
        bergmann_hommel([0.01, 0.2, 0.1], positions=x)  # 0 and 2, farthest apart, have the largest p
    assert str(caught.value).startswith(
        "By positions, algorithms 0 and 1 at distance 1 have p = 0.01, but algorithms 1 and 2 at distance 2 have"
    )
    noise = np.array([0.2, 0.01, 0.1]) * (1 + np.array([0, 1e-9, 0]))
    assert bergmann_hommel(noise, positions=x) == pytest.approx(by_definition(noise, 3))
    for wrong in ([0.0, 1.0], [0.0, 1.0, float("nan")]):
        with pytest.raises(InputError, match="positions"):
            bergmann_hommel([0.2, 0.01, 0.1], positions=wrong)


def test_distances_that_agree_to_twelve_digits_are_one() -> None:
    """0.1 + 0.2 and 0.3 are one distance: with p-values that differ in the last digit the larger stands for both."""
    x = np.array([0.0, 0.3, 0.1 + 0.2 + 0.3])
    p = np.array([0.04, 0.001, 0.04 * (1 + 1e-8)])
    adjusted = bergmann_hommel(p, positions=x)
    assert adjusted[0] == adjusted[2] == pytest.approx(0.04, rel=1e-7)
    assert adjusted[1] == pytest.approx(0.003)


def test_two_and_fewer_algorithms() -> None:
    assert bergmann_hommel([0.03]).tolist() == [0.03] == shaffer([0.03]).tolist()
    assert bergmann_hommel([0.03], positions=[1.0, 2.0]).tolist() == [0.03]
    assert bergmann_hommel([]).shape == (0,) == shaffer([]).shape
    assert bergmann_hommel([], positions=[1.0]).shape == (0,)


# ---- Shaffer


def test_shaffer_pays_for_numbers_that_can_be_true() -> None:
    """Five algorithms: 0, 1, 2, 3, 4, 6 or 10 pairs can be equal; so the ten p-values pay 10, 6 6 6 6, 4... in turn."""
    p = np.linspace(0.001, 0.01, 10)
    factors = np.array([10, 6, 6, 6, 6, 4, 4, 3, 2, 1])  # the largest possible number up to 10, 9, ..., 1
    steps = np.maximum.accumulate(factors * p)
    assert shaffer(p) == pytest.approx(steps, rel=1e-12)
    back = np.random.default_rng(0).permutation(10)
    assert shaffer(p[back]) == pytest.approx(steps[back], rel=1e-12)


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7, 8])
def test_shaffers_numbers_are_those_of_the_partitions(count: int) -> None:
    """Ever the same p-value: the k-th of m pays the largest number of equal pairs that is at most m - k + 1."""
    possible = sorted({sum(len(b) * (len(b) - 1) // 2 for b in blocks) for blocks in partitions(list(range(count)))})
    m = count * (count - 1) // 2
    p = np.geomspace(1e-9, 1e-1, m)
    factors = [max(n for n in possible if n <= m - k) for k in range(m)]
    wanted = np.minimum(np.maximum.accumulate(np.minimum(np.array(factors) * p, 1)), 1)
    assert shaffer(p) == pytest.approx(wanted, rel=1e-12)


def test_families_that_are_not_all_pairs() -> None:
    with pytest.raises(
        InputError, match=r"^5 p-values are not all pairs of any number of algorithms\. Pass every pair once"
    ):
        shaffer([0.1] * 5)
    with pytest.raises(InputError, match="pvalues has 2 dimension"):
        shaffer(np.ones((2, 3)))
    assert 0 < shaffer([0.0])[0] < 1e-300  # a zero counts as the smallest number


# ---- the others


@every("name", sorted(CORRECTIONS))
def test_one_hypothesis_pays_nothing_and_none_is_a_family(name: str) -> None:
    assert CORRECTIONS[name]([0.03]) == pytest.approx([0.03], rel=1e-12)
    assert CORRECTIONS[name]([]).shape == (0,)
    assert CORRECTIONS[name]([1.0]) == pytest.approx([1.0])


@every("name", sorted(CORRECTIONS.keys() - {"shaffer", "bergmann-hommel"}))
def test_a_family_is_one_vector(name: str) -> None:
    with pytest.raises(InputError, match=r"pvalues has 2 dimension\(s\)|one vector|one-dimensional"):
        CORRECTIONS[name]([[0.2, 0.5]])


def test_single_steps_by_hand() -> None:
    assert bonferroni([0.1, 0.3, 0.4]) == pytest.approx([0.3, 0.9, 1.0])
    assert sidak([0.1, 0.5, 1.0]) == pytest.approx([1 - 0.9**3, 1 - 0.5**3, 1.0])
    source = np.array([0.2, 0.1])
    remaining = CORRECTIONS["none"](source)
    source[0] = 0.9
    assert remaining.tolist() == [0.2, 0.1]  # a copy


def test_steps_by_hand() -> None:
    """Sorted 0.01 0.02 0.3 0.4, given in another order."""
    p = [0.3, 0.01, 0.4, 0.02]
    assert holm(p) == pytest.approx([0.6, 0.04, 0.6, 0.06])
    assert hochberg(p) == pytest.approx([0.4, 0.04, 0.4, 0.06])
    assert hommel(p) == pytest.approx([0.4, 0.04, 0.4, 0.06])
    assert holland(p) == pytest.approx([1 - 0.7**2, 1 - 0.99**4, 1 - 0.7**2, 1 - 0.98**3])
    assert finner(p) == pytest.approx([1 - 0.7 ** (4 / 3), 1 - 0.99**4, 0.4, 1 - 0.98**2])
    assert li(p) == pytest.approx([0.3 / 0.9, 0.01 / 0.61, 0.4, 0.02 / 0.62])
    assert benjamini_hochberg(p) == pytest.approx([0.4, 0.04, 0.4, 0.04])
    assert benjamini_yekutieli(p) == pytest.approx([0.4 * 25 / 12, 0.04 * 25 / 12, 0.4 * 25 / 12, 0.04 * 25 / 12])
    assert max(benjamini_yekutieli([0.9, 0.8])) == 1.0


def test_roms_two_hypotheses_are_hochbergs() -> None:
    """c_1 = alpha, c_2 = alpha / 2: the adjusted values are p and 2 p, whichever is less."""
    assert rom([0.01, 0.04]) == pytest.approx([0.02, 0.04])
    assert rom([0.04, 0.03]) == pytest.approx([0.04, 0.04])
    assert rom_critical_values(1, alpha=0.2).tolist() == [0.2]
    for k in (3, 5, 8):
        c = rom_critical_values(k, alpha=0.03)
        p = np.full(k, 0.9)
        p[0] = c[-1]  # the smallest of k, at its critical value: alpha itself is its adjusted p-value
        assert rom(p)[0] == pytest.approx(0.03, rel=1e-9)


def test_hommel_is_the_closure_of_simes_with_ties() -> None:
    for values in itertools.product([0.01, 0.02, 0.04, 0.2], repeat=4):
        p = np.array(values)
        wanted = np.zeros(4)
        for size in range(1, 5):
            for chosen in itertools.combinations(range(4), size):
                q = np.sort(p[list(chosen)])
                local = (q * size / np.arange(1, size + 1)).min()
                wanted[list(chosen)] = np.maximum(wanted[list(chosen)], local)
        assert hommel(p) == pytest.approx(np.minimum(wanted, 1), rel=1e-12)
