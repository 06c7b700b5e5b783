"""Who comes to an evening: asking, answering, finding partners, and letting guests in."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Max
from django.utils.translation import get_language

from games import database_time
from games.engine.messages import Message, text
from games.engine.names import one_line
from games.engine.refusals import Illegal, Malformed, Refusal
from league.apps.attendance import queries
from league.apps.attendance.limits import WINDOW, TooManyNames, count_change
from league.apps.attendance.models import COMING, Answer, Asking, Guest, Reply, Wish
from league.callers import ByAccount, Caller
from league.choices import TokenScope
from league.core.state.competition import Competition as State
from league.core.state.competition import Entry
from league.core.verb import Given, Verb
from league.core.verbs.entering import ApplyForEntry, ApproveEntry, EnterPlayers
from league.core.verbs.entries import ReturnEntry, WithdrawEntry
from league.core.verbs.presence import CheckInEntry
from league.models import Account, Club, Competition, Player
from league.ops.secret import new_salt
from league.queries import permissions
from league.queries.competitions import OVER, state_of
from league.queries.verbs import names
from league.services.checking import check
from league.services.players import NewPlayer, create_players
from league.services.verbs import perform

# ---- How an evening asks -------------------------------------------------------------------------


def set_asking(
    *,
    by: Account,
    competition: Competition,
    asks: bool,
    enters: bool = False,
    days: int = 0,
    most_visits: int = 0,
    for_club: bool = False,
) -> Asking:
    """Keep how a competition asks who is coming, and with ``for_club`` how all the club's evenings do.

    Raises `Malformed` and PermissionDenied.
    """
    permissions.require_organiser(competition.club_id, by)
    said: dict[str, int | str] = {"asks": asks, "enters": enters, "days": days}
    said |= {"most_visits": most_visits, "language": get_language() or ""}
    with transaction.atomic():
        locked = queries.locked(competition)
        if not 0 <= days <= MOST_DAYS:
            raise Malformed({"days": [text("Choose a number from 0 to %(most)d.", most=MOST_DAYS)]})
        if for_club:
            Asking.objects.update_or_create(club=locked.club, competition=None, defaults=said)
        made, _new = Asking.objects.update_or_create(
            competition=locked, defaults={**said, "club": locked.club}
        )
    return made


MOST_DAYS: Final = 30


# ---- Answering -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ByAnswer(Caller):
    """A player who answers, logged in or by the ``linked`` address of an email; the log has their account.

    Without an account nobody enters a competition themselves. ``also`` are players who have agreed to be
    entered with this one.
    """

    player: Player
    by: Account | None = None
    also: tuple[str, ...] = ()
    linked: bool = False

    @property
    def account(self) -> str | None:
        return str(self.by.pk) if self.by else None

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        """Return what verbs may know that enter or withdraw the player; raise PermissionDenied for others."""
        if not all(isinstance(verb, ApplyForEntry | WithdrawEntry) for verb in verbs):
            raise PermissionDenied
        own = str(self.player.pk)
        known = names(competition, [own, *self.also])
        return Given(str(competition.pk), database_time.now(), "player", own, known)


def answer_by_link(
    *, answer_id: UUID, token: str, reply: str, wish: str | None = None, guest: str = ""
) -> Answer:
    """Keep what somebody answers by the link of an email; a ``wish`` of None stays as it is.

    Raises `Malformed` and `Illegal`.
    """
    answer = queries.read_link(answer_id=answer_id, token=token)
    caller = by_link(answer.player)
    return keep_answer(answer.competition, caller, answer.player, reply, wish, guest)


def by_link(player: Player) -> ByAnswer:
    """Return the caller who answers for a player by the link of an email, or on an opened evening."""
    account = player.account
    return ByAnswer(player, account if account and account.is_active else None, linked=True)


def answer_by_pass(
    *, player: Player, competition: Competition, reply: str, wish: str | None = None, guest: str = ""
) -> Answer:
    """Keep what somebody answers whose evening a browser has opened; raises `Malformed` and `Illegal`."""
    return keep_answer(competition, by_link(player), player, reply, wish, guest)


def answer_myself(
    *, by: Account, competition: Competition, reply: str, wish: str | None = None, guest: str = ""
) -> Answer:
    """Keep what the account's player answers; raises `Malformed`, `Illegal` and PermissionDenied."""
    player = permissions.require_player(competition.club_id, by, TokenScope.PLAY_ENTER)
    if not queries.asking_of(competition).asks:
        raise Illegal("Nobody is asked here. To take part, enter the competition.")
    return keep_answer(competition, ByAnswer(player, by), player, reply, wish, guest)


