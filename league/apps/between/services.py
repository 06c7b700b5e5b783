"""What clubs do in a competition of another one, and what follows for their people there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league.apps.between.models import Lent, Partner
from league.apps.between.queries import people_of, require_desk
from league.callers import ByAccount, Caller
from league.choices import Audience
from league.core.state.competition import Competition as State
from league.core.verb import Given, Verb
from league.core.verbs.checking import CheckResult, SetChecking
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.line_ups import SetLineUp
from league.core.verbs.objections import Object
from league.core.verbs.rulings import SetResult
from league.log import Appended
from league.models import Account, Club, ClubChange, Competition, Player
from league.models.readers import in_words
from league.queries import permissions
from league.queries.competitions import state_of
from league.queries.readers import PUBLIC, hidden_words, reading
from league.queries.verbs import brought, names, with_written, written_by
from league.services import queue
from league.services.audit import NONE, Values, note_change
from league.services.players import bring_up, forget_player, take_in_player
from league.services.verbs import perform

VERBS: Final = (EnterPlayers, SetLineUp, SetResult, CheckResult, Object)
"""The verbs of a club's desk; about what is decided by their events (`league.core.club_desks`)."""
_LONGEST: Final = 100

# ---- The caller ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ByClub(Caller):
    """An organiser of a club, for its teams in a competition, its own or another club's."""

    by: Account
    club: Club

    @property
    def account(self) -> str | None:
        return str(self.by.pk)

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        """Return what the verbs may know: of players only the club's own; raise PermissionDenied."""
        for verb in verbs:
            if not isinstance(verb, VERBS):
                raise PermissionDenied(text("Another club’s desk may not do this."))
            require_desk(self.by, competition.pk, self.club.pk, verb.scope)
        theirs = {str(each) for each in playing_in(competition.club, self.club)}
        known = {pk: name for pk, name in names(competition, brought(verbs)).items() if pk in theirs}
        given = Given(
            str(competition.pk),
            database_time.now(),
            "club",
            players=known,
            hidden=_hidden(competition.club, self.club),
            club=str(self.club.pk),
        )
        return with_written(given, self.by, competition, verbs)

    def beside(self, verb: Verb, state: State, given: Given) -> Given:
        """Return it with the club's entry at the table, of two of its own the first."""
        if not isinstance(verb, SetResult | CheckResult):
            return given
        table = state.any_table(verb.table)
        mine = (each for each in table.entries if state.entry(each).club == given.club)
        given = replace(given, side=next(mine, None))
        if not (isinstance(verb, SetResult) and table.ruling and table.ruling.side):
            return given
        # Who types what the other club has entered confirms it.
        competition = Competition.objects.get(pk=given.competition)
        return replace(given, wrote=written_by(self.by, competition, {table.ruling.seq}))


def _hidden(*clubs: Club) -> frozenset[str]:
    with reading(PUBLIC):
        return frozenset().union(*(hidden_words(club.pk) for club in clubs))


# ---- Who takes part ------------------------------------------------------------------------------


@transaction.atomic
def let_in(*, by: Account, competition: Competition, club: Club) -> Partner:
    """Let a club's desk act for its teams; results are checked by somebody else from then on.

    Raises `Illegal` where no teams on boards play, and PermissionDenied.
    """
    permissions.require_organiser(competition.club_id, by)
    state = state_of(competition)
    if state.opening.lineup != "boards":
        raise Illegal(text("Only teams whose players sit at different tables can be of several clubs."))
    part, made = Partner.objects.get_or_create(competition=competition, club=club)
    if made:
        if not state.checking:
            perform(ByAccount(by), competition=competition, verb=SetChecking(True))
        _note(by, competition, after={"partner": club.name})
    return part


@transaction.atomic
def shut_out(*, by: Account, competition: Competition, club: UUID) -> None:
    """Let a club's desk act no more; its teams stay as they are. Raises PermissionDenied."""
    permissions.require_organiser(competition.club_id, by)
    for part in Partner.objects.filter(competition=competition, club=club).select_related("club"):
        part.delete()
        _note(by, competition, before={"partner": part.club.name})


def _note(by: Account, competition: Competition, before: Values = NONE, after: Values = NONE) -> None:
    kind = ClubChange.Kind.CLUB_CHANGED
    note_change(by, competition.club, kind, competition.name, before=before, after=after)


# ---- Teams and line-ups --------------------------------------------------------------------------


def enter_team(
    *, by: Account, club: Club, competition: Competition, name: str, players: Sequence[Player]
) -> None:
    """Enter a team of a club, its players in the order of the boards; raises as `for_team` does."""
    verb = EnterPlayers(tuple(str(each.pk) for each in players), name)
    for_team(by=by, club=club, competition=competition, verb=verb)


