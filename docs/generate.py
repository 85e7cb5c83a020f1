"""Write the pages that are made from records to docs/generated: methods, commands, caveats and the Python reference.

`docs/conf.py` calls this before Sphinx reads the sources. Nothing here is written by hand, so nothing can be out of
date; `tests/test_documented.py` fails where a public name has no place.
"""

from __future__ import annotations

import ast
import csv
import importlib
import inspect
import shutil
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tiebreak.caveats import CODES
from tiebreak.cli.parsing import help_of
from tiebreak.methods import METHODS, Method
from tiebreak.papers import paper
from tiebreak.verbs import VERBS, Option, Verb, every_verb

OUT = Path(__file__).parent / "generated"

KINDS = {
    "omnibus": "Do any algorithms differ?",
    "pairs": "Which pairs differ?",
    "posthoc": "Pairs after an omnibus test",
    "correction": "Corrections for many comparisons",
    "folds": "Two algorithms on one data set",
    "items": "Models on the same items",
    "measures": "Several measures at once",
    "bayes": "Bayesian tests",
    "premise": "Checks of assumptions",
    "size": "Effect sizes and intervals",
    "planning": "Power and sample size",
    "distribution": "Distributions",
    "ordering": "Ordering by score and cost",
    "ranking": "Recommending from past results",
}
"""Every kind of method with its heading, in the order of the site."""

TAKES = {
    "ranks": "ranks within data sets",
    "errors": "scores",
    "gapped errors": "scores, some of them missing",
    "paired scores": "the scores of two algorithms on the same data sets",
    "paired folds": "fold scores of all data sets",
}
KEEPS = {
    "each test": "each test keeps its error rate at alpha",
    "any test": "the probability of any false rejection is at most alpha (family-wise error rate)",
    "any test if none is real": "the family-wise error rate is at most alpha only if no difference is real",
    "share": "the expected share of false rejections is at most alpha (false discovery rate)",
    "nothing": "none: it does not test",
}

TOPICS: dict[str, tuple[str, tuple[str, ...]]] = {
    "functions": ("Functions of the package", ("tiebreak",)),
    "two-algorithms": ("Tests of two algorithms", ("tiebreak.stats.two", "tiebreak.stats.results")),
    "many-algorithms": ("Tests of many algorithms", ("tiebreak.stats.many",)),
    "corrections": ("Corrections for many comparisons", ("tiebreak.stats.adjust",)),
    "folds": ("Tests on the folds of one data set", ("tiebreak.stats.folds",)),
    "items": ("Models on the same items", ("tiebreak.stats.items", "tiebreak.evals", "tiebreak.readers.logs")),
    "bayes": ("Bayesian tests", ("tiebreak.stats.bayes",)),
    "effect": ("Effect sizes, intervals and power", ("tiebreak.stats.effect",)),
    "several-measures": ("Several measures", ("tiebreak.stats.multivariate", "tiebreak.multivariate_tests")),
    "numeric": ("Ranks and distributions", ("tiebreak.stats.numeric",)),
    "ordering": ("Comparing and ordering", ("tiebreak.comparison", "tiebreak.ordering", "tiebreak.checking")),
    "tables": ("Tables of results", ("tiebreak.results", "tiebreak.readers", "tiebreak.datasets")),
    "lab": ("Running experiments", ("tiebreak.lab", "tiebreak.stores")),
    "advisor": ("Recommending", ("tiebreak.advisor", "tiebreak.attributes")),
    "figures": ("Figures and reports", ("tiebreak.figures", "tiebreak.reporting")),
    "studies": ("Published studies", ("tiebreak.studies",)),
    "records": ("Methods, papers and caveats", ("tiebreak.methods", "tiebreak.papers", "tiebreak.caveats")),
}
"""Topics of the Python reference: the file, its heading, and the packages whose names it lists."""

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
    "tiebreak.readers.logs",
    "tiebreak.datasets",
    "tiebreak.stores",
    "tiebreak.attributes",
    "tiebreak.lab",
    "tiebreak.advisor",
)
"""The modules whose names are public; those of `tiebreak` come first and are listed under it alone."""

