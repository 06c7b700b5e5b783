"""The pages of clubs and their players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import rules
from league import hooks
from league.queries import records, seasons
from league.queries.clubs import clubs_named, find_club, keeps_desk, player_now, players_shown
from league.queries.competitions import (
    competitions_of,
    entries_before_substitution,
    entries_of_bots,
    entries_of_player,
    last_finished,
    next_of,
    running_competitions,
    sat_in,
)
from league.queries.games import (
    SeatedPlayer,
    games_of_club,
    games_of_player,
    seated_at,
    shown_placings_of,
    sides_of_seats,
    with_rulings,
)
from league.queries.permissions import reads_as_member
from league.queries.pictures import honoured_in
from league.queries.readers import nameless
from league.queries.records import rated_rulesets, rating_records, ratings_shown
from league.queries.rounds import rounds_due
from league.queries.stand_ins import stand_ins_in
from league.queries.standings import places_in
from league.requests import spectator_or_account
from league.web.lists import ListTools, get_page, text
from league.web.site import of_club
from league.words.people import tell_apart
from league.words.values import titles_of_games

if TYPE_CHECKING:
    from league.models import Club, ClubGame, Player

CLUBS_SHOWN = 60
FINISHED_SHOWN = 6
GAMES_SHOWN = 20
COMPETITIONS_SHOWN = 12
RUNNING_SHOWN = 12
"""The most competitions that the home page has of those that are not over."""
SEASON_SHOWN = 24
PLAYERS_SHOWN = 100
OPPONENTS_SHOWN = 30
FORM_SHOWN = 10
PODIUM = 3


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what this is, the competitions that are not over or were last, and the clubs in ``?club=``."""
    name = text(request, "club", _("Name of the club"))
    page = get_page(request, clubs_named(name.value), CLUBS_SHOWN)
    running = running_competitions()[: RUNNING_SHOWN + 1]
    account = spectator_or_account(request)
    context = {
        "clubs": page,
        "page": page,
        "name": name,
        "running": running[:RUNNING_SHOWN],
        "more": len(running) > RUNNING_SHOWN,
        "finished": last_finished(FINISHED_SHOWN),
        "desk": account is not None and keeps_desk(account),
    }
    return render(request, "clubs/home.html", context)


@require_safe
def current(request: HttpRequest) -> HttpResponse:
    """Show all competitions that are not over, in pages."""
    page = get_page(request, running_competitions(), COMPETITIONS_SHOWN)
    return render(request, "clubs/current.html", {"page": page})


@require_safe
@of_club
def club(request: HttpRequest, shown: Club) -> HttpResponse:
    """Show a club: what is next, who won last, its competitions, its players, its casual games."""
    last = last_finished(1, shown).first()
    players = get_page(
        request, players_shown(shown, spectator_or_account(request), active=True), PLAYERS_SHOWN
    )
    tell_apart(players)
    rated, all_time = rated_rulesets(shown), rating_records(shown)
    context = {
        "club": shown,
        "zone": shown.timezone,
        "hidden": bool(nameless(shown.pk)),
        "competitions": competitions_of(shown)[:COMPETITIONS_SHOWN],
        "players": players,
        "games": games_of_club(shown)[:GAMES_SHOWN],
        "rated": rated,
        "titles": titles_of_games([*rated, *(each.ruleset for each in all_time)]),
        "next": next_of(shown, shown.today),
        "due": rounds_due(shown).first(),
        "last": last,
        "podium": [each for each in honoured_in(last) if each.place <= PODIUM] if last else (),
        "bots": entries_of_bots(last) if last else (),
        "records": all_time,
        "years": [str(each) for each in seasons.seasons_of(shown)],
        "member_pages": hooks.MEMBER_PAGES,
        "member": reads_as_member(shown.pk, spectator_or_account(request)),
    }
    return render(request, "clubs/club.html", context)


@require_safe
def season(request: HttpRequest, slug: str, year: int) -> HttpResponse:
    """Show a club's season: what is next, its competitions with winners and records; 404 for an empty one."""
    shown = find_club(slug)
    years = seasons.seasons_of(shown) if shown else ()
    if shown is None or year not in years:
        raise Http404
    if shown.slug != slug:
        return redirect("season", shown.slug, year)
    own = seasons.season(shown, year)
    page, of_season = get_page(request, own, SEASON_SHOWN), seasons.season_records(shown, own)
    context = {
        "club": shown,
        "zone": shown.timezone,
        "year": str(year),
        "years": [(str(each), each == year) for each in years],
        "page": page,
        "told": seasons.told_of(list(page)),
        "next": seasons.next_in(own, shown.today),
        "due": rounds_due(shown).filter(stage__competition__in=own.order_by().values("pk")).first(),
        "records": of_season,
        "titles": titles_of_games([*rated_rulesets(shown), *(each.ruleset for each in of_season)]),
    }
    return render(request, "clubs/season.html", context)


