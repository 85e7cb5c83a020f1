"""A recommendation as one self-contained page: nothing is loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from tiebreak import __version__
from tiebreak._show import number, one_line
from tiebreak.reporting.html import STYLE

if TYPE_CHECKING:
    from tiebreak.advisor import Recommendation

PAPER = (
    "Brazdil, P. B., Soares, C. and Pinto da Costa, J. (2003). Ranking learning algorithms: using IBL and meta-learning"
    " on accuracy and time results. Machine Learning 50, 251-277. doi:10.1023/A:1021713901879"
)
MORE_PAPERS = {
    "A3R": "Abdulrahman, S. M., Brazdil, P., van Rijn, J. N. and Vanschoren, J. (2018). Speeding up algorithm selection"
    " using average ranking and active testing by introducing runtime. doi:10.1007/s10994-017-5687-8",
    "Multi": "Ulas, A., Yildiz, O. T. and Alpaydin, E. (2012). Cost-conscious comparison of supervised learning"
    " algorithms over multiple data sets. Pattern Recognition 45. doi:10.1016/j.patcog.2011.10.005",
}
"""What else to cite, by the beginning of the name of the ranking method."""


def recommendation_page(found: Recommendation) -> str:
    """Write the page: the order, the neighbours that explain it, the meta-attributes and the caveats.

    Examples
    --------
    >>> from tiebreak.advisor import Advisor
    >>> page = recommendation_page(Advisor().recommend_known("iris"))
    >>> page[:15], "<script" in page
    ('<!doctype html>', False)
    """
    name = f"Which algorithm to try first on {found.dataset}"
    header, body, left = found.printed()
    near = found.neighbour_rows()
    measured = [[key, number(value)] for key, value in found.meta_attributes.items()]
    terms = [
        [row, *map(number, found.neighbours.contribution[i].tolist())] for i, row in enumerate(found.neighbours.names)
    ]
    sections = (
        _section("The order", _table("Algorithms, best first", header, body, left)),
        _section(
            "Why: the nearest known data sets",
            _table("Neighbours", list(near[0]), [[number(v) for v in row.values()] for row in near], 2)
            + _table("Distance by meta-attribute", ["dataset", *found.neighbours.measures], terms, 1),
        ),
        _section("What the data look like", _table("Meta-attributes", ["meta-attribute", "value"], measured, 1)),
        _section("What to mistrust", _list(found.caveats)),
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{_safe(name)}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<header><h1>{_safe(name)}</h1></header>\n<main>\n<div class="answer"><p>{_safe(found.title())}</p></div>\n'
        f"{''.join(sections)}<section><h2>Method</h2><p>{_safe(found.knowledge)}.</p>{_papers(found)}</section>\n"
        f"</main>\n<footer><p>Made with tiebreak {_safe(__version__)}.</p></footer>\n</body>\n</html>"
    )


def _papers(found: Recommendation) -> str:
    more = [paper for begin, paper in MORE_PAPERS.items() if found.ranking.method.startswith(begin)]
    return "".join(f"<p>{_safe(paper)}</p>" for paper in (PAPER, *more))


def _section(heading: str, content: str) -> str:
    return f"<section><h2>{_safe(heading)}</h2>{content}</section>\n"


def _table(caption: str, header: Sequence[str], body: Sequence[Sequence[str]], left: int) -> str:
    def cells(row: Sequence[str], tag: str) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        kinds = [' class="text"' if i < left else "" for i in range(len(row))]
        return "".join(f"<{tag}{scope}{kind}>{_safe(cell)}</{tag}>" for kind, cell in zip(kinds, row, strict=True))

    rows = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in body)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{_safe(caption)}"><table><caption>{_safe(caption)}'
        f"</caption><thead><tr>{cells(header, 'th')}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _list(items: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{_safe(item)}</li>' for item in items)}</ul>" if items else "<p>Nothing.</p>"


def _safe(text: object) -> str:
    return escape(one_line(text))