INTERNAL = (
    "tiebreak.advisor.pilot",
    "tiebreak.advisor.rankings",
    "tiebreak.documents",
    "tiebreak.lab.algorithms",
    "tiebreak.studies.papers",
)
"""Packages that list names for other packages of Tiebreak alone."""


def public() -> Iterator[tuple[str, str, object]]:
    """Yield every public name once, as module, name and object."""
    seen: set[int] = set()
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        names = getattr(module, "__all__", None) or [
            name for name, value in vars(module).items() if getattr(value, "__module__", "") == module_name
        ]
        for name in names:
            value = getattr(module, name)
            if name.startswith("_") or id(value) in seen:
                continue
            seen.add(id(value))
            yield module_name, name, value


STABLE = ("tiebreak", "tiebreak.stats", "tiebreak.stats.multivariate")
"""Modules that are frozen at 1.0; what others alone export may change in a minor release, as their docstrings say."""


def topic_of(module: str, value: object) -> str:
    """Return the topic of a name: by where it is exported, for `tiebreak.stats` by the file that defines it."""
    home = getattr(value, "__module__", "") if module == "tiebreak.stats" else module
    matching = [
        (len(prefix), topic)
        for topic, (_, prefixes) in TOPICS.items()
        for prefix in prefixes
        if f"{home}.".startswith(f"{prefix}.")
    ]
    return max(matching, default=(0, "two-algorithms" if module == "tiebreak.stats" else ""))[1]


def summary(value: object) -> str:
    """Return the first sentence of a docstring."""
    if not (inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value)):
        return ""
    first = (inspect.getdoc(value) or "").split("\n\n")[0]
    return " ".join(first.split())


def write(path: str, text: str) -> None:
    """Write a page where it has changed, so that a second build reads only what is new."""
    place = OUT / path
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists() or place.read_text(encoding="utf-8") != text:
        place.write_text(text, encoding="utf-8")
    WRITTEN.add(place)


WRITTEN: set[Path] = set()


def toctree(entries: Iterable[str], depth: int = 1) -> str:
    """Write a table of contents that stands in the sidebar alone."""
    return "\n".join(["```{toctree}", ":hidden:", f":maxdepth: {depth}", "", *entries, "```", ""])


def python_reference() -> None:
    """Write a page for every public name, and one for every topic that lists them.

    Pages of single names and methods stand in no table of contents: it would be copied into each of 500 pages.
    """
    listed: dict[str, list[tuple[str, str, str]]] = {topic: [] for topic in TOPICS}
    for module, name, value in public():
        dotted = f"{module}.{name}"
        if inspect.ismodule(value):
            continue
        kind = "class" if inspect.isclass(value) else "function" if inspect.isroutine(value) else "data"
        title = dotted.removeprefix("tiebreak.") if module != "tiebreak" else dotted
        options = {"class": "   :members:\n", "data": "   :no-value:\n"}.get(kind, "")
        topic = topic_of(module, value)
        above = f":doc:`Python reference <index>` > :doc:`{TOPICS[topic][0]} <{topic}>`"
        note = "" if module in STABLE else ".. note:: Experimental: it may change in a minor release.\n\n"
        text = f":orphan:\n\n{title}\n{'=' * len(title)}\n\n{above}\n\n{note}.. auto{kind}:: {dotted}\n{options}"
        write(f"python/{dotted}.rst", text)
        listed[topic].append((dotted, name, summary(value)))
    for topic, (heading, _) in TOPICS.items():
        rows = [f"* - :doc:`{name} <{dotted}>`\n     - {text}" for dotted, name, text in listed[topic]]
        body = "\n   ".join(rows)
        table = f".. list-table::\n   :widths: 30 70\n\n   {body}\n"
        write(f"python/{topic}.rst", f"{heading}\n{'=' * len(heading)}\n\n{table}")
    write(
        "python/index.md",
        "# Python reference\n\n"
        "`import tiebreak as tb`. Every verb of the command line is a function of the same name; `tb.stats` takes"
        " arrays.\n\n"
        + "\n".join(f"- [{heading}]({topic}.rst)" for topic, (heading, _) in TOPICS.items())
        + "\n\n"
        + toctree(TOPICS),
    )


