"""Messages speak the words of the interface that is used: options on the command line, arguments in Python."""

from __future__ import annotations

import argparse
import ast
import re
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tiebreak as tb
from tiebreak.cli import VERBS, main, parser
from tiebreak.cli.parsing import parser_of
from tiebreak.errors import TiebreakError
from tiebreak.verbs.studies import STUDIES
from tiebreak.wording import PLACEHOLDERS, any_of, either, on_the_command_line, option, shell

from .every import every

ROOT = Path(tb.__file__).parent
DASHED = re.compile(r"(?<![\w-])--(?!tb-|jp-|vscode-)[a-z][a-z-]*")  # those are properties of CSS
ARGUMENT = re.compile(r"(?<![\w.\"/?&-])[a-z][a-z_]*=(?=[\[{('\".]|\d|True\b|False\b)")
SHELL = ("pip install --upgrade tiebreak", "`tiebreak store URL --calibrate`")
"""Whole commands for a shell, which are the same whoever reads them."""
OF_PYTHON = {
    "results/frames.py": ("kind='polars'",),  # to_frame and its kin, which the command line never calls
    "results/cells.py": ("score='accuracy'", "orient='records'", "index=False"),  # arrays; calls of pandas
    "results/roles.py": ("score=",),  # two spellings of one argument
}
"""Arguments in messages that only Python can come to, of the stages that the command line calls."""


# ---- the words


def test_the_interface_is_that_of_the_call_alone() -> None:
    assert either("a", "--b") == "a"
    with on_the_command_line("compare"):
        assert either("a", "--b") == "--b"
        with pytest.raises(ValueError, match="x"), on_the_command_line("order"):
            raise ValueError("x")
        assert option(scores="x") == "--score x"
    assert option(scores="x") == "scores='x'"


def test_a_thread_speaks_as_the_call_that_started_it() -> None:
    heard: list[str] = []
    with on_the_command_line("compare"):
        thread = threading.Thread(target=lambda: heard.append(option("alpha")))
        thread.start()
        thread.join()
    assert heard == ["--alpha"]


@every(
    ("words", "python", "command"),
    [
        (lambda: option(rule="multitest"), "rule='multitest'", "--rule multitest"),
        (lambda: option("inner_adjust"), "inner_adjust", "--inner-adjust"),
        (
            lambda: option(alpha=0.1, missing="drop-folds"),
            "alpha=0.1, missing='drop-folds'",
            "--alpha 0.1 --missing drop-folds",
        ),
        (lambda: option(transpose=True), "transpose=True", '"FILE?transpose=yes"'),
        (lambda: option(transpose=False), "transpose=False", '"FILE?transpose=no"'),
        (lambda: option(higher_is_better={"x": False}), "higher_is_better={'x': False}", "--direction x=lower"),
        (
            lambda: option(columns={"dataset": "my task"}),
            "columns={'dataset': 'my task'}",
            '--column "dataset=my task"',
        ),
        (lambda: option(where=["a == 1", "b < 2"]), "where=['a == 1', 'b < 2']", '--where "a == 1" --where "b < 2"'),
        (lambda: option(cost=["a", "b"]), "cost=['a', 'b']", "--cost a --cost b"),
        (lambda: option(algorithms=["a b", ...]), "algorithms=['a b', ...]", '--where "algorithm in a b,..."'),
        (lambda: option(prior=[...]), "prior=[...]", "--prior A,B,C"),
        (lambda: option(positive=...), "positive=...", '"results.db?positive=A,B"'),
        (lambda: option(tie_correction=True), "tie_correction=True", "tie_correction=True in Python"),
        (lambda: option(top=3), "top=3", "--top 3 of `tiebreak figure`"),
        (lambda: any_of("rule", ["worth", "multitest"]), "rule='worth' or 'multitest'", "--rule worth or multitest"),
        (lambda: option(target=...), "target=...", "target = ..."),  # a key of a plan, but for recommend
        (lambda: option(symbolic=["x"]), "symbolic=['x']", 'symbolic = ["x"]'),
    ],
)
def test_an_argument_is_said_in_both_ways(words: Callable[[], str], python: str, command: str) -> None:
    assert words() == python
    with on_the_command_line("order"):
        assert words() == command


