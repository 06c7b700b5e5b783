"""Where the hall takes part: a round that is withdrawn ends its codes, which score sheets have."""

from league import hooks
from league.apps.hall.queries import timer_ends
from league.apps.hall.services import check_in_again, end_codes, print_codes
from league.hooks import papers

hooks.events_appended.connect(end_codes)
hooks.evening_opened.connect(check_in_again)
papers.SEAT_CODES.append(print_codes)
hooks.VERSIONS.append(
    "SELECT string_agg(told.id::text, ',' ORDER BY told.id) FROM league_announcement AS told"
    " WHERE told.competition_id = competition.id AND told.removed_at IS NULL"
)
hooks.VERSIONS.append(
    "SELECT timer.ends_at FROM league_hall AS timer WHERE timer.competition_id = competition.id"
)
hooks.ROUND_ENDS.append(timer_ends)