def methods() -> None:
    """Write a page for every method, and one for every kind."""
    index = []
    for kind, heading in KINDS.items():
        of_kind = [method for method in METHODS if method.kind == kind]
        pages = {f"{kind}-{slug(method)}": method for method in of_kind}
        for name, method in pages.items():
            write(f"methods/{name}.md", method_page(method, [paper(key).reference for key in method.papers]))
        lines = [f"# {heading}", "", "| method | question | guarantee |", "|---|---|---|"]
        lines += [
            f"| [{title(method)}]({name}.md) | {method.question} | {KEEPS[method.promise.keeps].split(' (')[0]} |"
            for name, method in pages.items()
        ]
        write(f"methods/{kind}.md", "\n".join([*lines, ""]))
        index.append(f"- [{heading}]({kind}.md): {', '.join(dict.fromkeys(method.name for method in of_kind))}")
    write("methods/index.md", "\n".join(["# All methods", "", *index, "", toctree(KINDS)]))


def title(method: Method) -> str:
    """Return the heading of a method: its name, and what it follows where that decides."""
    return f"{method.name} after {method.follows[0]}" if method.follows and method.kind == "pairs" else method.name


def slug(method: Method) -> str:
    """Return the name of the file of a method."""
    return title(method).replace(" ", "-").replace("/", "-")


def method_page(method: Method, references: list[str]) -> str:
    """Write what the record of a method states, and the documentation of its function."""
    promise = method.promise
    above = f"[All methods](index.md) > [{KINDS[method.kind]}]({method.kind}.md)"
    lines = ["---", "orphan: true", "---", f"# {title(method)}", "", above, "", f"**{method.question}**", ""]
    lines += ["| | |", "|---|---|", f"| computed from | {TAKES.get(method.takes, method.takes)} |"]
    lines += [f"| assumptions | {promise.premises} |", f"| guarantee | {KEEPS[promise.keeps]} |"]
    if method.verbs:
        lines += [f"| offered by | {', '.join(f'`tiebreak {verb}`' for verb in method.verbs)} |"]
    if method.follows:
        lines += [f"| after | {', '.join(method.follows)} |"]
    measured = measured_rates(method)
    if measured:
        low, high = min(measured), max(measured)
        lines += [
            f"| measured error rate at level 0.05 | {low:.3f} to {high:.3f} in {len(measured)} simulations in which its"
            " assumptions hold ([error rates](../../error-rates.md)) |"
        ]
    if method.functions:
        main, *others = method.functions
        lines += [
            "",
            "## Function",
            "",
            "```{eval-rst}",
            f".. autofunction:: {method.home}.{main}",
            "   :no-index:",
            "```",
        ]
        lines += ["", "See also " + ", ".join(f"`{name}`" for name in others) + "."] if others else []
    papers = ["", "## Papers", "", *(f"- {text}" for text in references)] if references else []
    return "\n".join([*lines, *papers, ""])


@cache
def error_rates() -> list[dict[str, str]]:
    """Return the measured error rates, a record for every procedure and setting."""
    with (Path(__file__).parent / "error-rates.csv").open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["measure"] == "family-wise error"]


def measured_rates(method: Method) -> list[float]:
    """Return the error rates of a method where it promises one; of a correction, with every test that it corrects."""
    label = method.label or method.name

    def by_this(procedure: str) -> bool:
        test, _, correction = procedure.partition(", ")
        if method.kind == "correction":
            return correction == label
        return procedure == label or (test == label and correction != "none")

    return [float(row["rate"]) for row in error_rates() if row["promised"] == "yes" and by_this(row["procedure"])]


