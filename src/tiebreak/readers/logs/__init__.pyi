from tiebreak.readers.logs.read import holds_logs as holds_logs, read_runs as read_runs
from tiebreak.readers.logs.runs import EvalRuns as EvalRuns
