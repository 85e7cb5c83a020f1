"""Protocols of published experiments, by name: what a plan that names one leaves out is filled in from here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tiebreak._checks import check_choice

_COSTS = [10.0**power for power in range(-5, 6)]
_WIDTHS = [10.0**power for power in range(-3, 4)]


def _searched(name: str, algorithm: str = "", **space: list[float]) -> dict[str, Any]:
    return {"algorithm": algorithm or name, "name": name, "settings": {"tune": {"on": "validation", "space": space}}}


_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "ulas2012": {
        "resampling": {"scheme": "5x2cv", "test": 1 / 3},
        "seed": 0,
        "algorithms": [
            "c45",
            "mdt",
            {"algorithm": "mlp-online", "name": "mlp"},
            {"algorithm": "lnp-online", "name": "lnp"},
            _searched("svl", C=_COSTS),
            _searched("sv2", "sv2-homogeneous", C=_COSTS),  # it fits the printed accuracies; (gamma x.y + 1)^2 does not
            _searched("svr", gamma=_WIDTHS, C=_COSTS),
            "5nn",
        ],
    },
}
PRESETS = tuple(_PRESETS)
"""The names of the protocols."""


def with_constant(algorithms: Iterable[Any]) -> list[Any]:
    """Return the learners of "ulas2012" with the other quadratic kernel, (gamma x.y + 1)^2."""
    return [
        {**each, "algorithm": "sv2"} if isinstance(each, dict) and each["name"] == "sv2" else each
        for each in algorithms
    ]


def preset(name: object) -> Mapping[str, Any]:
    """Return what a plan takes from a protocol where it says nothing itself.

    Examples
    --------
    >>> [each if isinstance(each, str) else each["name"] for each in preset("ulas2012")["algorithms"]]
    ['c45', 'mdt', 'mlp', 'lnp', 'svl', 'sv2', 'svr', '5nn']
    """
    return _PRESETS[check_choice("preset", str(name), PRESETS)]
