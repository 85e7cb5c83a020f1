"""The verbs that are offered over HTTP, to assistants, and to the page without a server: a line of one table each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tiebreak.web.verbs import Verb, verb_of

_ANSWERED = ("file", "store", "format", "figure")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One verb as it is offered.

    Parameters
    ----------
    verb, text
        Its name, and what it does, in the description of the API.
    tool : str
        What an assistant is told of it; without, it is no tool.
    own : tuple of str
        The fields of a request beside options and further files.
    brings : str
        What a request must bring, as a sentence calls it.
    unless : tuple of str
        Options with which nothing need be brought.
    most : int
        So many files at most.
    without : tuple of str
        Options that its route does not have.
    writes : mapping
        What it always writes, by its options: a file, or a folder whose files are all given back.
    needs : tuple of str
        Options that descriptions call required: the command line refuses without them, in words of its own.
    sides : bool
        Whether the first file stands against the second, so that their order means something.
    example : mapping
        A body that is answered, for the description of the API.
    alone : bool
        Whether the page without a server has it.
    """

    verb: str
    text: str
    tool: str = ""
    own: tuple[str, ...] = _ANSWERED
    brings: str = "table"
    unless: tuple[str, ...] = ()
    most: int = 20
    without: tuple[str, ...] = ()
    writes: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    sides: bool = False
    example: Mapping[str, Any] = field(default_factory=dict)
    alone: bool = True

    def offered(self) -> Verb:
        """Return the verb with the options that its route has."""
        found = verb_of(self.verb)
        if not self.without:
            return found
        return replace(found, options={key: each for key, each in found.options.items() if key not in self.without})

    def writing(self, place: str = "") -> dict[str, str]:
        """Return the values with which it writes, into a place where that is not the folder of the job."""
        return {key: f"{place}{name}" for key, name in self.writes.items()}


OF_RUNS = ("run", "stop_below", "jobs", "pilot", "code", "variant")
"""Options of `recommend` that fit algorithms or write files: a server fits in the background alone, by a route of its
own."""
_OFFERS = (
    Offer(verb="read", own=("file", "format", "clean", "long"),
          text="How a file is understood; the same table as clean csv or parquet.",
          tool="Show how a table of results is understood: names, scores, costs, gaps, what is left out. Ask this"
          " first."),
    Offer(verb="compare", text="Who differs from whom, over many data sets, or over many items.",
          tool="Say which learning algorithms differ significantly over many data sets, by omnibus and post hoc test;"
          " or which language models differ on the same items (columns model, item, score; or logs of evaluations)."),
    Offer(verb="order",
          text="From best to worst: by score where the difference is worth its cost, by cost where it is not.",
          tool="Order learning algorithms, or language models on items, from best to worst: by score where the"
          " difference is worth its cost (trade), by cost where it is not; or by the published rules (rule)."),
    Offer(verb="multivariate", own=(*_ANSWERED, "page"), text="Who differs by several measures at once.",
          tool="Say which algorithms differ by several measures at once, such as tpr and fpr."),
    Offer(verb="battles", own=("file", "format", "figure"), most=1, brings="file of votes",
          text="Votes on pairs: who is significantly stronger, and who is first once cost counts.",
          tool="Turn votes on pairs of models (model_a, model_b, winner) into strengths, groups, and an order with"
          " price."),
    Offer(verb="power", own=("file", "store", "format"), unless=("items", "difference"),
          text="How many items it takes to see a difference of two models; from a table of items, or from numbers.",
          tool="Say how many items it takes to see a difference of two models, or which difference so many items"
          " show."),
    Offer(verb="gate", own=("file", "store", "format"), most=2, needs=("margin",), sides=True,
          writes={"summary": "gate.md", "junit": "gate.xml"},
          example={"file": "published:ulas2012", "base": "svr", "candidate": "svl", "margin": "5%",
                   "score": "accuracy", "cost": "train_time"},
          text="May a candidate take the place of a base: shown not worse by a margin, worse, or undecided. The first"
          " file is the base, the second the candidate; or one table, and the names of both. Every verdict is a 200.",
          tool="Say whether a candidate may take the place of a base: shown not to be worse by a margin, worse, or"
          " undecided with how many more items would decide. The first file is the base, the second the candidate; or"
          " one file, and the names of both."),
    Offer(verb="board", own=("file", "store"), writes={"out": "site"},
          example={"file": "published:ulas2012", "score": "accuracy", "cost": ["train_time"], "title": "Ours"},
          text="A leaderboard: order, tiers without a significant difference, costs, what changed since an earlier"
          " board.json; the page is kept, feed and badges are given back.",
          tool="Make a leaderboard: order with reasons, tiers without a significant difference, scores with intervals,"
          " costs, what changed since an earlier board.json. Nothing is written."),
    Offer(verb="report", own=("file", "store"), writes={"out": "report.html"},
          text="Comparison, and order where there is a cost, as one living page."),
    Offer(verb="recommend", own=("file", "learn_from", "format", "page"), most=1, brings="data set", unless=("known",),
          without=OF_RUNS, alone=False,
          text="An order of algorithms for new data, from past results on similar data.",
          tool="Recommend an order of learning algorithms for a new data set, from past results on similar data."),
)  # fmt: skip
OFFERS: Mapping[str, Offer] = {each.verb: each for each in _OFFERS}
"""Every verb that is offered; the routes, the tools and the page without a server follow from it."""
