"""Boards: tiers, what changed and whether it is real, files that are ours alone, names that mean harm."""

from __future__ import annotations

import itertools
import json
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.evals.board import Board
from tiebreak.evals.board.entries import place_ranges, tiers_of
from tiebreak.evals.board.files import OURS, badge, badge_names
from tiebreak.evals.board.previous import Before, Previous, read_previous

from ..every import every

ROOT = Path(__file__).parents[2]
ULAS = ROOT / "examples" / "ulas2012.csv"
HOSTILE = [
    "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "../../etc/passwd", "a\"b'c & d", "con",
    "CON", "名前", "x" * 300, "svm\u202etree", "=cmd|calc",
    "A", "a", "{{7*7}}", "]]>", "..", "&amp;", "\ud800half", "",
]  # fmt: skip


# ---- tiers


def peeled(better: np.ndarray) -> list[int]:
    """The definition by hand: take those away whom nobody left is better than, again and again."""
    tiers, left, tier = [0] * len(better), set(range(len(better))), 1
    while left:
        top = {i for i in left if not any(better[i, j] for j in left)}
        assert top, "a ring"
        for i in top:
            tiers[i] = tier
        left, tier = left - top, tier + 1
    return tiers


def acyclic(rng: np.random.Generator, count: int) -> np.ndarray:
    """Random decisions without a ring, far from transitive, of algorithms in any order."""
    better = np.triu(rng.random((count, count)) < rng.random(), 1).T  # only earlier ones are better
    mixed = rng.permutation(count)
    return np.asarray(better[np.ix_(mixed, mixed)])


@every("seed", range(30))
def test_tiers_are_what_is_left_when_those_above_are_taken_away(seed: int) -> None:
    rng = np.random.default_rng(seed)
    better = acyclic(rng, 2 + seed % 9)
    tiers = tiers_of(better)
    assert tiers.tolist() == peeled(better)
    for i, j in itertools.permutations(range(len(better)), 2):
        assert not (better[i, j] and tiers[i] <= tiers[j])  # nobody shares a tier with one that is significantly better
    for i in np.flatnonzero(tiers > 1):
        assert any(better[i, j] and tiers[j] == tiers[i] - 1 for j in range(len(better)))
    mixed = rng.permutation(len(better))
    assert tiers_of(better[np.ix_(mixed, mixed)]).tolist() == tiers[mixed].tolist()


def test_a_ring_shares_a_tier() -> None:
    better = np.zeros((5, 5), dtype=bool)
    better[0, 1] = better[1, 2] = better[2, 0] = True  # a ring of three
    better[3, 0] = True  # and one below it
    assert tiers_of(better).tolist() == [1, 1, 1, 2, 1]


def test_nothing_told_apart_is_one_tier_and_any_place() -> None:
    none = np.zeros((4, 4), dtype=bool)
    assert tiers_of(none).tolist() == [1] * 4
    assert [range_.tolist() for range_ in place_ranges(none)] == [[1] * 4, [4] * 4]


def test_ranges_of_places_hold_as_often_as_they_say() -> None:
    """Six algorithms in three pairs of equals: all ranges at once hold in 95 of 100 tables, or more."""
    rng, truth = np.random.default_rng(7), np.array([0.0, 0.0, 0.4, 0.4, 0.8, 0.8])
    better_than = (truth[:, None] > truth[None, :]).sum(axis=1)
    worse_than = (truth[:, None] < truth[None, :]).sum(axis=1)
    held, repetitions = 0, 300
    for _ in range(repetitions):
        errors = {f"a{k}": (truth[k] + rng.normal(size=20)).tolist() for k in range(6)}
        table = tb.as_results({"dataset": [f"d{i}" for i in range(20)], **errors}, scores="error")
        order = tb.order(table, rule="multitest", prior=table.algorithms)
        place = [order.algorithms.index(f"a{k}") for k in range(6)]
        low, high = (ends[place] for ends in place_ranges(order.better))
        held += bool((low <= 1 + better_than).all() and (high >= 6 - worse_than).all())
    assert held / repetitions >= 0.95 - 2 * np.sqrt(0.05 * 0.95 / repetitions)


