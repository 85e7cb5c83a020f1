"""What logs should not be and are: cut off, broken, packed to burst, mixed, of no tool, oddly named."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.readers.explaining import explain
from tiebreak.readers.logs import holds_logs
from tiebreak.readers.logs.common import most_held, unpacked

from ...every import every
from .rows import column

LINE = {
    "doc_id": 0,
    "doc": {"q": "?"},
    "target": "1",
    "resps": [["1"]],
    "filter": "none",
    "metrics": ["acc"],
    "acc": 1.0,
}


def lines(path: Path, *rows: Any, end: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + end)
    return path


def report(folder: Path, model: str, good: int, of: int = 4) -> Path:
    names = [f"a__b-{i}" for i in range(of)]
    path = folder / f"{model}.run1.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"submitted_ids": names, "resolved_ids": names[:good]}))
    return path


def test_a_last_line_that_breaks_off_is_said_and_one_in_the_middle_refused(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "m" / "samples_x_2026-01-01T00-00-00.jsonl", LINE, {**LINE, "doc_id": 1}, end='{"doc_id": 2, "do'
    )
    runs = tb.read(path)
    assert [str(note) for note in runs.caveats] == [f"{path.name}: line 3 breaks off and is left out."]
    assert len(runs) == 2
    path.write_text('{"doc_id": 1, "doc": {\n' + path.read_text())
    with pytest.raises(InputError, match=r"samples_x.* cannot be read: line 1 is not JSON"):
        tb.read(path)


def test_a_line_is_read_alike_however_it_is_written(tmp_path: Path) -> None:
    hashes = {
        "doc_hash": "a" * 64,
        "prompt_hash": "b" * 64,
        "target_hash": "c" * 64,
        "acc": 1.0,
        "judge": {"filter": "x"},
    }
    whole = {**{name: LINE[name] for name in LINE if name != "acc"}, **hashes}  # as the harness orders it
    tricky = {
        **LINE,
        "doc": {"q": ', "filter": "evil", "acc": 0.0}', "filter": "inner"},
        "judge": {"filter": "x", "a": 1},
    }
    reordered = dict(reversed(tricky.items()))
    strange = LINE | {"metrics": ["acc", ["f1"], {}]}
    paths = [
        lines(tmp_path / str(i) / "samples_x.jsonl", item)
        for i, item in enumerate((LINE, whole, tricky, reordered, strange))
    ]
    paths[2].write_text(paths[2].read_text() + "\n\n")
    for path in paths:
        runs = tb.read(path)
        assert column(runs) == [1.0] and runs.scores == ("acc",)


@pytest.mark.parametrize("encode", [lambda t: t.encode("utf-8-sig"), lambda t: gzip.compress(t.encode())])
def test_encodings_that_json_may_have(tmp_path: Path, encode: Any) -> None:
    content = report(tmp_path, "a", 2).read_text()
    name = "b.run1.json.gz" if encode("x")[:2] == b"\x1f\x8b" else "b.run1.json"
    (tmp_path / name).write_bytes(encode(content))
    assert column(tb.read(tmp_path / name)) == [1, 1, 0, 0]
    rows = tmp_path / "m" / ("samples_x.jsonl" + (".gz" if name.endswith("gz") else ""))
    rows.parent.mkdir()
    rows.write_bytes(encode(json.dumps(LINE) + "\n"))
    assert column(tb.read(rows)) == [1.0]


def test_latin_1_is_refused_alone_and_named_in_a_folder(tmp_path: Path) -> None:
    report(tmp_path, "a", 2)
    bad = tmp_path / "b.run1.json"
    bad.write_bytes(b'{"resolved_ids": ["\xe9__b-1"], "submitted_instances": 1}')
    with pytest.raises(InputError, match=r"b.run1.json cannot be read: it is not written in UTF-8. Write it again"):
        tb.read(bad)
    assert [str(note) for note in tb.read(tmp_path).caveats] == [
        "b.run1.json cannot be read: it is not written in UTF-8. It is left out."
    ]


def test_archives_that_burst_or_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIEBREAK_UNPACK_GB", "0.001")
    with zipfile.ZipFile(tmp_path / "bomb.eval", "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("header.json", " " * 3_000_000)
    with pytest.raises(InputError, match=r"bomb.eval:header.json unpacks to more than 1 MB"):
        tb.read(tmp_path / "bomb.eval")
    (tmp_path / "cut.eval").write_bytes((tmp_path / "bomb.eval").read_bytes()[:100])
    with pytest.raises(InputError, match=r"cut.eval cannot be read: it is not a valid zip archive"):
        tb.read(tmp_path / "cut.eval")


def repeated(count: int) -> bytes:
    """Make a frame of Zstandard that repeats a blank, 128 kB a block."""
    block = lambda last: ((1 << 17) << 3 | 1 << 1 | last).to_bytes(3, "little") + b" "  # noqa: E731
    return b"\x28\xb5\x2f\xfd\x00\x58" + block(0) * (count - 1) + block(1)


def test_zstandard_is_counted_before_it_is_unpacked() -> None:
    assert most_held(repeated(3)) == 3 << 17
    with pytest.raises(InputError, match=r"x unpacks to more than"):
        unpacked(repeated(20_000), packed=80_000, source="x")  # 80 kB that hold 2.6 GB
    for data in (b"nonsense", repeated(3)[:9]):
        with pytest.raises(ValueError, match=r"it"):
            unpacked(data, packed=10, source="x")


def test_numbers_beyond_all_bounds_are_no_scores(tmp_path: Path) -> None:
    values = [1, 10**300, 1e400, float("nan"), -1e200, "much"]
    rows = [{**LINE, "doc_id": i, "acc": value} for i, value in enumerate(values)]
    runs = tb.read(lines(tmp_path / "m" / "samples_x.jsonl", *rows))
    assert column(runs) == [1.0] and [note.code for note in runs.caveats] == [
        "sources-left-out",
        "rows-left-out",
    ]
    deep = tmp_path / "deep.run1.json"
    deep.write_text('{"resolved_ids": ' + "[" * 100_000)
    with pytest.raises(InputError, match=r"deep.run1.json cannot be read"):
        tb.read(deep)


def test_a_mixed_folder_names_what_is_none(tmp_path: Path) -> None:
    report(tmp_path, "a", 2)
    lines(tmp_path / "org__b" / "samples_x.jsonl", LINE)
    for name in ("notes.txt", "table.csv", "other.json"):
        (tmp_path / name).write_text("{}")
    runs = tb.read(tmp_path)
    assert runs.datasets == ("SWE-bench", "x")
    text = "3 file(s) are no logs that are known and were passed over: 'notes.txt', 'other.json', 'table.csv'."
    assert [str(note) for note in runs.caveats] == [text]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty holds no log of an evaluation. Read are those of Inspect"):
        tb.read(tmp_path / "empty")
    with pytest.raises(InputError, match=r"Read one kind at a time"):
        tb.read([tmp_path, tmp_path / "other.json"])
    assert not holds_logs(tmp_path / "table.csv") and not holds_logs("a\0b") and holds_logs(tmp_path)


SHAPES = ["[]", "null", "{}", '{"resolved_ids": 3}', '{"version": 2, "status": "success", "eval": []}']
SHAPES += ['{"results": {"evalId": 1}, "evalId": 2}', '{"results": {"a": {"alias": 3, "x,none": {}}}}']
SHAPES += ['[{"instance_id": 1, "stats": 2}]', '{"a__b-1": {"resolved": 3}}', '{"no_generation": 3}']


@every("content", SHAPES)
def test_shapes_that_only_look_like_a_log_are_refused_in_words(tmp_path: Path, content: str) -> None:
    path = tmp_path / "per_instance_stats.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"per_instance_stats.json"):
        tb.read(path)


def test_names_are_escaped_where_they_are_printed(tmp_path: Path) -> None:
    report(tmp_path, "<script>alert(1)<__script>_&%$", 1)
    result = explain(tmp_path)
    assert "<script>" not in result._repr_html_() and r"\_\&\%\$" in result.to_latex()


def test_of_several_runs_the_latest_counts(tmp_path: Path) -> None:
    for when, good in (("2026-01-01T00-00-00", 1.0), ("2026-02-01T00-00-00", 0.0)):
        lines(tmp_path / "org__a" / f"samples_x_{when}.jsonl", {**LINE, "acc": good})
    runs = tb.read(tmp_path)
    assert column(runs) == [0.0]
    assert [str(note) for note in runs.caveats] == [
        "1 earlier run(s) of the same model on the same benchmark are left out; the latest counts (such as"
        " org__a/samples_x_2026-02-01T00-00-00.jsonl and not org__a/samples_x_2026-01-01T00-00-00.jsonl, org/a on x)."
    ]


def test_many_notes_of_one_kind_are_counted(tmp_path: Path) -> None:
    for i in range(7):
        (tmp_path / f"m{i}.run1.json").write_text('{"resolved_ids": [')
    report(tmp_path, "good", 1)
    notes = tb.read(tmp_path).caveats
    assert len(notes) == 4 and notes[-1].endswith(" 4 more notes of this kind.")


def test_an_unknown_metric_names_the_known_ones(tmp_path: Path) -> None:
    report(tmp_path, "a", 1)
    text = r"There is no metric 'f1' in the logs. Known here: 'resolved'. Name one of them: metric='resolved'."
    with pytest.raises(OptionError, match=text):
        tb.read(tmp_path, metric="f1")


def test_the_command_line_never_shows_a_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(tmp_path, "a", 1)
    (tmp_path / "t.csv").write_text("dataset,a,b\nx,1,2\ny,2,1\n")
    for call in (
        ["compare", str(tmp_path), str(tmp_path / "t.csv")],
        ["compare", f"{tmp_path}?metric=f1"],
        ["order", str(tmp_path), "--cost", "price"],
        ["compare", f"{tmp_path}?transpose=yes"],
        ["compare", f"{tmp_path / 't.csv'}?metric=acc"],
        ["order", str(tmp_path), "--prices", "nowhere.csv"],
        ["read", str(tmp_path), "--table", "2"],
    ):
        assert main(call) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"tiebreak {call[0]}: ") and "Traceback" not in err
