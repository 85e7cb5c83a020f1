"""OpenML against a local server that answers as the real one does; nothing leaves this machine."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tiebreak.datasets import load, openml
from tiebreak.datasets.openml import openml_data, openml_suite
from tiebreak.datasets.references import DataReference
from tiebreak.errors import InputError, OptionError

loader = pytest.importorskip("sklearn.datasets._openml", reason="scikit-learn is not installed: it loads OpenML data")

DENSE = """@relation pets
@attribute id numeric
@attribute weight numeric
@attribute coat {'long hair', short}
@attribute toes {1, 2, 10}
@attribute kind {cat, dog}
@data
1, 4.1, 'long hair', 10, cat
2, ?, short, 2, dog
3, 3, ?, 1, cat
4, 9.5, short, 10, dog
"""
SPARSE = "@relation s\n@attribute a numeric\n@attribute b numeric\n@attribute c {p,q}\n@data\n{0 2,2 q}\n{1 3}\n{2 q}\n"
TEXTS = """@relation t
@attribute x numeric
@attribute note string
@attribute n {7, 8}
@attribute c {p, q}
@data
1.5, 'a b', 7, p
?, c, 8, q
2, ?, 7, p
"""
FEATURES = {
    61: [("id", "numeric"), ("weight", "numeric"), ("coat", "nominal"), ("toes", "nominal"), ("kind", "nominal")],
    63: [("x", "numeric"), ("note", "string"), ("n", "nominal"), ("c", "nominal")],
    62: [("a", "numeric"), ("b", "numeric"), ("c", "nominal")],
}
FILES = {61: DENSE, 62: SPARSE, 63: TEXTS}


class Fake:
    """What the server holds, and how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.url = ""

    def answer(self, path: str) -> tuple[int, str]:
        self.asked.append(path)
        parts = path.strip("/").split("/")
        number = int(parts[-1].split(".")[0]) if parts[-1].split(".")[0].isdigit() else 0
        if path.startswith("/data/v1/download/"):
            return 200, FILES[number]
        if "/study/" in path:
            return (200, json.dumps({"study": {"data": {"data_id": ["61", "62"]}}})) if number == 99 else (412, "{}")
        if number not in FILES:
            return 412, json.dumps({"error": {"code": "111", "message": "Unknown dataset"}})
        if "/features/" in path:
            return 200, json.dumps({"data_features": {"feature": self.features(number)}})
        if "/qualities/" in path:
            rows = {"name": "NumberOfInstances", "value": "4.0" if number == 61 else "3.0"}
            return 200, json.dumps({"data_qualities": {"quality": [rows]}})
        return 200, json.dumps({"data_set_description": self.description(number)})

    def features(self, number: int) -> list[dict[str, str]]:
        return [
            {
                "index": str(place),
                "name": name,
                "data_type": kind,
                "is_target": str(place == len(FEATURES[number]) - 1).lower(),
                "is_ignore": "false",
                "is_row_identifier": str(name == "id").lower(),
                "number_of_missing_values": str(int(name in {"weight", "coat"})),
            }
            for place, (name, kind) in enumerate(FEATURES[number])
        ]

    def description(self, number: int) -> dict[str, Any]:
        return {
            "id": str(number),
            "name": {61: "pets", 62: "sparse", 63: "texts"}[number],
            "version": "1",
            "status": "active",
            "description": "",
            "format": {61: "ARFF", 62: "Sparse_ARFF", 63: "ARFF"}[number],
            "url": f"{self.url}/data/v1/download/{number}.arff",
            "file_id": str(number),
            "default_target_attribute": FEATURES[number][-1][0],
            "md5_checksum": hashlib.md5(FILES[number].encode()).hexdigest(),
        }


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    fake = Fake()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            code, text = fake.answer(self.path)
            self.send_response(code)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            return

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake.url = f"http://127.0.0.1:{running.server_address[1]}"
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    redirect(monkeypatch, fake.url)
    yield fake
    running.shutdown()
    thread.join()
    running.server_close()


