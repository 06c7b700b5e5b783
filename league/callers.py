"""Who makes a move or carries out a verb: a value that says what it may do, and how the logs name it.

`league.services.play.make_move` and `league.services.verbs.perform` take any of them. A capability that lets
others in, such as a kiosk, declares its own beside its services.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied

from games import database_time
from games.engine.common_moves import ALLOWED
from games.engine.messages import text
from games.engine.replay import Actor
from games.engine.values import replace
from league.choices import TokenScope
from league.core.state.competition import Competition as State
from league.core.verb import EntryVerb, Given, Verb
from league.hooks import Visitor
from league.models import Account, Competition
from league.queries import permissions
from league.queries.competitions import state_of
from league.queries.games import GUEST_SEAT, club_game_of, games_of_visitor, ruleset_of, seat_of
from league.queries.reading import ALWAYS, Guard
from league.queries.verbs import brought, given_to, hidden_in, names

ANSWERS: Final = ("accept_invitation", "decline_invitation")
"""What `games/{id}/accept/` and `decline/` write, too: it needs their scopes."""
_BEGIN: Final = "begin"


class Caller:
    """Somebody, or a part of the service. By itself it may do nothing: each kind declares its rights."""

    @property
    def account(self) -> str | None:
        """Return the id of the account that the logs show, None for none."""
        return None

    def actor(self, game_id: UUID, kind: object) -> Actor:
        """Return who the caller is in a game's log with a move of a kind.

        Raises PermissionDenied where it may not make one, and Game.DoesNotExist.
        """
        raise PermissionDenied

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        """Return what verbs may know that the caller carries out, its role too; raise PermissionDenied."""
        raise PermissionDenied

    def own(self, verb: Verb, state: State, given: Given) -> Verb:
        """Return a verb about what is the caller's own, where it may use it for nothing else."""
        return verb

    def beside(self, verb: Verb, state: State, given: Given) -> Given:
        """Return what a verb may know, with what follows from the state that it decides on."""
        return given

    def checked(self) -> "Caller":
        """Return the caller as the database knows it now, where it was known by what a process has kept."""
        return self


@dataclass(frozen=True)
class ByServer(Caller):
    """The server: the arbiter in games, the system in competitions.

    ``account`` is the one whose doing leads to it, where there is one.
    """

    account: str | None = None

    def actor(self, game_id: UUID, kind: object) -> Actor:
        return Actor("arbiter")

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        return Given(str(competition.pk), database_time.now(), "system")


@dataclass(frozen=True)
class ByClock(Caller):
    """The clock of a game, for a seat or for all."""

    seat: int | None = None
    account: str | None = None

    def actor(self, game_id: UUID, kind: object) -> Actor:
        return Actor("clock", self.seat)


@dataclass(frozen=True)
class ByAccount(Caller):
    """An account with its seat and its roles in the club, and no more than its token's scopes allow.

    One that ``keeps_scores`` enters results as scorekeeper where it is one, even if it has a seat.
    """

    by: Account
    keeps_scores: bool = False

    @property
    def account(self) -> str | None:
        return str(self.by.pk)

    @property
    def guard(self) -> Guard:
        """Return what a statement must ask that uses the account."""
        return ALWAYS

    def actor(self, game_id: UUID, kind: object) -> Actor:
        """Return the arbiter for rulings; for other moves the seat, if the account has one."""
        if kind in ALLOWED["arbiter"]:
            scope = TokenScope.CLUB_ORGANISE if kind == _BEGIN else TokenScope.CLUB_RULE
            permissions.require_organiser(club_game_of(game_id).club_id, self.by, scope)
            return Actor("arbiter")
        seat = seat_of(self.by, game_id)
        if seat is not None and (kind in ANSWERS or not self.keeps_scores):
            return self.at(seat, kind)
        club_game = club_game_of(game_id)
        ruleset = ruleset_of(club_game.game)
        rules = kind in permissions.ruling_moves(club_game.club_id, self.by, ruleset)
        if rules and (seat is None or kind in ruleset.entry_moves):
            self.by.require_scope(TokenScope.CLUB_RULE)
            return Actor("arbiter")
        if seat is not None:
            return self.at(seat, kind)
        raise PermissionDenied(text("You have no seat at this table."))

    def at(self, seat: int, kind: object) -> Actor:
        """Return the actor for the seat that the account plays; raise PermissionDenied by its token."""
        scope = TokenScope.PLAY_ENTER if kind in ANSWERS else TokenScope.PLAY_MOVE
        self.by.require_scope(scope)
        return Actor("seat", seat)

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        return given_to(self.by, competition, verbs)


@dataclass(frozen=True)
class ByVisitor(Caller):
    """A visitor, at the first seat of the own games of no club; the log shows no account."""

    visitor: Visitor

    def actor(self, game_id: UUID, kind: object) -> Actor:
        """Return the seat; raise PermissionDenied where it is not the visitor's game."""
        if not games_of_visitor(self.visitor).filter(pk=game_id).exists():
            raise PermissionDenied(text("You have no seat at this table."))
        return Actor("seat", GUEST_SEAT)


class AsPlayer(ByAccount):
    """An account as a player of the club, who acts for the own entry, alone or as one of a team."""

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        if any(verb.own is None for verb in verbs):
            raise PermissionDenied(permissions.ORGANISERS_ONLY)
        for scope in {verb.own_scope for verb in verbs}:
            player = str(permissions.require_player(competition.club_id, self.by, scope).pk)
        known = names(competition, [player, *brought(verbs), *_met(competition, verbs)])
        hidden = hidden_in(competition, verbs)
        return Given(str(competition.pk), database_time.now(), "player", player, known, hidden=hidden)

    def own(self, verb: Verb, state: State, given: Given) -> Verb:
        if verb.audience == "players":
            return verb
        return of_entry(verb, state, given.player or "")


def of_entry(verb: Verb, state: State, player: str) -> Verb:
    """Return a verb about the entry of a player; raise PermissionDenied where there is none."""
    kind = type(verb) if isinstance(verb, EntryVerb) else EntryVerb
    entry = kind.entry_of(state, player)
    if entry is None:
        raise PermissionDenied(text("You have not entered this competition."))
    return replace(verb, entry=entry.id) if isinstance(verb, EntryVerb) else verb


def _met(competition: Competition, verbs: Iterable[Verb]) -> Iterator[str]:
    """Yield the players of the entries with which a player wants to sit at a table."""
    fields = [vars(verb) for verb in verbs]
    entries = {entry for each in fields for entry in (*each.get("entries", ()), each.get("opponent"))} - {
        None
    }
    known = state_of(competition).entries if entries else ()
    yield from (player for each in known if each.id in entries for player in each.players)
