"""Where the hall takes part: a round that is withdrawn ends its codes, which score sheets have."""

from league import hooks
from league.apps.hall.services import end_codes, print_codes
from league.words import coverage

hooks.events_appended.connect(end_codes)
hooks.SEAT_CODES.append(print_codes)
hooks.VERSIONS.append(
    "SELECT string_agg(told.id::text, ',' ORDER BY told.id) FROM league_announcement AS told"
    " WHERE told.competition_id = competition.id"
)
coverage.COVERAGE.extend(
    coverage.Covered(f"hall.{table}", coverage.ALL, "not", why)
    for table, why in (
        ("SeatCode", coverage.LOG_IN),
        ("Kiosk", coverage.LOG_IN),
        ("Announcement", coverage.OUTSIDE),
        ("Call", coverage.OUTSIDE),
        ("Hall", coverage.NEVER_COUNTS),
    )
)