def redirect(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Send scikit-learn's loader elsewhere, and let it wait no seconds between its tries."""
    for name in ("_OPENML_PREFIX", "_DATA_INFO", "_DATA_FEATURES", "_DATA_QUALITIES"):
        if hasattr(loader, name):
            monkeypatch.setattr(loader, name, getattr(loader, name).replace("https://www.openml.org", url))
    monkeypatch.setattr(openml, "BASE_URL", url)
    monkeypatch.setattr(loader, "time", SimpleNamespace(sleep=lambda _: None))


def test_kinds_come_from_the_server_and_identifiers_are_left_out(server: Fake, tmp_path: Path) -> None:
    data = openml_data(61, cache=tmp_path)
    assert data.name == "pets"
    assert data.attributes == ("weight", "coat", "toes")
    assert data.symbolic.tolist() == [False, True, True]
    assert data.categories == ((), ("long hair", "short"), ("1", "2", "10"))
    np.testing.assert_array_equal(data.values, [[4.1, 0, 2], [np.nan, 1, 1], [3, np.nan, 0], [9.5, 1, 2]])
    assert data.classes == ("cat", "dog")
    assert data.target.tolist() == [0, 1, 0, 1]


def test_text_attributes_are_symbolic(server: Fake, tmp_path: Path) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: scikit-learn then reads no text attributes")
    data = openml_data(63, cache=tmp_path)
    assert data.symbolic.tolist() == [False, True, True]
    assert data.categories == ((), ("a b", "c"), ("7", "8"))
    np.testing.assert_array_equal(data.values, [[1.5, 0, 0], [np.nan, 1, 1], [2, np.nan, 0]])
    assert (data.classes, data.target.tolist()) == (("p", "q"), [0, 1, 0])


def test_sparse_files_and_the_cache(server: Fake, tmp_path: Path) -> None:
    data = load("openml:62", cache=str(tmp_path))
    np.testing.assert_array_equal(data.values, [[2, 0], [0, 3], [0, 0]])
    assert [data.classes[code] for code in data.target] == ["q", "p", "q"]
    count = len(server.asked)
    assert load("openml:62", cache=str(tmp_path)).fingerprint == data.fingerprint
    assert len(server.asked) == count


def test_options(server: Fake, tmp_path: Path) -> None:
    data = load("openml:61", cache=str(tmp_path), target="toes", symbolic=["weight"], drop=["coat"], name="n")
    assert (data.name, data.attributes, data.classes) == ("n", ("weight", "kind"), ("1", "2", "10"))
    assert data.symbolic.tolist() == [True, True]
    with pytest.raises(InputError, match="Target column 'coat' has 1 missing values"):
        openml_data(61, cache=tmp_path, target="coat")
    with pytest.raises(OptionError, match="There is no column in OpenML data set 61 'toe'"):
        openml_data(61, cache=tmp_path, drop=["toe"])
    with pytest.raises(OptionError, match="'openml:61' takes no option groups, which is 'g'"):
        load("openml:61", groups="g")


def test_a_suite_is_listed_once_and_expands(server: Fake, tmp_path: Path) -> None:
    assert openml_suite(99, cache=tmp_path) == [61, 62]
    count = len(server.asked)
    parts = DataReference.of({"source": "openml-suite:99", "cache": str(tmp_path)}).expand()
    assert [part.source for part in parts] == ["openml:61", "openml:62"]
    assert [part.load().name for part in parts] == ["pets", "sparse"]
    assert not [path for path in server.asked[count:] if "study" in path]


def test_unknown_numbers_are_refused(server: Fake, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        openml_data(7, cache=tmp_path)
    assert str(caught.value) == (
        "OpenML data set 7 cannot be loaded: Dataset with data_id 7 not found. Check the number at"
        " openml.org, or name another target column."
    )
    with pytest.raises(InputError, match=r"OpenML suite 7 cannot be downloaded \(412 Precondition Failed\)"):
        openml_suite(7, cache=tmp_path)
    assert not (tmp_path / "openml" / "suites").exists()


def test_without_a_network_the_error_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = "http://127.0.0.1:9"  # the discard port: nothing listens there
    redirect(monkeypatch, nowhere)
    ending = " Try again with a network connection, or use files or the built-in suite ('builtin:*')."
    with pytest.raises(InputError) as caught:
        openml_data(61, cache=tmp_path)
    assert str(caught.value).startswith("OpenML data set 61 cannot be downloaded (")
    assert str(caught.value).endswith(ending)
    with pytest.raises(InputError) as caught:
        openml_suite(99, cache=tmp_path)
    assert str(caught.value).startswith("OpenML suite 99 cannot be downloaded (")
    assert str(caught.value).endswith(ending)


def test_a_numeric_target_is_a_number_unless_told() -> None:
    """The server's loader gives numbers as floats and nominal values as text."""
    from tiebreak.datasets.openml import _target

    values = np.arange(40) / 7
    namespace = SimpleNamespace(data=np.zeros((40, 1)), target=values)
    current, notes = _target(namespace, None, "OpenML data set 9")
    assert isinstance(current, np.ndarray)
    assert current.tolist() == values.tolist()
    assert notes[0].code == "target-taken-for"
    options, message = _target(namespace, "classes", "OpenML data set 9")
    assert (len(options.names), message) == (40, ())  # type: ignore[union-attr]
    few = SimpleNamespace(data=np.zeros((4, 1)), target=np.array([1.0, 2.0, 1.0, np.nan]))
    assert _target(few, None, "x")[0].names == ("1.0", "2.0")  # type: ignore[union-attr]
    text = SimpleNamespace(data=np.zeros((2, 1)), target=np.array(["1", "2"], dtype=object))
    assert _target(text, None, "x")[0].names == ("1", "2")  # type: ignore[union-attr]
    with pytest.raises(InputError, match="holds something that is not a number"):
        _target(text, "number", "x")
