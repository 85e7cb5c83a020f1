"""`tiebreak completion`: a script that lets a shell complete verbs, options, their choices and file names.

Everything is taken from the parser and the records when the script is printed, so that pressing a key starts no Python.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from tiebreak.cli import options, shells
from tiebreak.cli.helping import READ, WRITE, add_verb, group
from tiebreak.cli.shells import Command, Option
from tiebreak.cli.study_orders import fold_tests
from tiebreak.methods import choices
from tiebreak.methods.policies import COST_POLICIES, OF_VERB
from tiebreak.reading.published_tables import references

WORDS: dict[str, str] = {
    "--scale": "auto as-is distance normalised sign",
    "--over": "scores items",
    "--variant": "2012 2008",
    "--rule": "worth multitest multi2test",
    "--retry": "error timeout memory crash",
    "--changed": "refuse rename",
    "--normalise-cost": "hosts none",
    "--sets": "listed random cheap",
    "--until": "settled best",
    "--progress": "auto none jsonl",
    "--splits": "5x2cv 2x2cv 10-fold holdout",
    "--unfinished": "leave-out gaps",
    "--errors": "complement inverse negative",
    "--duplicates": "mean best folds",
    "--incomplete": "pairs drop-algorithms drop-datasets worst",
    "--scaling": "log plain",
    "--times": "predicted measured",
    "--trial": "5-fold 10-fold 5x2cv fit",
    "--weighting": "equal inverse kernel",
    "--base": "shipped oboe tabzilla tabzilla-tuned tabarena tabrepo amlb bbtcomp",
    "--names": "exact merge",
    "--decimal": ". ,",
    "--statistic": "bartlett wilks pillai hotelling-lawley roy",
    "--test": "auto normal permutation ranks",
    "--resampling-correction": "auto none",
    "--average": "binary one-vs-rest macro",
    "--noise": "normal skewed heavy tied unequal crowd 0/1",
    "--by": "pair others",
    "--unit": "auto share deviation",
    "--question": "two together pairs control",
    "--corrections": "holm shaffer hochberg hommel",
    "--win-test": "auto 5x2cv-f 5x2cv-t corrected-t kfold-t",
    "--win-ties": "split drop",
    "--tests": "corrected replications independent",
    "--single-best": "accuracy mean-rank",
    "--both-bad": "tie drop",
    "--unanswered": "left-out wrong",
    "--disconnected": "refuse largest",
    "--width": "column page",
    "--theme": "paper dark page auto",
    "--height": "any",
}
"""What options without records take."""
OF_BATTLES: dict[str, str] = {
    "--rule": "worth multitest",
    "--ties": "davidson rao-kupper half",
    "--duplicates": "keep drop",
    "--cluster": "prompt voter prompt,voter none",
}
"""The same, where votes are meant."""

FIGURES = {
    "compare": ("Comparison",),
    "order": ("Ordering",),
    "multivariate": ("MultivariateComparison",),
    "battles": ("Battles",),
    "study advice": ("TopN",),
    "study advisor": ("TopN", "AccdCurve", "AttributeAgainstRank", "CharacteristicsByBest"),
    "study orders": ("OrderShares",),
    "study validation": ("ValidationStudy",),
    "study wins": ("WinMatrices",),
}
"""The results whose figures a verb draws."""

FILES = ("FILE", "RESULTS", "PLAN.toml", "DATA", "URL", "PAPER", "BASE", "VOTES")
"""What stands for the name of a file in the help; a store is one too, most of the time."""


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "completion",
        help="a script that lets bash, zsh or fish complete commands",
        description="Print a script with which a shell completes verbs, options, choices and file names. In bash and"
        " zsh load it with: source <(tiebreak completion bash). In fish: tiebreak completion fish | source.",
        takes="SHELL",
        titles=(READ, WRITE),
        examples=["bash", "fish -o tiebreak.fish"],
    )
    group(verb, WRITE).add_argument("shell", metavar="SHELL", choices=tuple(shells.WRITERS), help="bash, zsh or fish")
    options.add_out(verb)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the script of a shell."""
    options.emit(shells.WRITERS[arguments.shell](list(commands())), arguments.out)


