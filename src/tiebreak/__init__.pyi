from typing import TYPE_CHECKING

__version__: str

if TYPE_CHECKING:  # other modules import this package
    from tiebreak import figures as figures, stats as stats
    from tiebreak.advisor import Advisor as Advisor
    from tiebreak.advisor.pilot.recommend import recommend as recommend
    from tiebreak.checking import check as check
    from tiebreak.cli.completion import completion as completion
    from tiebreak.comparison import Comparison as Comparison, compare as compare
    from tiebreak.datasets import DataSet as DataSet
    from tiebreak.errors import (
        InputError as InputError,
        MissingScores as MissingScores,
        OptionError as OptionError,
        TiebreakError as TiebreakError,
    )
    from tiebreak.evals.battles import battles as battles
    from tiebreak.evals.board import board as board
    from tiebreak.evals.gate import gate as gate
    from tiebreak.evals.planning import power as power
    from tiebreak.figures.kinds import figure as figure
    from tiebreak.lab import (
        Plan as Plan,
        compare_estimators as compare_estimators,
        run as run,
        run_estimators as run_estimators,
    )
    from tiebreak.lab.contents import store as store
    from tiebreak.multivariate_tests import multivariate as multivariate
    from tiebreak.ordering import Ordering as Ordering, order as order
    from tiebreak.readers import (
        as_results as as_results,
        from_cross_validate as from_cross_validate,
        published as published,
        read as read,
        read_store as read_store,
    )
    from tiebreak.reporting import demo as demo, report as report
    from tiebreak.results import Metric as Metric, Results as Results, stack as stack, with_costs as with_costs
    from tiebreak.stores import open_store as open_store
    from tiebreak.studies import paper as paper
    from tiebreak.studies.result import study as study
    from tiebreak.web.serving import serve as serve
    from tiebreak.web.tools import mcp as mcp
