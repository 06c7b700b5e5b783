"""The picture of a finished game that other sites show beside a link to it: who played, and who won.

It shows what its page shows to everybody, whoever asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.apps.prints.share_picture import FinalTable, Placed, drawn
from league.ops import offload
from league.ops.answers import KeptContents, tag_of, tagged
from league.queries.games import all_games, placings_of, seated, with_rulings
from league.queries.readers import PUBLIC, reading
from league.web.endings import headline, sides_in
from league.web.seats import tints_of
from league.words.messages import shown_name
from league.words.values import exact, ruleset_title

if TYPE_CHECKING:
    from league.models import ClubGame

_KEPT: Final = KeptContents[bytes](50)


@require_safe
def picture(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Return the picture of a finished game of a club as PNG; 304 for who has it, 404 for any other game."""
    with reading(PUBLIC):
        shown = final_table(game_id)
    tag = tag_of(shown)
    answer = tagged(request, tag, lambda: _answer(_KEPT.get(tag, lambda: offload.call(drawn, shown))))
    answer["Cache-Control"] = "no-cache"
    return answer


def _answer(png: bytes) -> HttpResponse:
    return HttpResponse(png, content_type="image/png")


def final_table(game_id: UUID) -> FinalTable:
    """Return what the picture of a finished game tells the reader; raise Http404 for any other game."""
    try:
        club_game = with_rulings(all_games()).get(pk=game_id, game__status="finished")
    except ObjectDoesNotExist:
        raise Http404 from None
    places, seats = placings_of(club_game), seated(club_game.game)
    tints = tints_of([seat.player.pk.int if seat.player else seat.seat for seat in seats])
    sides = sides_in({"seats": [{**place, "seat": seat} for seat, place in places.items()]}, seats)
    best_first = [(each.seat, side.rank == 1) for side in sides for each in side.seats]
    return FinalTable(
        ruleset_title(club_game.game.ruleset),
        _occasion(club_game),
        headline(sides),
        tuple(
            Placed(seat.name, seat.initials, tints[seat.number], exact(seat.score), won)
            for seat, won in best_first
        ),
    )


def _occasion(club_game: ClubGame) -> str:
    """Return where the game was played: its competition and round, and its club."""
    played_in = club_game.competition.name if club_game.competition else ""
    table = club_game.table
    at = _("round %(round)d, table %(table)d")
    told = at % {"round": table.round.number, "table": table.number} if table else ""
    return " · ".join(filter(None, (shown_name(played_in), told, club_game.club.name)))
