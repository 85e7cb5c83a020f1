"""`tiebreak completion`: a script that lets a shell complete verbs, options, their choices and file names."""

from __future__ import annotations

from tiebreak.verbs import READ, WRITE, Option, Verb

VERB = Verb(
    name="completion",
    help="a script that lets bash, zsh or fish complete commands",
    description="Print a script with which a shell completes verbs, options, choices and file names. In bash and"
    " zsh load it with: source <(tiebreak completion bash). In fish: tiebreak completion fish | source.",
    takes="SHELL",
    function="tiebreak.completion",
    titles=(READ, WRITE),
    options=(
        Option(
            name="shell", group=WRITE, metavar="SHELL", words=("bash", "zsh", "fish"), strict=True, common=True,
            help="bash, zsh or fish",
        ),
    ),
    examples=("bash", "fish"),
)  # fmt: skip
