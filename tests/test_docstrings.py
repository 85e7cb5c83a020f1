"""Every public statistical function says hypothesis, formula, assumptions, when not to use it, reference, example."""

from __future__ import annotations

import inspect

import tiebreak
from tiebreak import stats
from tiebreak.stats import multivariate

from .every import every

FUNCTIONS = [
    *(tiebreak.compare, tiebreak.order, tiebreak.multivariate, tiebreak.battles),
    *(
        getattr(module, name)
        for module in (stats, multivariate)
        for name in module.__all__
        if inspect.isfunction(getattr(module, name))
    ),
]


@every("function", FUNCTIONS)
@every("part", ["Hypothesis", "Formula", "ssumptions", "hen not to use it", "References", "Examples", ">>>"])
def test_public_functions_are_documented_in_full(function: object, part: str) -> None:
    assert part in (inspect.getdoc(function) or "")


@every("function", FUNCTIONS)
def test_references_have_a_doi_or_say_that_there_is_none(function: object) -> None:
    references = (inspect.getdoc(function) or "").split("References")[1]
    assert "doi:" in references or "no DOI" in references


@every("function", FUNCTIONS)
def test_only_the_data_come_by_position(function: object) -> None:
    kinds = [p.kind for p in inspect.signature(function).parameters.values()]  # type: ignore[arg-type]
    by_position = [k for k in kinds if k == inspect.Parameter.POSITIONAL_OR_KEYWORD]
    assert len(by_position) <= 4