def commands() -> Iterator[Command]:
    """Gather what every verb, and every study, takes."""
    from tiebreak.cli import parser
    from tiebreak.cli.study import STUDIES, parser_of_study

    verbs = next(each for each in parser()._actions if isinstance(each, argparse._SubParsersAction))
    texts = {each.dest: each.help or "" for each in verbs._choices_actions}
    for name, verb in verbs.choices.items():
        words = tuple(STUDIES) if name == "study" else ()
        yield _command(name, verb, texts[name], words)
    for name, (what, _, _) in STUDIES.items():
        yield _command(f"study {name}", parser_of_study(name), what, ())


def _command(name: str, verb: argparse.ArgumentParser, text: str, words: tuple[str, ...]) -> Command:
    """Take a parser apart; what is hidden from help is not offered, but for help itself."""
    given = [each for each in verb._actions if each.option_strings and each.help != argparse.SUPPRESS]
    places = [each for each in verb._actions if not each.option_strings]
    return Command(
        name=name,
        text=text,
        words=words or tuple(word for each in places for word in each.choices or _names(each)),
        files=any(each.metavar in FILES for each in places),
        options=(*(_option(name, each) for each in given), Option(flags=("--help",), text="say what there is")),
    )


def _names(action: argparse.Action) -> tuple[str, ...]:
    """Published tables have names that stand beside those of files wherever results are read."""
    read = action.metavar == "RESULTS" or action.dest in ("results", "source")
    return references() if read and action.metavar in FILES else ()


def _option(verb: str, action: argparse.Action) -> Option:
    metavar = str(action.metavar or "")
    return Option(
        flags=tuple(action.option_strings),
        text=(action.help or "").replace("%%", "%"),
        takes=action.nargs != 0,
        words=words_of(verb, action),
        files=metavar in FILES,
        folders=metavar == "DIR",
    )


def words_of(verb: str, action: argparse.Action) -> tuple[str, ...]:
    """Return the words that an option takes; none where it takes anything."""
    flag = action.option_strings[-1]
    if names := _names(action):
        return names
    if action.choices is not None:
        return tuple(map(str, action.choices))
    if flag == "--figure-kind":
        from tiebreak.figures import KINDS

        more = ("ranking-methods",) if verb == "study advisor" else ()
        return (*(kind for result in FIGURES[verb] for kind in KINDS[result]), *more)
    if flag == "--pairwise" and verb == "study orders":
        return fold_tests()
    if verb == "gate" and flag == "--base":  # a model of the table, not a knowledge base
        return ()
    if verb == "battles" and flag in OF_BATTLES:
        return tuple(OF_BATTLES[flag].split())
    if flag == "--scale" and verb == "study advisor":
        return ("range", "deviation")
    return _recorded(verb, flag) or tuple(WORDS.get(flag, "").split())


def _recorded(verb: str, flag: str) -> tuple[str, ...]:
    """Ask the records; reports and checks take what a comparison takes, options for orders what an order takes."""
    of = "order" if verb in ("study orders", "board") else verb
    of = "compare" if of in ("report", "check") or of.startswith("study ") else of
    if flag == "--omnibus":
        return choices("omnibus", verb=of)
    if flag == "--order-pairwise" or (flag == "--pairwise" and of == "order"):
        return tuple(dict.fromkeys(("wilcoxon", "sign", "paired-t", *choices("folds", verb="order"))))
    if flag == "--pairwise":
        return choices("pairs", verb=of)
    if flag == "--posthoc" and verb == "battles":
        return choices("correction", verb="compare")
    if flag == "--posthoc":
        return choices("correction", "posthoc", verb=of)
    if flag == "--inner-adjust":
        return choices("correction", verb=of)
    if flag in ("--method", "--methods"):
        return choices("ranking")
    if flag == "--missing-costs":
        return tuple(COST_POLICIES)
    return tuple(OF_VERB["study" if verb.startswith("study ") else of]) if flag == "--missing" else ()