def answer_for(
    *, by: Account, competition: Competition, player: Player, reply: str, wish: str | None = None
) -> Answer:
    """Keep what a player told an organiser; raises `Malformed`, `Illegal` and PermissionDenied."""
    permissions.require_organiser(competition.club_id, by)
    if player.club_id != competition.club_id or not player.active:
        raise Illegal("The club has no such active player.")
    return keep_answer(competition, ByAccount(by), player, reply, wish)


@transaction.atomic
def keep_answer(
    competition: Competition,
    caller: Caller,
    player: Player,
    reply: str,
    wish: str | None = None,
    guest: str = "",
    *,
    at_door: bool = False,
) -> Answer:
    """Keep an answer, and let who comes and who does not follow; the same again changes nothing.

    Who stands at the door can still look for a partner when the answers are closed.
    """
    if reply not in Reply.values:
        raise Malformed({"reply": [text("Choose one of the answers.")]})
    if wish not in (None, "", *Wish.values):
        raise Malformed({"wish": [text("Choose one of those that are listed.")]})
    competition = queries.locked(competition)
    if not (queries.is_open(competition) or (at_door and competition.status not in OVER)):
        raise Illegal(queries.CLOSED)
    answer, _new = Answer.objects.get_or_create(competition=competition, player=player)
    wish = answer.wish if wish is None else wish
    _bring(competition, player, reply, guest)
    if (answer.reply, answer.wish) == (reply, wish):
        return answer
    if isinstance(caller, ByAnswer):
        count_change(answer)
    if answer.reply != reply:
        _follow(competition, caller, player, answer.reply, reply)
    last = Answer.objects.filter(competition=competition).aggregate(last=Max("seq"))["last"]
    answer.reply, answer.wish, answer.seq = reply, wish, (last or 0) + 1
    linked = isinstance(caller, ByAnswer) and caller.linked
    answer.by_id = UUID(caller.account) if caller.account and not linked else None
    answer.at = database_time.now()
    answer.save(update_fields=["reply", "wish", "seq", "by", "at"])
    return answer


def _bring(competition: Competition, player: Player, reply: str, name: str) -> None:
    """Keep a place for the guest whom somebody brings, without a name until one is told."""
    mine = Guest.objects.filter(competition=competition, brought_by=player, status=Guest.Status.WAITING)
    if reply != Reply.GUEST:
        mine.delete()
        return
    let_in = Guest.objects.filter(competition=competition, brought_by=player, status=Guest.Status.LET_IN)
    if let_in.exists():
        return
    guest = mine.first() or Guest(competition=competition, brought_by=player)
    guest.name = one_line(name) or guest.name
    check(guest, against_others=False)
    guest.save()


def _follow(competition: Competition, caller: Caller, player: Player, before: str, reply: str) -> None:
    """Withdraw who alone says not to come, and enter who comes where that is done at once.

    Whom an answer of No has withdrawn enters again with another one. Where players cannot enter themselves
    now, such as after the start, the answer is kept: an organiser finds them ticked.
    """
    state = state_of(Competition.objects.get(pk=competition.pk))
    if caller.account is None or state.opening.team_size > 1:
        return
    enters = queries.asking_of(competition).enters
    entry = state.entry_with(str(player.pk))
    taken_back = before == Reply.NO and entry is not None
    verb: Verb | None = None
    if reply in COMING and (enters or taken_back) and not (entry and entry.live):
        own = isinstance(caller, ByAnswer)
        verb = ApplyForEntry() if own else entering(state, str(player.pk))
    elif reply == Reply.NO and entry and entry.live:
        verb = WithdrawEntry(entry.id)
    if verb:
        with suppress(Refusal), transaction.atomic():
            perform(caller, competition=competition, verb=verb)


def entering(state: State, player: str) -> Verb:
    """Return the verb by which an organiser lets a player take part, or again after a withdrawal."""
    entry = state.entry_with(player)
    gone = entry is not None and entry.status == "withdrawn" and state.started
    return ReturnEntry(entry.id) if entry and gone else EnterPlayers((player,))


def entry_of(competition: Competition, player: Player) -> Entry | None:
    """Return the live entry of a player, None where there is none."""
    entry = state_of(Competition.objects.get(pk=competition.pk)).entry_with(str(player.pk))
    return entry if entry and entry.live else None


@transaction.atomic
def revoke_links(*, by: Account, competition: Competition) -> None:
    """End the links of all emails that asked for this evening; reminders have new ones."""
    permissions.require_organiser(competition.club_id, by)
    for answer in Answer.objects.select_for_update().filter(competition=queries.locked(competition)):
        answer.salt, answer.former = new_salt(), ""
        answer.save(update_fields=["salt", "former"])


