"""The pages of clubs and their players."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league import records, selectors
from league.models import ClubGame, Player
from league.ratings import NOTHING_KNOWN
from league.records import Course
from league.selectors import SeatedPlayer
from league.views.charts import Chart, course
from league.views.competitions import paged
from league.views.tools import Tools

CLUBS_SHOWN = 60
GAMES_SHOWN = 20
COMPETITIONS_SHOWN = 12
PLAYERS_SHOWN = 100
OPPONENTS_SHOWN = 30


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the clubs, and the competitions that are open for entries or played."""
    shown = paged(request, selectors.clubs(), CLUBS_SHOWN)
    context = {"clubs": shown, "page": shown, "running": selectors.running_competitions()}
    return render(request, "clubs/home.html", context)


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: its competitions, its players, its casual games."""
    shown = get_object_or_404(selectors.clubs(), slug=slug)
    context = {
        "club": shown,
        "zone": shown.timezone,
        "competitions": selectors.competitions_of(shown)[:COMPETITIONS_SHOWN],
        "players": paged(request, selectors.players_of(shown, active=True), PLAYERS_SHOWN),
        "games": selectors.games_of_club(shown)[:GAMES_SHOWN],
        "rated": selectors.rated_rulesets(shown),
    }
    return render(request, "clubs/club.html", context)


@dataclass(frozen=True)
class PlayedGame:
    """A game of one player, with whom; rank and score once it has a result."""

    place: ClubGame
    others: tuple[Player, ...]
    rank: int | None
    score: int | None


def _games_of(player: Player) -> str:
    return f"{reverse('api:games')}?player={player.pk}"


@require_safe
def player(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Show a player: ratings, where they take part, whom they met, and their games with what came of them."""
    shown = get_object_or_404(Player.objects.select_related("club"), pk=player_id)
    games = paged(request, selectors.games_of_player(shown), GAMES_SHOWN)
    seats = selectors.seated_at([place.game for place in games])
    record = records.of(shown)
    context = {
        "player": shown,
        "club": shown.club,
        "zone": shown.club.timezone,
        "ratings": [(course, _chart(course)) for course in record.ratings],
        "meetings": record.head_to_head[:OPPONENTS_SHOWN],
        "entries": selectors.entries_of_player(shown),
        "page": games,
        "tools": Tools((), reverse("api:player-games-csv", args=[shown.pk]), _games_of(shown)),
        "games": [_played(place, seats[place.game.pk], shown) for place in games],
    }
    return render(request, "clubs/player.html", context)


def _played(place: ClubGame, seats: Sequence[SeatedPlayer], shown: Player) -> PlayedGame:
    own = next(seat.seat for seat in seats if seat.player == shown)
    others = tuple(seat.player for seat in seats if seat.player and seat.player != shown)
    told = place.game.result["seats"][own] if place.game.result else {}
    return PlayedGame(place, others, told.get("rank"), told.get("score"))


def _chart(shown: Course) -> Chart:
    """Return the chart of a course, from where the player stood before its first game."""
    first = shown.history[0]
    believed = [each.believed for each in shown.history]
    # What was known before the first game shown is not at hand: it was a little less.
    start = believed[0].uncertainty if first.games > 1 else NOTHING_KNOWN.uncertainty
    values = [believed[0].points - first.gained, *(each.points for each in believed)]
    return course(values, [start, *(each.uncertainty for each in believed)])


@require_safe
def ratings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's rating list of the game that ``?game=`` names, of the most played where none is."""
    shown = get_object_or_404(selectors.clubs(), slug=slug)
    games = selectors.rated_rulesets(shown)
    game = request.GET.get("game") or next(iter(games), "")
    if game and game not in games:
        raise Http404
    context = {
        "club": shown,
        "games": games,
        "game": game,
        "page": paged(request, selectors.rating_list(shown, game), PLAYERS_SHOWN),
    }
    return render(request, "clubs/ratings.html", context)