# ---- boards of each kind


@pytest.fixture(scope="module")
def ulas() -> Board:
    return tb.board(tb.published.ulas2012(), score="accuracy", cost="train_time")


@pytest.fixture(scope="module")
def kinds() -> dict[str, Any]:
    results = tb.published.ulas2012()
    items: dict[str, Any] = {"columns": {"cluster": "document", "epoch": "answer"}}
    return {
        "scores": tb.order(results, score="accuracy", cost="train_time"),
        "places": tb.order(results, score="accuracy", cost="train_time", rule="multi2test"),
        "folds": tb.order(str(ROOT / "examples" / "optdigits.csv"), score="accuracy", cost="train_time"),
        "multitest": tb.order(results, score="accuracy", cost="train_time", rule="multitest"),
        "items": tb.order(str(ROOT / "examples" / "items.csv"), score="accuracy", cost="price", **items),
        "totals": tb.order(str(ROOT / "examples" / "totals.csv"), cost="total_cost"),
        "no cost": tb.order(tb.published.demsar2006(), score="auc"),
    }


@pytest.mark.parametrize("kind", ["scores", "places", "folds", "multitest", "items", "totals", "no cost"])
def test_every_pair_is_explained_in_the_words_of_the_order(kind: str, kinds: dict[str, Any]) -> None:
    result = kinds[kind]
    texts = tb.board(result).explanations()
    assert list(texts) == [result.explain(a, b) for a, b in itertools.combinations(result.order, 2)]
    assert list(tb.board(result).explanations(2)) == [result.explain(*result.order[:2])]


def test_votes_make_a_board_too() -> None:
    votes = tb.battles(str(ROOT / "examples" / "votes.csv"), prices=str(ROOT / "examples" / "prices.csv"), cost="price")
    board = tb.board(votes, name="Votes")
    assert [entry.algorithm for entry in board.entries] == list(votes.order)
    assert board.tiers == (("aster", "clover", "birch"), ("dahlia", "elm"), ("fern",))
    first = board.entries[0]
    assert first.score == pytest.approx(1116.7, abs=0.1) and first.low is not None
    assert board.explanations()[0] == votes.explain(*votes.order[:2])
    assert "2.5 points worse" in str(board) and "2.5 (0.0 to 13.1)" in str(board)  # one unit for a difference
    assert "Elo" in board.to_html() and "e+0" not in board.to_html().split("<main")[1].split("</table>")[0]


def test_scores_and_losses_of_items_are_in_points_as_in_the_sentences() -> None:
    options = {"columns": {"epoch": "answer", "cluster": "document"}, "score": "accuracy", "cost": "price"}
    board = tb.board(str(ROOT / "examples" / "items.csv"), **options)  # type: ignore[arg-type]
    table = board.document().tables[0]
    assert table.header[3:5] == ("accuracy (%)", "loss vs best")
    assert [row[3:5] for row in table.body][:2] == [("84.2", "0.0"), ("82.7", "1.5 (0.0 to 6.4)")]
    assert "1.5 points worse" in str(board)


def test_an_entry_says_what_the_order_says(ulas: Board) -> None:
    order = tb.order(tb.published.ulas2012(), score="accuracy", cost="train_time").to_dict()
    assert ulas.to_dict()["order"] == order["order"]
    for entry in ulas.to_dict()["entries"]:
        name = entry["algorithm"]
        assert entry["loss"] == order["loss"][name]
        assert entry["cost"]["value"] == order["cost"][name]["value"]
        assert entry["cost"]["ratio"] == order["cost"][name]["relative"]
        better = [pair["a"] if pair["b"] == name else pair["b"] for pair in order["pairs"] if pair["better"] == name]
        assert sorted(entry["beats"]) == sorted(better)
        assert entry["places_by_score"] == [1 + len(entry["beaten_by"]), 8 - len(better)]
    assert [item["reason"] for item in ulas.to_dict()["entries"]] == [item["text"] for item in order["reasons"]]


