"""A club's players, how organisers reach them, what they let others see, and their removal.

Entries that are named after a player follow when the name is corrected.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from django.contrib.auth.hashers import make_password
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league import hooks
from league.choices import Audience, EventRole, NamesShown
from league.core.events import Event
from league.core.state.competition import Competition as State
from league.core.verbs.entries import corrections
from league.hooks import HouseBot
from league.log import Author
from league.models import Account, Club, ClubChange, Contact, Invitation, Player, StoppedEmails
from league.models.names import search_key
from league.ops.secret import new_salt
from league.projections import public_names
from league.projections.public_names import name_newcomers, rename_entries
from league.queries import permissions
from league.queries.clubs import competitions_with, has_played, ids_of
from league.services.audit import Values, note_change, note_changes
from league.services.checking import check
from league.services.jobs import forget_read_files
from league.services.verbs import write

CONTACT_FIELDS: Final = ("email", "phone", "note")
_Kind: Final = ClubChange.Kind


@transaction.atomic
def create_player(
    *,
    by: Account,
    club: Club,
    name: str,
    account: Account | None = None,
    active: bool = True,
    player_id: UUID | None = None,
) -> Player:
    """Return a new player of the club, of the id if one is given; raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(club.pk, by)
    player = _saved(Player(pk=player_id or uuid4(), club=club, name=name, account=account, active=active))
    note_change(by, club, _Kind.PLAYER_MADE, player.name, after=_of_player(player), about=player.pk)
    return player


@dataclass(frozen=True)
class NewPlayer:
    """A player without an account who is to be made."""

    name: str
    active: bool = True
    id: UUID = field(default_factory=uuid4)


@transaction.atomic
def create_players(*, by: Account, club: Club, new: Sequence[NewPlayer]) -> Sequence[Player]:
    """Return new players of the club, in order; raises `Malformed` and PermissionDenied.

    They are written with two statements, however many there are.
    """
    permissions.require_organiser(club.pk, by)
    public_names.lock(club.pk)
    players = [
        Player(
            pk=each.id,
            club=club,
            name=each.name.strip(),
            search_name=search_key(each.name),
            active=each.active,
        )
        for each in new
    ]
    name_newcomers(players, club)
    for player in players:
        # All are new and without an account, so nothing in the database can contradict their fields.
        check(player, against_others=False)
    Player.objects.bulk_create(players)
    public_names.follow(club.pk)
    made = [(player.name, _of_player(player), player.pk) for player in players]
    note_changes(by, club, _Kind.PLAYER_MADE, made)
    return players


@transaction.atomic
def take_in_player(*, club: Club, player_id: UUID, name: str) -> Player:
    """Return a new player who has an id already, from another server; raises `Malformed`."""
    player = _saved(Player(id=player_id, club=club, name=name))
    note_change(None, club, _Kind.PLAYER_MADE, player.name, after=_of_player(player), about=player.pk)
    return player


@transaction.atomic
def bring_up(*, player: Player, name: str, account: Account | None, audience: str, active: bool) -> None:
    """Let a player of a club that is locked be called and shown as the same person is elsewhere."""
    wanted = {"name": name, "account": account, "audience": audience, "active": active}
    if all(getattr(player, what) == value for what, value in wanted.items()):
        return
    before = _of_player(player)
    for what, value in wanted.items():
        setattr(player, what, value)
    _saved(player)
    kind = _Kind.PLAYER_CHANGED
    note_change(
        None, player.club, kind, player.name, before=before, after=_of_player(player), about=player.pk
    )


@transaction.atomic
def player_of_bot(*, club: Club, bot: HouseBot) -> Player:
    """Return the player of a house bot in a club, made when it first sits down there; raises `Malformed`."""
    if known := Player.objects.filter(club=club, account=bot.id).first():
        return known
    locked_out = {"username": f"house-bot-{bot.id}", "bot": True, "password": make_password(None)}
    account, _made = Account.objects.get_or_create(pk=bot.id, defaults=locked_out)
    player = _saved(Player(club=club, name=str(bot.name), account=account))
    note_change(None, club, _Kind.PLAYER_MADE, player.name, after=_of_player(player), about=player.pk)
    return player