def commands() -> None:
    """Write a page for every verb and study, from the records that the command line is built from."""
    verbs = list(every_verb())
    for verb in verbs:
        lines = [f"# tiebreak {verb.name}", "", f"{verb.description}", ""]
        lines += ["```text", f"tiebreak {verb.name} {verb.takes} [OPTIONS]".replace("  ", " "), "```", ""]
        if verb.examples:
            lines += [
                "## Examples",
                "",
                "```text",
                *(f"tiebreak {verb.name} {words}" for words in verb.examples),
                "```",
                "",
            ]
        for group in dict.fromkeys(option.group for option in verb.options if option.cli):
            rows = [option_row(option) for option in verb.options if option.cli and option.group == group]
            lines += [f"## Options: {group}", "", "| option | default | meaning |", "|---|---|---|", *rows, ""]
        lines += column_table(verb)
        if verb.function:
            lines += [f"Python: `{verb.function}`.", ""]
        write(f"commands/{verb.name.replace(' ', '-')}.md", "\n".join(lines))
    names = [verb.name.replace(" ", "-") for verb in verbs]
    rows = [f"| [`tiebreak {verb.name}`]({name}.md) | {verb.help} |" for verb, name in zip(verbs, names, strict=True)]
    text = ["# Commands", "", f"{len(VERBS)} verbs. Options in bold are those that `--help` shows; `--help-all` shows"]
    text += ["every one.", "", "| command | what it does |", "|---|---|", *rows, "", toctree(names)]
    write("commands/index.md", "\n".join(text))


def column_table(verb: Verb) -> list[str]:
    """Write the columns of the tables of a verb: of `rows()` and data frames, and as they are printed."""
    if not verb.columns:
        return []
    where = {"default": "always", "full": "`--full`", "rows": "never"}
    rows = [
        f"| `{column.name}` | {column.heading or column.name} | {where[column.shown]} | {column.help} |"
        for column in verb.columns
    ]
    text = "Words in braces stand for names from your table. Columns without a name are only printed."
    head = "| in `rows()` and data frames | heading | printed | meaning |"
    return ["## Columns", "", text, "", head, "|---|---|---|---|", *(row.replace("| `` |", "| |") for row in rows), ""]


def option_row(option: Option) -> str:
    """Write an option as a row of a table."""
    flags = ", ".join(filter(None, (option.short, option.flag))) or option.metavar or option.name
    value = f" {option.metavar}" if option.flag and option.metavar else ""
    name = f"`{flags}{value}`".replace("|", "\\|")
    shown = option.initial
    default = "" if shown in (None, False, []) else f"`{shown}`"
    text = help_of(option).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
    return f"| {f'**{name}**' if option.common else name} | {default} | {text} |"


def caveats() -> None:
    """Write the table of the codes of caveats."""
    lines = ["# Codes of caveats", ""]
    lines += [
        "Every caveat of a result carries a code, in `caveat_codes` of the JSON and in `caveats` of Python results."
    ]
    lines += ["", "| code | meaning |", "|---|---|", *(f"| `{code}` | {text} |" for code, text in CODES.items()), ""]
    write("caveats.md", "\n".join(lines))


def gallery() -> None:
    """Write every figure of `docs/figures/make.py` with the code that makes it."""
    source = (Path(__file__).parent / "figures" / "make.py").read_text(encoding="utf-8")
    function = next(node for node in ast.parse(source).body if getattr(node, "name", "") == "gallery")
    assert isinstance(function, ast.FunctionDef)
    *setup, last = function.body
    assert isinstance(last, ast.Return) and isinstance(last.value, ast.Dict)
    lines = [
        "# Gallery",
        "",
        "Every figure with its code. [Figures](../figures.md) explains sizes, themes and formats. All begin with",
        "",
    ]
    lines += [
        "```python",
        "import tiebreak as tb",
        "from tiebreak import figures",
        "from tiebreak.studies import replicability",
        *(ast.unparse(node) for node in setup),
        "```",
        "",
        "`invented()` draws counts of 20 folds (`docs/figures/make.py`).",
        "",
    ]
    for key, value in zip(last.value.keys, last.value.values, strict=True):
        name = ast.literal_eval(key) if key else ""
        heading = name.replace("-", " ").capitalize()
        code = f'{ast.unparse(value)}.save("{name}.svg")'
        lines += [f"## {heading}", "", "```python", code, "```", "", f"![{heading}](../figures/{name}.svg)", ""]
    write("gallery.md", "\n".join(lines))


def main() -> None:
    """Write all pages; delete those of names that are gone."""
    WRITTEN.clear()
    python_reference()
    methods()
    commands()
    caveats()
    gallery()
    for path in OUT.rglob("*.*"):
        if path not in WRITTEN:
            path.unlink()


if __name__ == "__main__":
    shutil.rmtree(OUT, ignore_errors=True)
    main()
