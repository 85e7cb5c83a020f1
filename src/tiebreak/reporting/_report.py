"""A report: what results say, on one page, as HTML, Markdown or JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveats
from tiebreak.documents import Row, Shown
from tiebreak.errors import InputError, OptionError
from tiebreak.ordering import Ordering
from tiebreak.papers import bibtex, paper
from tiebreak.reporting._parts import Drawn, Part

ENDINGS = (".html", ".md", ".json")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Report(Shown):
    """A report: parts, the papers to cite, versions and seed. Write it with `save`."""

    name: str
    parts: tuple[Part, ...]
    versions: tuple[tuple[str, str], ...]
    seed: int | None = None
    also: tuple[Ordering, ...] = ()
    caveats: Caveats = ()

    @property
    def lead(self) -> Part:
        """The part whose answer comes first: the first order, which says what to use; else the first part."""
        return next((part for part in self.parts if part.ordered), self.parts[0])

    @property
    def by_importance(self) -> tuple[Part, ...]:
        """The parts as a page shows them: orders first, what they rest on after them."""
        return tuple(sorted(self.parts, key=lambda part: not part.ordered))

    def title(self) -> str:
        """Say in one line what is reported."""
        return self.name

    def brief(self) -> str:
        """Give the first sentence of the answer."""
        return self.lead.answer[0]

    def rows(self) -> list[Row]:
        """Return one row per point of the answers."""
        return [
            {"part": part.heading, "question": point.label, "answer": point.text}
            for part in self.parts
            for point in part.points
        ]

    def _repr_html_(self) -> str:
        """In a notebook the report is the card of its answer; the page itself is a file."""
        return self.lead.result._repr_html_()

    def to_html(self) -> str:
        """Return one self-contained page."""
        from tiebreak.reporting.html import to_html

        return to_html(self)

    def to_markdown(self, *, figures: str = "") -> str:
        """Return the report as Markdown; `figures` is how the names of SVG files to refer to start, if any."""
        from tiebreak.reporting.markdown import to_markdown

        return to_markdown(self, figures=figures)

    def pictures(self) -> list[Drawn]:
        """Return the pictures of all parts, in order."""
        return [picture for part in self.parts for picture in part.pictures]

    def papers(self) -> tuple[str, ...]:
        """Return the keys of the papers of all parts, each once."""
        return tuple(dict.fromkeys(key for part in self.parts for key in part.document.papers))

    def references(self) -> tuple[str, ...]:
        """Return the papers of all parts as they are printed."""
        return tuple(paper(key).short for key in self.papers())

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "title": self.name,
            "lead": self.lead.heading,
            "parts": [
                {
                    "heading": part.heading,
                    "subject": part.subject,
                    "answer": list(part.answer),
                    "points": [{"label": point.label, "text": point.text} for point in part.points],
                    "lay": list(part.document.lay),
                    "decided": list(part.decided),
                    "limits": list(part.limits),
                    "pictures": [{"name": picture.name, "caption": picture.caption} for picture in part.pictures],
                    "tables": [
                        {
                            "caption": table.caption,
                            "header": list(table.header),
                            "rows": [list(row) for row in table.body],
                        }
                        for table in part.tables
                    ],
                    "method": list(part.method),
                    "references": part.document.references(),
                    "result": part.data,
                }
                for part in self.parts
            ],
            "bibtex": bibtex(self.papers()),
            "versions": dict(self.versions),
            "seed": self.seed,
        }

    def save(self, path: str | Path) -> None:
        """Write a file; its ending says what: .html, .md (its figures as SVG files beside it) or .json."""
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
            text = self.to_html()
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
