"""From decisions to an order, and from past results to a ranking."""

from tiebreak.methods._record import Method, Promise, recorded

_NONE = Promise(keeps="nothing", premises="it orders; what is certain about it the tests inside it say")
_TRADE = "time accd weights floor resolution"


def _ranking(
    name: str, question: str, function: str, papers: str, options: str, takes: str = "success rates"
) -> Method:
    """Write the record of a way to rank algorithms by past results."""
    about = {"kind": "ranking", "takes": takes, "home": "tiebreak.advisor.rankings", "verbs": ("recommend",)}
    return recorded(name, question, function, _NONE, papers, options=tuple(options.split()), **about)


def _ordering(name: str, question: str, function: str, papers: str) -> Method:
    """Write the record of a way to order algorithms by tests and cost."""
    about = {"kind": "ordering", "takes": "places", "home": "tiebreak.ordering", "verbs": ("order",)}
    return recorded(name, question, function, _NONE, papers, **about)


RECORDS = (
    _ordering("worth", "Which is best once ten times the cost must buy the trade?", "order", "brazdil2003"),
    _ordering(
        "multitest",
        "Which is best, the cheaper first unless a costlier one is significantly better?",
        "multitest",
        "yildiz2006",
    ),
    _ordering(
        "multi2test",
        "Which is best over data sets, by the places that MultiTest gives on each?",
        "order",
        "yildiz2006 ulas2012",
    ),
    _ranking(
        "portfolio", "Which adds most to the best of those before?", "rank_by_portfolio", "nemhauser1978", "weights"
    ),
    _ranking(
        "timed-portfolio",
        "The same, with the time of all that were run?",
        "rank_by_timed_portfolio",
        "nemhauser1978 abdulrahman2018",
        "time accd weights resolution",
    ),
    _ranking("arr", "Which has the best success rates for its time?", "rank_by_arr", "brazdil2003", _TRADE),
    _ranking("a3r", "The same, falling with time at any ratio?", "rank_by_a3r", "brazdil2003 abdulrahman2018", _TRADE),
    _ranking("srr", "Which has the best ratios of success rates?", "rank_by_srr", "brazdil2003", "weights floor"),
    _ranking("mean-rank", "Which has the best mean rank?", "rank_by_mean_rank", "brazdil2003", "weights"),
    _ranking(
        "wins", "Which wins most often by a test on the folds?", "rank_by_wins", "brazdil2003", "weights", "fold scores"
    ),
    _ranking("scores", "Which stands first by scores, then time?", "rank_by_scores", "ulas2012", "time"),
    _ranking(
        "multitest", "Which stands first by Multi2Test?", "rank_by_multitest", "brazdil2003 ulas2012", "time", "places"
    ),
)
