"""Reading votes: every usual shape, and bad input with a right answer or a clear error."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import tiebreak as tb
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.evals.battles.votes import Votes, read_votes

from .voting import TABLE, rows_of

ARENA = """question_id,model_a,model_b,winner,judge
1,x,y,model_a,ann
1,y,x,model_b,bob
2,x,z,tie,ann
2,z,y,tie (bothbad),bob
3,z,x,model_a,ann
3,y,x,model_a,cy
"""


def codes(result: Any) -> list[str]:
    return [caveat.code for caveat in result.caveats]


def told(source: Any, **options: Any) -> str:
    with pytest.raises(TiebreakError) as caught:
        tb.battles(source, **options)
    return str(caught.value)


def test_the_columns_of_arenas_are_known(tmp_path: Path) -> None:
    path = tmp_path / "arena.csv"
    path.write_text(ARENA)
    votes = read_votes(path)
    assert votes.algorithms == ("x", "y", "z") and votes.outcome.tolist() == [1, -1, 0, 0, 1, 1]
    assert votes.clusters["prompt"].tolist() == [0, 0, 1, 1, 2, 2] and len(set(votes.clusters["voter"])) == 3
    assert codes(votes) == ["read-as", "votes-left-out"]
    assert read_votes(path, both_bad="drop").outcome.tolist() == [1, -1, 0, 1, 1]
    assert len(read_votes(path, where="judge == ann")) == 3


def test_every_kind_of_source_gives_the_same_votes(tmp_path: Path) -> None:
    rows = [dict(zip(ARENA.split()[0].split(","), line.split(","), strict=True)) for line in ARENA.splitlines()[1:]]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    (tmp_path / "v.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    (tmp_path / "v.json").write_text(json.dumps(rows))
    (tmp_path / "v.csv.gz").write_bytes(gzip.compress(ARENA.encode()))
    pl.DataFrame(columns).write_parquet(tmp_path / "v.parquet")
    files = [tmp_path / name for name in ("v.jsonl", "v.json", "v.csv.gz", "v.parquet")]
    for source in (rows, columns, pd.DataFrame(columns), pl.DataFrame(columns), *files):
        votes = read_votes(source)
        assert votes.outcome.tolist() == [1, -1, 0, 0, 1, 1] and votes.algorithms == ("x", "y", "z")


def test_a_winner_may_be_named_or_stand_beside_the_loser() -> None:
    named = read_votes({"left": ["x", "y"], "right": ["y", "z"], "winner": ["y", "y"]})
    assert named.outcome.tolist() == [-1, 1]
    assert read_votes({"winner": ["x", "y"], "loser": ["y", "z"]}).outcome.tolist() == [1, 1]


def test_an_unknown_label_is_listed_and_asked_for() -> None:
    rows = [{"left": "x", "right": "y", "winner": name} for name in ("1", "1", "2", "left")]
    assert told(rows) == (
        "The winner column of the records has values that are neither a known outcome nor one of the two names: '1'"
        " (2), '2' (1). Say what each means (left, right, tie, both-bad or drop): labels={'1': 'left'}."
    )
    votes = read_votes(rows, labels={"1": "left", "2": "right"})
    assert votes.outcome.tolist() == [1, 1, -1, 1]
    assert "meaning of '1'" in told(rows, labels={"1": "first"})


def test_a_name_that_did_not_meet_cannot_win() -> None:
    rows = [{"left": "x", "right": "y", "winner": "z"}, {"left": "z", "right": "y", "winner": "z"}]
    assert "'z' (1)" in told(rows)


def test_columns_that_are_not_there_are_asked_for() -> None:
    assert told([{"one": "x", "two": "y", "winner": "x"}]) == (
        "the records has no column that says who stands left and who stands right; its columns are 'one', 'two',"
        " 'winner'. Say which columns they are:"
        " columns={'left': 'one', 'right': 'two'}. A table of scores is made into battles by score=...."
    )
    rows = rows_of(TABLE)
    assert "There is no role of a column of votes 'juror'" in told(rows, columns={"juror": "left"})
    assert "There is no column in the records 'nobody'" in told(rows, columns={"voter": "nobody"})
    assert "was given two roles" in told(rows, columns={"left": "left", "right": "left"})


def test_battles_with_oneself_empty_votes_and_repeats_are_said() -> None:
    rows = [{**row, "voter": row["prompt"]} for row in rows_of(TABLE)]
    rows += [rows[0], {**rows[0], "right": rows[0]["left"]}, {**rows[0], "winner": ""}]
    battles = tb.battles(rows)
    assert battles.n_votes == len(rows) - 2 and {"votes-left-out", "duplicates-settled"} <= set(codes(battles))
    assert "1 battles of one with itself were left out ('a'): they tell nothing." in battles.caveats
    assert tb.battles(rows, duplicates="drop").n_votes == len(rows) - 3


def test_missing_voters_count_each_for_itself() -> None:
    rows = [{**row, "voter": None if i % 3 else "ann"} for i, row in enumerate(rows_of(TABLE))]
    votes = read_votes(rows)
    missing = sum(bool(i % 3) for i in range(len(rows)))
    assert len(set(votes.clusters["voter"].tolist())) == missing + 1 and "votes-independent" in codes(votes)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "the records is empty."),
        ([{"left": "a", "right": "a", "winner": "tie"}], "the records holds no votes."),
        ([{"left": "a", "right": "b", "winner": ""}], "the records holds no votes."),
        ([{"left": "a", "right": "", "winner": "left"}], "the name is missing"),
        (17, "A int holds no votes."),
        ("no/such.csv", "no/such.csv cannot be read: there is no such file."),
    ],
)
def test_what_holds_no_votes_is_refused(rows: Any, words: str) -> None:
    assert words in told(rows)


def test_lines_that_are_no_json_are_refused(tmp_path: Path) -> None:
    (tmp_path / "v.jsonl").write_text("{]")
    assert "it holds no lines of JSON" in told(tmp_path / "v.jsonl")
    (tmp_path / "w.jsonl").write_text("[1]")
    assert "w.jsonl holds no records." in told(tmp_path / "w.jsonl")


def test_an_algorithm_without_a_battle_that_counts_is_named() -> None:
    battles = tb.battles([*rows_of(TABLE), {"left": "z", "right": "z", "winner": "tie"}])
    assert "Left out, as no vote that counts is about them: 'z'." in battles.caveats


def test_only_some_algorithms() -> None:
    battles = tb.battles(rows_of(TABLE), algorithms=["a", "b"])
    assert battles.algorithms == ("a", "b") and battles.n_votes == 12
    with pytest.raises(OptionError):
        tb.battles(rows_of(TABLE), algorithms=["a"])
    with pytest.raises(OptionError):
        tb.battles(rows_of(TABLE), algorithms=["a", "q"])


def test_votes_themselves_are_taken() -> None:
    votes = read_votes(rows_of(TABLE))
    assert isinstance(votes, Votes) and tb.battles(votes).n_votes == len(votes) and "<array" in repr(votes)


# ---- prices


def test_prices_from_everywhere_are_the_same(tmp_path: Path) -> None:
    rows, prices = rows_of(TABLE), {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}
    (tmp_path / "p.csv").write_text("model,price,seats\n" + "".join(f"{k},{v},1\n" for k, v in prices.items()))
    beside = [{**row, "price_a": prices[row["left"]], "price_b": prices[row["right"]]} for row in rows]
    first = tb.battles(rows, prices=prices)
    for other in (
        tb.battles(rows, prices=tmp_path / "p.csv"),
        tb.battles(rows, prices=pd.read_csv(tmp_path / "p.csv"), cost="price"),
        tb.battles(beside, cost="price"),
    ):
        assert other.order == first.order and other.prices is not None and other.prices.tolist() == [4, 3, 2, 1]
    assert first.prior == ("d", "c", "b", "a")


def test_prices_that_are_missing_or_wrong_are_refused(tmp_path: Path) -> None:
    rows = rows_of(TABLE)
    assert told(rows, prices={"a": 1, "b": 2}) == (
        "'c', 'd' have no price. Add them, or leave those algorithms out: algorithms=['a', 'b']."
    )
    assert "algorithms out: algorithms=[...]." in told(rows, prices={"a": 1})  # one alone meets nobody
    whole = {"a": 1.0, "b": 2.0, "c": 3.0, "d": -4.0}
    assert "The price of 'd' is -4." in told(rows, prices=whole)
    assert "A price is no number." in told(rows, prices={**whole, "d": "dear"})
    assert "Nothing in the records says the price of an algorithm." in told(rows, cost="price")
    (tmp_path / "p.csv").write_text("model,in,out\na,1,2\n")
    assert "has no column 'price'" in told(rows, prices=tmp_path / "p.csv")
    (tmp_path / "q.csv").write_text("model,price\na,1\na,2\n")
    assert "q.csv has two prices for 'a': 1 and 2." in told(rows, prices=tmp_path / "q.csv")


def test_equal_prices_put_the_stronger_first() -> None:
    battles = tb.battles(rows_of(TABLE), prices=dict.fromkeys("abcd", 1.0))
    assert battles.order == battles.by_strength and battles.valuation is not None and battles.valuation.frontier == ()
    published = tb.battles(rows_of(TABLE), prices=dict.fromkeys("abcd", 1.0), rule="multitest")
    assert published.order == battles.order and "tied-costs" in codes(published)


def test_input_errors_are_input_errors() -> None:
    with pytest.raises(InputError):
        tb.battles([])
