"""Accounts: memberships, tokens, names; what is stored about a person, and what a deletion would do."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.apps import apps
from django.db.models import BinaryField, Count, ForeignKey, Model, Q, QuerySet

from games import database_time
from games.engine.messages import Message, text
from games.models import Game, Seat
from league.models import Account, Club, Competition, Entry, Invitation, LogIn, Member, Passkey, Player, Token
from league.queries.clubs import clubs_of, ids_of
from league.queries.links import masked

# ---- Accounts ------------------------------------------------------------------------------------

LONGEST_TOKEN_NAME: Final = Token._meta.get_field("name").max_length


def zone_for(account: Account | None, club: Club | None, told: str = "UTC") -> str:
    """Return the zone in which a reader sees times of games: its own, else that of the club.

    Where there is no club, it is the one that the browser told.
    """
    own = account.timezone if account else ""
    return own or (club.timezone if club else told)


def memberships(account: Account) -> QuerySet[Member]:
    """Return the account's memberships with their clubs, by the club's name."""
    return Member.objects.filter(account=account).select_related("club").order_by("club__name", "pk")


@dataclass(frozen=True)
class OwnClub:
    """A club of an account: its membership there, and its player, if it has an active one."""

    member: Member
    player: Player | None


def own_clubs(account: Account) -> Sequence[OwnClub]:
    """Return the account's clubs with its players there, by the club's name; two queries."""
    players = Player.objects.filter(account=account, active=True, merged_into=None)
    by_club = {player.club_id: player for player in players}
    return [OwnClub(member, by_club.get(member.club_id)) for member in memberships(account)]


def own_club(account: Account, club: Club) -> OwnClub:
    """Return what the account is in a club of which it is a member."""
    return next(each for each in own_clubs(account) if each.member.club_id == club.pk)


def players_of_account(account: Account) -> QuerySet[Player]:
    """Return the account's players with their clubs, by the club's name."""
    mine = Player.objects.filter(account=account, merged_into=None).select_related("club")
    return mine.order_by("club__name", "search_name", "pk")


def tokens_of(account: Account) -> QuerySet[Token]:
    """Return the account's tokens, revoked ones too, the newest first."""
    return Token.objects.filter(account=account).order_by("-created_at", "pk")


def sessions_of(account: Account) -> QuerySet[LogIn]:
    """Return where the account is logged in on the web, the last log-in first."""
    alive = LogIn.objects.filter(account=account, session__expire_date__gt=database_time.now())
    return alive.order_by("-at", "pk")


def passkeys_of(account: Account) -> QuerySet[Passkey]:
    """Return the account's passkeys, the newest first."""
    return Passkey.objects.filter(account=account).order_by("-made_at", "pk")


def account_names(ids: Iterable[str | None]) -> Mapping[str, str]:
    """Return usernames by account id."""
    names = Account.objects.filter(pk__in={pk for pk in ids if pk}).values_list("pk", "username")
    return {str(pk): name for pk, name in names}


# ---- Own data ------------------------------------------------------------------------------------

_SECRET: Final = frozenset(
    {"digest", "password", "salt", "session", "secret", "key"}
    | {"token", "token_checksum", "token_family", "jti", "code", "code_challenge", "nonce"}
    | {"device_code", "user_code", "client_secret"}
)
"""Fields that prove something to the server, or identify a session: a file must not hold them."""
_ABOUT: Final = (
    "All rows of this server that belong to the account or to its players. The moves and other entries that "
    "you made are in the logs of the games and competitions that are named here; logs are public and never "
    "changed. Secrets are left out: of passwords and tokens only hashes are stored."
)


