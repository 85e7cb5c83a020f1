"""What a verb answers with, how it is written, and the figure beside it."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.cli.sources import known_names
from tiebreak.errors import InputError, OptionError
from tiebreak.verbs import verb_of

if TYPE_CHECKING:
    from tiebreak.documents import Shown
    from tiebreak.figures import Figure

LOOKS = ("width", "height", "font_size", "theme")
_ENDINGS = {".md": "markdown", ".tex": "latex", ".json": "json", ".html": "html", ".txt": "text", "": "text"}
_WITH_FILES_OF_THEIR_OWN = ("board", "demo", "figure", "read", "report")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Answer:
    """What a verb found: `data` is its JSON where there is more than the result, `text` what is printed; `code` exits.

    `shown` are results that can be written in every form. `written` says that it wrote its files itself.
    """

    data: Callable[[], dict[str, Any]] | None = None
    text: str | None = None
    shown: tuple[Shown, ...] = ()
    code: int = 0
    written: bool = False

    def plain(self) -> dict[str, Any]:
        """Return its JSON: that of the result, unless there is more to it."""
        return self.data() if self.data is not None else self.shown[0].to_dict()  # type: ignore[attr-defined]

    def in_form(self, form: str, *, indent: int | None = 2, full: bool = False) -> str:
        """Write it as text, json, markdown, latex or html; the `full` text has every table, method and reference."""
        if form == "json":
            return as_json(self.plain(), indent=indent)
        if form == "html":
            return str(self.shown[0].report().to_html())
        if form == "text" and self.text is not None:
            return self.text
        if not self.shown:
            return self.text or ""
        if form == "text":
            return "\n\n".join(str(item.document() if full else item) for item in self.shown)
        return "\n\n".join(item.to_markdown() if form == "markdown" else item.to_latex() for item in self.shown)


def as_json(data: dict[str, Any], *, indent: int | None = 2) -> str:
    """Write plain data as JSON; NaN and infinity never reach it. Without lines it is written six times as fast."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent)


_RUNNING = ("run", "store", "recommend", "study")
"""Verbs of the module `running`; the functions of all others are in `tables`."""


def runner(name: str) -> Callable[[Namespace], Answer | None]:
    """Return the function that runs a verb, which has the name of the verb."""
    module = import_module(f"tiebreak.cli.{'running' if name in _RUNNING else 'tables'}")
    return getattr(module, name)  # type: ignore[no-any-return]


def values_of(name: str, given: dict[str, Any]) -> Namespace:
    """Return the values of a verb: what is given, and what holds where nothing is."""
    return Namespace(**{option.key: option.initial for option in verb_of(name).options} | given, verb=name)


def finish(answer: Answer | None, values: Namespace) -> int:
    """Print an answer, or write it to the file that was named."""
    if answer is None:
        return 0
    out = getattr(values, "out", None)
    stdout_utf8()
    emit(answer.in_form(form_of(values, answer), full=getattr(values, "full", False)), None if answer.written else out)
    return answer.code


def form_of(values: Namespace, answer: Answer) -> str:
    """Return the output format, set by an option or by the file extension."""
    forms = [form for form in ("json", "latex") if getattr(values, form, False)]
    if len(forms) > 1:
        raise OptionError("--json and --latex were both given.", mend="Leave one out.")
    if forms:
        return forms[0]
    out = None if answer.written else getattr(values, "out", None)
    return _ENDINGS.get(Path(out).suffix.lower(), "text") if out and answer.shown else "text"


def check_out(values: Namespace) -> None:
    """Refuse an ending that no answer is written with, before anything is computed; some verbs write their own."""
    out = getattr(values, "out", None)
    if out and values.verb not in _WITH_FILES_OF_THEIR_OWN and Path(out).suffix.lower() not in _ENDINGS:
        endings = ", ".join(filter(None, _ENDINGS))
        what = f"An answer cannot be saved as {out!r}: it must end in one of {endings}."
        raise OptionError(what, mend=f"Use {Path(out).with_suffix('.md')}.")


def emit(text: str, out: str | None) -> None:
    """Print, or write to a file and say nothing."""
    if out is None:
        print(text)
        return
    try:
        Path(out).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        where = error.filename or out
        raise InputError(f"{where} cannot be written: {error.strerror}.", mend="Choose another path.") from None


def stdout_utf8() -> None:
    """Names may hold any character: do not let a narrow terminal encoding break the output."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace" if sys.stdout.isatty() else "strict", encoding="utf-8")


# ---- figures


def check_figure(values: Namespace) -> None:
    """Refuse a figure that cannot be saved before anything is computed."""
    if not values.figure:
        unused = next((name for name in ("figure_kind", *LOOKS, "top", "show") if getattr(values, name, None)), None)
        if unused is not None:
            raise OptionError(f"{unused} was given without a figure.", mend="Add a figure, or leave it out.")
        return
    from tiebreak.figures import check_ending
    from tiebreak.figures.drawing.sheet import Sheet

    check_ending(Path(values.figure))
    Sheet().over(**_looks(values))


def _looks(values: Namespace) -> dict[str, Any]:
    return {name: value for name in LOOKS if (value := getattr(values, name, None)) is not None}


def save(figure: Figure, values: Namespace) -> None:
    """Save a figure as wide, in the letters and in the theme that were asked for."""
    looks, notes = _looks(values), not getattr(values, "no_notes", False)
    figure.save(values.figure, notes=notes, **looks)
    sized = figure.sized(**looks)
    drawn = sized.fitted(notes=notes)
    high = drawn.too_high(drawn.scene(notes=notes), notes=notes)
    for caveat in (*sized.left_out_of(drawn), *([] if high is None else [high])):
        print(f"Caveat: {caveat}", file=sys.stderr)


def save_figure(result: Shown, values: Namespace, **more: Any) -> None:
    """Save a figure of a result; `more` is what its kind takes beside what to fold."""
    if not values.figure:
        return
    if values.top is not None:
        more["top"] = values.top
    if values.show is not None:
        more["show"] = known_names(values.show, getattr(result, "algorithms", ()))
    save(result.figure(getattr(values, "figure_kind", None), **more), values)