# ---- At the door ---------------------------------------------------------------------------------

MOST_OF_CLIENT: Final = 40
"""Names from one address within `WINDOW`: the phones of a hall may share one."""
MOST_WAITING_OF_CLIENT: Final = 20
"""Of those who wait at a door so many came from one address: one phone leaves room for others."""
MOST_WAITING: Final = 80
"""Guests who wait at one door; further ones are told to speak to an organiser."""
_WITHOUT_DATE: Final = timedelta(hours=12)


@transaction.atomic
def open_door(*, by: Account, competition: Competition) -> Asking:
    """Give the evening a new address at the door; the one before it ends.

    Raises `Illegal` and PermissionDenied.
    """
    permissions.require_organiser(competition.club_id, by)
    competition = queries.locked(competition)
    if state_of(competition).over:
        raise Illegal("The competition is over.")
    asking = queries.asking_of(competition)
    now = database_time.now()
    end = queries.ends_at(competition)
    asking.door_salt, asking.door_until = new_salt(), end if end and end > now else now + _WITHOUT_DATE
    asking.save()
    return asking


@transaction.atomic
def show_door(*, by: Account, competition: Competition, shown: bool) -> None:
    """Let the hall show the code of the door, or no longer. Raises PermissionDenied."""
    permissions.require_organiser(competition.club_id, by)
    Asking.objects.filter(competition=queries.locked(competition)).update(door_shown=shown)


@transaction.atomic
def close_door(*, by: Account, competition: Competition) -> None:
    """End the address at the door; a second time changes nothing. Raises PermissionDenied."""
    permissions.require_organiser(competition.club_id, by)
    Asking.objects.filter(competition=queries.locked(competition)).update(door_salt="", door_until=None)


def arrive(
    *, competition_id: UUID, token: str, key: UUID, name: str, client: str, said: Collection[UUID] = ()
) -> Guest:
    """Return the guest who says a name at the door and waits now; the same form again makes nobody else.

    Neither does the same name from a browser that ``said`` it already: these are the keys of its forms.
    Nothing in the answer depends on who is known in the club. Raises `Malformed`, `Illegal`, `TooManyNames`.
    """
    asking = queries.read_door(competition_id=competition_id, token=token)
    assert asking.competition is not None
    if known := queries.said_at_door(asking.competition, key, name, said):
        return known
    cache.add(_key(client), 0, WINDOW.total_seconds())
    with suppress(ValueError):  # the window has ended just now
        if cache.incr(_key(client)) > MOST_OF_CLIENT:
            raise TooManyNames
    with transaction.atomic():
        competition = queries.locked(asking.competition)
        if known := queries.said_at_door(competition, key, name, said):
            return known
        if queries.waiting(competition).count() >= MOST_WAITING:
            raise TooManyNames
        sent = _sent_by(competition, client)
        guest = _new_guest(competition, key, name, text("Type your name."))
        cache.set(f"at-door:{competition.pk}:{client}", [*sent, guest.pk], _WITHOUT_DATE.total_seconds())
        return guest


def _sent_by(competition: Competition, client: str) -> Sequence[UUID]:
    """Return the guests who wait and came from an address; raise `TooManyNames` where these are many."""
    sent = cache.get(f"at-door:{competition.pk}:{client}", ())
    waiting = [each.pk for each in queries.waiting(competition) if each.pk in sent]
    if len(waiting) >= MOST_WAITING_OF_CLIENT:
        told = text(
            "%(most)d people from your phone or network wait already. An organiser must decide about them "
            "first: tell one that you are here.",
            most=MOST_WAITING_OF_CLIENT,
        )
        raise TooManyNames(told)
    return waiting


def _new_guest(competition: Competition, key: UUID, name: str, lacking: Message) -> Guest:
    guest = Guest(competition=competition, key=key, name=one_line(name))
    if not guest.name:
        raise Malformed({"name": [lacking]})
    check(guest, against_others=False)
    guest.save(force_insert=True)
    return guest


def _key(client: str) -> str:
    return f"names-at-door:{client}"


