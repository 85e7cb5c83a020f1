"""What a report says, before it is written: one context for HTML, Markdown, LaTeX and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiebreak._show import Row, Shown
from tiebreak.errors import InputError, OptionError
from tiebreak.figures import Figure
from tiebreak.reporting.bibtex import bibtex

ENDINGS = (".html", ".md", ".tex", ".json")
LIMITS = "What cannot be concluded, and caveats"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One numbered look at the data or the method; `kind` is issue, tip or passed."""

    number: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of a report; the first `left` columns hold text."""

    caption: str
    header: tuple[str, ...]
    body: tuple[tuple[str, ...], ...]
    left: int = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """A figure of a report with its caption."""

    name: str
    caption: str
    figure: Figure


def picture(name: str, figure: Figure) -> Picture:
    """Give a figure its own notes as caption: what it shows, by which test, and how to read it."""
    return Picture(name=name, caption=" ".join(figure.notes()), figure=figure)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """One answered question: the comparison, by one measure or by several, or the order by one cost."""

    heading: str
    subject: str
    answer: tuple[str, ...]
    pictures: tuple[Picture, ...]
    tables: tuple[Table, ...]
    decided: tuple[str, ...]
    limits: tuple[str, ...]
    checks: tuple[Check, ...]
    method: tuple[str, ...]
    references: tuple[str, ...]
    data: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Report(Shown):
    """A report: parts, the papers to cite, versions and seed. Write it with `save`."""

    name: str
    parts: tuple[Part, ...]
    versions: tuple[tuple[str, str], ...]
    seed: int | None = None
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what is reported."""
        return self.name

    def rows(self) -> list[Row]:
        """Return one row per check."""
        return [
            {"part": part.heading, "check": check.number, "kind": check.kind, "text": check.text}
            for part in self.parts
            for check in part.checks
        ]

    def to_html(self) -> str:
        """Return one self-contained page."""
        from tiebreak.reporting.html import to_html

        return to_html(self)

    def to_markdown(self, *, figures: str = "") -> str:
        """Return the report as Markdown; `figures` is how the names of SVG files to refer to start, if any."""
        from tiebreak.reporting.markdown import to_markdown

        return to_markdown(self, figures=figures)

    def pictures(self) -> list[Picture]:
        """Return the pictures of all parts, in order."""
        return [picture for part in self.parts for picture in part.pictures]

    def references(self) -> tuple[str, ...]:
        """Return the papers of all parts, each once."""
        return tuple(dict.fromkeys(paper for part in self.parts for paper in part.references))

    def to_latex(self) -> str:
        """Return a LaTeX document that compiles by itself: booktabs tables, TikZ figures, BibTeX in the comments."""
        from tiebreak.reporting.latex import to_latex

        return to_latex(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "title": self.name,
            "parts": [
                {
                    "heading": part.heading,
                    "subject": part.subject,
                    "answer": list(part.answer),
                    "decided": list(part.decided),
                    "limits": list(part.limits),
                    "checks": [
                        {"number": check.number, "kind": check.kind, "text": check.text} for check in part.checks
                    ],
                    "pictures": [{"name": each.name, "caption": each.caption} for each in part.pictures],
                    "tables": [
                        {
                            "caption": table.caption,
                            "header": list(table.header),
                            "rows": [list(row) for row in table.body],
                        }
                        for table in part.tables
                    ],
                    "method": list(part.method),
                    "references": list(part.references),
                    "result": part.data,
                }
                for part in self.parts
            ],
            "bibtex": bibtex(self.references()),
            "versions": dict(self.versions),
            "seed": self.seed,
        }

    def save(self, path: str | Path) -> None:
        """Write a file; its ending says what: .html, .md (its figures as SVG files beside it), .tex or .json."""
        import json

        target = Path(path)
        ending = target.suffix.lower()
        if ending not in ENDINGS:
            raise OptionError(
                f"A report cannot be saved as {target.name!r}.",
                why=f"The ending says what to write, and must be one of {', '.join(ENDINGS)}.",
                mend="Use report.html.",
            )
        if ending == ".json":
            text = json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)
        elif ending == ".md":
            text = self.to_markdown(figures=target.stem)
        else:
            text = self.to_html() if ending == ".html" else self.to_latex()
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if ending == ".md":
                for number, picture in enumerate(self.pictures(), start=1):
                    picture.figure.save(target.with_name(f"{target.stem}-{number}.svg"), notes=False)
            target.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(
                f"{target} cannot be written: {error.strerror}.",
                why="The report goes there.",
                mend="Choose another path.",
            ) from None
