"""Uploads that mean no good, or look as if they did: each with what may come of it."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass

WIDE = "dataset,svm,tree,bayes\n" + "".join(f"d{i},0.{80 + i},0.{70 + i},0.{60 + i}\n" for i in range(9))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """An upload: its name at the client, its bytes, the statuses that are right, and which verb reads it."""

    name: str
    data: Callable[[], bytes]
    statuses: tuple[int, ...] = (422,)
    says: str = ""
    verb: str = "compare"


def _table(**names: str) -> bytes:
    text = WIDE
    for old, new in names.items():
        text = text.replace(old, new)
    return text.encode()


def _zip(members: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default'
    ' Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override'
    ' PartName="/xl/workbook.xml"'
    ' ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml"'
    ' ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>'
)
_RELS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}"'
    ' Target="{target}"/></Relationships>'
)
_BOOK = (
    '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
    '<sheet name="s" sheetId="1" r:id="rId1"/></sheets></workbook>'
)


def _xlsx(sheet: bytes) -> bytes:
    return _zip(
        {
            "[Content_Types].xml": _TYPES.encode(),
            "_rels/.rels": _RELS.format(kind="officeDocument", target="xl/workbook.xml").encode(),
            "xl/workbook.xml": _BOOK.encode(),
            "xl/_rels/workbook.xml.rels": _RELS.format(kind="worksheet", target="worksheets/sheet1.xml").encode(),
            "xl/worksheets/sheet1.xml": sheet,
        }
    )


_SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData></worksheet>'


def _bomb() -> bytes:
    """A workbook whose sheet unpacks to 102 MB."""
    return _xlsx(_SHEET % (b'<row r="1"><c r="A1" t="inlineStr"><is><t>' + b" " * 102_000_000 + b"</t></is></c></row>"))


def _ods() -> bytes:
    """A spreadsheet of LibreOffice whose content unpacks to 102 MB."""
    kind = b"application/vnd.oasis.opendocument.spreadsheet"
    return _zip({"mimetype": kind, "content.xml": b"<office:document-content>" + b" " * 102_000_000})


def _far_cell() -> bytes:
    """A workbook with two cells, one of them in the last row and column: a grid of 17 thousand million."""
    return _xlsx(
        _SHEET % b'<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    )


def _entities() -> bytes:
    """Nine levels of entities, each ten of the one below."""
    levels = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    head = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{levels}]>'
    return _xlsx(head.encode() + _SHEET % b'<row r="1"><c r="A1" t="inlineStr"><is><t>&l9;</t></is></c></row>')


def _outside() -> bytes:
    head = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    return _xlsx(head + _SHEET % b'<row r="1"><c r="A1" t="inlineStr"><is><t>&f;</t></is></c></row>')


def _lying_size() -> bytes:
    """An archive whose directory says that its member is small, and which is not."""
    raw = bytearray(_zip({"t.csv": WIDE.encode() + b"#" * 102_000_000}))
    place = raw.rfind(b"PK\x01\x02")
    raw[place + 24 : place + 28] = struct.pack("<I", 100)
    return bytes(raw)


class _Evil:
    def __reduce__(self) -> tuple[object, ...]:
        import os

        return os.system, ("touch /tmp/tiebreak-was-here",)


_LOG = b'{"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "samples": %s}'
_VOTES = "model_a,model_b,winner\n" + "a,b,model_a\nb,c,tie\nc,a,model_a\na,b,model_b\nb,c,model_b\n" * 9
_BOARD = b"- dirname: x\n  model: %s\n  test_cases: 10\n  pass_rate_1: 10.0\n  pass_rate_2: 20.0\n"


def _lying_log() -> bytes:
    """A log in an archive whose one sample unpacks to 102 MB of blanks."""
    head = {"header.json": b'{"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}'}
    return _zip(head | {"samples/1_epoch_1.json": b" " * 102_000_000})


def _png() -> bytes:
    return b"\x89PNG\r\n\x1a\n" + zlib.compress(b"\0" * 5000)


CASES: dict[str, Hostile] = {
    "zip bomb in xlsx": Hostile(name="a.xlsx", data=_bomb),
    "far cell in xlsx": Hostile(name="a.xlsx", data=_far_cell),
    "entities in xlsx": Hostile(name="a.xlsx", data=_entities),
    "outside entity in xlsx": Hostile(name="a.xlsx", data=_outside),
    "broken zip": Hostile(name="a.xlsx", data=lambda: _xlsx(_SHEET % b"")[:200]),
    "xlsx that is text": Hostile(name="a.xlsx", data=_table, statuses=(200, 422)),
    "zip in zip in zip": Hostile(name="a.zip", data=lambda: _zip({"b.zip": _zip({"c.zip": _zip({"t.csv": b"1"})})})),
    "zip with a lying size": Hostile(name="a.zip", data=_lying_size),
    "zip with traversal": Hostile(name="a.zip", data=lambda: _zip({"../../../../tmp/x.csv": _table()}),
                                  statuses=(200, 422)),
    "gzip bomb": Hostile(name="a.csv.gz", data=lambda: gzip.compress(b"0" * 102_000_000)),
    "gzip bomb in gzip": Hostile(name="a.csv.gz", data=lambda: gzip.compress(gzip.compress(b"0" * 102_000_000))),
    "zip bomb in ods": Hostile(name="a.ods", data=_ods),
    "gzip that breaks off": Hostile(name="a.csv.gz", data=lambda: gzip.compress(_table())[:60]),
    "a million columns": Hostile(name="a.csv", data=lambda: b"," * 1_000_000 + b"\n1\n"),
    "a million rows": Hostile(name="a.csv", data=lambda: b"d,a\n" + b"1,2\n" * 600_000),
    "larger than is let in": Hostile(name="a.csv", data=lambda: b"x" * 4_000_000, statuses=(413,), says="MB"),
    "nothing": Hostile(name="a.csv", data=lambda: b"", says="empty"),
    "blanks": Hostile(name="a.csv", data=lambda: b" \n\n  \n"),
    "NUL bytes": Hostile(name="a.csv", data=lambda: _table().replace(b"d1", b"d\0\0"), statuses=(200, 422)),
    "only NUL bytes": Hostile(name="a.csv", data=lambda: b"\0" * 100_000),
    "random bytes": Hostile(name="a.csv", data=lambda: bytes((i * i * 7919 + 13 * i) % 256 for i in range(50_000))),
    "latin-1": Hostile(name="a.csv", data=lambda: _table(svm="m\u00e9thode").decode().encode("latin-1"),
                       statuses=(200, 422)),
    "utf-16": Hostile(name="a.csv", data=lambda: _table().decode().encode("utf-16"), statuses=(200, 422)),
    "script in names": Hostile(name="a.csv", data=lambda: _table(svm="<script>alert(1)</script>"), statuses=(200,)),
    "script in the name of the file": Hostile(name="<img src=x onerror=alert(1)>.csv", data=_table, statuses=(200,)),
    "traversal in the name of the file": Hostile(name="../../../../etc/cron.d/x.csv", data=_table, statuses=(200,)),
    "a name that is absolute": Hostile(name="/etc/passwd", data=_table, statuses=(200, 422)),
    "a name like an option": Hostile(name="--store=x.db.csv", data=_table, statuses=(200,)),
    "a name of a store": Hostile(name="results.db", data=lambda: b"SQLite format 3\0" + b"\0" * 2000),
    "formula cells": Hostile(name="a.csv", data=lambda: _table(d1="=cmd|' /C calc'!A0", svm="@sum"), statuses=(200,)),
    "pickle": Hostile(name="a.pkl", data=lambda: pickle.dumps(_Evil())),
    "pickle as parquet": Hostile(name="a.parquet", data=lambda: pickle.dumps(_Evil())),
    "parquet that breaks off": Hostile(name="a.parquet", data=lambda: b"PAR1" + b"\xff" * 500 + b"PAR1"),
    "deep JSON": Hostile(name="a.json", data=lambda: b"[" * 200_000 + b"]" * 200_000),
    "wide JSON": Hostile(name="a.json", data=lambda: json.dumps({str(i): {} for i in range(5_000)}).encode()),
    "JSON with NaN and huge numbers": Hostile(name="a.json", data=lambda: b'[{"dataset":"a","algorithm":"b",'
                                              b'"auc":NaN},{"dataset":"a","algorithm":"c","auc":1e999}]'),
    "a number of many digits": Hostile(name="a.json", data=lambda: b'{"a":{"b":' + b"9" * 50_000 + b"}}"),
    "LaTeX that takes in other files": Hostile(name="a.tex", data=lambda: rb"\begin{tabular}{ll}\input{/etc/passwd}"
                                               rb"\\ a & 1 \\ \end{tabular}"),
    "LaTeX with a loop": Hostile(name="a.tex", data=lambda: rb"\def\x{\x\x}" + rb"\begin{tabular}{l}" * 3000),
    "HTML with a deep table": Hostile(name="a.html", data=lambda: b"<table><tr><td>" * 5_000),
    "a quote that never closes": Hostile(name="a.csv", data=lambda: b'dataset,a,b\n"' + b"x,1,2\n" * 200_000),
    "a line without an end": Hostile(name="a.csv", data=lambda: b"x" * 2_900_000),
    "a picture": Hostile(name="a.png", data=_png),
    "names of many marks": Hostile(name="a.csv", data=lambda: _table(svm="\u202e\u0301" * 5000), statuses=(200, 422)),
    "one name, very long": Hostile(name="a.csv", data=lambda: _table(svm="s" * 1_000_000), statuses=(200, 422)),
    "spreadsheet of the web": Hostile(name="a.md", data=lambda: b"|" * 1_000_000 + b"\n|-|\n|1|"),
    "zip bomb as a log": Hostile(name="a.eval", data=_lying_log),
    "a log with traversal": Hostile(name="a.eval", data=lambda: _zip({"../../../tmp/header.json": _LOG % b"[]"})),
    "a log that breaks off": Hostile(name="a.eval", data=lambda: _zip({"header.json": _LOG % b"[]"})[:90]),
    "pickle as a log": Hostile(name="a.eval", data=lambda: pickle.dumps(_Evil())),
    "a log of deep lists": Hostile(name="a.json", data=lambda: _LOG % (b"[" * 100_000 + b"]" * 100_000)),
    "a log with scores that are none": Hostile(name="a.json", data=lambda: _LOG % (
        b'[{"id": {}, "epoch": "x", "scores": [1], "model_usage": 3}]')),
    "lines of JSON without end": Hostile(name="a.jsonl", data=lambda: b'{"doc_id":1,"doc":{}}\n' * 100_000),
    "yaml that makes objects": Hostile(name="a.yml", data=lambda: _BOARD % (
        b'!!python/object/apply:os.system ["touch /tmp/tiebreak-was-here"]')),
    "yaml of anchors": Hostile(name="a.yaml", data=lambda: b"a: &a [x,x]\nb: &b [*a,*a]\n- pass_rate_1: [*b,*b]\n"),
    "votes with scripts": Hostile(name="<b>.csv", data=lambda: _VOTES.replace("a,", "<script>x</script>,").encode(),
                                  statuses=(200, 422), verb="battles"),
    "votes of a million columns": Hostile(name="v.csv", data=lambda: b"winner" + b",a" * 1_000_000,
                                          verb="battles"),
    "votes that are a picture": Hostile(name="v.csv", data=_png, verb="battles"),
    "a gate of a picture": Hostile(name="g.csv", data=_png, verb="gate"),
    "a gate of a million columns": Hostile(name="g.csv", data=lambda: b"," * 1_000_000 + b"\n1\n",
                                           verb="gate"),
    "a gate of deep JSON": Hostile(name="g.json", data=lambda: b"[" * 200_000 + b"]" * 200_000, verb="gate"),
    "a gate with a zip bomb": Hostile(name="g.xlsx", data=_bomb, verb="gate"),
    "a board of scripts": Hostile(name="b.csv", data=lambda: _table(svm="</script><script>alert(1)</script>"),
                                  statuses=(200,), verb="board"),
    "a board of pickles": Hostile(name="b.pkl", data=lambda: pickle.dumps(_Evil()), verb="board"),
    "a board with names of many marks": Hostile(name="b.csv", data=lambda: _table(svm="../../\u202e" * 500),
                                                statuses=(200, 422), verb="board"),
    "votes without end": Hostile(name="v.csv", data=lambda: b"model_a,model_b,winner\n" + b"a,b,a\n" * 300_000,
                                 verb="battles"),
    "votes of ever new names": Hostile(name="v.csv", statuses=(200, 422), verb="battles", data=lambda: (
        "model_a,model_b,winner\n" + "".join(f"m{k},m{k + 1},m{k}\n" for k in range(15_000))).encode()),
    "votes in deep JSON": Hostile(name="v.json", data=lambda: b"[" * 200_000 + b"]" * 200_000, verb="battles"),
    "items of huge numbers": Hostile(name="i.csv", data=lambda: b"model,item,auc\na,1,1e300\na,2,nan\nb,1,inf\n",
                                     verb="power"),
    "arff with a script": Hostile(name="a.arff", data=lambda: b"@relation <script>\n@attribute a {" + b"x," * 90_000),
}  # fmt: skip
