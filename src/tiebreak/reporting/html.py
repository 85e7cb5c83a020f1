"""A report as one self-contained page: nothing is loaded from elsewhere, light and dark, fit for print and phone."""

from __future__ import annotations

from tiebreak.documents import Table, html_table, safe
from tiebreak.documents.writing import DECIDED, code_html
from tiebreak.papers import bibtex
from tiebreak.reporting._report import LIMITS, Drawn, Part, Report

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --soft: #57606a; --line: #d0d7de; --band: #f6f8fa;
  --issue: #a40e26; --tip: #7a4b00; --passed: #116329; --link: #0550ae }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #9da7b1; --line: #30363d;
  --band: #161b22; --issue: #ff9492; --tip: #f0b72f; --passed: #6bd27c; --link: #79c0ff } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.6rem; line-height: 1.25 }
h2 { border-top: 1px solid var(--line); padding-top: 1.2rem; margin-top: 2.2rem }
a { color: var(--link) } .skip { position: absolute; left: -99rem } .skip:focus { left: 1rem; background: var(--paper) }
.answer { background: var(--band); border-left: 4px solid var(--link); padding: .6rem 1rem }
.wide { overflow-x: auto }
.wide:focus-visible, a:focus-visible, summary:focus-visible { outline: 3px solid var(--link) }
table { border-collapse: collapse; margin: .4rem 0; font-variant-numeric: tabular-nums }
caption { text-align: left; color: var(--soft); padding: .2rem 0 }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top }
th.text, td.text { text-align: left } thead th { border-bottom: 2px solid var(--line) }
figure { margin: 1rem 0 } figcaption { color: var(--soft) }
figure svg { width: 44rem; height: auto; background: #ffffff }
.issue b { color: var(--issue) } .tip b { color: var(--tip) } .passed b { color: var(--passed) }
pre { overflow-x: auto; background: var(--band); padding: .8rem; font-size: .85rem }
nav ul { padding-left: 1.2rem } li, p, h1, h2 { overflow-wrap: anywhere }
td, th { white-space: nowrap } td.text + td.text { min-width: 12rem }
td.text { white-space: normal; max-width: 30rem; overflow-wrap: break-word }
@media print { .skip, nav { display: none } figure svg { width: 100% } body { font-size: 11pt }
  h2 { break-after: avoid } figure, tr { break-inside: avoid } thead { display: table-header-group }
  .wide, pre { overflow: visible } pre { white-space: pre-wrap } th { white-space: normal }
  details::details-content { content-visibility: visible; display: block; height: auto } }
"""
MOST_OPEN = 12
"""Longer tables are folded away until they are asked for."""


def to_html(report: Report) -> str:
    """Write the page."""
    parts = "".join(_part(part, number) for number, part in enumerate(report.parts, start=1))
    links = "".join(
        f'<li><a href="#part{number}">{safe(part.heading)}</a></li>'
        for number, part in enumerate(report.parts, start=1)
    )
    versions = ", ".join(f"{safe(name)} {safe(version)}" for name, version in report.versions)
    seed = "" if report.seed is None else f" Seed {report.seed}."
    papers, entries = report.references(), _safe_lines(bibtex(report.papers()))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{safe(report.name)}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#main">Skip to the report</a>\n'
        f'<header><h1>{safe(report.name)}</h1><nav aria-label="Parts"><ul>{links}</ul></nav></header>\n'
        f'<main id="main">\n{parts}'
        f"<h2>Papers to cite</h2>{_list(papers)}<details><summary>BibTeX</summary>"
        f'<pre tabindex="0" role="region" aria-label="BibTeX">{entries}</pre></details>\n</main>\n'
        f"<footer><p>Made with {versions}.{seed}</p></footer>\n</body>\n</html>"
    )


def _safe_lines(text: str) -> str:
    return "\n".join(safe(line) for line in text.split("\n"))


def _list(items: tuple[str, ...]) -> str:
    return f"<ul>{''.join(f'<li>{safe(item)}</li>' for item in items)}</ul>" if items else "<p>None.</p>"


def _part(part: Part, number: int) -> str:
    """The answer comes first, then what decided it and its limits; the method, for a paper, last."""
    answer = "".join(f"<p>{safe(sentence)}</p>" for sentence in part.answer)
    pictures = "".join(_picture(picture) for picture in part.pictures)
    tables = "".join(_table(table, answers=not i and not pictures) for i, table in enumerate(part.tables))
    checks = "".join(
        f'<li class="{check.kind}" value="{check.number}"><b>{check.kind}</b> {safe(check.text)}</li>'
        for check in part.checks
    )
    method, notes = ("".join(f"<p>{safe(each)}</p>" for each in said) for said in (part.method, part.document.notes))
    return (
        f'<section aria-labelledby="part{number}"><h2 id="part{number}">{safe(part.heading)}</h2>'
        f'<p>{safe(part.subject)}</p><div class="answer">{answer}</div>{pictures}{tables}{notes}'
        f"{code_html(part.document)}"
        f"<h3>{DECIDED}</h3>{_list(part.decided)}"
        f"<h3>{LIMITS}</h3>{_list(part.limits)}{f'<h3>Checks</h3><ol>{checks}</ol>' if checks else ''}"
        f"<h3>Method, for a paper</h3>{method}</section>\n"
    )


def _picture(picture: Drawn) -> str:
    """A wide figure scrolls inside its frame, which the keyboard can reach."""
    drawn = picture.figure.to_svg(notes=False)
    return (
        f'<figure><div class="wide" tabindex="0" role="region" aria-label="{safe(picture.name)}">{drawn}</div>'
        f"<figcaption>{safe(picture.caption)}</figcaption></figure>"
    )


def _table(table: Table, *, answers: bool) -> str:
    """Write a table; a long one is folded away until it is asked for, unless it is all there is to see."""
    written = html_table(table.header, table.body, texts=table.words, caption=table.caption)
    if answers or len(table.body) <= MOST_OPEN:
        return written
    return f"<details><summary>{safe(table.caption)} ({len(table.body)} rows)</summary>{written}</details>"
