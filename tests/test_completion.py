"""Completion: what is offered is what the parser and the records take, and the shells that are here can use it."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tiebreak.cli import VERBS, main
from tiebreak.cli.completion import bash, brief, fish, zsh
from tiebreak.cli.parsing import parser_of, words_of
from tiebreak.methods import choices
from tiebreak.verbs import every_verb, verb_of
from tiebreak.verbs.studies import STUDIES

from .every import every


def parsers() -> dict[str, argparse.ArgumentParser]:
    return {name: parser_of(name, shown="all") for name in [*VERBS, *(f"study {name}" for name in STUDIES)]}


WRITERS = {"bash": bash, "zsh": zsh, "fish": fish}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("scripts")
    folders = {shell: folder / f"tiebreak.{shell}" for shell in WRITERS}
    for shell, path in folders.items():
        path.write_text(WRITERS[shell](), encoding="utf-8")
    return folders


def test_every_verb_and_every_option_is_there() -> None:
    text, lines = bash(), fish().splitlines()
    for name, verb in parsers().items():
        offered = text.partition(f'"{name} "*) flags=')[2].partition("words=")[0].strip("' ").split()
        shown = {flag for action in verb._actions for flag in action.option_strings}
        assert set(offered) == shown - {"-h"}, name
        start = f"complete -c tiebreak -n '__tiebreak_verb {name}' "
        assert {f"-l {item[2:]}" for item in shown if item.startswith("--")} <= {
            item for line in lines if line.startswith(start) for item in re.findall(r"-l [\w-]+", line)
        }


ASKING = ("TEST", "KIND", "RULE", "POLICY", "WAY", "THEME", "FORM", "CORRECTION", "MODEL", "YEAR", "STATUS")
"""What stands in help for one of some words."""


def test_what_an_option_takes_is_offered() -> None:
    for verb in every_verb():
        for option in verb.flags:
            if option.metavar in ASKING:
                assert words_of(option), (verb.name, option.flag)


def test_words_are_those_of_the_help() -> None:
    for verb in every_verb():
        for option in verb.flags:
            if not isinstance(option.words, str) and "{words}" not in option.help:
                assert all(word in option.help for word in option.words), (verb.name, option.flag)


def test_choices_come_from_the_records() -> None:
    def words(verb: str, flag: str) -> tuple[str, ...]:
        return words_of(next(option for option in verb_of(verb).options if option.flag == flag))

    assert words("compare", "--omnibus") == choices("omnibus", verb="compare")
    assert words("report", "--posthoc") == choices("correction", "posthoc", verb="compare")
    assert {"hotelling", "paired-t"} <= set(words("order", "--pairwise"))
    policies = ("auto", "refuse", "drop-datasets", "drop-algorithms", "drop-folds")
    assert words("multivariate", "--missing") == policies


def test_texts_are_cut() -> None:
    assert brief("x" * 100) == "x" * 69 + "..."
    assert brief("a correction (none) or a test; default") == "a correction"


BASH = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_tiebreak
printf '%s\\n' "${COMPREPLY[@]}"
"""
CASES: dict[str, list[str]] = {
    "co": ["compare", "completion"],
    "compare --omn": ["--omnibus"],
    "compare --omnibus fr": ["friedman", "friedman-chi2", "friedman-exact"],
    "compare x.csv --posthoc nem": ["nemenyi"],
    "order --rule ": ["multi2test", "multitest", "worth"],
    "order tab": [],
    "compare --score ": [],
    "study ": [
        "advice",
        "advisor",
        "choices",
        "error-rates",
        "measures",
        "orders",
        "replicability",
        "ulas2012",
        "validation",
        "wins",
    ],
    "study wins --win-ties ": ["drop", "split"],
    "study error-rates --noi": ["--noise"],
    "study replicability --question ": ["control", "pairs", "together", "two"],
    "completion ": ["bash", "fish", "zsh"],
    "compare publ": ["published:demsar2006", "published:demsar2006_ranks", "published:ulas2012"],
    "demo --out ": [],
}
"""What is typed, and what is offered for its last word; where nothing is, the shell offers files."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "table one.csv").touch()
    (tmp_path / "tables").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
@every("typed", CASES)
def test_bash_completes(typed: str, scripts: dict[str, Path], folder: Path) -> None:
    command = ["bash", "--norc", "-c", BASH, "bash", str(scripts["bash"]), "tiebreak", *typed.split(" ")]
    process = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    assert process.stderr == ""
    assert sorted(line for line in process.stdout.splitlines() if line) == CASES[typed]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not here")
@every("typed", [case for case in CASES if CASES[case]])
def test_fish_completes(typed: str, scripts: dict[str, Path], folder: Path) -> None:
    code = f"source {scripts['fish']}; complete -C 'tiebreak {typed}'"
    process = subprocess.run(
        ["fish", "--no-config", "-c", code], capture_output=True, text=True, check=True, cwd=folder
    )
    assert sorted(line.split("\t")[0] for line in process.stdout.splitlines()) == CASES[typed]


ZSH = """
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; autoload -U compinit; compinit -u -D; source $1; bindkey '^I' complete-word; echo REA''DY"
zpty -r z out '*READY*'
zpty -n -w z "$2"$'\\t'
out=
for look in {1..6000}; do
  while zpty -rt z part; do out+=$part; done
  [[ $out == *$3* ]] && break
  sleep 0.1
done
print -r -- $out
zpty -d z
"""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not here")
@pytest.mark.parametrize(
    ("typed", "becomes"),
    [
        ("tiebreak dem", "tiebreak demo"),
        ("tiebreak compare --omn", "tiebreak compare --omnibus"),
        ("tiebreak compare --omnibus al", "tiebreak compare --omnibus aligned-ranks"),
        ("tiebreak order table", "tiebreak order table"),
        ("tiebreak study wins --win-ties d", "tiebreak study wins --win-ties drop"),
        ("tiebreak compare published:u", "tiebreak compare published:ulas2012"),
    ],
)
def test_zsh_completes(typed: str, becomes: str, scripts: dict[str, Path], folder: Path) -> None:
    command = ["zsh", "-f", "-c", ZSH, "zsh", str(scripts["zsh"]), typed, becomes]
    stdout = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout
    assert becomes in stdout


@pytest.mark.parametrize("shell", WRITERS)
def test_the_shell_takes_the_script(shell: str, scripts: dict[str, Path]) -> None:
    text = scripts[shell].read_text()
    assert text.isprintable() or "\t" not in text
    if shutil.which(shell):
        process = subprocess.run([shell, "-n", str(scripts[shell])], capture_output=True, text=True, check=True)
        assert process.stderr == ""


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["completion", "tcsh"])
    assert ended.value.code == 2
    assert "choose from 'bash', 'zsh', 'fish'" in capsys.readouterr().err
