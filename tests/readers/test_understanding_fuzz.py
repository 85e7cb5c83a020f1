"""Whatever a grid holds, it is understood or refused in words; nothing ends in a traceback."""

from __future__ import annotations

import re
from collections.abc import Callable

from hypothesis import assume, given, settings, strategies as st

from tiebreak import read
from tiebreak.errors import TiebreakError
from tiebreak.readers.grids import Cell, Grid
from tiebreak.readers.settings import Settings
from tiebreak.readers.understanding.layout import parse
from tiebreak.readers.understanding.table import understand
from tiebreak.results import Results

WORDS = """
    Dataset|dataset|Method|algorithm|metric|fold|RF|SVM|rf|iris|Iris|wine|Average|rank|#inst|n|std|RF_std|accuracy|time
    0.9|85|-0.85|95%|1,234|0,5|1.234,5|0.9 ± 0.1|0.9 (0.1)|0.9 (1)|**0.9**|0.9*|-|—|N/A|OOM|x|inf|1e400|abc|0|1|2|3
    fold1|fold2|No.|±|()|%|$|\\pm|  |1/2/3|₂|½
"""
CELLS = st.one_of(st.sampled_from([*WORDS.replace("\n", "|").split("|"), ""]), st.text(max_size=6))


def understood_or_refused(call: Callable[[], Results]) -> None:
    """A refusal says why and what mends it, each of several problems for itself; what is understood holds names."""
    try:
        result = call()
    except TiebreakError as error:
        problem = error
    else:
        assert result.datasets and result.algorithms
        return
    assert problem.mend or re.search(r"for \d+ reasons:\n1\. .*\n2\. ", str(problem), re.DOTALL)


@settings(max_examples=120)
@given(
    table=st.integers(1, 6).flatmap(
        lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=7)
    ),
    transpose=st.sampled_from([None, True, False]),
    keep=st.booleans(),
)
def test_any_grid(table: list[list[str]], transpose: bool | None, keep: bool) -> None:
    rows = tuple(
        tuple(Cell(text=text, line=i + 1, column=str(j + 1)) for j, text in enumerate(row))
        for i, row in enumerate(table)
    )
    grid = Grid(rows=rows, source="t.csv", kind="csv")
    options = Settings(transpose=transpose, keep_rows=keep, decimal="," if keep else None)

    def call() -> Results:
        result = understand(grid, options)
        return Results.from_columns(result.columns, source="t.csv", line_of=result.line_of)

    understood_or_refused(call)


@settings(max_examples=80)
@given(table=st.lists(st.lists(CELLS, min_size=1, max_size=5), min_size=1, max_size=6), mark=st.sampled_from(",;\t|"))
def test_any_text(table: list[list[str]], mark: str) -> None:
    text = "\n".join(mark.join(row) for row in table) + "\n"
    assume(text.strip() != "-")  # standard input
    understood_or_refused(lambda: read(text))


@given(text=st.one_of(st.text(max_size=40), st.text("0123456789.,%±()*-+ eE$\\{}^'", max_size=150)))
def test_any_cell(text: str) -> None:
    assert parse(text).kind in ("number", "gap", "failure", "text")