@transaction.atomic
def change_player(*, by: Account, player: Player, name: str, account: Account | None, active: bool) -> Player:
    """Return the player with these values; raises `Malformed` and PermissionDenied.

    Entries that are named after the player get the new name, in competitions that are over, too.
    """
    permissions.require_organiser(player.club_id, by)
    # Entries follow in the same transaction: two such changes could each wait for a competition of the other.
    club = Club.objects.select_for_update(no_key=True).get(pk=player.club_id)
    stored = Player.objects.select_for_update(of=("self",), no_key=True).get(pk=player.pk)
    player.name, player.account, player.active = name, account, active
    _saved(player)
    before, after = _of_player(stored), _of_player(player)
    note_change(by, club, _Kind.PLAYER_CHANGED, player.name, before=before, after=after, about=player.pk)
    if player.name != stored.name:
        _follow_name(by, player, stored.name)
    return player


def _follow_name(by: Account, player: Player, former: str) -> None:
    mine = {str(pk) for pk in ids_of(pk=player.pk)}

    def command(state: State, now: datetime) -> Sequence[Event]:
        entries = [each for pk in mine for each in state.entries.found(pk)]
        names = _names({each for entry in entries for _since, players in entry.lineups for each in players})
        before = {**names, **dict.fromkeys(mine, former)}
        return list(corrections(state, before, names))

    author = Author(EventRole.ORGANISER, str(by.pk))
    for competition in competitions_with(player).order_by("pk"):
        if not player.anonymous:
            write(competition_id=competition.pk, author=author, command=command)
        rename_entries(competition)


def _names(players: Iterable[str]) -> Mapping[str, str]:
    """Return the names that players have now by their ids; those of a merged one are of whom they are now."""
    named = Player.objects.filter(pk__in=players).annotate(now=Coalesce(F("merged_into__name"), F("name")))
    return {str(pk): name for pk, name in named.values_list("pk", "now")}


def _of_player(player: Player) -> Values:
    account = str(player.account_id) if player.account_id else None
    return {"name": player.name, "account": account, "active": player.active}


def _saved(player: Player) -> Player:
    player.name = player.name.strip()
    player.search_name = search_key(player.name)
    player.bot = player.bot or (player.account is not None and player.account.bot)
    public_names.lock(player.club_id)
    name_newcomers([player], player.club)
    try:
        with transaction.atomic():
            check(player)
            player.save()
    except IntegrityError:
        raise Malformed({"account": [text("This account is another player of the club already.")]}) from None
    _follow_choices(player)
    return player


def _follow_choices(player: Player) -> None:
    """Bring the public names in a player's club up to its people's names and choices."""
    public_names.follow(player.club_id)
    player.refresh_from_db(fields=["number", "public_name"])


# ---- Contacts -------------------------------------------------------------------------------------


@transaction.atomic
def write_contacts(*, by: Account, club: Club, contacts: Mapping[Player, Mapping[str, str]]) -> None:
    """Keep what organisers know about how to reach players of the club; empty fields remove it.

    The audit record says which fields changed, and never what is in them. Raises `Malformed` and
    PermissionDenied.
    """
    permissions.require_organiser(club.pk, by)
    before = {each.pk: each for each in Contact.objects.select_for_update().filter(player__in=contacts)}
    after = {player: Contact(player=player, **fields) for player, fields in contacts.items()}
    for contact in after.values():
        check(contact, against_others=False)
    changed = {
        player: names
        for player, contact in after.items()
        if (names := _changed_fields(before.get(player.pk, Contact()), contact))
    }
    kept = [after[player] for player in changed if any(_of_contact(after[player]).values())]
    erased = [player for player in changed if after[player] not in kept]
    if erased:
        Contact.objects.filter(player__in=erased).delete()
        forget_read_files(club)
    Contact.objects.bulk_create(
        kept, update_conflicts=True, unique_fields=["player"], update_fields=[*CONTACT_FIELDS]
    )
    notes = [(player.name, {"fields": ", ".join(names)}, player.pk) for player, names in changed.items()]
    note_changes(by, club, _Kind.CONTACT_CHANGED, notes)


def _changed_fields(before: Contact, after: Contact) -> list[str]:
    pairs = zip(_of_contact(before).items(), _of_contact(after).values(), strict=True)
    return [name for (name, was), now in pairs if was != now]


def _of_contact(contact: Contact) -> dict[str, str]:
    return {name: getattr(contact, name) for name in CONTACT_FIELDS}


# ---- What a player lets others see ---------------------------------------------------------------


