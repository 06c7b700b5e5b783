"""Who writes for a seat because a browser opened the person's evening."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Refusal
from games.engine.replay import Actor
from league import hooks
from league.apps.hall.queries import ended, open_tables
from league.apps.my_evening.models import Pass
from league.apps.my_evening.queries import good_pass
from league.callers import Caller, of_entry
from league.core.state.competition import Competition as State
from league.core.verb import Given, Verb
from league.core.verbs.answers import AcceptChallenge, RefuseChallenge
from league.core.verbs.byes import RequestBye
from league.core.verbs.objections import Object
from league.core.verbs.presence import MarkAbsent, MarkPresent
from league.models import Account, ClubGame, Competition, Player, TableSeat
from league.queries.games import club_game_of, seat_of
from league.web.holders import Holder
from league.words.values import on_paper

SESSION: Final = "evenings"
"""In the session: by competition, the id and the salt of the pass that opened its evening."""


BY_EVENING: Final = (Object, RequestBye, MarkAbsent, MarkPresent, AcceptChallenge, RefuseChallenge)
"""What whoever opened a person's evening can do for the person's entry."""


@dataclass(frozen=True)
class ByPass(Caller):
    """Whoever opened a person's evening, as the seat of the person; the log shows no account."""

    held: Pass
    seat: int

    def actor(self, game_id: UUID, kind: object) -> Actor:
        """Return the seat; raise PermissionDenied where the pass is not good for the game's table now."""
        held, club_game = good_pass(self.held.pk, self.held.salt), club_game_of(game_id)
        at_table = self.seat ^ club_game.turn
        tables = open_tables().filter(games=club_game, round__stage__competition=self.held.competition_id)
        if not (held and tables.filter(seats__player=held.player_id, seats__number=at_table).exists()):
            raise PermissionDenied(
                text("This code is not good any more: its round is over, or its table decided.")
            )
        return Actor("code", self.seat)


@dataclass(frozen=True)
class ByEvening(Caller):
    """Whoever opened a person's evening, for the person's entry; the log shows no account."""

    held: Pass

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        """Return what these verbs may know; raise PermissionDenied for others and once it ended."""
        held = good_pass(self.held.pk, self.held.salt)
        here = held is not None and held.competition_id == competition.pk
        if not (here and all(isinstance(verb, BY_EVENING) for verb in verbs)):
            raise PermissionDenied(text("This code is not good any more. Ask an organiser for a new one."))
        return Given(str(competition.pk), database_time.now(), "player", str(self.held.player_id))

    def own(self, verb: Verb, state: State, given: Given) -> Verb:
        return of_entry(verb, state, given.player or "")


@dataclass(frozen=True)
class OwnEvening(Holder):
    """Who writes for the own seat, and confirms what others entered."""

    of_evening: bool = True

    @property
    def confirms(self) -> bool:
        return True


def let_in(request: HttpRequest, held: Pass) -> None:
    """Let this browser see a person's evening and write for the person's seats."""
    kept = request.session.get(SESSION, {})
    request.session[SESSION] = {**kept, str(held.competition_id): [str(held.pk), held.salt]}
    request.session.cycle_key()


def forget(request: HttpRequest, competition: Competition) -> None:
    """Let this browser no longer see the evening of a competition."""
    kept = request.session.get(SESSION, {})
    request.session[SESSION] = {name: each for name, each in kept.items() if name != str(competition.pk)}


def pass_in(request: HttpRequest, competition: UUID | None) -> Pass | None:
    """Return the good pass by which this browser was let in to a competition's evening, None for none."""
    kept = request.session.get(SESSION, {}).get(str(competition))
    held = good_pass(*kept) if kept else None
    return held if held and held.competition_id == competition else None


def passes_in(request: HttpRequest) -> Iterator[Pass]:
    """Yield the good passes by which this browser was let in to evenings."""
    found = (pass_in(request, UUID(competition)) for competition in request.session.get(SESSION, {}))
    return (held for held in found if held)


def is_of_club(request: HttpRequest, club: UUID) -> bool:
    """Return whether this browser was let in to an evening of somebody of a club, who reads names then."""
    return any(held.competition.club_id == club for held in passes_in(request))


def person_in(request: HttpRequest, competition: UUID) -> Player | None:
    """Return whose evening of a competition this browser was let in to, None for nobody's."""
    held = pass_in(request, competition)
    return held.player if held else None


def _way_back(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return to which evening a page leads back: one that this browser has open, but for its own page."""
    request = page.get("request")
    here = request.resolver_match if request else None
    if not (request and here) or here.url_name == "my_evening" or not hasattr(request, "session"):
        return {"own_evening": None}
    opened = [held.competition for held in passes_in(request)]
    last = opened[-1] if opened else None
    return {"own_evening": next((each for each in opened if each == page.get("competition")), last)}


hooks.GIVEN["my_evening/at_back.html"] = _way_back
hooks.OF_CLUB.append(is_of_club)
hooks.OWN_EVENING.append(person_in)


def holder_here(request: HttpRequest, club_game: ClubGame, account: Account | None) -> Holder | None:
    """Return who writes at this table for the own seat, None for an account with a seat there.

    Only score cards: a game on the site has cards that its account alone sees.
    """
    if not on_paper(club_game.game.ruleset):
        return None
    held = pass_in(request, club_game.competition_id)
    if held is None or (account and seat_of(account, club_game.pk) is not None):
        return None
    seats = TableSeat.objects.filter(table__in=open_tables().filter(games=club_game))
    seat = seats.filter(player=held.player_id).first()
    if seat is None:
        return None
    in_game = seat.number ^ club_game.turn
    return OwnEvening(in_game, ByPass(held, in_game))


def refusal_here(request: HttpRequest, club_game: ClubGame) -> Refusal | None:
    """Return why who was let in here no longer writes."""
    opened = str(club_game.competition_id) in request.session.get(SESSION, {})
    return ended(club_game.table_id) if opened else None