def line_up(
    *, by: Account, club: Club, competition: Competition, entry: str, players: Sequence[Player]
) -> None:
    """Say who plays for a team of a club from the next round on; raises as `for_team` does."""
    verb = SetLineUp(entry, tuple(str(each.pk) for each in players))
    for_team(by=by, club=club, competition=competition, verb=verb)


@transaction.atomic
def for_team(
    *,
    by: Account,
    club: Club,
    competition: Competition,
    verb: EnterPlayers | SetLineUp,
    seq: int | None = None,
) -> Appended:
    """Carry out a verb whose players are a club's own, by their ids at home; return what was appended.

    Raises `Malformed`, `Illegal` and PermissionDenied.
    """
    if isinstance(verb, EnterPlayers) and not verb.name.strip():
        raise Malformed({"name": [text("Give the team a name.")]})
    require_desk(by, competition.pk, club.pk)
    here = _here(competition.club, club, verb.players)
    return perform(ByClub(by, club), competition=competition, verb=replace(verb, players=here), seq=seq)


def playing_in(host: Club, club: Club) -> Sequence[UUID]:
    """Return the ids under which a club's people play in competitions of another one, or of its own."""
    own = people_of(club).values_list("pk", flat=True) if host == club else ()
    return [*own, *Lent.objects.filter(home__club=club, player__club=host).values_list("player", flat=True)]


def _here(host: Club, club: Club, players: Sequence[str]) -> tuple[str, ...]:
    """Return as whom a club's people play at the host's, who take them in where they have not played yet."""
    own = people_of(club).in_bulk([UUID(each) for each in players])
    if any(UUID(each) not in own for each in players):
        raise Malformed({"players": [text("The club has no such active player.")]})
    return tuple(each if host == club else str(_lent(host, own[UUID(each)]).player_id) for each in players)


def _lent(host: Club, home: Player) -> Lent:
    _lock(host.pk)
    lent = Lent.objects.filter(home=home, player__club=host, player__anonymous=False).first()
    if lent is None:
        player = take_in_player(club=host, player_id=uuid4(), name=called(home))
        lent = Lent.objects.create(player=player, home=home)
    _bring_up(lent.player, home)
    return lent


def _lock(club: UUID) -> None:
    Club.objects.select_for_update(no_key=True).get(pk=club)


# ---- As whom people play elsewhere ---------------------------------------------------------------


def called(home: Player) -> str:
    """Return what somebody is called in another club: as the public reads it at home, with the club then."""
    if home.name == home.public_name:
        return home.name
    return f"{in_words(home.public_name)} ({home.club.name})"[:_LONGEST].strip()


def _bring_up(player: Player, home: Player) -> None:
    """Bring a player of another club up to the name, account and audience at home."""
    taken = Player.objects.filter(club=player.club_id, account=home.account_id).exclude(pk=player.pk)
    # Whoever plays for both clubs has two players here: nobody learns that they are one person.
    account = None if home.account_id and taken.exists() else home.account
    shown = home.audience if home.audience == Audience.EVERYBODY else Audience.NOBODY
    bring_up(player=player, name=called(home), account=account, audience=shown, active=home.active)


def follow_people(club: UUID) -> None:
    """Bring a club's people up in other clubs to what they are called, and choose, at home now.

    Only one club is locked at a time: two that lend each other people would wait for each other.
    """
    lent = Lent.objects.filter(home__club=club, player__anonymous=False).order_by("player__club", "pk")
    for host in dict.fromkeys(lent.values_list("player__club", flat=True)):
        with transaction.atomic():
            _lock(host)
            there = lent.filter(player__club=host)
            for each in there.select_related(
                "player__club", "player__account", "home__club", "home__account"
            ):
                if each.home:
                    _bring_up(each.player, each.home)


def forget(player: Player) -> None:
    """Let workers forget somebody in other clubs who is forgotten at home, whose club is locked now."""
    if Lent.objects.filter(home=player).update(home=None):
        queue.after_commit("forget_people", app=__package__)
    Lent.objects.filter(player=player).delete()


def forget_people() -> None:
    """Forget in other clubs whoever was forgotten at home, with one club locked at a time."""
    for lent in Lent.objects.filter(home=None).select_related("player").order_by("pk"):
        with transaction.atomic():
            lent.delete()
            forget_player(by=None, player=lent.player)


def follow_merged(kept: Player, merged: Player) -> None:
    """Let who is one person now play elsewhere as that person."""
    Lent.objects.filter(home=merged).update(home=kept)
    if Lent.objects.filter(player=kept).exists():
        Lent.objects.filter(player=merged).delete()
    Lent.objects.filter(player=merged).update(player=kept)
