from tiebreak.readers.logs.read import holds_logs as holds_logs
from tiebreak.readers.logs.table import read_logs as read_logs
