"""What a person uploaded is called by its own name, what it is is said, and no place of the server is told."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tiebreak.web.messages import Problem
from tiebreak.web.settings import Limits, Settings
from tiebreak.web.uploads import Folder, Received, plain_name

from .conftest import Web
from .hostile import WIDE

DATA = b"x,y,kind\n" + b"".join(b"%d,%d.5,%s\n" % (i * 7 % 11, i * i % 7, b"ab"[i % 2 :][:1]) for i in range(40))


def test_sentences_name_the_file_as_its_owner_does(server: Web) -> None:
    empty = server.form("/api/compare", [("file", "my results.csv", b"")], score="auc")
    assert empty.error["text"] == "my results.csv is empty. Check the file."
    upload = server.form("/api/uploads", [("file", "Stra\u00dfe 7.csv", b"a\n1\n")]).json["upload"]
    again = server.post("/api/compare", {"file": upload, "score": "auc"})
    assert again.error["what"].startswith("No column of Stra\u00dfe 7.csv names the data sets")


def test_a_data_set_is_called_by_the_name_of_its_file(server: Web) -> None:
    result = server.form("/api/recommend", [("file", "pets.csv", DATA)]).json
    assert any(item.startswith("pets: 40 rows") for item in result["result"]["understood"]["sentences"])


@pytest.mark.parametrize(
    "label", ["", "..", "-x", "--out=/etc/x", "a/../b", "C:\\x.csv", "\u202e.csv", "a\0b.csv", "x" * 500, "\u4e00" * 90]
)
def test_no_name_is_more_than_a_name(label: str, tmp_path: Path) -> None:
    name = plain_name(label)
    assert name[0].isalnum() and not set(name) & set('/\\:=\0"') and name not in (".", "..")
    (tmp_path / name).write_bytes(b"")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_two_files_of_one_name_and_names_of_outputs_stand_side_by_side(server: Web) -> None:
    more = WIDE.replace("\nd", "\nm").encode()
    both = server.form("/api/compare", [("file", "a.csv", WIDE.encode()), ("file", "a.csv", more)], score="auc")
    assert both.status == 200 and both.json["command"] == "tiebreak compare a.csv a-2.csv --score auc"
    reply = server.form("/api/read", [("file", "clean.csv", WIDE.encode())], score="auc", clean="csv")
    assert reply.status == 200 and reply.json["files"][0]["name"] == "clean.csv"


def _office(folder: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(f"{folder}/document.xml", "<x/>")
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("paper.pdf", b"%PDF-1.7 and so on", "paper.pdf is a PDF."),
        ("photo.jpg", b"\xff\xd8\xff\xe0" + bytes(500), "photo.jpg is a picture."),
        ("thesis.docx", _office("word"), "thesis.docx cannot be read as a spreadsheet"),
        ("model.pkl", b"\x80\x04\x95" + bytes(50), "model.pkl is neither text nor a kind of file that is known."),
        ("half.docx", _office("word")[:40], "half.docx is not a sound zip file"),
        ("results.db", b"SQLite format 3\0" + bytes(2000), "results.db.txt holds no rows."),
    ],
)
def test_what_is_no_table_is_called_what_it_is(server: Web, name: str, data: bytes, says: str) -> None:
    reply = server.form("/api/compare", [("file", name, data)])
    assert reply.status == 422 and says in reply.error["text"], reply.data
    reply = server.form("/api/recommend", [("file", name, data)])
    assert reply.status == 422 and name in reply.error["what"], reply.data


def test_no_place_of_the_server_is_told(server: Web) -> None:
    where = str(Path(server.settings.store).parent)
    assert where not in server.get("/api/store").data.decode()
    standing = server.post("/api/order", {"store": True, "score": "accuracy", "cost": ["train_time"]})
    assert where not in standing.data.decode()
    settings = Settings(store="postgresql://me:secret@host/db")
    assert (
        settings.without_places("The store postgresql://me:secret@host/db is away.")
        == "The store postgresql://... is away."
    )


# ---- pages that are kept


def _file(folder: Path, size: int) -> Received:
    place = folder / "t.csv"
    place.write_bytes(b"x" * size)
    return Received(path=place, name="t.csv", size=size, digest="")


def test_the_same_page_is_kept_once_and_pages_make_room(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "state", Limits(kept=100))
    folder.open()
    first, second = folder.keep_page(b"a" * 40), folder.keep_page(b"b" * 40)
    assert folder.keep_page(b"a" * 40) is first and len(list(folder.kept.iterdir())) == 2
    second.used -= 9  # the first was looked at later
    with folder.job() as place:
        upload = folder.keep(_file(place, 50))
        assert folder.find(first.key, "page") is first and folder.find(upload.key) is upload
        with pytest.raises(Problem, match="no such page"):
            folder.find(second.key, "page")
        folder.keep(_file(place, 50))
        with pytest.raises(Problem, match="as many uploads as it has room for"):
            folder.keep(_file(place, 1))
    folder.close()


def test_an_upload_is_no_page_and_a_page_no_upload(server: Web) -> None:
    evil = server.form("/api/uploads", [("file", "x.html", b"<script>fetch('/')</script>")]).json["upload"]
    assert server.get(f"/kept/{evil.removeprefix('upload:')}").status == 404
    options = {"file": "published:demsar2006", "score": "auc"}
    first, second = server.post("/api/report", options).json["page"], server.post("/api/report", options).json["page"]
    assert first == second and server.get(first).status == 200
    page = server.post("/api/compare", {"file": f"upload:{first.removeprefix('/kept/')}"})
    assert page.status == 404