def test_organisations_and_links_are_those_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "models.csv"
    file.write_text(
        "model,Organization,Link,MMLU,GSM8K,ARC,price\n"
        "x,Acme,https://example.org/x,88.1,95.0,96.2,10\ny,Other <b>,javascript:alert(1),87.3,94.1,96.9,8\n"
        "z,,https://example.org/z,82.0,90.3,93.0,0.9\n"
    )
    board = tb.board(file, higher_is_better=True)
    options = {entry.algorithm: (entry.organisation, entry.link) for entry in board.entries}
    assert options == {
        "x": ("Acme", "https://example.org/x"), "y": ("Other <b>", ""), "z": ("", "https://example.org/z")
    }  # fmt: skip
    page = board.to_html()
    assert 'href="https://example.org/x"' in page and "Other &lt;b&gt;" in page and "javascript:" not in page


def test_totals_have_wilson_intervals() -> None:
    board = tb.board(str(ROOT / "examples" / "totals.csv"), cost="total_cost")
    for name, passed in (("alpha", 80), ("beta", 78), ("gamma", 20)):
        ends = binomtest(passed, 225).proportion_ci(0.95, method="wilson")
        assert (board.entry(name).low, board.entry(name).high) == pytest.approx((ends.low, ends.high), rel=1e-9)


def test_without_a_cost_places_are_by_mean_score() -> None:
    board = tb.board(tb.published.demsar2006())
    assert [entry.algorithm for entry in board.entries] == ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]
    assert board.facts.cost == "" and board.to_dict()["asked"]["cost"] is None
    assert all(point.label != "What it saves" for point in board.document().points)


def unpriced(cost: list[float | None]) -> dict[str, list[Any]]:
    rng = np.random.default_rng(3)
    names = ["good", "same", "poor"]
    rows = [(d, k) for d in range(20) for k in range(3)]
    score = [0.9 - 0.2 * (k == 2) + 0.01 * rng.random() for _, k in rows]
    columns = {"dataset": [f"d{d}" for d, _ in rows], "algorithm": [names[k] for _, k in rows]}
    return {**columns, "accuracy": score, "price": [cost[k] for _, k in rows]}


def test_an_algorithm_without_a_price_is_left_out_and_named() -> None:
    board = tb.board(unpriced([2.0, None, 1.0]), score="accuracy", cost="price")
    assert [entry.algorithm for entry in board.entries] == ["good", "poor"]
    assert any("same" in str(caveat) for caveat in board.caveats)


# ---- what changed


def told(order: str, beats: dict[str, str] | None = None, cost: float = 1.0) -> tuple[Before, ...]:
    beats = beats or {}
    return tuple(
        Before(algorithm=name, place=k, tier=1, cost=cost, beats=frozenset(beats.get(name, "")))
        for k, name in enumerate(order, start=1)
    )


def changed(before: tuple[Before, ...], now: tuple[Before, ...], options: dict[str, Any] | None = None) -> Any:
    from tiebreak.evals.board.previous import changes_since

    current = {"score": "accuracy"}
    return changes_since(Previous(id="0", date="2026-10-01", asked=current, entries=before), now, options or current)


def test_who_passed_whom_and_whether_it_is_real() -> None:
    result = changed(told("abcd"), told("cabe", {"c": "a"}, cost=1.001))
    assert (result.new, result.gone) == (("e",), ("d",))
    assert [(item.algorithm, item.passed, item.known) for item in result.passings] == [
        ("c", "a", "real"),
        ("c", "b", "no significant difference"),
    ]
    assert result.sentences() == (
        "Since the build of 2026-10-01: 1 new (e) and 1 gone (d).",
        "2 pairs changed places, 1 of them for real: c before a. The other 1 is not shown by any test.",
        "1 pair newly differs significantly.",
    )
    assert changed(told("ab"), told("ab")).sentences()[1] == "Nobody passed another."
    against = changed(told("ab"), told("ba", {"a": "b"}))
    assert against.passings[0].known == "against a test" and against.real == 0


def test_another_cost_and_another_tier_are_told() -> None:
    result = changed(told("ab", cost=1.0), told("ab", cost=2.0))
    assert result.sentences()[-1] == "Costs: a from 1 to 2 and b from 1 to 2."
    lower = tuple(Before(algorithm=e.algorithm, place=e.place, tier=2, cost=1.0) for e in told("ab"))
    assert changed(told("ab"), lower).sentences()[-1] == "Tiers: a from 1 to 2 and b from 1 to 2."