@transaction.atomic
def choose_privacy(
    *, by: Account, player: Player, audience: str, findable: bool, names: str | None = None
) -> None:
    """Keep who sees the player's record and finds it, and what the public reads for the name.

    None keeps that; an empty text stands for what the club says. Raises `Malformed` and PermissionDenied.
    """
    _require_own(by, player)
    if names is not None:
        _choose_names(by, player, names)
    if audience not in Audience.values:
        raise Malformed({"audience": [text("Choose one of those who are listed.")]})
    if findable and audience == Audience.NOBODY:
        raise Malformed({"findable": [text("Nobody finds a player who is shown to nobody.")]})
    player.audience, player.findable = audience, findable
    player.save(update_fields=["audience", "findable"])
    hooks.people_named(player.club_id)


@transaction.atomic
def choose_names(*, by: Account, player: Player, names: str) -> None:
    """Keep what the public reads for the name of a player without an account, as that person wants it.

    An empty text stands for what the club says. Raises `Malformed`, `Illegal` and PermissionDenied.
    """
    permissions.require_organiser(player.club_id, by)
    if player.account_id:
        raise Illegal("Who has an account chooses that there.")
    _choose_names(by, player, names)


def _choose_names(by: Account, player: Player, names: str) -> None:
    if names not in ("", *NamesShown.values):
        raise Malformed({"names": [text("Choose one of those who are listed.")]})
    before, player.names = {"names": player.names}, names
    Player.objects.filter(pk=player.pk).update(names=names)
    after = {"names": names}
    kind = _Kind.PLAYER_CHANGED
    note_change(by, player.club, kind, player.name, before=before, after=after, about=player.pk)
    _follow_choices(player)


def renew_calendar(*, by: Account, player: Player) -> None:
    """Give the player's secret calendar another address; the one before it ends. Raises PermissionDenied."""
    _require_own(by, player)
    player.calendar_salt = new_salt()
    player.save(update_fields=["calendar_salt"])


def _require_own(by: Account, player: Player) -> None:
    by.require_person()
    if player.account_id != by.pk:
        raise PermissionDenied(text("Only the player chooses what others see."))


# ---- Forgetting ----------------------------------------------------------------------------------


@transaction.atomic
def remove_player(*, by: Account, player: Player) -> Player | None:
    """Remove a player; return None for one who never played, else the row that keeps the results.

    It has a name that says nothing, no account and no contact; entries in competitions that go on stay, under
    that name. A second time changes nothing. Raises PermissionDenied.
    """
    permissions.require_organiser(player.club_id, by)
    return forget_player(by=by, player=player)


@transaction.atomic
def forget_player(*, by: Account | None, player: Player) -> Player | None:
    """Remove a player as `remove_player` does, whoever asks: logs, which are never changed, keep the name."""
    player = locked(player)
    if player.anonymous:
        return player
    Contact.objects.filter(player=player).delete()
    StoppedEmails.objects.filter(player=player).delete()
    forget_invitations(Invitation.objects.filter(player=player))
    forget_read_files(player.club)
    hooks.player_forgotten(player)
    if not has_played(player) and not player.merged.exists():
        note_change(by, player.club, _Kind.PLAYER_REMOVED, "–", after={"played": False})
        player.delete()
        return None
    number = Player.objects.filter(club=player.club, anonymous=True, merged_into=None).count() + 1
    name = _("Former player %(number)d") % {"number": number}
    mine = Player.objects.filter(pk__in=[player.pk, *player.merged.values_list("pk", flat=True)])
    mine.update(name=name, search_name=search_key(name), account=None, active=False, anonymous=True)
    public_names.follow(player.club_id)
    for competition in competitions_with(player).order_by("pk"):
        rename_entries(competition)
    note_change(by, player.club, _Kind.PLAYER_REMOVED, name, after={"played": True}, about=player.pk)
    player.refresh_from_db()
    return player


def locked(player: Player) -> Player:
    """Return the player as it is now, and lock its club against other changes to players."""
    Club.objects.select_for_update(no_key=True).get(pk=player.club_id)
    return Player.objects.select_related("club", "account").get(pk=player.pk)


def forget_invitations(invitations: QuerySet[Invitation]) -> None:
    """Forget the addresses of invitations, and revoke those that are open: none was sent to nobody."""
    invitations.filter(accepted_at=None, revoked_at=None).update(revoked_at=database_time.now())
    invitations.update(email="")
