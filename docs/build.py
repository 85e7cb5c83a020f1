"""Write the documentation as plain HTML pages to docs/_build; tests/test_readme.py runs what the pages show."""

from __future__ import annotations

import html
import importlib
import inspect
import re
from pathlib import Path

DOCS = Path(__file__).parent
ROOT = DOCS.parent
OUT = DOCS / "_build"
STYLE = """
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 sans-serif }
pre { overflow-x: auto; background: #f4f4f4; padding: .7rem }
table { border-collapse: collapse }
td, th { border: 1px solid #ccc; padding: .2rem .6rem; text-align: left }
img { max-width: 100% }
"""
MODULES = (
    "tiebreak",
    "tiebreak.stats",
    "tiebreak.stats.multivariate",
    "tiebreak.methods",
    "tiebreak.papers",
    "tiebreak.caveats",
    "tiebreak.comparison",
    "tiebreak.ordering",
    "tiebreak.multivariate_tests",
    "tiebreak.evals.battles",
    "tiebreak.evals.gate",
    "tiebreak.checking",
    "tiebreak.figures",
    "tiebreak.reporting",
    "tiebreak.evals.board",
    "tiebreak.studies",
    "tiebreak.results",
    "tiebreak.readers",
    "tiebreak.datasets",
    "tiebreak.store",
    "tiebreak.lab",
    "tiebreak.advisor",
)


def records(kinds: str) -> str:
    """Write the records of some kinds of methods as a Markdown table."""
    from tiebreak.methods import of_kind
    from tiebreak.papers import paper

    lines = ["| name | question | functions | keeps | premises | papers |", "|---|---|---|---|---|---|"]
    for each in of_kind(*kinds.split()):  # type: ignore[arg-type]
        functions = ", ".join(f"`{name}`" for name in each.functions)
        papers = "; ".join(paper(key).short for key in each.papers)
        cells = (f"`{each.name}`", each.question, functions, each.promise.keeps, each.promise.premises, papers)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def with_records(text: str) -> str:
    """Put the tables of records where a page asks for them."""
    return re.sub(r"<!-- records: ([a-z ]+) -->", lambda found: records(found[1].strip()), text)


def pages() -> list[Path]:
    """The pages of the documentation, the README first."""
    return [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]


def main() -> None:
    """Write every page, every picture and the reference."""
    OUT.mkdir(exist_ok=True)
    for page in pages():
        name = "index" if page.name == "README.md" else page.stem
        (OUT / f"{name}.html").write_text(
            wrap(page.stem, to_html(with_records(page.read_text(encoding="utf-8")))), encoding="utf-8"
        )
    for picture in [*DOCS.rglob("*.svg"), *DOCS.rglob("*.png")]:
        if DOCS / "_build" in picture.parents:
            continue
        for place in (OUT / picture.relative_to(DOCS), OUT / "docs" / picture.relative_to(DOCS)):  # pages, README
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(picture.read_bytes())
    for name in re.findall(r"\]\((\w+\.cff)\)", (ROOT / "README.md").read_text(encoding="utf-8")):
        (OUT / name).write_bytes((ROOT / name).read_bytes())
    (OUT / "reference.html").write_text(wrap("Reference", reference()), encoding="utf-8")
    print(f"{len(pages())} pages written to docs/_build")


def wrap(title: str, body: str) -> str:
    """Put a body into a page."""
    links = " | ".join(
        f'<a href="{name}.html">{name}</a>'
        for name in ["index", *sorted(p.stem for p in DOCS.glob("*.md")), "reference"]
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)} - Tiebreak</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style><nav>{links}</nav>{body}</html>'
    )


def to_html(text: str) -> str:
    """Render Markdown; headings have the names by which GitHub links to them."""
    import markdown

    body: str = markdown.markdown(
        text, extensions=["fenced_code", "tables", "toc"], extension_configs={"toc": {"slugify": anchor}}
    )
    return re.sub(r'href="(?:docs/)?([\w-]+)\.md(#[\w-]+)?"', r'href="\1.html\2"', body)


def anchor(heading: str, separator: str = "-") -> str:
    """Return the name that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def public(module: object) -> list[str]:
    """Name what a module without a list of its own defines for others."""
    home = getattr(module, "__name__", "")
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == home]
    return [name for name in own if not name.startswith("_")]


def reference() -> str:
    """Write every public name with its docstring."""
    parts = ["<h1>Reference</h1>"]
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        parts.append(f"<h2>{module_name}</h2>")
        for name in getattr(module, "__all__", None) or public(module):
            value = getattr(module, name)
            signature = f"{inspect.signature(value)}" if inspect.isfunction(value) else ""
            doc = inspect.getdoc(value) if callable(value) or inspect.ismodule(value) else repr(value)
            parts.append(f"<h3><code>{html.escape(name + signature)}</code></h3><pre>{html.escape(doc or '')}</pre>")
    return "".join(parts)


if __name__ == "__main__":
    main()
