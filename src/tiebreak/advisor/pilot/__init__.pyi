from tiebreak.advisor.pilot.recommend import recommend_piloted as recommend_piloted
from tiebreak.advisor.pilot.run import holds_results as holds_results, try_out as try_out
from tiebreak.advisor.pilot.tried_out import Trial as Trial, TriedOut as TriedOut