def test_a_verb_may_have_a_name_of_its_own_for_an_option() -> None:
    with on_the_command_line("multivariate"):
        assert option(scores=["tpr", "fpr"]) == "--scores tpr,fpr"
        assert option(blocked=False) == "--one-way"
    with on_the_command_line("compare", source="t.csv"):
        assert option(transpose=True) == '"t.csv?transpose=yes"'
    with on_the_command_line("read"):
        assert option(transpose=False) == "--no-transpose"
    with on_the_command_line("recommend"):
        assert option(target="kind") == "--target kind"


def test_what_a_shell_would_take_apart_is_quoted() -> None:
    quoted = {"a": "a", "": '""', ",": '","', "a b": '"a b"', "a'b": '"a\'b"', 'a"b': "'a\"b'", "a$b": "'a$b'"}
    assert {text: shell(text) for text in quoted} == quoted


# ---- the source


def of_docstrings(tree: ast.AST) -> set[ast.AST]:
    bodies = [node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list)]
    return {line.value for body in bodies for line in body if isinstance(line, ast.Expr)}


@cache
def trees() -> list[tuple[Path, ast.AST]]:
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in sorted(ROOT.rglob("*.py"))]


@cache
def literals() -> tuple[tuple[str, int, str, str], ...]:
    return tuple(found_literals())