@transaction.atomic
def walk_in(*, by: Account, competition: Competition, key: UUID, name: str, as_guest: bool = False) -> Guest:
    """Let in somebody new whose name an organiser types; the same form again makes nobody else.

    Where the club knows a player of that name, or of a near one, the guest waits until an organiser says who
    it is. Raises `Malformed`, `Illegal` and PermissionDenied.
    """
    permissions.require_organiser(competition.club_id, by)
    competition = queries.locked(competition)
    guest = Guest.objects.filter(competition=competition, key=key).first()
    guest = guest or _new_guest(competition, key, name, text("Type the name of the guest."))
    if guest.status != Guest.Status.WAITING or queries.who_it_may_be(competition.club, guest.name):
        return guest
    return let_in(by=by, guest_id=guest.pk, as_guest=as_guest)


class NameKnown(Illegal):
    """Somebody new has the name of a player of the club: who lets them in says first that these are two."""

    def __init__(self, name: str, guest: Guest) -> None:
        self.name, self.guest = name, guest
        super().__init__(text("The club has a player of this name: %(name)s.", name=name))


@transaction.atomic
def let_in(
    *,
    by: Account,
    guest_id: UUID,
    player: UUID | None = None,
    name: str = "",
    as_guest: bool = False,
    another: bool = False,
) -> Guest:
    """Let a guest in as a player of the club, or with None as somebody new, who is made a player then.

    With ``as_guest`` the club knows who is new as a guest from today on. Who is new has a name that no active
    player has, unless the organiser says that this is ``another`` one; otherwise `NameKnown` is raised.
    They take part, from the next round on after the start, and are checked in. A second time changes nothing.
    Raises `Malformed`, `Illegal`, PermissionDenied, and DoesNotExist of Guest and Player.
    """
    found = Guest.objects.select_related("competition").get(pk=guest_id)
    permissions.require_organiser(found.competition.club_id, by)
    competition = queries.locked(found.competition)
    guest = Guest.objects.select_related("player").get(pk=guest_id)
    if guest.status != Guest.Status.WAITING:
        if guest.player and player in (None, guest.player_id):
            return guest
        raise Illegal("Somebody else has decided about this guest already.")
    called = one_line(name) or guest.name
    if player is None and not another and queries.has_name(competition.club, called):
        raise NameKnown(called, guest)
    guest.player = _player(by, competition.club, player, called, as_guest)
    others = Guest.objects.filter(competition=competition, player=guest.player, status=Guest.Status.LET_IN)
    if others.exists():
        told = text(
            "%(name)s was let in already. If this is somebody else of that name, let them in as somebody "
            "new.",
            name=guest.player.name,
        )
        raise Illegal(told)
    _take_part(by, competition, guest.player)
    guest.status, guest.decided_by, guest.decided_at = Guest.Status.LET_IN, by, database_time.now()
    guest.save(update_fields=["player", "status", "decided_by", "decided_at"])
    return guest


def _player(by: Account, club: Club, player: UUID | None, called: str, as_guest: bool) -> Player:
    if player is not None:
        return Player.objects.get(pk=player, club=club, active=True, merged_into=None)
    if not called:
        raise Malformed({"name": [text("Type the name of the guest.")]})
    (made,) = create_players(by=by, club=club, new=[NewPlayer(called)])
    if as_guest:
        said = {"membership": "guest", "since": club.today.isoformat()}
        for columns in queries.guest_columns():
            columns.keep(by, club, {made: said})
    return made


def _take_part(by: Account, competition: Competition, player: Player) -> None:
    """Enter a player who is here, and check the entry in; where pairs enter they look for a partner."""
    state, key = state_of(Competition.objects.get(pk=competition.pk)), str(player.pk)
    entry = state.entry_with(key)
    if state.opening.team_size > 1 and entry is None:
        keep_answer(competition, ByAccount(by), player, Reply.YES, Wish.PARTNER, at_door=True)
        return
    if entry and entry.status == "applied":
        perform(ByAccount(by), competition=competition, verb=ApproveEntry(entry.id))
    elif entry is None or not entry.live:
        perform(ByAccount(by), competition=competition, verb=entering(state, key))
    entry = state_of(Competition.objects.get(pk=competition.pk)).entry_with(key)
    if entry and entry.status == "entered" and state.opening.entering.check_in and not entry.checked_in:
        perform(ByAccount(by), competition=competition, verb=CheckInEntry(entry.id))


@transaction.atomic
def turn_away(*, by: Account, competition: Competition, guests: Collection[UUID]) -> int:
    """Let guests not in; return how many: nothing changes where somebody has decided."""
    permissions.require_organiser(competition.club_id, by)
    waiting = Guest.objects.filter(
        competition=queries.locked(competition), pk__in=guests, status=Guest.Status.WAITING
    )
    now = database_time.now()
    return waiting.update(status=Guest.Status.TURNED_AWAY, name="", decided_by=by, decided_at=now)
