"""Draw the picture of the architecture page: from files and plans to answers."""

from __future__ import annotations

from html import escape
from pathlib import Path

WIDTH, HEIGHT, TALL = 148, 46, 430
BOXES = {  # name: left, top, second line
    "files, frames, logs": (16, 40, "results of others"),
    "data sets": (16, 190, "datasets/"),
    "lab": (196, 190, "lab/, stores/"),
    "readers": (196, 40, "anything to a table"),
    "Results": (376, 40, "results/: the table"),
    "decisions": (556, 40, "compare, order, ..."),
    "advisor": (376, 190, "recommend"),
    "stats": (556, 190, "arrays in, results out"),
    "answer": (736, 40, "documents/"),
    "figures": (736, 190, "data, then drawing"),
    "text, LaTeX, JSON": (916, 40, "cli/, notebooks"),
    "pages": (916, 190, "reporting/, web/"),
    "methods, papers": (556, 320, "one record each"),
    "studies": (736, 320, "error rates, ledger"),
}
ARROWS = [
    ("files, frames, logs", "readers"), ("readers", "Results"), ("data sets", "lab"), ("lab", "readers"),
    ("Results", "decisions"), ("Results", "advisor"), ("stats", "decisions"), ("decisions", "answer"),
    ("answer", "text, LaTeX, JSON"),
    ("answer", "pages"), ("decisions", "figures"), ("figures", "pages"), ("methods, papers", "stats"),
    ("methods, papers", "studies"),
]  # fmt: skip


def box(name: str) -> str:
    """Write one box: what it is, and where it lies."""
    x, y, where = BOXES[name]
    middle = x + WIDTH / 2
    return (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#eef3fb" stroke="#0550ae"/>'
        f'<text x="{middle}" y="{y + 19}" font-weight="bold">{escape(name)}</text>'
        f'<text x="{middle}" y="{y + 36}" font-size="12" fill="#444">{escape(where)}</text>'
    )


def arrow(start: str, end: str) -> str:
    """Write an arrow from the nearest side of one box to that of another."""
    (x0, y0, _), (x1, y1, _) = BOXES[start], BOXES[end]
    if x0 < x1:
        a, b = (x0 + WIDTH, y0 + HEIGHT / 2), (x1, y1 + HEIGHT / 2)
    elif x0 > x1:
        a, b = (x0, y0 + HEIGHT / 2), (x1 + WIDTH, y1 + HEIGHT / 2)
    else:
        up = y0 > y1
        a, b = (x0 + WIDTH / 2, y0 + (0 if up else HEIGHT)), (x1 + WIDTH / 2, y1 + (HEIGHT if up else 0))
    ends = f'x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}"'
    return f'<line {ends} stroke="#444" stroke-width="1.4" marker-end="url(#tip)"/>'


def draw() -> str:
    """Write the picture."""
    tip = '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1080 {TALL}" role="img" aria-label="From files"'
        ' font-family="DejaVu Sans, sans-serif" font-size="13.5" text-anchor="middle">',
        f'<rect width="1080" height="{TALL}" fill="#ffffff"/>',
        f'<defs>{tip}<path d="M0 0L8 4L0 8z" fill="#444"/></marker></defs>',
        *(arrow(*item) for item in ARROWS),
        *map(box, BOXES),
        '<text x="540" y="412" font-size="12" fill="#444">A package imports only packages before it; results know'
        " nothing of the pages that show them.</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    (Path(__file__).parent.parent / "dataflow.svg").write_text(draw(), encoding="utf-8")