def own_data(account: Account) -> Mapping[str, Any]:
    """Return all rows about the account and its players, by table.

    Which tables those are follows from the models: whatever refers to an account or a player is in it.
    """
    mine = {Account: [account.pk], Player: list(ids_of(account=account))}
    tables = {
        f"{model._meta.app_label}.{model._meta.model_name}": rows
        for model, condition in _about_people(mine)
        if (rows := list(_rows(model._default_manager.filter(condition))))
    }
    for row in tables.get("league.invitation", ()):
        if account.pk != row["made_by_id"] and account.email.lower() != row["email"].lower():
            row["email"] = masked(row["email"])
    if account.email:
        invited = Invitation.objects.filter(email__iexact=account.email)
        tables["invitations to my address"] = list(_rows(invited))
    seats = Seat.objects.filter(Q(account=account.pk) | Q(player__in=mine[Player]))
    tables["games.seat"] = list(_rows(seats))
    own = {
        "account": next(_rows(Account.objects.filter(pk=account.pk))),
        "players": list(_rows(Player.objects.filter(pk__in=mine[Player]))),
    }
    return {"about": _ABOUT, **own, "tables": tables}


def _about_people(mine: Mapping[type[Model], list[Any]]) -> Iterator[tuple[type[Model], Q]]:
    """Yield each model with rows that refer to an account or a player, and which of them are about these."""
    for model in sorted(apps.get_models(), key=lambda each: each._meta.label):
        condition = Q()
        for field in model._meta.concrete_fields:
            if isinstance(field, ForeignKey) and field.related_model in mine and model is not Player:
                condition |= Q(**{f"{field.name}__in": mine[field.related_model]})
        if condition:
            yield model, condition


def _rows(rows: QuerySet[Any]) -> Iterator[dict[str, Any]]:
    """Yield rows as their fields, without secrets and files."""
    fields = [
        field.attname
        for field in rows.model._meta.concrete_fields
        if field.name not in _SECRET and not isinstance(field, BinaryField)
    ]
    yield from rows.order_by("pk").values(*fields)


# ---- Deletion ------------------------------------------------------------------------------------

_OVER = (Competition.Status.FINISHED, Competition.Status.CANCELLED)


@dataclass(frozen=True)
class Deletion:
    """What the deletion of an account would do: ``refusals`` say why it can't be done.

    Of ``games``, the running ones, it resigns its seats; ``entries`` of its own are withdrawn. ``teams`` go
    on without it.
    """

    games: int
    entries: Sequence[Entry]
    teams: Sequence[Entry]
    refusals: Sequence[Message]


def deletion_of(account: Account) -> Deletion:
    """Return what the deletion of the account would do now."""
    entries = list(own_entries(account))
    owned = ", ".join(club.name for club in _owned_alone(account))
    refusal = text("You are the only owner of %(clubs)s: make somebody else an owner first.", clubs=owned)
    return Deletion(
        running_seats(account).count(),
        [entry for entry in entries if entry.size == 1],
        [entry for entry in entries if entry.size > 1],
        [refusal] if owned else [],
    )


def running_seats(account: Account) -> QuerySet[Seat]:
    """Return the account's seats in games that are not over, invitations included."""
    running = (Game.Status.ACTIVE, Game.Status.INVITED)
    mine = Seat.objects.filter(account=account.pk, game__status__in=running)
    return mine.select_related("game").order_by("game__opened_at", "game")


def own_entries(account: Account) -> QuerySet[Any]:
    """Return the entries of the account's players in competitions that are not over, with their ``size``."""
    live = (Entry.Status.APPLIED, Entry.Status.WAITING, Entry.Status.ENTERED)
    mine = Entry.objects.filter(members__player__account=account, status__in=live).values("pk")
    running = Entry.objects.filter(pk__in=mine).exclude(competition__status__in=_OVER)
    counted = running.annotate(size=Count("members")).select_related("competition")
    return counted.order_by("competition__name", "name", "pk")


def _owned_alone(account: Account) -> QuerySet[Club]:
    others = Member.objects.filter(role=Member.Role.OWNER).exclude(account=account)
    return clubs_of(account, Member.Role.OWNER).exclude(pk__in=others.values("club"))