def test_builds_that_were_asked_otherwise_are_not_compared() -> None:
    result = changed(told("ab"), told("ba"), {"score": "auc"})
    assert result.count == 0 and result.sentences()[1] == "Places are not compared: score was accuracy and is auc."


# ---- the folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_building_again_changes_no_byte_and_a_third_build_tells_what_changed(tmp_path: Path, ulas: Board) -> None:
    results = tb.published.ulas2012()
    fewer = tb.board(results.without(algorithms=["mlp"]), score="accuracy", cost="train_time", date="2026-10-01")
    fewer.save(tmp_path)
    first = contents(tmp_path)
    fewer.save(tmp_path)
    assert contents(tmp_path) == first and len(first) == 4 + 7
    ulas.save(tmp_path)
    second = contents(tmp_path)
    assert ulas.save(tmp_path).changes is not None and contents(tmp_path) == second
    now = json.loads(second["board.json"])
    assert now["changes"]["new"] == ["mlp"] and now["changes"]["date"] == "2026-10-01"
    assert [item["date"] for item in now["history"]] == [None, "2026-10-01"]
    again = tb.board(results, score="accuracy", cost="train_time", date="2026-12-01", name="Other").save(tmp_path)
    assert again.changes is not None and again.changes.new == ("mlp",)  # the results are the same: nothing new to tell


def test_badges_of_those_who_are_gone_go_and_nothing_else(tmp_path: Path, ulas: Board) -> None:
    ulas.save(tmp_path)
    (tmp_path / "badges" / "mine-12345678.svg").write_text("<svg>mine</svg>")
    (tmp_path / "notes.txt").write_text("mine")
    gone = tmp_path / "badges" / ulas.entry("mlp").badge
    assert gone.exists()
    tb.board(tb.published.ulas2012().without(algorithms=["mlp"]), score="accuracy", cost="train_time").save(tmp_path)
    assert not gone.exists()
    assert (tmp_path / "badges" / "mine-12345678.svg").exists() and (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["index.html", "board.json", "feed.json"])
def test_a_file_of_somebody_else_is_never_written_over(tmp_path: Path, ulas: Board, name: str) -> None:
    (tmp_path / name).write_text("{}")
    with pytest.raises(InputError) as caught:
        ulas.save(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path / name} was not made by tiebreak board. It would be lost if the board were written there. Choose"
        " another folder, or move it away."
    )
    assert contents(tmp_path) == {name: b"{}"}


def test_links_and_files_in_the_way_are_refused(tmp_path: Path, ulas: Board) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "badges").symlink_to(tmp_path)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "index.html").symlink_to(tmp_path / "file")
    for folder in ("file", "a", "b"):
        with pytest.raises(InputError):
            ulas.save(tmp_path / folder)
    assert (tmp_path / "file").read_text() == "mine" and not list(tmp_path.glob("*.svg"))


