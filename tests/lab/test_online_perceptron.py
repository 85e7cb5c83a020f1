"""The papers' perceptrons: held against a plain loop, and their steps against the slope of the loss."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils import check_random_state

from tiebreak.errors import OptionError
from tiebreak.lab.algorithms.perceptrons import OnlinePerceptron, _first, _hidden_epoch, _linear_epoch


def drawn(rows: int = 60, columns: int = 4, classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(rows, columns))
    return values, np.argmax(values[:, :classes] + rng.normal(size=(rows, classes)), axis=1)


def plain_loop(rows: np.ndarray, codes: np.ndarray, units: int, epochs: int, seed: int) -> list[np.ndarray]:
    """Backpropagation as a textbook has it, one number at a time; the draws are those of the learner."""
    k = int(codes.max()) + 1
    chance = check_random_state(seed)
    layers = [layer.copy() for layer in _first(rows.shape[1], units, k, chance)]
    rate = 0.01
    for _ in range(epochs):
        for place in chance.permutation(len(rows)):
            x = [*rows[place], 1.0]
            hidden = [1 / (1 + np.exp(-sum(w * v for w, v in zip(line, x, strict=True)))) for line in layers[0]]
            z = [*hidden, 1.0] if units else x
            out = [sum(w * v for w, v in zip(line, z, strict=True)) for line in layers[-1]]
            shares = [np.exp(o) / sum(np.exp(item) for item in out) for o in out]
            delta = [(place_k == codes[place]) - share for place_k, share in enumerate(shares)]
            backs = [
                sum(delta[i] * layers[-1][i, h] for i in range(k)) * hidden[h] * (1 - hidden[h]) for h in range(units)
            ]
            for i in range(k):
                for h, v in enumerate(z):
                    layers[-1][i, h] += rate * delta[i] * v
            for h in range(units):
                for j, v in enumerate(x):
                    layers[0][h, j] += rate * backs[h] * v
        rate *= 0.95
    return layers


@pytest.mark.parametrize("units", [0, 4])
def test_the_quick_loop_gives_the_weights_of_the_plain_one(units: int) -> None:
    rows, codes = drawn()
    fitted = OnlinePerceptron(hidden=units, max_iter=5, random_state=7).fit(rows, codes)
    for coef, bias, layer in zip(fitted.coefs_, fitted.intercepts_, plain_loop(rows, codes, units, 5, 7), strict=True):
        np.testing.assert_allclose(coef, layer[:, :-1].T, rtol=0, atol=1e-13)
        np.testing.assert_allclose(bias, layer[:, -1], rtol=0, atol=1e-13)


def loss(layers: list[np.ndarray], row: np.ndarray, code: int) -> float:
    level = np.append(row, 1.0)
    for layer in layers[:-1]:
        level = np.append(1 / (1 + np.exp(-layer @ level)), 1.0)
    out = layers[-1] @ level
    return float(np.log(np.exp(out).sum()) - out[code])


@pytest.mark.parametrize("units", [0, 3])
def test_one_step_goes_down_the_slope_of_the_loss(units: int) -> None:
    rows, codes = drawn(1)
    chance = np.random.RandomState(1)
    before = [10 * layer for layer in _first(4, units, 3, chance)]  # away from 0, where slopes are even
    after = tuple(np.asfortranarray(layer.copy()) for layer in before)
    inputs, truth = np.append(rows, np.ones((1, 1)), axis=1), np.eye(3)[codes]
    (_hidden_epoch if units else _linear_epoch)(after, inputs, truth, [0], 1.0)
    for number, layer in enumerate(before):
        for place in np.ndindex(layer.shape):
            nudged = [[item.copy() for item in before] for _ in range(2)]
            nudged[0][number][place] += 1e-6
            nudged[1][number][place] -= 1e-6
            slope = (loss(nudged[0], rows[0], codes[0]) - loss(nudged[1], rows[0], codes[0])) / 2e-6
            assert after[number][place] - layer[place] == pytest.approx(-slope, abs=1e-8)


def test_hidden_units_are_half_of_inputs_and_classes_rounded_up() -> None:
    rows, codes = drawn(columns=4, classes=3)
    assert OnlinePerceptron(max_iter=1, random_state=0).fit(rows, codes).coefs_[0].shape == (4, 4)


def test_probabilities_agree_with_classes_and_add_up() -> None:
    rows, codes = drawn(300)
    fitted = OnlinePerceptron(random_state=0).fit(rows, codes)
    shares = fitted.predict_proba(rows)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert (shares.argmax(axis=1) == fitted.predict(rows)).all()
    assert (fitted.predict(rows) == codes).mean() > 0.5


@pytest.mark.parametrize(("name", "value"), [("learning_rate", 0), ("decay", 1.5), ("max_iter", 0), ("hidden", -1)])
def test_settings_without_sense_are_refused(name: str, value: float) -> None:
    with pytest.raises(OptionError, match=f"{name} is"):
        OnlinePerceptron(**{name: value}).fit(*drawn())