@dataclass(frozen=True)
class PlayedGame:
    """A player's game with partners and opponents; rank and score once it has a result.

    ``ruled`` says that the result of its table was set by hand.
    """

    club_game: ClubGame
    company: tuple[tuple[str, list[Player]], ...]
    rank: int | None
    score: int | None
    ruled: bool = False

    @property
    def withdrawn(self) -> bool:
        """Return whether the game was opened for a round that was withdrawn: it has no table any more."""
        return self.club_game.competition is not None and self.club_game.table is None


@require_safe
def player(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Show a player: ratings, competitions, head-to-head records, and games with their results.

    Whose name is not for the reader has no page: 404, which says why.
    """
    try:
        shown = player_now(player_id)
    except ObjectDoesNotExist:
        raise Http404 from None
    try:
        record = records.of(shown, spectator_or_account(request))
    except ObjectDoesNotExist:
        if not shown.appeared:
            raise Http404 from None
        told = {"player": shown, "club": shown.club}
        return render(request, "clubs/hidden_player.html", told, status=404)
    if shown.pk != player_id:
        return redirect("player", shown.pk, permanent=True)
    if not record.shown:
        return render(request, "clubs/hidden_player.html", {"player": shown, "club": shown.club})
    games = get_page(request, with_rulings(games_of_player(shown)), GAMES_SHOWN)
    seats = seated_at([club_game.game for club_game in games])
    own = list(entries_of_player(shown))
    former = entries_before_substitution(shown)
    places = places_in([*own, *sat_in(shown, former)])
    entries = [*own, *former]
    others = stand_ins_in(entries)
    entries.sort(key=lambda entry: entry.competition.opened_at, reverse=True)
    own_games = record.games - rules.NEWEST.keys()
    context = {
        "player": shown,
        "club": shown.club,
        "zone": shown.club.timezone,
        "ratings": record.ratings,
        "meetings": record.head_to_head[:OPPONENTS_SHOWN],
        "rivals": records.rivals(record, spectator_or_account(request)),
        "form": record.results[:FORM_SHOWN],
        "bests": record.bests,
        "titles": titles_of_games([*(rated_rulesets(shown.club) if own_games else ()), *record.games]),
        "entries": [(entry, places.get(entry.pk), others.get(entry.pk)) for entry in entries],
        "page": games,
        "tools": ListTools((), "player-games", shown.pk, f"{reverse('api:games')}?player={shown.pk}"),
        "games": [_played(club_game, seats[club_game.game.pk], shown) for club_game in games],
    }
    return render(request, "clubs/player.html", context)


def _played(club_game: ClubGame, seats: Sequence[SeatedPlayer], player: Player) -> PlayedGame:
    own_seat = next(seat.seat for seat in seats if seat.player == player)
    sides = sides_of_seats(club_game, [(seat.seat, seat.team) for seat in seats])
    others = [(seat.player, sides[seat.seat]) for seat in seats if seat.player and seat.player != player]
    partners = [each for each, side in others if side == sides[own_seat]]
    opponents = [each for each, side in others if side != sides[own_seat]]
    company = (_("With:"), partners), (_("Against:"), opponents)
    own = shown_placings_of(club_game).get(own_seat, {})
    return PlayedGame(club_game, company, own.get("rank"), own.get("score"), club_game.ruled)


@require_safe
@of_club
def ratings(request: HttpRequest, shown: Club) -> HttpResponse:
    """Show the club's rating list of the game in ``?game=``, by default of the most played game."""
    games = titles_of_games(rated_rulesets(shown))
    game = rules.game_key(request.GET.get("game", "")) or next(iter(games), "")
    if game and game not in games:
        raise Http404
    page = get_page(request, ratings_shown(shown, game, spectator_or_account(request)), PLAYERS_SHOWN)
    tell_apart(rating.player for rating in page)
    tools = ListTools((), "ratings", shown.slug, query={"ruleset": game})
    context = {"club": shown, "games": games, "game": game, "page": page, "tools": tools}
    return render(request, "clubs/ratings.html", context)
