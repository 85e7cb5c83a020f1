"""Papers as data: every work is complete, cited somewhere, and printed from its one record."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import tiebreak
from tiebreak.methods import METHODS
from tiebreak.papers import bibtex, cite_in, keys, paper

from .every import every

NEEDED = {
    "article": {"author", "title", "journal", "volume", "year"},
    "book": {"author", "title", "publisher", "year"},
    "incollection": {"author", "title", "booktitle", "publisher", "year"},
    "inproceedings": {"author", "title", "booktitle", "pages", "year"},
    "misc": {"author", "title", "year"},
    "phdthesis": {"author", "title", "school", "year"},
    "techreport": {"author", "title", "institution", "year"},
}
PLACES = (Path(tiebreak.__file__).parent, Path(__file__).parent.parent / "tools" / "knowledge")
SOURCE = "\n".join(path.read_text(encoding="utf-8") for place in PLACES for path in place.rglob("*.py"))
WORDS = set(re.findall(r"\w+", SOURCE))


@every("key", keys())
def test_every_work_is_complete(key: str) -> None:
    work = paper(key)
    assert set(work.fields) >= NEEDED[work.kind]
    assert key.endswith(work.fields["year"])
    assert f"({work.fields['year']})" in work.short and f"({work.fields['year']})" in work.reference
    assert ("doi:" in work.reference) == ("doi" in work.fields) == (not work.reference.endswith("(no DOI)"))
    assert not re.search(r"[\\{}$]", work.short + work.reference)


@every("key", keys())
def test_every_work_is_cited_by_the_code(key: str) -> None:
    assert key in WORDS, "a record that nothing cites"


def test_each_author_has_one_comma() -> None:
    for key in keys():
        for author in paper(key).fields["author"].split(" and "):
            assert author.count(",") == (0 if author in ("Student", "others") else 1), key


def test_no_doi_is_written_outside_the_records() -> None:
    rest = "\n".join(line for line in SOURCE.splitlines() if "10." in line)
    for key in keys():  # examples in docstrings show what is printed
        rest = rest.replace(paper(key).short, "").replace(paper(key).reference, "")
    assert not re.findall(r"doi:10\.\S+|10\.\d{4,}/\S+", rest)


def test_names_are_printed_in_plain_letters_and_cited_in_their_own() -> None:
    assert paper("ulas2012").short == "Ulas, Yildiz and Alpaydin (2012), doi:10.1016/j.patcog.2011.10.005"
    entry = paper("ulas2012").bibtex
    assert r"author = {Ula{\c{s}}, Ayd{\i}n and Y{\i}ld{\i}z, Olcay Taner and Alpayd{\i}n, Ethem}," in entry
    assert entry.startswith("@article{ulas2012,\n")
    assert bibtex(["holm1979", "li2008", "holm1979"]).count("@article") == 2


def test_docstrings_write_out_what_they_cite() -> None:
    assert "Friedman, M. (1937)." in (tiebreak.stats.friedman.__doc__ or "")
    assert cite_in("no references") == "no references" and cite_in(None) is None


def test_every_key_of_a_record_is_known() -> None:
    assert {key for method in METHODS for key in method.papers} <= set(keys())


@pytest.mark.skipif(shutil.which("bibtex") is None, reason="no bibtex on the PATH: install TeX Live")
def test_bibtex_reads_the_entries(tmp_path: Path) -> None:
    (tmp_path / "p.bib").write_text(bibtex(keys()), encoding="ascii")
    (tmp_path / "p.aux").write_text("\\citation{*}\n\\bibstyle{plain}\n\\bibdata{p}\n")
    done = subprocess.run(["bibtex", "p"], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0 and "warning" not in done.stdout.lower(), done.stdout
    assert (tmp_path / "p.bbl").read_text().count(r"\bibitem") == len(keys())
