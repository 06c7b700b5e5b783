"""Short texts that change with whatever an answer is made of, for the tags of answers.

They are digests of the rows themselves, so nothing has to be counted up where rows are written.
"""

from functools import cache
from typing import Final
from uuid import UUID

from games import database_time
from games.prepared import one_row
from league import hooks
from league.choices import RoundStatus
from league.models import ClubGame, Competition, Round

# All that everybody may read of the log changes with the last entry that shows, except the standings, which a
# task writes; a draft changes neither. The names of players and of the club are in no log.
_COMPETITION: Final = """
SELECT competition.club_id, competition.head, md5(concat_ws('|',
    competition.id, competition.shown_seq, competition.shown_at, competition.slug, club.slug, club.name,
    club.timezone, least(standings.as_of, competition.shown_seq), details::text,
    (
        SELECT md5(string_agg(
            concat_ws(' ', player.id, player.merged_into_id, player.name, player.public_name, player.bot), ','
            ORDER BY player.id
        ))
        FROM league_player AS player WHERE player.club_id = competition.club_id
    )
    ,
    -- A timetable changes by the clock, too.
    CASE WHEN details.round_minutes > 0 AND competition.status IN ('preparing', 'entering', 'running')
        THEN floor(extract(epoch FROM {clock}) / 300) END,
    competition.objections_until <= {clock}
    {of_apps}
))
FROM league_competition AS competition
JOIN league_club AS club ON club.id = competition.club_id
LEFT JOIN league_standings AS standings ON standings.competition_id = competition.id
LEFT JOIN league_details AS details ON details.competition_id = competition.id
WHERE """

_GAMES: Final = """
SELECT md5(string_agg(game.head, ',' ORDER BY game.id))
FROM league_clubgame AS place JOIN games_game AS game ON game.id = place.game_id
WHERE place.competition_id = %(id)s::text::uuid
"""

_GAMES_AT: Final = """
SELECT md5(string_agg(game.head, ',' ORDER BY game.id))
FROM league_competition AS competition
JOIN league_clubgame AS place ON place.competition_id = competition.id
JOIN games_game AS game ON game.id = place.game_id
WHERE competition.slug = %(slug)s::text
"""

_GAME: Final = """
SELECT game.head, (
    SELECT md5(string_agg(concat_ws(
        ' ', seat.number, named.name, named.public_name, holder.name, holder.public_name
    ), ',' ORDER BY seat.number))
    FROM games_seat AS seat
    LEFT JOIN league_player AS named ON named.id = seat.player
    LEFT JOIN league_player AS holder ON holder.id = named.merged_into_id
    WHERE seat.game_id = game.id
)
FROM games_game AS game WHERE game.id = %(id)s::text::uuid
"""


@cache
def _of_competition(condition: str) -> str:
    """Return the statement for a competition, with what apps show on its pages."""
    of_apps = "".join(f", ({each})" for each in hooks.VERSIONS)
    return _COMPETITION.replace("{of_apps}", of_apps).format(clock=database_time.sql()) + condition


def of_competition(competition: UUID) -> str:
    """Return the version of a competition with its standings, its names and what it tells.

    Raises Competition.DoesNotExist.
    """
    row = one_row(_of_competition("competition.id = %(id)s::text::uuid"), {"id": str(competition)})
    if row is None:
        raise Competition.DoesNotExist
    return str(row[2])


def at_address(slug: str) -> tuple[UUID, str, str] | None:
    """Return club, head and version of the competition with an address, None where there is none."""
    row = one_row(_of_competition("competition.slug = %(slug)s::text"), {"slug": slug})
    return (row[0], row[1], row[2]) if row else None


def past_deadline(slug: str) -> bool:
    """Return whether the time of a round that is played is over: no log says so."""
    played = Round.objects.filter(stage__competition__slug=slug, status=RoundStatus.PUBLISHED)
    return played.filter(deadline__lte=database_time.now()).exists()


def of_games(competition: UUID) -> str:
    """Return the version of all games of a competition."""
    row = one_row(_GAMES, {"id": str(competition)})
    return str(row and row[0])


def version_of_games(slug: str) -> str:
    """Return the version of all games of the competition with an address."""
    row = one_row(_GAMES_AT, {"slug": slug})
    return str(row and row[0])


def of_log(game: UUID) -> str:
    """Return the version of a game's log with the names of its seats; raises ClubGame.DoesNotExist."""
    row = one_row(_GAME, {"id": str(game)})
    if row is None:
        raise ClubGame.DoesNotExist
    return f"{row[0]} {row[1]}"