def found_literals() -> Iterator[tuple[str, int, str, str]]:
    """Yield every text of the package but docstrings: file, line, the text, and which argument of `either` it is in."""
    for path, tree in trees():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(("cli/", "web/", "verbs/")) or name in (
            "wording.py",
            "reporting/html.py",
        ):  # the last holds a style sheet
            continue
        inside: dict[ast.AST, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "either":
                for side, given in zip(("python", "command"), node.args, strict=True):
                    inside |= dict.fromkeys(ast.walk(given), side)
        docstrings = of_docstrings(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
                yield name, node.lineno, node.value, inside.get(node, "")


def test_no_message_names_an_option_but_for_the_command_line() -> None:
    texts = [
        f"{name}:{line}: {text}"
        for name, line, text, side in literals()
        if side != "command"
        and not name.startswith("studies/papers/")  # whose commands are data
        and DASHED.search(text)
        and not any(item in text for item in SHELL)
    ]
    assert not texts, "\n".join(texts)


def test_no_message_for_the_command_line_names_an_argument() -> None:
    stages = ("comparison/", "ordering/", "checking/", "results/", "readers/understanding/", "readers/grids/", "store/")
    texts = [
        f"{name}:{line}: {text}"
        for name, line, text, side in literals()
        if (side == "command" or (not side and name.startswith(stages) and " " in text.strip()))
        and ARGUMENT.search(text)
        and not any(item in text for item in OF_PYTHON.get(name, ()))
        and "PRAGMA" not in text
        and not text.startswith('"?sep')
    ]
    assert not texts, "\n".join(texts)


@cache
def actions() -> dict[str, dict[str, argparse.Action]]:
    """Return the options of every verb, those of all studies together."""
    [verbs] = (action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    result = {verb: [verbs.choices[verb]] for verb in VERBS} | {
        "study": [parser_of(f"study {name}") for name in STUDIES]
    }
    return {
        verb: {string: action for item in parsers for action in item._actions for string in action.option_strings}
        for verb, parsers in result.items()
    }


def worded() -> Iterator[tuple[str, str]]:
    """Yield every argument that messages word, with where; those whose name is made on the way are not seen."""
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("option", "any_of"):
                where = f"{path.name}:{node.lineno}"
                yield from ((keyword.arg, where) for keyword in node.keywords if keyword.arg)
                firsts = node.args if node.func.id == "option" else node.args[:1]
                yield from ((item.value, where) for item in firsts if isinstance(item, ast.Constant))


def test_every_option_that_is_derived_exists() -> None:
    known = {string for verb in actions().values() for string in verb}
    for name, where in worded():
        with on_the_command_line("recommend" if name in ("target", "kind") else "order"):
            text = option(name)
        assert text in known or not text.startswith("--"), f"{where}: {text}"


def test_every_option_that_is_written_out_exists() -> None:
    known = {string for verb in actions().values() for string in verb} - {"--upgrade"}
    texts = [*literals(), ("wording", 0, (ROOT / "wording.py").read_text(encoding="utf-8"), "command")]
    for name, line, text, side in texts:
        for message in DASHED.findall(text) if side == "command" else ():
            assert message in known, f"{name}:{line}: {message}"


def test_placeholders_are_those_of_the_help() -> None:
    known = actions()
    for name, placeholder in PLACEHOLDERS.items():
        string = "--" + {"columns": "column"}.get(name, name).replace("_", "-")
        named = {verb[string].metavar for verb in known.values() if string in verb}
        assert placeholder in named, f"{name}: {named}"


# ---- real messages, through both doors


WIDE = "dataset,RF,SVM,NB\n" + "".join(f"d{i},0.{90 - i},0.{80 + i},0.{70 + i % 3}\n" for i in range(8))
COSTS = "dataset,algorithm,accuracy,train_time\n" + "".join(
    f"d{i},{name},0.{70 + 3 * place + (i * place) % 5},{place + 1}\n"
    for i in range(8)
    for place, name in enumerate(("NB", "RF", "SVM"))
)
TWO_COSTS = COSTS.replace("train_time", "train_time,space").replace("\n", ",2\n").replace("space,2", "space")
FOLDS = "dataset,algorithm,fold,tpr,fpr\n" + "".join(
    f"iris,{name},{fold},0.{80 + (7 * fold * place) % 11},0.{10 + (3 * fold + place) % 7}\n"
    for fold in range(10)
    for place, name in enumerate(("NB", "RF", "SVM"))
)
REAL = "dataset,algorithm,acc,f1\niris,RF,0.9,1\nwine,RF,0.9,1\niris,SVM,0.8,1\nwine,SVM,0.7,1\n"
TWICE = "dataset,algorithm,accuracy,budget\n" + "".join(
    f"{d},{a},0.{b},{b}\n" for d in "xy" for a in "pq" for b in (1, 2)
)

# an id, the table, the verb, the options, the arguments, and a piece of what is said in Python
CASES: list[tuple[str, str, str, str, dict[str, Any], str]] = [
    ("direction", WIDE, "compare", "", {}, "higher_is_better=True or False"),
    ("both", WIDE.replace("0.90", ""), "compare", "--missing refuse", {"missing": "refuse"}, "2 arguments are missing"),
    ("both, to order", WIDE.replace("0.90", ""), "order", "--missing refuse", {"missing": "refuse"},
     "2 arguments are missing"),
    ("gap", WIDE.replace("0.90", ""), "compare", "--score auc --missing refuse",
     {"score": "auc", "missing": "refuse"}, "missing='drop-datasets'"),
    ("gap left", "dataset,A,B\nx,1,\ny,1,2\n", "compare", "--score error --missing drop-algorithms",
     {"score": "error", "missing": "drop-algorithms"}, "missing=..."),
    ("cost", WIDE, "order", "--score auc --rule multitest", {"score": "auc", "rule": "multitest"}, "cost=..."),
    ("scores", REAL, "compare", "", {}, "score='acc'"),
    ("scores and cost", REAL, "order", "--rule multitest", {"rule": "multitest"}, "2 arguments are missing"),
    ("sum of rows", WIDE + "Average,0.85,0.83,0.71\n", "compare", "--score auc", {"score": "auc"}, "keep_rows=True"),
    ("description", "dataset,#inst,RF,SVM\n" + "".join(f"d{i},{150 + 37 * i},0.9{i},0.8{i}\n" for i in range(8)),
     "compare", "--score auc", {"score": "auc"}, "algorithms=[...]"),
    ("comma", "dataset;RF;SVM\nx;1,234;2,345\ny;3,456;4,567\n", "compare", "--score error", {"score": "error"},
     "decimal=','"),
    ("range", WIDE.replace("0.90", "85"), "compare", "--score auc", {"score": "auc"}, "plain=True"),
    ("role", "task,problem,algorithm,auc\nx,1,a,0.5\nx,2,a,0.4\ny,1,a,0.4\n", "compare", "", {},
     "columns={'dataset': 'task'}"),
    ("long without names", "dataset,who,accuracy\nx,a,0.5\nx,b,0.4\n", "compare", "", {},
     "columns={'algorithm': 'who'}"),
    ("twice", TWICE, "compare", "--score accuracy", {"score": "accuracy"}, "columns={'replication': 'budget'}"),
    ("where", COSTS, "compare", "--score accuracy --where nonsense", {"score": "accuracy", "where": "nonsense"},
     "where='imputed == False'"),
    ("level", WIDE, "compare", "--score auc --alpha 2", {"score": "auc", "alpha": 2}, "alpha=0.05"),
    ("control", WIDE, "compare", "--score auc --posthoc bonferroni-dunn",
     {"score": "auc", "posthoc": "bonferroni-dunn"}, "control=..."),
    ("policy", WIDE, "compare", "--score auc --missing worst-rank --pairwise paired-t",
     {"score": "auc", "missing": "worst-rank", "pairwise": "paired-t"}, "pairwise="),
    ("two tests", WIDE, "compare", "--score auc --posthoc nemenyi --pairwise sign",
     {"score": "auc", "posthoc": "nemenyi", "pairwise": "sign"}, "posthoc='holm'"),
    ("omnibus", WIDE, "compare", "--score auc --omnibus quade --posthoc tukey",
     {"score": "auc", "omnibus": "quade", "posthoc": "tukey"}, "omnibus="),
    ("trade", COSTS, "order", "--score accuracy --trade 1", {"score": "accuracy", "trade": "1"}, "trade='1pt'"),
    ("two trades", COSTS, "order", "--score accuracy --trade 1% --accd 0.01",
     {"score": "accuracy", "trade": "1%", "accd": 0.01}, "trade and accd"),
    ("rule", COSTS, "order", "--score accuracy --rule worth --variant 2012",
     {"score": "accuracy", "rule": "worth", "variant": "2012"}, "rule='multi2test'"),
    ("two costs", TWO_COSTS, "order", "--score accuracy --rule multitest --cost space --cost train_time",
     {"score": "accuracy", "rule": "multitest", "cost": ["space", "train_time"]}, "rule='multitest'"),
    ("missing cost", COSTS.replace(",3\n", ",\n", 1), "order", "--score accuracy", {"score": "accuracy"},
     "missing_costs='drop-datasets'"),
    ("one fold", COSTS, "order", "--score accuracy --pairwise corrected-t",
     {"score": "accuracy", "pairwise": "corrected-t"}, "pairwise='score'"),
    ("seed", FOLDS, "multivariate", "--scores tpr,fpr --seed -1", {"scores": ["tpr", "fpr"], "seed": -1}, "seed=0"),
    ("share", FOLDS, "multivariate", "--scores tpr,fpr --test-share 2", {"scores": ["tpr", "fpr"], "test_share": 2.0},
     "test_share=0.1"),
    ("measures", FOLDS.replace("tpr,fpr", "zeal,verve"), "multivariate", "--scores zeal,verve",
     {"scores": ["zeal", "verve"]}, "nor 'verve'"),
    ("one way", FOLDS, "multivariate", "--scores tpr,fpr --one-way", {"scores": ["tpr", "fpr"], "blocked": False},
     "blocked=True"),
]  # fmt: skip


@every(("table", "verb", "options", "arguments", "piece"), [case[1:] for case in CASES])
def test_both_interfaces_are_spoken_to_in_their_own_words(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    table: str,
    verb: str,
    options: str,
    arguments: dict[str, Any],
    piece: str,
) -> None:
    path = tmp_path / "table.csv"
    path.write_text(table)
    full = ["--full"] if verb in ("compare", "order") else []  # with every caveat
    code = main([verb, str(path), *options.split(), *full])
    heard = capsys.readouterr()
    command = heard.err if code else heard.out
    try:
        python = str(getattr(tb, verb)(path, **arguments).document())
    except TiebreakError as error:
        python = str(error)
    assert piece in python
    assert not DASHED.search(python)
    assert not ARGUMENT.search(command)
    assert "None" not in command
    findall = DASHED.findall(command)
    assert findall or '"table.csv?' in command or f'"{path}?' in command
    assert set(findall) <= set(actions()[verb])