# ---- an earlier build that cannot be believed


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not JSON: Expecting value"),
        ("{", "is not JSON: Expecting property name"),
        ("[1, 2]", "is no board: it does not say that 'tiebreak board' made it"),
        ('{"generator": "other"}', "is no board: it does not say that 'tiebreak board' made it"),
        ('{"generator": "tiebreak board", "format": 99}', "is no board: its format is 99, and this program knows 1"),
        ('{"generator": "tiebreak board", "format": 1}', "is no board: it has no 'id'"),
        ("[" * 5000 + "]" * 5000, "is no board: it nests more than 100 levels deep"),
    ],
)
def test_what_is_no_board_is_refused_in_words(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "board.json"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_previous(path)
    assert why in str(caught.value) and "Changes are reported since this board." in str(caught.value)


def test_no_damage_to_a_board_ends_in_a_crash(tmp_path: Path, ulas: Board) -> None:
    """Every value of a board.json in turn is lost, or of another kind: it is read, or refused in words."""
    small = tb.board(tb.published.demsar2006())
    whole = json.dumps(small.since(Previous(id="0", date="", asked=small.asked, entries=told("ab"))).to_dict())
    path, read, refused = tmp_path / "board.json", 0, 0

    def places(value: Any, at: tuple[Any, ...] = ()) -> Any:
        inner = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
        for key, item in inner:
            yield (*at, key)
            yield from places(item, (*at, key))

    for at in list(places(json.loads(whole))):
        wrong: tuple[Any, ...] = (None, "x", -1, [[]], {"a": {}}, float("nan"), 10**400, "\ud800", True)
        for put in wrong:
            data = json.loads(whole)
            inside = data
            for key in at[:-1]:
                inside = inside[key]
            inside[at[-1]] = put
            path.write_text(json.dumps(data))
            try:
                assert small.since(read_previous(path)).to_dict()["generator"] == "tiebreak board"
                read += 1
            except InputError:
                refused += 1
    assert read > 100 and refused > 100


# ---- names that mean harm


def test_files_of_badges_are_harmless_and_apart_whatever_the_names() -> None:
    names = badge_names(HOSTILE)
    assert len({name.lower() for name in names.values()}) == len(HOSTILE)
    assert all(OURS.fullmatch(name) and len(name) < 100 for name in names.values())
    assert names == {**badge_names(HOSTILE[::-1])}  # and a name keeps its file, whoever else is there
    assert badge_names(["a"])["a"] == names["a"]


@every("name", HOSTILE)
def test_a_badge_is_a_picture_whatever_the_names(name: str) -> None:
    text = badge(name, 2, 3, name=name).encode("utf-8", "replace").decode()
    root = ET.fromstring(text)
    assert {item.tag.rpartition("}")[2] for item in root.iter() if isinstance(item.tag, str)} == {
        *("svg", "title", "rect", "path", "g", "text")
    }
    assert "".join(root.itertext()).strip().endswith("tier 2 of 3")


class Elements(HTMLParser):
    """Gathers what a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_names_cannot_become_markup_or_leave_the_folder(tmp_path: Path) -> None:
    names = [name for name in HOSTILE if name.strip() and "\ud800" not in name]
    rng = np.random.default_rng(0)
    rows = [(d, k) for d in range(8) for k in range(len(names))]
    table = {
        "dataset": [f"<d{d}>" for d, _ in rows], "algorithm": [names[k] for _, k in rows],
        "accuracy": rng.random(len(rows)).tolist(), "price": [float(1 + k) for _, k in rows],
    }  # fmt: skip
    options: dict[str, Any] = {"score": "accuracy", "cost": "price", "name": '<b>"B"</b> & \''}
    made = tb.board(table, **options).save(tmp_path / "site")
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    parser = Elements()
    parser.feed(page)
    tags = [tag for tag, _ in parser.found]
    assert tags.count("script") == 5 and not {"img", "iframe", "object", "b>"} & set(tags)
    assert not [key for _, attributes in parser.found for key in attributes if key.startswith("on")]
    links = [value for _, attributes in parser.found for key, value in attributes.items() if key in ("href", "src")]
    files = contents(tmp_path / "site")
    assert all(link and (link[0] == "#" or link in files) for link in links)
    assert set(contents(tmp_path)) == {f"site/{name}" for name in files} and len(files) == 4 + len(names)
    assert json.loads(files["board.json"])["order"] == [entry.algorithm for entry in made.entries]
    assert json.loads(files["feed.json"])["title"] == options["name"]


def test_a_page_lets_nothing_run_but_its_own(ulas: Board) -> None:
    page = ulas.to_html()
    policy = page.split('Content-Security-Policy" content="')[1].split('"')[0]
    assert policy.startswith("default-src 'none'; style-src 'sha256-") and policy.count("sha256-") == 3 + 3
    assert "unsafe" not in policy and " style=" not in page and "http://" not in page.replace("http://www.w3.org/", "")


# ---- the command line


def test_the_verb_writes_a_folder_and_says_what_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["board", str(ULAS), "--score", "accuracy", "--cost", "train_time", "-o", str(tmp_path / "s")]
    assert main([*call, "--where", "algorithm in svl,svr,5nn", "--date", "2026-10-01"]) == 0
    text = capsys.readouterr().out
    assert text == f"Leaderboard by accuracy: 3 algorithms in 2 tiers, svr first; written to {tmp_path}/s/index.html\n"
    assert main(call) == 0
    assert "Since the build of 2026-10-01: 5 new (lnp, mlp, mdt, c45 and sv2)." in capsys.readouterr().out
    assert main([*call, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "s" / "board.json").read_text())
    assert main([*call[:-1], str(tmp_path / "t"), "--since", str(tmp_path / "s" / "board.json"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["changes"]["new"] == ["lnp", "mlp", "mdt", "c45", "sv2"]
    assert main([*call, "--since", "none", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["changes"] is None


def test_a_store_makes_a_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "results.db")
    assert main(["store", store, "--import", str(ULAS), "--origin", "paper"]) == 0
    call = ["board", "--store", store, "--score", "accuracy", "--cost", "train_time", "-o", str(tmp_path / "s")]
    capsys.readouterr()
    assert main([*call, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["order"][:2] == ["svr", "svl"]


@pytest.mark.parametrize(
    ("more", "what"),
    [
        (["--date", "today"], "--date today is no date."),
        (["--date", "2026-11-17T10:00"], "--date 2026-11-17T10:00 is no date."),
        (["--since", "nowhere.json"], "nowhere.json cannot be read: No such file or directory."),
        (["--cost", "money"], "money"),
    ],
)
def test_mistakes_end_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], what: str) -> None:
    assert main(["board", str(ULAS), "--score", "accuracy", "--cost", "space", "-o", str(tmp_path), *more]) == 2
    readouterr = capsys.readouterr()
    assert (
        what in readouterr.err
        and "Traceback" not in readouterr.err
        and readouterr.out == ""
        and not list(tmp_path.iterdir())
    )


def test_a_broken_build_in_the_folder_is_named_and_can_be_left_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ulas: Board
) -> None:
    ulas.save(tmp_path)
    path = tmp_path / "board.json"
    path.write_text(path.read_text()[:400])
    call = ["board", str(ULAS), "--score", "accuracy", "--cost", "space", "-o", str(tmp_path)]
    assert main(call) == 2
    assert "or start without one: --since none." in capsys.readouterr().err
    assert main([*call, "--since", "none"]) == 0


def test_python_says_the_same_in_its_own_words(ulas: Board) -> None:
    with pytest.raises(OptionError, match="date='today' is no date"):
        tb.board(tb.published.ulas2012(), score="accuracy", cost="space", date="today")
    with pytest.raises(TiebreakError, match="There is no algorithm 'svx'"):
        ulas.entry("svx")
    assert repr(ulas) == "<Board: Leaderboard by accuracy; svr first of 8, 2 tiers>"
    assert ulas.title() in str(ulas) and len(ulas.rows()) == 8


def test_the_documentation_names_every_field_of_board_json(ulas: Board) -> None:
    page = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("board.md", "json.md"))
    data = ulas.since(Previous(id="0", date="", asked=ulas.asked, entries=told("ab"))).to_dict()
    keys = {*data, *data["entries"][0], *data["changes"], *data["history"][0], *data["asked"]}
    assert sorted(key for key in keys if f"`{key}`" not in page) == []


def test_a_cost_that_nobody_has_is_refused_in_words_that_help() -> None:
    scores = {"dataset": ["x", "y"] * 2, "algorithm": ["a", "a", "b", "b"], "accuracy": [0.1, 0.2, 0.3, 0.4]}
    with pytest.raises(InputError, match="No value of price is known, of any algorithm on any data set"):
        tb.board(scores | {"price": [float("nan")] * 4}, score="accuracy", cost="price")


def test_the_first_build_counts_its_tiers() -> None:
    scores = {"dataset": ["x", "y"] * 2, "algorithm": ["a", "a", "b", "b"], "accuracy": [0.1, 0.2, 0.3, 0.4]}
    made = tb.board(scores, score="accuracy").begun()
    assert made.history[0]["sentences"] == ["The first build: 2 algorithms in 1 tier."]
