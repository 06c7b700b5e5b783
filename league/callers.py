"""Who makes a move or carries out a verb: a value that says what it may do, and how the logs name it.

`league.services.play.make_move` and `league.services.verbs.perform` take any of them. A capability that lets
others in, such as a kiosk, declares its own beside its services.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied

from games import database_time
from games.engine.messages import text
from games.engine.values import replace
from league.core.state.competition import Competition as State
from league.core.verb import EntryVerb, Given, Verb
from league.models import Account, Competition
from league.queries import permissions
from league.queries.competitions import state_of
from league.queries.given import brought, given_to, names


class Caller:
    """Somebody, or a part of the service. By itself it may do nothing: each kind declares its rights."""

    @property
    def account(self) -> str | None:
        """Return the id of the account that the logs show, None for none."""
        return None

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        """Return what verbs may know that the caller carries out, its role too; raise PermissionDenied."""
        raise PermissionDenied

    def own(self, verb: Verb, state: State, given: Given) -> Verb:
        """Return a verb about what is the caller's own, where it may use it for nothing else."""
        return verb


@dataclass(frozen=True)
class ByServer(Caller):
    """The server, as the system in competitions; ``account`` is that behind it, where there is one."""

    account: str | None = None

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        return Given(str(competition.pk), database_time.now(), "system")


@dataclass(frozen=True)
class ByAccount(Caller):
    """An account with its roles in the club, and no more than its token's scopes allow."""

    by: Account

    @property
    def account(self) -> str | None:
        return str(self.by.pk)

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        return given_to(self.by, competition, verbs)


class AsPlayer(ByAccount):
    """An account as a player of the club, who acts for the own entry, alone or as one of a team."""

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        if any(verb.own is None for verb in verbs):
            raise PermissionDenied(permissions.ORGANISERS_ONLY)
        for scope in {verb.own_scope for verb in verbs}:
            player = str(permissions.require_player(competition.club_id, self.by, scope).pk)
        known = names(competition, [player, *brought(verbs), *_met(competition, verbs)])
        return Given(str(competition.pk), database_time.now(), "player", player, known)

    def own(self, verb: Verb, state: State, given: Given) -> Verb:
        if verb.audience == "players":
            return verb
        entry = state.entry_with(given.player or "")
        if entry is None:
            raise PermissionDenied(text("You have not entered this competition."))
        return replace(verb, entry=entry.id) if isinstance(verb, EntryVerb) else verb


def _met(competition: Competition, verbs: Iterable[Verb]) -> Iterator[str]:
    """Yield the players of the entries with which a player wants to sit at a table."""
    entries = {entry for verb in verbs for entry in vars(verb).get("entries", ())}
    known = state_of(competition).entries if entries else ()
    yield from (player for each in known if each.id in entries for player in each.players)
